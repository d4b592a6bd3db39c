//! Checks every search of the run: legal moves and PVs, mate distances, `bestmove` against the PV, increasing depth and time.

use std::time::Duration;

use uci::{Bound, Info, Score};

use super::excerpt;
use crate::catalogue::FindingId;
use crate::finding::{Finding, Verdict};
use crate::repro_log::concat_repro;
use crate::search_output::SearchOutput;

/// One kind of fault, counted.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    pub count: u64,
    /// A description of the first case.
    pub example: String,
    pub repro: Vec<String>,
}

impl Faults {
    pub(super) fn add(&mut self, result: &SearchOutput, example: impl FnOnce() -> String) {
        if self.count == 0 {
            self.example = example();
            self.repro = result.repro();
        }
        self.count += 1;
    }

    /// The same with the commands of the game before, where state left from it may be the reason.
    fn add_with_history(&mut self, result: &SearchOutput, example: impl FnOnce() -> String) {
        let is_first = self.count == 0;
        self.add(result, example);
        if is_first {
            self.repro = concat_repro(&result.before, &result.asked);
        }
    }

    /// Passes with the summary `passed` when there is no fault; else has the verdict `found` and the first case behind
    /// `COUNT failed`.
    pub fn finding(&self, id: FindingId, found: Verdict, passed: impl Into<String>, failed: &str) -> Finding {
        let (verdict, summary) = match self.count {
            0 => (Verdict::Pass, passed.into()),
            count => (found, format!("{count} {failed}: {}", self.example)),
        };
        Finding::new(id, verdict, summary).repro(self.repro.clone())
    }
}

#[derive(Clone, Debug, Default)]
pub struct SearchAudit {
    /// Searches of positions with a legal move.
    pub answers: u64,
    pub pv_moves: u64,
    pub illegal_answers: Faults,
    pub missing_answers: Faults,
    pub malformed_answers: Faults,
    pub illegal_pvs: Faults,
    /// Legal answers of finished searches with an exact PV.
    pub compared_answers: u64,
    /// Those that are not the first move of that PV.
    pub other_answers: Faults,
    /// PVs with a mate score.
    pub mates: u64,
    /// Those that are longer or shorter than the distance, or end in neither mate nor check.
    pub wrong_mates: Faults,
    /// Those of the right length that end in a check with legal evasions.
    pub false_mates: Faults,
    /// Those of more than one ply that end in mate: they show the unit of the distance.
    pub long_mates: u64,
    /// Those with as many plies as the reported distance.
    pub ply_mates: Faults,
    /// Those that end before the mate.
    pub short_mates: Faults,
    /// Searches in which depth, time or nodes decreased.
    pub decreasing: Faults,
    /// Searches without a score.
    pub without_score: Faults,
    /// Bounds with an exact score of the same depth later.
    pub bounds: u64,
    /// Those that the exact score violates.
    pub broken_bounds: Faults,
}

/// Centipawns by which an exact score may miss an earlier bound: the re-search has another window and may differ.
const BOUND_TOLERANCE: i32 = 30;

/// Enough for the slowest engine to search all moves to depth 1.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

/// Whether the clock ended a search before a slow engine, or one on a busy system, could report anything.
fn had_no_time(result: &SearchOutput) -> bool {
    let is_timed = |token: &str| matches!(token, "movetime" | "wtime" | "btime");
    let is_ended = result.cut_short || result.go().split_whitespace().any(is_timed);
    is_ended && result.cpu_or_wall() < LONG_ENOUGH
}

impl SearchAudit {
    pub fn add(&mut self, result: &SearchOutput) {
        self.add_answer(result);
        for info in &result.lines {
            self.add_pv(result, info);
        }
        let first_rank = || result.lines.iter().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
        let fell = |pick: fn(&Info) -> Option<u64>| {
            let mut last = 0;
            first_rank().filter_map(pick).any(|value| std::mem::replace(&mut last, value) > value)
        };
        let decreasing = [
            ("depth", fell(|info| info.score.and(info.depth).map(u64::from))),
            ("nodes", fell(|info| info.nodes)),
            ("time", fell(|info| info.time.map(|time| time.as_millis() as u64))),
        ];
        if let Some((what, _)) = decreasing.iter().find(|(_, fell)| *fell) {
            self.decreasing.add(result, || format!("{what} decreased during a search"));
        }
        self.add_bounds(result);
    }

    /// Fail-highs and fail-lows against the final score of the same iteration.
    fn add_bounds(&mut self, result: &SearchOutput) {
        let is_bound = |info: &&Info| info.bound != Bound::Exact && info.multipv.is_none_or(|rank| rank == 1);
        for info in result.lines.iter().filter(is_bound) {
            let exact = info.depth.and_then(|depth| result.at_depth(depth)).and_then(|exact| exact.score);
            let (Some(bound), Some(exact)) = (info.score, exact) else { continue };
            self.bounds += 1;
            let (bound, score) = (bound.centipawns(), exact.centipawns());
            let broken = match info.bound {
                Bound::Lower => score < bound - BOUND_TOLERANCE,
                _ => score > bound + BOUND_TOLERANCE,
            };
            if broken {
                let side = if info.bound == Bound::Lower { "lowerbound" } else { "upperbound" };
                let depth = info.depth.unwrap_or_default();
                self.broken_bounds
                    .add(result, || format!("{side} {bound} cp, then {score} cp at depth {depth}"));
            }
        }
    }

