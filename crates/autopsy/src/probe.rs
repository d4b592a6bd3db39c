//! Asks the engine again: one process for each question, supervised, with all that can go wrong as a result.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::EngineConfig;
use arena::game::game_command;
use chess::{Game, Move};
use serde::{Deserialize, Serialize};
use uci::client::{Client, ClientError, Direction};
use uci::{Bound, EngineLine, Info, InfoLog, Score};

use crate::limit::Limit;

/// How long an engine may take to start, and to answer `isready` or `stop`. A busy machine is not the engine's fault,
/// and each question starts a process.
const PATIENCE: Duration = Duration::from_mins(2);

/// A question to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// After all its searches of the game, in one process.
    Replayed,
    /// The same, after the games before in the same process.
    AfterPreviousGames,
    /// In a fresh process.
    Fresh,
    /// In a fresh process, with `factor` times the time.
    MoreTime,
    /// In a fresh process, only the better move.
    Better,
    /// In a fresh process, only the move that it chose.
    Chosen,
    /// In a fresh process, with the most time, at the end of the line that refutes the move of the game.
    EndOfLine,
}

impl Question {
    /// For people.
    pub const fn text(self) -> &'static str {
        match self {
            Question::Replayed => "after the searches of the game",
            Question::AfterPreviousGames => "after the games before, in the same process",
            Question::Fresh => "fresh process",
            Question::MoreTime => "more time",
            Question::Better => "only the better move",
            Question::Chosen => "only the chosen move",
            Question::EndOfLine => "end of the refutation",
        }
    }
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    pub question: Question,
    /// Of time, nodes or depth; 1 where the limit is that of the game.
    pub factor: u32,
    /// The `go` command.
    pub go: String,
    /// The move in SAN; none after a fault.
    pub answer: Option<String>,
    /// Of the engine, for the side to move.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    pub seconds: f64,
    /// The winning chances after the answer, in percent, according to the reference.
    pub chance: Option<f64>,
    /// Whether the answer does not lose what the move of the game lost.
    pub found: Option<bool>,
    /// The moves after the deciding position, in SAN, where the question is about what they lead to.
    #[serde(default)]
    pub line: Vec<String>,
    /// What was done instead of what was asked for, or what is unusual.
    pub note: Option<String>,
    /// A crash, a hang or an illegal move.
    pub fault: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineProbeError {
    /// The run is being stopped.
    Interrupted,
    /// The engine crashed, hung, or sent an illegal move.
    Fault(String),
}

impl fmt::Display for EngineProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Fault(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for EngineProbeError {}

/// What the engine sent between `go` and `bestmove`.
#[derive(Clone, Debug)]
pub struct ProbeReply {
    pub mv: Move,
    /// The last line with a score.
    pub info: Info,
    pub lines: Vec<Info>,
    pub elapsed: Duration,
    /// It had to be stopped.
    pub stopped: bool,
}

impl ProbeReply {
    /// The depth of the last complete iteration.
    pub fn depth(&self) -> u32 {
        self.info.depth.unwrap_or(0)
    }

    pub fn nodes(&self) -> u64 {
        self.lines.iter().filter_map(|info| info.nodes).max().unwrap_or(0)
    }

    /// The last exact score of the deepest iteration up to `depth`, and its depth.
    pub fn score_at(&self, depth: u32) -> Option<(Score, u32)> {
        let fits = |info: &&Info| {
            info.bound == Bound::Exact
                && info.score.is_some()
                && info.multipv.is_none_or(|rank| rank == 1)
                && info.depth.is_some_and(|reached| reached <= depth)
        };
        let deepest = self.lines.iter().filter(fits).max_by_key(|info| info.depth)?;
        Some((deepest.score?, deepest.depth?))
    }
}

/// Starts the engine under test.
#[derive(Clone, Debug)]
pub struct EngineProber {
    pub engine: EngineConfig,
    pub chess960: bool,
    /// For a search without a time limit, and beyond the limit of one with.
    pub timeout: Duration,
    /// Set to stop.
    pub stop: Arc<AtomicBool>,
}

impl EngineProber {
    /// A fresh process, ready for a game.
    ///
    /// # Errors
    /// It does not start or does not answer.
    pub fn start(&self) -> Result<ProbedEngine<'_>, EngineProbeError> {
        let mut client = Client::start(&self.engine.launch()).map_err(|error| fault_of(&error, None))?;
        client.interrupt_by(Arc::clone(&self.stop));
        client.limit_writes(PATIENCE);
        let mut open = || {
            client.handshake(PATIENCE)?;
            for (name, value) in &self.engine.options {
                client.set_option(name, value)?;
            }
            if self.chess960 {
                client.set_option("UCI_Chess960", "true")?;
            }
            client.ready(PATIENCE)
        };
        if let Err(error) = open() {
            return Err(fault_of(&error, Some(&client)));
        }
        Ok(ProbedEngine { prober: self, client })
    }
}

/// A running engine.
#[derive(Debug)]
pub struct ProbedEngine<'a> {
    prober: &'a EngineProber,
    client: Client,
}

