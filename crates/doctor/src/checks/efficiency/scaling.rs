//! Depth with a larger hash, speed with two threads.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::samples::{geometric_mean, of_all_phases};

pub const CHECK: Check = Check {
    id: CheckId::Scaling,
    method: "Searches positions with the minimum hash and with 64 MB, and with one thread and two, where the engine has these \
             options; compares depth and nodes per second.",
    seconds: (0, 50),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let positions: Vec<Position> = of_all_phases().into_iter().skip(5).step_by(4).take(6).collect();
    Ok(vec![hash(exam, &positions)?, threads(exam, &positions)?])
}

/// Mean depth and nodes per second.
fn measure(exam: &mut Examination, positions: &[Position], go: &str) -> Option<(f64, f64)> {
    let (mut depths, mut speeds) = (Vec::new(), Vec::new());
    for position in positions {
        if let Ok(result) = exam.engine.search_fresh(position, go, Duration::from_secs(5)) {
            depths.push(f64::from(result.depth().max(1)));
            speeds.push(result.nodes() as f64 / result.elapsed.as_secs_f64().max(0.01));
        }
    }
    (depths.len() * 2 >= positions.len()).then(|| (geometric_mean(&depths), geometric_mean(&speeds)))
}

/// Plies; noise is smaller.
const MAX_LOSS: f64 = 1.5;

fn hash(exam: &mut Examination, positions: &[Position]) -> Result<Finding, EngineError> {
    let Some((least, most)) = exam.engine.range("Hash").filter(|&(_, max)| max >= 64) else {
        return Ok(Finding::skipped(FindingId::ScalingHash, "no option Hash up to 64"));
    };
    // Independent of the system load.
    let go = exam.go_nodes(1_000_000);
    exam.engine.set("Hash", &least.max(1).to_string())?;
    let small = measure(exam, positions, &go);
    exam.engine.set("Hash", &most.min(64).to_string())?;
    let large = measure(exam, positions, &go);
    exam.engine.unset("Hash")?;
    let (Some((small, _)), Some((large, _))) = (small, large) else {
        return Ok(Finding::skipped(FindingId::ScalingHash, "too few searches"));
    };
    let gain = large - small;
    let verdict = Verdict::warn_if(gain < -MAX_LOSS);
    Ok(Finding::new(
        FindingId::ScalingHash,
        verdict,
        format!("depth {small:.1} with the minimum hash and {large:.1} with 64 MB ({go})"),
    )
    .effect(gain)
    .fixed_confidence(0.8, format!("{} positions each", positions.len()))
    .threshold(format!("a loss of {MAX_LOSS} plies with 64 MB is a warning"))
    .samples(positions.len()))
}

const MIN_SPEEDUP: f64 = 1.1;

fn threads(exam: &mut Examination, positions: &[Position]) -> Result<Finding, EngineError> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if exam.engine.range("Threads").is_none_or(|(_, max)| max < 2) || processors < 2 {
        return Ok(Finding::skipped(FindingId::ScalingThreads, "single-threaded engine or system"));
    }
    let (trust, basis) = exam.timing_confidence();
    let go = "go movetime 800";
    exam.engine.set("Threads", "1")?;
    let one = measure(exam, positions, go);
    exam.engine.set("Threads", "2")?;
    let two = measure(exam, positions, go);
    exam.engine.unset("Threads")?;
    let (Some((_, one)), Some((_, two))) = (one, two) else {
        return Ok(Finding::skipped(FindingId::ScalingThreads, "too few searches"));
    };
    let ratio = two / one.max(1.0);
    let verdict = Verdict::warn_if(ratio < MIN_SPEEDUP && trust > 0.95);
    Ok(Finding::new(
        FindingId::ScalingThreads,
        verdict,
        format!("{ratio:.2} times the nodes per second with two threads"),
    )
    .effect(ratio)
    .fixed_confidence(0.8 * trust, basis)
    .threshold(format!("less than {MIN_SPEEDUP} times on an idle system is a warning"))
    .samples(positions.len()))
}