    fn add_answer(&mut self, result: &SearchOutput) {
        let position = &result.position;
        if !position.has_legal_move() {
            return;
        }
        self.answers += 1;
        let fen = || position.to_fen();
        match &result.best {
            None => match &result.malformed {
                Some(text) => {
                    self.malformed_answers.add(result, || format!("'bestmove {text}' in {}", fen()));
                }
                None => {
                    self.missing_answers
                        .add_with_history(result, || format!("'{}' in {}", result.go(), fen()));
                }
            },
            Some(best) if position.parse_uci(best).is_err() => {
                self.illegal_answers.add(result, || format!("bestmove {best} in {}", fen()));
            }
            Some(best) => {
                let exact = result.last().filter(|info| info.bound == Bound::Exact);
                // A better move found at the very end is reported with a bound.
                let is_announced = |info: &Info| info.bound == Bound::Lower && info.pv.first() == Some(best);
                let scored = result.lines.iter().rev().filter(|info| info.score.is_some());
                let mut at_the_end = scored.take_while(|info| info.bound != Bound::Exact);
                if let Some(first) = exact.and_then(|info| info.pv.first())
                    && !result.cut_short
                {
                    self.compared_answers += 1;
                    if first != best && !at_the_end.any(is_announced) {
                        self.other_answers
                            .add(result, || format!("bestmove {best} after a PV with {first} in {}", fen()));
                    }
                }
            }
        }
        if result.score().is_none() && !had_no_time(result) {
            self.without_score.add(result, || format!("no score in {}", fen()));
        }
    }

    fn add_pv(&mut self, result: &SearchOutput, info: &Info) {
        let mut position = result.position;
        for (number, word) in info.pv.iter().enumerate() {
            self.pv_moves += 1;
            let Ok(mv) = position.parse_uci(word) else {
                let line = || excerpt(&info.pv.join(" "));
                self.illegal_pvs.add(result, || format!("{word} at ply {} of PV {}", number + 1, line()));
                return;
            };
            position.play(mv);
        }
        let is_shown = info.bound == Bound::Exact && !info.pv.is_empty();
        let Some(Score::Mate(moves)) = info.score.filter(|_| is_shown) else { return };
        self.mates += 1;
        let expected = plies_to_mate(moves);
        let mated = position.in_check() && !position.has_legal_move();
        let case = || format!("mate {moves} with PV {}", excerpt(&info.pv.join(" ")));
        if mated && info.pv.len() > 1 {
            self.long_mates += 1;
            if info.pv.len() == moves.unsigned_abs() as usize {
                self.ply_mates.add(result, case);
            }
        }
        let is_answerable_check = position.in_check() && position.has_legal_move();
        if is_answerable_check && info.pv.len() == expected {
            self.false_mates.add(result, case);
        } else if mated && info.pv.len() != expected || !mated && info.pv.len() >= expected {
            self.wrong_mates.add(result, case);
        } else if !mated {
            self.short_mates.add(result, case);
        }
    }
}

