//! Runs the checks of a plan one after the other, and always ends with a report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::EngineConfig;
use arena::players::option_warnings;

use super::check::{Check, Examination, Thoroughness};
use super::checks;
use super::diagnosis::diagnose;
use super::finding::{Finding, OFFERS_HASH, Verdict};
use super::names::ABORTED;
use super::patient::{Incident, Patient, Subject, Trouble};
use super::process_time;
use super::report::{Report, SCHEMA};
use super::talk::excerpt;

/// What to examine, and how.
pub struct Plan {
    /// The engine.
    pub subject: Subject,
    /// How thorough.
    pub thoroughness: Thoroughness,
    /// Names of the only checks wanted; empty = all.
    pub only: Vec<String>,
    /// The examining program, for the report.
    pub doctor: String,
}

/// How far an examination is.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The check that begins now.
    pub check: &'a str,
    /// Its words for people.
    pub title: &'a str,
    /// Its number, from 1.
    pub number: usize,
    /// Number of checks.
    pub of: usize,
    /// Time left as planned.
    pub left: Duration,
}

impl Plan {
    /// The checks that will be made.
    pub fn checks(&self) -> Vec<&'static Check> {
        // What is found by the way is found by whatever checks are made, and by all where no other is asked for.
        let all = self.only.iter().all(|name| checks::is_by_the_way(name));
        if all {
            return checks_of(self.thoroughness).collect();
        }
        let wanted = |check: &&Check| self.only.iter().any(|name| name == check.name);
        checks::ALL.iter().copied().filter(wanted).collect()
    }

    /// The time it will take at most, as planned.
    pub fn planned(&self) -> Duration {
        self.checks().iter().map(|check| self.planned_for(check)).sum()
    }

    /// A check that was asked for by name gets time also where the plan has none for it.
    fn planned_for(&self, check: &Check) -> Duration {
        let planned = check.planned(self.thoroughness);
        if planned.is_zero() { check.planned(Thoroughness::Full) } else { planned }
    }

    /// Examines, and tells `listen` before each check.
    pub fn run(&self, interrupt: &Arc<AtomicBool>, mut listen: impl FnMut(&Progress)) -> Report {
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
            incidents: Vec::new(),
        };
        match Patient::admit(self.subject.clone(), Arc::clone(interrupt)) {
            Ok(patient) => self.examine(patient, &mut report, &mut listen),
            Err(Some(incident)) => {
                report.starts = 1;
                report.findings.push(not_started(&incident));
                report.incidents.push(incident);
            }
            Err(None) => report.interrupted = true,
        }
        report.diagnosis = diagnose(&report.findings);
        // The check that was cut short is not counted.
        let made = report.checks.len().saturating_sub(usize::from(report.interrupted));
        if !report.checks.is_empty() || report.interrupted {
            report.diagnosis.note_scope(made, checks_of(self.thoroughness).count());
        }
        report.load.extend(process_time::load());
        report.seconds = started.elapsed().as_secs_f64();
        report
    }

    fn examine(&self, patient: Patient, report: &mut Report, listen: &mut impl FnMut(&Progress)) {
        if !patient.identity().name.is_empty() {
            report.engine = excerpt(&patient.identity().name);
        }
        report.findings.extend(options_not_taken(&patient));
        let checks = self.checks();
        if !checks.iter().any(|check| check.name == "handshake") {
            report.findings.extend(hash_not_offered(&patient));
        }
        let mut left: Duration = self.planned();
        let mut examination = Examination {
            patient,
            thoroughness: self.thoroughness,
            deadline: Instant::now(),
            speed: None,
            obeys_nodes: true,
            obeys_search_moves: true,
        };
        if !checks.iter().any(|check| check.name == "limits") {
            examination.learn_limits();
        }
        for (index, check) in checks.iter().enumerate() {
            listen(&Progress {
                check: check.name,
                title: check.title,
                number: index + 1,
                of: checks.len(),
                left,
            });
            let planned = self.planned_for(check);
            left = left.saturating_sub(planned);
            let begun = Instant::now();
            examination.deadline = begun + planned;
            // What one check set or left in the table must not touch the next.
            let found = examination.patient.restart().and_then(|()| (check.run)(&mut examination));
            report.checks.push(check.name.to_owned());
            report.check_seconds.push(begun.elapsed().as_secs_f64());
            match found {
                // Questions that Ctrl-C left unanswered look like faults.
                Ok(findings) if examination.patient.is_interrupted() => {
                    report.findings.extend(findings.into_iter().filter(|finding| !finding.is_alarm()));
                }
                Ok(findings) => report.findings.extend(findings),
                Err(Trouble::Interrupted) => {}
                Err(trouble) => {
                    report.findings.push(Finding::unmeasured(check.name, ABORTED, trouble.to_string()));
                }
            }
            if examination.patient.is_interrupted() {
                report.interrupted = true;
                break;
            }
        }
        let patient = &examination.patient;
        report.findings.extend(checks::afterwards(patient));
        report.searches = patient.searches();
        report.starts = patient.starts();
        report.incidents = patient.incidents().to_vec();
    }
}

