//! The studio itself: the table, the analyst and the workbenches, and who answers which request.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use engine::evaluation::Evaluation;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::analysis::{Analyst, MAX_HASH, MAX_LINES, available_threads};
use crate::doctor::{self, Surgery};
use crate::explain;
use crate::hub::{Hub, Visitor};
use crate::matches::{Matches, NamedEngine};
use crate::microscope::Microscope;
use crate::play::table::{Order, Table};
use crate::protocol::{Request, position};
use crate::review::Reviews;
use crate::store::{Id, Shelf, Store};
use crate::strength;

/// What a studio needs to know.
pub struct Setup {
    /// What judges positions.
    pub evaluation: Evaluation,
    /// What judges positions, in words.
    pub judge: String,
    /// What judges positions, as UCI options: for players that set themselves up.
    pub options: Vec<(String, String)>,
    /// The program itself, which the doctor examines.
    pub program: PathBuf,
    /// The program's version.
    pub version: String,
    /// Engines for matches and reports that the user named.
    pub engines: Vec<NamedEngine>,
}

/// Everything behind the page.
pub struct Studio {
    hub: Arc<Hub>,
    store: Arc<Store>,
    table: Table,
    analyst: Arc<Analyst>,
    matches: Matches,
    microscope: Microscope,
    reviews: Reviews,
    surgery: Surgery,
    closing: watch::Sender<bool>,
    judge: String,
    version: String,
}

type Answer = Result<Value, String>;

impl Studio {
    /// Opens a studio; must be called inside a runtime.
    pub fn open(setup: Setup, store: Store) -> Arc<Studio> {
        let (hub, store) = (Arc::new(Hub::new()), Arc::new(store));
        let reviews = Reviews::new(&setup.options, &setup.judge, Arc::clone(&store), Arc::clone(&hub));
        let surgery = Surgery::new(
            &setup.program,
            setup.options.clone(),
            setup.engines.clone(),
            &setup.version,
            Arc::clone(&store),
            Arc::clone(&hub),
        );
        Arc::new(Studio {
            reviews,
            surgery,
            table: Table::new(setup.evaluation.clone(), Arc::clone(&store), Arc::clone(&hub)),
            analyst: Arc::new(Analyst::new(setup.evaluation.clone(), Arc::clone(&hub))),
            matches: Matches::new(setup.options, setup.engines, Arc::clone(&store), Arc::clone(&hub)),
            microscope: Microscope::new(setup.evaluation, &setup.judge, Arc::clone(&store), Arc::clone(&hub)),
            closing: watch::Sender::new(false),
            judge: setup.judge,
            version: setup.version,
            hub,
            store,
        })
    }

    /// The pages.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// The data folder.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Becomes true when the studio closes.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Stops all work and lets all pages go.
    pub fn close(&self) {
        self.matches.stop();
        self.reviews.stop();
        self.surgery.stop();
        self.microscope.stop();
        self.closing.send_replace(true);
    }

    /// A page has gone: nothing is thought for it any more.
    pub async fn forget(self: &Arc<Self>, visitor: Visitor) {
        let studio = Arc::clone(self);
        // It fails only if the runtime ends.
        let _ = tokio::task::spawn_blocking(move || studio.analyst.stop(visitor)).await;
    }

    /// Answers a request.
    ///
    /// # Errors
    /// One clear sentence for the user.
    pub async fn answer(self: &Arc<Self>, visitor: Visitor, request: Request) -> Answer {
        match request {
            Request::Hello => self.hello().await,
            Request::GameNew(asked) => self.table.ask(Order::New(asked)).await,
            Request::GameMove { mv, ply } => self.table.ask(Order::Move(mv, ply)).await,
            Request::GameTakeback => self.table.ask(Order::TakeBack).await,
            Request::GameResign => self.table.ask(Order::Resign).await,
            Request::GameHint => self.table.ask(Order::Hint).await,
            other => {
                let studio = Arc::clone(self);
                let work = tokio::task::spawn_blocking(move || studio.work(visitor, other));
                work.await
                    .unwrap_or_else(|_| Err("internal error: the request could not be completed".to_owned()))
            }
        }
    }

    async fn hello(&self) -> Answer {
        let engines: Vec<&str> = self.matches.engines().iter().map(|engine| engine.name.as_str()).collect();
        Ok(json!({
            "version": self.version,
            "judge": self.judge,
            "elo": strength::range(),
            "threads": available_threads(),
            "lines": MAX_LINES,
            "hash": MAX_HASH,
            "engines": engines,
            "folder": self.store.folder(),
            "game": self.table.ask(Order::State).await?,
            "match": self.matches.current(),
            "review": self.reviews.current(),
            "doctor": self.surgery.current(),
            "checks": doctor::checks(),
            "trace": self.microscope.current(),
            "recording": self.microscope.is_busy(),
        }))
    }

