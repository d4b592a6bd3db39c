//! A check: how it measures, its time budget, and a function from the engine under test to findings.

use std::time::{Duration, Instant};

use chess::{Move, Position};

use super::catalogue::CheckId;
use super::engine_under_test::EngineUnderTest;
use super::finding::Finding;
use super::first_scores::FirstScores;
use super::incident::EngineError;
use super::process_time;
use super::same_tree::Tree;
use super::search_output::SearchOutput;

/// How many samples are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thoroughness {
    /// About two minutes.
    Quick,
    /// Six to ten minutes; never more than twenty.
    Full,
}

impl Thoroughness {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

pub struct Check {
    pub id: CheckId,
    /// How it measures.
    pub method: &'static str,
    /// Time budget in seconds of a quick and of a full run; 0 = not run.
    pub seconds: (u32, u32),
    pub run: fn(&mut Examination) -> Result<Vec<Finding>, EngineError>,
}

impl Check {
    pub fn budget(&self, thoroughness: Thoroughness) -> Duration {
        let (quick, full) = self.seconds;
        Duration::from_secs(u64::from(if thoroughness == Thoroughness::Full { full } else { quick }))
    }
}

/// The engine under test, and what the checks so far know of it.
pub struct Examination {
    pub engine: EngineUnderTest,
    pub thoroughness: Thoroughness,
    /// When the current check must end.
    pub deadline: Instant,
    /// Reported nodes per second of CPU time, once a check has measured it.
    pub speed: Option<f64>,
    /// Whether `go nodes` is respected.
    pub respects_nodes: bool,
    /// Whether `go searchmoves` is respected.
    pub respects_searchmoves: bool,
    /// Searches for comparisons with other builds.
    pub trees: Vec<Tree>,
    /// The shallowest depth whose scores mean something.
    pub first_scores: FirstScores,
    /// How much longer searches may take on a busy system.
    pub stretch: f64,
}

impl Examination {
    /// Finds out which limits the engine respects, where the check `limits` is not run.
    pub fn probe_limits(&mut self) {
        let start = Position::startpos();
        let cap = Duration::from_secs(3);
        // Fewer for a slow engine.
        for nodes in [10_000, 1000] {
            let Ok(result) = self.engine.search_fresh(&start, &format!("go nodes {nodes}"), cap) else {
                break;
            };
            self.respects_nodes = respects_nodes(&result, nodes);
            if self.respects_nodes || result.exceeds_nodes(nodes) {
                break;
            }
        }
        if let Ok(result) = self.engine.search(&start, "go depth 3 searchmoves a2a3", cap) {
            self.respects_searchmoves = result.best.as_deref() == Some("a2a3");
        }
    }

    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.thoroughness == Thoroughness::Full { full } else { quick }
    }

    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub fn has_time(&self) -> bool {
        !self.left().is_zero() && !self.engine.is_interrupted()
    }

    /// Runs one part of a check within 1/`part` of the remaining time, so that a slow engine gets to the others too; with at
    /// least 0.5 s, since other checks rely on the result.
    pub fn in_part<T>(&mut self, part: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.deadline;
        self.deadline = Instant::now() + (self.left() / part).max(Duration::from_millis(500));
        let answer = run(self);
        self.deadline = whole;
        answer
    }

    /// The time limit of a search: at most `most`, and not much more than the check has left.
    pub fn cap(&self, most: Duration) -> Duration {
        most.mul_f64(self.stretch).min(self.left().max(Duration::from_millis(500)))
    }

    /// The shallowest depth whose scores mean something, but at least this one.
    pub fn depth_from(&self, depth: u32) -> u32 {
        depth.max(self.first_scores.depth())
    }

    /// `go depth` with [`Self::depth_from`].
    pub fn go_depth_from(&self, depth: u32) -> String {
        format!("go depth {}", self.depth_from(depth))
    }

