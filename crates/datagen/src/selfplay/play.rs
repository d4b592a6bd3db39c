//! One game of self-play.

use chess::{Color, Game, Move, Outcome, Position};
use engine::{Limits, Searcher};
use record::packed::{PackedGame, PackedResult};

use super::opening;
use super::plan::SelfPlayPlan;
use record::adjudication::{Adjudication, Adjudicator};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules of chess.
    Rules(Outcome),
    /// The search found a forced mate.
    MateFound,
    Adjudicated(Adjudication),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub game: PackedGame,
    pub ending: Ending,
    /// Nodes of all its searches, including the opening's.
    pub nodes: u64,
}

/// Plays the game with this number. The result depends only on plan, number and evaluation: the engine's
/// tables are cleared first.
pub fn play(plan: &SelfPlayPlan, number: u64, searcher: &mut Searcher) -> Played {
    let mut random = plan.random(number);
    searcher.new_game();
    let (start, mut nodes) = opening::balanced(&plan.opening, &mut random, searcher);
    let limits = || Limits { soft_nodes: Some(plan.soft_nodes), ..Limits::nodes(plan.hard_nodes) };
    let mut game = Game::new(start);
    let mut adjudicator = Adjudicator::new(plan.rules.clone());
    let mut moves = Vec::new();
    let ending = loop {
        if let Some(outcome) = game.outcome() {
            break Ending::Rules(outcome);
        }
        let found = searcher.search_silent(&game, limits());
        let Some(best) = found.best else { unreachable!("a game that is not over has a legal move") };
        nodes += found.nodes;
        let mover = game.position().turn();
        let score = found.score.0;
        let white_score = if mover == Color::White { score } else { -score };
        moves.push((best, white_score as i16));
        if found.score.is_mate() {
            break Ending::MateFound;
        }
        let (number, irreversible) =
            (game.position().fullmove_number(), is_irreversible(game.position(), best));
        if let Some(verdict) = adjudicator.after_move(mover, Some(score), number, irreversible) {
            break Ending::Adjudicated(verdict);
        }
        game.play(best);
    };
    let result = result(ending, &moves);
    Played { game: PackedGame { start, result, moves }, ending, nodes }
}

fn is_irreversible(position: &Position, mv: Move) -> bool {
    position.role_at(mv.from()) == Some(chess::Role::Pawn) || position.captured(mv).is_some()
}

fn result(ending: Ending, moves: &[(Move, i16)]) -> PackedResult {
    let winner = match ending {
        Ending::Rules(outcome) => outcome.winner(),
        Ending::Adjudicated(Adjudication::Resigns(loser)) => Some(!loser),
        Ending::Adjudicated(Adjudication::Draw | Adjudication::TooLong) => None,
        Ending::MateFound => {
            moves.last().map(|&(_, score)| if score > 0 { Color::White } else { Color::Black })
        }
    };
    winner.map_or(PackedResult::Draw, PackedResult::win_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::plan::{OpeningPlan, Shard};

    /// An engine whose games do not depend on the built-in network.
    fn classical() -> Searcher {
        Searcher::with_evaluation(1, engine::evaluation::Evaluation::Classical).unwrap()
    }

    fn plan(seed: u64) -> SelfPlayPlan {
        SelfPlayPlan {
            player: "test".to_owned(),
            seed,
            shard: Shard::WHOLE,
            soft_nodes: 60,
            hard_nodes: 300,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 9), dfrc_share: 0.3, nodes: 100, max_score: 400 },
            rules: SelfPlayPlan::RULES,
        }
    }

    #[test]
    fn game_depends_on_its_number_only() {
        let mut fresh = classical();
        let mut used = classical();
        let other = play(&plan(1), 6, &mut used);
        let game = play(&plan(1), 7, &mut fresh);
        assert_eq!(game, play(&plan(1), 7, &mut used));
        assert_ne!(game, other);
        assert_ne!(game, play(&plan(2), 7, &mut used));
    }

    /// Enough games to see each kind of ending.
    #[test]
    fn results_follow_from_how_games_end() {
        let mut searcher = classical();
        let mut wins = 0;
        for number in 0..25 {
            let Played { game, ending, .. } = play(&plan(1), number, &mut searcher);
            let last = game.moves.last().unwrap().1;
            match ending {
                Ending::MateFound | Ending::Adjudicated(Adjudication::Resigns(_)) => {
                    wins += 1;
                    assert!(last.unsigned_abs() >= 1500);
                    assert_eq!(
                        game.result,
                        if last > 0 { PackedResult::WhiteWins } else { PackedResult::BlackWins }
                    );
                }
                Ending::Adjudicated(_) => assert_eq!(game.result, PackedResult::Draw),
                Ending::Rules(outcome) => assert_eq!(game.result.word(), outcome.result()),
            }
        }
        assert!(wins > 3);
    }
}
