//! Runs the checks of a plan in order, and always ends with a report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::EngineConfig;
use arena::players::option_warnings;

use super::catalogue::{CheckId, FindingId, Measure};
use super::check::{self, Check, Examination, Thoroughness};
use super::checks;
use super::diagnosis::diagnose;
use super::engine_under_test::{EngineUnderTest, StartError};
use super::finding::{Finding, Verdict};
use super::first_scores::FirstScores;
use super::incident::{EngineError, Incident};
use super::process_time;
use super::report::{Report, SCHEMA};
use super::stream_audit::excerpt;
use super::subject::Subject;

/// What to run.
pub struct ExaminationPlan {
    pub subject: Subject,
    pub thoroughness: Thoroughness,
    /// The checks to run; empty = all.
    pub only: Vec<CheckId>,
    /// The time of the whole run; checks get less than their time budgets where it is shorter.
    pub time_limit: Option<Duration>,
    /// Name and version of this program, for the report.
    pub doctor: String,
}

/// A check that begins now, and how far the run is.
#[derive(Debug)]
pub struct CheckStarted {
    /// The check that begins now.
    pub check: CheckId,
    /// From 1.
    pub number: usize,
    pub of: usize,
    /// Time budget left.
    pub left: Duration,
    /// The worst verdict of each check before it.
    pub done: Vec<Verdict>,
}

impl ExaminationPlan {
    /// The checks that will be run.
    pub fn checks(&self) -> Vec<&'static Check> {
        // Passive checks look at whatever is run, and at everything where no other check is chosen.
        let all = self.only.iter().all(|check| check.is_passive());
        if all {
            return checks_of(self.thoroughness).collect();
        }
        let wanted = |check: &&Check| self.only.contains(&check.id);
        checks::ALL.iter().copied().filter(wanted).collect()
    }

    /// The time budget of all checks.
    pub fn budget(&self) -> Duration {
        self.checks().iter().map(|check| self.budget_of(check)).sum()
    }

    /// A check that was chosen by name is run even where a quick run leaves it out.
    fn budget_of(&self, check: &Check) -> Duration {
        let budget = check.budget(self.thoroughness);
        if budget.is_zero() { check.budget(Thoroughness::Full) } else { budget }
    }

    /// Runs the checks; `listen` is called before each.
    pub fn run(&self, interrupt: &Arc<AtomicBool>, mut listen: impl FnMut(&CheckStarted)) -> Report {
        let started = Instant::now();
        let load_before = process_time::load();
        let mut report = Report {
            schema: SCHEMA,
            doctor: self.doctor.clone(),
            engine: self.subject.command.clone(),
            subject: self.subject.clone(),
            thoroughness: self.thoroughness,
            seconds: 0.0,
            load: load_before.into_iter().collect(),
            interrupted: false,
            searches: 0,
            starts: 0,
            checks: Vec::new(),
            check_seconds: Vec::new(),
            findings: Vec::new(),
            diagnosis: diagnose(&[]),
            trees: Vec::new(),
            incidents: Vec::new(),
        };
        match EngineUnderTest::start(self.subject.clone(), Arc::clone(interrupt), self.time_limit) {
            Ok(engine) => self.examine(engine, started, &mut report, &mut listen),
            Err(StartError::Failed { incident, out_of_time }) => {
                report.starts = 1;
                report.findings.push(not_started(&incident, out_of_time));
                report.incidents.push(incident);
            }
            Err(StartError::Interrupted) => report.interrupted = true,
        }
        report.diagnosis = diagnose(&report.findings);
        // The interrupted check does not count.
        let run = report.checks.len().saturating_sub(usize::from(report.interrupted));
        if !report.checks.is_empty() || report.interrupted {
            report.diagnosis.note_scope(run, checks_of(self.thoroughness).count());
        }
        report.load.extend(process_time::load());
        report.seconds = started.elapsed().as_secs_f64();
        report
    }

    fn examine(
        &self,
        engine: EngineUnderTest,
        started: Instant,
        report: &mut Report,
        listen: &mut impl FnMut(&CheckStarted),
    ) {
        if !engine.identity().name.is_empty() {
            report.engine = excerpt(&engine.identity().name);
        }
        report.findings.extend(rejected_options(&engine));
        let checks = self.checks();
        if !checks.iter().any(|check| check.id == CheckId::Handshake) {
            report.findings.extend(missing_hash(&engine));
        }
        let mut left: Duration = self.budget();
        let end = self.time_limit.and_then(|limit| started.checked_add(limit));
        let mut examination = Examination {
            engine,
            thoroughness: self.thoroughness,
            deadline: Instant::now(),
            speed: None,
            respects_nodes: true,
            respects_searchmoves: true,
            trees: Vec::new(),
            first_scores: FirstScores::default(),
            stretch: if end.is_none() { check::stretch(process_time::load()) } else { 1.0 },
        };
        let cap = examination.cap(Duration::from_secs(2));
        examination.first_scores = FirstScores::probe(&mut examination.engine, cap);
        if !checks.iter().any(|check| check.id == CheckId::Limits) {
            examination.probe_limits();
        }
        for (index, check) in checks.iter().enumerate() {
            let begun = Instant::now();
            if end.is_none() {
                examination.stretch = check::stretch(process_time::load());
            }
            let rest = end.map_or(left, |end| end.saturating_duration_since(begun).min(left));
            let done = checks[..index].iter().map(|check| report.worst_of(check.id)).collect();
            listen(&CheckStarted { check: check.id, number: index + 1, of: checks.len(), left: rest, done });
            let budget = self.budget_of(check);
            // Its part of what is left: time that a check does not need is for those after it.
            let part = rest.mul_f64(budget.as_secs_f64() / left.as_secs_f64().max(0.001));
            left = left.saturating_sub(budget);
            let budget = budget.min(part).mul_f64(examination.stretch);
            examination.deadline = begun + budget;
            // Options and hash contents of one check must not affect the next.
            let found = examination.engine.restart().and_then(|()| (check.run)(&mut examination));
            report.checks.push(check.id.name().to_owned());
            report.check_seconds.push(begun.elapsed().as_secs_f64());
            match found {
                // Searches that Ctrl-C left unanswered look like faults.
                Ok(findings) if examination.engine.is_interrupted() => {
                    report.findings.extend(findings.into_iter().filter(|finding| !finding.is_failure()));
                }
                Ok(findings) => report.findings.extend(findings),
                Err(EngineError::Interrupted) => {}
                Err(error) => {
                    report.findings.push(Finding::aborted(check.id, error.to_string()));
                }
            }
            if examination.engine.is_interrupted() {
                report.interrupted = true;
                break;
            }
        }
        report.trees = std::mem::take(&mut examination.trees);
        let engine = &examination.engine;
        report.findings.extend(checks::passive_findings(engine));
        report.searches = engine.process().searches;
        report.starts = engine.process().starts();
        report.incidents = engine.process().incidents().to_vec();
    }
}

