//! Looks through every search of the whole examination: are moves and lines legal, do mating lines mate, does the answer
//! agree with the line, do depth and time only grow.

use std::time::Duration;

use uci::info::{Bound, Info, Score};

use super::finding::{Finding, Verdict};
use super::patient::Thinking;
use super::retrace::one_after_the_other;
use super::talk::excerpt;

/// A counted kind of fault, with lines that show the first case.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// How many.
    pub count: u64,
    /// The first case in words.
    pub example: String,
    /// The first case to be seen again.
    pub repro: Vec<String>,
}

impl Faults {
    fn add(&mut self, thinking: &Thinking, example: impl FnOnce() -> String) {
        if self.count == 0 {
            self.example = example();
            self.repro = thinking.repro();
        }
        self.count += 1;
    }

    /// As [`Faults::add`], where what is left of the search before may be the reason: the lines that led to it are shown as well.
    fn add_with_search_before(&mut self, thinking: &Thinking, example: impl FnOnce() -> String) {
        let is_first = self.count == 0;
        self.add(thinking, example);
        if is_first {
            self.repro = one_after_the_other(&thinking.before, &thinking.asked);
        }
    }

    /// The finding of `check` about `what`: sound with the words `all_well` when there is no such fault, and else
    /// `found` with the words `complaint` before the first case.
    pub fn finding(
        &self,
        check: &str,
        what: &str,
        found: Verdict,
        all_well: impl Into<String>,
        complaint: &str,
    ) -> Finding {
        let (verdict, summary) = match self.count {
            0 => (Verdict::Sound, all_well.into()),
            count => (found, format!("{count} {complaint}: {}", self.example)),
        };
        Finding::new(check, what, verdict, summary).repro(self.repro.clone())
    }
}

/// Everything that searches showed by the way.
#[derive(Clone, Debug, Default)]
pub struct LineAudit {
    /// Answers that were judged.
    pub answers: u64,
    /// Moves of lines that were judged.
    pub line_moves: u64,
    /// Answers that are no legal move.
    pub illegal_answers: Faults,
    /// Answers without a move where there is one.
    pub missing_answers: Faults,
    /// Answers whose words do not have the form of a move.
    pub unreadable_answers: Faults,
    /// Lines with an illegal move.
    pub illegal_lines: Faults,
    /// Legal answers of finished searches that told an exact line before.
    pub compared_answers: u64,
    /// Those that are not the first move of that line.
    pub other_answers: Faults,
    /// Mates announced.
    pub mates: u64,
    /// Announced mates whose line is longer or shorter, or ends where there is neither mate nor check.
    pub wrong_mates: Faults,
    /// Announced mates whose line is as long as they say, and ends in a check that can be answered.
    pub false_mates: Faults,
    /// Mates of more than one half move whose line ends in mate: those show in which unit distances are told.
    pub long_mates: u64,
    /// Those whose line has as many half moves as the distance told.
    pub ply_mates: Faults,
    /// Lines cut off before the mate that they announce.
    pub short_mates: Faults,
    /// Searches in which depth, time or nodes went backwards.
    pub backwards: Faults,
    /// Searches without any score.
    pub silent: Faults,
    /// Scores told as bounds, for which an exact one of the same depth came later.
    pub bounds: u64,
    /// Those that the exact score breaks: below a lower bound, or above an upper one.
    pub broken_bounds: Faults,
}

/// Centipawns by which an exact score may miss a bound that was told before it: windows are opened step by step, and the
/// search with the wider window is another one.
const BOUND_TOLERANCE: i32 = 30;

/// Time in which the slowest engine has looked at its moves once.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

/// Whether a search was ended by the clock before a slow engine, or one on a busy machine, has anything to tell.
fn had_no_time(thinking: &Thinking) -> bool {
    let is_timed = |word: &str| matches!(word, "movetime" | "wtime" | "btime");
    let is_ended = thinking.cut_short || thinking.go().split_whitespace().any(is_timed);
    is_ended && thinking.effort() < LONG_ENOUGH
}

