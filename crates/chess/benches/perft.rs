//! Perft speed beside cozy-chess and shakmaty, in one process: `make bench`.
//!
//! The libraries take turns, and the best of several rounds counts, because machines are noisy. "Bulk"
//! counts the last half move without making it; "made" makes every leaf, as a search would.

use chess::{Perft, Position};
use cozy_chess::Board;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::hint::black_box;
use std::time::Instant;

/// How often every count is repeated; `VEDETTE_BENCH_ROUNDS` overrides it.
const ROUNDS: usize = 5;

struct Task {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

const TASKS: [Task; 2] = [
    Task {
        name: "startpos",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Task {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
];

fn vedette(task: &Task, make_leaves: bool) -> u64 {
    let position = Position::from_fen(task.fen).expect("a position that everybody knows");
    let perft = if make_leaves { Perft::default().make_leaves() } else { Perft::default() };
    perft.count(&position, task.depth)
}

fn cozy(task: &Task, make_leaves: bool) -> u64 {
    let board: Board = task.fen.parse().expect("a position that everybody knows");
    if make_leaves { cozy_made(&board, task.depth) } else { cozy_bulk(&board, task.depth) }
}

fn cozy_bulk(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_bulk(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn cozy_made(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            if depth == 1 {
                black_box(&child);
                nodes += 1;
            } else {
                nodes += cozy_made(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn shakmaty(task: &Task, make_leaves: bool) -> u64 {
    let fen: Fen = task.fen.parse().expect("a position that everybody knows");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
    if make_leaves { shakmaty_made(&position, task.depth) } else { shakmaty::perft(&position, task.depth) }
}

fn shakmaty_made(position: &Chess, depth: u32) -> u64 {
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(mv);
        if depth == 1 {
            black_box(&child);
            nodes += 1;
        } else {
            nodes += shakmaty_made(&child, depth - 1);
        }
    }
    nodes
}

/// A library's name and its way to do a task.
type Library = (&'static str, fn(&Task, bool) -> u64);

const LIBRARIES: [Library; 3] = [("vedette", vedette), ("cozy-chess", cozy), ("shakmaty", shakmaty)];

fn main() {
    let rounds =
        std::env::var("VEDETTE_BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    println!(
        "perft, one thread, best of {rounds} rounds in turn; M nodes/s, and how many times as fast vedette is"
    );
    println!(
        "{:<20}{:>10}{:>12}{:>10}{:>10}{:>12}",
        "", "vedette", "cozy-chess", "shakmaty", "/ cozy", "/ shakmaty"
    );
    for task in &TASKS {
        for make_leaves in [false, true] {
            let mut best = [f64::INFINITY; LIBRARIES.len()];
            for _ in 0..rounds {
                for (best, (name, count)) in best.iter_mut().zip(LIBRARIES) {
                    let start = Instant::now();
                    let nodes = count(task, make_leaves);
                    *best = best.min(start.elapsed().as_secs_f64());
                    assert_eq!(nodes, task.nodes, "{name} miscounts {}", task.name);
                }
            }
            let speed = best.map(|seconds| task.nodes as f64 / seconds / 1e6);
            println!(
                "{:<20}{:>10.1}{:>12.1}{:>10.1}{:>10.2}{:>12.2}",
                format!("{} {} {}", task.name, task.depth, if make_leaves { "made" } else { "bulk" }),
                speed[0],
                speed[1],
                speed[2],
                speed[0] / speed[1],
                speed[0] / speed[2],
            );
        }
    }
}
