//! The pieces that a move adds and removes.

use chess::{CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};

/// A piece on a square.
pub(crate) type PieceAt = (Piece, Square);

/// The pieces that arrive and leave with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoardChange {
    /// Nothing: the first position.
    Nothing,
    /// A piece moves, or a pawn promotes.
    Move { arrives: PieceAt, leaves: PieceAt },
    /// The same, with a capture.
    Capture { arrives: PieceAt, leaves: PieceAt, taken: PieceAt },
    /// King and rook move.
    Castle { arrive: [PieceAt; 2], leave: [PieceAt; 2] },
}

impl BoardChange {
    /// What a legal move changes in a position.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> BoardChange {
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(moved) = position.piece_at(from) else { return BoardChange::Nothing };
        let leaves = (moved, from);
        let (arriving, taken) = match mv.kind() {
            MoveKind::Castle => return BoardChange::castle(us, from, to),
            MoveKind::EnPassant => {
                // One rank behind where the capturing pawn arrives.
                let square = Square::from_index(to.index() ^ 8);
                (moved, Some((Piece::new(!us, Role::Pawn), square)))
            }
            MoveKind::Promotion(role) => {
                (Piece::new(us, role), position.piece_at(to).map(|piece| (piece, to)))
            }
            MoveKind::Normal | MoveKind::DoublePush => {
                (moved, position.piece_at(to).map(|piece| (piece, to)))
            }
        };
        let arrives = (arriving, to);
        match taken {
            Some(taken) => BoardChange::Capture { arrives, leaves, taken },
            None => BoardChange::Move { arrives, leaves },
        }
    }

    fn castle(us: Color, king_from: Square, rook_from: Square) -> BoardChange {
        let side = CastlingSide::of(king_from, rook_from);
        let (king, rook) = (Piece::new(us, Role::King), Piece::new(us, Role::Rook));
        BoardChange::Castle {
            arrive: [(king, side.king_target(us)), (rook, side.rook_target(us))],
            leave: [(king, king_from), (rook, rook_from)],
        }
    }

    /// Where a king arrives, if one moved.
    #[inline]
    pub fn king(&self) -> Option<PieceAt> {
        let arrives = match *self {
            BoardChange::Nothing => return None,
            BoardChange::Move { arrives, .. } | BoardChange::Capture { arrives, .. } => arrives,
            BoardChange::Castle { arrive, .. } => arrive[0],
        };
        (arrives.0.role() == Role::King).then_some(arrives)
    }
}
