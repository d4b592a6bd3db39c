//! Reviews of games for the page: the laboratory judges them, pages see how far it is, the store keeps the
//! annotated games and the data behind them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lab::arena::config::{EngineConfig, EngineKind};
use lab::arena::limits::Limits;
use lab::arena::player::Fault;
use lab::review::{Broken, GameReview, Review, Reviewer, SCHEMA, Subject, annotate, read};
use serde_json::{Value, json};

use crate::hub::Hub;
use crate::job::Bench;
use crate::protocol::{Effort, Event, ReviewStart};
use crate::store::{Id, Shelf, Store};

/// Games in one review.
const MOST_GAMES: usize = 1000;
/// The deepest look at a position.
const MAX_DEPTH: u32 = 40;
/// The longest look at a position.
const LONGEST: Duration = Duration::from_mins(2);
/// Time between two reports to the pages.
const REPORT_EVERY: Duration = Duration::from_millis(150);

/// The place where games are reviewed.
pub struct Reviews {
    engine: EngineConfig,
    judge: String,
    store: Arc<Store>,
    hub: Arc<Hub>,
    bench: Bench,
    latest: Arc<Mutex<Value>>,
}

impl Reviews {
    /// Nothing is being reviewed; `options` are those of Vedette's engine, `judge` names it.
    pub fn new(options: &[(String, String)], judge: &str, store: Arc<Store>, hub: Arc<Hub>) -> Reviews {
        let engine = EngineConfig {
            kind: EngineKind::Own,
            name: "Vedette".to_owned(),
            options: options.to_vec(),
            ..EngineConfig::default()
        };
        Reviews {
            engine,
            judge: judge.to_owned(),
            store,
            hub,
            bench: Bench::default(),
            latest: Arc::default(),
        }
    }

    /// The review in progress; null if there is none.
    pub fn current(&self) -> Value {
        if self.bench.is_busy() {
            self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
        } else {
            Value::Null
        }
    }

    /// Begins a review, and tells its name.
    ///
    /// # Errors
    /// There is nothing to review, or something else is being reviewed.
    pub fn start(&self, asked: &ReviewStart) -> Result<Value, String> {
        let limits = match asked.effort {
            Effort::Depth(depth) => Limits { depth: Some(depth.clamp(1, MAX_DEPTH)), ..Limits::default() },
            Effort::Millis(millis) => {
                let time = Duration::from_millis(millis.max(1)).min(LONGEST);
                Limits { move_time: Some(time), margin: LONGEST, ..Limits::default() }
            }
        };
        let (subjects, broken) = read(&asked.pgn);
        if subjects.is_empty() {
            let fault = broken.first().map_or("there is no game in it".to_owned(), |broken| {
                format!("no game can be read: line {}: {}", broken.line, broken.what)
            });
            return Err(fault);
        }
        if subjects.len() > MOST_GAMES {
            return Err(format!("at most {MOST_GAMES} games at once; vedette analyse takes more"));
        }
        let id = self.store.new_id();
        let work = Work {
            id: id.clone(),
            engine: self.engine.clone(),
            judge: self.judge.clone(),
            limits,
            store: Arc::clone(&self.store),
            hub: Arc::clone(&self.hub),
            latest: Arc::clone(&self.latest),
            told: None,
        };
        self.bench.start("review", move |stop| work.run(&subjects, broken, stop))?;
        Ok(json!({"id": id}))
    }

    /// Stops the review; games that are done are kept.
    pub fn stop(&self) {
        self.bench.stop();
    }

    /// All reviews, the newest first.
    pub fn list(&self) -> Value {
        let summary = |id: &Id| {
            let review = self.read(id)?;
            let first = review.games.first()?;
            Some(json!({
                "id": id, "games": review.games.len(), "white": first.tag("White"),
                "black": first.tag("Black"), "result": first.result, "accuracy": first.accuracy,
                "limits": review.limits,
            }))
        };
        self.store.list(Shelf::Reviews, "json").iter().take(100).filter_map(summary).collect()
    }

    /// One review: who judged and how, and its games without their moves.
    pub fn open(&self, id: &Id) -> Option<Value> {
        let review = self.read(id)?;
        let games: Vec<Value> = review
            .games
            .iter()
            .map(
                |game| json!({"white": game.tag("White"), "black": game.tag("Black"), "result": game.result}),
            )
            .collect();
        Some(json!({
            "id": id, "engine": review.engine, "limits": review.limits, "games": games,
            "broken": review.broken,
        }))
    }

    /// One game of a review.
    pub fn game(&self, id: &Id, number: usize) -> Option<Value> {
        serde_json::to_value(self.read(id)?.games.get(number)?).ok()
    }

    fn read(&self, id: &Id) -> Option<Review> {
        serde_json::from_slice(&self.store.read(Shelf::Reviews, id, "json").ok()?).ok()
    }
}

/// How a review stands.
enum Stage {
    /// It goes on.
    Running,
    /// It is over, with what went wrong, if anything did.
    Over(Option<String>),
}

