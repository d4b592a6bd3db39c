//! Perft speed against cozy-chess and shakmaty, in one process: `make bench`.
//!
//! Machines are noisy, so a task is cut into the games that begin with each move; the libraries take turns at
//! these parts, and of each part the best of several rounds counts. "Bulk" counts the last ply without making
//! it; "made" makes every leaf, as a search would.

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

/// Counts the leaf nodes after one root move.
type Part = Box<dyn Fn() -> u64>;

fn vedette(task: &Task, make_leaves: bool) -> Vec<Part> {
    let position = Position::from_fen(task.fen).expect("a valid FEN");
    let depth = task.depth - 1;
    let part = |mv| -> Part {
        let child = position.after(mv);
        let perft = if make_leaves { Perft::default().make_leaves() } else { Perft::default() };
        Box::new(move || perft.count(&child, depth))
    };
    position.legal_moves().into_iter().map(part).collect()
}

fn cozy(task: &Task, make_leaves: bool) -> Vec<Part> {
    let board: Board = task.fen.parse().expect("a valid FEN");
    let count = if make_leaves { cozy_made } else { cozy_bulk };
    let depth = task.depth - 1;
    let mut parts: Vec<Part> = Vec::new();
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            parts.push(Box::new(move || count(&child, depth)));
        }
        false
    });
    parts
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

fn shakmaty(task: &Task, make_leaves: bool) -> Vec<Part> {
    let fen: Fen = task.fen.parse().expect("a valid FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
    let count = if make_leaves { shakmaty_made } else { shakmaty::perft };
    let depth = task.depth - 1;
    let part = |mv| -> Part {
        let mut child = position.clone();
        child.play_unchecked(mv);
        Box::new(move || count(&child, depth))
    };
    position.legal_moves().into_iter().map(part).collect()
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

/// A library's name and its perft function.
type Library = (&'static str, fn(&Task, bool) -> Vec<Part>);

const LIBRARIES: [Library; 3] = [("vedette", vedette), ("cozy-chess", cozy), ("shakmaty", shakmaty)];

/// The best time of a whole task for each library, in seconds.
fn measure(task: &Task, make_leaves: bool, rounds: usize) -> [f64; LIBRARIES.len()] {
    let parts = LIBRARIES.map(|(_, split)| split(task, make_leaves));
    let mut best = LIBRARIES.map(|_| vec![f64::INFINITY; parts[0].len()]);
    for _ in 0..rounds {
        let mut nodes = [0; LIBRARIES.len()];
        for index in 0..parts[0].len() {
            for library in 0..LIBRARIES.len() {
                let start = Instant::now();
                nodes[library] += parts[library][index]();
                let seconds = start.elapsed().as_secs_f64();
                best[library][index] = seconds.min(best[library][index]);
            }
        }
        assert_eq!(nodes, [task.nodes; LIBRARIES.len()], "somebody miscounts {}", task.name);
    }
    best.map(|parts| parts.iter().sum())
}

fn main() {
    let rounds = std::env::var("VEDETTE_BENCH_ROUNDS").ok().and_then(|text| text.parse().ok());
    let rounds: usize = rounds.unwrap_or(ROUNDS).max(1);
    println!(
        "perft on one thread, best of {rounds} rounds: M nodes/s, and how many times as fast vedette is"
    );
    let names = LIBRARIES.map(|(name, _)| format!("{name:>12}")).concat();
    println!("{:<16}{names}{:>14}{:>12}", "", "/ cozy-chess", "/ shakmaty");
    for task in &TASKS {
        for make_leaves in [false, true] {
            let how = if make_leaves { "made" } else { "bulk" };
            let speeds = measure(task, make_leaves, rounds).map(|seconds| task.nodes as f64 / seconds / 1e6);
            let columns = speeds.map(|speed| format!("{speed:>12.1}")).concat();
            let [vedette, cozy, shakmaty] = speeds;
            let name = format!("{} {} {how}", task.name, task.depth);
            println!("{name:<16}{columns}{:>14.2}{:>12.2}", vedette / cozy, vedette / shakmaty);
        }
    }
}
