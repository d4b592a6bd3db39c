//! Position, move generation and Zobrist keys on a plain array of 64 squares.

use std::sync::LazyLock;

use support::random::Random;

use crate::mutants::Mutant;

pub const PAWN: i8 = 1;
pub const KNIGHT: i8 = 2;
pub const BISHOP: i8 = 3;
pub const ROOK: i8 = 4;
pub const QUEEN: i8 = 5;
pub const KING: i8 = 6;

const WHITE_SHORT: u8 = 1;
const WHITE_LONG: u8 = 2;
const BLACK_SHORT: u8 = 4;
const BLACK_LONG: u8 = 8;

const STRAIGHT: &[(i8, i8)] = &[(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: &[(i8, i8)] = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ALL: &[(i8, i8)] = &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: &[(i8, i8)] = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Random numbers for pieces on squares, castling rights, files of en passant, and the side to move.
static KEYS: LazyLock<[u64; SIDE_KEY + 1]> = LazyLock::new(|| {
    let mut random = Random::new(2026);
    std::array::from_fn(|_| random.bits())
});
const CASTLING_KEYS: usize = 13 * 64;
const EN_PASSANT_KEYS: usize = CASTLING_KEYS + 16;
const SIDE_KEY: usize = EN_PASSANT_KEYS + 8;

/// A move; `promotion` is 0 or the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub promotion: i8,
}

impl Move {
    pub fn uci(self) -> String {
        let name = |square: u8| format!("{}{}", (b'a' + square % 8) as char, square / 8 + 1);
        let promotion = match self.promotion {
            KNIGHT => "n",
            BISHOP => "b",
            ROOK => "r",
            QUEEN => "q",
            _ => "",
        };
        format!("{}{}{promotion}", name(self.from), name(self.to))
    }
}

/// Pieces are 1 to 6, Black's are negative.
#[derive(Clone)]
pub struct Board {
    pub squares: [i8; 64],
    pub white: bool,
    pub halfmoves: u16,
    castling: u8,
    en_passant: Option<u8>,
    /// Of White and Black.
    kings: [u8; 2],
    pieces_key: u64,
    mutant: Mutant,
}

/// The square that many files and ranks away.
fn step(square: u8, (file, rank): (i8, i8)) -> Option<u8> {
    let (file, rank) = (square as i8 % 8 + file, square as i8 / 8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

impl Board {
    pub fn start(mutant: Mutant) -> Board {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        Board::from_fen(fen, mutant).expect("the start position")
    }

    pub fn from_fen(fen: &str, mutant: Mutant) -> Option<Board> {
        let mut fields = fen.split_whitespace();
        let mut board = Board {
            squares: [0; 64],
            white: true,
            halfmoves: 0,
            castling: 0,
            en_passant: None,
            kings: [64, 64],
            pieces_key: 0,
            mutant,
        };
        for (index, row) in fields.next()?.split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let piece = 1 + "pnbrqk".find(letter.to_ascii_lowercase())? as i8;
                if index > 7 || file > 7 {
                    return None;
                }
                let piece = if letter.is_ascii_uppercase() { piece } else { -piece };
                board.put(((7 - index) * 8 + file) as u8, piece);
                file += 1;
            }
        }
        board.white = fields.next()? == "w";
        for right in fields.next().unwrap_or("-").chars() {
            board.castling |= match right {
                'K' => WHITE_SHORT,
                'Q' => WHITE_LONG,
                'k' => BLACK_SHORT,
                'q' => BLACK_LONG,
                _ => 0,
            };
        }
        if let [file @ b'a'..=b'h', rank @ (b'3' | b'6')] = fields.next().unwrap_or("-").as_bytes() {
            board.set_en_passant((rank - b'1') * 8 + (file - b'a'));
        }
        board.halfmoves = fields.next().and_then(|text| text.parse().ok()).unwrap_or(0);
        (board.kings[0] < 64 && board.kings[1] < 64).then_some(board)
    }

    fn put(&mut self, square: u8, piece: i8) {
        let key = |piece: i8| if piece == 0 { 0 } else { KEYS[(piece + 6) as usize * 64 + square as usize] };
        let old = std::mem::replace(&mut self.squares[square as usize], piece);
        self.pieces_key ^= key(old) ^ key(piece);
        if piece.abs() == KING {
            self.kings[usize::from(piece < 0)] = square;
        }
    }

    /// Remembers the square if a pawn of the side to move can capture there.
    fn set_en_passant(&mut self, target: u8) {
        let side = self.side();
        let behind = [(-1, -side), (1, -side)];
        let can_capture =
            behind.iter().filter_map(|&way| step(target, way)).any(|from| self.at(from) == side * PAWN);
        self.en_passant = can_capture.then_some(target);
    }

    pub fn key(&self) -> u64 {
        let mut key = self.pieces_key ^ KEYS[CASTLING_KEYS + self.castling as usize];
        if let Some(square) = self.en_passant {
            key ^= KEYS[EN_PASSANT_KEYS + square as usize % 8];
        }
        if !self.white && self.mutant != Mutant::KeyWithoutSide {
            key ^= KEYS[SIDE_KEY];
        }
        key
    }

    /// 1 for White, -1 for Black: a piece times this is positive if it is the mover's.
    pub fn side(&self) -> i8 {
        if self.white { 1 } else { -1 }
    }

    pub fn at(&self, square: u8) -> i8 {
        self.squares[square as usize]
    }

    pub fn in_check(&self) -> bool {
        self.is_attacked(self.kings[usize::from(!self.white)], -self.side())
    }

    /// Whether pieces of this side attack the square.
    fn is_attacked(&self, square: u8, by: i8) -> bool {
        let stands = |way, role| step(square, way).is_some_and(|from| self.at(from) == by * role);
        if [(-1, -by), (1, -by)].into_iter().any(|way| stands(way, PAWN))
            || JUMPS.iter().any(|&way| stands(way, KNIGHT))
            || ALL.iter().any(|&way| stands(way, KING))
        {
            return true;
        }
        let slides = |ways: &[(i8, i8)], role| {
            ways.iter().any(|&way| {
                let mut at = square;
                while let Some(next) = step(at, way) {
                    at = next;
                    let piece = self.at(at);
                    if piece != 0 {
                        return piece == by * role || piece == by * QUEEN;
                    }
                }
                false
            })
        };
        slides(STRAIGHT, ROOK) || slides(DIAGONAL, BISHOP)
    }

    pub fn is_capture(&self, mv: Move) -> bool {
        self.at(mv.to) != 0 || (self.at(mv.from).abs() == PAWN && self.en_passant == Some(mv.to))
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| self.after_if_legal(mv).is_some());
        moves
    }

    /// The position after a pseudo-legal move, unless it leaves the king in check.
    pub fn after_if_legal(&self, mv: Move) -> Option<Board> {
        let next = self.after(mv);
        (!next.is_attacked(next.kings[usize::from(next.white)], next.side())).then_some(next)
    }

    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        let side = self.side();
        for from in 0..64 {
            let piece = self.at(from) * side;
            match piece {
                PAWN => self.pawn_moves(from, &mut moves),
                KNIGHT => self.steps(from, JUMPS, false, &mut moves),
                BISHOP => self.steps(from, DIAGONAL, true, &mut moves),
                ROOK => self.steps(from, STRAIGHT, true, &mut moves),
                QUEEN => self.steps(from, ALL, true, &mut moves),
                KING => {
                    self.steps(from, ALL, false, &mut moves);
                    self.castling_moves(from, &mut moves);
                }
                _ => {}
            }
        }
        moves
    }

    fn steps(&self, from: u8, ways: &[(i8, i8)], slides: bool, moves: &mut Vec<Move>) {
        for &way in ways {
            let mut at = from;
            while let Some(to) = step(at, way) {
                at = to;
                let target = self.at(to) * self.side();
                if target <= 0 {
                    moves.push(Move { from, to, promotion: 0 });
                }
                if target != 0 || !slides {
                    break;
                }
            }
        }
    }

    fn pawn_moves(&self, from: u8, moves: &mut Vec<Move>) {
        let side = self.side();
        let home = if self.white { 1 } else { 6 };
        let mut push = |to: u8| {
            if (8..56).contains(&to) {
                moves.push(Move { from, to, promotion: 0 });
            } else {
                let all: &[i8] = &[QUEEN, ROOK, BISHOP, KNIGHT];
                let pieces = if self.mutant == Mutant::OnlyQueens { &all[..1] } else { all };
                moves.extend(pieces.iter().map(|&promotion| Move { from, to, promotion }));
            }
        };
        if let Some(to) = step(from, (0, side)).filter(|&to| self.at(to) == 0) {
            push(to);
            if let Some(to) = step(to, (0, side)).filter(|&to| from / 8 == home && self.at(to) == 0) {
                push(to);
            }
        }
        for way in [(-1, side), (1, side)] {
            if let Some(to) = step(from, way)
                && (self.at(to) * side < 0 || self.en_passant == Some(to))
            {
                push(to);
            }
        }
    }

    fn castling_moves(&self, from: u8, moves: &mut Vec<Move>) {
        let (home, short, long) =
            if self.white { (4, WHITE_SHORT, WHITE_LONG) } else { (60, BLACK_SHORT, BLACK_LONG) };
        if from != home || self.castling & (short | long) == 0 || self.in_check() {
            return;
        }
        let by = -self.side();
        let is_safe = |square| self.mutant == Mutant::CastlesThroughCheck || !self.is_attacked(square, by);
        let is_empty = |squares: &[u8]| squares.iter().all(|&square| self.at(square) == 0);
        if self.castling & short != 0 && is_empty(&[home + 1, home + 2]) && is_safe(home + 1) {
            moves.push(Move { from, to: home + 2, promotion: 0 });
        }
        if self.castling & long != 0 && is_empty(&[home - 1, home - 2, home - 3]) && is_safe(home - 1) {
            moves.push(Move { from, to: home - 2, promotion: 0 });
        }
    }

    pub fn after(&self, mv: Move) -> Board {
        let mut next = self.clone();
        let piece = self.at(mv.from);
        let resets = piece.abs() == PAWN || self.at(mv.to) != 0;
        next.halfmoves = if resets { 0 } else { self.halfmoves + 1 };
        next.put(mv.from, 0);
        next.put(mv.to, if mv.promotion == 0 { piece } else { mv.promotion * self.side() });
        if piece.abs() == PAWN && self.en_passant == Some(mv.to) && self.mutant != Mutant::EnPassantPawnStays
        {
            next.put(mv.from / 8 * 8 + mv.to % 8, 0);
        }
        if piece.abs() == KING && mv.from.abs_diff(mv.to) == 2 {
            let (corner, beside) =
                if mv.to > mv.from { (mv.to + 1, mv.to - 1) } else { (mv.to - 2, mv.to + 1) };
            next.put(corner, 0);
            next.put(beside, ROOK * self.side());
        }
        next.lose_castling(mv.from);
        if self.mutant != Mutant::RookCaptureKeepsCastling {
            next.lose_castling(mv.to);
        }
        next.white = !self.white;
        next.en_passant = None;
        if piece.abs() == PAWN && mv.from.abs_diff(mv.to) == 16 {
            next.set_en_passant(u8::midpoint(mv.from, mv.to));
        }
        next
    }

    fn lose_castling(&mut self, square: u8) {
        self.castling &= !match square {
            4 => WHITE_SHORT | WHITE_LONG,
            7 => WHITE_SHORT,
            0 => WHITE_LONG,
            60 => BLACK_SHORT | BLACK_LONG,
            63 => BLACK_SHORT,
            56 => BLACK_LONG,
            _ => 0,
        };
    }

    pub fn after_null(&self) -> Board {
        let mut next = self.clone();
        next.white = !self.white;
        next.en_passant = None;
        next.halfmoves += 1;
        next
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.pseudo_legal_moves();
        moves.iter().filter_map(|&mv| self.after_if_legal(mv)).map(|next| next.perft(depth - 1)).sum()
    }

    /// Whether the side to move has a piece other than pawns and king.
    pub fn has_pieces(&self) -> bool {
        self.squares.iter().any(|&piece| (KNIGHT..=QUEEN).contains(&(piece * self.side())))
    }

    /// Neither side can mate: bare kings, or one minor piece.
    pub fn is_dead(&self) -> bool {
        let mut minors = 0;
        for piece in self.squares {
            match piece.abs() {
                0 | KING => {}
                KNIGHT | BISHOP => minors += 1,
                _ => return false,
            }
        }
        minors <= 1
    }
}
