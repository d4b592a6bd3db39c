//! Balanced positions: the start is about equal, a lost man is a lost man, and scores do not jump.

use std::time::Duration;

use chess::{Position, Role, Square};

use crate::check::{Check, Examination};
use crate::finding::{Curve, Finding, Group, Plot, PlotKind, alarm_if};
use crate::patient::Trouble;
use crate::retrace::one_after_the_other;
use crate::samples::{NO_MAN, mean, median, openings, with_man};
use crate::sureness::{Rates, Side, Sureness};
use support::random::Random;

/// The check.
pub const CHECK: Check = Check {
    name: "balance",
    group: Group::Evaluation,
    title: "balanced positions, removed men, steady scores",
    method: "Scores the start and balanced openings from depth 1 to 8; takes a knight, bishop, rook or queen of the side \
             not to move from them; follows the score from iteration to iteration.",
    seconds: (12, 40),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    Ok(vec![start(exam), removal(exam), steadiness(exam)])
}

fn start(exam: &mut Examination) -> Finding {
    let Ok(thinking) =
        exam.patient.search_fresh(&Position::startpos(), "go depth 8", exam.cap(Duration::from_secs(4)))
    else {
        return Finding::unmeasured("balance", "start", "no search was answered");
    };
    let scores: Vec<f64> = thinking
        .lines
        .iter()
        .filter_map(|info| info.score)
        .map(|score| f64::from(score.centipawns()))
        .collect();
    let largest = scores.iter().map(|score| score.abs()).fold(0.0, f64::max);
    let Some(last) = scores.last().copied() else {
        return Finding::unmeasured("balance", "start", "no score was told");
    };
    Finding::new(
        "balance",
        "start",
        alarm_if(last.abs() > 150.0 || largest > 400.0),
        format!(
            "the starting position scores {last:+.0} cp at depth {}, {largest:.0} at most on the way",
            thinking.depth()
        ),
    )
    .effect("score of the start", last, "cp")
    .sure_by_hand(0.97, "one search")
    .threshold("more than 150 cp at the end, or 400 on the way")
    .samples(1)
    .repro(thinking.repro())
}

fn removal(exam: &mut Examination) -> Finding {
    let mut random = Random::new(41);
    let (mut gains, mut wrong, mut repro) = (Vec::new(), 0, Vec::new());
    for position in openings(exam.pick(16, 60), 43) {
        if !exam.goes_on() {
            break;
        }
        let Some(poorer) = without_a_man(&position, &mut random) else { continue };
        let cap = exam.cap(Duration::from_secs(2));
        let (Ok(before), Ok(after)) = (
            exam.patient.search_fresh(&position, "go depth 3", cap),
            exam.patient.search_fresh(&poorer, "go depth 3", cap),
        ) else {
            continue;
        };
        if before.cut_short || after.cut_short {
            continue;
        }
        let (Some(full), Some(less)) = (before.centipawns(), after.centipawns()) else { continue };
        let gain = f64::from((less - full).clamp(-3000, 3000));
        if gain <= 0.0 {
            wrong += 1;
            repro = one_after_the_other(&before.repro(), &after.repro());
        }
        gains.push(gain);
    }
    if gains.len() < 6 {
        return Finding::unmeasured("balance", "removal", "too few pairs were answered in time");
    }
    let alarm = wrong * 4 > gains.len();
    Finding::new(
        "balance",
        "removal",
        alarm_if(alarm),
        format!(
            "a man taken from the opponent raises the score in {} of {} positions, by {:.0} cp in the middle",
            gains.len() - wrong,
            gains.len(),
            median(&gains)
        ),
    )
    .effect(
        "positions in which a man more does not score more",
        100.0 * wrong as f64 / gains.len() as f64,
        "%",
    )
    .sure(Sureness::of_failures(wrong, gains.len(), Rates { sound: 0.05, faulty: 0.4 }, alarm))
    .threshold("more than a quarter of the positions")
    .samples(gains.len())
    .repro(if alarm { repro } else { Vec::new() })
}

/// The position without a random piece of the side that is not to move, if it is still a position.
fn without_a_man(position: &Position, random: &mut Random) -> Option<Position> {
    let enemy = !position.turn();
    let men: Vec<Square> = Square::all()
        .filter(|&square| {
            position.piece_at(square).is_some_and(|piece| {
                piece.color() == enemy && !matches!(piece.role(), Role::King | Role::Pawn)
            })
        })
        .collect();
    let gone = *men.get(random.below(men.len().max(1)))?;
    with_man(position, gone, NO_MAN).filter(|poorer| !poorer.in_check())
}

/// Centipawns by which scores may move from iteration to iteration, on average.
const MOST_JUMP: f64 = 90.0;

fn steadiness(exam: &mut Examination) -> Finding {
    let (mut jumps, mut far, mut searches) = (Vec::new(), 0, 0);
    let (mut worst, mut repro) = (0.0, Vec::new());
    let mut curves = Vec::new();
    for position in openings(exam.pick(10, 40), 47) {
        if !exam.goes_on() {
            break;
        }
        let Ok(thinking) =
            exam.patient.search_fresh(&position, "go depth 9", exam.cap(Duration::from_secs(3)))
        else {
            continue;
        };
        let points: Vec<(f64, f64)> = (1..=9)
            .filter_map(|depth| {
                Some((f64::from(depth), f64::from(thinking.at_depth(depth)?.score?.centipawns())))
            })
            .collect();
        searches += 1;
        far += usize::from(points.last().is_some_and(|point| point.1.abs() > 500.0));
        for pair in points.windows(2).filter(|pair| pair[0].0 >= 3.0) {
            let jump = (pair[1].1 - pair[0].1).abs().min(2000.0);
            if jump > worst {
                (worst, repro) = (jump, thinking.repro());
            }
            jumps.push(jump);
        }
        if curves.len() < 6 {
            curves.push(Curve { name: String::new(), points });
        }
    }
    if jumps.len() < 12 {
        return Finding::unmeasured("balance", "steadiness", "too few iterations were told");
    }
    let average = mean(&jumps);
    let (jumpy, lost) = (average > MOST_JUMP, far * 4 > searches);
    let alarm = jumpy || lost;
    let by_jumps = Sureness::of_mean(&jumps, MOST_JUMP, Side::above_if(jumpy));
    let by_size = Sureness::of_failures(far, searches, Rates { sound: 0.02, faulty: 0.3 }, lost);
    Finding::new(
        "balance",
        "steadiness",
        alarm_if(alarm),
        format!(
            "from iteration to iteration scores move by {average:.0} cp on average, {worst:.0} at most; {far} of {searches} \
             balanced positions score more than 500 cp"
        ),
    )
    .effect("mean step from iteration to iteration", average, "cp")
    .sure(match (jumpy, lost) {
        (true, true) => by_jumps.or(by_size),
        (true, false) => by_jumps,
        (false, true) => by_size,
        (false, false) => by_jumps.and(by_size),
    })
    .threshold("more than 90 cp on average, or a quarter of balanced positions beyond 500 cp")
    .samples(jumps.len())
    .plot(Plot {
        title: "Scores of balanced positions by depth".to_owned(),
        x: "depth".to_owned(),
        y: "cp".to_owned(),
        kind: PlotKind::Lines,
        curves,
    })
    .repro(if alarm { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_less_is_a_legal_position_with_a_man_less() {
        let mut random = Random::new(1);
        for position in openings(40, 3) {
            let Some(poorer) = without_a_man(&position, &mut random) else { continue };
            assert_eq!(poorer.occupied().count() + 1, position.occupied().count());
            assert_eq!(poorer.turn(), position.turn());
        }
    }
}
