//! The transposition table: sound cutoffs, sound entries, checked moves, a clean start.

use crate::common::{Check, MIDDLEGAMES, Random, ensure, position, searcher, statistics};
use crate::mates::MATES;
use chess::{Game, Move, Position};
use engine::evaluation::Evaluation;
use engine::internals::{Entry, Table, table_key};
use engine::{Bound, Engine, Limits, Score, SearchEvent};
use std::sync::mpsc::channel;
use uci::Info;

properties! {
    table_cutoffs_are_sound,
    stored_bounds_are_supported,
    mates_are_stored_relative_to_their_node,
    hash_moves_are_checked,
    new_game_clears_state,
}

pub fn table_cutoffs_are_sound() -> Check {
    let mates = MATES.iter().map(|&(fen, plies)| (fen, plies as u32 + 6));
    for (fen, depth) in MIDDLEGAMES.into_iter().map(|fen| (fen, 9)).chain(mates) {
        let (counts, _) = statistics(fen, depth);
        let wrong = [counts.wrong_bounds, counts.wrong_depths, counts.impossible_mates];
        ensure(wrong == [0; 3], || {
            format!("{wrong:?} cutoffs against bound, depth, mate distance in {fen}")
        })?;
    }
    Ok(())
}

/// The exact entries along a line that mates count the plies that are left.
pub fn mates_are_stored_relative_to_their_node() -> Check {
    let mut entries = 0;
    for (fen, plies) in MATES {
        let mut searcher = searcher();
        let found = searcher.search_silent(&Game::new(position(fen)), Limits::depth(plies as u32 + 8));
        let Some(distance) = found.score.mate_distance() else { continue };
        let mut node = position(fen);
        for (played, &mv) in found.pv.iter().enumerate() {
            let entry = searcher.table().probe(table_key(&node), 0);
            if let Some(entry) = entry.filter(|entry| entry.bound == Some(Bound::Exact)) {
                entries += 1;
                ensure(entry.score.mate_distance() == Some(distance - played), || {
                    format!("{entry:?} after {played} plies of a mate in {distance} plies in {fen}")
                })?;
            }
            node = node.after(mv);
        }
    }
    ensure(entries >= 2 * MATES.len(), || format!("only {entries} exact entries"))
}

/// The move of a lower bound must lead to a position with an upper bound or an exact score that supports it.
/// The root has the reported exact score.
pub fn stored_bounds_are_supported() -> Check {
    let (mut supported, mut unsupported) = (0, 0);
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let mut searcher = searcher();
        let found = searcher.search_silent(&Game::new(root), Limits::depth(9));
        let table: &Table = searcher.table();
        let Some(entry) = table.probe(table_key(&root), 0) else {
            return Err(format!("nothing is known of the root in {fen}"));
        };
        ensure(entry.bound == Some(Bound::Exact) && entry.score == found.score, || {
            format!("{entry:?} at the root of {fen}, {:?} was reported", found.score)
        })?;
        for mv in root.legal_moves() {
            let child = root.after(mv);
            let Some(entry) = table.probe(table_key(&child), 1) else { continue };
            if entry.bound != Some(Bound::Lower) || entry.depth < 3 || !child.is_legal(entry.mv) {
                continue;
            }
            let Some(reply) = table.probe(table_key(&child.after(entry.mv)), 2) else { continue };
            if reply.depth + 1 < entry.depth {
                continue;
            }
            match reply.bound {
                Some(Bound::Upper | Bound::Exact) => supported += 1,
                _ => unsupported += 1,
            }
        }
    }
    ensure(supported >= 10 && unsupported * 5 < supported, || {
        format!("{supported} lower bounds are supported, {unsupported} are not")
    })
}

pub fn hash_moves_are_checked() -> Check {
    let mut random = Random(11);
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let mut searcher = searcher();
        for mv in root.legal_moves() {
            let child = root.after(mv);
            for position in child.legal_moves().into_iter().map(|reply| child.after(reply)).chain([child]) {
                let entry = Entry {
                    mv: Move::from_bits(random.below(65_536) as u16),
                    score: Score::ZERO,
                    evaluation: Score::NONE,
                    depth: 1,
                    bound: Some(Bound::Lower),
                    was_pv: true,
                };
                searcher.table().store(table_key(&position), 1, entry);
            }
        }
        let found = searcher.search_silent(&Game::new(root), Limits::depth(5));
        let mut here = root;
        for &mv in &found.pv {
            ensure(here.is_legal(mv), || format!("{mv:?} in {here:?}"))?;
            here.play(mv);
            ensure(here.is_consistent(), || format!("{here:?} is corrupt"))?;
        }
    }
    Ok(())
}

pub fn new_game_clears_state() -> Check {
    let (first, second) = (position(MIDDLEGAMES[0]), position(MIDDLEGAMES[1]));
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    let (send, receive) = channel();
    let mut nodes_of = |position: Position| -> Result<u64, String> {
        engine.new_game().map_err(|error| error.to_string())?;
        let send = send.clone();
        engine
            .go(&Game::new(position), Limits::depth(9), move |event| {
                if let SearchEvent::Info(Info { nodes: Some(nodes), .. }) = event {
                    let _ = send.send(*nodes);
                }
            })
            .map_err(|error| error.to_string())?;
        engine.wait();
        receive.try_iter().last().ok_or_else(|| "nothing was reported".to_string())
    };
    let before = nodes_of(first)?;
    nodes_of(second)?;
    let after = nodes_of(first)?;
    ensure(before == after, || format!("{before} nodes, then {after}"))
}
