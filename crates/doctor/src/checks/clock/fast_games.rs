//! Fast games of the engine against itself: does a flag fall when there is hardly any time?

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict};
use crate::patient::{Thinking, Trouble};
use crate::samples::openings;
use crate::sureness::{Rates, Sureness};

use super::game::{Control, Spent, play};

/// The check.
pub const CHECK: Check = Check {
    name: "fast-games",
    group: Group::Clock,
    title: "time losses in fast games",
    method: "Plays whole games of the engine against itself at 1 s + 10 ms, 0.5 s + 5 ms and 0.3 s without increment, from \
             varied openings, and counts fallen flags. A busy machine that keeps the engine waiting takes no more from the \
             clock than leaves 50 ms; a flag has fallen when more was computed than was left, when a clock of 300 ms or more \
             ran out on the wall while a third of it and 300 ms were computed, or when the engine slept for twice as long.",
    seconds: (10, 50),
    run,
};

/// Base and increment in milliseconds; the games take turns.
const CONTROLS: [(u64, u64); 3] = [(1000, 10), (500, 5), (300, 0)];

/// Half moves after which a game is ended: with so many moves behind it an engine lives on its increment, or on nothing.
const MOST_PLIES: usize = 240;

/// What waiting for a busy machine may leave on the clock at the least; the rest only computing takes.
const SPARED: Duration = Duration::from_millis(50);

/// The clock of the wall, as long as a busy machine does not use up what the engine needs to answer.
fn charge(thinking: &Thinking, left: Duration) -> Duration {
    thinking.elapsed.min(left.saturating_sub(SPARED)).max(thinking.effort())
}

/// Games in which a flag falls: by an accident of the system, and by a fault.
const RATES: Rates = Rates { sound: 0.005, faulty: 0.1 };

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let (mut games, mut moves, mut not_known) = (0, 0, 0);
    let mut fallen: Vec<((u64, u64), Spent)> = Vec::new();
    let mut shortest = Duration::MAX;
    for (start, &(base, added)) in openings(400, 101).into_iter().zip(CONTROLS.iter().cycle()) {
        if !exam.goes_on() || fallen.len() >= 5 {
            break;
        }
        let (millis, plies) = (Duration::from_millis, MOST_PLIES);
        let control = Control { base: millis(base), added: millis(added), plies };
        let played = play(exam, start, control, charge);
        if played.moves.is_empty() {
            continue;
        }
        games += 1;
        moves += played.moves.len();
        not_known += played.moves.iter().filter(|one| one.late.is_none()).count();
        shortest = played.moves.iter().map(|one| one.left).fold(shortest, Duration::min);
        fallen.extend(played.moves.into_iter().find(Spent::is_late).map(|one| ((base, added), one)));
    }
    if moves < 40 && fallen.is_empty() {
        let why = format!("only {moves} moves were played");
        return Ok(vec![Finding::unmeasured("fast-games", "flags", why)]);
    }
    // A single one may be an accident of the system, which can hold a process up for longer than a move takes.
    let (verdict, summary) = match fallen.first() {
        None => (
            Verdict::Sound,
            format!(
                "no flag fell in {games} games and {moves} moves at 1+0.01 to 0.3+0 s; {} ms were left at the least",
                shortest.as_millis()
            ),
        ),
        Some(((base, added), one)) => (
            if fallen.len() >= 2 { Verdict::Alarm } else { Verdict::Notice },
            format!("{} flags fell in {games} games: at {base}+{added} ms {}", fallen.len(), one.told()),
        ),
    };
    let summary = match not_known {
        0 => summary,
        _ => format!("{summary}; {not_known} moves came after the clock without having computed so long"),
    };
    let finding = Finding::new("fast-games", "flags", verdict, summary)
        .effect("games lost on time", 100.0 * fallen.len() as f64 / games as f64, "%")
        .sure(Sureness::of_failures(fallen.len(), games, RATES, verdict == Verdict::Alarm))
        .threshold("two fallen flags; one is a notice")
        .samples(games)
        .measure("moves", moves as f64)
        .measure("moves of which it is not known", not_known as f64)
        .repro(fallen.first().map(|(_, one)| one.repro.clone()).unwrap_or_default());
    Ok(vec![finding])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_leaves_what_an_answer_needs_and_computing_leaves_nothing() {
        let left = |clock: u64, elapsed: u64, computed: u64| {
            let clock = Duration::from_millis(clock);
            clock.saturating_sub(charge(&Thinking::of_times(elapsed, computed), clock)).as_millis()
        };
        assert_eq!(left(1000, 200, 200), 800);
        assert_eq!(left(1000, 200, 20), 800);
        assert_eq!(left(1000, 5000, 20), 50);
        assert_eq!(left(60, 5000, 30), 30);
        assert_eq!(left(60, 90, 90), 0);
    }
}