    /// Requests that may take a moment: they run where waiting harms nobody.
    fn work(self: &Arc<Self>, visitor: Visitor, request: Request) -> Answer {
        let done = Ok(Value::Null);
        match request {
            Request::Analyse(asked) => self.analyst.start(visitor, &asked).map(|()| Value::Null),
            Request::AnalyseStop => {
                self.analyst.stop(visitor);
                done
            }
            Request::Explain { fen } => {
                let position = position(&fen)?;
                Ok(explain::to_json(&self.analyst, &position))
            }
            Request::GameList => Ok(self.games()),
            Request::GameOpen { id } => self.text(Shelf::Games, &id),
            Request::GameRemove { id } => self.remove(Shelf::Games, &id),
            Request::ReviewStart(asked) => self.reviews.start(&asked),
            Request::ReviewResume { id } => self.reviews.resume(&name(&id)?),
            Request::ReviewStop => {
                self.reviews.stop();
                done
            }
            Request::ReviewList => Ok(self.reviews.list()),
            Request::ReviewOpen { id } => self.reviews.open(&name(&id)?).ok_or_else(gone),
            Request::ReviewGame { id, number } => self.reviews.game(&name(&id)?, number).ok_or_else(gone),
            Request::ReviewPgn { id } => self.text(Shelf::Reviews, &id),
            Request::ReviewRemove { id } => self.reviews.remove(&name(&id)?).map(|()| Value::Null),
            Request::TraceStart(asked) => self.microscope.start(&asked).map(|()| Value::Null),
            Request::TraceStop => {
                self.microscope.stop();
                done
            }
            Request::TraceList => Ok(self.microscope.list()),
            Request::TraceOpen { id } => {
                self.microscope.open(&name(&id)?).ok_or_else(gone)?.map(|()| Value::Null)
            }
            Request::TraceRemove { id } => self.remove(Shelf::Traces, &id),
            Request::TraceChildren { node, skip } => self.microscope.children(node, skip),
            Request::TraceFind { word } => self.microscope.find(&word),
            Request::TracePath { node } => self.microscope.path(node),
            Request::TraceWhy { line } => self.microscope.why(&line),
            Request::MatchStart(asked) => self.matches.start(&asked),
            Request::MatchResume { id } => self.matches.resume(&name(&id)?),
            Request::MatchStop => {
                self.matches.stop();
                done
            }
            Request::MatchList => Ok(self.matches.list()),
            Request::MatchOpen { id } => self.matches.open(&name(&id)?).ok_or_else(gone),
            Request::MatchGame { id, number } => {
                self.matches.game(&name(&id)?, number).map(Value::from).ok_or_else(gone)
            }
            Request::MatchRemove { id } => self.matches.remove(&name(&id)?).map(|()| Value::Null),
            Request::DoctorStart(asked) => self.surgery.start(&asked),
            Request::DoctorStop => {
                self.surgery.stop();
                done
            }
            Request::DoctorList => Ok(self.surgery.list()),
            Request::DoctorRemove { id } => self.remove(Shelf::Reports, &id),
            Request::Hello
            | Request::GameNew(_)
            | Request::GameMove { .. }
            | Request::GameTakeback
            | Request::GameResign
            | Request::GameHint => Err("this is for the table".to_owned()),
        }
    }

    /// The games that were played: their names and tags, the newest first.
    fn games(&self) -> Value {
        let summary = |id: &Id| {
            let bytes = self.store.read(Shelf::Games, id, "pgn").ok()?;
            let game = record::pgn::PgnReader::new(&String::from_utf8_lossy(&bytes)).next()?;
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            Some(json!({
                "id": id, "white": tag("White"), "black": tag("Black"), "date": tag("Date"),
                "result": tag("Result"), "moves": game.moves.len().div_ceil(2),
            }))
        };
        self.store.list(Shelf::Games, "pgn").iter().take(200).filter_map(summary).collect()
    }

    fn text(&self, shelf: Shelf, id: &str) -> Answer {
        let bytes = self.store.read(shelf, &name(id)?, "pgn").map_err(|error| told(&error))?;
        Ok(String::from_utf8_lossy(&bytes).into())
    }

    fn remove(&self, shelf: Shelf, id: &str) -> Answer {
        self.store.remove(shelf, &name(id)?).map_err(|error| told(&error))?;
        Ok(Value::Null)
    }
}

fn name(id: &str) -> Result<Id, String> {
    Id::parse(id).ok_or_else(gone)
}

fn gone() -> String {
    "not found: it may have been deleted".to_owned()
}

fn told(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound { gone() } else { error.to_string() }
}
