//! Openings of self-play games: random moves that do not lose material at once, accepted if a search scores the
//! position as balanced.

use chess::{Game, Move, Position};
use engine::{Limits, Searcher};

use super::plan::OpeningPlan;
use support::random::Random;

/// Maximum loss of a random move by static exchange evaluation, in centipawns: at most a pawn.
const MOST_LOST: i32 = 100;

/// The number of Chess960 start positions.
const SETUPS: usize = 960;

/// The opening of a game, and the nodes that its verification took. The engine's tables must be cleared.
pub(super) fn balanced(plan: &OpeningPlan, random: &mut Random, searcher: &mut Searcher) -> (Position, u64) {
    let mut nodes = 0;
    loop {
        let Some(position) = random_position(plan, random) else { continue };
        let limits = Limits { soft_nodes: Some(plan.nodes), ..Limits::nodes(plan.nodes.saturating_mul(4)) };
        let found = searcher.search_silent(&Game::new(position), limits);
        if found.best.is_none() {
            continue;
        }
        nodes += found.nodes;
        if found.score.0.abs() <= plan.max_score {
            return (position, nodes);
        }
    }
}

/// A start position after random moves; `None` if they ended the game.
fn random_position(plan: &OpeningPlan, random: &mut Random) -> Option<Position> {
    let mut position = if random.unit() < plan.dfrc_share {
        let (white, black) = (random.below(SETUPS) as u16, random.below(SETUPS) as u16);
        Position::double_chess960(white, black)?
    } else {
        Position::startpos()
    };
    let (fewest, most) = plan.random_plies;
    let plies = fewest + random.below((most.saturating_sub(fewest) + 1) as usize) as u32;
    for _ in 0..plies {
        position.play(random_move(&position, random)?);
    }
    position.outcome().is_none().then_some(position)
}

/// A random move among those that lose little by exchanges, or among all if there are none.
fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let legal = position.legal_moves();
    let sane: Vec<Move> = legal.iter().copied().filter(|&mv| position.see_at_least(mv, -MOST_LOST)).collect();
    let choice = if sane.is_empty() { &legal[..] } else { &sane[..] };
    (!choice.is_empty()).then(|| choice[random.below(choice.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine whose games do not depend on the built-in network.
    fn classical() -> Searcher {
        Searcher::with_evaluation(1, engine::evaluation::Evaluation::Classical).unwrap()
    }

    const PLAN: OpeningPlan =
        OpeningPlan { random_plies: (8, 9), dfrc_share: 0.5, nodes: 200, max_score: 100 };

    #[test]
    fn openings_vary_in_variant_and_length() {
        let mut random = Random::new(3);
        let positions: Vec<Position> = (0..200).filter_map(|_| random_position(&PLAN, &mut random)).collect();
        assert!(positions.iter().all(|position| [8, 9].contains(&position.ply())));
        for ply in [8, 9] {
            assert!(positions.iter().filter(|position| position.ply() == ply).count() > 50);
        }
        let kings_at_home = |position: &&Position| {
            chess::Color::ALL.iter().all(|&color| position.king(color).file() == chess::File::E)
        };
        // Double Chess960 has both kings on the e-file in one game of about forty.
        let standard = positions.iter().filter(kings_at_home).count();
        assert!((60..140).contains(&standard), "{standard}");
    }

    #[test]
    fn random_moves_keep_pieces() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let position = random_position(&PLAN, &mut random).unwrap_or_else(Position::startpos);
            if let Some(mv) = random_move(&position, &mut random) {
                let all_lose = position.legal_moves().iter().all(|&mv| position.see(mv) < -MOST_LOST);
                assert!(position.see(mv) >= -MOST_LOST || all_lose, "{mv:?} in {position:?}");
            }
        }
    }

    #[test]
    fn openings_are_balanced() {
        let mut searcher = classical();
        let mut random = Random::new(5);
        for _ in 0..5 {
            searcher.new_game();
            let (position, nodes) = balanced(&PLAN, &mut random, &mut searcher);
            assert!(nodes > 0);
            searcher.new_game();
            let found = searcher.search_silent(&Game::new(position), Limits::nodes(2000));
            assert!(found.score.0.abs() < 400, "{position:?}: {}", found.score);
        }
    }
}
