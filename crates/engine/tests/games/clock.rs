//! Games on a clock: time is used, and nobody oversteps it. They take their time, so they are played in the
//! whole proof only. While the machine lets other programs run the clock stands still, where the system reports it.

use crate::alone;
use crate::openings::openings;
use chess::Game;
use engine::evaluation::Evaluation;
use engine::{Clock, Engine, Event, Limits};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How long this thread has waited so far although it could have run.
fn withheld() -> Duration {
    let waited = |report: String| report.split_ascii_whitespace().nth(1)?.parse().ok();
    let report = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    Duration::from_nanos(report.and_then(waited).unwrap_or(0))
}

/// Moves that count as the first ones.
const FIRST_MOVES: u32 = 5;

/// How the time of one side went.
struct Usage {
    /// What the first moves took together.
    first: Duration,
    /// Moves that were played.
    moves: u32,
    /// The share of all time given until the end that was used.
    share: f64,
    /// What was left at the worst moment; `None` if the clock was overstepped.
    least: Option<Duration>,
}

/// One side: an engine as a user has it, and its clock.
struct Side {
    engine: Engine,
    clock: Clock,
    base: Duration,
    /// What the engine's thread had waited by its last answer.
    withheld: Duration,
    usage: Usage,
}

impl Side {
    fn new(base: Duration, increment: Duration) -> Side {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        // As a GUI does before a game, and its clock does not run meanwhile.
        engine.new_game().expect("the engine is idle");
        Side {
            engine,
            clock: Clock { remaining: base, increment, moves_to_go: None },
            base,
            withheld: Duration::ZERO,
            usage: Usage { first: Duration::ZERO, moves: 0, share: 0.0, least: Some(base) },
        }
    }

    /// Thinks and plays; the clock runs meanwhile.
    fn play(&mut self, game: &mut Game) {
        let (send, events) = channel();
        let (waited_here, started) = (withheld(), Instant::now());
        let limits = Limits { clock: Some(self.clock), received: started, ..Limits::default() };
        let listener = move |event: &Event| {
            if let Event::BestMove(found) = event {
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

/// Plays a game to its end; how the time of both sides went.
fn play(mut game: Game, base: Duration, increment: Duration) -> [Usage; 2] {
    let mut sides = [Side::new(base, increment), Side::new(base, increment)];
    while game.outcome().is_none() && game.moves().len() < 400 {
        sides[game.position().turn().index()].play(&mut game);
    }
    sides.map(|side| side.usage)
}

#[test]
#[ignore = "minutes of games on a clock"]
fn the_clock_is_used_and_first_moves_take_their_time() {
    let _alone = alone();
    let (base, increment) = (Duration::from_secs(10), Duration::from_millis(100));
    let (mut shares, mut firsts) = (Vec::new(), Vec::new());
    for opening in openings(4, 21) {
        for usage in play(opening, base, increment) {
            firsts.push((usage.first / FIRST_MOVES).as_millis());
            // A game that ends early has no use for its time.
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
#[ignore = "minutes of games on a clock"]
fn nobody_oversteps_the_clock() {
    let _alone = alone();
    // Little more than the engine keeps back for the way of its answer.
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
