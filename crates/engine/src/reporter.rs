//! Passes lines on to a listener, and makes sure that they end with the game and that the last ones are what is played.

use crate::score::is_from_tables;
use crate::search::{Shared, ThreadResult, report};
use crate::task::Task;
use crate::{Bound, Score};
use chess::{Move, Position};
use std::time::{Duration, Instant};
use uci::Info;

/// Time to complete a line with the tablebases' moves.
const TIME_TO_COMPLETE: Duration = Duration::from_millis(500);
/// The same when a clock is running: less than the default of Move Overhead.
const TIME_TO_COMPLETE_ON_CLOCK: Duration = Duration::from_millis(4);

/// Passes lines to a listener.
pub(crate) struct Reporter<'a, F> {
    task: &'a Task,
    shared: &'a Shared,
    /// Number of lines to report.
    lines: usize,
    /// The latest of each.
    last: Vec<Info<Move>>,
    on_info: F,
}

impl<'a, F: FnMut(Info<Move>)> Reporter<'a, F> {
    pub fn new(lines: usize, task: &'a Task, shared: &'a Shared, on_info: F) -> Reporter<'a, F> {
        Reporter { task, shared, lines, last: Vec::new(), on_info }
    }

    /// Passes a line on, unless its index is above MultiPV.
    pub fn pass_on(&mut self, mut info: Info<Move>) {
        if self.shared.limits.infinite {
            self.complete(&mut info);
        }
        self.task.cut_at_end_of_game(&mut info.pv);
        if let Some(rank) = info.multipv {
            let rank = rank as usize;
            if rank > self.lines {
                return;
            }
            self.last.truncate(rank - 1);
            self.last.push(info.clone());
        }
        (self.on_info)(info);
    }

    /// Reports the chosen line, unless it was reported last.
    pub fn conclude(&mut self, chosen: &ThreadResult) {
        let lines = chosen.root.iter().take(self.lines).enumerate();
        let mut conclusion: Vec<Info<Move>> =
            lines.map(|(line, root_move)| report(self.shared, root_move, line)).collect();
        for info in &mut conclusion {
            self.complete(info);
            self.task.cut_at_end_of_game(&mut info.pv);
        }
        if is_news(&self.last, &conclusion) {
            self.last = conclusion;
            self.last.iter().cloned().for_each(&mut self.on_info);
        }
    }

    /// Completes a line that wins or loses by the tablebases, up to mate where time allows.
    fn complete(&self, info: &mut Info<Move>) {
        if !info.score.is_some_and(is_from_tables) || info.bound != Bound::Exact {
            return;
        }
        if let Some(tables) = &self.shared.tables {
            let on_clock = self.shared.budget.hard().is_some();
            let time = if on_clock { TIME_TO_COMPLETE_ON_CLOCK } else { TIME_TO_COMPLETE };
            let start = Instant::now();
            let line = tables.complete(self.task.game(), &info.pv, || start.elapsed() > time);
            // The first move stays: it is the one that is played.
            if line.first() == info.pv.first() {
                info.pv = line;
            }
        }
    }

    /// The second move of the best line, if it is legal after the first.
    pub fn ponder_move(&self, best: Move) -> Option<Move> {
        let expected = self.last.first()?.pv.get(1).copied();
        expected.filter(|&mv| self.task.position().after(best).is_legal(mv))
    }
}

/// Whether `found` must still be reported after `reported`. A bound need not be, if the same move was
/// reported with an exact score.
fn is_news(reported: &[Info<Move>], found: &[Info<Move>]) -> bool {
    if let ([reported], [found]) = (reported, found)
        && (reported.bound, reported.pv.first()) == (Bound::Exact, found.pv.first())
        && found.bound != Bound::Exact
    {
        return false;
    }
    fn content(line: &Info<Move>) -> (Option<uci::Score>, Bound, &[Move]) {
        (line.score, line.bound, &line.pv)
    }
    !reported.iter().map(content).eq(found.iter().map(content))
}

/// The line of a mate that was proven.
pub(crate) fn proven_mate(line: &[Move], nodes: u64, shared: &Shared) -> Info<Move> {
    let (score, time) = (Score::mate_in(line.len()), shared.elapsed());
    Info {
        depth: Some(line.len() as u32),
        seldepth: Some(line.len() as u32),
        multipv: Some(1),
        score: Some(score.to_uci()),
        wdl: Some(shared.evaluation.kind().wdl(score)),
        nodes: Some(nodes),
        nps: Some((u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64),
        hashfull: Some(shared.table.hashfull()),
        tbhits: Some(shared.table_hits()),
        time: Some(time),
        pv: line.to_vec(),
        ..Info::default()
    }
}

/// The line of a position without legal moves.
pub(crate) fn no_moves(position: &Position, shared: &Shared) -> Info<Move> {
    let score = if position.in_check() { Score::mated_in(0) } else { Score::ZERO };
    Info {
        depth: Some(0),
        seldepth: Some(0),
        multipv: Some(1),
        score: Some(score.to_uci()),
        wdl: Some(shared.evaluation.kind().wdl(score)),
        nodes: Some(0),
        nps: Some(0),
        hashfull: Some(shared.table.hashfull()),
        tbhits: Some(shared.table_hits()),
        time: Some(shared.elapsed()),
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    #[test]
    fn exact_score_is_not_followed_by_a_bound_of_the_same_move() {
        let mv = |text: &str| Position::startpos().parse_uci(text).unwrap();
        let exact = Info {
            depth: Some(3),
            score: Some(uci::Score::Centipawns(20)),
            pv: vec![mv("e2e4"), Move::NONE],
            ..Info::default()
        };
        let deeper = Info { depth: Some(9), nodes: Some(99), ..exact.clone() };
        let better = Info { score: Some(uci::Score::Centipawns(50)), bound: Bound::Lower, ..deeper.clone() };
        let longer = Info { pv: [exact.pv.clone(), vec![Move::NONE]].concat(), ..deeper.clone() };
        let other = Info { pv: vec![mv("d2d4")], ..better.clone() };
        let is_news_after =
            |reported: &Info<Move>, found: &Info<Move>| is_news(from_ref(reported), from_ref(found));
        assert!(!is_news_after(&exact, &deeper) && !is_news_after(&exact, &better));
        assert!(is_news_after(&better, &exact) && is_news_after(&exact, &longer));
        assert!(is_news_after(&exact, &other));
        assert!(is_news(&[exact.clone(), other.clone()], &[better, other]));
    }
}