impl LineAudit {
    /// Judges a search.
    pub fn hear(&mut self, thinking: &Thinking) {
        self.hear_answer(thinking);
        for info in &thinking.lines {
            self.hear_line(thinking, info);
        }
        let first_rank = || thinking.lines.iter().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
        let fell = |pick: fn(&Info) -> Option<u64>| {
            let mut last = 0;
            first_rank().filter_map(pick).any(|value| std::mem::replace(&mut last, value) > value)
        };
        let backwards = [
            ("depth", fell(|info| info.score.and(info.depth).map(u64::from))),
            ("nodes", fell(|info| info.nodes)),
            ("time", fell(|info| info.time.map(|time| time.as_millis() as u64))),
        ];
        if let Some((what, _)) = backwards.iter().find(|(_, fell)| *fell) {
            self.backwards.add(thinking, || format!("{what} went backwards during a search"));
        }
        self.hear_bounds(thinking);
    }

    /// Fail-highs and fail-lows against what the same iteration came to in the end.
    fn hear_bounds(&mut self, thinking: &Thinking) {
        let is_bound = |info: &&Info| info.bound != Bound::Exact && info.multipv.is_none_or(|rank| rank == 1);
        for info in thinking.lines.iter().filter(is_bound) {
            let exact = info.depth.and_then(|depth| thinking.at_depth(depth)).and_then(|exact| exact.score);
            let (Some(bound), Some(exact)) = (info.score, exact) else { continue };
            self.bounds += 1;
            let (told, came) = (bound.centipawns(), exact.centipawns());
            let broken = match info.bound {
                Bound::Lower => came < told - BOUND_TOLERANCE,
                _ => came > told + BOUND_TOLERANCE,
            };
            if broken {
                let side = if info.bound == Bound::Lower { "at least" } else { "at most" };
                let depth = info.depth.unwrap_or_default();
                self.broken_bounds
                    .add(thinking, || format!("{side} {told} cp, then {came} cp at the same depth {depth}"));
            }
        }
    }

    fn hear_answer(&mut self, thinking: &Thinking) {
        let position = &thinking.position;
        if !position.has_legal_move() {
            return;
        }
        self.answers += 1;
        let fen = || position.to_fen();
        match &thinking.best {
            None => match &thinking.unreadable {
                Some(words) => {
                    self.unreadable_answers.add(thinking, || format!("'bestmove {words}' in {}", fen()));
                }
                None => {
                    self.missing_answers
                        .add_with_search_before(thinking, || format!("'{}' in {}", thinking.go(), fen()));
                }
            },
            Some(best) if position.parse_uci(best).is_err() => {
                self.illegal_answers.add(thinking, || format!("bestmove {best} in {}", fen()));
            }
            Some(best) => {
                let exact = thinking.last().filter(|info| info.bound == Bound::Exact);
                // A move that turns out to be better at the very end is told with a bound.
                let is_announced = |info: &Info| info.bound == Bound::Lower && info.pv.first() == Some(best);
                let scored = thinking.lines.iter().rev().filter(|info| info.score.is_some());
                let mut at_the_end = scored.take_while(|info| info.bound != Bound::Exact);
                if let Some(first) = exact.and_then(|info| info.pv.first())
                    && !thinking.cut_short
                {
                    self.compared_answers += 1;
                    if first != best && !at_the_end.any(is_announced) {
                        self.other_answers.add(thinking, || {
                            format!("bestmove {best} after a line with {first} in {}", fen())
                        });
                    }
                }
            }
        }
        if thinking.score().is_none() && !had_no_time(thinking) {
            self.silent.add(thinking, || format!("no score in {}", fen()));
        }
    }

