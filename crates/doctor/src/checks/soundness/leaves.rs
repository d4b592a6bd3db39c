//! The first iteration and the leaves: `go depth 1` answers, and captures that must not be believed unseen.

use std::time::Duration;

use chess::Position;

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, alarm_if};
use crate::patient::Trouble;
use crate::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "leaves",
    group: Group::Soundness,
    title: "depth 1, and quiescence at the leaves",
    method: "At depth 1: positions with one move that anybody sees (a free queen, a mate, a promotion, a recapture), and \
             positions in which a protected man can be taken by a greater one, which only a search without quiescence \
             does.",
    seconds: (6, 10),
    run,
};

/// One move that anybody sees.
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

/// A capture that loses: the man is protected.
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

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let obvious = ask(exam, &OBVIOUS, true);
    let poisoned = ask(exam, &POISONED, false);
    Ok(vec![judge(&DEPTH_ONE, obvious), judge(&CAPTURES, poisoned)])
}

/// What is asked of a list.
struct Question {
    what: &'static str,
    good: &'static str,
    alarm_from: usize,
    threshold: &'static str,
    rates: Rates,
}

const DEPTH_ONE: Question = Question {
    what: "depth-one",
    good: "finds the obvious move at depth 1",
    alarm_from: 8,
    threshold: "half of the obvious moves missed",
    rates: Rates { sound: 0.1, faulty: 0.75 },
};

const CAPTURES: Question = Question {
    what: "captures",
    good: "leaves protected men alone at depth 1",
    alarm_from: 3,
    threshold: "three protected men taken by greater ones",
    rates: Rates { sound: 0.03, faulty: 0.4 },
};

/// Both colours of each position: the move must be, or must not be, the one given.
fn ask(exam: &mut Examination, list: &[(&str, &str)], wanted: bool) -> Failures {
    let mut asked = Failures::default();
    for (fen, word) in list {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let Ok(mv) = position.parse_uci(word) else { continue };
        for mirrored in [false, true] {
            let here = if mirrored { position.color_mirrored() } else { position };
            let Ok(thinking) = exam.patient.search_fresh(&here, "go depth 1", Duration::from_secs(2)) else {
                continue;
            };
            let Some(best) = thinking.best.as_deref().and_then(|word| here.parse_uci(word).ok()) else {
                continue;
            };
            let unmirrored = if mirrored {
                (best.from().flip_rank(), best.to().flip_rank())
            } else {
                (best.from(), best.to())
            };
            let is_wrong = (unmirrored == (mv.from(), mv.to())) != wanted;
            asked.add(&thinking, is_wrong.then(|| format!("{best:?} in {}", here.to_fen())));
        }
    }
    asked
}

fn judge(question: &Question, asked: Failures) -> Finding {
    let Question { what, good, alarm_from, threshold, rates } = *question;
    if asked.asked < alarm_from {
        return Finding::unmeasured("leaves", what, "too few searches were answered with a legal move");
    }
    let (wrong, count) = (asked.count(), asked.asked);
    let summary = match asked.wrong.first() {
        None => format!("{good} in all {count} positions"),
        Some(first) => format!("{good} in {} of {count} positions; not {first}", count - wrong),
    };
    let alarm = wrong >= alarm_from;
    Finding::new("leaves", what, alarm_if(alarm), summary)
        .effect("wrong moves", wrong as f64, "")
        .sure(asked.sureness(rates, alarm))
        .threshold(threshold)
        .samples(count)
        .repro(asked.repro)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_that_is_asked_for_is_legal() {
        for (fen, word) in OBVIOUS.iter().chain(&POISONED) {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.parse_uci(word).is_ok(), "{word} in {fen}");
        }
    }
}
