//! Retrograde analysis: the result and the distance to zeroing of every position of a material.

use crate::board::{Board, Piece, Role, other_file, other_rank};
use crate::slice::{Slice, is_canonical, number, to_canonical};

/// What best play leads to, for the side to move, with the plies to the next capture, pawn move or mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Draw,
    Win(u8),
    Loss(u8),
}

/// How a [`Value`] is stored: wins and draws as their distance, losses from [`LOSS`].
pub const LOSS: u8 = 128;
/// A draw without a move.
pub const STALEMATE: u8 = 127;
pub const ILLEGAL: u8 = 255;

impl Value {
    fn decode(code: u8) -> Option<Value> {
        match code {
            ILLEGAL => None,
            0 | STALEMATE => Some(Value::Draw),
            win if win < LOSS => Some(Value::Win(win)),
            loss => Some(Value::Loss(loss - LOSS)),
        }
    }

    pub fn code(self) -> u8 {
        match self {
            Value::Draw => 0,
            Value::Win(plies) => plies,
            Value::Loss(plies) => LOSS + plies,
        }
    }
}

/// All positions of a material, by the squares of its pieces and the side to move. Without pawns, only one of the eight
/// symmetric images of a position has a code.
pub struct Table {
    pub key: usize,
    pub has_pawns: bool,
    pub codes: Vec<u8>,
}

impl Table {
    /// The code of a board with its pieces in order.
    fn code(&self, board: &Board) -> u8 {
        let mut squares = [0; crate::board::MOST];
        let pieces = board.pieces();
        for (square, piece) in squares.iter_mut().zip(pieces) {
            *square = piece.square;
        }
        let squares = &mut squares[..pieces.len()];
        if !self.has_pawns {
            to_canonical(squares);
        }
        self.codes[number(squares, board.white_to_move)]
    }
}

/// The materials that were solved.
pub struct Solver {
    tables: Vec<Option<Table>>,
}

/// The pieces of a name such as `KQvK`, white's first, without squares.
pub fn pieces_of(material: &str) -> Vec<Piece> {
    let (white, black) = material.split_once('v').expect("two sides");
    let side = |letters: &str, white: bool| -> Vec<Piece> {
        letters.chars().map(|letter| Piece { white, role: Role::from_letter(letter), square: 0 }).collect()
    };
    [side(white, true), side(black, false)].concat()
}

fn key(board: &Board) -> usize {
    let digit = |piece: &Piece| piece.role as usize + if piece.white { 1 } else { 8 };
    board.pieces().iter().fold(0, |key, piece| key << 4 | digit(piece))
}

impl Solver {
    pub fn new() -> Solver {
        Solver { tables: std::iter::repeat_with(|| None).take(1 << (4 * crate::board::MOST)).collect() }
    }

    /// The value of a position without en passant; `None` if it is illegal.
    pub fn value(&self, board: &Board) -> Option<Value> {
        self.code(board, None).and_then(Value::decode)
    }

    /// The code of a position. `own` is a table that is being solved.
    fn code(&self, board: &Board, own: Option<&Table>) -> Option<u8> {
        let mut board = *board;
        if board.pieces().len() == 2 {
            return Some(0);
        }
        board.sort();
        if let Some(own) = own.filter(|own| own.key == key(&board)) {
            return Some(own.code(&board));
        }
        if self.tables[key(&board)].is_none() {
            board = board.mapped(true, other_rank);
            board.sort();
        }
        Some(self.tables[key(&board)].as_ref()?.code(&board))
    }

    /// The value after a capture, a pawn's step, or a double step over the square `passed`.
    pub fn value_after(&self, board: &Board, passed: Option<u8>, own: Option<&Table>) -> Option<Value> {
        let code = self.code(board, own).expect("smaller materials are solved first");
        let plain = Value::decode(code)?;
        let captures = passed.map_or_else(Vec::new, |passed| board.en_passant(passed));
        let captures = captures.iter().map(|after| before(self.value(after).expect("legal")));
        // A stalemate is none if a pawn can capture.
        let (forced, free) = if code == STALEMATE { (None, Some(plain)) } else { (Some(plain), None) };
        captures.chain(forced).max_by_key(|&value| preference(value)).or(free)
    }

