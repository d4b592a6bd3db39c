//! Colour bias in self-play from varied openings.

use crate::alone;
use crate::openings::{openings, player};
use chess::{Color, Game};
use engine::Limits;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Longer games count as drawn.
const MOST_PLIES: usize = 400;

/// Plays a game to its end, the same number of nodes for every move.
fn play(mut game: Game, nodes: u64) -> Game {
    let mut sides = [player(), player()];
    while game.outcome().is_none() && game.moves().len() < MOST_PLIES {
        let side = &mut sides[game.position().turn().index()];
        let found = side.search_silent(&game, Limits::nodes(nodes));
        game.play(found.best.expect("a legal move"));
    }
    game
}

/// Plays all games on all cores. The results do not depend on the number of cores.
fn play_all(openings: &[Game], nodes: u64) -> Vec<Game> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut played = Vec::new();
        while let Some(opening) = openings.get(next.fetch_add(1, Relaxed)) {
            played.push(play(opening.clone(), nodes));
        }
        played
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no game panics")).collect()
    })
}

#[test]
fn neither_colour_is_favoured() {
    check_balance(40, 200);
}

#[test]
#[ignore = "make proof: 1000 games"]
fn neither_colour_is_favoured_in_many_games() {
    check_balance(1000, 1000);
}

fn check_balance(count: usize, nodes: u64) {
    let _alone = alone();
    let games = play_all(&openings(count, 5), nodes);
    let different: HashSet<_> = games.iter().map(|game| format!("{:?}", game.moves())).collect();
    assert!(different.len() * 20 >= games.len() * 19, "{} different games of {count}", different.len());

    let points = |game: &Game| match game.outcome().and_then(chess::Outcome::winner) {
        Some(Color::White) => 100.0,
        Some(Color::Black) => 0.0,
        None => 50.0,
    };
    let count = count as f64;
    let share = games.iter().map(points).sum::<f64>() / count;
    let variance = games.iter().map(|game| (points(game) - share).powi(2)).sum::<f64>() / count;
    let error = (variance / count).sqrt();
    println!("{count} games at {nodes} nodes a move: White's share {share:.1} % ± {error:.1}");
    // White's first-move advantage is small. Few games only reveal gross errors.
    let healthy = 50.0 - 2.0 * error..=58.0 + 2.0 * error;
    assert!(healthy.contains(&share), "White's share is {share:.1} % ± {error:.1}");
}
