//! Games with a clock: time is used, and no game is lost on time. They are long, so only `make proof` plays
//! them. Where the system reports it, time in which other programs ran does not count.

use crate::alone;
use crate::openings::openings;
use chess::Game;
use engine::evaluation::Evaluation;
use engine::{Clock, Engine, Limits, SearchEvent};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Time that this thread has waited for a core so far.
fn withheld() -> Duration {
    let waited = |report: String| report.split_ascii_whitespace().nth(1)?.parse().ok();
    let report = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    Duration::from_nanos(report.and_then(waited).unwrap_or(0))
}

/// Moves that count as the first ones.
const FIRST_MOVES: u32 = 5;

/// Time usage of one side.
struct Usage {
    /// Total time of the first moves.
    first: Duration,
    /// Moves that were played.
    moves: u32,
    /// The share of the available time that was used.
    share: f64,
    /// The least time left; `None` after a loss on time.
    least: Option<Duration>,
}

/// One side: an engine and its clock.
struct Side {
    engine: Engine,
    clock: Clock,
    base: Duration,
    /// The engine's waiting time at its last move.
    withheld: Duration,
    usage: Usage,
}

impl Side {
    fn new(base: Duration, increment: Duration) -> Side {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        // As a GUI does before a game, while no clock runs.
        engine.new_game().expect("the engine is idle");
        Side {
            engine,
            clock: Clock { remaining: base, increment, moves_to_go: None },
            base,
            withheld: Duration::ZERO,
            usage: Usage { first: Duration::ZERO, moves: 0, share: 0.0, least: Some(base) },
        }
    }

    /// Searches and plays a move while the clock runs.
    fn play(&mut self, game: &mut Game) {
        let (send, events) = channel();
        let (waited_here, started) = (withheld(), Instant::now());
        let limits = Limits { clock: Some(self.clock), received: started, ..Limits::default() };
        let listener = move |event: &SearchEvent| {
            if let SearchEvent::BestMove(found) = event {
                let _ = send.send((found.best, Instant::now(), withheld()));
            }
        };
        self.engine.go(game, limits, listener).expect("the engine is idle");
        let waited_here = withheld().saturating_sub(waited_here);
        let (best, answered, waited) = events.recv().expect("every search is answered");
        self.engine.wait();
        let waited_there = waited.saturating_sub(std::mem::replace(&mut self.withheld, waited));
        let taken = (answered - started).saturating_sub(waited_here + waited_there);
        let usage = &mut self.usage;
        if usage.moves < FIRST_MOVES {
            usage.first += taken;
        }
        usage.moves += 1;
        let left = self.clock.remaining.checked_sub(taken);
        usage.least = left.zip(usage.least).map(|(left, least)| left.min(least));
        let given = self.base + self.clock.increment * (usage.moves - 1);
        self.clock.remaining = left.unwrap_or_default();
        usage.share = 1.0 - self.clock.remaining.as_secs_f64() / given.as_secs_f64();
        self.clock.remaining += self.clock.increment;
        game.play(best.expect("the game is not over"));
    }
}

/// Plays a game to its end; returns the time usage of both sides.
fn play(mut game: Game, base: Duration, increment: Duration) -> [Usage; 2] {
    let mut sides = [Side::new(base, increment), Side::new(base, increment)];
    while game.outcome().is_none() && game.moves().len() < 400 {
        sides[game.position().turn().index()].play(&mut game);
    }
    sides.map(|side| side.usage)
}

#[test]
#[ignore = "make proof: minutes of games with a clock"]
fn clock_is_used() {
    let _alone = alone();
    let (base, increment) = (Duration::from_secs(10), Duration::from_millis(100));
    let (mut shares, mut firsts) = (Vec::new(), Vec::new());
    for opening in openings(4, 21) {
        for usage in play(opening, base, increment) {
            firsts.push((usage.first / FIRST_MOVES).as_millis());
            // A short game does not use all of its time.
            if usage.moves >= 40 {
                shares.push(100.0 * usage.share);
            }
        }
    }
    println!("10+0.1: {firsts:?} ms for each of the first {FIRST_MOVES} moves, by side");
    println!("share of the time used in games of 40 moves and more: {shares:.0?} %");
    assert!(firsts.iter().all(|first| (200..=800).contains(first)), "{firsts:?} ms for the first moves");
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(!shares.is_empty() && least >= 60.0, "only {least:.0} % of the time was used");
}

#[test]
#[ignore = "make proof: minutes of games with a clock"]
fn no_game_is_lost_on_time() {
    let _alone = alone();
    // Little more than the engine's move overhead.
    let (base, increment) = (Duration::from_millis(100), Duration::from_millis(2));
    let (mut losses, mut least) = (0, base);
    for opening in openings(1000, 33) {
        for usage in play(opening, base, increment) {
            losses += usize::from(usage.least.is_none());
            least = least.min(usage.least.unwrap_or_default());
        }
    }
    println!("1000 games at 100+2 ms: {losses} lost on time, least left {least:?}");
    assert_eq!(losses, 0, "games lost on time");
}
