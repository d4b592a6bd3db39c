//! How the clock is used: over a game, for the first move, with an increment, with a time control ahead, and at the end.

use std::time::Duration;

use chess::{Color, Game, Position};

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Curve, Finding, Group, Plot, PlotKind, Verdict, alarm_if};
use crate::doctor::patient::Trouble;
use crate::doctor::samples::{geometric_mean, openings};

/// The check.
pub const CHECK: Check = Check {
    name: "clock",
    group: Group::Clock,
    title: "use of the clock",
    method: "Plays the engine against itself with a real clock for forty moves from a position outside all books; then \
             asks for single moves with and without increment, with a near and a far time control, and with 200 to 30 ms \
             left. Shares are of the wall clock, which engines go by; lateness is judged by computing time, so that a busy \
             machine does not make an engine late.",
    seconds: (28, 75),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let mut findings = game(exam);
    findings.push(increment(exam));
    findings.push(moves_to_go(exam));
    findings.push(low_time(exam));
    Ok(findings)
}

/// A move of the game on the clock.
struct Spent {
    left: Duration,
    used: Duration,
    late: bool,
    repro: Vec<String>,
}

/// What the way to the engine and back takes: the time of a search that needs none. It is no thinking.
fn latency(exam: &mut Examination) -> Duration {
    let mut times: Vec<Duration> = Vec::new();
    for position in openings(9, 59) {
        if let Ok(thinking) = exam.patient.search(&position, "go depth 1", Duration::from_secs(2)) {
            times.push(thinking.elapsed);
        }
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn game(exam: &mut Examination) -> Vec<Finding> {
    let base = Duration::from_millis(exam.pick(5000, 10_000));
    let lag = latency(exam);
    let added = base / 100;
    let Some(start) = openings(1, 61).into_iter().next() else { return Vec::new() };
    let mut game = Game::new(start);
    let mut clocks = [base + added; 2];
    let mut moves: Vec<Spent> = Vec::new();
    if exam.patient.new_game().is_err() {
        return vec![Finding::unmeasured("clock", "share", "the engine does not answer")];
    }
    while game.outcome().is_none() && moves.len() < 80 && exam.goes_on() {
        let turn = game.position().turn();
        let [white, black] = clocks.map(|clock| clock.as_millis().max(1));
        let millis = added.as_millis();
        let go = format!("go wtime {white} btime {black} winc {millis} binc {millis}");
        let clock = &mut clocks[usize::from(turn == Color::Black)];
        let Ok(thinking) = exam.patient.search_game(&game, &go, *clock * 2 + Duration::from_secs(2)) else {
            break;
        };
        let Some(mv) = thinking.best.as_deref().and_then(|word| game.position().parse_uci(word).ok()) else {
            break;
        };
        // Computing beyond the clock is a fault; so is sleeping far beyond it, however busy the machine is.
        let late = thinking.effort() > *clock + Duration::from_millis(20)
            || thinking.elapsed > *clock * 2 + Duration::from_secs(1);
        let used = thinking.elapsed.saturating_sub(lag);
        moves.push(Spent { left: *clock, used, late, repro: thinking.repro() });
        if late {
            break;
        }
        *clock = clock.saturating_sub(thinking.elapsed) + added;
        game.play(mv);
    }
    if moves.len() < 8 {
        let lost = moves.iter().find(|one| one.late);
        let why = if lost.is_some() { "the flag fell too early" } else { "the game was too short" };
        let mut findings = vec![Finding::unmeasured("clock", "share", why)];
        findings.push(flags(&moves));
        return findings;
    }
    vec![share(&moves, base, clocks), first(&moves), flags(&moves)]
}

fn share(moves: &[Spent], base: Duration, clocks: [Duration; 2]) -> Finding {
    let used: Duration = moves.iter().map(|one| one.used).sum();
    let whole = base * 2 + base / 100 * moves.len() as u32;
    let share = used.as_secs_f64() / whole.as_secs_f64();
    let count = moves.len() / 2;
    // So many of forty moves were played: a shorter game may use less.
    let least = 0.25 * (count as f64 / 40.0).min(1.0);
    let points = |index: usize| -> Vec<(f64, f64)> {
        moves
            .iter()
            .skip(index)
            .step_by(2)
            .enumerate()
            .map(|(number, one)| (number as f64 + 1.0, one.used.as_secs_f64() * 1000.0))
            .collect()
    };
    Finding::new(
        "clock",
        "share",
        alarm_if(share < least),
        format!(
            "{:.0} % of the clock was used in {count} moves for each side of {}+{} s; {:.1} s were left",
            100.0 * share,
            base.as_secs_f64(),
            base.as_secs_f64() / 100.0,
            clocks.iter().sum::<Duration>().as_secs_f64() / 2.0
        ),
    )
    .effect("share of the clock used", 100.0 * share, "%")
    .confidence(0.95, format!("{} moves", moves.len()))
    .threshold("less than 25 % in forty moves")
    .samples(moves.len())
    .plot(Plot {
        title: "Time for each move".to_owned(),
        x: "move".to_owned(),
        y: "ms".to_owned(),
        kind: PlotKind::Lines,
        curves: vec![
            Curve { name: "first side".to_owned(), points: points(0) },
            Curve { name: "second side".to_owned(), points: points(1) },
        ],
    })
    .repro(moves[0].repro.clone())
}

fn first(moves: &[Spent]) -> Finding {
    let early = &moves[..moves.len().min(12)];
    let shares: Vec<f64> =
        early.iter().map(|one| one.used.as_secs_f64() / one.left.as_secs_f64().max(0.001)).collect();
    let share = geometric_mean(&shares);
    // On a busy machine every move looks long, but none takes most of the clock.
    let alarm = !(0.004..=0.6).contains(&share);
    Finding::new(
        "clock",
        "first-moves",
        alarm_if(alarm),
        format!(
            "the first {} moves take {:.1} % of what is left on the clock each",
            early.len(),
            100.0 * share
        ),
    )
    .effect("share of the remaining time for a move", 100.0 * share, "%")
    .confidence(0.95, format!("{} moves", early.len()))
    .threshold("less than 0.4 % or more than 60 % a move")
    .samples(early.len())
    .repro(early[0].repro.clone())
}

fn flags(moves: &[Spent]) -> Finding {
    let late: Vec<&Spent> = moves.iter().filter(|one| one.late).collect();
    let summary = match late.first() {
        None => format!("no flag fell in {} moves", moves.len()),
        Some(one) => format!(
            "the flag fell after {} moves: {} ms computed with {} ms left",
            moves.len(),
            one.used.as_millis(),
            one.left.as_millis()
        ),
    };
    Finding::new("clock", "flag", alarm_if(!late.is_empty()), summary)
        .effect("flags fallen", late.len() as f64, "")
        .confidence(0.97, "computing time against the clock")
        .threshold("any fallen flag")
        .samples(moves.len())
        .repro(late.first().map(|one| one.repro.clone()).unwrap_or_default())
}

/// Time used for a move with these words after `go`, over a few positions.
fn mean_time(exam: &mut Examination, go: &str) -> Option<(f64, Vec<String>)> {
    let (mut times, mut repro) = (Vec::new(), Vec::new());
    for position in openings(exam.pick(2, 5), 67) {
        let here: Position = position;
        let Ok(thinking) = exam.patient.search_fresh(&here, go, exam.cap(Duration::from_secs(5))) else {
            continue;
        };
        times.push(thinking.elapsed.as_secs_f64().max(0.001));
        repro = thinking.repro();
    }
    (!times.is_empty()).then(|| (geometric_mean(&times), repro))
}

fn increment(exam: &mut Examination) -> Finding {
    let plain = mean_time(exam, "go wtime 2000 btime 2000");
    let added = mean_time(exam, "go wtime 2000 btime 2000 winc 1000 binc 1000");
    let (Some((plain, _)), Some((added, repro))) = (plain, added) else {
        return Finding::unmeasured("clock", "increment", "no search was answered");
    };
    let ratio = added / plain;
    let alarm = ratio < 1.25;
    Finding::new(
        "clock",
        "increment",
        alarm_if(alarm),
        format!(
            "with 2 s left a move takes {:.0} ms, with an increment of 1 s {:.0} ms ({ratio:.1} times)",
            1000.0 * plain,
            1000.0 * added
        ),
    )
    .effect("time with increment against without", ratio, "times")
    .confidence(0.93, "geometric mean over openings")
    .threshold("less than 1.25 times: an increment of half the clock changes nothing")
    .samples(2 * exam.pick(2, 5))
    .repro(repro)
}

fn moves_to_go(exam: &mut Examination) -> Finding {
    let far = mean_time(exam, "go wtime 2000 btime 2000 movestogo 40");
    let near = mean_time(exam, "go wtime 2000 btime 2000 movestogo 3");
    let (Some((far, _)), Some((near, repro))) = (far, near) else {
        return Finding::unmeasured("clock", "movestogo", "no search was answered");
    };
    let ratio = near / far;
    let verdict = if ratio < 1.5 { Verdict::Notice } else { Verdict::Sound };
    Finding::new(
        "clock",
        "movestogo",
        verdict,
        format!(
            "2 s for 40 moves: {:.0} ms a move; for 3 moves: {:.0} ms ({ratio:.1} times)",
            1000.0 * far,
            1000.0 * near
        ),
    )
    .effect("time with a near control against a far one", ratio, "times")
    .confidence(0.93, "geometric mean over openings")
    .threshold("a notice below 1.5 times: movestogo is not used")
    .samples(2 * exam.pick(2, 5))
    .repro(repro)
}

fn low_time(exam: &mut Examination) -> Finding {
    let (mut asked, mut late, mut repro, mut first) = (0, 0, Vec::new(), String::new());
    for left in [200u64, 100, 60, 30] {
        for increment in [0u64, 1000] {
            for position in openings(exam.pick(1, 3), 71) {
                let go = format!("go wtime {left} btime {left} winc {increment} binc {increment}");
                let Ok(thinking) = exam.patient.search_fresh(&position, &go, Duration::from_secs(4)) else {
                    continue;
                };
                asked += 1;
                let used = thinking.effort();
                // The system counts computing time in hundredths of a second.
                if thinking.cut_short || used > Duration::from_millis(left + 20) {
                    late += 1;
                    if repro.is_empty() {
                        repro = thinking.repro();
                        first = format!(
                            "{} ms computed with {left} ms left and {increment} added",
                            used.as_millis()
                        );
                    }
                }
            }
        }
    }
    if asked == 0 {
        return Finding::unmeasured("clock", "low-time", "no search was answered");
    }
    let alarm = late >= 2;
    let summary = if late == 0 {
        format!("{asked} moves with 30 to 200 ms left, none late")
    } else {
        format!("{late} of {asked} moves with 30 to 200 ms left are late: {first}")
    };
    Finding::new("clock", "low-time", alarm_if(alarm), summary)
        .effect("late moves with little time", 100.0 * f64::from(late) / f64::from(asked), "%")
        .confidence(0.95, "computing time against the clock")
        .threshold("two late moves")
        .samples(asked as usize)
        .repro(if alarm { repro } else { Vec::new() })
}