    fn hear_line(&mut self, thinking: &Thinking, info: &Info) {
        let mut position = thinking.position;
        for (number, word) in info.pv.iter().enumerate() {
            self.line_moves += 1;
            let Ok(mv) = position.parse_uci(word) else {
                let line = || excerpt(&info.pv.join(" "));
                self.illegal_lines
                    .add(thinking, || format!("{word} as half move {} of the line {}", number + 1, line()));
                return;
            };
            position.play(mv);
        }
        let is_shown = info.bound == Bound::Exact && !info.pv.is_empty();
        let Some(Score::Mate(moves)) = info.score.filter(|_| is_shown) else { return };
        self.mates += 1;
        let expected = plies_to_mate(moves);
        let mated = position.in_check() && !position.has_legal_move();
        let told = || format!("mate {moves} with the line {}", excerpt(&info.pv.join(" ")));
        if mated && info.pv.len() > 1 {
            self.long_mates += 1;
            if info.pv.len() == moves.unsigned_abs() as usize {
                self.ply_mates.add(thinking, told);
            }
        }
        let is_answerable_check = position.in_check() && position.has_legal_move();
        if is_answerable_check && info.pv.len() == expected {
            self.false_mates.add(thinking, told);
        } else if mated && info.pv.len() != expected || !mated && info.pv.len() >= expected {
            self.wrong_mates.add(thinking, told);
        } else if !mated {
            self.short_mates.add(thinking, told);
        }
    }
}

