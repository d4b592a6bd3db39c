//! Game reviews for the page; the store keeps the annotated games and the data behind them. A review that was stopped
//! or interrupted can be resumed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::config::{EngineConfig, EngineKind};
use arena::game::EngineLimits;
use arena::players::PlayerError;
use review::{
    Broken, GameReview, Journal, JournalHeader, PositionAnalysis, Review, Reviewer, SCHEMA, SourceGame,
    annotate, read,
};
use support::sync::lock;

use crate::clients::Clients;
use crate::engines::Engines;
use crate::error::{INTERNAL, RequestError};
use crate::job::{JobSlot, RunningJob};
use crate::protocol::{
    BothSides, Event, Pairing, PgnWarning, Reply, ReviewDetails, ReviewLimit, ReviewProgress, ReviewRequest,
    ReviewStart, ReviewSummary,
};
use crate::review_totals::totals;
use crate::store::{Collection, Id, Store};

/// Games in one review.
const MAX_GAMES: usize = 1000;
const MAX_DEPTH: u32 = 40;
/// The longest search of a position.
const MAX_TIME: Duration = Duration::from_mins(2);
const MAX_LISTED: usize = 100;
/// Time between two progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(150);

/// Files that exist until a review is finished: its request, and its results so far.
const ORDER: &str = "order";
const JOURNAL: &str = "journal";

pub struct Reviews {
    engine: EngineConfig,
    evaluation: String,
    engines: Arc<Engines>,
    store: Arc<Store>,
    clients: Arc<Clients>,
    slot: JobSlot<ReviewProgress>,
    /// Held while a review is being started.
    starting: Mutex<()>,
}

impl Reviews {
    /// `options` are the UCI options of Vedette's engine, `evaluation` names its evaluation.
    pub fn new(
        options: &[(String, String)],
        evaluation: &str,
        engines: Arc<Engines>,
        store: Arc<Store>,
        clients: Arc<Clients>,
    ) -> Reviews {
        let engine = EngineConfig {
            kind: EngineKind::InProcess,
            name: "Vedette".to_owned(),
            options: options.to_vec(),
            ..EngineConfig::default()
        };
        let evaluation = evaluation.to_owned();
        Reviews {
            engine,
            evaluation,
            engines,
            store,
            clients,
            slot: JobSlot::default(),
            starting: Mutex::default(),
        }
    }

    pub fn handle(&self, request: ReviewRequest) -> Result<Reply, RequestError> {
        match request {
            ReviewRequest::Start(start) => self.start(&start).map(Reply::Started),
            ReviewRequest::Resume { id } => self.resume(id).map(Reply::Started),
            ReviewRequest::Stop => {
                self.stop();
                Ok(Reply::Done)
            }
            ReviewRequest::List => Ok(Reply::Reviews(self.list())),
            ReviewRequest::Open { id } => self.open(id).map(Reply::Review),
            ReviewRequest::Game { id, index } => {
                let game = self.game(&id, index).ok_or(RequestError::NotFound)?;
                Ok(Reply::ReviewedGame(Box::new(game.into())))
            }
            ReviewRequest::Totals { id } => {
                let review = self.read(&id).ok_or(RequestError::NotFound)?;
                Ok(Reply::Totals(totals(&review.games)))
            }
            ReviewRequest::Pgn { id } => {
                let bytes = self.store.read(Collection::Reviews, &id, "pgn")?;
                Ok(Reply::Pgn(String::from_utf8_lossy(&bytes).into_owned()))
            }
            ReviewRequest::Remove { id } => {
                self.remove(&id)?;
                Ok(Reply::Done)
            }
        }
    }

    pub fn progress(&self) -> Option<ReviewProgress> {
        self.slot.progress()
    }

    fn start(&self, start: &ReviewStart) -> Result<Id, RequestError> {
        // Parsed games take many times the memory of their text: one file at a time, and only if the slot is free.
        let _one_at_a_time = lock(&self.starting);
        self.slot.check_free("review")?;
        let games = games(&start.pgn)?;
        let id = self.store.new_id();
        let order = serde_json::to_vec(start).map_err(|error| error.to_string())?;
        self.store.write(Collection::Reviews, &id, ORDER, &order)?;
        let begun = self.begin(&id, start, games);
        if begun.is_err() {
            // A review that never started needs no resuming, and if the file stays it does no harm.
            let _ = self.store.remove(Collection::Reviews, &id);
        }
        begun.map(|()| id)
    }

