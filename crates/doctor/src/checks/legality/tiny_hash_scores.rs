//! Scores with a full table of the minimum size: entries of other positions must not be used. Part of the check `tiny-hash`.

use std::time::Duration;

use crate::catalogue::{FindingId, Measure};
use crate::check::Examination;
use crate::confidence::{Confidence, Side};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{from_random_games, geometric_mean, mean, of_all_phases};

const DEPTH: u32 = 6;

/// Mean centipawns by which scores may change.
const MAX_CHANGE: f64 = 120.0;

/// Nodes that fill a table of 1 MB several times, and that fill again what a search has replaced.
const FILL: u64 = 150_000;
const FILL_AGAIN: u64 = 25_000;

/// Nodes of one search of another position.
const CHUNK: u64 = 25_000;

const MIN_SAMPLES: usize = 4;

/// Compares scores with a new table and with a full one of the minimum size, which must be set already.
///
/// # Errors
/// The engine crashed or hung.
pub fn scores(exam: &mut Examination) -> Result<Finding, EngineError> {
    const ID: FindingId = FindingId::TinyHashScores;
    let go = format!("go depth {DEPTH}");
    let phases = of_all_phases().into_iter().skip(1).step_by(3).take(exam.pick(8, 16));
    let fresh = exam.in_part(3, |exam| {
        let mut fresh = Vec::new();
        for position in phases {
            if !exam.has_time() {
                break;
            }
            let cap = exam.cap(Duration::from_secs(2));
            let result = exam.engine.search_fresh(&position, &go, cap)?;
            if !result.cut_short && result.centipawns().is_some() {
                fresh.push((position, result));
            }
        }
        Ok::<_, EngineError>(fresh)
    })?;
    let mut filler = from_random_games(60, 79).into_iter();
    let mut nodes = 0;
    let (mut changes, mut ratios, mut worst, mut repro) = (Vec::new(), Vec::new(), -1.0, Vec::new());
    exam.engine.new_game()?;
    for (position, before) in &fresh {
        // Each search leaves its own entries, so the table is filled again and again.
        while nodes < FILL && exam.has_time() {
            let Some(other) = filler.next() else { break };
            let cap = exam.cap(Duration::from_secs(2));
            exam.engine.search(&other, &exam.go_nodes(CHUNK), cap)?;
            nodes += CHUNK;
        }
        nodes = FILL.saturating_sub(FILL_AGAIN);
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let after = exam.engine.search(position, &go, cap)?;
        let pair = before.centipawns().zip(after.centipawns());
        let Some((one, two)) = pair.filter(|_| !after.cut_short) else { continue };
        let change = f64::from((one.clamp(-1500, 1500) - two.clamp(-1500, 1500)).abs());
        if change > worst {
            (worst, repro) = (change, concat_repro(&before.repro(), &after.repro()));
        }
        changes.push(change);
        ratios.push(after.nodes().max(1) as f64 / before.nodes().max(1) as f64);
    }
    if changes.len() < MIN_SAMPLES {
        return Ok(Finding::skipped(ID, format!("only {} searches in time", changes.len())));
    }
    let (average, ratio) = (mean(&changes), geometric_mean(&ratios));
    let fails = average > MAX_CHANGE;
    let finding = Finding::new(
        ID,
        Verdict::fail_if(fails),
        format!(
            "scores at depth {DEPTH} change by {average:.0} cp on average with a full table of other positions, {worst:.0} at \
             most, with {:.0} % of the nodes",
            100.0 * ratio
        ),
    )
    .effect(average)
    .confidence(Confidence::of_mean(&changes, MAX_CHANGE, Side::above_if(fails)))
    .threshold(format!("more than {MAX_CHANGE} cp on average"))
    .samples(changes.len())
    .measure(Measure::RelativeNodes, ratio)
    .repro(if fails { repro } else { Vec::new() });
    Ok(finding)
}
