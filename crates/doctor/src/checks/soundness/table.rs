//! The transposition table: cleared between games, no influence on scores, complete hash key, reliable zero-window searches.

use std::time::Duration;

use chess::Position;

use super::table_key::key;
use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{geometric_mean, mean, of_all_phases};

pub const CHECK: Check = Check {
    id: CheckId::Table,
    method: "Searches positions with an empty hash, after their own moves, after other positions, and after ucinewgame; \
             compares scores and nodes. Searches mates in two after positions that differ only in the side to move, castling \
             rights or en passant square. Searches every root move alone with an empty hash, and compares the best score with \
             the full search.",
    seconds: (22, 66),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let positions: Vec<Position> =
        of_all_phases().into_iter().skip(3).step_by(2).take(exam.pick(5, 12)).collect();
    let deadline = exam.deadline;
    exam.deadline = std::time::Instant::now() + exam.left() * 2 / 5;
    let (cleared, drift) = memory(exam, &positions);
    exam.deadline = deadline;
    Ok(vec![cleared, drift, key(exam), root_moves(exam, &positions)])
}

const DEPTH: u32 = 7;

fn memory(exam: &mut Examination, positions: &[Position]) -> (Finding, Finding) {
    let go = format!("go depth {DEPTH}");
    let (mut ratios, mut drifts, mut unequal, mut repro) = (Vec::new(), Vec::new(), 0, Vec::new());
    let (mut worst, mut drift_repro) = (-1.0, Vec::new());
    for (index, position) in positions.iter().enumerate() {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(3));
        let answered = (|| {
            exam.engine.new_game()?;
            let fresh = exam.engine.search(position, &go, cap)?;
            for mv in position.legal_moves().into_iter().take(6) {
                exam.engine.search(&position.after(mv), &go, cap)?;
            }
            let related = exam.engine.search(position, &go, cap)?;
            let other = &positions[(index + 1) % positions.len()];
            exam.engine.search(other, &go, cap)?;
            let unrelated = exam.engine.search(position, &go, cap)?;
            exam.engine.only_new_game()?;
            let again = exam.engine.search(position, &go, cap)?;
            Ok::<_, EngineError>((fresh, related, unrelated, again))
        })();
        let Ok((fresh, related, unrelated, again)) = answered else { continue };
        // Unfinished searches cannot be compared.
        if [&fresh, &related, &unrelated, &again].iter().any(|search| search.cut_short) {
            continue;
        }
        if fresh.nodes() > 0 {
            ratios.push(again.nodes() as f64 / fresh.nodes() as f64);
            if again.nodes() != fresh.nodes() {
                unequal += 1;
                if repro.is_empty() {
                    repro = again.repro();
                }
            }
        }
        let Some(base) = fresh.centipawns() else { continue };
        for later in [&related, &unrelated] {
            let Some(score) = later.centipawns() else { continue };
            let drift = f64::from((score - base).abs().min(1500));
            drifts.push(drift);
            if drift > worst {
                (worst, drift_repro) = (drift, later.repro());
            }
        }
    }
    if ratios.len() < 3 || drifts.len() < 6 {
        let none = |id| Finding::skipped(id, "too few searches in time");
        return (none(FindingId::TableCleared), none(FindingId::TableDrift));
    }
    (cleared(&ratios, unequal, repro), drift(&drifts, worst, drift_repro))
}

/// Nodes after `ucinewgame` relative to an empty hash.
const MIN_AFTER_NEW_GAME: f64 = 0.75;

/// Mean centipawns.
const MAX_DRIFT: f64 = 110.0;
const MAX_GAP: f64 = 120.0;

fn cleared(ratios: &[f64], unequal: usize, repro: Vec<String>) -> Finding {
    let ratio = geometric_mean(ratios);
    let kept = ratio < MIN_AFTER_NEW_GAME;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1e-9).ln()).collect();
    let verdict = if kept {
        Verdict::Fail
    } else if unequal > 0 {
        Verdict::Warning
    } else {
        Verdict::Pass
    };
    let summary = if unequal == 0 {
        format!("identical node counts after ucinewgame in all {} searches", ratios.len())
    } else {
        format!(
            "{:.0} % of the nodes of a fresh engine after ucinewgame ({unequal} of {} differ): state is kept from the game \
             before",
            100.0 * ratio,
            ratios.len()
        )
    };
    Finding::new(FindingId::TableCleared, verdict, summary)
        .effect(100.0 * ratio)
        .confidence(Confidence::of_mean(&logs, MIN_AFTER_NEW_GAME.ln(), BoundSide::above_if(!kept)))
        .threshold(format!(
            "less than {:.0} % of the nodes; any difference is a warning",
            100.0 * MIN_AFTER_NEW_GAME
        ))
        .samples(ratios.len())
        .repro(repro)
}

