//! Lines and ponder moves end where the game ends: at mate, stalemate, the third repetition, the fifty-move rule, or for
//! lack of material. Test servers stop a run at the first line that goes on.

use crate::common::{Check, Random, ensure, position};
use chess::{Game, Move};
use engine::evaluation::Evaluation;
use engine::{Engine, Limits, SearchEvent, Searcher};
use std::sync::mpsc::channel;

properties! {
    lines_end_with_the_game,
    lines_of_several_threads_end_with_the_game,
    ponder_move_is_never_after_the_end,
    result_ends_with_the_game,
}

/// Endgames that are drawn in every possible way, some with the fifty-move rule near.
const DRAWISH: [&str; 8] = [
    "8/8/4k3/8/2r5/8/3K4/5R2 w - - 0 1",
    "8/5k2/8/8/3R4/8/3K4/6r1 w - - 84 120",
    "8/8/3k4/3b4/8/3N4/3K4/8 w - - 90 100",
    "8/8/4k3/3p4/p2P1K2/P7/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/3Q2K1 w - - 0 1",
    "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1",
    "8/8/8/8/8/4k3/8/KQ6 w - - 88 80",
    "5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1",
];

/// Whether the line is legal and nothing follows the end of the game. The first move is always played: `go`
/// after a draw must be answered.
fn ends_in_time(game: &Game, line: &[Move]) -> Check {
    let mut game = game.clone();
    for (index, &mv) in line.iter().enumerate() {
        ensure(game.position().is_legal(mv), || format!("{} is illegal", mv.uci(false)))?;
        if index > 0
            && let Some(outcome) = game.outcome()
        {
            let moves: Vec<String> = line.iter().map(|mv| mv.uci(false).to_string()).collect();
            let fen = game.position().to_fen();
            return Err(format!("{} goes on after {outcome} in {fen}", moves.join(" ")));
        }
        game.play(mv);
    }
    Ok(())
}

/// Plays games with tiny searches and checks every line and every ponder move. Returns the number of checked
/// lines, and of those that end the game.
fn play_games(threads: usize, lines: usize, games: usize) -> Result<(usize, usize), String> {
    let (mut random, mut checked, mut ends) = (Random(threads as u64), 0, 0);
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    engine.set_hash(1).map_err(|error| error.to_string())?;
    engine.set_threads(threads).map_err(|error| error.to_string())?;
    engine.set_multi_pv(lines).map_err(|error| error.to_string())?;
    for number in 0..games {
        let mut game = Game::new(position(DRAWISH[number % DRAWISH.len()]));
        engine.new_game().map_err(|error| error.to_string())?;
        // Games continue for a while after a draw, as in GUIs without adjudication.
        let mut after_the_end = 0;
        while after_the_end < 4 && game.position().has_legal_move() && game.moves().len() < 120 {
            let (send, events) = channel();
            let limits = Limits::nodes(50 + random.below(400) as u64);
            let listener = move |event: &SearchEvent| send.send(event.clone()).unwrap_or_default();
            engine.go(&game, limits, listener).map_err(|error| error.to_string())?;
            let mut best = None;
            for event in events {
                let line = match event {
                    SearchEvent::Info(info) => info.pv,
                    SearchEvent::BestMove(answer) => {
                        best = answer.best;
                        answer.best.into_iter().chain(answer.ponder).collect()
                    }
                    SearchEvent::Statistics(_) => continue,
                };
                ends_in_time(&game, &line)?;
                checked += 1;
                let mut end = game.clone();
                for mv in line {
                    end.play(mv);
                }
                ends += usize::from(end.outcome().is_some());
            }
            engine.wait();
            game.play(best.ok_or("no move")?);
            after_the_end += usize::from(game.outcome().is_some());
        }
    }
    Ok((checked, ends))
}

pub fn lines_end_with_the_game() -> Check {
    all_lines_end_with_the_game(2 * DRAWISH.len())
}

#[cfg(not(feature = "mutants"))]
#[test]
#[ignore = "make proof"]
fn lines_of_1000_games_end_with_the_game() {
    if let Err(complaint) = all_lines_end_with_the_game(1000) {
        panic!("{complaint}");
    }
}

fn all_lines_end_with_the_game(games: usize) -> Check {
    for lines in [1, 3] {
        let (checked, ends) = play_games(1, lines, games)?;
        ensure(checked > 2000 && ends > 300, || format!("only {ends} of {checked} lines reach an end"))?;
    }
    Ok(())
}

pub fn lines_of_several_threads_end_with_the_game() -> Check {
    play_games(3, 1, DRAWISH.len()).map(drop)
}

/// Black's only move repeats the position for the third time: there is nothing to ponder on.
pub fn ponder_move_is_never_after_the_end() -> Check {
    let mut game = Game::new(position("7k/6pp/8/8/8/8/r5PP/Q6K b - - 0 1"));
    for text in ["a2b2", "a1d1", "b2a2", "d1a1"].repeat(2) {
        game.play(game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?);
    }
    let repeating = game.position().parse_uci("a2b2").map_err(|error| error.to_string())?;
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    // The table knows a reply from an earlier search, in which the position was new.
    let mut child = Game::new(*game.position());
    child.play(repeating);
    let stop = std::sync::atomic::AtomicBool::new(false);
    engine.search(&child, Limits::depth(4), &stop, |_| {}).map_err(|error| error.to_string())?;
    for nodes in 1..60 {
        let limits = Limits { search_moves: vec![repeating], ..Limits::nodes(nodes) };
        let answer = engine.search(&game, limits, &stop, |_| {}).map_err(|error| error.to_string())?;
        ensure(answer.ponder.is_none(), || format!("{answer:?} after {nodes} nodes"))?;
    }
    Ok(())
}

/// What [`Searcher`] returns ends with the game as well.
pub fn result_ends_with_the_game() -> Check {
    let mut searcher = Searcher::with_evaluation(1, Evaluation::Classical).expect("there is memory");
    for fen in DRAWISH {
        let mut game = Game::new(position(fen));
        for nodes in (50..).step_by(7).take(60) {
            let found = searcher.search_silent(&game, Limits::nodes(nodes));
            let Some(best) = found.best else { break };
            ends_in_time(&game, &found.pv)?;
            game.play(best);
        }
    }
    Ok(())
}
