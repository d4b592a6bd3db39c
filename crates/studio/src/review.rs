//! Reviews of games for the page: the laboratory judges them, pages see how far it is, the store keeps the
//! annotated games and the data behind them. A review that was stopped, or whose studio was killed, can go on later.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::config::{EngineConfig, EngineKind};
use arena::game::EngineLimits;
use arena::players::PlayerError;
use review::{
    Broken, GameReview, Journal, JournalHeader, Opinion, Review, Reviewer, SCHEMA, Subject, annotate, read,
};
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
/// Reviews in a list.
const MOST_LISTED: usize = 100;
/// Time between two reports to the pages.
const REPORT_EVERY: Duration = Duration::from_millis(150);

/// The ending of the file with what a review was begun with, and of that with what was thought so far: they are there
/// until the review is done.
const ORDER: &str = "order";
const JOURNAL: &str = "journal";

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
            kind: EngineKind::InProcess,
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
        let games = games(&asked.pgn)?;
        let id = self.store.new_id();
        let order = serde_json::to_vec(asked).map_err(|error| error.to_string())?;
        self.store.write(Shelf::Reviews, &id, ORDER, &order).map_err(|error| error.to_string())?;
        let begun = self.begin(&id, asked, games);
        if begun.is_err() {
            // What never began need not be gone on with, and if the file stays it does no harm.
            let _ = self.store.remove(Shelf::Reviews, &id);
        }
        begun
    }

    /// Goes on with a review that was stopped or interrupted, and tells its name.
    ///
    /// # Errors
    /// There is nothing to go on with, or something else is being reviewed.
    pub fn resume(&self, id: &Id) -> Result<Value, String> {
        let asked = self.order(id).ok_or("nothing to resume: the review is finished or was deleted")?;
        self.begin(id, &asked, games(&asked.pgn)?)
    }

    fn order(&self, id: &Id) -> Option<ReviewStart> {
        serde_json::from_slice(&self.store.read(Shelf::Reviews, id, ORDER).ok()?).ok()
    }

    fn begin(
        &self,
        id: &Id,
        asked: &ReviewStart,
        (subjects, broken): (Vec<Subject>, Vec<Broken>),
    ) -> Result<Value, String> {
        let limits = match asked.effort {
            Effort::Depth(depth) => {
                EngineLimits { depth: Some(depth.clamp(1, MAX_DEPTH)), ..EngineLimits::default() }
            }
            Effort::Millis(millis) => {
                let time = Duration::from_millis(millis.max(1)).min(LONGEST);
                EngineLimits { move_time: Some(time), margin: LONGEST, ..EngineLimits::default() }
            }
        };
        let work = Work {
            id: id.clone(),
            engine: self.engine.clone(),
            judge: self.judge.clone(),
            header: JournalHeader::new(&self.judge, &limits.to_string(), &asked.pgn),
            limits,
            store: Arc::clone(&self.store),
            hub: Arc::clone(&self.hub),
            latest: Arc::clone(&self.latest),
            told: None,
        };
        self.bench.start("review", move |stop| work.run(&subjects, broken, stop))?;
        Ok(json!({"id": id}))
    }

    /// Stops the review; what was thought is kept.
    pub fn stop(&self) {
        self.bench.stop();
    }

    /// Forgets a review.
    ///
    /// # Errors
    /// It is being made, or its files cannot be removed.
    pub fn remove(&self, id: &Id) -> Result<(), String> {
        if self.is_made(id) {
            return Err("this review is running: stop it first".to_owned());
        }
        self.store.remove(Shelf::Reviews, id).map_err(|error| error.to_string())
    }

    fn is_made(&self, id: &Id) -> bool {
        self.current()["id"] == id.to_string().as_str()
    }

    /// All reviews, the newest first; those that are not done are told apart.
    pub fn list(&self) -> Value {
        let summary = |id: &Id| {
            let resumable = !self.is_made(id) && self.store.path(Shelf::Reviews, id, ORDER).exists();
            let Some(review) = self.read(id).filter(|review| !review.games.is_empty()) else {
                return if resumable { self.interrupted(id) } else { None };
            };
            let first = review.games.first()?;
            Some(json!({
                "id": id, "games": review.games.len(), "white": first.tag("White"),
                "black": first.tag("Black"), "result": first.result, "accuracy": first.accuracy,
                "limits": review.limits, "resumable": resumable,
            }))
        };
        let mut ids = self.store.list(Shelf::Reviews, "json");
        ids.extend(self.store.list(Shelf::Reviews, ORDER));
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.dedup();
        ids.iter().take(MOST_LISTED).filter_map(summary).collect()
    }

    /// A review of which no game is done.
    fn interrupted(&self, id: &Id) -> Option<Value> {
        let (subjects, _) = games(&self.order(id)?.pgn).ok()?;
        let tag = |name: &str| subjects[0].pgn.tag(name).unwrap_or("?").to_owned();
        Some(json!({
            "id": id, "games": 0, "white": tag("White"), "black": tag("Black"),
            "result": subjects[0].pgn.result.to_string(), "accuracy": {"white": null, "black": null},
            "limits": "", "resumable": true,
        }))
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

/// The games of a text, and what is broken in it.
fn games(pgn: &str) -> Result<(Vec<Subject>, Vec<Broken>), String> {
    let (subjects, broken) = read(pgn);
    if subjects.is_empty() {
        return Err(broken.first().map_or("no game found in the PGN".to_owned(), |broken| {
            format!("no valid game found: line {}: {}", broken.line, broken.what)
        }));
    }
    if subjects.len() > MOST_GAMES {
        return Err(format!(
            "too many games: {}, at most {MOST_GAMES}; use \"vedette analyse\" for more",
            subjects.len()
        ));
    }
    Ok((subjects, broken))
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
    header: JournalHeader,
    limits: EngineLimits,
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
        if error.is_none() {
            self.done();
        }
        self.tell(review.games.len(), subjects.len(), total, total, &Stage::Over(error));
    }

    /// Reviews game after game; `finished` gets each.
    fn review_all(
        &mut self,
        subjects: &[Subject],
        stop: &Arc<AtomicBool>,
        finished: &mut dyn FnMut(&Work, &Subject, GameReview) -> Result<(), String>,
    ) -> Result<(), String> {
        let words = |fault: PlayerError| match fault {
            PlayerError::Interrupted => "stopped".to_owned(),
            other => other.to_string(),
        };
        let chess960 = subjects.iter().any(Subject::is_chess960);
        let mut reviewer =
            Reviewer::new(&self.engine, self.limits, chess960, Arc::clone(stop)).map_err(words)?;
        let path = self.store.path(Shelf::Reviews, &self.id, JOURNAL);
        let mut journal = Journal::open(&path, &self.header).map_err(|error| error.to_string())?;
        let total: usize = subjects.iter().map(positions).sum();
        let mut done = 0;
        for (index, subject) in subjects.iter().enumerate() {
            let known: Vec<Option<Opinion>> =
                (0..positions(subject)).map(|ply| journal.get(subject.number, ply).cloned()).collect();
            let mut failure = None;
            let game = reviewer
                .review(
                    subject,
                    |ply| known[ply].clone(),
                    |progress| {
                        if !progress.remembered
                            && let Err(error) = journal.add(subject.number, progress.ply, progress.opinion)
                        {
                            failure.get_or_insert(error);
                        }
                        done += 1;
                        self.tell(index + 1, subjects.len(), done, total, &Stage::Running);
                    },
                )
                .map_err(words)?;
            if let Some(error) = failure {
                return Err(error.to_string());
            }
            finished(self, subject, game)?;
        }
        Ok(())
    }

    /// Nothing is left to go on with.
    fn done(&self) {
        for ending in [ORDER, JOURNAL] {
            // A file that stays offers to do again what is done; nothing is lost by it.
            let _ = std::fs::remove_file(self.store.path(Shelf::Reviews, &self.id, ending));
        }
    }

    fn keep(&self, review: &Review, annotated: &str) -> Result<(), String> {
        let json = serde_json::to_vec(review).map_err(|error| error.to_string())?;
        let pgn = self.store.write(Shelf::Reviews, &self.id, "pgn", annotated.as_bytes());
        pgn.and_then(|()| self.store.write(Shelf::Reviews, &self.id, "json", &json))
            .map_err(|error| format!("could not save the review: {error}"))
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
    use tempfile::{TempDir, tempdir};

    fn reviews(folder: &TempDir) -> Reviews {
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        let options = [("Evaluation".to_owned(), "classical".to_owned())];
        Reviews::new(&options, "classical evaluation", store, Arc::default())
    }

    fn wait(reviews: &Reviews) {
        while reviews.bench.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_review_that_was_stopped_goes_on_with_what_was_thought() {
        let folder = tempdir().expect("a folder");
        let reviews = reviews(&folder);
        let pgn = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *".to_owned();
        let asked = ReviewStart { pgn, effort: Effort::Millis(100) };
        let begun = reviews.start(&asked).expect("a game");
        let id = Id::parse(begun["id"].as_str().expect("a name")).expect("a name");
        let journal = reviews.store.path(Shelf::Reviews, &id, JOURNAL);
        let lines = || std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
        while lines() < 3 {
            assert!(reviews.bench.is_busy(), "over too soon");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(reviews.remove(&id).is_err(), "not while it is made");
        reviews.stop();
        wait(&reviews);
        let before = std::fs::read_to_string(&journal).expect("kept");
        assert!(before.lines().count() < 10, "stopped in the middle");
        let listed = &reviews.list()[0];
        assert_eq!((&listed["white"], &listed["resumable"]), (&json!("A"), &json!(true)), "{listed}");
        // A score that nobody would find again: if it stands in the review, the opinion was not thought anew.
        let mut lines: Vec<Value> =
            before.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[1]["ply"], 0);
        lines[1]["opinion"]["score"] = json!({"cp": 777});
        let changed: Vec<String> = lines.iter().map(Value::to_string).collect();
        std::fs::write(&journal, changed.join("\n") + "\n").expect("writable");
        reviews.resume(&id).expect("something to go on with");
        wait(&reviews);
        let game = reviews.game(&id, 0).expect("done");
        assert_eq!((&game["score"], game["moves"].as_array().map(Vec::len)), (&json!({"cp": 777}), Some(8)));
        assert!(!journal.exists() && reviews.resume(&id).is_err());
        assert_eq!(reviews.list()[0]["resumable"], false);
        reviews.remove(&id).expect("removed");
    }

    #[test]
    fn a_review_is_kept_and_can_be_opened() {
        let folder = tempdir().expect("a folder");
        let reviews = reviews(&folder);
        let store = Arc::clone(&reviews.store);
        let pgn = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n".to_owned();
        let asked = ReviewStart { pgn, effort: Effort::Depth(4) };
        let id = reviews.start(&asked).expect("games")["id"].as_str().expect("a name").to_owned();
        wait(&reviews);
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
        assert_eq!(reviews.list().as_array().map(Vec::len), Some(1), "what never began is not listed");
    }
}
