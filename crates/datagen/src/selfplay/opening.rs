//! Openings of self-play games: random moves that do not lose material at once, accepted if a search scores the
//! position as balanced.

use std::fmt;

use chess::{Game, Move, Position};
use engine::{Limits, Searcher};
use record::book::{Book, BookError};

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
        let (is_balanced, searched) = is_balanced(plan, &position, searcher);
        nodes += searched;
        if is_balanced {
            return (position, nodes);
        }
    }
}

/// Whether a search scores a position as balanced, and its nodes.
fn is_balanced(plan: &OpeningPlan, position: &Position, searcher: &mut Searcher) -> (bool, u64) {
    let limits = Limits { soft_nodes: Some(plan.nodes), ..Limits::nodes(plan.nodes.saturating_mul(4)) };
    let found = searcher.search_silent(&Game::new(*position), limits);
    match found.best {
        Some(_) => (found.score.0.abs() <= plan.max_score, found.nodes),
        None => (false, 0),
    }
}

/// Openings for games that others play. Each depends on the plan, the book, the seed and its number alone.
pub struct OpeningGenerator<'a> {
    /// How many random moves are played, and from which score on an opening is rejected.
    pub plan: &'a OpeningPlan,
    /// Random moves follow a random position of this book.
    pub book: Option<&'a Book>,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Why there is no opening.
#[derive(Debug)]
pub enum OpeningError {
    /// The book has an invalid position.
    Book(BookError),
    /// None of so many attempts was balanced.
    Unbalanced { attempts: u32 },
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Book(error) => error.fmt(f),
            OpeningError::Unbalanced { attempts } => {
                write!(f, "no balanced opening in {attempts} attempts: raise the score, or change the plies")
            }
        }
    }
}

impl std::error::Error for OpeningError {}

impl OpeningGenerator<'_> {
    /// Attempts at one opening. More than half of them succeed with usual settings.
    const ATTEMPTS: u32 = 1000;

    /// The opening of this number.
    ///
    /// # Errors
    /// The book is invalid, or there is no balanced opening.
    pub fn opening(&self, number: u64, searcher: &mut Searcher) -> Result<Position, OpeningError> {
        // Hashed twice, so that neither neighbouring seeds nor neighbouring numbers share openings.
        let mut random = Random::new(Random::new(Random::new(self.seed).bits() ^ number).bits());
        for _ in 0..Self::ATTEMPTS {
            let position = match self.book {
                Some(book) => {
                    let opening = book.opening(random.below(book.len())).map_err(OpeningError::Book)?;
                    after_random_moves(opening.end(), self.plan, &mut random)
                }
                None => random_position(self.plan, &mut random),
            };
            searcher.new_game();
            if let Some(position) = position.filter(|position| is_balanced(self.plan, position, searcher).0) {
                return Ok(position);
            }
        }
        Err(OpeningError::Unbalanced { attempts: Self::ATTEMPTS })
    }
}

/// A start position after random moves; `None` if they ended the game.
fn random_position(plan: &OpeningPlan, random: &mut Random) -> Option<Position> {
    let start = if random.unit() < plan.dfrc_share {
        let (white, black) = (random.below(SETUPS) as u16, random.below(SETUPS) as u16);
        Position::double_chess960(white, black)?
    } else {
        Position::startpos()
    };
    after_random_moves(start, plan, random)
}

/// A position after random moves; `None` if they ended the game.
fn after_random_moves(mut position: Position, plan: &OpeningPlan, random: &mut Random) -> Option<Position> {
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
    fn generated_openings_depend_on_seed_and_number_alone() {
        let mut searcher = classical();
        let plan = OpeningPlan { dfrc_share: 0.0, ..PLAN };
        let generator = |seed| OpeningGenerator { plan: &plan, book: None, seed };
        let mut four = |seed| -> Vec<Position> {
            (0..4).map(|number| generator(seed).opening(number, &mut searcher).unwrap()).collect()
        };
        let (first, other, again) = (four(1), four(2), four(1));
        assert_eq!(first, again);
        assert!(first.iter().all(|position| !other.contains(position)));
        let last = generator(1).opening(3, &mut classical()).unwrap();
        assert_eq!(last, first[3]);
    }

    #[test]
    fn book_positions_are_played_on() {
        use record::book::BookFormat;
        let lines = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n";
        let book = Book::from_text(lines, BookFormat::Epd, usize::MAX);
        let plan = OpeningPlan { random_plies: (3, 3), dfrc_share: 0.0, nodes: 100, max_score: 500 };
        let generator = OpeningGenerator { plan: &plan, book: Some(&book), seed: 7 };
        let opening = generator.opening(0, &mut classical()).unwrap();
        assert_eq!((opening.ply(), opening.occupied().count()), (3, 18));
        // Nothing is balanced without a queen.
        let lost = Book::from_text("4k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1\n", BookFormat::Epd, usize::MAX);
        let generator = OpeningGenerator { book: Some(&lost), ..generator };
        assert!(matches!(generator.opening(0, &mut classical()), Err(OpeningError::Unbalanced { .. })));
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