fn drift(drifts: &[f64], worst: f64, repro: Vec<String>) -> Finding {
    let average = mean(drifts);
    let fails = average > MAX_DRIFT;
    Finding::new(FindingId::TableDrift,
        Verdict::fail_if(fails),
        format!(
            "scores at depth {DEPTH} change by {average:.0} cp on average with other positions in the hash, {worst:.0} at most"
        ))
    .effect(average)
    .confidence(Confidence::of_mean(drifts, MAX_DRIFT, BoundSide::above_if(fails)))
    .threshold(format!("more than {MAX_DRIFT} cp on average"))
    .samples(drifts.len())
    .repro(if fails { repro } else { Vec::new() })
}

/// A better move that was reduced, or that failed low in its zero-window search, shows as a gap.
fn root_moves(exam: &mut Examination, positions: &[Position]) -> Finding {
    let further: Vec<Position> =
        of_all_phases().into_iter().filter(|position| !positions.contains(position)).collect();
    let mut gaps = Gaps::default();
    // More only where it is not decided.
    for positions in [positions, &further[..]] {
        if gaps.values.is_empty() || gaps.fail() && !gaps.confidence().is_significant() {
            gaps.measure(exam, positions);
        }
    }
    let count = gaps.values.len();
    if count < 3 {
        return Finding::skipped(FindingId::TableRootMoves, "too few positions in time");
    }
    let (average, fails, confidence) = (gaps.average(), gaps.fail(), gaps.confidence());
    Finding::new(FindingId::TableRootMoves,
        Verdict::fail_if(fails),
        format!(
            "the best root move searched alone differs from the full search by {average:.0} cp on average, at most {:.0} \
             cp above it{}",
            gaps.worst,
            exam.move_note()
        ))
    .effect(average)
    .confidence(confidence)
    .threshold(format!("more than {MAX_GAP} cp on average"))
    .samples(count)
    .repro(if fails { gaps.repro } else { Vec::new() })
}

/// Centipawns between the best root move searched alone and the full search.
#[derive(Default)]
struct Gaps {
    values: Vec<f64>,
    worst: f64,
    repro: Vec<String>,
}

impl Gaps {
    fn average(&self) -> f64 {
        mean(&self.values)
    }

    fn fail(&self) -> bool {
        self.average() > MAX_GAP
    }

    fn confidence(&self) -> Confidence {
        Confidence::of_mean(&self.values, MAX_GAP, BoundSide::above_if(self.fail()))
    }

    fn measure(&mut self, exam: &mut Examination, positions: &[Position]) {
        let go = format!("go depth {DEPTH}");
        for position in positions {
            if !exam.has_time() {
                break;
            }
            let cap = exam.cap(Duration::from_secs(2));
            let Ok(whole) = exam.engine.search_fresh(position, &go, cap) else { continue };
            let Some(score) = whole.centipawns().filter(|_| !whole.cut_short) else { continue };
            let Some((best, repro)) = best_alone(exam, position) else { continue };
            let gap = f64::from(best.clamp(-1500, 1500) - score.clamp(-1500, 1500));
            if gap > self.worst {
                (self.worst, self.repro) = (gap, concat_repro(&whole.repro(), &repro));
            }
            self.values.push(gap.abs());
        }
    }
}

/// The best score of the root moves searched alone; `None` if time is up.
fn best_alone(exam: &mut Examination, position: &Position) -> Option<(i32, Vec<String>)> {
    let mut best: Option<(i32, Vec<String>)> = None;
    for mv in position.legal_moves() {
        if !exam.has_time() {
            return None;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let Ok(alone) = exam.search_move(position, mv, DEPTH, cap) else { continue };
        if alone.result.cut_short {
            return None;
        }
        let Some(score) = alone.score else { continue };
        if best.as_ref().is_none_or(|best| score > best.0) {
            best = Some((score, alone.result.repro()));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_follows_the_ratios() {
        let of = |ratios: &[f64]| cleared(ratios, ratios.len(), Vec::new());
        let kept = of(&[0.2, 0.3, 0.25, 0.2, 0.3]);
        assert!(kept.is_failure() && kept.confidence.level > 0.99, "{kept:?}");
        // Median below the threshold, mean above it.
        let mixed = of(&[0.74, 0.74, 0.74, 9.0, 9.0]);
        assert!(mixed.verdict == Verdict::Warning && mixed.confidence.level >= 0.5, "{mixed:?}");
        for ratios in [[0.7, 0.74, 0.9], [0.1, 0.8, 0.9], [0.7, 0.76, 1.4]] {
            assert!(of(&ratios).confidence.level >= 0.5, "{ratios:?}");
        }
    }
}