/// A review being made.
struct Work {
    id: Id,
    engine: EngineConfig,
    judge: String,
    limits: Limits,
    store: Arc<Store>,
    hub: Arc<Hub>,
    latest: Arc<Mutex<Value>>,
    told: Option<Instant>,
}

impl Work {
    fn run(mut self, subjects: &[Subject], broken: Vec<Broken>, stop: &Arc<AtomicBool>) {
        let mut review = Review {
            schema: SCHEMA.to_owned(),
            engine: format!("Vedette, {}", self.judge),
            limits: self.limits.to_string(),
            games: Vec::new(),
            broken,
        };
        let mut annotated = String::new();
        let ended = self.review_all(subjects, stop, &mut |work, subject, game| {
            annotated.push_str(&annotate(subject, &game, "Vedette").to_string());
            review.games.push(game);
            work.keep(&review, &annotated)
        });
        let total: usize = subjects.iter().map(positions).sum();
        let error = ended.err();
        self.tell(review.games.len(), subjects.len(), total, total, &Stage::Over(error));
    }

    /// Reviews game after game; `finished` gets each.
    fn review_all(
        &mut self,
        subjects: &[Subject],
        stop: &Arc<AtomicBool>,
        finished: &mut dyn FnMut(&Work, &Subject, GameReview) -> Result<(), String>,
    ) -> Result<(), String> {
        let words = |fault: Fault| match fault {
            Fault::Interrupted => "stopped".to_owned(),
            other => other.to_string(),
        };
        let chess960 = subjects.iter().any(Subject::is_chess960);
        let mut reviewer =
            Reviewer::new(&self.engine, self.limits, chess960, Arc::clone(stop)).map_err(words)?;
        let total: usize = subjects.iter().map(positions).sum();
        let mut done = 0;
        for (index, subject) in subjects.iter().enumerate() {
            let game = reviewer
                .review(
                    subject,
                    |_| None,
                    |_| {
                        done += 1;
                        self.tell(index + 1, subjects.len(), done, total, &Stage::Running);
                    },
                )
                .map_err(words)?;
            finished(self, subject, game)?;
        }
        Ok(())
    }

    fn keep(&self, review: &Review, annotated: &str) -> Result<(), String> {
        let json = serde_json::to_vec(review).map_err(|error| error.to_string())?;
        let pgn = self.store.write(Shelf::Reviews, &self.id, "pgn", annotated.as_bytes());
        pgn.and_then(|()| self.store.write(Shelf::Reviews, &self.id, "json", &json))
            .map_err(|error| format!("the review could not be saved: {error}"))
    }

    /// Tells how far it is; at the end, with what went wrong, if anything did.
    fn tell(&mut self, game: usize, games: usize, done: usize, total: usize, stage: &Stage) {
        let (over, error) = match stage {
            Stage::Running => (false, None),
            Stage::Over(error) => (true, error.as_deref()),
        };
        if !over && self.told.is_some_and(|told| told.elapsed() < REPORT_EVERY) {
            return;
        }
        self.told = Some(Instant::now());
        let state = json!({
            "id": self.id, "game": game, "games": games, "done": done, "total": total,
            "finished": over, "error": error,
        });
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = state.clone();
        self.hub.tell_all(&Event::new("review", state));
    }
}

/// Positions of a game, the first and the last included.
fn positions(subject: &Subject) -> usize {
    subject.moves.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_kept_and_can_be_opened() {
        let folder = std::env::temp_dir().join(format!("vedette-review-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let store = Arc::new(Store::open(folder.clone()).expect("a folder"));
        let options = [("Evaluation".to_owned(), "classical".to_owned())];
        let reviews = Reviews::new(&options, "classical evaluation", Arc::clone(&store), Arc::default());
        let pgn = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n".to_owned();
        let asked = ReviewStart { pgn, effort: Effort::Depth(4) };
        let id = reviews.start(&asked).expect("games")["id"].as_str().expect("a name").to_owned();
        while reviews.bench.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let opened = reviews.open(&Id::parse(&id).expect("a name")).expect("there");
        assert_eq!(
            (&opened["games"][0]["white"], &opened["games"][0]["result"]),
            (&json!("A"), &json!("0-1"))
        );
        assert_eq!(opened["broken"].as_array().map(Vec::len), Some(1), "the second game is impossible");
        let id = Id::parse(&id).expect("a name");
        let game = reviews.game(&id, 0).expect("there");
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(4));
        assert!(reviews.game(&id, 1).is_none());
        let pgn = store.read(Shelf::Reviews, &id, "pgn").expect("there");
        assert!(String::from_utf8_lossy(&pgn).contains("Qh4#"));
        assert_eq!(reviews.list()[0]["white"], "A");
        let nothing = ReviewStart { pgn: "hello".to_owned(), effort: Effort::Millis(1) };
        assert!(reviews.start(&nothing).is_err());
        std::fs::remove_dir_all(folder).expect("ours");
    }
}
