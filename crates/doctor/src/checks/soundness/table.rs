//! The transposition table from outside: is it forgotten between games, does it change scores, does its key tell positions
//! apart, does a scout that says "not better" tell the truth.

use std::time::Duration;

use chess::Position;

use super::table_key::key;
use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::retrace::one_after_the_other;
use crate::samples::{geometric_mean, mean, of_all_phases};
use crate::sureness::{Side, Sureness};

/// The check.
pub const CHECK: Check = Check {
    name: "table",
    group: Group::Soundness,
    title: "the hash table: forgets, does not drift, mixes nothing up, does not lie",
    method: "Searches positions fresh, again after ucinewgame, after their own moves were searched (related) and after \
             other positions (unrelated); compares scores and nodes. Searches mates in two \
             after twins that differ by the side to move, castling rights or a capture in passing alone. Then searches every root move alone, each with a \
             fresh table, and compares the best of them with the score of the whole search: a search whose zero-window \
             answers can be trusted does not lie far below.",
    seconds: (22, 66),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let positions: Vec<Position> =
        of_all_phases().into_iter().skip(3).step_by(2).take(exam.pick(5, 12)).collect();
    let deadline = exam.deadline;
    // A part of the time for each part of the check.
    exam.deadline = std::time::Instant::now() + exam.left() * 2 / 5;
    let (forgets, drift) = memory(exam, &positions);
    exam.deadline = deadline;
    Ok(vec![forgets, drift, key(exam), scouts(exam, &positions)])
}

const DEPTH: u32 = 7;

fn memory(exam: &mut Examination, positions: &[Position]) -> (Finding, Finding) {
    let go = format!("go depth {DEPTH}");
    let (mut ratios, mut drifts, mut unequal, mut repro) = (Vec::new(), Vec::new(), 0, Vec::new());
    let (mut worst, mut drift_repro) = (-1.0, Vec::new());
    for (index, position) in positions.iter().enumerate() {
        if !exam.goes_on() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(3));
        let answered = (|| {
            exam.patient.new_game()?;
            let fresh = exam.patient.search(position, &go, cap)?;
            // Related: the moves of the line and some others, a ply deeper than they need.
            for mv in position.legal_moves().into_iter().take(6) {
                exam.patient.search(&position.after(mv), &go, cap)?;
            }
            let related = exam.patient.search(position, &go, cap)?;
            let other = &positions[(index + 1) % positions.len()];
            exam.patient.search(other, &go, cap)?;
            let unrelated = exam.patient.search(position, &go, cap)?;
            exam.patient.only_new_game()?;
            let again = exam.patient.search(position, &go, cap)?;
            Ok::<_, Trouble>((fresh, related, unrelated, again))
        })();
        let Ok((fresh, related, unrelated, again)) = answered else { continue };
        // Searches that did not end in time have not reached the same depth, and cannot be compared.
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
        let none = |what| Finding::unmeasured("table", what, "too few searches were answered in time");
        return (none("forgets"), none("drift"));
    }
    (forgets(&ratios, unequal, repro), drift(&drifts, worst, drift_repro))
}

/// Share of a fresh engine's nodes that a search after `ucinewgame` takes at the least.
const LEAST_AFTER_NEW_GAME: f64 = 0.75;

/// Mean centipawns by which scores may move with what the table knows, and differ from those of moves searched alone.
const MOST_DRIFT: f64 = 110.0;
const MOST_GAP: f64 = 120.0;

fn forgets(ratios: &[f64], unequal: usize, repro: Vec<String>) -> Finding {
    // The verdict and its confidence go by the same number: an alarm by another could be one that the ratios speak against.
    let ratio = geometric_mean(ratios);
    let kept = ratio < LEAST_AFTER_NEW_GAME;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1e-9).ln()).collect();
    let verdict = if kept {
        Verdict::Alarm
    } else if unequal > 0 {
        Verdict::Notice
    } else {
        Verdict::Sound
    };
    let summary = if unequal == 0 {
        format!("after ucinewgame {} searches count exactly the nodes of a fresh engine", ratios.len())
    } else {
        format!(
            "after ucinewgame a search takes {:.0} % of the nodes of a fresh engine ({unequal} of {} differ): \
             something is remembered from the game before",
            100.0 * ratio,
            ratios.len()
        )
    };
    Finding::new("table", "forgets", verdict, summary)
        .effect("nodes after ucinewgame against fresh", 100.0 * ratio, "%")
        .sure(Sureness::of_mean(&logs, LEAST_AFTER_NEW_GAME.ln(), Side::above_if(!kept)))
        .threshold("less than three quarters of the nodes: the table was kept; any difference is a notice")
        .samples(ratios.len())
        .repro(repro)
}

