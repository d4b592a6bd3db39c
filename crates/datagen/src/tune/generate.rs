//! Plays self-play games and keeps their quiet positions. The games depend only on the seed, not on the
//! number of threads: each has its own random stream and starts with empty tables.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use chess::{Color, Game, Move, Position};
use record::pgn::GameResult;

use super::sample::{Sample, is_quiet};
use record::game_end::won_by;
use support::random::Random;

/// The games to play.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Number of games.
    pub games: u64,
    /// Random moves at the start of each game.
    pub random_plies: usize,
    /// Seed of the random moves.
    pub seed: u64,
}

/// Progress after a game.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games played.
    pub games: u64,
    /// Games to play.
    pub of: u64,
    /// Positions kept.
    pub positions: u64,
    /// Positions per second.
    pub speed: f64,
    /// Estimated time left.
    pub time_left: Duration,
}

/// A move and its score for the side to move, in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    pub best: Move,
    pub score: i32,
}

/// Finds moves.
pub trait Thinker {
    /// Clears its tables for a new game.
    fn new_game(&mut self);

    /// The best move; `None` if there is no legal one.
    fn think(&mut self, game: &Game) -> Option<Thought>;
}

/// Openings with a larger score are rejected.
const UNEQUAL: i32 = 400;
/// A side that is ahead by this much for [`DECIDED_PLIES`] wins.
const DECIDED: i32 = 1500;
const DECIDED_PLIES: u32 = 6;
/// A game whose scores stay within this from move [`DRAWN_FROM`] on for [`DRAWN_PLIES`] is drawn.
const DRAWN: i32 = 10;
const DRAWN_FROM: u32 = 40;
const DRAWN_PLIES: u32 = 12;
/// Positions with larger scores are not kept.
const TOO_ONE_SIDED: i32 = 1200;
/// Longer games are drawn.
const LONGEST: usize = 400;

/// Plays all games of a schedule, one at a time per thinker. `take` gets the samples of every game as it
/// ends, and the progress. `interrupt` abandons the games in progress.
pub fn generate<T: Thinker + Send>(
    schedule: &Schedule,
    thinkers: Vec<T>,
    interrupt: &AtomicBool,
    mut take: impl FnMut(&[Sample], Progress),
) {
    let next = AtomicU64::new(0);
    let (send, receive) = mpsc::channel::<Vec<Sample>>();
    let clock = Instant::now();
    thread::scope(|scope| {
        for mut thinker in thinkers {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while !interrupt.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= schedule.games {
                        break;
                    }
                    if let Some(samples) = play(schedule, number, &mut thinker, interrupt)
                        && send.send(samples).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(send);
        let (mut games, mut positions) = (0, 0);
        for samples in receive {
            games += 1;
            positions += samples.len() as u64;
            let elapsed = clock.elapsed().as_secs_f64();
            let left = elapsed / games as f64 * (schedule.games - games) as f64;
            let progress = Progress {
                games,
                of: schedule.games,
                positions,
                speed: positions as f64 / elapsed,
                time_left: Duration::from_secs_f64(left),
            };
            take(&samples, progress);
        }
    });
}

/// One game's quiet positions; `None` if it was interrupted.
fn play<T: Thinker>(
    schedule: &Schedule,
    number: u64,
    thinker: &mut T,
    interrupt: &AtomicBool,
) -> Option<Vec<Sample>> {
    // Streams of consecutive seeds are independent after one step of the generator.
    let mut random = Random::new(Random::new(schedule.seed.wrapping_add(number)).bits());
    thinker.new_game();
    let (mut game, first) = loop {
        let game = Game::new(random_opening(schedule.random_plies, &mut random));
        match thinker.think(&game) {
            Some(thought) if thought.score.abs() <= UNEQUAL => break (game, thought),
            _ => thinker.new_game(),
        }
    };
    let mut adjudicator = Adjudicator::default();
    let mut kept: Vec<(Position, i32)> = Vec::new();
    let mut thought = first;
    let result = loop {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let position = *game.position();
        let score = if position.turn() == Color::White { thought.score } else { -thought.score };
        if is_quiet(&position, thought.best) && score.abs() <= TOO_ONE_SIDED {
            kept.push((position, score));
        }
        if let Some(result) = adjudicator.after_search(&position, score) {
            break result;
        }
        game.play(thought.best);
        if let Some(outcome) = game.outcome() {
            break outcome.winner().map_or(GameResult::Draw, won_by);
        }
        if game.moves().len() >= LONGEST {
            break GameResult::Draw;
        }
        match thinker.think(&game) {
            Some(next) => thought = next,
            None => break GameResult::Draw,
        }
    };
    Some(kept.into_iter().map(|(position, score)| Sample { position, score: Some(score), result }).collect())
}

/// The start position after random moves that do not end the game.
fn random_opening(plies: usize, random: &mut Random) -> Position {
    'again: loop {
        let mut position = Position::startpos();
        for _ in 0..plies {
            let moves = position.legal_moves();
            position = position.after(moves[random.below(moves.len())]);
            if position.outcome().is_some() {
                continue 'again;
            }
        }
        return position;
    }
}

