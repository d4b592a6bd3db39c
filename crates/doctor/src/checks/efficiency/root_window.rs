//! Full windows at the root: an engine that searches every root move with the whole window spends several times the nodes,
//! and nothing in its scores shows it.

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, alarm_if};
use crate::patient::Trouble;
use crate::retrace::one_after_the_other;
use crate::samples::{geometric_mean, of_all_phases};
use crate::sureness::{Side, Sureness};

/// The check.
pub const CHECK: Check = Check {
    name: "root-window",
    group: Group::Efficiency,
    title: "scouts at the root",
    method: "Compares the nodes of one search with the sum of the nodes of all root moves searched alone to the same depth. \
             With scouts, all moves together cost far less than one by one with open windows; without scouts they cost \
             the same.",
    seconds: (14, 45),
    run,
};

/// Share of the nodes of its moves searched alone that one search may take.
const MOST: f64 = 0.6;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    if !exam.obeys_search_moves {
        let why = "the engine does not obey 'go searchmoves'";
        return Ok(vec![Finding::unmeasured("root-window", "share", why)]);
    }
    let go = "go depth 8";
    let (mut shares, mut repro) = (Vec::new(), Vec::new());
    for position in of_all_phases().into_iter().skip(4).step_by(2).take(exam.pick(3, 9)) {
        let Ok(whole) = exam.patient.search_fresh(&position, go, exam.cap(Duration::from_secs(3))) else {
            continue;
        };
        let (mut sum, mut complete) = (0u64, true);
        let mut lines = whole.repro();
        for mv in position.legal_moves() {
            if !exam.goes_on() {
                complete = false;
                break;
            }
            let go = format!("{go} searchmoves {}", mv.uci(false));
            match exam.patient.search_fresh(&position, &go, exam.cap(Duration::from_secs(2))) {
                Ok(alone) if !alone.cut_short => {
                    sum = sum.saturating_add(alone.nodes());
                    lines = one_after_the_other(&lines, &alone.repro());
                }
                _ => complete = false,
            }
        }
        if complete && sum > 0 && !whole.cut_short && whole.nodes() > 0 {
            shares.push(whole.nodes() as f64 / sum as f64);
            repro = lines;
        }
    }
    // One position has no error, and says nothing about others.
    if shares.len() < 2 {
        return Ok(vec![Finding::unmeasured("root-window", "share", "too few searches ended in time")]);
    }
    let share = geometric_mean(&shares);
    let alarm = share > MOST;
    let logs: Vec<f64> = shares.iter().map(|share: &f64| share.ln()).collect();
    let finding = Finding::new(
        "root-window",
        "share",
        alarm_if(alarm),
        format!("one search takes {:.0} % of the nodes of all its root moves searched alone", 100.0 * share),
    )
    .effect("nodes of the whole against the sum of its moves", 100.0 * share, "%")
    .sure(Sureness::of_mean(&logs, MOST.ln(), Side::above_if(alarm)))
    .threshold("more than 60 %")
    .samples(shares.len())
    .repro(if alarm { repro } else { Vec::new() });
    Ok(vec![finding])
}
