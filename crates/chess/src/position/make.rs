//! Making moves.

use super::{EMPTY, GROUP, MATERIAL_UNIT, Position};
use crate::zobrist::ZOBRIST;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, Role, Square, attacks};

impl Position {
    /// The position after a legal move. The result of an illegal move is unspecified.
    ///
    /// ```
    /// use chess::Position;
    /// let position = Position::startpos();
    /// let e4 = position.parse_san("e4")?;
    /// assert_eq!(position.after(e4).to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /// # Ok::<(), chess::MoveError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play_from(self, mv);
        next
    }

    /// Writes the position after a legal move to `next`. A search should use this: returning the value costs
    /// one more copy, which stalls on the narrow stores just made.
    ///
    /// ```
    /// use chess::Position;
    /// let position = Position::startpos();
    /// for mv in position.legal_moves() {
    ///     let mut child = position;
    ///     position.play_into(mv, &mut child);
    ///     assert_eq!(child, position.after(mv));
    /// }
    /// ```
    #[inline]
    pub fn play_into(&self, mv: Move, next: &mut Position) {
        *next = *self;
        next.play_from(self, mv);
    }

    /// Plays a legal move in place.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let before = *self;
        self.play_from(&before, mv);
    }

    /// Turns a copy of `before` into the position after a move.
    ///
    /// The usual moves read from `before` only: reading a field of the fresh copy stalls until the wide
    /// stores of the copy have completed, which costs more than the rest of the work.
    #[inline(always)]
    pub(crate) fn play_from(&mut self, before: &Position, mv: Move) {
        let (us, from, to) = (before.turn, mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => self.move_man(before, before.mailbox[from.index()], from, to),
            MoveKind::DoublePush => self.push_twice(before, from, to),
            special => {
                self.start_turn();
                match special {
                    MoveKind::Promotion(role) => self.play_promotion(us, from, to, role),
                    MoveKind::EnPassant => self.play_en_passant(us, from, to),
                    _ => self.play_castle(us, from, to),
                }
                self.end_turn(us);
            }
        }
    }

    /// The position after the side to move passes. It must not be in check.
    #[inline]
    #[must_use]
    pub fn after_null(&self) -> Position {
        let mut next = *self;
        next.start_turn();
        next.end_turn(self.turn);
        next
    }

    /// The first step of every move: advances the clocks and clears the en passant square.
    #[inline(always)]
    fn start_turn(&mut self) {
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(square) = self.en_passant {
            self.key ^= ZOBRIST.en_passant(square.file());
            self.en_passant = None;
        }
    }

    /// The last step of every move: switches the side to move and sets the checkers.
    #[inline(always)]
    fn end_turn(&mut self, us: Color) {
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.turn = !us;
        self.key ^= ZOBRIST.black_to_move;
        self.checkers = self.find_checkers();
    }

    /// A pawn's single step or capture.
    #[inline(always)]
    pub(crate) fn move_pawn(&mut self, before: &Position, from: Square, to: Square) {
        self.move_man(before, cell(before.turn, Role::Pawn), from, to);
    }

    /// A pawn's double step.
    #[inline(always)]
    pub(crate) fn push_twice(&mut self, before: &Position, from: Square, to: Square) {
        self.move_pawn(before, from, to);
        let behind = Square::from_index(to.index() ^ 8);
        let capturers = attacks::pawn(before.turn, behind) & before.pieces(!before.turn, Role::Pawn);
        if capturers.any() {
            self.set_en_passant_if_legal(behind);
        }
    }

    /// Moves a piece, with or without a capture.
    #[inline(always)]
    fn move_man(&mut self, before: &Position, moved: u8, from: Square, to: Square) {
        let (us, them) = (before.turn, !before.turn);
        let target = Bitboard::of(to);
        let change = Bitboard::of(from) | target;
        let role = usize::from(moved >> 1) & 7;
        let numbers = &ZOBRIST.cells[usize::from(moved & 15)];
        let number = numbers[from.index()] ^ numbers[to.index()];
        let group = usize::from(GROUP[usize::from(moved & 15)] & 7);

        let mut board = before.boards[role] ^ change;
        let mut key = before.key ^ number ^ ZOBRIST.black_to_move;
        let mut clock = before.halfmove_clock.saturating_add(1);
        if role == Role::Pawn.index() {
            clock = 0;
        }
        if let Some(square) = before.en_passant {
            key ^= ZOBRIST.en_passant(square.file());
            self.en_passant = None;
        }
        let captured = before.mailbox[to.index()];
        if captured != EMPTY {
            let captured_role = usize::from(captured >> 1) & 7;
            let captured_number = ZOBRIST.cells[usize::from(captured & 15)][to.index()];
            let captured_group = usize::from(GROUP[usize::from(captured & 15)] & 7);
            self.boards[captured_role] = before.boards[captured_role] ^ target;
            self.boards[6 + them.index()] = before.colored(them) ^ target;
            self.group_keys[captured_group] = before.group_keys[captured_group] ^ captured_number;
            self.material = before.material - MATERIAL_UNIT[usize::from(captured & 15)];
            key ^= captured_number;
            clock = 0;
            if captured_role == role {
                board ^= target;
            }
        }
        if (change & (before.castling.rook_squares() | before.role(Role::King))).any() {
            let (kept, lost) = before.castling.split(us, change, role == Role::King.index());
            self.castling = kept;
            key ^= ZOBRIST.castling(lost);
        }
        self.boards[role] = board;
        self.boards[6 + us.index()] = before.colored(us) ^ change;
        self.mailbox[from.index()] = EMPTY;
        self.mailbox[to.index()] = moved;
        self.group_keys[group] = before.group_keys[group] ^ number;
        self.key = key;
        self.halfmove_clock = clock;
        self.fullmove_number = before.fullmove_number.saturating_add(us as u16);
        self.turn = them;
        self.checkers = before.checks_after(role, from, to);
    }

    /// The checkers after a piece of this role moves: the piece itself, or a slider behind it (discovered check).
    #[inline(always)]
    fn checks_after(&self, role: usize, from: Square, to: Square) -> Bitboard {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(them);
        let cleared = self.occupied() ^ Bitboard::of(from);
        let (bishop, rook) = (attacks::bishop(king, cleared), attacks::rook(king, cleared));
        let direct = [attacks::pawn(them, king), attacks::knight(king), bishop, rook, bishop | rook];
        let mut checkers = direct.get(role).map_or(Bitboard::EMPTY, |&squares| squares & Bitboard::of(to));
        let behind = (bishop & self.diagonal_sliders() | rook & self.straight_sliders())
            & self.colored(us).without(from);
        if behind.any() && !attacks::line(king, from).has(to) {
            checkers |= behind;
        }
        checkers
    }

    #[inline]
    fn play_promotion(&mut self, us: Color, from: Square, to: Square, role: Role) {
        self.capture(us, to);
        self.remove(cell(us, Role::Pawn), from, us);
        self.add(cell(us, role), to, us);
        self.halfmove_clock = 0;
        self.lose_castling_rights(us, Bitboard::of(to), false);
    }

    #[inline]
    fn play_en_passant(&mut self, us: Color, from: Square, to: Square) {
        self.remove(cell(!us, Role::Pawn), Square::from_index(to.index() ^ 8), !us);
        self.shift(cell(us, Role::Pawn), from, to, us);
        self.halfmove_clock = 0;
    }

    /// King and rook leave their squares before either arrives: in Chess960 the squares may be shared.
    #[inline(never)]
    fn play_castle(&mut self, us: Color, king_from: Square, rook_from: Square) {
        let side = CastlingSide::of(king_from, rook_from);
        let (king, rook) = (cell(us, Role::King), cell(us, Role::Rook));
        self.remove(king, king_from, us);
        self.remove(rook, rook_from, us);
        self.add(king, side.king_target(us), us);
        self.add(rook, side.rook_target(us), us);
        self.lose_castling_rights(us, Bitboard::EMPTY, true);
    }

    /// Takes the enemy piece on a square off the board, if there is one, and returns whether there was.
    #[inline(always)]
    fn capture(&mut self, us: Color, square: Square) -> bool {
        let captured = self.mailbox[square.index()];
        if captured != EMPTY {
            self.remove(captured, square, !us);
        }
        captured != EMPTY
    }

    /// Moves a piece to an empty square.
    #[inline(always)]
    fn shift(&mut self, cell: u8, from: Square, to: Square, color: Color) {
        let change = Bitboard::of(from) | Bitboard::of(to);
        self.boards[usize::from(cell >> 1) & 7] ^= change;
        self.boards[6 + color.index()] ^= change;
        self.mailbox[from.index()] = EMPTY;
        self.mailbox[to.index()] = cell;
        let numbers = &ZOBRIST.cells[usize::from(cell & 15)];
        self.toggle_key(cell, numbers[from.index()] ^ numbers[to.index()]);
    }

    /// Removes a piece from the board.
    #[inline(always)]
    fn remove(&mut self, cell: u8, square: Square, color: Color) {
        self.toggle(cell, square, color);
        self.mailbox[square.index()] = EMPTY;
        self.material -= MATERIAL_UNIT[usize::from(cell & 15)];
    }

    /// Puts a piece on an empty square.
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
        self.toggle_key(cell, ZOBRIST.cells[usize::from(cell & 15)][square.index()]);
    }

    #[inline(always)]
    fn toggle_key(&mut self, cell: u8, number: u64) {
        self.key ^= number;
        self.group_keys[usize::from(GROUP[usize::from(cell & 15)] & 7)] ^= number;
    }

    /// Removes the castling rights that a special move ends.
    fn lose_castling_rights(&mut self, us: Color, touched: Bitboard, king_moved: bool) {
        let (kept, lost) = self.castling.split(us, touched, king_moved);
        self.castling = kept;
        self.key ^= ZOBRIST.castling(lost);
    }

    /// Sets the en passant square and updates the key, only if the side to move has a legal capture.
    #[inline(never)]
    fn set_en_passant_if_legal(&mut self, square: Square) {
        let capturers = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_legal(from, square)) {
            self.en_passant = Some(square);
            self.key ^= ZOBRIST.en_passant(square.file());
        }
    }
}

/// The mailbox code of a piece.
#[inline(always)]
const fn cell(color: Color, role: Role) -> u8 {
    Piece::new(color, role).index() as u8
}
