//! What more hash and more threads bring.

use std::time::Duration;

use chess::Position;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict};
use crate::patient::Trouble;
use crate::samples::{geometric_mean, of_all_phases};

/// The check.
pub const CHECK: Check = Check {
    name: "scaling",
    group: Group::Efficiency,
    title: "what hash and threads bring",
    method: "Searches positions for a second with the least hash and with 64 MB, and with one thread and two, where the \
             engine offers these options; compares depth and nodes for each second.",
    seconds: (0, 50),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let positions: Vec<Position> = of_all_phases().into_iter().skip(5).step_by(4).take(6).collect();
    Ok(vec![hash(exam, &positions)?, threads(exam, &positions)?])
}

/// Mean depth and nodes for each second of computing, at a second on the wall.
fn measure(exam: &mut Examination, positions: &[Position], go: &str) -> Option<(f64, f64)> {
    let (mut depths, mut speeds) = (Vec::new(), Vec::new());
    for position in positions {
        if let Ok(thinking) = exam.patient.search_fresh(position, go, Duration::from_secs(5)) {
            depths.push(f64::from(thinking.depth().max(1)));
            speeds.push(thinking.nodes() as f64 / thinking.elapsed.as_secs_f64().max(0.01));
        }
    }
    (depths.len() * 2 >= positions.len()).then(|| (geometric_mean(&depths), geometric_mean(&speeds)))
}

fn hash(exam: &mut Examination, positions: &[Position]) -> Result<Finding, Trouble> {
    let Some((least, most)) = exam.patient.range("Hash").filter(|&(_, max)| max >= 64) else {
        return Ok(Finding::unmeasured("scaling", "hash", "the engine does not offer Hash up to 64"));
    };
    // By nodes, so that a busy machine does not matter.
    let go = exam.go_nodes(1_000_000);
    exam.patient.set("Hash", &least.max(1).to_string())?;
    let small = measure(exam, positions, &go);
    exam.patient.set("Hash", &most.min(64).to_string())?;
    let large = measure(exam, positions, &go);
    exam.patient.unset("Hash")?;
    let (Some((small, _)), Some((large, _))) = (small, large) else {
        return Ok(Finding::unmeasured("scaling", "hash", "too few searches were answered"));
    };
    let gain = large - small;
    // More hash never makes a sound search shallower, up to noise.
    let verdict = if gain < -1.5 { Verdict::Notice } else { Verdict::Sound };
    Ok(Finding::new(
        "scaling",
        "hash",
        verdict,
        format!("with '{go}' depth {small:.1} with the least hash, {large:.1} with 64 MB"),
    )
    .effect("plies gained by 64 MB of hash", gain, "plies")
    .sure_by_hand(0.8, format!("{} positions each", positions.len()))
    .threshold("a notice when more hash makes the search shallower by 1.5 plies")
    .samples(positions.len()))
}

fn threads(exam: &mut Examination, positions: &[Position]) -> Result<Finding, Trouble> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if exam.patient.range("Threads").is_none_or(|(_, max)| max < 2) || processors < 2 {
        return Ok(Finding::unmeasured("scaling", "threads", "one thread, or one processor"));
    }
    let (trust, basis) = exam.trust_in_time();
    let go = "go movetime 800";
    exam.patient.set("Threads", "1")?;
    let one = measure(exam, positions, go);
    exam.patient.set("Threads", "2")?;
    let two = measure(exam, positions, go);
    exam.patient.unset("Threads")?;
    let (Some((_, one)), Some((_, two))) = (one, two) else {
        return Ok(Finding::unmeasured("scaling", "threads", "too few searches were answered"));
    };
    let ratio = two / one.max(1.0);
    let verdict = if ratio < 1.1 && trust > 0.95 { Verdict::Notice } else { Verdict::Sound };
    Ok(Finding::new(
        "scaling",
        "threads",
        verdict,
        format!("a second thread makes {ratio:.2} times the nodes for each second"),
    )
    .effect("nodes a second with two threads against one", ratio, "times")
    .sure_by_hand(0.8 * trust, basis)
    .threshold("a notice below 1.1 on a free machine")
    .samples(positions.len()))
}
