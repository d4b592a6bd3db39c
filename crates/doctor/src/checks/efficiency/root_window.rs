//! Full windows at the root cost several times the nodes, and do not show in the scores.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence};
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

const DEPTH: u32 = 8;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let all: Vec<Position> = of_all_phases().into_iter().skip(4).step_by(2).collect();
    let (first, further) = all.split_at(exam.pick(3, 9).min(all.len()));
    let mut shares = Shares::default();
    // More only where it is not decided.
    for positions in [first, further] {
        if shares.values.is_empty() || shares.fail() && !shares.confidence().is_significant() {
            shares.measure(exam, positions);
        }
    }
    if shares.values.len() < 2 {
        return Ok(vec![Finding::skipped(FindingId::RootWindowShare, "too few searches in time")]);
    }
    let (share, fails, confidence) = (shares.average(), shares.fail(), shares.confidence());
    let finding = Finding::new(
        FindingId::RootWindowShare,
        Verdict::fail_if(fails),
        format!(
            "a search takes {:.0} % of the nodes of its root moves searched alone{}",
            100.0 * share,
            exam.move_note()
        ),
    )
    .effect(100.0 * share)
    .confidence(confidence)
    .threshold(format!("more than {:.0} %", 100.0 * MAX_SHARE))
    .samples(shares.values.len())
    .repro(if fails { shares.repro } else { Vec::new() });
    Ok(vec![finding])
}

/// Nodes of searches relative to their root moves searched alone.
#[derive(Default)]
struct Shares {
    values: Vec<f64>,
    repro: Vec<String>,
}

impl Shares {
    fn average(&self) -> f64 {
        geometric_mean(&self.values)
    }

    fn fail(&self) -> bool {
        self.average() > MAX_SHARE
    }

    fn confidence(&self) -> Confidence {
        let logs: Vec<f64> = self.values.iter().map(|share| share.ln()).collect();
        Confidence::of_mean(&logs, MAX_SHARE.ln(), BoundSide::above_if(self.fail()))
    }

    fn measure(&mut self, exam: &mut Examination, positions: &[Position]) {
        let go = format!("go depth {DEPTH}");
        for position in positions {
            if !exam.has_time() {
                break;
            }
            let cap = exam.cap(Duration::from_secs(3));
            let Ok(whole) = exam.engine.search_fresh(position, &go, cap) else { continue };
            if whole.cut_short || whole.nodes() == 0 {
                continue;
            }
            let Some((sum, repro)) = nodes_alone(exam, position) else { continue };
            self.values.push(whole.nodes() as f64 / sum as f64);
            self.repro = concat_repro(&whole.repro(), &repro);
        }
    }
}

/// All nodes of the root moves searched alone; `None` if one is not finished.
fn nodes_alone(exam: &mut Examination, position: &Position) -> Option<(u64, Vec<String>)> {
    let (mut sum, mut repro) = (0u64, Vec::new());
    for mv in position.legal_moves() {
        if !exam.has_time() {
            return None;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let alone = exam.search_move(position, mv, DEPTH, cap).ok()?;
        if alone.result.cut_short {
            return None;
        }
        sum = sum.saturating_add(alone.nodes);
        repro = concat_repro(&repro, &alone.result.repro());
    }
    (sum > 0).then_some((sum, repro))
}
