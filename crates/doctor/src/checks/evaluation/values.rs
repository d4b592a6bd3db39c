//! Piece values compared with each other: the exchange, a queen against a rook, a bishop against a knight, each with equal
//! pawns. Such positions are common in games, unlike odds from the starting position. Part of the check `odds`.

use std::time::Duration;

use chess::Position;

use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::confidence::{BoundSide, Confidence, TrialRates};
use crate::finding::{Finding, Verdict};
use crate::samples::mean;

/// The white and the black piece, their squares in the structures, and what is compared.
struct Pair {
    white: (char, &'static str),
    black: (char, &'static str),
    what: &'static str,
    /// Whether White's is worth more; else both are worth about the same.
    is_greater: bool,
}

const PAIRS: [Pair; 5] = [
    Pair { white: ('R', "e1"), black: ('n', "f6"), what: "a rook and a knight", is_greater: true },
    Pair { white: ('R', "e1"), black: ('b', "d7"), what: "a rook and a bishop", is_greater: true },
    Pair { white: ('Q', "d2"), black: ('r', "f8"), what: "a queen and a rook", is_greater: true },
    Pair { white: ('Q', "d2"), black: ('n', "f6"), what: "a queen and a knight", is_greater: true },
    Pair { white: ('N', "f3"), black: ('b', "d7"), what: "a knight and a bishop", is_greater: false },
];

/// Equal material; the squares of the pairs are free, and nothing is attacked on them.
const STRUCTURES: [&str; 3] = [
    "6k1/5ppp/pp2p3/8/8/PP2P3/5PPP/6K1",
    "r5k1/5ppp/1pp5/p7/P7/1PP5/5PPP/R5K1",
    "r5k1/pp3ppp/2n5/8/8/2N5/PP3PPP/R5K1",
];

/// Searches of one pair in which the greater piece is behind: none in sound engines.
const RATES: TrialRates = TrialRates { sound: 0.1, faulty: 0.7 };

/// Centipawns by which a knight and a bishop may differ.
const MAX_DIFFERENCE: f64 = 200.0;

const MIN_SEARCHES: usize = 6;

fn with_pair(structure: &str, pair: &Pair, turn: &str) -> Option<Position> {
    let position = Position::from_fen(&format!("{structure} {turn} - - 0 1")).ok()?;
    [pair.white, pair.black].into_iter().try_fold(position, |position, (piece, square)| {
        let square = square.parse().ok()?;
        let free = position.piece_at(square).is_none();
        free.then(|| crate::samples::with_piece(&position, square, piece)).flatten()
    })
}

/// Each pair in each structure, with either side to move, and with colours swapped.
fn all(pair: &Pair) -> impl Iterator<Item = (Position, bool)> {
    let both = STRUCTURES.iter().flat_map(|structure| ["w", "b"].map(|turn| (structure, turn)));
    let positions =
        both.filter_map(|(structure, turn)| Some((with_pair(structure, pair, turn)?, turn == "w")));
    positions.flat_map(|(position, is_white)| [(position, is_white), (position.color_mirrored(), is_white)])
}

/// Scores of one pair from the point of view of the first piece.
struct Scores<'a> {
    pair: &'a Pair,
    values: Vec<f64>,
    repro: Vec<String>,
}

impl Scores<'_> {
    fn wrong(&self) -> usize {
        let is_wrong = |score: f64| {
            if self.pair.is_greater { score < 0.0 } else { score.abs() > MAX_DIFFERENCE }
        };
        self.values.iter().filter(|&&score| is_wrong(score)).count()
    }

    fn is_failure(&self) -> bool {
        self.values.len() >= MIN_SEARCHES && 2 * self.wrong() > self.values.len()
    }

    fn confidence(&self) -> Confidence {
        let wrong = Confidence::of_failures(self.wrong(), self.values.len(), RATES, true);
        if self.pair.is_greater {
            wrong.and(Confidence::of_mean(&self.values, 0.0, BoundSide::Below))
        } else {
            wrong
        }
    }

    fn text(&self) -> String {
        let what = self.pair.what;
        let average = mean(&self.values);
        let count = self.values.len();
        if self.pair.is_greater {
            format!(
                "the difference between {what} is {average:+.0} cp on average; {} of {count} are negative",
                self.wrong()
            )
        } else {
            format!("{what} differ by {average:+.0} cp on average")
        }
    }
}

