//! A game of the engine against itself on a real clock, for the checks of its use.

use std::time::Duration;

use chess::{Color, Game, Position};

use crate::doctor::check::Examination;
use crate::doctor::patient::Thinking;

/// How long the game may last.
#[derive(Clone, Copy)]
pub struct Control {
    /// Time for each side at the start.
    pub base: Duration,
    /// Time added for each move.
    pub added: Duration,
    /// Half moves after which the game is ended.
    pub plies: usize,
}

/// A move of the game.
pub struct Spent {
    /// What was left on the clock.
    pub left: Duration,
    /// What the clock was charged.
    pub used: Duration,
    /// The flag fell.
    pub late: bool,
    /// The lines that asked for it.
    pub repro: Vec<String>,
}

/// What was played.
pub struct ClockGame {
    /// Its moves, both sides'.
    pub moves: Vec<Spent>,
    /// What was left at the end.
    pub clocks: [Duration; 2],
}

/// Plays until the game is over, a flag falls, the engine breaks down or the time of the check is over. `charge` says what
/// of a search the clock counts, given what is left.
pub fn play(
    exam: &mut Examination,
    start: Position,
    control: Control,
    charge: fn(&Thinking, Duration) -> Duration,
) -> ClockGame {
    let Control { base, added, plies } = control;
    let mut game = Game::new(start);
    let mut clocks = [base + added; 2];
    let mut moves: Vec<Spent> = Vec::new();
    if exam.patient.new_game().is_err() {
        return ClockGame { moves, clocks };
    }
    while game.outcome().is_none() && moves.len() < plies && exam.goes_on() {
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
        // Computing beyond the clock is a fault; so is sleeping far beyond it, however busy the machine is. The system
        // counts computing time in hundredths of a second.
        let late = thinking.effort() > *clock + Duration::from_millis(20)
            || thinking.elapsed > *clock * 2 + Duration::from_secs(1);
        let used = charge(&thinking, *clock);
        moves.push(Spent { left: *clock, used, late, repro: thinking.repro() });
        if late {
            break;
        }
        *clock = clock.saturating_sub(used) + added;
        game.play(mv);
    }
    ClockGame { moves, clocks }
}
