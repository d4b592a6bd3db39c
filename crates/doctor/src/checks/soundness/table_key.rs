//! Whether the hash key tells positions apart that have the same men: by the side to move, by castling rights, by the square of
//! a capture in passing. A part of the check of the table.

use std::time::{Duration, Instant};

use chess::{Position, Role, Square};
use uci::info::Score;

use crate::check::Examination;
use crate::finding::{Finding, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::retrace::one_after_the_other;
use crate::samples::with_man;
use crate::sureness::{Rates, Sureness};

/// Mates in two by one quiet move, each with its twin: the position after that move, as an engine must not take it for. All
/// were found by trying out every line; the test tries them again.
struct Pairs {
    /// What a key must tell apart.
    what: &'static str,
    /// The mate, and the twin of the position after its first move.
    pairs: &'static [(&'static str, &'static str)],
}

const ALL: [Pairs; 3] = [
    // After the move it would be the mover's turn again: mate at once, from the other view.
    Pairs {
        what: "the side to move",
        pairs: &[
            ("8/2Q5/k7/5P2/K1p5/8/6p1/N7 w - - 0 1", "8/2Q5/k7/5P2/K1p5/8/2N3p1/8 w - - 0 1"),
            ("4RK2/7k/8/8/8/4N3/5N2/8 w - - 0 1", "5K2/7k/4R3/8/8/4N3/5N2/8 w - - 0 1"),
            ("8/7Q/8/8/k7/3P3p/4Q3/4K3 w - - 0 1", "8/7Q/8/8/k7/3P3p/1Q6/4K3 w - - 0 1"),
            ("1k6/N5p1/2PR4/K7/8/8/8/8 w - - 0 1", "1k6/N5p1/1KPR4/8/8/8/8/8 w - - 0 1"),
            ("8/8/8/P5Q1/8/2NK4/5k2/8 w - - 0 1", "8/8/8/P5Q1/8/3K4/4Nk2/8 w - - 0 1"),
            ("8/8/8/2Q5/7k/4R3/8/5K2 w - - 0 1", "8/8/8/2Q5/7k/4R3/6K1/8 w - - 0 1"),
            ("8/8/8/8/8/2K5/7Q/5k2 w - - 0 1", "8/8/8/8/8/3K4/7Q/5k2 w - - 0 1"),
            ("8/8/8/7k/5K2/8/8/R7 w - - 0 1", "8/8/R7/7k/5K2/8/8/8 w - - 0 1"),
        ],
    },
    // With the right to castle the king would get away.
    Pairs {
        what: "castling rights",
        pairs: &[
            ("4k2r/1R6/P7/8/1K1P4/8/8/8 w - - 0 1", "4k2r/PR6/8/8/1K1P4/8/8/8 b k - 0 1"),
            ("4k2r/1P6/8/2Rp4/7p/8/1K2p3/8 w - - 0 1", "4k2r/1PR5/8/3p4/7p/8/1K2p3/8 b k - 0 1"),
            ("K3k2r/8/8/8/8/8/3Q4/2Q5 w - - 0 1", "K3k2r/2Q5/8/8/8/8/3Q4/8 b k - 0 1"),
            ("4k2r/R1K5/1Q6/8/8/6P1/8/8 w - - 0 1", "2K1k2r/R7/1Q6/8/8/6P1/8/8 b k - 0 1"),
            ("4k2r/1P5p/p2P1K2/2p1B3/8/8/8/8 w - - 0 1", "4k2r/1P5p/p2PK3/2p1B3/8/8/8/8 b k - 0 1"),
            ("4k2r/8/6P1/2Kp4/8/8/1Q6/8 w - - 0 1", "4k2r/8/3K2P1/3p4/8/8/1Q6/8 b k - 0 1"),
        ],
    },
    // Had the pawn come by a double step, it could be captured in passing.
    Pairs {
        what: "the square of a capture in passing",
        pairs: &[
            ("K3Q3/4R3/3k4/3P4/2p5/3P4/8/8 w - - 0 1", "K3Q3/4R3/3k4/3P4/2pP4/8/8/8 b - d3 0 1"),
            ("6K1/6Q1/kpB5/4p3/p3p3/1P6/8/8 w - - 0 1", "6K1/6Q1/kpB5/4p3/pP2p3/8/8/8 b - b3 0 1"),
            ("8/3N2K1/8/5pBk/6p1/5P2/1P1pp3/8 w - - 0 1", "8/3N2K1/8/5pBk/5Pp1/8/1P1pp3/8 b - f3 0 1"),
            ("4K3/1B6/3k4/Q7/2p5/3P4/8/8 w - - 0 1", "4K3/1B6/3k4/Q7/2pP4/8/8/8 b - d3 0 1"),
            ("8/6N1/2Q5/k7/1p3K2/2P5/8/8 w - - 0 1", "8/6N1/2Q5/k7/1pP2K2/8/8/8 b - c3 0 1"),
        ],
    },
];

/// Depths to see the mates at, which are three half moves long: searches that leave much out need more.
const DEPTHS: [u32; 3] = [6, 10, 14];

/// Mates that must be lost to one kind of twin, and one of so many: one or two are lost to the luck of a search now and then, since
/// what a twin leaves in the table of positions that both lead to changes what is left out.
const LEAST_LOST: usize = 3;
const LEAST_SHARE: usize = 3;

/// Mates lost to one kind that are worth knowing.
const NOTED: usize = 2;

/// How often luck loses a mate, and a key that leaves something out.
const RATES: Rates = Rates { sound: 0.08, faulty: 0.4 };

/// Pairs of one kind that were asked, and what was lost.
#[derive(Default)]
struct Kind {
    what: &'static str,
    asked: usize,
    lost: Vec<String>,
    repro: Vec<String>,
}

impl Kind {
    /// Counts a pair: the mate is seen with an empty table, and must be seen with the twin in it.
    fn judge(&mut self, fresh: &Thinking, after: &Thinking) {
        if fresh.cut_short || after.cut_short || !tells_mate(fresh) {
            return;
        }
        self.asked += 1;
        if !tells_mate(after) {
            if self.lost.is_empty() {
                self.repro = one_after_the_other(&fresh.repro(), &after.repro());
            }
            self.lost.push(format!(
                "{} instead of mate 2 in {}",
                after.score_text(),
                after.position.to_fen()
            ));
        }
    }

    fn is_alarm(&self) -> bool {
        self.lost.len() >= LEAST_LOST && LEAST_SHARE * self.lost.len() >= self.asked
    }
}

/// Searches every pair and judges.
pub fn key(exam: &mut Examination) -> Finding {
    if !exam.patient.offers("Hash") {
        return Finding::unmeasured("table", "key", "the engine offers no option 'Hash'");
    }
    let mut kinds = Vec::new();
    let deadline = exam.deadline;
    for (number, Pairs { what, pairs }) in ALL.iter().enumerate() {
        // An equal part for each kind of what is left of half of the time.
        let parts = (2 * ALL.len() - number) as u32;
        exam.deadline = Instant::now() + deadline.saturating_duration_since(Instant::now()) / parts;
        let mut kind = Kind { what, ..Kind::default() };
        for (mate, twin) in *pairs {
            if !exam.goes_on() {
                break;
            }
            let (Ok(mate), Ok(twin)) = (Position::from_fen(mate), Position::from_fen(twin)) else { continue };
            let Some(cousin) = cousin(&twin) else { continue };
            if let Ok(Some((fresh, after))) = search_pair(exam, &mate, &twin, &cousin) {
                kind.judge(&fresh, &after);
            }
        }
        kinds.push(kind);
    }
    exam.deadline = deadline;
    finding(&kinds)
}

/// The mate with an empty table and with its twin in it. A mate is lost to the twin that is lost at two depths, since one can be
/// missed by a hair. `None` where it is not seen with an empty table, or is lost after a cousin too: then what was learned of
/// the order of moves hides it, not the key.
fn search_pair(
    exam: &mut Examination,
    mate: &Position,
    twin: &Position,
    cousin: &Position,
) -> Result<Option<(Thinking, Thinking)>, Trouble> {
    let cap = exam.cap(Duration::from_secs(2));
    let patient = &mut exam.patient;
    let mut seen = None;
    for depth in DEPTHS {
        let fresh = patient.search_fresh(mate, &format!("go depth {depth}"), cap)?;
        if tells_mate(&fresh) && !fresh.cut_short {
            seen = Some((fresh, depth));
            break;
        }
    }
    let Some((fresh, depth)) = seen else { return Ok(None) };
    let mut after = |before: &Position, depth: u32| {
        // An entry of what comes before must be deep enough for any use.
        patient.search_fresh(before, &format!("go depth {}", depth + 1), cap)?;
        patient.search(mate, &format!("go depth {depth}"), cap)
    };
    for depth in [depth, depth + 1] {
        let after_twin = after(twin, depth)?;
        if tells_mate(&after_twin) {
            return Ok(Some((fresh, after_twin)));
        }
        if !tells_mate(&after(cousin, depth)?) {
            return Ok(None);
        }
    }
    let after_twin = after(twin, depth)?;
    Ok(Some((fresh, after_twin)))
}

/// The twin with a pawn more, out of the way: it teaches a search nearly the same, and no key can take one for the other.
fn cousin(twin: &Position) -> Option<Position> {
    let squares = Square::all().filter(|square| (1..3).contains(&square.rank().index()));
    let free = squares.filter(|&square| twin.piece_at(square).is_none());
    let kings = twin.role(Role::King);
    let farthest = free.max_by_key(|square| {
        let distances = kings.into_iter().map(|king| king.file().index().abs_diff(square.file().index()));
        distances.min()
    })?;
    with_man(twin, farthest, 'P')
}

fn tells_mate(thinking: &Thinking) -> bool {
    thinking.score() == Some(Score::Mate(2))
}

fn finding(kinds: &[Kind]) -> Finding {
    let asked: usize = kinds.iter().map(|kind| kind.asked).sum();
    if asked < 6 {
        return Finding::unmeasured("table", "key", "too few of the mates were seen with an empty table");
    }
    let mixed: Vec<&Kind> = kinds.iter().filter(|kind| kind.is_alarm()).collect();
    // The kind that is mixed up most; without one, all together.
    let worst = mixed.iter().max_by_key(|kind| kind.lost.len());
    let (lost, of) = match worst {
        Some(kind) => (kind.lost.len(), kind.asked),
        None => (kinds.iter().map(|kind| kind.lost.len()).sum(), asked),
    };
    let summary = match worst {
        None => {
            let told = kinds.iter().map(|kind| format!("{} {}", kind.asked, kind.what)).collect::<Vec<_>>();
            format!(
                "{} of {asked} mates are seen also after a position with the same men (that differs in: {})",
                asked - lost,
                told.join(", ")
            )
        }
        Some(kind) => format!(
            "positions that differ in {} alone are mixed up: {lost} of {of} mates are lost once such a twin is in the table: {}",
            mixed.iter().map(|kind| kind.what).collect::<Vec<_>>().join(" or in "),
            kind.lost[0]
        ),
    };
    let alarm = worst.is_some();
    let is_noted = kinds.iter().any(|kind| kind.lost.len() >= NOTED);
    let verdict = if is_noted { alarm_if(alarm).max(Verdict::Notice) } else { alarm_if(alarm) };
    Finding::new("table", "key", verdict, summary)
        .effect("mates lost to a twin", lost as f64, "")
        .sure(Sureness::of_failures(lost, of, RATES, alarm))
        .threshold("three mates, and a third of all, lost to twins of one kind; two are worth knowing")
        .samples(of)
        .repro(worst.map(|kind| kind.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_mate(position: &Position) -> bool {
        position.in_check() && !position.has_legal_move()
    }

    fn mates_at_once(position: &Position) -> bool {
        position.legal_moves().into_iter().any(|mv| is_mate(&position.after(mv)))
    }

    /// Whether every answer allows mate at once.
    fn is_lost(position: &Position) -> bool {
        position.has_legal_move()
            && position.legal_moves().into_iter().all(|mv| mates_at_once(&position.after(mv)))
    }

    fn men(position: &Position) -> String {
        position.to_fen().split(' ').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn every_mate_has_one_first_move_and_its_twin_tells_another_story() {
        for (mate, twin) in ALL.iter().flat_map(|kind| kind.pairs) {
            let (position, twin) = (Position::from_fen(mate), Position::from_fen(twin));
            let (position, twin) = (position.expect("valid"), twin.expect("valid"));
            let keys: Vec<_> =
                position.legal_moves().into_iter().filter(|&mv| is_lost(&position.after(mv))).collect();
            assert_eq!(keys.len(), 1, "{mate}");
            let after = position.after(keys[0]);
            assert_eq!(men(&after), men(&twin), "{mate}");
            assert!(!mates_at_once(&position) && !after.in_check(), "{mate}");
            assert!(twin.turn() != after.turn() || !is_lost(&twin), "{mate}");
        }
    }

    #[test]
    fn every_twin_has_a_cousin_that_keeps_what_makes_it_one() {
        for (_, twin) in ALL.iter().flat_map(|kind| kind.pairs) {
            let twin = Position::from_fen(twin).expect("valid");
            let cousin = cousin(&twin).expect("a free square");
            let state = |position: &Position| {
                position.to_fen().split(' ').skip(1).take(3).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(cousin.occupied().count(), twin.occupied().count() + 1);
            assert_eq!((state(&cousin), cousin.in_check()), (state(&twin), twin.in_check()));
        }
    }

    fn seen(score: Score) -> Thinking {
        Thinking::of_line(DEPTHS[0], score, 100, false)
    }

    #[test]
    fn mates_lost_to_twins_of_one_kind_are_an_alarm() {
        let verdict = |asked: usize, lost: [usize; 3]| {
            let kind = |lost: usize| {
                let mut kind = Kind { what: "castling rights", ..Kind::default() };
                for number in 0..asked {
                    let after = if number < lost { Score::Centipawns(300) } else { Score::Mate(2) };
                    kind.judge(&seen(Score::Mate(2)), &seen(after));
                }
                kind
            };
            finding(&lost.map(kind)).verdict
        };
        assert_eq!(verdict(5, [0, 0, 0]), Verdict::Sound);
        assert_eq!(verdict(5, [1, 1, 1]), Verdict::Sound, "each by chance");
        assert_eq!(verdict(5, [0, 3, 0]), Verdict::Alarm);
        assert_eq!(verdict(5, [0, 2, 0]), Verdict::Notice, "luck or not");
        assert_eq!(verdict(10, [0, 3, 0]), Verdict::Notice, "a few of many");
    }

    #[test]
    fn a_mate_that_an_empty_table_does_not_show_says_nothing() {
        let mut kind = Kind::default();
        for _ in 0..8 {
            kind.judge(&seen(Score::Mate(3)), &seen(Score::Centipawns(0)));
        }
        assert_eq!(finding(&[kind]).verdict, Verdict::Unmeasured);
    }
}
