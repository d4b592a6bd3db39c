//! A move in 16 bits, and a list of moves without allocation.

use crate::{Role, Square};
use std::fmt;
use std::ops::Deref;

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A plain move or capture.
    Normal,
    /// A pawn's double step.
    DoublePush,
    /// Castling, written as the king capturing its own rook.
    Castle,
    /// En passant capture.
    EnPassant,
    /// A pawn reaches the last rank, with or without a capture, and becomes this.
    Promotion(Role),
}

impl MoveKind {
    const fn code(self) -> u16 {
        match self {
            MoveKind::Normal => 0,
            MoveKind::DoublePush => 1,
            MoveKind::Castle => 2,
            MoveKind::EnPassant => 3,
            MoveKind::Promotion(role) => 3 + role as u16,
        }
    }
}

/// A move in 16 bits: six for the origin, six for the target, four for the kind.
///
/// Castling is stored as the king taking its own rook, the only form that is unambiguous in Chess960. Any 16
/// bits are a `Move`; [`Position::is_legal`](crate::Position::is_legal) decides exactly whether they can be
/// played.
///
/// ```
/// use chess::{Move, MoveKind, Position, Role, Square};
/// let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// assert!(Position::startpos().is_legal(push));
/// assert!(!Position::startpos().is_legal(Move::normal(Square::E2, Square::E4)));
/// assert_eq!(Move::from_bits(push.bits()), push);
/// assert_eq!(Move::new(Square::E7, Square::E8, MoveKind::Promotion(Role::Queen)).uci(false).to_string(), "e7e8q");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// The null move, a1a1, which is never legal. It stands for "no move" where an `Option` would need more
    /// memory.
    pub const NONE: Move = Move(0);

    /// The move of this kind between these squares.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | kind.code() << 12)
    }

    /// A plain move or capture.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The move with these bits. It may be illegal.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The move's bits.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// True for [`Move::NONE`].
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// `None` for [`Move::NONE`].
    #[inline(always)]
    pub const fn some(self) -> Option<Move> {
        if self.0 == 0 { None } else { Some(self) }
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize & 63)
    }

    /// Where it ends; for castling the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.0 as usize >> 6 & 63)
    }

    /// Twelve bits for its squares as this colour sees the board: equal for a move and its colour mirror.
    #[inline(always)]
    pub const fn squares_for(self, color: crate::Color) -> u16 {
        (self.0 & 0o7777) ^ (0o7070 * color as u16)
    }

    /// Its kind; `None` for the codes that no move uses.
    #[inline(always)]
    pub const fn checked_kind(self) -> Option<MoveKind> {
        Some(match self.0 >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castle,
            3 => MoveKind::EnPassant,
            4 => MoveKind::Promotion(Role::Knight),
            5 => MoveKind::Promotion(Role::Bishop),
            6 => MoveKind::Promotion(Role::Rook),
            7 => MoveKind::Promotion(Role::Queen),
            _ => return None,
        })
    }

    /// Its kind; the codes that no move uses count as [`MoveKind::Normal`].
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.checked_kind() {
            Some(kind) => kind,
            None => MoveKind::Normal,
        }
    }

    /// The role a pawn becomes, if the move promotes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// True for castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.0 >> 12 == MoveKind::Castle.code()
    }

    /// Whether this is an en passant capture.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == MoveKind::EnPassant.code()
    }

    /// True for a promotion.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 >> 14 == 1
    }
}

/// As UCI writes it, with castling as a move of the king by two squares; [`uci`](Move::uci) has both forms.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uci(false).fmt(f)
    }
}

impl fmt::Debug for Move {
    /// As UCI writes it in Chess960 mode (castling is king takes rook).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

/// A list of moves of one position, without allocation. No position that a game can reach has more than 218
/// moves, and none that [`Position::from_fen`](crate::Position::from_fen) accepts has more than fit.
///
/// ```
/// use chess::{MoveList, MoveTypes, Position};
/// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let mut captures = MoveList::new();
/// position.generate(MoveTypes::Noisy, &mut captures);
/// assert_eq!(captures.len(), 1);
/// assert_eq!(position.san(captures[0]).to_string(), "exd5");
/// # Ok::<(), chess::FenError>(())
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// An upper bound that is never reached: ten moves of a king, castling included, and 27 for each of
    /// fifteen queens.
    pub const CAPACITY: usize = 416;

    /// An empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::NONE; MoveList::CAPACITY], len: 0 }
    }

    /// Adds a move. A move beyond the capacity would be dropped, which no position can cause.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, { MoveList::CAPACITY }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