fn measure<'a>(exam: &mut Examination, pair: &'a Pair) -> Scores<'a> {
    let go = exam.go_depth_from(1);
    let mut scores = Scores { pair, values: Vec::new(), repro: Vec::new() };
    for (position, is_first) in all(pair) {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let Ok(result) = exam.engine.search_fresh(&position, &go, cap) else { continue };
        let Some(score) = result.centipawns().filter(|_| !result.cut_short) else { continue };
        if scores.repro.is_empty() {
            scores.repro = result.repro();
        }
        let score = f64::from(score.clamp(-2000, 2000));
        scores.values.push(if is_first { score } else { -score });
    }
    scores
}

/// Whether greater pieces are worth more, and minor pieces about the same.
pub fn values(exam: &mut Examination) -> Finding {
    const ID: FindingId = FindingId::OddsValues;
    let all: Vec<Scores> = PAIRS.iter().map(|pair| measure(exam, pair)).collect();
    let count = all.iter().map(|scores| scores.values.len()).sum();
    if all.iter().any(|scores| scores.values.len() < MIN_SEARCHES) {
        return Finding::skipped(ID, "too few searches in time");
    }
    finding(&all, count)
}

fn finding(all: &[Scores], count: usize) -> Finding {
    let wrong: Vec<&Scores> = all.iter().filter(|scores| scores.is_failure()).collect();
    let summary = if wrong.is_empty() {
        let parts: Vec<String> = all
            .iter()
            .map(|scores| format!("{} {:+.0} cp", scores.pair.what, mean(&scores.values)))
            .collect();
        format!("differences between {}", parts.join(", "))
    } else {
        wrong.iter().map(|scores| scores.text()).collect::<Vec<_>>().join("; ")
    };
    let fails = !wrong.is_empty();
    let passed = || Confidence::of_failures(all.iter().map(Scores::wrong).sum(), count, RATES, false);
    let failed = wrong.iter().map(|scores| scores.confidence()).reduce(Confidence::or);
    let confidence = failed.unwrap_or_else(passed);
    Finding::new(FindingId::OddsValues, Verdict::fail_if(fails), summary)
        .effect(wrong.len() as f64)
        .confidence(confidence)
        .threshold(format!(
            "the greater piece behind in half of the positions, or a knight and a bishop that differ by more than \
             {MAX_DIFFERENCE:.0} cp in half of them"
        ))
        .samples(count)
        .repro(wrong.first().map(|scores| scores.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_stand_in_all_structures() {
        for pair in &PAIRS {
            let all: Vec<_> = all(pair).collect();
            assert_eq!(all.len(), 4 * STRUCTURES.len(), "{}", pair.what);
            for (position, _) in all {
                let takes = |square: &str| {
                    let here: chess::Square = square.parse().expect("a square");
                    // The pieces of mirrored positions stand on the other side.
                    [here, here.flip_rank()].into_iter().any(|target| {
                        position.piece_at(target).is_some()
                            && position.legal_moves().into_iter().any(|mv| mv.to() == target)
                    })
                };
                let hangs = [pair.white.1, pair.black.1].into_iter().any(takes);
                assert!(!position.in_check() && !hangs, "{} in {}", pair.what, position.to_fen());
            }
        }
    }

    fn verdict(values: [f64; 5]) -> Verdict {
        let scores = PAIRS.iter().zip(values).map(|(pair, value)| Scores {
            pair,
            values: (0..12).map(|number| value + f64::from(number)).collect(),
            repro: Vec::new(),
        });
        finding(&scores.collect::<Vec<_>>(), 60).verdict
    }

    #[test]
    fn a_piece_of_the_wrong_value_fails() {
        assert_eq!(verdict([180.0, 170.0, 450.0, 630.0, -10.0]), Verdict::Pass);
        assert_eq!(verdict([-270.0, -280.0, 900.0, 630.0, -10.0]), Verdict::Fail, "a rook of 50");
        assert_eq!(verdict([180.0, 480.0, 450.0, 630.0, 290.0]), Verdict::Fail, "a bishop of 33");
        assert_eq!(verdict([180.0, 170.0, -400.0, -225.0, -10.0]), Verdict::Fail, "a queen of 95");
    }
}
