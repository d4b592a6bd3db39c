//! Making moves.

use super::{EMPTY, GROUP, MATERIAL_UNIT, Position};
use crate::zobrist::ZOBRIST;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, Role, Square, attacks};

impl Position {
    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Plays a legal move. A move that is not legal leaves a position without meaning.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        self.start_turn();

        if mv.is_castle() {
            self.castle(us, from, to);
        } else {
            let captured = self.mailbox[to.index()];
            if captured != EMPTY {
                self.remove(captured, to, !us);
                self.halfmove_clock = 0;
            }
            let moved = self.mailbox[from.index()];
            self.shift(moved, from, to, us);
            if moved == Piece::new(us, Role::Pawn).index() as u8 {
                self.halfmove_clock = 0;
                self.finish_pawn_move(mv, us, moved);
            }
        }

        let touched = (Bitboard::of(from) | Bitboard::of(to)) & self.castling_squares;
        if touched.any() {
            self.lose_castling_rights(us, from, to);
        }
        self.end_turn(us);
    }

    /// The position after the side to move passes. The caller makes sure that it is not in check.
    #[inline]
    #[must_use]
    pub fn after_null(&self) -> Position {
        let mut next = *self;
        next.start_turn();
        next.end_turn(self.turn);
        next
    }

    /// What every move does first: the clock ticks, and the chance to capture in passing is gone.
    #[inline(always)]
    fn start_turn(&mut self) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(square) = self.en_passant {
            self.key ^= ZOBRIST.en_passant(square.file());
            self.en_passant = None;
        }
    }

    /// What every move does last: the other side is to move, perhaps in check.
    #[inline(always)]
    fn end_turn(&mut self, us: Color) {
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.turn = !us;
        self.key ^= ZOBRIST.black_to_move;
        self.refresh_king_attack();
        if let Some(square) = self.en_passant {
            self.keep_en_passant_if_legal(square);
        }
    }

    /// Moves a man to an empty square.
    #[inline(always)]
    fn shift(&mut self, cell: u8, from: Square, to: Square, color: Color) {
        let change = Bitboard::of(from) | Bitboard::of(to);
        self.boards[usize::from(cell >> 1) & 7] ^= change;
        self.boards[6 + color.index()] ^= change;
        self.mailbox[from.index()] = EMPTY;
        self.mailbox[to.index()] = cell;
        let numbers = &ZOBRIST.cells[usize::from(cell)];
        self.toggle_key(cell, numbers[from.index()] ^ numbers[to.index()]);
    }

    /// Takes a man off the board.
    #[inline(always)]
    fn remove(&mut self, cell: u8, square: Square, color: Color) {
        self.toggle(cell, square, color);
        self.mailbox[square.index()] = EMPTY;
        self.material -= MATERIAL_UNIT[usize::from(cell & 15)];
    }

    /// Sets a man on an empty square.
    #[inline(always)]
    fn add(&mut self, cell: u8, square: Square, color: Color) {
        self.toggle(cell, square, color);
        self.mailbox[square.index()] = cell;
        self.material += MATERIAL_UNIT[usize::from(cell & 15)];
    }

    #[inline(always)]
    fn toggle(&mut self, cell: u8, square: Square, color: Color) {
        self.boards[usize::from(cell >> 1) & 7] ^= Bitboard::of(square);
        self.boards[6 + color.index()] ^= Bitboard::of(square);
        self.toggle_key(cell, ZOBRIST.cells[usize::from(cell)][square.index()]);
    }

    #[inline(always)]
    fn toggle_key(&mut self, cell: u8, number: u64) {
        self.key ^= number;
        self.group_keys[usize::from(GROUP[usize::from(cell & 15)] & 7)] ^= number;
    }

    /// What a pawn's move does besides moving the pawn.
    #[inline(always)]
    fn finish_pawn_move(&mut self, mv: Move, us: Color, pawn: u8) {
        let to = mv.to();
        match mv.kind() {
            MoveKind::DoublePush => {
                // One square behind the pawn; whether a capture there is legal is seen at the end.
                let behind = Square::from_index(to.index() ^ 8);
                let capturers = attacks::pawn(us, behind) & self.pieces(!us, Role::Pawn);
                if capturers.any() {
                    self.en_passant = Some(behind);
                }
            }
            MoveKind::EnPassant => self.remove(pawn ^ 1, Square::from_index(to.index() ^ 8), !us),
            MoveKind::Promotion(role) => {
                self.remove(pawn, to, us);
                self.add(Piece::new(us, role).index() as u8, to, us);
            }
            MoveKind::Normal | MoveKind::Castle => {}
        }
    }

    /// King and rook leave their squares before either arrives: in Chess960 the squares may be shared.
    #[inline(never)]
    fn castle(&mut self, us: Color, king_from: Square, rook_from: Square) {
        let side = if rook_from > king_from { CastlingSide::Short } else { CastlingSide::Long };
        let king = Piece::new(us, Role::King).index() as u8;
        let rook = Piece::new(us, Role::Rook).index() as u8;
        self.remove(king, king_from, us);
        self.remove(rook, rook_from, us);
        self.add(king, side.king_target(us), us);
        self.add(rook, side.rook_target(us), us);
    }

    /// Takes the rights that end with a move that has left one castling square or reached another.
    #[inline(never)]
    fn lose_castling_rights(&mut self, us: Color, from: Square, to: Square) {
        self.key ^= ZOBRIST.castling[self.castling.bits()];
        // What has left a castling square and was no rook was the king.
        let rook_left = self.castling.lose_rook(us, from);
        if self.castling_squares.has(from) && !rook_left {
            self.castling.lose_all(us);
        }
        self.castling.lose_rook(!us, to);
        self.key ^= ZOBRIST.castling[self.castling.bits()];
        self.refresh_castling_squares();
    }

    /// Keeps the e.p. square, and its share of the key, only if the side to move has a legal capture.
    #[inline(never)]
    fn keep_en_passant_if_legal(&mut self, square: Square) {
        let capturers = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_legal(from, square)) {
            self.key ^= ZOBRIST.en_passant(square.file());
        } else {
            self.en_passant = None;
        }
    }
}
