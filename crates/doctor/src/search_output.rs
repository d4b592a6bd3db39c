//! The result of one search.

use std::time::Duration;

use chess::Position;
use uci::{Bound, Info, Score};

/// No evaluation is greater, including tablebase scores; a greater number is a mate.
pub const MAX_EVALUATION: i32 = 20_000;

/// What an engine sent between `go` and `bestmove`.
#[derive(Clone, Debug)]
pub struct SearchOutput {
    pub position: Position,
    /// The commands of the game before, up to the last `ucinewgame`.
    pub before: Vec<String>,
    /// The commands since then, up to this search.
    pub asked: Vec<String>,
    /// `None` for `(none)`, and for what is not in the notation of a move.
    pub best: Option<String>,
    /// The argument of `bestmove` where it is not in the notation of a move.
    pub malformed: Option<String>,
    /// The info lines with a score, a PV or nodes, in order; of very many the last.
    pub lines: Vec<Info>,
    /// Time from `go` to `bestmove`.
    pub elapsed: Duration,
    /// CPU time, where the system reports it.
    pub cpu: Option<Duration>,
    /// It did not end in time and was stopped.
    pub cut_short: bool,
}

impl SearchOutput {
    /// The last info line of the first PV with an exact score, else with a bound.
    pub fn last(&self) -> Option<&Info> {
        let scored = || self.lines.iter().rev().filter(|info| info.score.is_some() && is_first(info));
        scored().find(|info| info.bound == Bound::Exact).or_else(|| scored().next())
    }

    pub fn score(&self) -> Option<Score> {
        self.last().and_then(|info| info.score)
    }

    pub fn score_text(&self) -> String {
        self.score().map_or_else(|| "no score".to_owned(), text_of)
    }

    /// The last score; mates are above all evaluations.
    pub fn centipawns(&self) -> Option<i32> {
        self.score().map(Score::centipawns)
    }

    pub fn depth(&self) -> u32 {
        self.lines.iter().filter_map(|info| info.depth).max().unwrap_or(0)
    }

    pub fn nodes(&self) -> u64 {
        self.lines.iter().filter_map(|info| info.nodes).max().unwrap_or(0)
    }

    /// Whether all node counts are at least the final count of the search before.
    pub fn counts_on_from(&self, before: u64) -> bool {
        let fewest = self.lines.iter().filter_map(|info| info.nodes).min();
        fewest.is_some_and(|fewest| fewest >= before)
    }

    /// Subtracts the nodes of the search before, if they are included.
    pub(crate) fn subtract_nodes(&mut self, before: u64) {
        if self.counts_on_from(before) {
            for nodes in self.lines.iter_mut().filter_map(|info| info.nodes.as_mut()) {
                *nodes -= before;
            }
        }
    }

    /// Whether the search reached this depth: it ended by itself, or was stopped beyond it.
    pub fn has_finished(&self, depth: u32) -> bool {
        !self.cut_short || self.depth() > depth
    }

    /// Whether the node limit was exceeded by more than an engine that checks it rarely would.
    pub fn exceeds_nodes(&self, wanted: u64) -> bool {
        self.nodes() > wanted + wanted / 5 + 10_000
    }

    /// Whether so few nodes were reported that an unfinished iteration does not explain it.
    pub fn is_idle(&self, wanted: u64) -> bool {
        (1..wanted / 20).contains(&self.nodes()) && !matches!(self.score(), Some(Score::Mate(_)))
    }

    /// Whether the last score is a mate reported as `score cp`.
    pub fn is_mate_as_centipawns(&self) -> bool {
        matches!(self.score(), Some(Score::Centipawns(score)) if score.abs() > MAX_EVALUATION)
    }

    /// The last exact info line of a depth.
    pub fn at_depth(&self, depth: u32) -> Option<&Info> {
        let fits = |info: &&Info| info.depth == Some(depth) && info.score.is_some() && is_first(info);
        self.lines.iter().rev().filter(fits).find(|info| info.bound == Bound::Exact)
    }

    /// The time that counts against an engine: CPU time where it is less than the wall time.
    pub fn cpu_or_wall(&self) -> Duration {
        self.cpu.map_or(self.elapsed, |cpu| cpu.min(self.elapsed))
    }

    /// With times in milliseconds and nothing else.
    #[cfg(test)]
    pub fn with_times(elapsed: u64, cpu: u64) -> Self {
        Self {
            position: Position::startpos(),
            before: Vec::new(),
            asked: Vec::new(),
            best: None,
            malformed: None,
            lines: Vec::new(),
            elapsed: Duration::from_millis(elapsed),
            cpu: Some(Duration::from_millis(cpu)),
            cut_short: false,
        }
    }

    /// With one info line.
    #[cfg(test)]
    pub fn with_line(depth: u32, score: Score, nodes: u64, cut_short: bool) -> Self {
        let line = Info { depth: Some(depth), score: Some(score), nodes: Some(nodes), ..Info::default() };
        Self { lines: vec![line], cut_short, ..Self::with_times(1000, 1000) }
    }

    /// UCI commands that reproduce it.
    pub fn repro(&self) -> Vec<String> {
        self.asked.clone()
    }

    /// Those of this search alone.
    pub fn own_lines(&self) -> &[String] {
        let start = self.asked.iter().rposition(|line| line.starts_with("position"));
        &self.asked[start.unwrap_or_default()..]
    }

    /// The `go` command.
    pub fn go(&self) -> &str {
        self.asked.iter().rfind(|line| line.starts_with("go")).map_or("", String::as_str)
    }
}

pub fn text_of(score: Score) -> String {
    match score {
        Score::Centipawns(score) => format!("{score} cp"),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

fn is_first(info: &Info) -> bool {
    info.multipv.is_none_or(|rank| rank == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previous_nodes_are_subtracted() {
        let nodes = |nodes, before| {
            let mut result = SearchOutput::with_line(9, Score::Centipawns(0), nodes, false);
            result.subtract_nodes(before);
            result.nodes()
        };
        assert_eq!((nodes(5000, 3000), nodes(3000, 3000), nodes(2000, 3000)), (2000, 0, 2000));
    }

    #[test]
    fn stopped_search_has_finished_only_lower_depths() {
        let score = Score::Centipawns(10);
        assert!(SearchOutput::with_line(7, score, 1, false).has_finished(8));
        assert!(!SearchOutput::with_line(8, score, 1, true).has_finished(8));
        assert!(SearchOutput::with_line(9, score, 1, true).has_finished(8));
    }
}
