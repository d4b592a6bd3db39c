//! The board as one side sees it. All terms see "own" and "enemy", never White and Black, and own pawns
//! always move up the board, so no term can treat the colours differently.

use chess::{Bitboard, CastlingSide, Color, Position, Role, Square, attacks};

use crate::mutants::{Mutant, active};

/// Flips a set of squares so that the viewer's pawns move up the board.
#[inline(always)]
fn oriented(squares: Bitboard, viewer: Color) -> Bitboard {
    match viewer {
        Color::White => squares,
        Color::Black => squares.flip_ranks(),
    }
}

/// One side's pieces.
#[derive(Clone, Copy)]
pub(super) struct SidePieces {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub all: Bitboard,
    pub king: Square,
}

impl SidePieces {
    #[inline(always)]
    fn new(position: &Position, color: Color, viewer: Color) -> SidePieces {
        let pieces = |role| oriented(position.pieces(color, role), viewer);
        SidePieces {
            pawns: pieces(Role::Pawn),
            knights: pieces(Role::Knight),
            bishops: pieces(Role::Bishop),
            rooks: pieces(Role::Rook),
            queens: pieces(Role::Queen),
            all: oriented(position.colored(color), viewer),
            king: position.king(color).relative_to(viewer),
        }
    }

    /// Knights and bishops.
    #[inline(always)]
    pub fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }

    /// Everything but pawns and king.
    #[inline(always)]
    pub fn pieces(&self) -> Bitboard {
        self.knights | self.bishops | self.rooks | self.queens
    }
}

/// The board as one side sees it.
#[derive(Clone, Copy)]
pub(super) struct BoardView {
    pub own: SidePieces,
    pub enemy: SidePieces,
    pub occupied: Bitboard,
    /// Whether the viewer is to move.
    pub to_move: bool,
    /// The number of the viewer's castling rights.
    pub castling: u32,
    viewer: Color,
}

impl BoardView {
    #[inline(always)]
    pub fn new(position: &Position, viewer: Color) -> BoardView {
        BoardView {
            own: SidePieces::new(position, viewer, viewer),
            enemy: SidePieces::new(position, !viewer, viewer),
            occupied: oriented(position.occupied(), viewer),
            to_move: position.turn() == viewer,
            castling: CastlingSide::ALL
                .map(|side| u32::from(position.castling().rook(viewer, side).is_some()))
                .iter()
                .sum(),
            viewer,
        }
    }

    /// A square's index in a table of 32: rank by rank from the viewer's side, with files e to h mirrored.
    #[inline(always)]
    pub fn table_index(&self, square: Square) -> usize {
        let upside_down = active(Mutant::TablesUpsideDown)
            || active(Mutant::BlackTablesFlipped) && self.viewer == Color::Black;
        let square = if upside_down { square.flip_rank() } else { square };
        let file = square.file().index();
        4 * square.rank().index() + file.min(7 - file)
    }

    /// Whether exactly one piece is between two squares of a line.
    #[inline(always)]
    pub fn is_one_man_between(&self, a: Square, b: Square) -> bool {
        let pieces = attacks::between(a, b) & self.occupied;
        pieces.any() && !pieces.more_than_one()
    }

    /// The king ring: the nine squares around the enemy king, shifted off the edge so that there are always
    /// nine.
    #[inline(always)]
    pub fn enemy_king_ring(&self) -> Bitboard {
        let king = self.enemy.king;
        let file = king.file().index().clamp(1, 6);
        let rank = king.rank().index().clamp(1, 6);
        let centre = Square::from_index(8 * rank + file);
        attacks::king(centre).with(centre)
    }
}

/// The attacks of one side, shared by all terms.
#[derive(Clone, Copy)]
pub(super) struct SideAttacks {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    /// Attacked by anything.
    pub all: Bitboard,
    /// Attacked by two pieces or more.
    pub twice: Bitboard,
}

impl SideAttacks {
    /// The attacks of king and pawns; pieces are added one by one.
    #[inline(always)]
    pub fn new(own: &SidePieces) -> SideAttacks {
        let ahead = own.pawns.north();
        let (left, right) = (ahead.west(), ahead.east());
        let king = attacks::king(own.king);
        let pawns = left | right;
        SideAttacks {
            pawns,
            knights: Bitboard::EMPTY,
            bishops: Bitboard::EMPTY,
            rooks: Bitboard::EMPTY,
            queens: Bitboard::EMPTY,
            king,
            all: pawns | king,
            twice: left & right | pawns & king,
        }
    }

    /// Adds a piece's attacks to the sums.
    #[inline(always)]
    pub fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }

    /// The same attacks as the other side sees them.
    #[inline(always)]
    pub fn flipped(&self) -> SideAttacks {
        SideAttacks {
            pawns: self.pawns.flip_ranks(),
            knights: self.knights.flip_ranks(),
            bishops: self.bishops.flip_ranks(),
            rooks: self.rooks.flip_ranks(),
            queens: self.queens.flip_ranks(),
            king: self.king.flip_ranks(),
            all: self.all.flip_ranks(),
            twice: self.twice.flip_ranks(),
        }
    }
}

/// The squares ahead of the set on its files, without the set itself.
#[inline(always)]
pub(super) fn ahead(squares: Bitboard) -> Bitboard {
    squares.forward_fill(Color::White)
}

/// The squares behind the set on its files, without the set itself.
#[inline(always)]
pub(super) fn behind(squares: Bitboard) -> Bitboard {
    squares.forward_fill(Color::Black)
}

/// The attacks of own pawns on these squares.
#[inline(always)]
pub(super) fn attacked_by_own_pawns(pawns: Bitboard) -> Bitboard {
    pawns.north().east() | pawns.north().west()
}

/// The attacks of enemy pawns on these squares, which are also the squares from which own pawns attack them.
#[inline(always)]
pub(super) fn attacked_by_enemy_pawns(pawns: Bitboard) -> Bitboard {
    pawns.south().east() | pawns.south().west()
}