fn drift(drifts: &[f64], worst: f64, repro: Vec<String>) -> Finding {
    let average = mean(drifts);
    let alarm = average > MOST_DRIFT;
    Finding::new(
        "table",
        "drift",
        alarm_if(alarm),
        format!(
            "scores at depth {DEPTH} move by {average:.0} cp on average when the table knows related or unrelated \
             positions, {worst:.0} at most"
        ),
    )
    .effect("mean drift", average, "cp")
    .sure(Sureness::of_mean(drifts, MOST_DRIFT, Side::above_if(alarm)))
    .threshold("more than 110 cp on average")
    .samples(drifts.len())
    .repro(if alarm { repro } else { Vec::new() })
}

/// Whole searches against their own moves. A reduced or scouted move that is really better shows as a gap.
fn scouts(exam: &mut Examination, positions: &[Position]) -> Finding {
    if !exam.obeys_search_moves {
        return Finding::unmeasured("table", "scouts", "the engine does not obey 'go searchmoves'");
    }
    let go = format!("go depth {DEPTH}");
    let (mut gaps, mut repro, mut worst) = (Vec::new(), Vec::new(), 0.0);
    for position in positions {
        if !exam.goes_on() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let Ok(whole) = exam.patient.search_fresh(position, &go, cap) else { continue };
        if whole.cut_short {
            continue;
        }
        let Some(score) = whole.centipawns() else { continue };
        let mut best: Option<(i32, Thinking)> = None;
        for mv in position.legal_moves() {
            if !exam.goes_on() {
                best = None;
                break;
            }
            let go = format!("{go} searchmoves {}", mv.uci(false));
            let Ok(alone) = exam.patient.search_fresh(position, &go, cap) else { continue };
            if alone.cut_short {
                best = None;
                break;
            }
            if let Some(score) =
                alone.centipawns().filter(|score| best.as_ref().is_none_or(|best| *score > best.0))
            {
                best = Some((score, alone));
            }
        }
        let Some((best, alone)) = best else { continue };
        let gap = f64::from(best.clamp(-1500, 1500) - score.clamp(-1500, 1500));
        if gap > worst {
            (worst, repro) = (gap, one_after_the_other(&whole.repro(), &alone.repro()));
        }
        gaps.push(gap);
    }
    if gaps.len() < 3 {
        return Finding::unmeasured(
            "table",
            "scouts",
            "too few positions were searched move by move in time",
        );
    }
    let sizes: Vec<f64> = gaps.iter().map(|gap| gap.abs()).collect();
    let average = mean(&sizes);
    let alarm = average > MOST_GAP;
    Finding::new(
        "table",
        "scouts",
        alarm_if(alarm),
        format!(
            "the best of all moves searched alone differs by {average:.0} cp on average from the whole search, {worst:.0} \
             above it at most"
        ),
    )
    .effect("mean gap", average, "cp")
    .sure(Sureness::of_mean(&sizes, MOST_GAP, Side::above_if(alarm)))
    .threshold("more than 120 cp on average")
    .samples(gaps.len())
    .repro(if alarm { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_table_is_told_as_surely_as_its_nodes_speak() {
        let of = |ratios: &[f64]| forgets(ratios, ratios.len(), Vec::new());
        let kept = of(&[0.2, 0.3, 0.25, 0.2, 0.3]);
        assert!(kept.is_alarm() && kept.confidence.level > 0.99, "{kept:?}");
        // The middle of these is below the bound, and their mean far above it.
        let mixed = of(&[0.74, 0.74, 0.74, 9.0, 9.0]);
        assert!(mixed.verdict == Verdict::Notice && mixed.confidence.level >= 0.5, "{mixed:?}");
        for ratios in [[0.7, 0.74, 0.9], [0.1, 0.8, 0.9], [0.7, 0.76, 1.4]] {
            assert!(of(&ratios).confidence.level >= 0.5, "{ratios:?}");
        }
    }
}