    /// Solves materials that do not lead to each other, on several threads. Returns the longest distance of each.
    pub fn solve(&mut self, materials: &[&str], threads: usize) -> Vec<u8> {
        let solver = &*self;
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            let mut solved = Vec::new();
            while let Some(material) = materials.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
            {
                solved.push((*material, solver.solved(material)));
            }
            solved
        };
        let mut solved = Vec::new();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            solved.extend(workers.into_iter().flat_map(|worker| worker.join().expect("no panic")));
        });
        solved.sort_by_key(|(material, _)| materials.iter().position(|other| other == material));
        let insert = |(_, (table, longest)): (&str, (Table, u8))| {
            let key = table.key;
            self.tables[key] = Some(table);
            longest
        };
        solved.into_iter().map(insert).collect()
    }

    /// Solves a material; what captures and promotions lead to is solved already.
    fn solved(&self, material: &str) -> (Table, u8) {
        let pieces = pieces_of(material);
        let key = key(&Board::new(&pieces, true));
        let Some(first) = pieces.iter().position(|piece| piece.role == Role::Pawn) else {
            let (codes, longest) = Slice::new(&pieces, self, None).solve();
            return (Table { key, has_pawns: false, codes }, longest);
        };
        let mut table = Table { key, has_pawns: true, codes: vec![ILLEGAL; 2 << (6 * pieces.len())] };
        let mut longest = 0;
        for placed in pawn_placements(&pieces) {
            if placed[first].square % 8 >= 4 {
                continue;
            }
            let slice = Slice::new(&placed, self, Some(&table));
            let (codes, distance) = slice.solve();
            longest = longest.max(distance);
            let mut found = Vec::with_capacity(codes.len());
            for (number, code) in codes.into_iter().enumerate().filter(|&(_, code)| code != ILLEGAL) {
                found.push((slice.position(number), code));
            }
            for (mut position, code) in found {
                for _ in 0..2 {
                    table.codes[number(position.squares(), position.white_to_move)] = code;
                    position.map(other_file);
                }
            }
        }
        (table, longest)
    }
}

/// Whether a board is the image of its position that stands for all symmetric ones.
pub fn stands_for_all(board: &Board) -> bool {
    let mut squares = [0; crate::board::MOST];
    for (square, piece) in squares.iter_mut().zip(board.pieces()) {
        *square = piece.square;
    }
    is_canonical(&squares[..board.pieces().len()])
}

/// The value of the position before a capture or a pawn move, if that is the best move.
fn before(after: Value) -> Value {
    match after {
        Value::Draw => Value::Draw,
        Value::Win(_) => Value::Loss(1),
        Value::Loss(_) => Value::Win(1),
    }
}

/// The greater, the better for the side to move.
fn preference(value: Value) -> i32 {
    match value {
        Value::Draw => 0,
        Value::Win(plies) => 1_000 - i32::from(plies),
        Value::Loss(plies) => i32::from(plies) - 1_000,
    }
}

/// All placements of the pawns, those furthest advanced first: a pawn move leads to an earlier one.
fn pawn_placements(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut placements = vec![pieces.to_vec()];
    for (at, _) in pieces.iter().enumerate().filter(|(_, piece)| piece.role == Role::Pawn) {
        let on = |placement: &Vec<Piece>, square: u8| {
            let mut next = placement.clone();
            next[at].square = square;
            next
        };
        placements = placements.iter().flat_map(|old| (8..56).map(move |square| on(old, square))).collect();
    }
    let advanced = |placement: &Vec<Piece>| -> u8 {
        let pawns = placement.iter().filter(|piece| piece.role == Role::Pawn);
        pawns.map(|pawn| if pawn.white { pawn.square / 8 } else { 7 - pawn.square / 8 }).sum()
    };
    placements.sort_by_key(|placement| std::cmp::Reverse(advanced(placement)));
    placements
}
