//! What a move changes on the board: which men leave which squares and which arrive.

use chess::{CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};

/// A man on a square.
pub(crate) type Man = (Piece, Square);

/// The men that arrive and leave with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Nothing: the first position.
    Nothing,
    /// A man moves, or a pawn becomes another man.
    Move { arrives: Man, leaves: Man },
    /// The same, and an enemy man is taken.
    Capture { arrives: Man, leaves: Man, taken: Man },
    /// King and rook move.
    Castle { arrive: [Man; 2], leave: [Man; 2] },
}

impl Change {
    /// What a legal move changes in a position.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Change {
        let us = position.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(moved) = position.piece_at(from) else { return Change::Nothing };
        let leaves = (moved, from);
        let (arriving, taken) = match mv.kind() {
            MoveKind::Castle => return Change::castle(us, from, to),
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
            Some(taken) => Change::Capture { arrives, leaves, taken },
            None => Change::Move { arrives, leaves },
        }
    }

    fn castle(us: Color, king_from: Square, rook_from: Square) -> Change {
        let side = CastlingSide::of(king_from, rook_from);
        let (king, rook) = (Piece::new(us, Role::King), Piece::new(us, Role::Rook));
        Change::Castle {
            arrive: [(king, side.king_target(us)), (rook, side.rook_target(us))],
            leave: [(king, king_from), (rook, rook_from)],
        }
    }

    /// Where a king arrives, if one moved.
    #[inline]
    pub fn king(&self) -> Option<Man> {
        let arrives = match *self {
            Change::Nothing => return None,
            Change::Move { arrives, .. } | Change::Capture { arrives, .. } => arrives,
            Change::Castle { arrive, .. } => arrive[0],
        };
        (arrives.0.role() == Role::King).then_some(arrives)
    }
}
