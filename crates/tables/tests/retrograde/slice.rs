//! The positions of a material with the pawns on given squares, solved together.

use crate::board::{
    Board, LINES, Lines, MOST, Piece, Role, moved, other_file, other_rank, squares, transposed,
};
use crate::solver::{ILLEGAL, LOSS, STALEMATE, Solver, Table, Value};

/// Numbers a position: the first square, White's king, is the highest digit, then come the side to move and the others.
pub fn number(squares: &[u8], white_to_move: bool) -> usize {
    let others = squares[1..].iter().rev().fold(0, |number, &square| number << 6 | usize::from(square));
    (usize::from(squares[0]) << 1 | usize::from(white_to_move)) << (6 * (squares.len() - 1)) | others
}

/// Whether these squares stand for all their symmetric images: White's king is in the triangle a1-d1-d4, and if it is on
/// the diagonal, the first other piece that is not is below it.
pub fn is_canonical(squares: &[u8]) -> bool {
    let (file, rank) = (squares[0] % 8, squares[0] / 8);
    file < 4 && rank <= file && !is_above_diagonal(squares)
}

fn is_above_diagonal(squares: &[u8]) -> bool {
    let off = squares.iter().find(|&&square| square % 8 != square / 8);
    off.is_some_and(|square| square / 8 > square % 8)
}

/// Replaces squares by the image that stands for all.
pub fn to_canonical(squares: &mut [u8]) {
    let king = squares[0];
    if king % 8 >= 4 {
        map(squares, other_file);
    }
    if king / 8 >= 4 {
        map(squares, other_rank);
    }
    if is_above_diagonal(squares) {
        map(squares, transposed);
    }
}

fn map(squares: &mut [u8], map: impl Fn(u8) -> u8) {
    for square in squares {
        *square = map(*square);
    }
}

/// The squares of all pieces and the side to move.
#[derive(Clone, Copy)]
pub struct Placed {
    squares: [u8; MOST],
    count: usize,
    pub white_to_move: bool,
}

impl Placed {
    pub fn squares(&self) -> &[u8] {
        &self.squares[..self.count]
    }

    pub fn map(&mut self, map: impl Fn(u8) -> u8) {
        self::map(&mut self.squares, map);
    }
}

/// What is known about a position before those with the same pawns and pieces are compared.
enum Start {
    Illegal,
    Stalemate,
    Decided(Value),
    /// It has so many moves that change nothing else, and perhaps another one that draws.
    Open {
        moves: u8,
        may_draw: bool,
    },
}

/// Legal moves of a position.
#[derive(Default)]
struct Moves {
    /// By pieces without a capture.
    quiet: [u64; MOST],
    /// Captures and moves of pawns, and how many of them draw and win.
    zeroing: u8,
    drawing: u8,
    winning: u8,
    in_check: bool,
}

/// The positions of a material with the pawns on given squares. They are numbered by the squares of the other pieces.
pub struct Slice<'a> {
    pieces: Vec<Piece>,
    /// The pieces that are not pawns.
    movable: Vec<usize>,
    /// Without pawns only one of eight symmetric positions is solved.
    is_folded: bool,
    lines: &'static Lines,
    solver: &'a Solver,
    own: Option<&'a Table>,
}

