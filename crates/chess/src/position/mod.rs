//! A position: pieces, side to move, castling rights, en passant square and clocks.

mod draw;
mod fen;
mod generate;
mod legality;
mod make;
mod see;
mod start;

pub use draw::has_upcoming_repetition;
pub use fen::{FenError, FenRepairs, piece_placement};
pub use generate::{MoveSink, MoveTypes};

use crate::zobrist::{CELLS, ZOBRIST};
use crate::{Bitboard, CastlingRights, Color, File, Piece, Role, Square, attacks};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The mailbox code of an empty square. As a "role" (half of it) it is 6.
const EMPTY: u8 = Piece::COUNT as u8;

/// A position of standard chess, Chess960 or double Chess960, with its clocks.
///
/// A position is a plain value: [`after`](Position::after) makes a move on a copy. It always satisfies the
/// rules that [`from_fen`](Position::from_fen) checks, so nothing here can fail. Hash keys, checkers and the other
/// derived fields are updated incrementally.
///
/// ```
/// use chess::Position;
/// let position = Position::startpos();
/// assert_eq!(position.legal_moves().len(), 20);
/// let e4 = position.parse_uci("e2e4")?;
/// let next = position.after(e4);
/// assert_eq!(next.to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), chess::MoveError>(())
/// ```
// Four cache lines. Copying it is faster than unmaking a move (docs/notes/2026-11-chess-library.md).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    /// The six roles, then the two colours, in one array: a role index of 6 ("empty") stays inside.
    boards: [Bitboard; 8],
    mailbox: [u8; 64],
    key: u64,
    /// Partial keys by group (pawns, minor pieces, major pieces, king) and colour.
    group_keys: [u64; 8],
    /// Counts of the ten kinds of pieces other than kings, four bits each.
    material: u64,
    checkers: Bitboard,
    castling: CastlingRights,
    turn: Color,
    /// Set only when an en passant capture is legal.
    en_passant: Option<Square>,
    halfmove_clock: u8,
    fullmove_number: u16,
}

/// By the Zobrist key: equal positions have equal keys.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// As [`from_fen`](Position::from_fen).
///
/// ```
/// let position: chess::Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// assert_eq!(position.occupied().count(), 3);
/// # Ok::<(), chess::FenError>(())
/// ```
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

/// The start position of standard chess.
impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

/// Which of the partial keys a cell of the mailbox belongs to: `2 * group + colour`.
const GROUP: [u8; CELLS + 3] = [0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 0, 0, 0, 0];

/// What a cell of the mailbox adds to the material counts.
const MATERIAL_UNIT: [u64; CELLS + 3] = {
    let mut units = [0; CELLS + 3];
    let mut piece = 0;
    while piece < 10 {
        units[piece] = 1 << (4 * piece);
        piece += 1;
    }
    units
};

