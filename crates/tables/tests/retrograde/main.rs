//! Tables against retrograde analysis, which knows nothing of them: the result and the distance of every position.

mod board;
mod slice;
mod solver;

use std::ops::AddAssign;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use board::{Board, Role, moved, other_file, other_rank, transposed};
use chess::Position;
use solver::{Solver, Value, pieces_of, stands_for_all};
use tables::{Dtz, TableWdl, Tablebases, testing};

/// Materials with three and four pieces. Captures and promotions lead to those of earlier rows.
const THREE: [&[&str]; 2] = [&["KNvK", "KBvK", "KRvK", "KQvK"], &["KPvK"]];

const FOUR: [&[&str]; 3] = [
    &[
        "KNNvK", "KBNvK", "KBBvK", "KRNvK", "KRBvK", "KRRvK", "KQNvK", "KQBvK", "KQRvK", "KQQvK", "KNvKN",
        "KBvKN", "KBvKB", "KRvKN", "KRvKB", "KRvKR", "KQvKN", "KQvKB", "KQvKR", "KQvKQ",
    ],
    &["KNPvK", "KBPvK", "KRPvK", "KQPvK", "KNvKP", "KBvKP", "KRvKP", "KQvKP"],
    &["KPPvK", "KPvKP"],
];

/// One in so many positions is also checked with halfmove clocks at the limit of the fifty-move rule.
const CLOCKED: usize = 16;

#[derive(Clone, Copy, Default)]
struct Count {
    positions: u64,
    decided: u64,
    en_passant: u64,
    clocks: u64,
    longest: u8,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.positions += other.positions;
        self.decided += other.decided;
        self.en_passant += other.en_passant;
        self.clocks += other.clocks;
        self.longest = self.longest.max(other.longest);
    }
}

/// The eight symmetries of the board; the first two keep the direction of pawns.
fn image(square: u8, symmetry: usize) -> u8 {
    let square = if symmetry & 1 == 0 { square } else { other_file(square) };
    let square = if symmetry & 2 == 0 { square } else { other_rank(square) };
    if symmetry & 4 == 0 { square } else { transposed(square) }
}

fn agrees(value: Value, wdl: TableWdl, dtz: Dtz) -> bool {
    let (expected, plies) = match value {
        Value::Draw => return wdl == TableWdl::Draw && dtz.plies == 0,
        Value::Win(plies) => (TableWdl::Win, i32::from(plies)),
        // The tables count being mated as one ply.
        Value::Loss(plies) => (TableWdl::Loss, -i32::from(plies.max(1))),
    };
    let rounded = plies - plies.signum();
    wdl == expected && (dtz.plies == plies || dtz.is_rounded && dtz.plies == rounded)
}

struct Comparison<'a> {
    solver: &'a Solver,
    tables: &'a Tablebases,
    count: Count,
}