/// That the engine did not come so far as to be examined, with the answer that is missing.
fn not_started(incident: &Incident) -> Finding {
    let words = &incident.words;
    let (what, summary, missing) = if incident.is_unready() {
        let summary = format!("the engine says 'uciok' and is not ready then: {words}");
        ("ready", summary, "no 'readyok' after 'isready'")
    } else {
        ("start", format!("the engine does not start: {words}"), "no 'uciok' after 'uci'")
    };
    Finding::new("handshake", what, Verdict::Alarm, summary)
        .effect("starts that failed", 1.0, "")
        .sure_by_hand(1.0, "seen once")
        .threshold(missing)
        .samples(1)
        .repro(incident.repro.clone())
}

/// The checks of a whole examination.
fn checks_of(thoroughness: Thoroughness) -> impl Iterator<Item = &'static Check> {
    checks::ALL.iter().copied().filter(move |check| !check.planned(thoroughness).is_zero())
}

/// That there is no table to be asked about, where the check that reads the options is not made: the diagnosis must know it.
fn hash_not_offered(patient: &Patient) -> Option<Finding> {
    let finding = Finding::new("handshake", "identity", Verdict::Notice, "no option 'Hash'")
        .effect("complaints", 1.0, "")
        .sure_by_hand(1.0, "read from the engine's own lines")
        .threshold("any complaint is a notice")
        .samples(patient.identity().options.len())
        .measure_fact(OFFERS_HASH, false)
        .repro(["uci".to_owned()]);
    (!patient.offers("Hash")).then_some(finding)
}

/// Options of the user that the engine does not offer, or whose value it would not take: then another engine is examined than
/// the user believes.
fn options_not_taken(patient: &Patient) -> Option<Finding> {
    let identity = patient.identity();
    let Subject { command, options } = patient.subject().clone();
    let name = excerpt(&identity.name);
    let engine = EngineConfig { name, options, ..EngineConfig::of_command(&command) };
    let warnings = option_warnings(&engine, identity);
    let finding = Finding::new("handshake", "options", Verdict::Notice, warnings.join("; "))
        .effect("options not taken", warnings.len() as f64, "")
        .sure_by_hand(1.0, "read from the engine's own lines")
        .threshold("a notice: an option that is asked for and not offered")
        .samples(engine.options.len())
        .repro(["uci".to_owned()]);
    (!warnings.is_empty()).then_some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_by_the_way_asks_for_all_checks_where_no_other_is_named() {
        let plan = |only: &[&str]| Plan {
            subject: Subject { command: String::new(), options: Vec::new() },
            thoroughness: Thoroughness::Quick,
            only: only.iter().map(|&name| name.to_owned()).collect(),
            doctor: String::new(),
        };
        let names =
            |only: &[&str]| -> Vec<&str> { plan(only).checks().iter().map(|check| check.name).collect() };
        assert_eq!(names(&["mates", "limits"]), ["limits", "mates"]);
        assert_eq!(names(&["strength"]), ["strength"]);
        assert_eq!(names(&["legality"]), names(&[]));
        assert_eq!(names(&["legality", "mates"]), ["mates"]);
        assert!(!names(&[]).contains(&"strength"));
    }
}
