//! Rules for a handful of pieces, written without the crates that the tables are read with.

use std::sync::LazyLock;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

impl Role {
    pub const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    pub fn from_letter(letter: char) -> Role {
        match letter {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'P' => Role::Pawn,
            _ => panic!("no piece: {letter}"),
        }
    }

    fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P'][self as usize]
    }
}

/// A piece on a square: a1 is 0, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub white: bool,
    pub role: Role,
    pub square: u8,
}

/// The most pieces of a [`Board`].
pub const MOST: usize = 4;

/// A position without castling rights and en passant.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pieces: [Piece; MOST],
    count: usize,
    pub white_to_move: bool,
}

/// The squares beside a square, in eight directions: first those of rooks, then those of bishops.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Sets of squares by squares.
pub struct Lines {
    /// What a piece attacks on an empty board, by its role; nothing for pawns.
    pub reach: [[u64; 64]; 6],
    /// What a pawn attacks: Black's, White's.
    pub pawn: [[u64; 64]; 2],
    /// The squares that a piece on the second square hides from one on the first.
    pub behind: [[u64; 64]; 64],
    /// The squares between two on a line.
    pub between: [[u64; 64]; 64],
}

pub static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let mut lines =
        Lines { reach: [[0; 64]; 6], pawn: [[0; 64]; 2], behind: [[0; 64]; 64], between: [[0; 64]; 64] };
    for square in 0..64_u8 {
        let at = usize::from(square);
        for (index, step) in DIRECTIONS.into_iter().enumerate() {
            let mut ray = Vec::new();
            let mut next = moved(square, step);
            while let Some(reached) = next {
                ray.push(reached);
                next = moved(reached, step);
            }
            let set = |squares: &[u8]| squares.iter().fold(0_u64, |all, &one| all | 1 << one);
            for (steps, &reached) in ray.iter().enumerate() {
                lines.between[at][usize::from(reached)] = set(&ray[..steps]);
                lines.behind[at][usize::from(reached)] = set(&ray[steps + 1..]);
            }
            lines.reach[Role::King as usize][at] |= set(&ray[..ray.len().min(1)]);
            lines.reach[Role::Queen as usize][at] |= set(&ray);
            let slider = if index < 4 { Role::Rook } else { Role::Bishop };
            lines.reach[slider as usize][at] |= set(&ray);
        }
        for step in JUMPS {
            lines.reach[Role::Knight as usize][at] |= moved(square, step).map_or(0, |next| 1_u64 << next);
        }
        for (white, forward) in [(0, -1), (1, 1)] {
            let to = |files| moved(square, (files, forward)).map_or(0, |target| 1_u64 << target);
            lines.pawn[white][at] = to(-1) | to(1);
        }
    }
    lines
});

/// The square so many files and ranks away, if there is one.
pub fn moved(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

/// The square on the same rank, seen from the other side of the board.
pub fn other_file(square: u8) -> u8 {
    square ^ 7
}

/// The square on the same file, seen from the other side of the board.
pub fn other_rank(square: u8) -> u8 {
    square ^ 0o70
}

/// The square on the other side of the diagonal from a1 to h8.
pub fn transposed(square: u8) -> u8 {
    square % 8 * 8 + square / 8
}

/// The squares of a set.
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

impl Board {
    pub fn new(pieces: &[Piece], white_to_move: bool) -> Board {
        let mut all = [pieces[0]; MOST];
        all[..pieces.len()].copy_from_slice(pieces);
        Board { pieces: all, count: pieces.len(), white_to_move }
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    pub fn occupied(&self) -> u64 {
        self.pieces().iter().fold(0, |all, piece| all | 1 << piece.square)
    }

    fn attacks(&self, piece: Piece) -> u64 {
        let lines = &*LINES;
        let from = usize::from(piece.square);
        match piece.role {
            Role::Pawn => lines.pawn[usize::from(piece.white)][from],
            role => self.pieces().iter().fold(lines.reach[role as usize][from], |reach, other| {
                reach & !lines.behind[from][usize::from(other.square)]
            }),
        }
    }

    /// Whether the side that has moved is not in check.
    fn is_legal(&self) -> bool {
        let own = |piece: &&Piece| piece.white == self.white_to_move;
        let king = self.pieces().iter().find(|piece| piece.role == Role::King && !own(piece));
        let king = king.expect("a king").square;
        !self.pieces().iter().filter(own).any(|&piece| self.attacks(piece) >> king & 1 == 1)
    }

    /// The board after a move to a square, with the piece that stood on `captured` gone.
    pub fn after(&self, index: usize, target: u8, role: Role, captured: Option<u8>) -> Board {
        let mut next = Board { white_to_move: !self.white_to_move, ..*self };
        next.pieces[index] = Piece { square: target, role, ..self.pieces[index] };
        if let Some(gone) = captured {
            let at = (0..self.count).find(|&at| at != index && self.pieces[at].square == gone);
            next.count -= 1;
            next.pieces.swap(at.expect("a piece to capture"), next.count);
        }
        next
    }

    /// The boards after legal captures of the pawn that has just passed over a square.
    pub fn en_passant(&self, passed: u8) -> Vec<Board> {
        let white = self.white_to_move;
        let pushed = moved(passed, (0, if white { -1 } else { 1 })).expect("inside the board");
        let all = self.pieces().iter().enumerate();
        let capturers = all.filter(|(_, piece)| {
            piece.role == Role::Pawn && piece.white == white && self.attacks(**piece) >> passed & 1 == 1
        });
        let boards = capturers.map(|(index, _)| self.after(index, passed, Role::Pawn, Some(pushed)));
        boards.filter(Board::is_legal).collect()
    }

    /// With every square replaced, and the colours exchanged or not.
    pub fn mapped(&self, exchange: bool, map: impl Fn(u8) -> u8) -> Board {
        let mut next = *self;
        next.white_to_move ^= exchange;
        for piece in &mut next.pieces {
            piece.white ^= exchange;
            piece.square = map(piece.square);
        }
        next
    }

    pub fn sort(&mut self) {
        self.pieces[..self.count].sort_unstable_by_key(|piece| (!piece.white, piece.role));
    }

    pub fn fen(&self, passed: Option<u8>, halfmove_clock: u32) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            for file in 0..8 {
                let at = self.pieces().iter().find(|piece| piece.square == rank * 8 + file);
                text.push(match at {
                    Some(piece) if piece.white => piece.role.letter(),
                    Some(piece) => piece.role.letter().to_ascii_lowercase(),
                    None => '1',
                });
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push_str(if self.white_to_move { "w - " } else { "b - " });
        match passed {
            Some(square) => text.extend([char::from(b'a' + square % 8), char::from(b'1' + square / 8)]),
            None => text.push('-'),
        }
        text + &format!(" {halfmove_clock} 80")
    }
}
