//! Scores with a full table of the minimum size: entries of other positions must not be used. Part of the check `tiny-hash`.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{FindingId, Measure};
use crate::check::Examination;
use crate::confidence::{BoundSide, Confidence};
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{from_random_games, mean, of_all_phases};
use crate::search_output::SearchOutput;

const DEPTH: u32 = 5;

/// Centipawns by which scores may change more than with the default size. Histories and aging change them with both:
/// Stockfish 15.1 by 40 cp on average.
const MAX_CHANGE: f64 = 20.0;

/// Searches of other positions that fill a table of 1 MB several times, and the nodes of each.
const FILLERS: usize = 6;
const NODES: u64 = 25_000;

const MIN_SAMPLES: usize = 6;

/// Compares how much scores change with other positions in a table of the default and of the minimum size, which is set
/// then.
///
/// # Errors
/// The engine crashed or hung.
pub fn scores(exam: &mut Examination, least: &str) -> Result<Finding, EngineError> {
    const ID: FindingId = FindingId::TinyHashScores;
    let positions: Vec<Position> = of_all_phases().into_iter().take(exam.pick(16, 30)).collect();
    let fresh = exam.in_part(3, |exam| fresh(exam, &positions))?;
    let large = exam.in_part(2, |exam| Changes::measure(exam, &fresh))?;
    exam.engine.set("Hash", least)?;
    let small = Changes::measure(exam, &fresh)?;
    let count = small.values.len().min(large.values.len());
    if count < MIN_SAMPLES {
        return Ok(Finding::skipped(ID, too_few(count, "search", "searches") + " in time"));
    }
    Ok(finding(&small, &large))
}

fn finding(small: &Changes, large: &Changes) -> Finding {
    let [with_small, with_large] = [small, large].map(|changes| mean(&changes.values));
    let fails = with_small - with_large > MAX_CHANGE;
    let side = BoundSide::above_if(fails);
    Finding::new(
        FindingId::TinyHashScores,
        Verdict::fail_if(fails),
        format!(
            "with other positions in the table scores at depth {DEPTH} change by {with_small:.0} cp on average with the \
             minimum size, and by {with_large:.0} cp with the default size"
        ),
    )
    .effect(with_small - with_large)
    .confidence(Confidence::of_difference(&small.values, &large.values, MAX_CHANGE, side))
    .threshold(format!("more than {MAX_CHANGE} cp more with the minimum size"))
    .samples(small.values.len())
    .measure(Measure::ChangeDefaultHash, with_large)
    .repro(if fails { small.repro.clone() } else { Vec::new() })
}

/// Searches that ended in time, each with an empty table.
fn fresh(exam: &mut Examination, positions: &[Position]) -> Result<Vec<SearchOutput>, EngineError> {
    let mut searched = Vec::new();
    for position in positions {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(1));
        let result = exam.engine.search_fresh(position, &format!("go depth {DEPTH}"), cap)?;
        if !result.cut_short && result.centipawns().is_some() {
            searched.push(result);
        }
    }
    Ok(searched)
}

/// Centipawns by which scores differ from those with an empty table.
#[derive(Default)]
struct Changes {
    values: Vec<f64>,
    worst: f64,
    repro: Vec<String>,
}

impl Changes {
    /// Searches the positions again, each after another position, without `ucinewgame`.
    fn measure(exam: &mut Examination, fresh: &[SearchOutput]) -> Result<Self, EngineError> {
        let mut others = from_random_games(FILLERS + fresh.len(), 79).into_iter();
        let go = exam.go_nodes(NODES);
        let mut changes = Self::default();
        exam.engine.new_game()?;
        for other in others.by_ref().take(FILLERS) {
            let cap = exam.cap(Duration::from_secs(1));
            exam.engine.search(&other, &go, cap)?;
        }
        for (before, other) in fresh.iter().zip(others) {
            if !exam.has_time() {
                break;
            }
            let cap = exam.cap(Duration::from_secs(1));
            exam.engine.search(&other, &go, cap)?;
            let cap = exam.cap(Duration::from_secs(2));
            let after = exam.engine.search(&before.position, &format!("go depth {DEPTH}"), cap)?;
            changes.add(before, &after);
        }
        Ok(changes)
    }

    fn add(&mut self, before: &SearchOutput, after: &SearchOutput) {
        let pair = before.centipawns().zip(after.centipawns());
        let Some((one, two)) = pair.filter(|_| !after.cut_short) else { return };
        let change = f64::from((one.clamp(-1500, 1500) - two.clamp(-1500, 1500)).abs());
        if self.values.is_empty() || change > self.worst {
            (self.worst, self.repro) = (change, concat_repro(&before.repro(), &after.repro()));
        }
        self.values.push(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_of_both_sizes_is_no_fault() {
        let verdict = |small: &[f64], large: &[f64]| {
            let changes = |values: &[f64]| Changes { values: values.to_vec(), ..Changes::default() };
            finding(&changes(small), &changes(large)).verdict
        };
        let noisy = [40.0, 10.0, 150.0, 0.0, 30.0, 20.0, 60.0, 5.0];
        let wrong = [90.0, 160.0, 40.0, 220.0, 70.0, 120.0, 80.0, 60.0];
        assert_eq!(verdict(&noisy, &noisy), Verdict::Pass);
        assert_eq!(verdict(&wrong, &[0.0; 8]), Verdict::Fail);
        assert_eq!(verdict(&noisy, &[0.0; 8]), Verdict::Warning, "not significant");
    }
}
