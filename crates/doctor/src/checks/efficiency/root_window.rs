//! Full windows at the root cost several times the nodes, and do not show in the scores.

use std::time::Duration;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, Side};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{geometric_mean, of_all_phases};

pub const CHECK: Check = Check {
    id: CheckId::RootWindow,
    method: "Compares the nodes of a search with the sum over all root moves searched alone to the same depth. With \
             zero-window searches the full search costs far less, with full windows about the same.",
    seconds: (14, 45),
    run,
};

/// Nodes of a search relative to its root moves searched alone.
const MAX_SHARE: f64 = 0.6;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    if !exam.respects_searchmoves {
        let why = "go searchmoves is not respected";
        return Ok(vec![Finding::skipped(FindingId::RootWindowShare, why)]);
    }
    let go = "go depth 8";
    let (mut shares, mut repro) = (Vec::new(), Vec::new());
    for position in of_all_phases().into_iter().skip(4).step_by(2).take(exam.pick(3, 9)) {
        let Ok(whole) = exam.engine.search_fresh(&position, go, exam.cap(Duration::from_secs(3))) else {
            continue;
        };
        let (mut sum, mut complete) = (0u64, true);
        let mut lines = whole.repro();
        for mv in position.legal_moves() {
            if !exam.has_time() {
                complete = false;
                break;
            }
            let go = format!("{go} searchmoves {}", mv.uci(false));
            match exam.engine.search_fresh(&position, &go, exam.cap(Duration::from_secs(2))) {
                Ok(alone) if !alone.cut_short => {
                    sum = sum.saturating_add(alone.nodes());
                    lines = concat_repro(&lines, &alone.repro());
                }
                _ => complete = false,
            }
        }
        if complete && sum > 0 && !whole.cut_short && whole.nodes() > 0 {
            shares.push(whole.nodes() as f64 / sum as f64);
            repro = lines;
        }
    }
    if shares.len() < 2 {
        return Ok(vec![Finding::skipped(FindingId::RootWindowShare, "too few searches in time")]);
    }
    let share = geometric_mean(&shares);
    let fails = share > MAX_SHARE;
    let logs: Vec<f64> = shares.iter().map(|share: &f64| share.ln()).collect();
    let finding = Finding::new(
        FindingId::RootWindowShare,
        Verdict::fail_if(fails),
        format!("a search takes {:.0} % of the nodes of its root moves searched alone", 100.0 * share),
    )
    .effect(100.0 * share)
    .confidence(Confidence::of_mean(&logs, MAX_SHARE.ln(), Side::above_if(fails)))
    .threshold(format!("more than {:.0} %", 100.0 * MAX_SHARE))
    .samples(shares.len())
    .repro(if fails { repro } else { Vec::new() });
    Ok(vec![finding])
}
