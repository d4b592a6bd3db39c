//! How the clock is used over a game; `single_moves`, `late_moves` and `own_clock` ask for moves with an increment, a time control
//! ahead, little time, and unequal clocks.

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Curve, Finding, Group, Plot, PlotKind, Verdict, alarm_if};
use crate::patient::Trouble;
use crate::samples::{geometric_mean, openings};
use crate::sureness::{Side, Sureness, error_of_95};

use super::game::{ClockGame, Control, Spent, play};
use super::{late_moves, own_clock, single_moves};

/// The check.
pub const CHECK: Check = Check {
    name: "clock",
    group: Group::Clock,
    title: "use of the clock",
    method: "Plays the engine against itself with a real clock for forty moves from a position outside all books; then \
             asks for single moves with and without increment, with a near and a far time control, with 200 to 30 ms \
             left, as the last before a time control, and with unequal clocks; and measures what any answer takes. Shares are of the wall clock, which engines go by; lateness is judged by computing time, so that a busy \
             machine does not make an engine late.",
    seconds: (36, 95),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let mut findings = game(exam);
    let moves = [
        late_moves::low_time,
        late_moves::early_increment,
        late_moves::last_moves,
        own_clock::own_clock,
        single_moves::increment,
        single_moves::moves_to_go,
    ];
    findings.extend(moves.map(|ask| ask(exam)));
    Ok(findings)
}

/// Milliseconds from which on the way to an engine and back costs games at short time controls.
const LONG_WAY: f64 = 30.0;

/// What the way to the engine and back takes: the time of a search that needs none. It is no thinking.
fn latency(exam: &mut Examination) -> (Duration, Finding) {
    let (mut times, mut repro) = (Vec::new(), Vec::new());
    for position in openings(9, 59) {
        if let Ok(thinking) = exam.patient.search(&position, "go depth 1", Duration::from_secs(2)) {
            times.push(thinking.elapsed);
            repro = thinking.repro();
        }
    }
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let millis: Vec<f64> = times.iter().map(|time| 1000.0 * time.as_secs_f64()).collect();
    let Some(error) = error_of_95(&millis) else {
        return (middle, Finding::unmeasured("clock", "overhead", "too few searches were answered"));
    };
    let is_long = 1000.0 * middle.as_secs_f64() > LONG_WAY;
    let finding = Finding::new(
        "clock",
        "overhead",
        if is_long { Verdict::Notice } else { Verdict::Sound },
        format!(
            "an answer to 'go depth 1' takes {:.1} ms from the question on, in the middle of {} ({:.1} at most)",
            1000.0 * middle.as_secs_f64(),
            times.len(),
            millis.last().copied().unwrap_or_default()
        ),
    )
    .effect("time of an answer that needs no thinking", 1000.0 * middle.as_secs_f64(), "ms")
    .error(error)
    .sure(Sureness::of_mean(&millis, LONG_WAY, Side::above_if(is_long)).at_most(exam.trust_in_time()))
    .threshold("a notice above 30 ms: the reserve of the clock ('Move Overhead') must be greater")
    .samples(times.len())
    .repro(repro);
    (middle, finding)
}

fn game(exam: &mut Examination) -> Vec<Finding> {
    let base = Duration::from_millis(exam.pick(5000, 10_000));
    let (lag, overhead) = latency(exam);
    let Some(start) = openings(1, 61).into_iter().next() else { return vec![overhead] };
    let control = Control { base, added: base / 100, plies: 80 };
    let ClockGame { mut moves, clocks } = play(exam, start, control, |thinking, _| thinking.elapsed);
    for one in &mut moves {
        one.used = one.used.saturating_sub(lag);
    }
    let trust = exam.trust_in_time();
    let flags = flags(&moves, &trust);
    if moves.len() < 8 {
        let lost = moves.iter().find(|one| one.is_late());
        let why = if lost.is_some() { "the flag fell too early" } else { "the game was too short" };
        return vec![Finding::unmeasured("clock", "share", why), flags, overhead];
    }
    vec![share(&moves, base, clocks, &trust), first(&moves, trust), flags, overhead]
}

