//! Zugzwang: null move pruning in pawn endings misses it.

use std::time::Duration;

use chess::Position;
use uci::Score;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::TrialRates;
use crate::failures::{Failures, unfinished_searches};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::Zugzwang,
    method: "Searches zugzwang positions with known results to a depth at which a sound search solves them easily. Scores are \
             scaled by the engine's score for queen odds.",
    seconds: (10, 30),
    run,
};

/// The expected score, in centipawns with a queen of [`QUEEN`].
#[derive(Clone, Copy)]
enum Expected {
    /// For the side to move, in moves.
    MateWithin(i32),
    Above(i32),
    Below(i32),
}

const POSITIONS: [(&str, u32, Expected); 10] = [
    ("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 18, Expected::MateWithin(6)),
    ("8/8/1P6/8/p7/8/3K4/1k6 w - - 0 1", 18, Expected::MateWithin(8)),
    // Trebuchet.
    ("8/8/8/2pK4/1kP5/8/8/8 b - - 0 1", 14, Expected::Below(-100)),
    ("8/8/8/2pK4/1kP5/8/8/8 w - - 0 1", 14, Expected::Below(-100)),
    // Random pawn endings that an unsound null move gets wrong; Stockfish, Ethereal and Toga II agree.
    ("8/3p4/8/8/6K1/8/1Pk5/8 b - - 0 1", 13, Expected::Above(300)),
    ("4K3/6p1/8/4p3/8/4P3/4kP2/8 w - - 0 1", 13, Expected::Below(-750)),
    ("8/8/1P1K4/5p2/5P1k/8/8/8 b - - 0 1", 13, Expected::Below(-1550)),
    ("8/4K3/1P6/6p1/8/4k3/7p/8 b - - 0 1", 13, Expected::Above(1550)),
    // Opposition with the king on the sixth rank.
    ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 14, Expected::Below(-200)),
    ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 12, Expected::Above(100)),
];

/// Queen odds, and the score of the engines with which the bounds were set.
const QUEEN_ODDS: &str = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const QUEEN: f64 = 900.0;

/// The engine's scale relative to the bounds, at most 1.
fn scale(exam: &mut Examination) -> f64 {
    let searched = Position::from_fen(QUEEN_ODDS).ok().and_then(|position| {
        exam.engine.search_fresh(&position, "go depth 4", exam.cap(Duration::from_secs(2))).ok()
    });
    scale_by(searched.as_ref())
}

fn scale_by(queen_odds: Option<&SearchOutput>) -> f64 {
    match queen_odds.and_then(SearchOutput::score) {
        Some(Score::Centipawns(score)) if score > 0 => (f64::from(score) / QUEEN).clamp(0.01, 1.0),
        _ => 1.0,
    }
}

impl Expected {
    fn holds(self, result: &SearchOutput, scale: f64) -> Option<bool> {
        let score = result.centipawns()?;
        let scaled = |bound: i32| (f64::from(bound) * scale) as i32;
        Some(match self {
            Self::MateWithin(moves) => {
                let is_mate =
                    matches!(result.score(), Some(Score::Mate(found)) if found > 0 && found <= moves);
                // Mates as centipawns are another finding.
                is_mate || score > 0 && result.is_mate_as_centipawns()
            }
            Self::Above(bound) => score > scaled(bound),
            Self::Below(bound) => score < scaled(bound),
        })
    }
}

/// `None` for an unfinished search, unless it found a mate.
fn is_solved(result: &SearchOutput, depth: u32, expected: Expected, scale: f64) -> Option<bool> {
    let right = expected.holds(result, scale)?;
    let found_mate = matches!(result.score(), Some(Score::Mate(_))) || result.is_mate_as_centipawns();
    (result.has_finished(depth) || right && found_mate).then_some(right)
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let scale = scale(exam);
    let mut scores = Failures::default();
    for (fen, depth, expected) in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let go = format!("go depth {depth}");
        let cap = exam.cap(Duration::from_secs(exam.pick(2, 6)));
        let Ok(result) = exam.engine.search_fresh(&position, &go, cap) else { continue };
        let Some(right) = is_solved(&result, depth, expected, scale) else {
            scores.unfinished += usize::from(!result.has_finished(depth));
            continue;
        };
        let case = || format!("{} at depth {} in {fen}", result.score_text(), result.depth());
        scores.add(&result, (!right).then(case));
    }
    let (asked, unfinished, wrong) = (scores.asked, scores.unfinished, scores.count());
    if asked < 4 {
        let why = unfinished_searches(asked, unfinished);
        return Ok(vec![Finding::skipped(FindingId::ZugzwangSolved, why)]);
    }
    let summary = match scores.wrong.first() {
        None => format!("solved all {asked} zugzwang positions"),
        Some(first) => format!("missed {wrong} of {asked} zugzwang positions: {first}"),
    };
    let fails = wrong >= MIN_MISSED && 2 * wrong >= asked;
    let verdict = if fails { Verdict::Fail } else { Verdict::warn_if(wrong > 0) };
    let finding = Finding::new(FindingId::ZugzwangSolved, verdict, summary)
        .effect(wrong as f64)
        .confidence(scores.confidence(RATES, fails))
        .threshold(format!("half of the positions, and at least {MIN_MISSED}, missed; one is a warning"))
        .samples(asked)
        .measure(Measure::ScoreScale, scale)
        .repro(scores.repro);
    Ok(vec![finding])
}

/// Reductions hide one or two in sound engines; an unsound null move misses half.
const MIN_MISSED: usize = 3;
const RATES: TrialRates = TrialRates { sound: 0.15, faulty: 0.5 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_search_counts_only_with_a_mate() {
        let solved = |score, expected, cut_short| {
            is_solved(&SearchOutput::with_line(9, score, 1, cut_short), 13, expected, 1.0)
        };
        let (mate, score) = (Score::Mate(5), Score::Centipawns(1700));
        assert_eq!(solved(mate, Expected::MateWithin(6), true), Some(true));
        assert_eq!(solved(mate, Expected::Above(300), true), Some(true));
        assert_eq!(solved(Score::Mate(9), Expected::MateWithin(6), true), None, "may still improve");
        assert_eq!(solved(mate, Expected::Below(-100), true), None);
        assert_eq!(solved(score, Expected::Above(300), true), None, "unfinished");
        assert_eq!(solved(score, Expected::Above(300), false), Some(true));
        assert_eq!(solved(score, Expected::Below(-100), false), Some(false));
    }

    #[test]
    fn scores_are_scaled() {
        let result = |score| SearchOutput::with_line(13, Score::Centipawns(score), 1, false);
        let won = |score, scale| Expected::Above(1550).holds(&result(score), scale);
        assert_eq!([won(1700, 1.0), won(400, 1.0), won(400, 0.2)], [Some(true), Some(false), Some(true)]);
        assert!((scale_by(Some(&result(180))) - 0.2).abs() < 1e-9);
        // Never above 1.
        for odds in [Some(&result(2000)), Some(&result(-50)), None] {
            assert!((scale_by(odds) - 1.0).abs() < 1e-9);
        }
    }
}
