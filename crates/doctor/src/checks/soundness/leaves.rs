//! Depth 1: obvious moves, and captures of protected pieces.

use std::time::Duration;

use chess::Position;

use super::capture_order::capture_order;
use super::exchanges::exchanges;
use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;

pub const CHECK: Check = Check {
    id: CheckId::Leaves,
    method: "Searches to depth 1: positions with an obvious move (hanging queen, mate, promotion, recapture), and positions \
             where a piece can capture a protected piece of less value, which only a search without quiescence does; positions \
             whose exchanges are longer; and positions full of captures, whose nodes are compared with those of a plain \
             quiescence search.",
    seconds: (10, 16),
    run,
};

/// The move must be played.
const OBVIOUS: [(&str, &str); 8] = [
    ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"),
    ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2b1q"),
    ("rnb1kbnr/pppp1ppp/8/4p3/4q3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d3e4"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "h5f7"),
    ("rnbqk1nr/pppp1ppp/8/2b1p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1", "d4c5"),
    ("rnbqkbnr/ppp2ppp/8/3pp3/4Q3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 1", "d5e4"),
    ("r3k2r/ppp2ppp/2n5/3q4/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1", "c3d5"),
];

/// The capture loses material.
const POISONED: [(&str, &str); 8] = [
    ("4k3/2p1p3/3p4/8/8/8/8/3QK3 w - - 0 1", "d1d6"),
    ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"),
    ("4k3/1p6/2p5/8/8/8/8/2Q1K3 w - - 0 1", "c1c6"),
    ("3rk3/8/8/3n4/8/8/8/3QK3 w - - 0 1", "d1d5"),
    ("4k3/6p1/5p2/8/8/8/8/4KR2 w - - 0 1", "f1f6"),
    ("4k3/3b4/2p5/8/8/8/8/2R1K3 w - - 0 1", "c1c6"),
    ("4k3/pp6/2n5/8/8/8/8/2Q1K3 w - - 0 1", "c1c6"),
    ("4k1r1/8/8/6p1/8/8/8/4K1Q1 w - - 0 1", "g1g5"),
];

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let obvious = ask(exam, &OBVIOUS, true);
    let poisoned = ask(exam, &POISONED, false);
    Ok(vec![
        evaluate(&DEPTH_ONE, obvious),
        evaluate(&CAPTURES, poisoned),
        exchanges(exam),
        capture_order(exam),
    ])
}

struct Question {
    id: FindingId,
    good: &'static str,
    fail_from: usize,
    threshold: &'static str,
    rates: TrialRates,
}

const DEPTH_ONE: Question = Question {
    id: FindingId::LeavesDepthOne,
    good: "obvious move found at depth 1",
    fail_from: 8,
    threshold: "8 obvious moves missed",
    rates: TrialRates { sound: 0.1, faulty: 0.75 },
};

const CAPTURES: Question = Question {
    id: FindingId::LeavesCaptures,
    good: "losing capture avoided at depth 1",
    fail_from: 3,
    threshold: "3 losing captures played",
    rates: TrialRates { sound: 0.03, faulty: 0.4 },
};

/// Both colours of each position.
fn ask(exam: &mut Examination, list: &[(&str, &str)], wanted: bool) -> Failures {
    let go = exam.go_depth_from(1);
    let mut asked = Failures::default();
    for (fen, word) in list {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let Ok(mv) = position.parse_uci(word) else { continue };
        for mirrored in [false, true] {
            let here = if mirrored { position.color_mirrored() } else { position };
            let Ok(result) = exam.engine.search_fresh(&here, &go, Duration::from_secs(2)) else {
                continue;
            };
            let Some(best) = result.best.as_deref().and_then(|word| here.parse_uci(word).ok()) else {
                continue;
            };
            let unmirrored = if mirrored {
                (best.from().flip_rank(), best.to().flip_rank())
            } else {
                (best.from(), best.to())
            };
            let is_wrong = (unmirrored == (mv.from(), mv.to())) != wanted;
            asked.add(&result, is_wrong.then(|| format!("{best:?} in {}", here.to_fen())));
        }
    }
    asked
}

fn evaluate(question: &Question, asked: Failures) -> Finding {
    let Question { id, good, fail_from, threshold, rates } = *question;
    if asked.asked < fail_from {
        return Finding::skipped(id, "too few legal best moves");
    }
    let (wrong, count) = (asked.count(), asked.asked);
    let summary = match asked.wrong.first() {
        None => format!("{good} in all {count} positions"),
        Some(first) => format!("{good} in {} of {count} positions; first miss: {first}", count - wrong),
    };
    let fails = wrong >= fail_from;
    Finding::new(id, Verdict::fail_if(fails), summary)
        .effect(wrong as f64)
        .confidence(asked.confidence(rates, fails))
        .threshold(threshold)
        .samples(count)
        .repro(asked.repro)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_legal() {
        for (fen, word) in OBVIOUS.iter().chain(&POISONED) {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.parse_uci(word).is_ok(), "{word} in {fen}");
        }
    }
}