impl Position {
    /// The side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_cell(self.mailbox[square.index()])
    }

    /// The role of the piece on a square.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(Piece::role)
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.boards[6] | self.boards[7]
    }

    /// The squares of one colour's pieces.
    #[inline(always)]
    pub fn colored(&self, color: Color) -> Bitboard {
        self.boards[6 + color.index()]
    }

    /// The squares of all pieces of a role, of both colours.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.boards[role.index()]
    }

    /// The squares of one colour's pieces of a role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.role(role) & self.colored(color)
    }

    /// The squares of all bishops and queens.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// The squares of all rooks and queens.
    #[inline(always)]
    pub fn straight_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// The king's square.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).first_of_some()
    }

    /// The enemy pieces that attack the king of the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        let king = self.king(self.turn);
        let snipers = (attacks::rook_rays(king) & self.straight_sliders()
            | attacks::bishop_rays(king) & self.diagonal_sliders())
            & self.colored(!self.turn);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & self.occupied();
            if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        pinned & self.colored(self.turn)
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The castling rights.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Whether all castling rights are those of standard chess: king on the e-file, rook in its corner. Then castling can
    /// be written as a king move of two squares; otherwise only "king takes rook" is unambiguous.
    pub fn has_standard_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            [(crate::CastlingSide::Short, File::H), (crate::CastlingSide::Long, File::A)].into_iter().all(
                |(side, corner)| {
                    self.castling
                        .rook(color, side)
                        .is_none_or(|rook| rook.file() == corner && self.king(color).file() == File::E)
                },
            )
        })
    }

    /// The square on which a pawn may now be taken en passant. `None` when no such capture is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move, at most 255.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock as u32
    }

    /// The number of the current move, as in a FEN: it starts at 1 and increases after Black's move.
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number as u32
    }

    /// Plies since the start of the game: 0 when White is to play move 1.
    pub const fn ply(&self) -> u32 {
        2 * (self.fullmove_number as u32).saturating_sub(1) + self.turn as u32
    }

    /// Hash of the whole position: pieces, side to move, castling rights, and the en passant square
    /// if a capture is legal. The clocks are not part of it. A castling right counts by colour and side: positions
    /// of different games in which another rook on that side may castle (Chess960) have the same key.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Hash of the pawns of both colours.
    #[inline(always)]
    pub const fn pawn_key(&self) -> u64 {
        self.group_keys[0] ^ self.group_keys[1]
    }

    /// Hash of the knights and bishops of both colours.
    #[inline(always)]
    pub const fn minor_key(&self) -> u64 {
        self.group_keys[2] ^ self.group_keys[3]
    }

    /// Hash of the rooks and queens of both colours.
    #[inline(always)]
    pub const fn major_key(&self) -> u64 {
        self.group_keys[4] ^ self.group_keys[5]
    }

    /// Hash of one colour's pieces without its pawns, the king included.
    #[inline(always)]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        let color = color as usize;
        self.group_keys[2 + color] ^ self.group_keys[4 + color] ^ self.group_keys[6 + color]
    }

    /// One of the partial keys ([`pawn_key`](Self::pawn_key) and so on) as the side to move sees it: equal
    /// for a position and its [colour mirror](Self::color_mirrored).
    #[inline(always)]
    pub const fn relative_key(&self, key: u64) -> u64 {
        match self.turn {
            Color::White => key,
            Color::Black => crate::zobrist::mirrored(key),
        }
    }

    /// The key of the whole position as the side to move sees it: equal for a position and its [colour
    /// mirror](Self::color_mirrored).
    #[inline(always)]
    pub fn mover_key(&self) -> u64 {
        match self.turn {
            Color::White => self.key,
            Color::Black => crate::zobrist::mirrored(self.key ^ crate::zobrist::ZOBRIST.black_to_move),
        }
    }

    /// Piece counts, four bits for each of the ten kinds without kings, white pawns in the lowest. Equal exactly for equal
    /// material.
    #[inline(always)]
    pub const fn material_key(&self) -> u64 {
        self.material
    }

    /// The number of pieces of one kind.
    #[inline(always)]
    pub fn count(&self, color: Color, role: Role) -> u32 {
        self.pieces(color, role).count()
    }

    /// Whether this colour has pieces other than pawns and king.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.colored(color) & !(self.role(Role::Pawn) | self.role(Role::King))).any()
    }

    /// The pieces of both colours that attack a square, given which squares are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders()
    }

    /// Whether a piece of this colour attacks a square, given which squares are occupied.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let pieces = self.colored(by);
        let steppers = attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(!by, square) & self.role(Role::Pawn);
        (steppers & pieces).any() || {
            let diagonal = self.diagonal_sliders() & pieces;
            let straight = self.straight_sliders() & pieces;
            (attacks::bishop(square, occupied) & diagonal | attacks::rook(square, occupied) & straight).any()
        }
    }

    /// Every square that this colour attacks. Squares of its own pieces are included if defended.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut squares =
            attacks::pawns(color, self.pieces(color, Role::Pawn)) | attacks::king(self.king(color));
        for square in self.pieces(color, Role::Knight) {
            squares |= attacks::knight(square);
        }
        for square in self.diagonal_sliders() & self.colored(color) {
            squares |= attacks::bishop(square, occupied);
        }
        for square in self.straight_sliders() & self.colored(color) {
            squares |= attacks::rook(square, occupied);
        }
        squares
    }

    /// The pieces of `color` that are attacked by a less valuable piece: a piece by a pawn, a rook or queen
    /// by a minor piece, a queen by a rook. Kings are never included.
    pub fn threatened_by_lesser(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let enemy = self.colored(!color);
        let own = self.colored(color);
        let mut lesser = attacks::pawns(!color, self.role(Role::Pawn) & enemy);
        let mut threatened = lesser & own & !(self.role(Role::Pawn) | self.role(Role::King));
        for square in self.role(Role::Knight) & enemy {
            lesser |= attacks::knight(square);
        }
        for square in self.role(Role::Bishop) & enemy {
            lesser |= attacks::bishop(square, occupied);
        }
        threatened |= lesser & own & self.straight_sliders();
        for square in self.role(Role::Rook) & enemy {
            lesser |= attacks::rook(square, occupied);
        }
        threatened | lesser & own & self.role(Role::Queen)
    }

    /// The colour mirror: colours swapped and the board flipped, so that White's pieces become Black's.
    #[must_use]
    pub fn color_mirrored(&self) -> Position {
        let mut mirrored = Position { boards: [Bitboard::EMPTY; 8], mailbox: [EMPTY; 64], ..*self };
        mirrored.turn = !self.turn;
        for square in self.occupied() {
            let Some(piece) = self.piece_at(square) else { continue };
            mirrored.put(Piece::new(!piece.color(), piece.role()), square.flip_rank());
        }
        for color in Color::ALL {
            for side in crate::CastlingSide::ALL {
                let file = self.castling.rook(color, side).map(Square::file);
                mirrored.castling.set(!color, side, file);
            }
        }
        mirrored.en_passant = self.en_passant.map(Square::flip_rank);
        mirrored.refresh();
        mirrored
    }

    /// Puts a piece on an empty square; keys are not updated ([`refresh`](Self::refresh) must follow).
    fn put(&mut self, piece: Piece, square: Square) {
        self.boards[piece.role().index()] |= Bitboard::of(square);
        self.boards[6 + piece.color().index()] |= Bitboard::of(square);
        self.mailbox[square.index()] = piece.index() as u8;
    }

    /// Computes every cached field from the pieces, the rights, the side to move and the en passant square.
    fn refresh(&mut self) {
        self.group_keys = [0; 8];
        self.material = 0;
        for square in self.occupied() {
            let cell = usize::from(self.mailbox[square.index()]);
            self.group_keys[usize::from(GROUP[cell])] ^= ZOBRIST.cells[cell][square.index()];
            self.material += MATERIAL_UNIT[cell];
        }
        self.key = self.group_keys.iter().fold(0, |sum, key| sum ^ key) ^ ZOBRIST.castling(self.castling);
        if self.turn == Color::Black {
            self.key ^= ZOBRIST.black_to_move;
        }
        if let Some(square) = self.en_passant {
            self.key ^= ZOBRIST.en_passant(square.file());
        }
        self.checkers = self.find_checkers();
    }

    /// Computes the checkers.
    #[inline(always)]
    fn find_checkers(&self) -> Bitboard {
        let us = self.turn;
        let king = self.king(us);
        let occupied = self.occupied();
        (attacks::knight(king) & self.role(Role::Knight)
            | attacks::pawn(us, king) & self.role(Role::Pawn)
            | attacks::bishop(king, occupied) & self.diagonal_sliders()
            | attacks::rook(king, occupied) & self.straight_sliders())
            & self.colored(!us)
    }

    /// Checks that every cached field equals a fresh computation. For tests.
    #[doc(hidden)]
    pub fn is_consistent(&self) -> bool {
        let mut fresh = Position { boards: [Bitboard::EMPTY; 8], ..*self };
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                fresh.put(piece, square);
            }
        }
        fresh.refresh();
        fresh == *self
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_fen())
    }
}

impl fmt::Display for Position {
    /// A diagram, the eighth rank first, and the FEN below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in crate::Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in crate::File::ALL {
                match self.piece_at(Square::new(file, rank)) {
                    Some(piece) => write!(f, " {piece}")?,
                    None => f.write_str(" .")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h")?;
        write!(f, "{}", self.to_fen())
    }
}