    fn resume(&self, id: Id) -> Result<Id, RequestError> {
        let _one_at_a_time = lock(&self.starting);
        self.slot.check_free("review")?;
        let start = self.order(&id).ok_or("nothing to resume: the review is finished or was deleted")?;
        self.begin(&id, &start, games(&start.pgn)?)?;
        Ok(id)
    }

    fn order(&self, id: &Id) -> Option<ReviewStart> {
        serde_json::from_slice(&self.store.read(Collection::Reviews, id, ORDER).ok()?).ok()
    }

    fn begin(
        &self,
        id: &Id,
        start: &ReviewStart,
        (subjects, broken): (Vec<SourceGame>, Vec<Broken>),
    ) -> Result<(), RequestError> {
        let limits = match start.limit {
            ReviewLimit::Depth(depth) => {
                EngineLimits { depth: Some(depth.clamp(1, MAX_DEPTH)), ..EngineLimits::default() }
            }
            ReviewLimit::Millis(millis) => {
                let time = Duration::from_millis(millis.max(1)).min(MAX_TIME);
                EngineLimits { move_time: Some(time), margin: MAX_TIME, ..EngineLimits::default() }
            }
        };
        let (engine, described) = match &start.engine {
            None => (self.engine.clone(), format!("Vedette, {}", self.evaluation)),
            Some(name) => (self.engines.get(name)?.config(), name.clone()),
        };
        // The journal of Vedette has the evaluation only, as before there were other engines.
        let analysed_by = if start.engine.is_none() { &self.evaluation } else { &described };
        let run = ReviewRun {
            id: id.clone(),
            header: JournalHeader::new(&format!("{analysed_by}, explained"), &limits.to_string(), &start.pgn),
            engine,
            described,
            limits,
            store: Arc::clone(&self.store),
            clients: Arc::clone(&self.clients),
            reported: None,
        };
        let total = subjects.iter().map(positions).sum();
        let start = run.progress(Position { game: 0, games: subjects.len(), done: 0, total });
        let clients = Arc::clone(&self.clients);
        let failed = move |last: Option<ReviewProgress>| {
            let error = Some(INTERNAL.to_owned());
            clients.broadcast(Event::Review(ReviewProgress {
                finished: true,
                error,
                ..last.unwrap_or(start)
            }));
        };
        self.slot.start("review", id, move |job| run.run(&subjects, broken, job), failed)
    }

    /// Stops the review; its results so far are kept.
    pub fn stop(&self) {
        self.slot.stop();
    }

    fn remove(&self, id: &Id) -> Result<(), RequestError> {
        if self.slot.is_running(id) {
            return Err("this review is running: stop it first".into());
        }
        Ok(self.store.remove(Collection::Reviews, id)?)
    }

    /// All reviews, the newest first, including unfinished ones.
    fn list(&self) -> Vec<ReviewSummary> {
        // One that is being started has its request, but does not run yet: it would look interrupted.
        let _starting = lock(&self.starting);
        let summary = |id: &Id| {
            let resumable =
                !self.slot.is_running(id) && self.store.path(Collection::Reviews, id, ORDER).exists();
            let Some(review) = self.read(id).filter(|review| !review.games.is_empty()) else {
                return if resumable { self.unfinished(id) } else { None };
            };
            let first = review.games.first()?;
            Some(ReviewSummary {
                id: id.clone(),
                games: review.games.len(),
                white: first.tag("White").to_owned(),
                black: first.tag("Black").to_owned(),
                result: first.result.clone(),
                accuracy: first.accuracy.into(),
                limits: review.limits,
                resumable,
            })
        };
        let mut ids = self.store.list(Collection::Reviews, "json");
        ids.extend(self.store.list(Collection::Reviews, ORDER));
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.dedup();
        ids.iter().take(MAX_LISTED).filter_map(summary).collect()
    }

