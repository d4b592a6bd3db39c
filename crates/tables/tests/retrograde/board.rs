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

/// A legal move.
pub struct Step {
    pub after: Board,
    /// A capture or a pawn move.
    pub is_zeroing: bool,
    /// The square that a pawn has passed over.
    pub passed: Option<u8>,
}

/// The squares beside a square, in eight directions: first those of rooks, then those of bishops.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

struct Lines {
    rays: [[u64; 8]; 64],
    king: [u64; 64],
    knight: [u64; 64],
}

static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let mut lines = Lines { rays: [[0; 8]; 64], king: [0; 64], knight: [0; 64] };
    for square in 0..64_u8 {
        let at = usize::from(square);
        for (index, step) in DIRECTIONS.into_iter().enumerate() {
            let mut next = moved(square, step);
            lines.king[at] |= next.map_or(0, |next| 1 << next);
            while let Some(reached) = next {
                lines.rays[at][index] |= 1 << reached;
                next = moved(reached, step);
            }
        }
        for step in JUMPS {
            lines.knight[at] |= moved(square, step).map_or(0, |next| 1_u64 << next);
        }
    }
    lines
});

/// The square so many files and ranks away, if there is one.
pub fn moved(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

/// The square on the same file, seen from the other side of the board.
pub fn other_rank(square: u8) -> u8 {
    square % 8 + 8 * (7 - square / 8)
}

fn along_rays(square: u8, occupied: u64, directions: std::ops::Range<usize>) -> u64 {
    let rays = &LINES.rays[usize::from(square)];
    let one = |direction: usize| {
        let blockers = rays[direction] & occupied;
        if blockers == 0 {
            return rays[direction];
        }
        let (file, rank) = DIRECTIONS[direction];
        let is_upwards = rank * 8 + file > 0;
        let first = if is_upwards { blockers.trailing_zeros() } else { blockers.ilog2() };
        rays[direction] & !LINES.rays[first as usize][direction]
    };
    directions.map(one).fold(0, |all, one| all | one)
}

/// The squares that a piece attacks; not for pawns.
pub fn reach(role: Role, square: u8, occupied: u64) -> u64 {
    match role {
        Role::King => LINES.king[usize::from(square)],
        Role::Knight => LINES.knight[usize::from(square)],
        Role::Queen => along_rays(square, occupied, 0..8),
        Role::Rook => along_rays(square, occupied, 0..4),
        Role::Bishop => along_rays(square, occupied, 4..8),
        Role::Pawn => panic!("the attacks of a pawn depend on its colour"),
    }
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

    fn attacks(&self, by_white: bool, target: u8) -> bool {
        let occupied = self.occupied();
        self.pieces().iter().filter(|piece| piece.white == by_white).any(|piece| match piece.role {
            Role::Pawn => pawn_attacks(by_white, piece.square) >> target & 1 == 1,
            role => reach(role, piece.square, occupied) >> target & 1 == 1,
        })
    }

    pub fn is_in_check(&self, white: bool) -> bool {
        let king = self.pieces().iter().find(|piece| piece.role == Role::King && piece.white == white);
        self.attacks(!white, king.expect("a king").square)
    }

    /// Whether the side that has moved is not in check.
    pub fn is_legal(&self) -> bool {
        !self.is_in_check(!self.white_to_move)
    }

    /// The board after a move to a square, with the piece that stood on `captured` gone.
    fn after(&self, index: usize, target: u8, role: Role, captured: Option<u8>) -> Board {
        let mut next = Board { white_to_move: !self.white_to_move, ..*self };
        next.pieces[index] = Piece { square: target, role, ..self.pieces[index] };
        if let Some(gone) = captured {
            let at = (0..self.count).find(|&at| at != index && self.pieces[at].square == gone);
            next.count -= 1;
            next.pieces.swap(at.expect("a piece to capture"), next.count);
        }
        next
    }

    /// Calls `found` with every legal move, without en passant.
    pub fn moves(&self, mut found: impl FnMut(Step)) {
        let occupied = self.occupied();
        let own = self.pieces().iter().filter(|piece| piece.white == self.white_to_move);
        let own = own.fold(0_u64, |all, piece| all | 1 << piece.square);
        let mut add = |after: Board, is_zeroing: bool, passed: Option<u8>| {
            if after.is_legal() {
                found(Step { after, is_zeroing, passed });
            }
        };
        for (index, piece) in self.pieces().iter().enumerate() {
            if piece.white != self.white_to_move {
                continue;
            }
            if piece.role == Role::Pawn {
                self.pawn_moves(index, &mut add);
                continue;
            }
            for target in squares(reach(piece.role, piece.square, occupied) & !own) {
                let captured = (occupied >> target & 1 == 1).then_some(target);
                add(self.after(index, target, piece.role, captured), captured.is_some(), None);
            }
        }
    }

    fn pawn_moves(&self, index: usize, add: &mut impl FnMut(Board, bool, Option<u8>)) {
        let Piece { white, square, .. } = self.pieces[index];
        let occupied = self.occupied();
        let forward = if white { 1 } else { -1 };
        let is_last = |target: u8| target / 8 == if white { 7 } else { 0 };
        let mut to = |target: u8, captured: Option<u8>, passed: Option<u8>| {
            if is_last(target) {
                for role in Role::PROMOTED {
                    add(self.after(index, target, role, captured), true, None);
                }
            } else {
                add(self.after(index, target, Role::Pawn, captured), true, passed);
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
        for target in squares(pawn_attacks(white, square)) {
            if self.pieces().iter().any(|piece| piece.square == target && piece.white != white) {
                to(target, Some(target), None);
            }
        }
    }

    /// The boards after legal captures of the pawn that has just passed over a square.
    pub fn en_passant(&self, passed: u8) -> Vec<Board> {
        let white = self.white_to_move;
        let pushed = moved(passed, (0, if white { -1 } else { 1 })).expect("inside the board");
        let all = self.pieces().iter().enumerate();
        let capturers = all.filter(|(_, piece)| {
            piece.role == Role::Pawn
                && piece.white == white
                && pawn_attacks(white, piece.square) >> passed & 1 == 1
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

fn pawn_attacks(white: bool, square: u8) -> u64 {
    let forward = if white { 1 } else { -1 };
    let to = |files| moved(square, (files, forward)).map_or(0, |target| 1_u64 << target);
    to(-1) | to(1)
}
