//! What an unfinished iteration leaves. A search with fewer nodes is the beginning of one with more, so an engine that
//! repeats its searches must end with a move and a score of the iterations around its limit. Part of the check `limits`.

use std::time::Duration;

use chess::{Position, Role, Square};
use uci::{Bound, Info};

use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::confidence::TrialRates;
use crate::failures::{Failures, too_few};
use crate::finding::{Finding, Verdict};
use crate::samples::{NO_PIECE, openings, with_piece};
use crate::search_output::SearchOutput;

/// Nodes of the complete search.
const NODES: u64 = 30_000;

/// Centipawns by which a score may differ from those of both iterations: moves that are searched completely count.
const TOLERANCE: i32 = 100;

/// Where between two iterations the search is ended.
const PARTS: [f64; 3] = [0.15, 0.4, 0.7];

const RATES: TrialRates = TrialRates { sound: 0.08, faulty: 0.4 };
const MIN_ASKED: usize = 8;

/// Openings in which the side to move is a knight or a bishop down: a score of zero is wrong there.
fn worse_positions(count: usize) -> Vec<Position> {
    let without_minor = |position: &Position| {
        let is_own_minor = |square: &Square| {
            position.piece_at(*square).is_some_and(|piece| {
                piece.color() == position.turn() && matches!(piece.role(), Role::Knight | Role::Bishop)
            })
        };
        let square = Square::all().find(is_own_minor)?;
        with_piece(position, square, NO_PIECE).filter(|poorer| !poorer.in_check())
    };
    openings(2 * count, 91).iter().filter_map(without_minor).take(count).collect()
}

/// The last complete iterations of a search, as nodes, move and score.
fn iterations(result: &SearchOutput) -> Vec<(u64, String, i32)> {
    let of = |info: &Info| Some((info.nodes?, info.pv.first()?.clone(), info.score?.centipawns()));
    let last = result.depth();
    // The deepest may be unfinished.
    (2..last).filter_map(|depth| of(result.at_depth(depth)?)).collect()
}

/// Whether the end of a search contradicts both iterations around it; `None` if it cannot be compared.
fn contradicts(
    result: &SearchOutput,
    before: &(u64, String, i32),
    after: &(u64, String, i32),
) -> Option<String> {
    let last = result.lines.iter().rev().find(|info| info.score.is_some() && info.bound == Bound::Exact)?;
    let (best, score) = (result.best.as_ref()?, last.score?.centipawns());
    let expected = [before, after];
    let [low, high] = [before.2.min(after.2) - TOLERANCE, before.2.max(after.2) + TOLERANCE];
    let is_known = expected.iter().any(|iteration| iteration.1 == *best);
    if (low..=high).contains(&score) && (is_known || last.pv.first() == Some(best)) {
        return None;
    }
    Some(format!(
        "{best} with {score} cp after '{}', between {} with {} cp and {} with {} cp",
        result.go(),
        before.1,
        before.2,
        after.1,
        after.2
    ))
}

/// Whether a search that is ended in the middle of an iteration keeps the result of the one before.
pub fn aborted(exam: &mut Examination) -> Finding {
    const ID: FindingId = FindingId::LimitsAborted;
    if !exam.respects_nodes {
        return Finding::skipped(ID, "go nodes is not respected");
    }
    let (mut cases, mut other) = (Failures::default(), 0);
    for position in worse_positions(exam.pick(6, 20)) {
        let cap = exam.cap(Duration::from_secs(3));
        let Ok(whole) = exam.engine.search_fresh(&position, &format!("go nodes {NODES}"), cap) else {
            continue;
        };
        let steps = iterations(&whole);
        for pair in steps.windows(2).rev().take(2) {
            let [before, after] = pair else { continue };
            for part in PARTS {
                if !exam.has_time() {
                    break;
                }
                let nodes = before.0 as f64 + part * after.0.saturating_sub(before.0) as f64;
                let go = format!("go nodes {}", nodes as u64);
                let Ok(result) = exam.engine.search_fresh(&position, &go, cap) else { continue };
                // Another tree, or a limit that is checked rarely.
                let repeats = iterations(&result).iter().zip(&steps).all(|(one, two)| one == two);
                if !repeats || result.nodes() >= after.0 || result.cut_short {
                    other += 1;
                    continue;
                }
                let wrong = contradicts(&result, before, after);
                cases.add(&result, wrong);
            }
        }
    }
    finding(&cases, other)
}

fn finding(cases: &Failures, other: usize) -> Finding {
    const ID: FindingId = FindingId::LimitsAborted;
    let (asked, wrong) = (cases.asked, cases.count());
    if asked < MIN_ASKED {
        let rest = match other {
            0 => String::new(),
            _ => format!("; {other} more were not the beginning of a longer one"),
        };
        let why = format!("{} that ended within an iteration{rest}", too_few(asked, "search", "searches"));
        return Finding::skipped(ID, why);
    }
    let fails = cases.confidence(RATES, true).level > 0.99;
    let summary = match cases.wrong.first() {
        None => format!("all {asked} searches that ended within an iteration kept a move and a score of it"),
        Some(first) => format!("{wrong} of {asked} searches that ended within an iteration: {first}"),
    };
    Finding::new(ID, Verdict::fail_if(fails), summary)
        .effect(100.0 * wrong as f64 / asked as f64)
        .confidence(cases.confidence(RATES, fails))
        .threshold(format!("p < 0.01 against a rate of {:.0} %", 100.0 * RATES.sound))
        .samples(asked)
        .repro(if fails { cases.repro.clone() } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn positions_lack_a_minor_piece() {
        let positions = worse_positions(6);
        assert_eq!(positions.len(), 6);
        for position in positions {
            let minors = position.role(Role::Knight) | position.role(Role::Bishop);
            assert!(minors.into_iter().count() < 8, "{}", position.to_fen());
        }
    }

    #[test]
    fn zero_of_an_unfinished_iteration_contradicts() {
        let before = (1000, "e2e4".to_owned(), -310);
        let after = (4000, "d2d4".to_owned(), -290);
        let ends = |best: &str, score| {
            let mut result = SearchOutput::with_line(6, Score::Centipawns(score), 2000, false);
            result.lines[0].pv = vec![best.to_owned()];
            result.best = Some(best.to_owned());
            contradicts(&result, &before, &after).is_some()
        };
        assert!(!ends("e2e4", -310) && !ends("d2d4", -295));
        assert!(!ends("g1f3", -300), "a move that was searched completely");
        assert!(ends("a2a4", 0) && ends("e2e4", 0));
    }
}
