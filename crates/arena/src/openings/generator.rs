//! Generates openings: random moves from a starting position, filtered by the score of a search.

use chess::{Color, Game, Position};
use record::book::Opening;

use super::{CHESS960_POSITIONS, SeenPositions};
use support::random::Random;

pub trait Scorer: Send {
    /// Centipawns for the side to move; `None` if there is no score.
    ///
    /// # Errors
    /// The reason why it cannot continue.
    fn score(&mut self, position: &Position) -> Result<Option<i32>, String>;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    #[default]
    Standard,
    /// The same of the 960 arrangements for both sides.
    Chess960,
    /// A different one for each side.
    DoubleChess960,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratorConfig {
    pub variant: Variant,
    /// Minimum and maximum number of random plies.
    pub plies: (u32, u32),
    /// Minimum and maximum score for White, in centipawns.
    pub band: (i32, i32),
    /// Keep positions in which the side to move is in check.
    pub allow_check: bool,
    pub seed: u64,
}

impl Default for GeneratorConfig {
    fn default() -> Self {
        Self { variant: Variant::Standard, plies: (8, 9), band: (-80, 80), allow_check: false, seed: 1 }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeneratorStats {
    pub made: u64,
    /// Candidates up to the last one needed: the sum of the other counts.
    pub tried: u64,
    /// Rejected: the game is over, or the side to move is in check.
    pub unplayable: u64,
    /// Rejected as duplicates.
    pub duplicates: u64,
    /// Rejected by their score.
    pub unbalanced: u64,
}

impl GeneratorConfig {
    /// The random opening with this number; `None` if no game can start from it.
    pub fn candidate(&self, number: u64) -> Option<Opening> {
        // Each candidate has its own stream, so that the book does not depend on the number of threads.
        let mut random =
            Random::new(Random::new(self.seed).bits() ^ number.wrapping_mul(support::random::STEP));
        let mut number = || random.below(usize::from(CHESS960_POSITIONS)) as u16;
        let start = match self.variant {
            Variant::Standard => Position::startpos(),
            Variant::Chess960 => Position::chess960(number())?,
            Variant::DoubleChess960 => Position::double_chess960(number(), number())?,
        };
        let (fewest, most) = (self.plies.0, self.plies.1.max(self.plies.0));
        let plies = fewest + random.below((most - fewest + 1) as usize) as u32;
        let mut game = Game::new(start);
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[random.below(moves.len())]);
        }
        let playable = game.outcome().is_none() && (self.allow_check || !game.position().in_check());
        playable.then(|| Opening { start, moves: game.moves().to_vec() })
    }

    /// Whether a score (for the side to move) is in the band.
    fn accepts(&self, position: &Position, score: i32) -> bool {
        let white = if position.turn() == Color::White { score } else { -score };
        (self.band.0..=self.band.1).contains(&white)
    }

    /// Generates `count` openings with one thread per scorer, and passes each with its score for White to `deliver`. Gives up
    /// after `give_up` candidates in a row without an opening. `progress` is called now and then; generation stops when it
    /// returns false. The openings depend on the configuration alone.
    ///
    /// # Errors
    /// A scorer failed.
    pub fn generate<S: Scorer>(
        &self,
        count: u64,
        give_up: u64,
        scorers: &mut [S],
        mut deliver: impl FnMut(&Opening, i32),
        mut progress: impl FnMut(&GeneratorStats) -> bool,
    ) -> Result<GeneratorStats, String> {
        /// Candidates per scorer in a batch.
        const BATCH: usize = 16;
        let mut seen = SeenPositions::default();
        let mut stats = GeneratorStats::default();
        let mut last_success = 0;
        while stats.made < count && stats.tried - last_success < give_up && progress(&stats) {
            // Bounded, since all positions within reach may have been seen already.
            let numbers = stats.tried..last_success + give_up;
            let tries = self.tries(numbers, BATCH * scorers.len(), &mut seen);
            let mut scores = score_all(scorers, &tries)?.into_iter();
            for attempt in &tries {
                stats.tried += 1;
                let (opening, end) = match attempt {
                    Try::Unplayable => {
                        stats.unplayable += 1;
                        continue;
                    }
                    Try::Duplicate => {
                        stats.duplicates += 1;
                        continue;
                    }
                    Try::Candidate(candidate) => &**candidate,
                };
                let Some(score) = scores.next().flatten().filter(|&score| self.accepts(end, score)) else {
                    stats.unbalanced += 1;
                    continue;
                };
                stats.made += 1;
                last_success = stats.tried;
                deliver(opening, if end.turn() == Color::White { score } else { -score });
                if stats.made == count {
                    break;
                }
            }
        }
        Ok(stats)
    }

