//! Retrograde analysis: the result and the distance to zeroing of every position of a material.

use std::collections::HashMap;

use crate::board::{Board, Piece, Role, reach, squares};

/// What best play leads to, for the side to move, with the plies to the next capture, pawn move or mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Draw,
    Win(u8),
    Loss(u8),
}

/// How a [`Value`] is stored: wins and draws as their distance, losses from [`LOSS`].
const LOSS: u8 = 128;
const ILLEGAL: u8 = 255;

impl Value {
    fn decode(code: u8) -> Option<Value> {
        match code {
            ILLEGAL => None,
            0 => Some(Value::Draw),
            win if win < LOSS => Some(Value::Win(win)),
            loss => Some(Value::Loss(loss - LOSS)),
        }
    }

    fn code(self) -> u8 {
        match self {
            Value::Draw => 0,
            Value::Win(plies) => plies,
            Value::Loss(plies) => LOSS + plies,
        }
    }
}

/// All positions of a material, by the squares of its pieces and the side to move.
struct Table {
    codes: Vec<u8>,
}

/// The materials that were solved.
#[derive(Default)]
pub struct Solver {
    tables: HashMap<u32, Table>,
}

/// What is known about a position before those with the same pawns and pieces are compared.
enum Start {
    Illegal,
    Decided(Value),
    /// It has so many moves that change nothing else, and perhaps another one that draws.
    Open {
        moves: u8,
        may_draw: bool,
    },
}

/// The pieces of a name such as `KQvK`, white's first, without squares.
pub fn pieces_of(material: &str) -> Vec<Piece> {
    let (white, black) = material.split_once('v').expect("two sides");
    let side = |letters: &str, white: bool| -> Vec<Piece> {
        letters.chars().map(|letter| Piece { white, role: Role::from_letter(letter), square: 0 }).collect()
    };
    [side(white, true), side(black, false)].concat()
}

fn key(board: &Board) -> u32 {
    let digit = |piece: &Piece| piece.role as u32 + if piece.white { 1 } else { 8 };
    board.pieces().iter().fold(0, |key, piece| key << 4 | digit(piece))
}

fn index(board: &Board) -> usize {
    let squares = board.pieces().iter().rev();
    squares.fold(usize::from(board.white_to_move), |index, piece| index << 6 | usize::from(piece.square))
}

impl Solver {
    /// The value of a position without en passant; `None` if it is illegal.
    pub fn value(&self, board: &Board) -> Option<Value> {
        let mut board = *board;
        if board.pieces().len() == 2 {
            return Some(Value::Draw);
        }
        board.sort();
        let table = self.tables.get(&key(&board)).or_else(|| {
            board = board.mapped(true, crate::board::other_rank);
            board.sort();
            self.tables.get(&key(&board))
        });
        Value::decode(table.expect("smaller materials are solved first").codes[index(&board)])
    }

    /// The value after a pawn has passed over a square.
    pub fn value_after_double_step(&self, board: &Board, passed: u8) -> Option<Value> {
        let plain = self.value(board)?;
        let captures = board.en_passant(passed);
        if captures.is_empty() {
            return Some(plain);
        }
        let mut values: Vec<Value> = Vec::new();
        board.moves(|_| values.push(plain));
        values.truncate(1);
        values.extend(captures.iter().map(|after| before(self.value(after).expect("legal"))));
        values.into_iter().max_by_key(|&value| preference(value))
    }

    /// Solves a material; what captures and promotions lead to is solved already. Returns the longest distance.
    pub fn solve(&mut self, material: &str) -> u8 {
        let pieces = pieces_of(material);
        let size = 2 << (6 * pieces.len());
        let all = Board::new(&pieces, true);
        self.tables.insert(key(&all), Table { codes: vec![ILLEGAL; size] });
        let mut longest = 0;
        for placed in pawn_placements(&pieces) {
            let slice = Slice::new(&placed);
            let (codes, distance) = slice.solve(self);
            longest = longest.max(distance);
            let table = self.tables.get_mut(&key(&all)).expect("inserted");
            for (number, code) in codes.into_iter().enumerate() {
                if code != ILLEGAL {
                    table.codes[index(&slice.board(number))] = code;
                }
            }
        }
        longest
    }
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

/// The positions of a material with the pawns on given squares. They are numbered by the squares of the other pieces.
struct Slice {
    pieces: Vec<Piece>,
    /// The pieces that are not pawns.
    movable: Vec<usize>,
}

impl Slice {
    fn new(pieces: &[Piece]) -> Slice {
        let movable = (0..pieces.len()).filter(|&at| pieces[at].role != Role::Pawn).collect();
        Slice { pieces: pieces.to_vec(), movable }
    }

