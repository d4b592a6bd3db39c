//! What a check is: a name, words on how it measures, a share of the time, and a function from the engine under
//! examination to findings.

use std::time::{Duration, Instant};

use chess::Position;

use super::finding::{Finding, Group};
use super::patient::{Patient, Thinking, Trouble};
use super::process_time;

/// How thorough an examination is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thoroughness {
    /// About two minutes.
    Quick,
    /// Six to ten minutes; never more than twenty.
    Full,
}

impl Thoroughness {
    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// One check.
pub struct Check {
    /// Its name: what `--only` takes, and the name of its page in the documentation.
    pub name: &'static str,
    /// Its field.
    pub group: Group,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// How it measures.
    pub method: &'static str,
    /// Seconds that it may take in a quick and in a full examination; 0 = it is left out.
    pub seconds: (u32, u32),
    /// Does it.
    pub run: fn(&mut Examination) -> Result<Vec<Finding>, Trouble>,
}

impl Check {
    /// Its planned time.
    pub fn planned(&self, thoroughness: Thoroughness) -> Duration {
        let (quick, full) = self.seconds;
        Duration::from_secs(u64::from(if thoroughness == Thoroughness::Full { full } else { quick }))
    }
}

/// What a check works with.
pub struct Examination {
    /// The engine.
    pub patient: Patient,
    /// How thorough.
    pub thoroughness: Thoroughness,
    /// When the present check must be over.
    pub deadline: Instant,
    /// Nodes that the engine searches in a second, as it says; learned by the first check that sees it.
    pub speed: Option<f64>,
    /// Whether `go nodes` ends by itself.
    pub obeys_nodes: bool,
    /// Whether `go searchmoves` is obeyed.
    pub obeys_search_moves: bool,
}

impl Examination {
    /// Finds out which limits the engine obeys, where the check of limits is not made.
    pub fn learn_limits(&mut self) {
        let start = Position::startpos();
        let cap = Duration::from_secs(3);
        // A slow engine is asked for less.
        for nodes in [10_000, 1000] {
            let Ok(thinking) = self.patient.search_fresh(&start, &format!("go nodes {nodes}"), cap) else {
                break;
            };
            self.obeys_nodes = keeps_nodes(&thinking, nodes);
            if self.obeys_nodes || thinking.is_beyond(nodes) {
                break;
            }
        }
        if let Ok(thinking) = self.patient.search(&start, "go depth 3 searchmoves a2a3", cap) {
            self.obeys_search_moves = thinking.best.as_deref() == Some("a2a3");
        }
    }

    /// The quick or the full number of samples.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.thoroughness == Thoroughness::Full { full } else { quick }
    }

    /// Time left for this check.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Whether there is time for another sample.
    pub fn goes_on(&self) -> bool {
        !self.left().is_zero() && !self.patient.is_interrupted()
    }

    /// Asks one of the questions of a check in this part of the time that is left, so that a slow engine is asked the others too;
    /// at least once, since other checks rely on the answers.
    pub fn in_part<T>(&mut self, part: u32, ask: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.deadline;
        self.deadline = Instant::now() + (self.left() / part).max(Duration::from_millis(500));
        let answer = ask(self);
        self.deadline = whole;
        answer
    }

    /// The longest that one search may take: at most `most`, and never much longer than the check has left.
    pub fn cap(&self, most: Duration) -> Duration {
        most.min(self.left().max(Duration::from_millis(500)))
    }

    /// What to say to `go` for about so many nodes, also to an engine that does not obey `go nodes`.
    pub fn go_nodes(&self, nodes: u64) -> String {
        if self.obeys_nodes {
            return format!("go nodes {nodes}");
        }
        let millis = self.speed.map_or(50.0, |speed| nodes as f64 / speed * 1000.0);
        format!("go movetime {}", (millis as u64).clamp(10, 5000))
    }

    /// How far the clock on the wall can be trusted, from 0 to 1, with words.
    pub fn trust_in_time(&self) -> (f64, String) {
        match process_time::load() {
            Some(load) if load <= 1.1 => (0.99, "the machine is free".to_owned()),
            Some(load) => (
                (0.97 - 0.02 * load).max(0.85),
                format!("the machine is busy ({load:.1} programs for each processor)"),
            ),
            None => (0.8, "how busy the machine is is not known".to_owned()),
        }
    }
}

/// Whether a search of so many nodes ended, neither at once nor far too late. Many engines tell their nodes only when an
/// iteration is finished: they have searched more than they told.
fn keeps_nodes(thinking: &Thinking, wanted: u64) -> bool {
    !thinking.cut_short && !thinking.is_beyond(wanted) && !thinking.is_idle(wanted)
}

/// Reads positions that are known to be well-formed.
pub fn positions(fens: &[&str]) -> Vec<Position> {
    fens.iter().filter_map(|fen| Position::from_fen(fen).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::info::Score;

    #[test]
    fn nodes_told_before_an_unfinished_iteration_are_obedience() {
        let told = |nodes, cut_short| Thinking::of_line(4, Score::Centipawns(10), nodes, cut_short);
        assert!(keeps_nodes(&told(1800, false), 10_000));
        assert!(keeps_nodes(&told(9800, false), 10_000));
        assert!(!keeps_nodes(&told(12, false), 10_000), "it answers at once, whatever the number");
        assert!(!keeps_nodes(&told(90_000, false), 10_000));
        assert!(!keeps_nodes(&told(9000, true), 10_000));
    }
}
