//! Balanced positions: the start is about equal, extra material helps, scores are stable.

use std::time::Duration;

use chess::{Position, Role, Square};

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence, TrialRates};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{NO_PIECE, mean, median, openings, with_piece};
use support::random::Random;

pub const CHECK: Check = Check {
    id: CheckId::Balance,
    method: "Searches the starting position to depth 8; balanced openings before and after removing a piece of the side not to \
             move; and the score of balanced openings from iteration to iteration.",
    seconds: (12, 40),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    Ok(vec![start(exam), removal(exam), steadiness(exam)])
}

/// Centipawns at the end, and in any iteration.
const MAX_START: (f64, f64) = (150.0, 400.0);

fn start(exam: &mut Examination) -> Finding {
    let Ok(result) =
        exam.engine.search_fresh(&Position::startpos(), "go depth 8", exam.cap(Duration::from_secs(4)))
    else {
        return Finding::skipped(FindingId::BalanceStart, "no search was answered");
    };
    let scores: Vec<f64> = result
        .lines
        .iter()
        .filter(|info| info.depth.is_none_or(|depth| depth >= exam.depth_from(1)))
        .filter_map(|info| info.score)
        .map(|score| f64::from(score.centipawns()))
        .collect();
    let largest = scores.iter().map(|score| score.abs()).fold(0.0, f64::max);
    let Some(last) = scores.last().copied() else {
        return Finding::skipped(FindingId::BalanceStart, "no score");
    };
    Finding::new(
        FindingId::BalanceStart,
        Verdict::fail_if(last.abs() > MAX_START.0 || largest > MAX_START.1),
        format!(
            "{last:+.0} cp for the starting position at depth {}, at most {largest:.0} in earlier iterations",
            result.depth()
        ),
    )
    .effect(last)
    .fixed_confidence(0.97, "one search")
    .threshold(format!("more than {} cp at the end, or {} cp in any iteration", MAX_START.0, MAX_START.1))
    .samples(1)
    .repro(result.repro())
}

fn removal(exam: &mut Examination) -> Finding {
    let mut random = Random::new(41);
    let (mut gains, mut wrong, mut repro) = (Vec::new(), 0, Vec::new());
    let go = exam.go_depth_from(3);
    for position in openings(exam.pick(16, 60), 43) {
        if !exam.has_time() {
            break;
        }
        let Some(poorer) = without_a_piece(&position, &mut random) else { continue };
        let cap = exam.cap(Duration::from_secs(2));
        let (Ok(before), Ok(after)) =
            (exam.engine.search_fresh(&position, &go, cap), exam.engine.search_fresh(&poorer, &go, cap))
        else {
            continue;
        };
        if before.cut_short || after.cut_short {
            continue;
        }
        let (Some(full), Some(less)) = (before.centipawns(), after.centipawns()) else { continue };
        let gain = f64::from((less - full).clamp(-3000, 3000));
        if gain <= 0.0 {
            wrong += 1;
            repro = concat_repro(&before.repro(), &after.repro());
        }
        gains.push(gain);
    }
    if gains.len() < 6 {
        return Finding::skipped(FindingId::BalanceRemoval, "too few pairs in time");
    }
    let fails = wrong * 4 > gains.len();
    Finding::new(
        FindingId::BalanceRemoval,
        Verdict::fail_if(fails),
        format!(
            "removing an enemy piece raises the score in {} of {} positions, by {:.0} cp (median){}",
            gains.len() - wrong,
            gains.len(),
            median(&gains),
            exam.depth_note(3)
        ),
    )
    .effect(100.0 * wrong as f64 / gains.len() as f64)
    .confidence(Confidence::of_failures(wrong, gains.len(), TrialRates { sound: 0.05, faulty: 0.4 }, fails))
    .threshold("no gain in more than a quarter of the positions")
    .samples(gains.len())
    .repro(if fails { repro } else { Vec::new() })
}

/// The position without a random piece of the side not to move, if it is legal.
fn without_a_piece(position: &Position, random: &mut Random) -> Option<Position> {
    let enemy = !position.turn();
    let pieces: Vec<Square> = Square::all()
        .filter(|&square| {
            position.piece_at(square).is_some_and(|piece| {
                piece.color() == enemy && !matches!(piece.role(), Role::King | Role::Pawn)
            })
        })
        .collect();
    let gone = *pieces.get(random.below(pieces.len().max(1)))?;
    with_piece(position, gone, NO_PIECE).filter(|poorer| !poorer.in_check())
}

/// Mean change in centipawns between iterations.
const MAX_JUMP: f64 = 90.0;

fn steadiness(exam: &mut Examination) -> Finding {
    let (mut jumps, mut far, mut searches) = (Vec::new(), 0, 0);
    let (mut worst, mut repro) = (0.0, Vec::new());
    let mut curves = Vec::new();
    for position in openings(exam.pick(10, 40), 47) {
        if !exam.has_time() {
            break;
        }
        let Ok(result) = exam.engine.search_fresh(&position, "go depth 9", exam.cap(Duration::from_secs(3)))
        else {
            continue;
        };
        let points: Vec<(f64, f64)> = (1..=9)
            .filter_map(|depth| {
                Some((f64::from(depth), f64::from(result.at_depth(depth)?.score?.centipawns())))
            })
            .collect();
        searches += 1;
        far += usize::from(points.last().is_some_and(|point| point.1.abs() > 500.0));
        for pair in points.windows(2).filter(|pair| pair[0].0 >= f64::from(exam.depth_from(3))) {
            let jump = (pair[1].1 - pair[0].1).abs().min(2000.0);
            if jump > worst {
                (worst, repro) = (jump, result.repro());
            }
            jumps.push(jump);
        }
        if curves.len() < 6 {
            curves.push(Curve { name: String::new(), points });
        }
    }
    if jumps.len() < 12 {
        return Finding::skipped(FindingId::BalanceStability, "too few iterations");
    }
    let average = mean(&jumps);
    let (jumpy, lost) = (average > MAX_JUMP, far * 4 > searches);
    let fails = jumpy || lost;
    let by_jumps = Confidence::of_mean(&jumps, MAX_JUMP, BoundSide::above_if(jumpy));
    let by_size = Confidence::of_failures(far, searches, TrialRates { sound: 0.02, faulty: 0.3 }, lost);
    Finding::new(FindingId::BalanceStability,
        Verdict::fail_if(fails),
        format!(
            "scores change by {average:.0} cp between iterations on average, {worst:.0} at most; {far} of {searches} balanced \
             positions score more than 500 cp"
        ))
    .effect(average)
    .confidence(match (jumpy, lost) {
        (true, true) => by_jumps.or(by_size),
        (true, false) => by_jumps,
        (false, true) => by_size,
        (false, false) => by_jumps.and(by_size),
    })
    .threshold(format!("more than {MAX_JUMP} cp on average, or a quarter of the positions above 500 cp"))
    .samples(jumps.len())
    .plot(Plot {
        title: "Scores of balanced positions by depth".to_owned(),
        x: "depth".to_owned(),
        y: "cp".to_owned(),
        kind: PlotKind::Lines,
        curves,
    })
    .repro(if fails { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece_is_removed() {
        let mut random = Random::new(1);
        for position in openings(40, 3) {
            let Some(poorer) = without_a_piece(&position, &mut random) else { continue };
            assert_eq!(poorer.occupied().count() + 1, position.occupied().count());
            assert_eq!(poorer.turn(), position.turn());
        }
    }
}