    /// A review of which no game is finished.
    fn unfinished(&self, id: &Id) -> Option<ReviewSummary> {
        let (subjects, _) = games(&self.order(id)?.pgn).ok()?;
        let pgn = &subjects[0].pgn;
        let tag = |name: &str| pgn.tag(name).unwrap_or("?").to_owned();
        Some(ReviewSummary {
            id: id.clone(),
            games: 0,
            white: tag("White"),
            black: tag("Black"),
            result: pgn.result.to_string(),
            accuracy: BothSides { white: None, black: None },
            limits: String::new(),
            resumable: true,
        })
    }

    fn open(&self, id: Id) -> Result<ReviewDetails, RequestError> {
        let review = self.read(&id).ok_or(RequestError::NotFound)?;
        let pairing = |game: &GameReview| Pairing {
            white: game.tag("White").to_owned(),
            black: game.tag("Black").to_owned(),
            result: game.result.clone(),
        };
        Ok(ReviewDetails {
            id,
            games: review.games.iter().map(pairing).collect(),
            engine: review.engine,
            limits: review.limits,
            broken: review.broken.into_iter().map(PgnWarning::from).collect(),
        })
    }

    fn game(&self, id: &Id, index: usize) -> Option<GameReview> {
        let mut games = self.read(id)?.games;
        (index < games.len()).then(|| games.swap_remove(index))
    }

    fn read(&self, id: &Id) -> Option<Review> {
        serde_json::from_slice(&self.store.read(Collection::Reviews, id, "json").ok()?).ok()
    }
}

/// The games of a PGN, and what is broken in it.
fn games(pgn: &str) -> Result<(Vec<SourceGame>, Vec<Broken>), RequestError> {
    let (subjects, broken) = read(pgn);
    if subjects.is_empty() {
        let error = broken.first().map_or("no game found in the PGN".to_owned(), |broken| {
            format!("no valid game found: line {}: {}", broken.line, broken.what)
        });
        return Err(error.into());
    }
    if subjects.len() > MAX_GAMES {
        let games = subjects.len();
        return Err(format!(
            "too many games: {games}, at most {MAX_GAMES}; use \"vedette analyse\" for more"
        )
        .into());
    }
    Ok((subjects, broken))
}

struct ReviewRun {
    id: Id,
    engine: EngineConfig,
    /// The engine and its evaluation.
    described: String,
    header: JournalHeader,
    limits: EngineLimits,
    store: Arc<Store>,
    clients: Arc<Clients>,
    reported: Option<Instant>,
}

/// How far a review is.
#[derive(Clone, Copy)]
struct Position {
    game: usize,
    games: usize,
    done: usize,
    total: usize,
}

impl ReviewRun {
    fn run(mut self, subjects: &[SourceGame], broken: Vec<Broken>, job: &RunningJob<ReviewProgress>) {
        let mut review = Review {
            schema: SCHEMA.to_owned(),
            engine: self.described.clone(),
            limits: self.limits.to_string(),
            games: Vec::new(),
            broken,
        };
        let mut annotated = String::new();
        let ended = self.review_all(subjects, job, &mut |run, subject, game| {
            annotated.push_str(&annotate(subject, &game, &run.engine.name).to_string());
            review.games.push(game);
            run.save(&review, &annotated)
        });
        let total: usize = subjects.iter().map(positions).sum();
        let error = ended.err();
        if error.is_none() {
            self.remove_resume_files();
        }
        let end = Position { game: review.games.len(), games: subjects.len(), done: total, total };
        job.free();
        self.report(job, ReviewProgress { finished: true, error, ..self.progress(end) });
    }