/// Plies of a mate in this many moves, negative for being mated.
pub fn plies_to_mate(moves: i32) -> usize {
    let moves_abs = moves.unsigned_abs() as usize;
    if moves > 0 { 2 * moves_abs - 1 } else { 2 * moves_abs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn searched(fen: &str, best: &str, lines: &[(&str, Score)]) -> SearchOutput {
        let info = |(pv, score): &(&str, Score)| Info {
            pv: pv.split_whitespace().map(str::to_owned).collect(),
            score: Some(*score),
            ..Info::default()
        };
        SearchOutput {
            position: Position::from_fen(fen).expect("valid"),
            before: vec!["go depth 1".to_owned()],
            asked: vec!["go".to_owned()],
            best: (!best.is_empty()).then(|| best.to_owned()),
            malformed: None,
            lines: lines.iter().map(info).collect(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short: false,
        }
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";

    #[test]
    fn valid_searches_have_no_faults() {
        let mut audit = SearchAudit::default();
        audit.add(&searched(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(1))]));
        audit.add(&searched(BACK_RANK, "e1e2", &[("e1e2 g8f8", Score::Centipawns(10))]));
        assert_eq!((audit.answers, audit.mates, audit.pv_moves), (2, 1, 3));
        let faults = [&audit.illegal_answers, &audit.illegal_pvs, &audit.other_answers, &audit.wrong_mates];
        assert!(faults.iter().all(|fault| fault.count == 0), "{audit:?}");
    }

    #[test]
    fn late_best_move_may_come_with_a_bound() {
        let count = |best| {
            let mut result =
                searched(BACK_RANK, best, &[("a1b1", Score::Centipawns(5)), ("e1e2", Score::Centipawns(9))]);
            result.lines[1].bound = Bound::Lower;
            result.lines.push(Info::default());
            let mut audit = SearchAudit::default();
            audit.add(&result);
            audit.other_answers.count
        };
        assert_eq!(["a1b1", "e1e2", "e1e3"].map(count), [0, 0, 1]);
    }

    #[test]
    fn bounds_are_compared_with_exact_scores() {
        let mut audit = SearchAudit::default();
        let line = |depth, bound, score| Info {
            depth: Some(depth),
            bound,
            score: Some(Score::Centipawns(score)),
            ..Info::default()
        };
        let mut result = searched(BACK_RANK, "e1e2", &[]);
        result.lines = vec![
            line(5, Bound::Lower, 40),
            line(5, Bound::Exact, 90),
            line(6, Bound::Upper, 60),
            line(6, Bound::Exact, 20),
            line(7, Bound::Lower, 200),
            line(7, Bound::Exact, 10),
            line(8, Bound::Upper, -50),
        ];
        audit.add(&result);
        assert_eq!((audit.bounds, audit.broken_bounds.count), (3, 1));
        assert!(audit.broken_bounds.example.contains("lowerbound 200 cp, then 10 cp"), "{audit:?}");
    }

    #[test]
    fn mates_in_plies_show_in_the_pv() {
        const TWO_ROOKS: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        let count = |moves| {
            let mut audit = SearchAudit::default();
            audit.add(&searched(TWO_ROOKS, "a2a7", &[("a2a7 h8g8 b1b8", Score::Mate(moves))]));
            (audit.long_mates, audit.ply_mates.count)
        };
        assert_eq!([count(2), count(3), count(4)], [(1, 0), (1, 1), (1, 0)]);
        let mut audit = SearchAudit::default();
        audit.add(&searched(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(1))]));
        assert_eq!(audit.long_mates, 0, "a mate in one is one ply");
    }

    #[test]
    fn each_fault_has_its_counter() {
        let mut audit = SearchAudit::default();
        audit.add(&searched(BACK_RANK, "e1e9", &[]));
        audit.add(&searched(BACK_RANK, "", &[]));
        audit.add(&searched(BACK_RANK, "e1e8", &[("e1e7 a1a2", Score::Centipawns(1))]));
        audit.add(&searched(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(2))]));
        audit.add(&searched(BACK_RANK, "e1e2", &[("e1e2", Score::Mate(3))]));
        audit.add(&searched("6k1/5p1p/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", &[("e1e8", Score::Mate(1))]));
        let counts = [
            audit.illegal_answers.count,
            audit.missing_answers.count,
            audit.illegal_pvs.count,
            audit.other_answers.count,
            audit.wrong_mates.count,
            audit.short_mates.count,
            audit.false_mates.count,
        ];
        assert_eq!(counts, [1; 7]);
        assert_eq!(audit.illegal_answers.repro, ["go"]);
        assert_eq!(audit.missing_answers.repro, ["go depth 1", "go"]);
        assert_eq!((audit.answers, audit.compared_answers), (6, 4));
    }

    #[test]
    fn no_score_is_needed_without_time() {
        let count = |go: &str, elapsed, computed| {
            let (asked, best) = (vec![go.to_owned()], Some("e2e4".to_owned()));
            let mut audit = SearchAudit::default();
            audit.add(&SearchOutput { asked, best, ..SearchOutput::with_times(elapsed, computed) });
            audit.without_score.count
        };
        assert_eq!([count("go movetime 400", 410, 50), count("go wtime 30 btime 30", 30, 30)], [0, 0]);
        assert_eq!([count("go movetime 400", 410, 400), count("go depth 3", 2, 0)], [1, 1]);
    }

    #[test]
    fn malformed_answer_is_neither_illegal_nor_missing() {
        let mut audit = SearchAudit::default();
        let line = [("e1e8", Score::Mate(1))];
        audit.add(&SearchOutput { malformed: Some("Re8#".to_owned()), ..searched(BACK_RANK, "", &line) });
        assert_eq!((audit.answers, audit.compared_answers, audit.malformed_answers.count), (1, 0, 1));
        assert_eq!((audit.missing_answers.count, audit.illegal_answers.count), (0, 0));
        assert!(audit.malformed_answers.example.starts_with("'bestmove Re8#' in "), "{audit:?}");
    }

    #[test]
    fn quoted_pv_is_cut() {
        let endless = format!("e1e2 {}", "a1a1 ".repeat(50_000));
        let mut audit = SearchAudit::default();
        audit.add(&searched(BACK_RANK, "e1e2", &[(&endless, Score::Centipawns(0))]));
        let example = &audit.illegal_pvs.example;
        assert!(example.starts_with("a1a1 at ply 2 of PV e1e2 a1a1"), "{example}");
        assert!(example.ends_with('…') && example.len() < 300, "{example}");
    }
}
