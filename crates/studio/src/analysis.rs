//! Thinking about positions for a page: the newest request takes the engine, whoever made it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chess::{Color, Move};
use engine::evaluation::{Evaluation, Explanation};
use engine::{Engine, Event as Thought, Limits};
use serde_json::{Value, json};
use uci::{Bound, Info, Score};

use crate::hub::{Hub, Visitor};
use crate::protocol::{Analyse, Event};

/// Time between two reports: as often as eyes can follow.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Most lines at once.
pub const MAX_LINES: usize = 8;
/// Most mebibytes to remember with.
pub const MAX_HASH: usize = 4096;

/// The engine that thinks about positions.
pub struct Analyst {
    engine: Mutex<Engine>,
    owner: Mutex<Option<(Visitor, u64)>>,
    hub: Arc<Hub>,
}

impl Analyst {
    /// An engine that judges in this way.
    pub fn new(evaluation: Evaluation, hub: Arc<Hub>) -> Analyst {
        let engine = Mutex::new(Engine::with_evaluation(evaluation));
        Analyst { engine, owner: Mutex::new(None), hub }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn owner(&self) -> MutexGuard<'_, Option<(Visitor, u64)>> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to think. It blocks until the last search has ended, which is at once.
    ///
    /// # Errors
    /// The request makes no sense, or there is no memory for it.
    pub fn start(self: &Arc<Self>, visitor: Visitor, asked: &Analyse) -> Result<(), String> {
        let game = asked.line.game()?;
        let words = |error: engine::OptionError| error.to_string();
        let mut engine = self.engine();
        engine.stop();
        engine.wait();
        if let Some((before, run)) = self.owner().replace((visitor, asked.run))
            && before != visitor
        {
            let event = Event::new("analysis-taken", json!({"run": run}));
            self.hub.tell(before, event.text());
        }
        let threads = asked.threads.clamp(1, available_threads());
        let hash = asked.hash.clamp(1, MAX_HASH);
        if engine.options().threads != threads {
            engine.set_threads(threads).map_err(words)?;
        }
        if engine.options().hash_mb != hash {
            engine.set_hash(hash).map_err(words)?;
        }
        engine.set_multi_pv(asked.lines.clamp(1, MAX_LINES)).map_err(words)?;
        let limits = Limits { depth: asked.depth, infinite: asked.depth.is_none(), ..Limits::default() };
        let board = Arc::new(Mutex::new(Board::new(game.position().turn(), asked.run)));
        let shared = Arc::clone(&board);
        engine
            .go(&game, limits, move |thought| lock(&shared).hear(thought))
            .map_err(|busy| busy.to_string())?;
        tokio::spawn(report(board, Arc::clone(self), visitor));
        Ok(())
    }

    /// Stops thinking for this page.
    pub fn stop(&self, visitor: Visitor) {
        // The engine before its owner, as everywhere: else two requests could wait for each other.
        let engine = self.engine();
        let mut owner = self.owner();
        if owner.is_some_and(|(current, _)| current == visitor) {
            *owner = None;
            engine.stop();
            self.tell_free();
        }
    }

    /// A search has come to its end: the engine is free, unless somebody has asked for another one since.
    fn release(&self, visitor: Visitor, run: u64) {
        let mut owner = self.owner();
        if *owner == Some((visitor, run)) {
            *owner = None;
            self.tell_free();
        }
    }

    /// Pages from which the engine was taken may have it again.
    fn tell_free(&self) {
        self.hub.tell_all(&Event::new("analysis-free", json!({})));
    }

    /// What the evaluation says of a position, man by man or term by term.
    pub fn explain(&self, position: &chess::Position) -> Explanation {
        self.engine().evaluate(position)
    }
}

/// Threads that make sense here.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the page what the board shows, until the search ends or the page is gone.
async fn report(board: Arc<Mutex<Board>>, analyst: Arc<Analyst>, visitor: Visitor) {
    let hub = &analyst.hub;
    let mut ticks = tokio::time::interval(REPORT_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let (news, finished) = {
            let mut board = lock(&board);
            let finished = board.finished;
            let wait = hub.is_behind(visitor) && !finished;
            (if wait { None } else { board.news() }, finished)
        };
        if let Some(news) = news
            && !hub.tell(visitor, news.text())
        {
            return;
        }
        if finished {
            let run = lock(&board).run;
            return analyst.release(visitor, run);
        }
    }
}

/// The newest of every line.
struct Board {
    turn: Color,
    run: u64,
    lines: Vec<Option<Info<Move>>>,
    best: Option<chess::Move>,
    changed: bool,
    finished: bool,
}

impl Board {
    fn new(turn: Color, run: u64) -> Board {
        Board { turn, run, lines: Vec::new(), best: None, changed: false, finished: false }
    }