    /// Reviews game after game; `finished` gets each.
    fn review_all(
        &mut self,
        subjects: &[SourceGame],
        job: &RunningJob<ReviewProgress>,
        finished: &mut dyn FnMut(&ReviewRun, &SourceGame, GameReview) -> Result<(), String>,
    ) -> Result<(), String> {
        let text = |fault: PlayerError| match fault {
            PlayerError::Interrupted => "stopped".to_owned(),
            other => other.to_string(),
        };
        let chess960 = subjects.iter().any(SourceGame::is_chess960);
        let reviewer =
            Reviewer::new(&self.engine, self.limits, chess960, Arc::clone(&job.stop)).map_err(text)?;
        let mut reviewer = reviewer.with_explanations();
        let path = self.store.path(Collection::Reviews, &self.id, JOURNAL);
        let mut journal = Journal::open(&path, &self.header).map_err(|error| error.to_string())?;
        let total: usize = subjects.iter().map(positions).sum();
        let mut done = 0;
        for (index, subject) in subjects.iter().enumerate() {
            let known: Vec<Option<PositionAnalysis>> =
                (0..positions(subject)).map(|ply| journal.get(subject.number, ply).cloned()).collect();
            let mut failure = None;
            let game = reviewer
                .review(
                    subject,
                    |ply| known[ply].clone(),
                    |progress| {
                        if !progress.remembered
                            && let Err(error) = journal.add(subject.number, progress.ply, progress.analysis)
                        {
                            failure.get_or_insert(error);
                        }
                        done += 1;
                        self.report_at_times(
                            job,
                            Position { game: index + 1, games: subjects.len(), done, total },
                        );
                    },
                )
                .map_err(text)?;
            if let Some(error) = failure {
                return Err(error.to_string());
            }
            finished(self, subject, game)?;
        }
        Ok(())
    }

    /// A finished review needs no resuming.
    fn remove_resume_files(&self) {
        for ending in [ORDER, JOURNAL] {
            // If a file stays, the review can be resumed needlessly; nothing is lost.
            let _ = support::files::remove_file(&self.store.path(Collection::Reviews, &self.id, ending));
        }
    }

    fn save(&self, review: &Review, annotated: &str) -> Result<(), String> {
        let json = serde_json::to_vec(review).map_err(|error| error.to_string())?;
        let pgn = self.store.write(Collection::Reviews, &self.id, "pgn", annotated.as_bytes());
        pgn.and_then(|()| self.store.write(Collection::Reviews, &self.id, "json", &json))
            .map_err(|error| format!("could not save the review: {error}"))
    }

    fn progress(&self, Position { game, games, done, total }: Position) -> ReviewProgress {
        ReviewProgress { id: self.id.clone(), game, games, done, total, finished: false, error: None }
    }

    fn report_at_times(&mut self, job: &RunningJob<ReviewProgress>, position: Position) {
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORT_EVERY) {
            self.reported = Some(Instant::now());
            self.report(job, self.progress(position));
        }
    }

    fn report(&self, job: &RunningJob<ReviewProgress>, progress: ReviewProgress) {
        job.publish(progress.clone());
        self.clients.broadcast(Event::Review(progress));
    }
}