impl Comparison<'_> {
    /// Every position of a material with White's king on a square, each in one of its symmetric images and with either
    /// colour.
    fn positions(&mut self, material: &str, king: u8) {
        let mut pieces = pieces_of(material);
        let has_pawns = pieces.iter().any(|piece| piece.role == Role::Pawn);
        pieces[0].square = king;
        for number in 0..2_usize << (6 * (pieces.len() - 1)) {
            for (place, piece) in pieces[1..].iter_mut().enumerate() {
                piece.square = (number >> (6 * place + 1) & 63) as u8;
            }
            let is_repeated = pieces.windows(2).any(|two| {
                (two[0].white, two[0].role) == (two[1].white, two[1].role) && two[0].square > two[1].square
            });
            let is_possible =
                pieces.iter().all(|piece| piece.role != Role::Pawn || (8..56).contains(&piece.square));
            let board = Board::new(&pieces, number % 2 == 0);
            let is_image = !has_pawns && !stands_for_all(&board);
            if is_repeated || !is_possible || is_image {
                continue;
            }
            let Some(value) = self.solver.value(&board) else { continue };
            self.compare(&board, None, value, number, has_pawns);
            if has_pawns {
                self.en_passant(&board, number);
            }
        }
    }

    /// The same board after a pawn's double step.
    fn en_passant(&mut self, board: &Board, number: usize) {
        let white = !board.white_to_move;
        let (rank, back) = if white { (3, -1) } else { (4, 1) };
        let pawns = board
            .pieces()
            .iter()
            .filter(|piece| piece.role == Role::Pawn && piece.white == white && piece.square / 8 == rank);
        for pawn in pawns {
            let passed = moved(pawn.square, (0, back)).expect("inside");
            let from = moved(passed, (0, back)).expect("inside");
            if board.occupied() & (1 << passed | 1 << from) != 0 || board.en_passant(passed).is_empty() {
                continue;
            }
            let value = self.solver.value_after(board, Some(passed), None).expect("legal");
            self.compare(board, Some(passed), value, number, true);
            self.count.en_passant += 1;
        }
    }

    fn compare(&mut self, board: &Board, passed: Option<u8>, value: Value, number: usize, has_pawns: bool) {
        let random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let symmetry = if has_pawns { random & 1 } else { random & 7 };
        let exchange = random & 8 != 0;
        let map = |square| match image(square, symmetry) {
            square if exchange => other_rank(square),
            square => square,
        };
        let shown = board.mapped(exchange, map);
        let passed = passed.map(map);
        let fen = shown.fen(passed, 0);
        let position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.en_passant().is_some(), passed.is_some(), "{fen}");
        let wdl = self.tables.probe_wdl(&position).expect("in the tables");
        let dtz = self.tables.probe_dtz(&position).expect("in the tables");
        assert!(
            agrees(value, wdl, dtz),
            "{fen}: {value:?} by retrograde analysis, {wdl:?} and {dtz:?} in the tables"
        );
        self.count.positions += 1;
        let plies = match value {
            Value::Draw => return,
            Value::Win(plies) | Value::Loss(plies) => plies,
        };
        self.count.decided += 1;
        self.count.longest = self.count.longest.max(plies);
        if (random >> 4).is_multiple_of(CLOCKED) {
            self.clocks(&shown, passed, value, plies.max(1), dtz);
        }
    }

    /// The last halfmove clock with which a win is a win, and the next one.
    fn clocks(&mut self, board: &Board, passed: Option<u8>, value: Value, plies: u8, dtz: Dtz) {
        for reached in [100, 101] {
            let clock = reached - u32::from(plies);
            if clock == 0 || clock > 99 {
                continue;
            }
            let fen = board.fen(passed, clock);
            let position = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let found = self.tables.probe_with_clock(&position);
            let is_hidden = dtz.is_rounded && dtz.plies.unsigned_abs() + clock == 100;
            let expected = match (value, reached) {
                _ if is_hidden => None,
                (Value::Win(_), 100) => Some(TableWdl::Win),
                (Value::Win(_), _) => Some(TableWdl::CursedWin),
                (_, 100) => Some(TableWdl::Loss),
                _ => Some(TableWdl::BlessedLoss),
            };
            assert_eq!(found, expected, "{fen}");
            self.count.clocks += 1;
        }
    }
}

/// Solves materials and compares them with their tables, on all cores. Returns the number of positions; `None` without
/// tables.
fn check(stages: &[&[&str]]) -> Option<u64> {
    let folder = testing::folder()?;
    let tables = Tablebases::open(&[folder]).unwrap_or_else(|error| panic!("{error}")).tables;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    let mut solver = Solver::new();
    for stage in stages {
        for (material, longest) in stage.iter().zip(solver.solve(stage, threads)) {
            // None is cursed: the fifty-move rule matters only together with the halfmove clock.
            assert!(longest <= 100, "{material}");
        }
    }
    println!("solved in {:.0} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let materials = stages.concat();
    let tasks: Vec<(usize, u8)> = (0..materials.len())
        .flat_map(|at| kings(materials[at]).into_iter().map(move |king| (at, king)))
        .collect();
    let counts: Vec<Mutex<(usize, Count)>> =
        materials.iter().map(|material| Mutex::new((kings(material).len(), Count::default()))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(at, king)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut comparison = Comparison { solver: &solver, tables: &tables, count: Count::default() };
            comparison.positions(materials[at], king);
            let mut count = counts[at].lock().expect("no panic");
            count.0 -= 1;
            count.1 += comparison.count;
            if count.0 == 0 {
                let Count { positions, decided, en_passant, clocks, longest } = count.1;
                println!(
                    "{}: {positions} positions, {decided} decided, longest {longest} plies, {en_passant} with en \
                     passant, {clocks} with a halfmove clock",
                    materials[at]
                );
                assert!(positions > 0);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let failed = workers.into_iter().find_map(|worker| worker.join().err());
        if let Some(panic) = failed {
            std::panic::resume_unwind(panic);
        }
    });
    let total = counts.into_iter().map(|count| count.into_inner().expect("no panic").1.positions).sum();
    println!("{total} positions compared in {:.0} s on {threads} threads", started.elapsed().as_secs_f64());
    Some(total)
}

/// The squares of White's king that symmetry leaves.
fn kings(material: &str) -> Vec<u8> {
    let has_pawns = material.contains('P');
    (0..64).filter(|square| square % 8 < 4 && (has_pawns || square / 8 <= square % 8)).collect()
}

#[test]
fn retrograde_analysis_agrees_with_tables() {
    check(&THREE);
}

#[test]
#[ignore = "make proof: all positions with four pieces"]
fn proof_all_tables_agree_with_retrograde_analysis() {
    check(&[&THREE[..], &FOUR[..]].concat());
}