/// No `uciok` or no `readyok`.
fn not_started(incident: &Incident, out_of_time: bool) -> Finding {
    let budget = if out_of_time { "; stopped by the time budget" } else { "" };
    let message = format!("{}{budget}", incident.message);
    let (id, summary, missing) = if incident.is_unready() {
        let summary = format!("no readyok after uciok: {message}");
        (FindingId::HandshakeReady, summary, "no readyok")
    } else {
        (FindingId::HandshakeStart, format!("engine failed to start: {message}"), "no uciok")
    };
    Finding::new(id, Verdict::Fail, summary)
        .effect(1.0)
        .fixed_confidence(1.0, "one start")
        .threshold(missing)
        .samples(1)
        .repro(incident.repro.clone())
}

/// The checks of a complete run.
fn checks_of(thoroughness: Thoroughness) -> impl Iterator<Item = &'static Check> {
    checks::ALL.iter().copied().filter(move |check| !check.budget(thoroughness).is_zero())
}

/// The diagnosis needs to know that there is no option `Hash`, also where the check `handshake` is not run.
fn missing_hash(engine: &EngineUnderTest) -> Option<Finding> {
    let finding = Finding::new(FindingId::HandshakeIdentity, Verdict::Warning, "no option 'Hash'")
        .effect(1.0)
        .fixed_confidence(1.0, "from the option lines")
        .threshold("any problem is a warning")
        .samples(engine.identity().options.len())
        .measure_fact(Measure::HasHash, false)
        .repro(["uci".to_owned()]);
    (!engine.has_option("Hash")).then_some(finding)
}

/// The user's options that the engine does not have, or whose value is out of range.
fn rejected_options(engine: &EngineUnderTest) -> Option<Finding> {
    let identity = engine.identity();
    let Subject { command, options } = engine.subject().clone();
    let name = excerpt(&identity.name);
    let engine = EngineConfig { name, options, ..EngineConfig::of_command(&command) };
    let warnings = option_warnings(&engine, identity);
    let finding = Finding::new(FindingId::HandshakeOptions, Verdict::Warning, warnings.join("; "))
        .effect(warnings.len() as f64)
        .fixed_confidence(1.0, "from the option lines")
        .threshold("any rejected option is a warning")
        .samples(engine.options.len())
        .repro(["uci".to_owned()]);
    (!warnings.is_empty()).then_some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passive_checks_alone_run_everything() {
        let plan = |only: &[CheckId]| ExaminationPlan {
            subject: Subject { command: String::new(), options: Vec::new() },
            thoroughness: Thoroughness::Quick,
            only: only.to_vec(),
            time_limit: None,
            doctor: String::new(),
        };
        let names =
            |only: &[CheckId]| -> Vec<CheckId> { plan(only).checks().iter().map(|check| check.id).collect() };
        assert_eq!(names(&[CheckId::Mates, CheckId::Limits]), [CheckId::Limits, CheckId::Mates]);
        assert_eq!(names(&[CheckId::Strength]), [CheckId::Strength]);
        assert_eq!(names(&[CheckId::Legality]), names(&[]));
        assert_eq!(names(&[CheckId::Legality, CheckId::Mates]), [CheckId::Mates]);
        assert!(!names(&[]).contains(&CheckId::Strength));
    }

    /// `cat` sends back what it gets, but never `uciok`.
    #[cfg(unix)]
    #[test]
    fn time_budget_ends_the_wait_for_uciok() {
        let plan = ExaminationPlan {
            subject: Subject { command: "cat".to_owned(), options: Vec::new() },
            thoroughness: Thoroughness::Quick,
            only: vec![CheckId::Handshake],
            time_limit: Some(Duration::from_secs(1)),
            doctor: String::new(),
        };
        let report = plan.run(&Arc::default(), |_| {});
        let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
        assert_eq!((finding.id.as_str(), finding.verdict), ("handshake.start", Verdict::Fail));
        assert!(finding.summary.ends_with("; stopped by the time budget"), "{}", finding.summary);
        assert!(!report.interrupted);
    }
}
