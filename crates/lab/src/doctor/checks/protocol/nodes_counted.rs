//! Are the nodes that the engine tells real nodes? A counter that counts only root moves has fooled authors into
//! hunting for pruning that was not there.

use std::time::Duration;

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Curve, Finding, Group, Plot, PlotKind, alarm_if};
use crate::doctor::patient::Trouble;
use crate::doctor::samples::{geometric_mean, median, openings};

/// The check.
pub const CHECK: Check = Check {
    name: "nodes",
    group: Group::Protocol,
    title: "the nodes it tells are real",
    method: "Searches opening positions for half a second each, and sets the nodes told against the computing time used \
             and against the depth told: to have looked at every answer to every move once, a search of depth 2 and more \
             needs at least one node for each legal move and each of its depths.",
    seconds: (6, 12),
    run,
};

/// No engine that is written to be played with searches fewer nodes in a second: one whose counter is right.
const SLOWEST: f64 = 2000.0;

/// Nodes for each root move and iteration: a search of a few plies makes dozens, a counter at the root one or two.
const LEAST: f64 = 4.0;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let (mut speeds, mut shares, mut points) = (Vec::new(), Vec::new(), Vec::new());
    let (mut repro, mut worst, mut told) = (Vec::new(), f64::INFINITY, false);
    for position in openings(exam.pick(6, 14), 31) {
        if !exam.goes_on() {
            break;
        }
        let Ok(thinking) = exam.patient.search_fresh(&position, "go movetime 500", Duration::from_secs(4))
        else {
            continue;
        };
        told |= thinking.lines.iter().any(|info| info.nodes.is_some());
        let (nodes, depth) = (thinking.nodes() as f64, f64::from(thinking.depth().max(1)));
        let speed = nodes / thinking.effort().as_secs_f64().max(0.01);
        // Every root move is made at least once in every iteration.
        let least = f64::from(position.count_legal_moves()) * depth;
        speeds.push(speed);
        shares.push(nodes / least);
        points.push((points.len() as f64 + 1.0, nodes));
        if speed < worst {
            (worst, repro) = (speed, thinking.repro());
        }
    }
    if speeds.is_empty() {
        return Ok(vec![Finding::unmeasured("nodes", "counted", "no search was answered")]);
    }
    // UCI does not ask for them. One that says "nodes 0" tells a number, and a wrong one.
    if !told {
        return Ok(vec![Finding::unmeasured("nodes", "counted", "the engine tells no nodes")]);
    }
    let (speed, share) = (median(&speeds), geometric_mean(&shares));
    exam.speed = exam.speed.or(Some(speed));
    let alarm = speed < SLOWEST || share < LEAST;
    let summary = format!(
        "{speed:.0} nodes for each second of computing; {share:.1} times the fewest nodes that root moves and depth allow"
    );
    let finding = Finding::new("nodes", "counted", alarm_if(alarm), summary)
        .effect("nodes per second of computing", speed, "/s")
        .confidence(
            if (SLOWEST / 4.0..=SLOWEST * 4.0).contains(&speed) { 0.9 } else { 0.99 },
            "median of all searches",
        )
        .threshold("below 2,000 nodes a second, or below 4 nodes for each root move and iteration")
        .samples(speeds.len())
        .measure("nodes over the least possible", share)
        .plot(Plot {
            title: "Nodes told after half a second".to_owned(),
            x: "search".to_owned(),
            y: "nodes".to_owned(),
            kind: PlotKind::Lines,
            curves: vec![Curve { name: "searches".to_owned(), points }],
        })
        .repro(repro);
    Ok(vec![finding])
}
