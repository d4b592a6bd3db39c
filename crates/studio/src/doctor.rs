//! Doctor runs for the page; the store keeps the reports.

use std::path::Path;
use std::sync::Arc;

use doctor::Subject;
use doctor::catalogue::CheckId;
use doctor::check::{Check, Thoroughness as Effort};
use doctor::checks::ALL;
use doctor::compare::compare;
use doctor::diagnosis::Ranked;
use doctor::examine::ExaminationPlan;
use doctor::finding::{Finding, Verdict as ReportVerdict};
use doctor::render::{html, markdown};
use doctor::report::Report;

use crate::clients::Clients;
use crate::engines::{Engines, ExternalEngine};
use crate::error::{INTERNAL, RequestError};
use crate::job::{JobSlot, RunningJob};
use crate::protocol::{
    Change, CheckInfo, CheckState, Comparison, DoctorProgress, DoctorReport, DoctorRequest, DoctorStart,
    Event, Reply, ReportCause, ReportFinding, ReportSummary, Thoroughness, Verdict,
};
use crate::store::{Collection, Id, Store};

const MAX_LISTED: usize = 100;

pub struct DoctorJobs {
    vedette: ExternalEngine,
    vedette_options: Vec<(String, String)>,
    engines: Arc<Engines>,
    doctor: String,
    store: Arc<Store>,
    clients: Arc<Clients>,
    slot: JobSlot<DoctorProgress>,
}

impl DoctorJobs {
    /// `program` is Vedette's own executable, `options` are its UCI options.
    pub fn new(
        program: &Path,
        options: Vec<(String, String)>,
        engines: Arc<Engines>,
        version: &str,
        store: Arc<Store>,
        clients: Arc<Clients>,
    ) -> DoctorJobs {
        let vedette =
            ExternalEngine { name: "Vedette".to_owned(), command: format!("\"{}\" uci", program.display()) };
        let doctor = format!("Vedette {version}");
        DoctorJobs {
            vedette,
            vedette_options: options,
            engines,
            doctor,
            store,
            clients,
            slot: JobSlot::default(),
        }
    }

    pub fn handle(&self, request: DoctorRequest) -> Result<Reply, RequestError> {
        match request {
            DoctorRequest::Start(start) => self.start(&start).map(Reply::Started),
            DoctorRequest::Stop => {
                self.stop();
                Ok(Reply::Done)
            }
            DoctorRequest::List => Ok(Reply::Reports(self.list())),
            DoctorRequest::Open { id } => Ok(Reply::Report(Box::new(page_report(&id, &self.read(&id)?)))),
            DoctorRequest::Compare { before, after } => {
                let changes = compare(&self.read(&before)?, &self.read(&after)?);
                Ok(Reply::Comparison(changes.into()))
            }
            DoctorRequest::Remove { id } => {
                self.store.remove(Collection::Reports, &id)?;
                Ok(Reply::Done)
            }
        }
    }

    pub fn progress(&self) -> Option<DoctorProgress> {
        self.slot.progress()
    }

    /// Stops the run; the report contains what was found so far.
    pub fn stop(&self) {
        self.slot.stop();
    }

    fn start(&self, request: &DoctorStart) -> Result<Id, RequestError> {
        let (engine, options) = match &request.engine {
            None => (self.vedette.clone(), self.vedette_options.clone()),
            Some(name) => (self.engines.get(name)?, Vec::new()),
        };
        let parse = |name: &String| {
            let known = ALL.iter().find(|check| check.id.name() == name).map(|check| check.id);
            known.ok_or_else(|| format!("unknown check '{name}'"))
        };
        let only = request.only.iter().map(parse).collect::<Result<Vec<CheckId>, String>>()?;
        let plan = ExaminationPlan {
            subject: Subject { command: engine.command, options },
            thoroughness: match request.thoroughness {
                Thoroughness::Quick => Effort::Quick,
                Thoroughness::Full => Effort::Full,
            },
            only,
            time_limit: None,
            doctor: self.doctor.clone(),
        };
        let id = self.store.new_id();
        let run = DoctorRun {
            id: id.clone(),
            engine: engine.name,
            store: Arc::clone(&self.store),
            clients: Arc::clone(&self.clients),
        };
        let (clients, idle) = (Arc::clone(&self.clients), run.idle());
        let failed = move |last: Option<DoctorProgress>| {
            let last = last.unwrap_or(idle);
            clients.broadcast(Event::Doctor(DoctorProgress {
                finished: true,
                error: Some(INTERNAL.to_owned()),
                ..last
            }));
        };
        self.slot.start("doctor run", &id, move |job| run.run(&plan, job), failed)?;
        Ok(id)
    }

