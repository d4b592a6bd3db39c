//! Plays the same games on two devices and compares them bit for bit.

use std::sync::atomic::AtomicBool;

use chess::Position;
use datagen::selfplay::{Goal, Run, SelfPlayPlan};
use record::packed::PackedGame;

use crate::context::DeviceContext;
use crate::error::GpuError;
use crate::player::NetworkPlayer;
use crate::selfplay::{self, SelfPlayError};

/// The first difference between two games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameDifference {
    /// Of the game.
    pub number: u64,
    /// Plies before the difference.
    pub ply: usize,
    /// The position in which they differ; the start if that differs.
    pub position: Position,
    /// What either device has there.
    pub found: [String; 2],
}

pub fn compare(number: u64, first: &PackedGame, second: &PackedGame) -> Option<GameDifference> {
    if first == second {
        return None;
    }
    if first.start != second.start {
        let found = [first, second].map(|game| format!("starts from {}", game.start.to_fen()));
        return Some(GameDifference { number, ply: 0, position: first.start, found });
    }
    let mut position = first.start;
    for ply in 0.. {
        let [one, two] = [first, second].map(|game| game.moves.get(ply));
        if one == two
            && let Some(&(mv, _)) = one
        {
            position.play(mv);
            continue;
        }
        let found = [(first, one), (second, two)].map(|(game, entry)| match entry {
            Some((mv, score)) => format!("{} with a score of {score}", mv.uci(true)),
            None => format!("ends {}", game.result.word()),
        });
        return Some(GameDifference { number, ply, position, found });
    }
    None
}

/// The first games of a plan, in order. `report` gets the number of finished games.
///
/// # Errors
/// If the device fails.
pub fn games(
    context: &mut DeviceContext,
    plan: &SelfPlayPlan,
    player: &NetworkPlayer,
    count: u64,
    interrupt: &AtomicBool,
    mut report: impl FnMut(u64),
) -> Result<Vec<PackedGame>, GpuError> {
    let goal = Goal::Games(count);
    let run = Run { plan, goal, games_before: 0, positions_before: 0, interrupt };
    let mut games = Vec::new();
    let take = |game: &PackedGame| {
        games.push(game.clone());
        Ok(())
    };
    match selfplay::play(&run, player, context, take, |progress| report(progress.games)) {
        Ok(_) => Ok(games),
        Err(SelfPlayError::Device(error)) => Err(error),
        Err(SelfPlayError::Io(error)) => Err(GpuError::Input(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::packed::PackedResult;

    #[test]
    fn first_difference_is_found() {
        let start = Position::startpos();
        let mut position = start;
        let moves: Vec<_> = ["e2e4", "e7e5", "g1f3"]
            .into_iter()
            .map(|text| {
                let mv = position.parse_uci(text).unwrap();
                position.play(mv);
                (mv, 7)
            })
            .collect();
        let game = PackedGame { start, result: PackedResult::Draw, moves };
        assert_eq!(compare(3, &game, &game), None);
        let mut other = game.clone();
        other.moves[1].1 = 8;
        let difference = compare(3, &game, &other).unwrap();
        assert_eq!((difference.number, difference.ply), (3, 1));
        assert!(difference.found[1].contains("e7e5 with a score of 8"), "{difference:?}");
        let mut shorter = game.clone();
        shorter.moves.pop();
        assert_eq!(compare(3, &game, &shorter).unwrap().ply, 2);
        let other_result = PackedGame { result: PackedResult::WhiteWins, ..game.clone() };
        assert!(compare(3, &game, &other_result).unwrap().found[1].contains("1-0"));
    }
}