impl<'a> Slice<'a> {
    pub fn new(pieces: &[Piece], solver: &'a Solver, own: Option<&'a Table>) -> Slice<'a> {
        let movable: Vec<usize> = (0..pieces.len()).filter(|&at| pieces[at].role != Role::Pawn).collect();
        let is_folded = movable.len() == pieces.len();
        Slice { pieces: pieces.to_vec(), movable, is_folded, lines: &LINES, solver, own }
    }

    pub fn position(&self, number: usize) -> Placed {
        let count = self.pieces.len();
        let mut squares = [0; MOST];
        for (square, piece) in squares.iter_mut().zip(&self.pieces) {
            *square = piece.square;
        }
        let others = 6 * (self.movable.len() - 1);
        squares[0] = (number >> (others + 1)) as u8;
        for (place, &at) in self.movable[1..].iter().enumerate() {
            squares[at] = (number >> (6 * place) & 63) as u8;
        }
        Placed { squares, count, white_to_move: number >> others & 1 == 1 }
    }

    /// The number of a position of this slice, or of its symmetric image.
    fn number(&self, position: &Placed) -> usize {
        let mut movable = [0; MOST];
        for (square, &at) in movable.iter_mut().zip(&self.movable) {
            *square = position.squares[at];
        }
        let movable = &mut movable[..self.movable.len()];
        if self.is_folded {
            to_canonical(movable);
        }
        number(movable, position.white_to_move)
    }

    /// The codes of all positions, and the longest distance.
    pub fn solve(&self) -> (Vec<u8>, u8) {
        let size = 2 << (6 * self.movable.len());
        let mut codes = vec![0_u8; size];
        // Moves that are not known to lose. One more than there are: a move that draws is never used up.
        let mut moves = vec![0_u8; size];
        let mut levels: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        let kings = (0..64_u8).filter(|&king| !self.is_folded || is_canonical(&[king]));
        let of_king = 2 << (6 * (self.movable.len() - 1));
        for number in kings.flat_map(|king| usize::from(king) * of_king..(usize::from(king) + 1) * of_king) {
            match self.start(&self.position(number)) {
                Start::Illegal => codes[number] = ILLEGAL,
                Start::Stalemate => codes[number] = STALEMATE,
                Start::Decided(Value::Draw) => moves[number] = u8::MAX,
                Start::Decided(value) => {
                    codes[number] = value.code();
                    levels[usize::from(value != Value::Loss(0))].push(number as u32);
                }
                Start::Open { moves: count, may_draw } => moves[number] = count + u8::from(may_draw),
            }
        }
        let [mut current, mut next] = levels;
        let mut distance = 0;
        let mut earlier = Vec::new();
        loop {
            for &number in &current {
                let is_loss = codes[number as usize] >= LOSS;
                self.before(number as usize, &mut earlier);
                for &earlier in &earlier {
                    let at = earlier as usize;
                    if codes[at] != 0 || moves[at] == u8::MAX {
                        continue;
                    }
                    if is_loss {
                        codes[at] = Value::Win(distance + 1).code();
                    } else {
                        moves[at] -= 1;
                        if moves[at] > 0 {
                            continue;
                        }
                        codes[at] = Value::Loss(distance + 1).code();
                    }
                    next.push(earlier);
                }
            }
            if next.is_empty() {
                return (codes, distance);
            }
            distance += 1;
            assert!(distance < STALEMATE - 1, "too far");
            current = std::mem::take(&mut next);
        }
    }

    /// Whether two moves of a position may lead to symmetric ones, or two symmetric ones lead to it: all pieces but two
    /// are on a diagonal.
    fn may_repeat(&self, position: &Placed) -> bool {
        let on = |diagonal: fn(u8) -> bool| {
            position.squares().iter().filter(|&&square| diagonal(square)).count() + 2 >= self.pieces.len()
        };
        self.is_folded && (on(|square| square % 8 == square / 8) || on(|square| square % 8 + square / 8 == 7))
    }

    /// The positions, without repetition, that a move of a piece without a capture leads from; some are illegal.
    fn before(&self, number: usize, found: &mut Vec<u32>) {
        found.clear();
        let position = self.position(number);
        let occupied = occupied(&position);
        for &at in &self.movable {
            if self.pieces[at].white == position.white_to_move {
                continue;
            }
            let reach = self.reach(&position, at, MOST) & !occupied;
            self.numbers(&position, at, reach, found);
        }
        if self.may_repeat(&position) {
            found.sort_unstable();
            found.dedup();
        }
    }

    /// The numbers of the positions in which a piece has moved to one of some squares, or from them.
    fn numbers(&self, position: &Placed, at: usize, reach: u64, found: &mut Vec<u32>) {
        for square in squares(reach) {
            let mut other = *position;
            other.white_to_move ^= true;
            other.squares[at] = square;
            found.push(self.number(&other) as u32);
        }
    }

    /// The squares that a piece attacks; the piece `transparent` hides none.
    fn reach(&self, position: &Placed, at: usize, transparent: usize) -> u64 {
        let from = usize::from(position.squares[at]);
        let role = self.pieces[at].role;
        if role == Role::Pawn {
            return self.lines.pawn[usize::from(self.pieces[at].white)][from];
        }
        let mut reach = self.lines.reach[role as usize][from];
        for (other, &square) in position.squares().iter().enumerate() {
            if other != transparent {
                reach &= !self.lines.behind[from][usize::from(square)];
            }
        }
        reach
    }

    fn start(&self, position: &Placed) -> Start {
        if self.is_folded && !is_canonical(position.squares()) {
            return Start::Illegal;
        }
        let Some(found) = self.moves(position) else { return Start::Illegal };
        let mut moves = found.quiet.iter().map(|set| set.count_ones() as u8).sum();
        if moves > 1 && self.may_repeat(position) {
            let mut numbers = Vec::new();
            for (at, &quiet) in found.quiet.iter().enumerate() {
                self.numbers(position, at, quiet, &mut numbers);
            }
            numbers.sort_unstable();
            numbers.dedup();
            moves = numbers.len() as u8;
        }
        let is_stuck = moves == 0 && found.zeroing == 0;
        match (is_stuck, found.winning > 0) {
            (true, _) if found.in_check => Start::Decided(Value::Loss(0)),
            (true, _) => Start::Stalemate,
            (_, true) => Start::Decided(Value::Win(1)),
            _ if moves == 0 && found.drawing > 0 => Start::Decided(Value::Draw),
            _ if moves == 0 => Start::Decided(Value::Loss(1)),
            _ => Start::Open { moves, may_draw: found.drawing > 0 },
        }
    }

    /// The legal moves; `None` if the position is illegal.
    fn moves(&self, position: &Placed) -> Option<Moves> {
        let occupied = occupied(position);
        let is_own = |at: &usize| self.pieces[*at].white == position.white_to_move;
        let king_of = |own: bool| {
            let is_king = |at: &usize| self.pieces[*at].role == Role::King && is_own(at) == own;
            (0..self.pieces.len()).find(is_king).expect("a king")
        };
        let (king, other_king) = (king_of(true), king_of(false));
        let other_king = position.squares[other_king];
        let all = 0..self.pieces.len();
        let exposed =
            all.clone().filter(is_own).any(|at| self.reach(position, at, MOST) >> other_king & 1 == 1);
        if occupied.count_ones() as usize != self.pieces.len() || exposed {
            return None;
        }
        let king_square = position.squares[king];
        let (mut own, mut attacked, mut checks, mut allowed) = (0, 0, 0, u64::MAX);
        for at in all.clone() {
            let square = position.squares[at];
            if is_own(&at) {
                own |= 1 << square;
                continue;
            }
            let reach = self.reach(position, at, king);
            attacked |= reach;
            if reach >> king_square & 1 == 1 {
                checks += 1;
                allowed = self.lines.between[usize::from(square)][usize::from(king_square)] | 1 << square;
            }
        }
        if checks > 1 {
            allowed = 0;
        }
        let mut found = Moves { in_check: checks > 0, ..Moves::default() };
        for at in all.filter(is_own) {
            if self.pieces[at].role == Role::Pawn {
                let targets = allowed & self.pin(position, at, king_square, occupied);
                self.pawn_moves(position, at, targets, occupied, &mut found);
                continue;
            }
            let mut targets = self.reach(position, at, MOST) & !own;
            targets &=
                if at == king { !attacked } else { allowed & self.pin(position, at, king_square, occupied) };
            found.quiet[at] = targets & !occupied;
            for target in squares(targets & occupied) {
                let after = self.board(position).after(at, target, self.pieces[at].role, Some(target));
                self.add(&mut found, &after, None);
            }
        }
        Some(found)
    }

    /// The squares to which a piece may move without exposing its king.
    fn pin(&self, position: &Placed, at: usize, king: u8, occupied: u64) -> u64 {
        let mut allowed = u64::MAX;
        for (other, piece) in self.pieces.iter().enumerate() {
            let from = usize::from(position.squares[other]);
            let between = self.lines.between[from][usize::from(king)];
            if piece.white != position.white_to_move
                && between & occupied == 1 << position.squares[at]
                && self.lines.reach[piece.role as usize][from] >> king & 1 == 1
            {
                allowed &= between | 1 << from;
            }
        }
        allowed
    }

    fn pawn_moves(&self, position: &Placed, at: usize, targets: u64, occupied: u64, found: &mut Moves) {
        let (white, square) = (self.pieces[at].white, position.squares[at]);
        let forward = if white { 1 } else { -1 };
        let board = self.board(position);
        let mut to = |target: u8, captured: Option<u8>, passed: Option<u8>| {
            if targets >> target & 1 == 0 {
                return;
            }
            if target / 8 == if white { 7 } else { 0 } {
                for role in Role::PROMOTED {
                    self.add(found, &board.after(at, target, role, captured), None);
                }
            } else {
                self.add(found, &board.after(at, target, Role::Pawn, captured), passed);
            }
        };
        let is_empty = |target: u8| occupied >> target & 1 == 0;
        let one = moved(square, (0, forward)).expect("a pawn is not on the last rank");
        if is_empty(one) {
            to(one, None, None);
            let two = moved(one, (0, forward)).filter(|&two| is_empty(two));
            if let Some(two) = two.filter(|_| square / 8 == if white { 1 } else { 6 }) {
                to(two, None, Some(one));
            }
        }
        for target in squares(self.lines.pawn[usize::from(white)][usize::from(square)] & occupied) {
            if self
                .pieces
                .iter()
                .zip(position.squares())
                .any(|(piece, &on)| on == target && piece.white != white)
            {
                to(target, Some(target), None);
            }
        }
    }

    /// Adds a capture or a pawn move by the position after it.
    fn add(&self, found: &mut Moves, after: &Board, passed: Option<u8>) {
        found.zeroing += 1;
        match self.solver.value_after(after, passed, self.own).expect("legal") {
            Value::Draw => found.drawing += 1,
            Value::Loss(_) => found.winning += 1,
            Value::Win(_) => {}
        }
    }

    fn board(&self, position: &Placed) -> Board {
        let mut pieces = [self.pieces[0]; MOST];
        for (at, (piece, &square)) in self.pieces.iter().zip(position.squares()).enumerate() {
            pieces[at] = Piece { square, ..*piece };
        }
        Board::new(&pieces[..self.pieces.len()], position.white_to_move)
    }
}

fn occupied(position: &Placed) -> u64 {
    position.squares().iter().fold(0, |all, &square| all | 1 << square)
}