/// Half moves of a mate in so many moves, negative when being mated.
pub fn plies_to_mate(moves: i32) -> usize {
    let moves_abs = moves.unsigned_abs() as usize;
    if moves > 0 { 2 * moves_abs - 1 } else { 2 * moves_abs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn thinking(fen: &str, best: &str, lines: &[(&str, Score)]) -> Thinking {
        let info = |(pv, score): &(&str, Score)| Info {
            pv: pv.split_whitespace().map(str::to_owned).collect(),
            score: Some(*score),
            ..Info::default()
        };
        Thinking {
            position: Position::from_fen(fen).expect("valid"),
            before: vec!["go depth 1".to_owned()],
            asked: vec!["go".to_owned()],
            best: (!best.is_empty()).then(|| best.to_owned()),
            unreadable: None,
            lines: lines.iter().map(info).collect(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short: false,
        }
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";

    #[test]
    fn sound_searches_leave_no_fault() {
        let mut audit = LineAudit::default();
        audit.hear(&thinking(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(1))]));
        audit.hear(&thinking(BACK_RANK, "e1e2", &[("e1e2 g8f8", Score::Centipawns(10))]));
        assert_eq!((audit.answers, audit.mates, audit.line_moves), (2, 1, 3));
        let faults = [&audit.illegal_answers, &audit.illegal_lines, &audit.other_answers, &audit.wrong_mates];
        assert!(faults.iter().all(|fault| fault.count == 0), "{audit:?}");
    }

    #[test]
    fn a_better_move_at_the_very_end_may_be_told_with_a_bound() {
        let hear = |best| {
            let mut searched =
                thinking(BACK_RANK, best, &[("a1b1", Score::Centipawns(5)), ("e1e2", Score::Centipawns(9))]);
            searched.lines[1].bound = Bound::Lower;
            searched.lines.push(Info::default());
            let mut audit = LineAudit::default();
            audit.hear(&searched);
            audit.other_answers.count
        };
        assert_eq!(["a1b1", "e1e2", "e1e3"].map(hear), [0, 0, 1]);
    }

    #[test]
    fn bounds_are_held_against_the_exact_score_of_their_depth() {
        let mut audit = LineAudit::default();
        let line = |depth, bound, score| Info {
            depth: Some(depth),
            bound,
            score: Some(Score::Centipawns(score)),
            ..Info::default()
        };
        let mut searched = thinking(BACK_RANK, "e1e2", &[]);
        searched.lines = vec![
            line(5, Bound::Lower, 40),
            line(5, Bound::Exact, 90),
            line(6, Bound::Upper, 60),
            line(6, Bound::Exact, 20),
            line(7, Bound::Lower, 200),
            line(7, Bound::Exact, 10),
            line(8, Bound::Upper, -50),
        ];
        audit.hear(&searched);
        assert_eq!((audit.bounds, audit.broken_bounds.count), (3, 1));
        assert!(audit.broken_bounds.example.contains("at least 200 cp, then 10 cp"), "{audit:?}");
    }

    #[test]
    fn mates_told_in_half_moves_are_known_by_their_lines() {
        const TWO_ROOKS: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        let hear = |moves| {
            let mut audit = LineAudit::default();
            audit.hear(&thinking(TWO_ROOKS, "a2a7", &[("a2a7 h8g8 b1b8", Score::Mate(moves))]));
            (audit.long_mates, audit.ply_mates.count)
        };
        assert_eq!([hear(2), hear(3), hear(4)], [(1, 0), (1, 1), (1, 0)]);
        let mut audit = LineAudit::default();
        audit.hear(&thinking(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(1))]));
        assert_eq!(audit.long_mates, 0, "a mate in one is one move and one half move");
    }

    #[test]
    fn each_fault_is_counted_as_what_it_is() {
        let mut audit = LineAudit::default();
        audit.hear(&thinking(BACK_RANK, "e1e9", &[]));
        audit.hear(&thinking(BACK_RANK, "", &[]));
        audit.hear(&thinking(BACK_RANK, "e1e8", &[("e1e7 a1a2", Score::Centipawns(1))]));
        audit.hear(&thinking(BACK_RANK, "e1e8", &[("e1e8", Score::Mate(2))]));
        audit.hear(&thinking(BACK_RANK, "e1e2", &[("e1e2", Score::Mate(3))]));
        audit.hear(&thinking("6k1/5p1p/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", &[("e1e8", Score::Mate(1))]));
        let counts = [
            audit.illegal_answers.count,
            audit.missing_answers.count,
            audit.illegal_lines.count,
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
    fn nobody_tells_a_score_who_had_no_time_to_find_one() {
        let hear = |go: &str, elapsed, computed| {
            let (asked, best) = (vec![go.to_owned()], Some("e2e4".to_owned()));
            let mut audit = LineAudit::default();
            audit.hear(&Thinking { asked, best, ..Thinking::of_times(elapsed, computed) });
            audit.silent.count
        };
        assert_eq!([hear("go movetime 400", 410, 50), hear("go wtime 30 btime 30", 30, 30)], [0, 0]);
        assert_eq!([hear("go movetime 400", 410, 400), hear("go depth 3", 2, 0)], [1, 1]);
    }

    #[test]
    fn an_answer_that_is_no_move_is_neither_illegal_nor_missing() {
        let mut audit = LineAudit::default();
        let line = [("e1e8", Score::Mate(1))];
        audit.hear(&Thinking { unreadable: Some("Re8#".to_owned()), ..thinking(BACK_RANK, "", &line) });
        assert_eq!((audit.answers, audit.compared_answers, audit.unreadable_answers.count), (1, 0, 1));
        assert_eq!((audit.missing_answers.count, audit.illegal_answers.count), (0, 0));
        assert!(audit.unreadable_answers.example.starts_with("'bestmove Re8#' in "), "{audit:?}");
    }

    #[test]
    fn lines_are_quoted_with_a_bound() {
        let endless = format!("e1e2 {}", "a1a1 ".repeat(50_000));
        let mut audit = LineAudit::default();
        audit.hear(&thinking(BACK_RANK, "e1e2", &[(&endless, Score::Centipawns(0))]));
        let example = &audit.illegal_lines.example;
        assert!(example.starts_with("a1a1 as half move 2 of the line e1e2 a1a1"), "{example}");
        assert!(example.ends_with('…') && example.len() < 300, "{example}");
    }
}