    fn read(&self, id: &Id) -> Result<Report, RequestError> {
        let text = self.store.read(Collection::Reports, id, "json")?;
        serde_json::from_slice(&text).map_err(|error| format!("this report cannot be read: {error}").into())
    }

    /// All reports, the newest first.
    fn list(&self) -> Vec<ReportSummary> {
        let summary = |id: &Id| {
            let report = self.read(id).ok()?;
            Some(ReportSummary {
                id: id.clone(),
                healthy: report.is_healthy(),
                failures: report.with_verdict(ReportVerdict::Fail).count(),
                checks: report.checks.len(),
                interrupted: report.interrupted,
                seconds: report.seconds,
                causes: report.diagnosis.explanations.into_iter().map(|ranked| ranked.cause).collect(),
                engine: report.engine,
            })
        };
        self.store.list(Collection::Reports, "json").iter().take(MAX_LISTED).filter_map(summary).collect()
    }
}

impl From<ReportVerdict> for Verdict {
    fn from(verdict: ReportVerdict) -> Verdict {
        match verdict {
            ReportVerdict::Pass => Verdict::Pass,
            ReportVerdict::Skipped => Verdict::Skipped,
            ReportVerdict::Warning => Verdict::Warning,
            ReportVerdict::Fail => Verdict::Fail,
        }
    }
}

impl From<doctor::compare::Comparison> for Comparison {
    fn from(found: doctor::compare::Comparison) -> Comparison {
        let changes = |list: Vec<doctor::compare::Change>| {
            let change = |change: doctor::compare::Change| Change {
                finding: change.finding,
                before: change.before.map(Verdict::from),
                after: change.after.map(Verdict::from),
                effect: change.effect,
                summary: change.summary,
            };
            list.into_iter().map(change).collect()
        };
        Comparison {
            worse: changes(found.worse),
            better: changes(found.better),
            other: changes(found.other),
            moved: changes(found.moved),
        }
    }
}

fn page_report(id: &Id, report: &Report) -> DoctorReport {
    let finding = |finding: &Finding| ReportFinding {
        id: finding.id.clone(),
        group: CheckId::parse(&finding.check).map_or("", |check| check.group().name()).to_owned(),
        verdict: finding.verdict.into(),
        summary: finding.summary.clone(),
        threshold: finding.threshold.clone(),
        repro: finding.repro.clone(),
    };
    let cause = |ranked: &Ranked| ReportCause { cause: ranked.cause.clone(), advice: ranked.advice.clone() };
    DoctorReport {
        id: id.clone(),
        engine: report.engine.clone(),
        doctor: report.doctor.clone(),
        seconds: report.seconds,
        interrupted: report.interrupted,
        headline: report.diagnosis.headline.clone(),
        causes: report.diagnosis.explanations.iter().map(cause).collect(),
        findings: report.findings.iter().map(finding).collect(),
        markdown: markdown(report),
    }
}

/// All checks.
pub fn checks() -> Vec<CheckInfo> {
    let info = |check: &&Check| {
        let seconds = |effort| check.budget(effort).as_secs();
        CheckInfo {
            name: check.id.name().to_owned(),
            title: check.id.title().to_owned(),
            group: check.id.group().name().to_owned(),
            quick: seconds(Effort::Quick),
            full: seconds(Effort::Full),
        }
    };
    ALL.iter().map(info).collect()
}