fn share(moves: &[Spent], base: Duration, clocks: [Duration; 2], trust: &(f64, String)) -> Finding {
    let used: Duration = moves.iter().map(|one| one.used).sum();
    let whole = base * 2 + base / 100 * moves.len() as u32;
    let share = used.as_secs_f64() / whole.as_secs_f64();
    let times: Vec<f64> = moves.iter().map(|one| one.used.as_secs_f64()).collect();
    let count = moves.len() / 2;
    // Sound engines use 75 % and more, on busy machines too. So many of forty moves were played: a shorter game may use less.
    let least = 0.4 * (count as f64 / 40.0).min(1.0);
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
    let told: Vec<String> =
        phases.iter().map(|(name, share)| format!("{:.0} % in {name}", 100.0 * share)).collect();
    let verdict = if share < least {
        Verdict::Alarm
    } else if share > 1.0 {
        // Whether the engine or the machine took more than there was is for `clock.flag` to say.
        Verdict::Notice
    } else {
        Verdict::Sound
    };
    let mut finding = Finding::new(
        "clock",
        "share",
        verdict,
        format!(
            "{:.0} % of the clock was used in {count} moves for each side of {}+{} s ({} of what was used); {:.1} s were left",
            100.0 * share,
            base.as_secs_f64(),
            base.as_secs_f64() / 100.0,
            told.join(", "),
            clocks.iter().sum::<Duration>().as_secs_f64() / 2.0
        ),
    );
    for (name, share) in &phases {
        finding = finding.measure(&format!("share of the time used in {name}"), 100.0 * share);
    }
    if let Some(error) = error_of_95(&times) {
        finding = finding.error(100.0 * error * times.len() as f64 / whole.as_secs_f64());
    }
    finding
        .effect("share of the clock used", 100.0 * share, "%")
        .sure_by_hand(trust.0.min(0.95), format!("one game of {} moves; {}", moves.len(), trust.1))
        .threshold("less than 40 % in forty moves (sound engines use 75 % and more); a notice above 100 %")
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

/// What share of the time that was used went into each part of the game.
fn phases(moves: &[Spent]) -> Vec<(String, f64)> {
    /// Moves of each side in one part.
    const PART: usize = 10;
    let whole: Duration = moves.iter().map(|one| one.used).sum();
    let part = |(index, part): (usize, &[Spent])| {
        let (first, last) = (index * PART + 1, index * PART + part.len().div_ceil(2));
        let used: Duration = part.iter().map(|one| one.used).sum();
        (format!("moves {first}-{last}"), used.as_secs_f64() / whole.as_secs_f64().max(1e-9))
    };
    moves.chunks(2 * PART).enumerate().map(part).collect()
}

/// Share of what is left that a move of the opening takes. Sound engines take 3 to 6 %. On a busy machine every move looks long,
/// but none takes most of the clock.
const FIRST: (f64, f64) = (0.012, 0.6);

fn first(moves: &[Spent], trust: (f64, String)) -> Finding {
    let early = &moves[..moves.len().min(12)];
    let shares: Vec<f64> =
        early.iter().map(|one| one.used.as_secs_f64() / one.left.as_secs_f64().max(0.001)).collect();
    let share = geometric_mean(&shares);
    let logs: Vec<f64> = shares.iter().map(|share| share.max(1e-9).ln()).collect();
    let (too_little, too_much) = (share < FIRST.0, share > FIRST.1);
    let sure_little = Sureness::of_mean(&logs, FIRST.0.ln(), Side::above_if(!too_little));
    let sure_much = Sureness::of_mean(&logs, FIRST.1.ln(), Side::above_if(too_much));
    let sureness = if too_little {
        sure_little
    } else if too_much {
        sure_much
    } else {
        sure_little.and(sure_much)
    };
    let alarm = too_little || too_much;
    let finding = Finding::new(
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
    .sure(sureness.at_most(trust))
    .threshold("less than 1.2 % or more than 60 % a move; sound engines take 3 to 6 %")
    .samples(early.len())
    .repro(early[0].repro.clone());
    match error_of_95(&logs) {
        Some(error) => finding.error(100.0 * share * error),
        None => finding,
    }
}

fn flags(moves: &[Spent], trust: &(f64, String)) -> Finding {
    let late: Vec<&Spent> = moves.iter().filter(|one| one.is_late()).collect();
    let not_known = moves.iter().filter(|one| one.late.is_none()).count();
    if late.is_empty() && not_known > 0 {
        let why = format!(
            "{not_known} of {} moves came after the clock, on a machine too busy to tell why",
            moves.len()
        );
        return Finding::unmeasured("clock", "flag", why);
    }
    let summary = match late.first() {
        None => format!("no flag fell in {} moves", moves.len()),
        Some(one) => format!("the flag fell after {} moves: {}", moves.len(), one.told()),
    };
    Finding::new("clock", "flag", alarm_if(!late.is_empty()), summary)
        .effect("flags fallen", late.len() as f64, "")
        .sure_by_hand(trust.0.min(0.97), format!("computing time and the wall clock; {}", trust.1))
        .threshold("any fallen flag")
        .samples(moves.len())
        .repro(late.first().map(|one| one.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty moves of each side at 5+0.05 s, each of so many milliseconds.
    fn of_moves(millis: u64) -> Finding {
        let took = Duration::from_millis(millis);
        let one = || Spent {
            left: Duration::from_secs(1),
            used: took,
            took,
            computed: took,
            late: Some(false),
            repro: Vec::new(),
        };
        let moves: Vec<Spent> = (0..80).map(|_| one()).collect();
        share(&moves, Duration::from_secs(5), [Duration::ZERO; 2], &(0.99, String::new()))
    }

    #[test]
    fn a_flag_of_which_nothing_is_known_is_neither_fallen_nor_up() {
        let of = |late| {
            let took = Duration::from_millis(90);
            flags(
                &[Spent { left: took, used: took, took, computed: took, late, repro: Vec::new() }],
                &(0.99, String::new()),
            )
            .verdict
        };
        assert_eq!(of(Some(false)), Verdict::Sound);
        assert_eq!(of(None), Verdict::Unmeasured);
        assert_eq!(of(Some(true)), Verdict::Alarm);
    }

    #[test]
    fn more_than_the_whole_clock_is_no_sound_use_of_it() {
        assert_eq!(of_moves(20).verdict, Verdict::Alarm, "an eighth");
        assert_eq!(of_moves(140).verdict, Verdict::Sound);
        assert_eq!(of_moves(230).verdict, Verdict::Notice, "more than the 175 ms that there are");
    }
}