impl ProbedEngine<'_> {
    /// The name that the engine reports; empty if it reports none.
    pub fn name(&self) -> &str {
        &self.client.identity().name
    }

    /// # Errors
    /// The engine crashed or hung.
    pub fn new_game(&mut self) -> Result<(), EngineProbeError> {
        self.with_client(|client| {
            client.send("ucinewgame")?;
            client.ready(PATIENCE)
        })?;
        Ok(())
    }

    /// Searches the last position of a game, or only one move of it.
    ///
    /// # Errors
    /// The engine crashed, hung or sent an illegal move.
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        only: Option<Move>,
    ) -> Result<ProbeReply, EngineProbeError> {
        let chess960 = self.prober.chess960;
        let turn = game.position().turn();
        let mut go = limit.go(turn);
        if let Some(mv) = only {
            go.push_str(" searchmoves ");
            go.push_str(&mv.uci(chess960).to_string());
        }
        let (cap, position) = (limit.cap(turn, self.prober.timeout), game_command(game, chess960));
        let mut log = InfoLog::default();
        let mut stopped = false;
        let started = Instant::now();
        let answered = self.with_client(|client| {
            client.ready(PATIENCE)?;
            match client.search(&position, &go, cap, |info| log.push(info.clone())) {
                Ok(outcome) => Ok((outcome.best.best, outcome.elapsed)),
                Err(ClientError::Timeout { .. }) => {
                    stopped = true;
                    let best = stop(client, &mut log)?;
                    Ok((best, started.elapsed()))
                }
                Err(error) => Err(error),
            }
        });
        let (best, elapsed) = answered?;
        let lines = log.into_lines();
        let Some(text) = best else {
            return Err(EngineProbeError::Fault("sent no move".to_owned()));
        };
        let mv = game
            .position()
            .parse_uci(&text)
            .map_err(|_| EngineProbeError::Fault(format!("sent the illegal move '{}'", excerpt(&text))))?;
        let info = last_scored(&lines).cloned().unwrap_or_default();
        Ok(ProbeReply { mv, info, lines, elapsed, stopped })
    }

    fn with_client<T>(
        &mut self,
        act: impl FnOnce(&mut Client) -> Result<T, ClientError>,
    ) -> Result<T, EngineProbeError> {
        act(&mut self.client).map_err(|error| {
            let fault = fault_of(&error, Some(&self.client));
            self.client.kill();
            fault
        })
    }
}

/// Stops a search and waits for its move.
fn stop(client: &mut Client, log: &mut InfoLog) -> Result<Option<String>, ClientError> {
    let mut best = None;
    client.send("stop")?;
    client.wait_for("bestmove", PATIENCE, |line| match line {
        EngineLine::Info(info) => {
            log.push(*info);
            false
        }
        EngineLine::BestMove(answer) => {
            best = answer.best;
            true
        }
        _ => false,
    })?;
    Ok(best)
}

/// The last line of the first PV with an exact score, else with a bound.
fn last_scored(lines: &[Info]) -> Option<&Info> {
    let scored = || {
        let is_first = |info: &&Info| info.score.is_some() && info.multipv.is_none_or(|rank| rank == 1);
        lines.iter().rev().filter(is_first)
    };
    scored().find(|info| info.bound == Bound::Exact).or_else(|| scored().next())
}

fn fault_of(error: &ClientError, client: Option<&Client>) -> EngineProbeError {
    if matches!(error, ClientError::Interrupted) {
        return EngineProbeError::Interrupted;
    }
    let lines = client.map(|client| client.transcript().last(16)).unwrap_or_default();
    let stderr = lines.iter().rev().find(|line| line.direction == Direction::Stderr);
    let stderr = stderr.map_or(String::new(), |line| format!(": {}", excerpt(line.text.trim())));
    EngineProbeError::Fault(format!("{error}{stderr}"))
}

/// The beginning of a text of the engine.
fn excerpt(text: &str) -> String {
    const MOST: usize = 120;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(lines: &[(u32, i32, Bound)]) -> ProbeReply {
        let lines: Vec<Info> = lines
            .iter()
            .map(|&(depth, score, bound)| Info {
                depth: Some(depth),
                score: Some(Score::Centipawns(score)),
                bound,
                ..Info::default()
            })
            .collect();
        let info = last_scored(&lines).cloned().unwrap_or_default();
        let mv = chess::Position::startpos().parse_uci("e2e4").expect("legal");
        ProbeReply { mv, info, lines, elapsed: Duration::ZERO, stopped: false }
    }

    #[test]
    fn score_at_depth_is_the_last_exact_one() {
        let found = answer(&[
            (1, 10, Bound::Exact),
            (2, 20, Bound::Exact),
            (2, 25, Bound::Exact),
            (3, 90, Bound::Lower),
            (4, 40, Bound::Exact),
        ]);
        let at = |depth| found.score_at(depth).map(|(score, depth)| (score.centipawns(), depth));
        assert_eq!([at(0), at(2), at(3), at(9)], [None, Some((25, 2)), Some((25, 2)), Some((40, 4))]);
        assert_eq!(found.depth(), 4);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"é".repeat(500)).chars().count(), 121);
    }
}