    /// The random openings of these numbers, until `candidates` of them need a score.
    fn tries(&self, numbers: std::ops::Range<u64>, candidates: usize, seen: &mut SeenPositions) -> Vec<Try> {
        let (mut tries, mut found) = (Vec::new(), 0);
        for number in numbers {
            if found == candidates {
                break;
            }
            tries.push(match self.candidate(number) {
                None => Try::Unplayable,
                Some(opening) => {
                    let end = opening.end();
                    if seen.insert(&end) {
                        found += 1;
                        Try::Candidate(Box::new((opening, end)))
                    } else {
                        Try::Duplicate
                    }
                }
            });
        }
        tries
    }
}

/// A random opening before its score is known.
enum Try {
    Unplayable,
    Duplicate,
    /// The opening and its final position.
    Candidate(Box<(Opening, Position)>),
}

/// Scores the candidates in parallel; the scores are in their order.
fn score_all<S: Scorer>(scorers: &mut [S], tries: &[Try]) -> Result<Vec<Option<i32>>, String> {
    let position = |attempt: &Try| match attempt {
        Try::Candidate(candidate) => Some(candidate.1),
        Try::Unplayable | Try::Duplicate => None,
    };
    let positions: Vec<Position> = tries.iter().filter_map(position).collect();
    let share = positions.len().div_ceil(scorers.len().max(1)).max(1);
    std::thread::scope(|scope| {
        let score = |scorer: &mut S, part: &[Position]| {
            part.iter().map(|position| scorer.score(position)).collect::<Result<Vec<_>, _>>()
        };
        let workers: Vec<_> = scorers
            .iter_mut()
            .zip(positions.chunks(share))
            .map(|(scorer, part)| scope.spawn(move || score(scorer, part)))
            .collect();
        let mut scores = Vec::with_capacity(positions.len());
        for worker in workers {
            scores.extend(worker.join().map_err(|_| "a scorer panicked".to_owned())??);
        }
        Ok(scores)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts material.
    struct Material;

    impl Scorer for Material {
        fn score(&mut self, position: &Position) -> Result<Option<i32>, String> {
            use chess::Role;
            let values =
                [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
            let side = |color| {
                values.iter().map(|&(role, value)| value * position.count(color, role) as i32).sum::<i32>()
            };
            Ok(Some(100 * (side(position.turn()) - side(!position.turn()))))
        }
    }

    fn make(recipe: GeneratorConfig, count: u64, scorers: usize) -> Vec<Opening> {
        let mut openings = Vec::new();
        let mut scorers: Vec<Material> = (0..scorers).map(|_| Material).collect();
        recipe
            .generate(count, 10_000, &mut scorers, |opening, _| openings.push(opening.clone()), |_| true)
            .expect("material always scores");
        openings
    }

    #[test]
    fn openings_are_playable_distinct_and_in_the_band() {
        let recipe = GeneratorConfig { band: (0, 0), ..GeneratorConfig::default() };
        let openings = make(recipe, 200, 1);
        assert_eq!(openings.len(), 200);
        let mut seen = SeenPositions::default();
        for opening in &openings {
            let end = opening.end();
            assert!(seen.insert(&end) && end.outcome().is_none() && !end.in_check());
            assert_eq!(Material.score(&end), Ok(Some(0)));
            assert!((8..=9).contains(&opening.moves.len()));
        }
    }

    #[test]
    fn band_is_from_whites_point_of_view() {
        let recipe = GeneratorConfig { band: (100, 900), ..GeneratorConfig::default() };
        for opening in make(recipe, 20, 1) {
            let end = opening.end();
            let score = Material.score(&end).expect("score").expect("known");
            assert!(if end.turn() == Color::White { score >= 100 } else { score <= -100 });
        }
    }

    #[test]
    fn book_depends_on_seed_not_threads() {
        let recipe = GeneratorConfig { seed: 5, ..GeneratorConfig::default() };
        assert_eq!(make(recipe, 60, 1), make(recipe, 60, 3));
        assert_ne!(make(recipe, 5, 1), make(GeneratorConfig { seed: 6, ..recipe }, 5, 1));
    }

    #[test]
    fn counts_add_up() {
        for scorers in [1, 3] {
            let mut scorers: Vec<Material> = (0..scorers).map(|_| Material).collect();
            let recipe = GeneratorConfig { plies: (2, 3), band: (0, 0), ..GeneratorConfig::default() };
            let stats = recipe.generate(50, 500, &mut scorers, |_, _| {}, |_| true).expect("material scores");
            let sum = stats.made + stats.unplayable + stats.duplicates + stats.unbalanced;
            assert_eq!((stats.made, stats.tried), (50, sum), "{stats:?}");
        }
    }

    #[test]
    fn unreachable_band_gives_up() {
        // Nine queens ahead after eight moves; and only 20 positions after one move.
        for (recipe, most) in [
            (GeneratorConfig { band: (8000, 9000), ..GeneratorConfig::default() }, 0),
            (GeneratorConfig { plies: (1, 1), band: (-900, 900), ..GeneratorConfig::default() }, 20),
        ] {
            let stats =
                recipe.generate(100, 500, &mut [Material], |_, _| {}, |_| true).expect("material scores");
            assert_eq!(stats.made, most);
            assert!(stats.tried < 2000, "{stats:?}");
        }
    }

    #[test]
    fn progress_can_stop_generation() {
        let stats = GeneratorConfig::default().generate(
            1000,
            500,
            &mut [Material],
            |_, _| {},
            |stats| stats.made < 5,
        );
        assert!((5..100).contains(&stats.expect("material scores").made));
    }

    #[test]
    fn variants_start_from_their_positions() {
        let chess960 =
            make(GeneratorConfig { variant: Variant::Chess960, ..GeneratorConfig::default() }, 20, 1);
        assert!(chess960.iter().any(|opening| opening.start != Position::startpos()));
        let double =
            make(GeneratorConfig { variant: Variant::DoubleChess960, ..GeneratorConfig::default() }, 20, 1);
        assert!(double.iter().any(|opening| opening.start != opening.start.color_mirrored()));
    }
}
