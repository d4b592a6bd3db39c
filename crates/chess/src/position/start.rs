//! Start positions: standard chess, Chess960 and double Chess960.

use super::{EMPTY, Position};
use crate::castling::back_rank;
use crate::{Bitboard, CastlingRights, CastlingSide, Color, File, Piece, Rank, Role, Square};

/// The number of Chess960 start positions.
const START_POSITIONS: u16 = 960;

/// Which two of the five squares that bishops and queen leave go to the knights, by Scharnagl's number.
const KNIGHT_PAIRS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl Position {
    /// The start position of standard chess.
    pub fn startpos() -> Position {
        Position::from_back_ranks([STANDARD; 2])
    }

    /// The Chess960 start position with this number from 0 to 959 in Scharnagl's order, in which 518 is
    /// standard chess. `None` for a larger number.
    ///
    /// ```
    /// use chess::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// let first = Position::chess960(0).unwrap();
    /// assert_eq!(first.to_fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_chess960(number, number)
    }

    /// A start position of double Chess960, with a setup for each side. `None` if one of
    /// them is above 959.
    ///
    /// ```
    /// use chess::Position;
    /// let position = Position::double_chess960(518, 0).unwrap();
    /// assert_eq!(position.to_fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn double_chess960(white: u16, black: u16) -> Option<Position> {
        Some(Position::from_back_ranks([back_rank_of(white)?, back_rank_of(black)?]))
    }

    /// All pawns, these back ranks, and all castling rights.
    fn from_back_ranks(pieces: [[Role; 8]; 2]) -> Position {
        let mut position = Position::empty(Color::White);
        for color in Color::ALL {
            for (file, role) in File::ALL.into_iter().zip(pieces[color.index()]) {
                position.put(Piece::new(color, role), Square::new(file, back_rank(color)));
                position
                    .put(Piece::new(color, Role::Pawn), Square::new(file, Rank::Second).relative_to(color));
            }
            for rook in position.pieces(color, Role::Rook) {
                let side = CastlingSide::of(position.king(color), rook);
                position.castling.set(color, side, Some(rook.file()));
            }
        }
        position.refresh();
        position
    }

    /// An empty board, not yet a valid position: pieces, rights and a [`refresh`](Self::refresh) must follow.
    pub(super) const fn empty(turn: Color) -> Position {
        Position {
            boards: [Bitboard::EMPTY; 8],
            mailbox: [EMPTY; 64],
            key: 0,
            group_keys: [0; 8],
            material: 0,
            checkers: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            turn,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

const STANDARD: [Role; 8] =
    [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];

/// The back rank of the start position with this number, from the a-file on.
fn back_rank_of(number: u16) -> Option<[Role; 8]> {
    if number >= START_POSITIONS {
        return None;
    }
    let number = usize::from(number);
    let (number, light_bishop) = (number / 4, number % 4);
    let (number, dark_bishop) = (number / 4, number % 4);
    let (knights, queen) = (number / 6, number % 6);

    let mut pieces = [None; 8];
    pieces[2 * light_bishop + 1] = Some(Role::Bishop);
    pieces[2 * dark_bishop] = Some(Role::Bishop);
    let place = |pieces: &mut [Option<Role>; 8], role, nth: usize| {
        if let Some(free) = pieces.iter_mut().filter(|piece| piece.is_none()).nth(nth) {
            *free = Some(role);
        }
    };
    place(&mut pieces, Role::Queen, queen);
    let (first, second) = KNIGHT_PAIRS[knights];
    // The second knight first: the first one's square would shift the count.
    place(&mut pieces, Role::Knight, second);
    place(&mut pieces, Role::Knight, first);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut pieces, role, 0);
    }
    Some(pieces.map(|piece| piece.unwrap_or(Role::Rook)))
}
