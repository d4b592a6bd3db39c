//! Examinations of engines for the page: the laboratory's doctor makes them, the store keeps the reports.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use doctor::Subject;
use doctor::check::{Check, Thoroughness};
use doctor::checks::ALL;
use doctor::examine::Plan;
use doctor::finding::Verdict;
use doctor::render::html;
use doctor::report::Report;
use serde_json::{Value, json};

use crate::hub::Hub;
use crate::job::Bench;
use crate::matches::NamedEngine;
use crate::protocol::{DoctorStart, Event};
use crate::store::{Id, Shelf, Store};

/// Reports in a list.
const MOST_LISTED: usize = 100;

/// The place where engines are examined.
pub struct Surgery {
    own: NamedEngine,
    own_options: Vec<(String, String)>,
    engines: Vec<NamedEngine>,
    doctor: String,
    store: Arc<Store>,
    hub: Arc<Hub>,
    bench: Bench,
    latest: Arc<Mutex<Value>>,
}

impl Surgery {
    /// Nobody is being examined; `program` is Vedette's own, `options` what its engine is set up with.
    pub fn new(
        program: &Path,
        options: Vec<(String, String)>,
        engines: Vec<NamedEngine>,
        version: &str,
        store: Arc<Store>,
        hub: Arc<Hub>,
    ) -> Surgery {
        let own =
            NamedEngine { name: "Vedette".to_owned(), command: format!("\"{}\" uci", program.display()) };
        let doctor = format!("Vedette {version}");
        let (bench, latest) = (Bench::default(), Arc::default());
        Surgery { own, own_options: options, engines, doctor, store, hub, bench, latest }
    }

    /// The examination in progress; null if there is none.
    pub fn current(&self) -> Value {
        if self.bench.is_busy() {
            self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
        } else {
            Value::Null
        }
    }

    /// Begins an examination, and tells its name.
    ///
    /// # Errors
    /// There is no such engine, or another is being examined.
    pub fn start(&self, asked: &DoctorStart) -> Result<Value, String> {
        let (engine, options) = match asked.engine {
            None => (&self.own, self.own_options.clone()),
            Some(place) => (self.engines.get(place).ok_or("unknown engine")?, Vec::new()),
        };
        if let Some(name) = asked.only.iter().find(|name| ALL.iter().all(|check| check.name != **name)) {
            return Err(format!("unknown check '{name}'"));
        }
        let plan = Plan {
            subject: Subject { command: engine.command.clone(), options },
            thoroughness: asked.thoroughness,
            only: asked.only.clone(),
            doctor: self.doctor.clone(),
        };
        let id = self.store.new_id();
        let work = Work {
            id: id.clone(),
            engine: engine.name.clone(),
            store: Arc::clone(&self.store),
            hub: Arc::clone(&self.hub),
            latest: Arc::clone(&self.latest),
        };
        self.bench.start("doctor run", move |stop| work.run(&plan, stop))?;
        Ok(json!({"id": id}))
    }

    /// Stops the examination; what was found is kept.
    pub fn stop(&self) {
        self.bench.stop();
    }

    /// All reports, the newest first.
    pub fn list(&self) -> Value {
        let summary = |id: &Id| {
            let text = self.store.read(Shelf::Reports, id, "json").ok()?;
            let report: Report = serde_json::from_slice(&text).ok()?;
            let causes: Vec<&str> =
                report.diagnosis.explanations.iter().map(|ranked| ranked.cause.as_str()).collect();
            Some(json!({
                "id": id, "engine": report.engine, "healthy": report.is_healthy(),
                "alarms": report.with_verdict(Verdict::Alarm).count(), "checks": report.checks.len(),
                "interrupted": report.interrupted, "seconds": report.seconds, "causes": causes,
            }))
        };
        self.store.list(Shelf::Reports, "json").iter().take(MOST_LISTED).filter_map(summary).collect()
    }
}

/// All checks, for the page: names, what they are about, and the seconds that each may take.
pub fn checks() -> Value {
    let told = |check: &&Check| {
        let seconds = |thoroughness| check.planned(thoroughness).as_secs();
        json!({
            "name": check.name, "title": check.title, "group": check.group.name(),
            "quick": seconds(Thoroughness::Quick), "full": seconds(Thoroughness::Full),
        })
    };
    ALL.iter().map(told).collect()
}

/// An examination being made.
struct Work {
    id: Id,
    engine: String,
    store: Arc<Store>,
    hub: Arc<Hub>,
    latest: Arc<Mutex<Value>>,
}

impl Work {
    fn run(self, plan: &Plan, stop: &Arc<AtomicBool>) {
        let report = plan.run(stop, |progress| {
            self.tell(json!({
                "title": progress.title, "number": progress.number, "of": progress.of,
                "left": progress.left.as_secs(), "finished": false, "error": null,
            }));
        });
        let error = self.keep(&report).err();
        self.tell(json!({"title": "", "number": 1, "of": 1, "left": 0, "finished": true, "error": error}));
    }

    fn keep(&self, report: &Report) -> Result<(), String> {
        let json = serde_json::to_vec(report).map_err(|error| error.to_string())?;
        let page = self.store.write(Shelf::Reports, &self.id, "html", html(report).as_bytes());
        page.and_then(|()| self.store.write(Shelf::Reports, &self.id, "json", &json))
            .map_err(|error| format!("could not save the report: {error}"))
    }

    fn tell(&self, mut state: Value) {
        state["id"] = json!(self.id);
        state["engine"] = self.engine.as_str().into();
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = state.clone();
        self.hub.tell_all(&Event::new("doctor", state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_engine_that_does_not_start_gets_a_report_with_an_alarm() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        let program = Path::new("/no/such program");
        let surgery =
            Surgery::new(program, Vec::new(), Vec::new(), "test", Arc::clone(&store), Arc::default());
        let asked = |engine, only: &[&str]| DoctorStart {
            engine,
            thoroughness: Thoroughness::Full,
            only: only.iter().map(|&name| name.to_owned()).collect(),
        };
        assert!(surgery.start(&asked(Some(3), &[])).is_err());
        assert!(surgery.start(&asked(None, &["handshake", "no such check"])).is_err());
        surgery.start(&asked(None, &["handshake"])).expect("free");
        while surgery.bench.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let list = surgery.list();
        assert_eq!((&list[0]["healthy"], &list[0]["alarms"]), (&json!(false), &json!(1)), "{list}");
        let id = Id::parse(list[0]["id"].as_str().expect("a name")).expect("a name");
        let page = store.read(Shelf::Reports, &id, "html").expect("there");
        assert!(String::from_utf8_lossy(&page).contains("does not start"));
    }
}
