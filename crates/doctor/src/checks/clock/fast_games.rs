//! Time forfeits in bullet self-play.

use std::time::Duration;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, TrialRates};
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::samples::openings;
use crate::search_output::SearchOutput;

use super::game::{ClockSettings, Spent, play};

pub const CHECK: Check = Check {
    id: CheckId::FastGames,
    method: "Plays self-play games at 1+0.01, 0.5+0.005 and 0.3+0 s from varied openings and counts time forfeits. Waiting for \
             the CPU never takes the last 50 ms. A time forfeit needs more CPU time than was left, a third of a clock of 300 ms \
             or more as CPU time and all of it as wall time, or twice the clock as wall time.",
    seconds: (10, 50),
    run,
};

/// Base and increment in milliseconds.
const CONTROLS: [(u64, u64); 3] = [(1000, 10), (500, 5), (300, 0)];

/// By then an engine plays on its increment.
const MAX_PLIES: usize = 240;

/// What waiting for the CPU leaves on the clock; only CPU time takes the rest.
const RESERVE: Duration = Duration::from_millis(50);

/// Wall time, limited on a busy system.
fn charge(result: &SearchOutput, left: Duration) -> Duration {
    result.elapsed.min(left.saturating_sub(RESERVE)).max(result.cpu_or_wall())
}

/// Time forfeits by accident and by a fault.
const RATES: TrialRates = TrialRates { sound: 0.005, faulty: 0.1 };

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let (mut games, mut moves, mut not_known) = (0, 0, 0);
    let mut forfeits: Vec<((u64, u64), Spent)> = Vec::new();
    let mut shortest = Duration::MAX;
    for (start, &(base, added)) in openings(400, 101).into_iter().zip(CONTROLS.iter().cycle()) {
        if !exam.has_time() || forfeits.len() >= 5 {
            break;
        }
        let (millis, plies) = (Duration::from_millis, MAX_PLIES);
        let control = ClockSettings { base: millis(base), added: millis(added), plies };
        let played = play(exam, start, control, charge);
        if played.moves.is_empty() {
            continue;
        }
        games += 1;
        moves += played.moves.len();
        not_known += played.moves.iter().filter(|one| one.late.is_none()).count();
        shortest = played.moves.iter().map(|one| one.left).fold(shortest, Duration::min);
        forfeits.extend(played.moves.into_iter().find(Spent::is_late).map(|one| ((base, added), one)));
    }
    if moves < 40 && forfeits.is_empty() {
        let why = too_few(moves, "move", "moves");
        return Ok(vec![Finding::skipped(FindingId::FastGamesFlags, why)]);
    }
    // A single one may be an accident of the system.
    let (verdict, summary) = match forfeits.first() {
        None => (
            Verdict::Pass,
            format!(
                "no time forfeit in {games} games and {moves} moves at 1+0.01 to 0.3+0 s; at least {} ms left",
                shortest.as_millis()
            ),
        ),
        Some(((base, added), one)) => (
            if forfeits.len() >= 2 { Verdict::Fail } else { Verdict::Warning },
            format!(
                "{} time forfeits in {games} games: at {base}+{added} ms {}",
                forfeits.len(),
                one.description()
            ),
        ),
    };
    let summary = match not_known {
        0 => summary,
        _ => format!("{summary}; {not_known} more moves overran on a busy system"),
    };
    let finding = Finding::new(FindingId::FastGamesFlags, verdict, summary)
        .effect(100.0 * forfeits.len() as f64 / games as f64)
        .confidence(Confidence::of_failures(forfeits.len(), games, RATES, verdict == Verdict::Fail))
        .threshold("2 time forfeits; one is a warning")
        .samples(games)
        .measure(Measure::Moves, moves as f64)
        .measure(Measure::Undecided, not_known as f64)
        .repro(forfeits.first().map(|(_, one)| one.repro.clone()).unwrap_or_default());
    Ok(vec![finding])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_leaves_a_reserve() {
        let left = |clock: u64, elapsed: u64, computed: u64| {
            let clock = Duration::from_millis(clock);
            clock.saturating_sub(charge(&SearchOutput::with_times(elapsed, computed), clock)).as_millis()
        };
        assert_eq!(left(1000, 200, 200), 800);
        assert_eq!(left(1000, 200, 20), 800);
        assert_eq!(left(1000, 5000, 20), 50);
        assert_eq!(left(60, 5000, 30), 30);
        assert_eq!(left(60, 90, 90), 0);
    }
}