    /// For the summary of a finding whose searches are deeper than this: how deep, and why.
    pub fn depth_note(&self, depth: u32) -> String {
        if self.depth_from(depth) == depth {
            return String::new();
        }
        format!("; at depth {}, because earlier scores mean nothing", self.depth_from(depth))
    }

    /// Searches one root move alone; where `searchmoves` is ignored the position after it, a ply less deep.
    ///
    /// # Errors
    /// The engine crashed or hung.
    pub fn search_move(
        &mut self,
        position: &Position,
        mv: Move,
        depth: u32,
        cap: Duration,
    ) -> Result<MoveSearch, EngineError> {
        if self.respects_searchmoves {
            let go = format!("go depth {depth} searchmoves {}", mv.uci(false));
            let result = self.engine.search_fresh(position, &go, cap)?;
            return Ok(MoveSearch { score: result.centipawns(), nodes: result.nodes(), result });
        }
        let after = position.after(mv);
        let go = format!("go depth {}", depth.saturating_sub(1).max(1));
        let result = self.engine.search_fresh(&after, &go, cap)?;
        let score = if after.has_legal_move() {
            result.centipawns().map(|score| -score)
        } else {
            Some(if after.in_check() { MATED } else { 0 })
        };
        Ok(MoveSearch { score, nodes: result.nodes(), result })
    }

    /// For the summary of a finding that uses [`Self::search_move`].
    pub fn move_note(&self) -> &'static str {
        if self.respects_searchmoves {
            ""
        } else {
            "; by the positions after the moves, because searchmoves is ignored"
        }
    }

    /// A `go` command for about this many nodes, with `movetime` where `go nodes` is not respected.
    pub fn go_nodes(&self, nodes: u64) -> String {
        if self.respects_nodes {
            return format!("go nodes {nodes}");
        }
        let millis = self.speed.map_or(50.0, |speed| nodes as f64 / speed * 1000.0);
        format!("go movetime {}", (millis as u64).clamp(10, 5000))
    }

    /// How far the wall clock can be trusted, from 0 to 1, and why.
    pub fn timing_confidence(&self) -> (f64, String) {
        match process_time::load() {
            Some(load) if load <= 1.1 => (0.99, "idle system".to_owned()),
            Some(load) => ((0.97 - 0.02 * load).max(0.85), format!("system load {load:.1} per CPU")),
            None => (0.8, "unknown system load".to_owned()),
        }
    }
}

/// A root move searched alone.
pub struct MoveSearch {
    /// From the point of view of the side that plays it.
    pub score: Option<i32>,
    pub nodes: u64,
    pub result: SearchOutput,
}

/// The score of a move that checkmates.
const MATED: i32 = 100_000;

/// How much longer searches may take with this system load per CPU: most limits are wall time.
pub fn stretch(load: Option<f64>) -> f64 {
    load.unwrap_or(1.0).clamp(1.0, MAX_STRETCH)
}

const MAX_STRETCH: f64 = 4.0;

/// Whether a node limit was respected. Many engines report nodes only after an iteration, so they searched more than they
/// report.
fn respects_nodes(result: &SearchOutput, wanted: u64) -> bool {
    !result.cut_short && !result.exceeds_nodes(wanted) && !result.is_idle(wanted)
}

/// Parses positions that are known to be valid.
pub fn positions(fens: &[&str]) -> Vec<Position> {
    fens.iter().filter_map(|fen| Position::from_fen(fen).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn unreported_nodes_of_last_iteration_are_accepted() {
        let result = |nodes, cut_short| SearchOutput::with_line(4, Score::Centipawns(10), nodes, cut_short);
        assert!(respects_nodes(&result(1800, false), 10_000));
        assert!(respects_nodes(&result(9800, false), 10_000));
        assert!(!respects_nodes(&result(12, false), 10_000), "answers at once");
        assert!(!respects_nodes(&result(90_000, false), 10_000));
        assert!(!respects_nodes(&result(9000, true), 10_000));
    }
}