    fn size(&self) -> usize {
        2 << (6 * self.movable.len())
    }

    fn board(&self, number: usize) -> Board {
        let mut pieces = [self.pieces[0]; crate::board::MOST];
        pieces[..self.pieces.len()].copy_from_slice(&self.pieces);
        for (place, &at) in self.movable.iter().enumerate() {
            pieces[at].square = (number >> (6 * place) & 63) as u8;
        }
        Board::new(&pieces[..self.pieces.len()], number & (self.size() / 2) != 0)
    }

    /// The codes of all positions, and the longest distance.
    fn solve(&self, solver: &Solver) -> (Vec<u8>, u8) {
        let mut codes = vec![0_u8; self.size()];
        // Moves that are not known to lose. One more than there are: a move that draws is never used up.
        let mut moves = vec![0_u8; self.size()];
        let mut levels: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for number in 0..self.size() {
            match start(solver, &self.board(number)) {
                Start::Illegal => codes[number] = ILLEGAL,
                Start::Decided(Value::Draw) => moves[number] = u8::MAX,
                Start::Decided(value) => {
                    codes[number] = value.code();
                    levels[usize::from(value != Value::Loss(0))].push(number as u32);
                    moves[number] = u8::MAX;
                }
                Start::Open { moves: count, may_draw } => moves[number] = count + u8::from(may_draw),
            }
        }
        let [mut current, mut next] = levels;
        let mut distance = 0;
        loop {
            for &number in &current {
                let is_loss = codes[number as usize] >= LOSS;
                self.before(number as usize, |earlier| {
                    if codes[earlier] != 0 || moves[earlier] == u8::MAX {
                        return;
                    }
                    if is_loss {
                        codes[earlier] = Value::Win(distance + 1).code();
                    } else {
                        moves[earlier] -= 1;
                        if moves[earlier] > 0 {
                            return;
                        }
                        codes[earlier] = Value::Loss(distance + 1).code();
                    }
                    next.push(earlier as u32);
                });
            }
            if next.is_empty() {
                return (codes, distance);
            }
            distance += 1;
            assert!(distance < LOSS - 1, "too far");
            current = std::mem::take(&mut next);
        }
    }

    /// Calls `found` with the positions that a move of a piece, without a capture, leads from; some are illegal.
    fn before(&self, number: usize, mut found: impl FnMut(usize)) {
        let board = self.board(number);
        let occupied = board.occupied();
        let half = self.size() / 2;
        for (place, &at) in self.movable.iter().enumerate() {
            let piece = board.pieces()[at];
            if piece.white == board.white_to_move {
                continue;
            }
            let without = number & !(63 << (6 * place)) ^ half;
            for square in squares(reach(piece.role, piece.square, occupied) & !occupied) {
                found(without | usize::from(square) << (6 * place));
            }
        }
    }
}

fn start(solver: &Solver, board: &Board) -> Start {
    let distinct = board.occupied().count_ones() as usize == board.pieces().len();
    if !distinct || !board.is_legal() {
        return Start::Illegal;
    }
    let (mut moves, mut may_draw, mut may_win, mut is_stuck) = (0_u8, false, false, true);
    board.moves(|step| {
        is_stuck = false;
        if !step.is_zeroing {
            moves += 1;
            return;
        }
        let after = match step.passed {
            Some(passed) => solver.value_after_double_step(&step.after, passed),
            None => solver.value(&step.after),
        };
        match after.expect("legal") {
            Value::Draw => may_draw = true,
            Value::Loss(_) => may_win = true,
            Value::Win(_) => {}
        }
    });
    match (is_stuck, may_win) {
        (true, _) if board.is_in_check(board.white_to_move) => Start::Decided(Value::Loss(0)),
        (true, _) => Start::Decided(Value::Draw),
        (_, true) => Start::Decided(Value::Win(1)),
        _ if moves == 0 && may_draw => Start::Decided(Value::Draw),
        _ if moves == 0 => Start::Decided(Value::Loss(1)),
        _ => Start::Open { moves, may_draw },
    }
}