struct DoctorRun {
    id: Id,
    engine: String,
    store: Arc<Store>,
    clients: Arc<Clients>,
}

impl DoctorRun {
    /// The progress before the first check.
    fn idle(&self) -> DoctorProgress {
        DoctorProgress {
            id: self.id.clone(),
            engine: self.engine.clone(),
            title: "Starting the engine".to_owned(),
            number: 1,
            of: 1,
            left: 0,
            checks: Vec::new(),
            finished: false,
            error: None,
        }
    }

    fn run(self, plan: &ExaminationPlan, job: &RunningJob<DoctorProgress>) {
        let idle = self.idle();
        // An engine that does not answer takes long to start.
        self.publish(job, idle.clone());
        let titles: Vec<String> = plan.checks().iter().map(|check| check.id.title().to_owned()).collect();
        let report = plan.run(&job.stop, |progress| {
            let verdict = |index: usize| progress.done.get(index).map(|&verdict| verdict.into());
            let state = |(index, title): (usize, &String)| CheckState {
                title: title.clone(),
                verdict: verdict(index),
            };
            let progress = DoctorProgress {
                title: progress.check.title().to_owned(),
                number: progress.number,
                of: progress.of,
                left: progress.left.as_secs(),
                checks: titles.iter().enumerate().map(state).collect(),
                ..idle.clone()
            };
            self.publish(job, progress);
        });
        let error = self.save(&report).err();
        job.free();
        self.publish(job, DoctorProgress { finished: true, error, ..idle.clone() });
    }

    fn save(&self, report: &Report) -> Result<(), String> {
        let json = serde_json::to_vec(report).map_err(|error| error.to_string())?;
        let page = self.store.write(Collection::Reports, &self.id, "html", html(report).as_bytes());
        page.and_then(|()| self.store.write(Collection::Reports, &self.id, "json", &json))
            .map_err(|error| format!("could not save the report: {error}"))
    }

    fn publish(&self, job: &RunningJob<DoctorProgress>, progress: DoctorProgress) {
        job.publish(progress.clone());
        self.clients.broadcast(Event::Doctor(progress));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn failed_start_is_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        let program = Path::new("/no/such program");
        let engines = Arc::new(Engines::new(Vec::new(), folder.path().to_owned(), Vec::new()));
        let jobs = DoctorJobs::new(program, Vec::new(), engines, "test", Arc::clone(&store), Arc::default());
        let request = |engine: Option<&str>, only: &[&str]| DoctorStart {
            engine: engine.map(str::to_owned),
            thoroughness: Thoroughness::Full,
            only: only.iter().map(|&name| name.to_owned()).collect(),
        };
        assert!(jobs.start(&request(Some("Nobody"), &[])).is_err());
        assert!(jobs.start(&request(None, &["handshake", "no such check"])).is_err());
        let id = jobs.start(&request(None, &["handshake"])).expect("free");
        while jobs.slot.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let list = jobs.list();
        assert_eq!((&list[0].id, list[0].healthy, list[0].failures), (&id, false, 1));
        let page = store.read(Collection::Reports, &id, "html").expect("there");
        assert!(String::from_utf8_lossy(&page).contains("failed to start"));
        let Reply::Report(report) = jobs.handle(DoctorRequest::Open { id: id.clone() }).expect("there")
        else {
            panic!("a report")
        };
        let failed = report.findings.iter().find(|finding| finding.verdict == Verdict::Fail).expect("one");
        assert!(failed.summary.contains("failed to start") && report.markdown.contains(&failed.id));
        let compare = DoctorRequest::Compare { before: id.clone(), after: id };
        let Reply::Comparison(same) = jobs.handle(compare).expect("there") else { panic!("a comparison") };
        assert!(same.worse.is_empty() && same.better.is_empty());
    }
}