/// Positions of a game, including the first and the last.
fn positions(subject: &SourceGame) -> usize {
    subject.moves.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use crate::protocol::Score;
    use serde_json::{Value, json};
    use support::files::faults::{Survival, every_crash};
    use tempfile::{TempDir, tempdir};

    fn reviews(folder: &TempDir) -> Reviews {
        reviews_of(Store::open(folder.path().to_owned()).expect("a folder"))
    }

    fn reviews_of(store: Store) -> Reviews {
        let store = Arc::new(store);
        let options = [("Evaluation".to_owned(), "classical".to_owned())];
        let engines = Engines::new(Vec::new(), store.folder().to_owned(), Vec::new());
        Reviews::new(&options, "classical evaluation", Arc::new(engines), store, Arc::default())
    }

    fn wait(reviews: &Reviews) {
        while reviews.slot.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn stopped_review_resumes_with_its_results() {
        let folder = tempdir().expect("a folder");
        let reviews = reviews(&folder);
        let pgn = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *".to_owned();
        let start = ReviewStart { pgn, engine: None, limit: ReviewLimit::Millis(100) };
        let id = reviews.start(&start).expect("a game");
        assert!(!reviews.list().iter().any(|review| review.resumable), "it is running");
        let journal = reviews.store.path(Collection::Reviews, &id, JOURNAL);
        let lines = || std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
        while lines() < 3 {
            assert!(reviews.slot.is_busy(), "over too soon");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(reviews.remove(&id).is_err(), "not while it is running");
        let unread = reviews.start(&ReviewStart { pgn: "no PGN".to_owned(), ..start }).expect_err("busy");
        assert!(unread.to_string().contains("already running"), "refused before it is parsed: {unread}");
        reviews.stop();
        wait(&reviews);
        let before = std::fs::read_to_string(&journal).expect("kept");
        assert!(before.lines().count() < 10, "stopped in the middle");
        let listed = &reviews.list()[0];
        assert_eq!((listed.white.as_str(), listed.resumable), ("A", true), "{listed:?}");
        // A score that no search would find: if the review has it, the position was not searched again.
        let mut lines: Vec<Value> =
            before.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[1]["ply"], 0);
        lines[1]["opinion"]["score"] = json!({"cp": 777});
        let changed: Vec<String> = lines.iter().map(Value::to_string).collect();
        std::fs::write(&journal, changed.join("\n") + "\n").expect("writable");
        reviews.resume(id.clone()).expect("something to resume");
        wait(&reviews);
        let game = reviews.game(&id, 0).expect("finished");
        assert_eq!((game.score.map(Score::from), game.moves.len()), (Some(Score::Cp(777)), 8));
        assert!(!journal.exists() && reviews.resume(id.clone()).is_err());
        assert!(!reviews.list()[0].resumable);
        reviews.remove(&id).expect("removed");
    }

    /// Reviews a short game to the end, from the start or from where it was interrupted.
    fn review(folder: &Path) -> Result<(), String> {
        let reviews = reviews_of(Store::open(folder.join("data")).map_err(|error| error.to_string())?);
        let start =
            ReviewStart { pgn: "1. e4 e5 2. Nf3 *".to_owned(), engine: None, limit: ReviewLimit::Depth(1) };
        match &reviews.list()[..] {
            [] => _ = reviews.start(&start).map_err(|error| error.to_string())?,
            [known] if known.resumable => {
                _ = reviews.resume(known.id.clone()).map_err(|error| error.to_string())?;
            }
            finished => assert_eq!(finished.len(), 1),
        }
        wait(&reviews);
        match &reviews.list()[..] {
            [known] if !known.resumable => {
                assert_eq!(reviews.game(&known.id, 0).expect("finished").moves.len(), 3);
                Ok(())
            }
            listed => Err(format!("{listed:?}")),
        }
    }

    fn crashes(survivals: &[Survival]) -> usize {
        let root = tempdir().expect("a folder");
        let count = every_crash(
            root.path(),
            survivals,
            |_| (),
            review,
            |folder, point| review(folder).unwrap_or_else(|error| panic!("{point}: {error}")),
        );
        println!("studio, reviews: {count} crashes");
        count
    }

    #[test]
    fn crash_costs_no_review() {
        assert!(crashes(&[Survival::SYNCED]) > 20);
    }

    #[test]
    #[ignore = "hundreds of reviews"]
    fn every_crash_costs_no_review() {
        crashes(&Survival::ALL);
    }

    #[test]
    fn finished_review_can_be_opened() {
        let folder = tempdir().expect("a folder");
        let reviews = reviews(&folder);
        let store = Arc::clone(&reviews.store);
        let pgn = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n".to_owned();
        let start = ReviewStart { pgn, engine: None, limit: ReviewLimit::Depth(4) };
        let id = reviews.start(&start).expect("games");
        wait(&reviews);
        let opened = reviews.open(id.clone()).expect("there");
        assert_eq!((opened.games[0].white.as_str(), opened.games[0].result.as_str()), ("A", "0-1"));
        assert_eq!(opened.broken.len(), 1, "the second game is illegal");
        assert_eq!(reviews.game(&id, 0).expect("there").moves.len(), 4);
        assert!(reviews.game(&id, 1).is_none());
        let pgn = store.read(Collection::Reviews, &id, "pgn").expect("there");
        assert!(String::from_utf8_lossy(&pgn).contains("Qh4#"));
        assert_eq!(reviews.list()[0].white, "A");
        let nothing = ReviewStart { pgn: "hello".to_owned(), engine: None, limit: ReviewLimit::Millis(1) };
        assert!(reviews.start(&nothing).is_err());
        assert_eq!(reviews.list().len(), 1, "a review that never started is not listed");
    }
}
