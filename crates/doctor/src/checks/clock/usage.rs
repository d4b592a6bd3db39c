//! Time management over a game; `single_moves`, `late_moves` and `own_clock` test single moves.

use std::time::Duration;

use support::text::counted;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence, margin_of_error};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::samples::{geometric_mean, openings};

use super::game::{ClockGame, ClockSettings, Spent, play};
use super::{late_moves, own_clock, single_moves};

pub const CHECK: Check = Check {
    id: CheckId::Clock,
    method: "Plays 40 moves of self-play with a clock; then searches single moves with and without increment, with movestogo 3 \
             and 40, with 30 to 200 ms left, as the last moves before the time control, and with unequal clocks; and measures \
             the latency. Time usage is wall time; late moves are measured in CPU time, so that a busy system does not make an \
             engine late.",
    seconds: (36, 95),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let mut findings = game(exam);
    let parts = [
        late_moves::low_time,
        late_moves::early_increment,
        late_moves::last_moves,
        own_clock::own_clock,
        single_moves::increment,
        single_moves::moves_to_go,
    ];
    findings.extend(parts.map(|part| part(exam)));
    Ok(findings)
}

/// Milliseconds of latency that cost games at short time controls.
const MAX_LATENCY: f64 = 30.0;

/// The time of `go depth 1`.
fn latency(exam: &mut Examination) -> (Duration, Finding) {
    let (mut times, mut repro) = (Vec::new(), Vec::new());
    for position in openings(9, 59) {
        if let Ok(result) = exam.engine.search(&position, "go depth 1", Duration::from_secs(2)) {
            times.push(result.elapsed);
            repro = result.repro();
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let millis: Vec<f64> = times.iter().map(|time| 1000.0 * time.as_secs_f64()).collect();
    let Some(error) = margin_of_error(&millis) else {
        return (median, Finding::skipped(FindingId::ClockOverhead, "too few searches"));
    };
    let is_high = 1000.0 * median.as_secs_f64() > MAX_LATENCY;
    let finding = Finding::new(
        FindingId::ClockOverhead,
        Verdict::warn_if(is_high),
        format!(
            "go depth 1 takes {:.1} ms (median of {}, maximum {:.1} ms)",
            1000.0 * median.as_secs_f64(),
            times.len(),
            millis.last().copied().unwrap_or_default()
        ),
    )
    .effect(1000.0 * median.as_secs_f64())
    .error(error)
    .confidence(Confidence::of_mean(&millis, MAX_LATENCY, BoundSide::above_if(is_high)))
    .at_most(exam.timing_confidence())
    .threshold(format!("more than {MAX_LATENCY:.0} ms is a warning: increase Move Overhead"))
    .samples(times.len())
    .repro(repro);
    (median, finding)
}

fn game(exam: &mut Examination) -> Vec<Finding> {
    let base = Duration::from_millis(exam.pick(5000, 10_000));
    let (lag, overhead) = latency(exam);
    let Some(start) = openings(1, 61).into_iter().next() else { return vec![overhead] };
    let control = ClockSettings { base, added: base / 100, plies: 80 };
    let ClockGame { mut moves, clocks } = play(exam, start, control, |result, _| result.elapsed);
    for one in &mut moves {
        one.used = one.used.saturating_sub(lag);
    }
    let trust = exam.timing_confidence();
    let flags = flags(&moves, &trust);
    if moves.len() < 8 {
        let lost = moves.iter().find(|one| one.is_late());
        let why = if lost.is_some() { "early time forfeit" } else { "game too short" };
        return vec![Finding::skipped(FindingId::ClockShare, why), flags, overhead];
    }
    vec![share(&moves, base, clocks, &trust), first(&moves, trust), flags, overhead]
}

/// Sound engines use 75 % and more in 40 moves, on a busy system too.
const MIN_SHARE: f64 = 0.4;

fn share(moves: &[Spent], base: Duration, clocks: [Duration; 2], trust: &(f64, String)) -> Finding {
    let used: Duration = moves.iter().map(|one| one.used).sum();
    let whole = base * 2 + base / 100 * moves.len() as u32;
    let share = used.as_secs_f64() / whole.as_secs_f64();
    let times: Vec<f64> = moves.iter().map(|one| one.used.as_secs_f64()).collect();
    let count = moves.len() / 2;
    // A game of fewer than 40 moves may use less.
    let least = MIN_SHARE * (count as f64 / 40.0).min(1.0);
    let points = |index: usize| -> Vec<(f64, f64)> {
        moves
            .iter()
            .skip(index)
            .step_by(2)
            .enumerate()
            .map(|(number, one)| (number as f64 + 1.0, one.used.as_secs_f64() * 1000.0))
            .collect()
    };
    let phases = phases(moves);
    let by_phase: Vec<String> =
        phases.iter().map(|(name, share)| format!("{:.0} % in {name}", 100.0 * share)).collect();
    let verdict = if share < least {
        Verdict::Fail
    } else if share > 1.0 {
        // `clock.flag` decides whether the engine or the system is the reason.
        Verdict::Warning
    } else {
        Verdict::Pass
    };
    let mut finding = Finding::new(
        FindingId::ClockShare,
        verdict,
        format!(
            "used {:.0} % of the time in {count} moves per side at {}+{} s ({}); {:.1} s left",
            100.0 * share,
            base.as_secs_f64(),
            base.as_secs_f64() / 100.0,
            by_phase.join(", "),
            clocks.iter().sum::<Duration>().as_secs_f64() / 2.0
        ),
    );
    for ((_, share), measure) in phases.iter().zip(PHASES) {
        finding = finding.measure(measure, 100.0 * share);
    }
    if let Some(error) = margin_of_error(&times) {
        finding = finding.error(100.0 * error * times.len() as f64 / whole.as_secs_f64());
    }
    finding
        .effect(100.0 * share)
        .fixed_confidence(trust.0.min(0.95), format!("one game of {} moves; {}", moves.len(), trust.1))
        .threshold(format!(
            "less than {:.0} % in 40 moves (sound engines use 75 % and more); more than 100 % is a warning",
            100.0 * MIN_SHARE
        ))
        .samples(moves.len())
        .plot(Plot {
            title: "Time per move".to_owned(),
            x: "move".to_owned(),
            y: "ms".to_owned(),
            kind: PlotKind::Lines,
            curves: vec![
                Curve { name: "first player".to_owned(), points: points(0) },
                Curve { name: "second player".to_owned(), points: points(1) },
            ],
        })
        .repro(moves[0].repro.clone())
}

const PHASES: [Measure; 4] = [
    Measure::TimeInMoves1To10,
    Measure::TimeInMoves11To20,
    Measure::TimeInMoves21To30,
    Measure::TimeInMoves31To40,
];

/// Shares of the used time by moves 1-10, 11-20 and so on.
fn phases(moves: &[Spent]) -> Vec<(String, f64)> {
    const PART: usize = 10;
    let whole: Duration = moves.iter().map(|one| one.used).sum();
    let part = |(index, part): (usize, &[Spent])| {
        let (first, last) = (index * PART + 1, index * PART + part.len().div_ceil(2));
        let used: Duration = part.iter().map(|one| one.used).sum();
        (format!("moves {first}-{last}"), used.as_secs_f64() / whole.as_secs_f64().max(1e-9))
    };
    moves.chunks(2 * PART).enumerate().map(part).collect()
}

/// Share of the remaining time for a move in the opening; sound engines use 3 to 6 %.
const FIRST: (f64, f64) = (0.012, 0.6);

fn first(moves: &[Spent], trust: (f64, String)) -> Finding {
    let early = &moves[..moves.len().min(12)];
    let shares: Vec<f64> =
        early.iter().map(|one| one.used.as_secs_f64() / one.left.as_secs_f64().max(0.001)).collect();
    let share = geometric_mean(&shares);
    let logs: Vec<f64> = shares.iter().map(|share| share.max(1e-9).ln()).collect();
    let (too_little, too_much) = (share < FIRST.0, share > FIRST.1);
    let sure_little = Confidence::of_mean(&logs, FIRST.0.ln(), BoundSide::above_if(!too_little));
    let sure_much = Confidence::of_mean(&logs, FIRST.1.ln(), BoundSide::above_if(too_much));
    let confidence = if too_little {
        sure_little
    } else if too_much {
        sure_much
    } else {
        sure_little.and(sure_much)
    };
    let fails = too_little || too_much;
    let finding = Finding::new(
        FindingId::ClockFirstMoves,
        Verdict::fail_if(fails),
        format!("the first {} moves use {:.1} % of the remaining time each", early.len(), 100.0 * share),
    )
    .effect(100.0 * share)
    .confidence(confidence)
    .at_most(trust)
    .threshold(format!(
        "less than {:.1} % or more than {:.0} % per move; sound engines use 3 to 6 %",
        100.0 * FIRST.0,
        100.0 * FIRST.1
    ))
    .samples(early.len())
    .repro(early[0].repro.clone());
    match margin_of_error(&logs) {
        Some(error) => finding.error(100.0 * share * error),
        None => finding,
    }
}

fn flags(moves: &[Spent], trust: &(f64, String)) -> Finding {
    let late: Vec<&Spent> = moves.iter().filter(|one| one.is_late()).collect();
    let not_known = moves.iter().filter(|one| one.late.is_none()).count();
    if moves.is_empty() {
        return Finding::skipped(FindingId::ClockFlag, "no moves in time");
    }
    if late.is_empty() && not_known > 0 {
        let why = format!("{not_known} of {} moves overran on a busy system", moves.len());
        return Finding::skipped(FindingId::ClockFlag, why);
    }
    let summary = match late.first() {
        None => format!("no time forfeit in {}", counted(moves.len(), "move", "moves")),
        Some(one) => {
            format!("time forfeit after {}: {}", counted(moves.len(), "move", "moves"), one.description())
        }
    };
    Finding::new(FindingId::ClockFlag, Verdict::fail_if(!late.is_empty()), summary)
        .effect(late.len() as f64)
        .fixed_confidence(trust.0.min(0.97), format!("CPU time and wall time; {}", trust.1))
        .threshold("any time forfeit")
        .samples(moves.len())
        .repro(late.first().map(|one| one.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 moves per side at 5+0.05 s, each with this time in milliseconds.
    fn of_moves(millis: u64) -> Finding {
        let took = Duration::from_millis(millis);
        let one = || Spent {
            left: Duration::from_secs(1),
            used: took,
            took,
            cpu: took,
            late: Some(false),
            repro: Vec::new(),
        };
        let moves: Vec<Spent> = (0..80).map(|_| one()).collect();
        share(&moves, Duration::from_secs(5), [Duration::ZERO; 2], &(0.99, String::new()))
    }

    #[test]
    fn undecided_flag_is_skipped() {
        let of = |late| {
            let took = Duration::from_millis(90);
            flags(
                &[Spent { left: took, used: took, took, cpu: took, late, repro: Vec::new() }],
                &(0.99, String::new()),
            )
            .verdict
        };
        assert_eq!(of(Some(false)), Verdict::Pass);
        assert_eq!(of(None), Verdict::Skipped);
        assert_eq!(of(Some(true)), Verdict::Fail);
    }

    #[test]
    fn time_usage_thresholds() {
        assert_eq!(of_moves(20).verdict, Verdict::Fail, "11 %");
        assert_eq!(of_moves(140).verdict, Verdict::Pass);
        assert_eq!(of_moves(230).verdict, Verdict::Warning, "more than 100 %");
    }
}
