//! Limits, clocks, `searchmoves`, and reported lines.

use crate::common::{Check, MIDDLEGAMES, ensure, position, searcher};
use chess::{Game, Move};
use engine::evaluation::Evaluation;
use engine::internals::Budget;
use engine::{Bound, Clock, Engine, Limits, SearchEvent};
use std::sync::mpsc::channel;
use std::time::Duration;
use uci::Info;

properties! {
    clock_is_used,
    increment_is_used,
    clock_never_runs_out,
    searchmoves_is_respected,
    node_limit_is_respected,
    scores_are_of_side_to_move,
    stopped_iterations_are_reported_soundly,
}

pub fn clock_is_used() -> Check {
    let clock = Clock {
        remaining: Duration::from_secs(10),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let budget = Budget::new(&limits, Duration::from_millis(10));
    let soft = budget.soft().ok_or("no soft limit")?.as_millis();
    ensure((200..=800).contains(&soft), || format!("{soft} ms of 10 s for the first move"))
}

/// The last score that an engine reports, and its move.
fn reported(fen: &str, limits: Limits) -> Result<(uci::Score, Option<Move>), String> {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    let (send, receive) = channel();
    engine
        .go(&Game::new(position(fen)), limits, move |event| {
            let _ = send.send(event.clone());
        })
        .map_err(|error| error.to_string())?;
    engine.wait();
    let (mut score, mut answer) = (None, None);
    for event in receive.try_iter() {
        match event {
            SearchEvent::Info(info) => score = info.score,
            SearchEvent::BestMove(found) => answer = found.best,
            SearchEvent::Statistics(_) => {}
        }
    }
    Ok((score.ok_or("no score was reported")?, answer))
}

pub fn scores_are_of_side_to_move() -> Check {
    let (score, _) = reported("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", Limits::depth(4))?;
    ensure(score.centipawns() > 200, || format!("{score:?} for Black, a knight up"))
}

pub fn searchmoves_is_respected() -> Check {
    let wanted = position(MIDDLEGAMES[7]).parse_uci("a2a3").map_err(|error| error.to_string())?;
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(4) };
    let (_, best) = reported(MIDDLEGAMES[7], limits)?;
    ensure(best == Some(wanted), || format!("{best:?} was not asked for"))
}

pub fn node_limit_is_respected() -> Check {
    for fen in MIDDLEGAMES {
        for nodes in [500, 1001, 2222, 3000, 7919] {
            // A search that ignores the limit ends here.
            let limits = Limits { soft_nodes: Some(2 * nodes), ..Limits::nodes(nodes) };
            let found = searcher().search_silent(&Game::new(position(fen)), limits);
            ensure(found.nodes == nodes, || format!("{} nodes of {nodes} in {fen}", found.nodes))?;
        }
    }
    Ok(())
}

/// If a limit ends a search within an iteration, its last line is exact, or a marked bound of a move without
/// an exact score.
pub fn stopped_iterations_are_reported_soundly() -> Check {
    for (fen, nodes) in MIDDLEGAMES.into_iter().flat_map(|fen| (1..12).map(move |step| (fen, 1717 * step))) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        let (send, receive) = channel();
        let listen = move |event: &SearchEvent| {
            let _ = send.send(event.clone());
        };
        let root = position(fen);
        engine.go(&Game::new(root), Limits::nodes(nodes), listen).map_err(|error| error.to_string())?;
        engine.wait();
        let (mut lines, mut answer) = (Vec::new(), None);
        for event in receive.try_iter() {
            match event {
                SearchEvent::Info(info) => lines.push(info),
                SearchEvent::BestMove(found) => answer = found.best.map(|best| (best, found.ponder)),
                SearchEvent::Statistics(_) => {}
            }
        }
        let ((last, before), (best, ponder)) =
            lines.split_last().zip(answer).ok_or("nothing was reported")?;
        let said = || format!("{last:?} and {best:?} {ponder:?} with {nodes} nodes in {fen}");
        ensure(last.pv.first() == Some(&best) && last.pv.get(1).copied() == ponder, said)?;
        let known = before.iter().rev().find(|line| line.bound == Bound::Exact);
        match last.bound {
            Bound::Exact => {
                ensure(last.pv.len() > 1 || matches!(last.score, Some(uci::Score::Mate(_))), said)?;
            }
            Bound::Lower => ensure(known.is_some_and(|line| line.pv.first() != Some(&best)), said)?,
            Bound::Upper => return Err(said()),
        }
    }
    // With MultiPV, lines of the same depth are sorted and distinct.
    for (fen, nodes) in MIDDLEGAMES.into_iter().flat_map(|fen| (1..12).map(move |step| (fen, 1717 * step))) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_multi_pv(3).map_err(|error| error.to_string())?;
        let (send, receive) = channel();
        let listen = move |event: &SearchEvent| {
            let _ = send.send(event.clone());
        };
        engine
            .go(&Game::new(position(fen)), Limits::nodes(nodes), listen)
            .map_err(|error| error.to_string())?;
        engine.wait();
        let info = |event| if let SearchEvent::Info(info) = event { Some(info) } else { None };
        let all: Vec<_> = receive.try_iter().filter_map(info).collect();
        let lines = &all[all.len().saturating_sub(3)..];
        let said = || format!("{lines:?} with {nodes} nodes in {fen}");
        let score = |info: &Info<Move>| info.score.map(uci::Score::centipawns);
        let is_sound = |pair: &[Info<Move>]| {
            pair[0].pv.first() != pair[1].pv.first()
                && (pair[0].depth != pair[1].depth || score(&pair[0]) >= score(&pair[1]))
        };
        ensure(lines.len() == 3 && lines.windows(2).all(is_sound), said)?;
    }
    Ok(())
}

/// The limits for this time and increment, in milliseconds.
fn budget(remaining: u64, increment: u64) -> Budget {
    let clock = Clock {
        remaining: Duration::from_millis(remaining),
        increment: Duration::from_millis(increment),
        moves_to_go: None,
    };
    Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, Duration::from_millis(10))
}

pub fn increment_is_used() -> Check {
    let (without, with) = (budget(5000, 0).soft(), budget(5000, 1000).soft());
    ensure(with > without.map(|soft| soft * 2), || format!("{without:?}, with increment {with:?}"))
}

pub fn clock_never_runs_out() -> Check {
    for remaining in [50, 1000, 60_000] {
        let hard = budget(remaining, 0).hard().ok_or("no hard limit")?;
        ensure(hard < Duration::from_millis(remaining), || format!("{hard:?} of {remaining} ms"))?;
    }
    Ok(())
}