/// Adjudication.
#[derive(Default)]
struct Adjudicator {
    decided_plies: u32,
    drawn_plies: u32,
}

impl Adjudicator {
    /// The result, if the score (White's point of view) has been decisive or drawn for long enough.
    fn after_search(&mut self, position: &Position, score: i32) -> Option<GameResult> {
        self.decided_plies = if score.abs() >= DECIDED { self.decided_plies + 1 } else { 0 };
        let late = position.fullmove_number() >= DRAWN_FROM;
        self.drawn_plies = if late && score.abs() <= DRAWN { self.drawn_plies + 1 } else { 0 };
        if self.decided_plies >= DECIDED_PLIES {
            return Some(won_by(if score > 0 { Color::White } else { Color::Black }));
        }
        (self.drawn_plies >= DRAWN_PLIES).then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the first legal move.
    struct Dull;

    impl Thinker for Dull {
        fn new_game(&mut self) {}

        fn think(&mut self, game: &Game) -> Option<Thought> {
            game.position().legal_moves().first().map(|&best| Thought { best, score: 50 })
        }
    }

    fn lines(threads: usize, seed: u64) -> Vec<String> {
        let schedule = Schedule { games: 6, random_plies: 8, seed };
        let mut lines = Vec::new();
        let thinkers = (0..threads).map(|_| Dull).collect();
        generate(&schedule, thinkers, &AtomicBool::new(false), |samples, progress| {
            assert_eq!(progress.of, 6);
            lines.extend(samples.iter().map(ToString::to_string));
        });
        lines.sort();
        lines
    }

    #[test]
    fn threads_do_not_change_the_games() {
        let alone = lines(1, 3);
        assert!(alone.len() > 20);
        assert_eq!(alone, lines(2, 3));
        assert_ne!(alone, lines(1, 4));
    }

    #[test]
    fn interrupt_stops_generation() {
        let schedule = Schedule { games: 6, random_plies: 8, seed: 1 };
        generate(&schedule, vec![Dull], &AtomicBool::new(true), |_, _| panic!("a game was played"));
    }

    #[test]
    fn clear_games_are_cut_short() {
        let mut adjudicator = Adjudicator::default();
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 60").unwrap();
        let mut verdict = None;
        for _ in 0..DECIDED_PLIES {
            assert_eq!(verdict, None);
            verdict = adjudicator.after_search(&position, -DECIDED);
        }
        assert_eq!(verdict, Some(GameResult::BlackWins));
        for _ in 0..DRAWN_PLIES {
            verdict = adjudicator.after_search(&position, DRAWN);
        }
        assert_eq!(verdict, Some(GameResult::Draw));
    }
}
