//! Exchanges that are longer than one capture: a quiescence search that ends after a few plies saves what needs no saving.
//! Part of the check `leaves`.

use std::time::Duration;

use chess::Position;

use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};

/// Positions and their only good move at depth 1, which a quiescence search that ends after one capture
/// does not find.
const POSITIONS: [(&str, &str); 10] = [
    ("N6k/1p3pp1/1p6/8/rN6/P7/1Pn2PP1/7K w - - 0 1", "a8b6"),
    ("1k6/p5pp/8/1r3p1N/6Pb/8/P4RPP/2K5 w - - 0 1", "f2f5"),
    ("1r5k/5ppp/8/1B6/2P1p3/8/3N1PPP/2K5 w - - 0 1", "d2e4"),
    ("7k/1p3pp1/6r1/8/R3p1N1/7P/1P3PP1/7K w - - 0 1", "a4e4"),
    ("6k1/1p3pp1/1Br5/1pP5/8/3B4/1P3PP1/2K5 w - - 0 1", "d3b5"),
    ("4r1k1/5ppp/8/2r5/8/1p2N3/1R1P1PPP/6K1 w - - 0 1", "b2b3"),
    ("6kq/1p3pp1/8/8/6pN/6P1/1P3PPN/6K1 w - - 0 1", "h2g4"),
    ("6k1/1p3pp1/8/3q4/5p2/1R6/PP3PP1/2B4K w - - 0 1", "c1f4"),
    ("4r2k/p5pp/8/R3p3/3rB3/5P2/P5PP/2K5 w - - 0 1", "a5a7"),
    ("7k/5ppp/5n2/1rB5/3P4/2p5/4NPPP/7K w - - 0 1", "e2c3"),
];

const RATES: TrialRates = TrialRates { sound: 0.12, faulty: 0.6 };
const MIN_ASKED: usize = 8;

/// The positions in both colours, with the moves that are played instead.
fn ask(exam: &mut Examination, list: &[(&str, &str)]) -> Failures {
    let go = exam.go_depth_from(1);
    let mut asked = Failures::default();
    for (fen, word) in list {
        for mirrored in [false, true] {
            let Ok(position) = Position::from_fen(fen) else { continue };
            let Ok(mv) = position.parse_uci(word) else { continue };
            let (here, from, to) = if mirrored {
                (position.color_mirrored(), mv.from().flip_rank(), mv.to().flip_rank())
            } else {
                (position, mv.from(), mv.to())
            };
            if !exam.has_time() {
                return asked;
            }
            let Ok(result) = exam.engine.search_fresh(&here, &go, Duration::from_secs(2)) else { continue };
            let best = result.best.as_deref().and_then(|word| here.parse_uci(word).ok());
            let Some(best) = best.filter(|_| !result.cut_short) else { continue };
            let is_wrong = (best.from(), best.to()) != (from, to);
            asked.add(&result, is_wrong.then(|| format!("{} in {}", best.uci(false), here.to_fen())));
        }
    }
    asked
}

/// Whether quiescence search follows captures to their end.
pub fn exchanges(exam: &mut Examination) -> Finding {
    finding(ask(exam, &POSITIONS))
}

fn finding(asked: Failures) -> Finding {
    const ID: FindingId = FindingId::LeavesExchanges;
    let (count, wrong) = (asked.asked, asked.count());
    if count < MIN_ASKED {
        return Finding::skipped(ID, "too few legal best moves at depth 1");
    }
    let fails = asked.confidence(RATES, true).level > 0.99;
    let summary = match asked.wrong.first() {
        Some(first) if fails => {
            format!(
                "{wrong} of {count} moves at depth 1 need the end of an exchange, and are not found: {first}"
            )
        }
        _ => format!(
            "{} of {count} moves at depth 1 that need the end of an exchange are found",
            count - wrong
        ),
    };
    Finding::new(ID, Verdict::fail_if(fails), summary)
        .effect(wrong as f64)
        .confidence(asked.confidence(RATES, fails))
        .threshold(format!("p < 0.01 against a rate of {:.0} %", 100.0 * RATES.sound))
        .samples(count)
        .repro(if fails { asked.repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_legal() {
        for (fen, word) in POSITIONS {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.parse_uci(word).is_ok(), "{word} in {fen}");
        }
    }

    #[test]
    fn most_wrong_moves_fail() {
        let verdict = |wrong: usize| {
            let wrong = vec!["d5f6".to_owned(); wrong];
            finding(Failures { asked: 20, wrong, ..Failures::default() }).verdict
        };
        assert_eq!([verdict(0), verdict(4), verdict(14)], [Verdict::Pass, Verdict::Pass, Verdict::Fail]);
    }
}