    fn hear(&mut self, thought: &Thought) {
        match thought {
            Thought::Info(line) => {
                // Without a rank it only says which move is being searched.
                let Some(rank) = line.multipv else { return };
                let place = (rank as usize).saturating_sub(1);
                // A bound only says that the line is being looked at again.
                let known = self.lines.get(place).is_some_and(Option::is_some);
                if line.bound != Bound::Exact && known {
                    return;
                }
                if self.lines.len() <= place {
                    self.lines.resize(place + 1, None);
                }
                self.lines[place] = Some(line.clone());
                self.changed = true;
            }
            Thought::BestMove(answer) => {
                self.best = answer.best;
                self.finished = true;
                self.changed = true;
            }
            Thought::Statistics(_) => {}
        }
    }

    fn news(&mut self) -> Option<Event> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let lines: Vec<Value> = self.lines.iter().flatten().map(|line| line_json(line, self.turn)).collect();
        let newest = self.lines.iter().flatten().max_by_key(|line| line.nodes);
        Some(Event::new(
            "analysis",
            json!({
                "run": self.run,
                "lines": lines,
                "nodes": newest.and_then(|line| line.nodes),
                "millis": newest.and_then(|line| line.time).map(|time| time.as_millis() as u64),
                "hashfull": newest.and_then(|line| line.hashfull),
                "best": self.best.map(|mv| mv.uci(true).to_string()),
                "finished": self.finished,
            }),
        ))
    }
}

/// A line from White's view. Castling is written as king takes rook, which has one meaning in every variant.
fn line_json(line: &Info<Move>, turn: Color) -> Value {
    let white = turn == Color::White;
    let wdl = line.wdl.map(|wdl| if white { wdl } else { -wdl });
    let mut value = json!({
        "depth": line.depth,
        "selective": line.seldepth,
        "wdl": wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]),
        "pv": line.pv.iter().map(|mv| mv.uci(true).to_string()).collect::<Vec<_>>(),
    });
    match line.score.map(|score| if white { score } else { -score }) {
        Some(Score::Centipawns(centipawns)) => value["cp"] = centipawns.into(),
        Some(Score::Mate(moves)) => value["mate"] = moves.into(),
        None => {}
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(score: Score, rank: u32) -> Info<Move> {
        Info {
            depth: Some(9),
            seldepth: Some(12),
            multipv: Some(rank),
            score: Some(score),
            wdl: Some(uci::Wdl { win: 500, draw: 400, loss: 100 }),
            nodes: Some(1000),
            time: Some(Duration::from_millis(20)),
            hashfull: Some(1),
            ..Info::default()
        }
    }

    #[test]
    fn the_page_sees_everything_from_whites_side() {
        let json = line_json(&line(Score::Centipawns(80), 1), Color::Black);
        assert_eq!(json["cp"], -80);
        assert!(json["wdl"][2].as_u64() > json["wdl"][0].as_u64());
        let json = line_json(&line(Score::Mate(-2), 1), Color::Black);
        assert_eq!(json["mate"], 2);
        assert_eq!(line_json(&line(Score::Centipawns(80), 1), Color::White)["cp"], 80);
    }

    #[test]
    fn news_come_once_and_a_bound_does_not_hide_a_line() {
        let mut board = Board::new(Color::White, 5);
        assert_eq!(board.news(), None);
        board.hear(&Thought::Info(line(Score::Centipawns(10), 2)));
        board.hear(&Thought::Info(line(Score::Centipawns(30), 1)));
        let bound = Info { bound: Bound::Lower, ..line(Score::Centipawns(99), 1) };
        board.hear(&Thought::Info(bound));
        let text = board.news().expect("news").text().to_string();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&value["lines"][0]["cp"], &value["lines"][1]["cp"]), (&json!(30), &json!(10)));
        assert_eq!((&value["event"], &value["run"]), (&json!("analysis"), &json!(5)));
        assert_eq!(board.news(), None);
    }
}
