//! Properties of a single move: legality, capture, check.

use super::Position;
use crate::castling::back_rank;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Rank, Role, Square, attacks};

impl Position {
    /// Whether these 16 bits are a legal move here. Exact for every one of the 65,536 values, so that a
    /// move from a hash table can be trusted after this check.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        let Some(kind) = mv.checked_kind() else { return false };
        if piece.color() != us {
            return false;
        }
        if kind == MoveKind::Castle {
            return piece.role() == Role::King && self.is_legal_castling(from, to);
        }
        if self.colored(us).has(to) {
            return false;
        }
        match piece.role() {
            Role::Pawn => self.is_legal_pawn_move(from, to, kind),
            _ if kind != MoveKind::Normal => false,
            Role::King => {
                attacks::king(from).has(to) && !self.is_attacked(to, !us, self.occupied().without(from))
            }
            role => self.piece_attacks(role, from).has(to) && self.leaves_king_safe(from, to),
        }
    }

    fn is_legal_castling(&self, king: Square, rook: Square) -> bool {
        let us = self.turn();
        let side = CastlingSide::of(king, rook);
        !self.in_check()
            && rook.rank() == back_rank(us)
            && self.castling().rook(us, side) == Some(rook)
            && self.castling_is_legal(us, side, king, rook)
    }

    fn is_legal_pawn_move(&self, from: Square, to: Square, kind: MoveKind) -> bool {
        let us = self.turn();
        let captures = attacks::pawn(us, from).has(to);
        if kind == MoveKind::EnPassant {
            return captures && self.en_passant() == Some(to) && self.en_passant_is_legal(from, to);
        }
        let last_rank = Bitboard::BACK_RANKS.has(to);
        if last_rank != matches!(kind, MoveKind::Promotion(_)) {
            return false;
        }
        let enemy = self.colored(!us);
        let empty = !self.occupied();
        let one = Bitboard::of(from).forward(us) & empty;
        let reaches = if kind == MoveKind::DoublePush {
            let third_rank = Bitboard::relative_rank(Rank::Third, us);
            ((one & third_rank).forward(us) & empty).has(to)
        } else {
            one.has(to) || captures && enemy.has(to)
        };
        reaches && self.leaves_king_safe(from, to)
    }

    /// Whether pins and checks allow a piece other than the king to go there.
    #[inline(always)]
    fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn());
        // Only a piece on a line with its king can be pinned, so the pins are rarely needed.
        let line = attacks::line(king, from);
        if line.any() && !line.has(to) && self.pinned().has(from) {
            return false;
        }
        let checkers = self.checkers();
        checkers.is_empty()
            || !checkers.more_than_one()
                && (attacks::between(king, checkers.first_of_some()) | checkers).has(to)
    }

    /// The squares that a piece other than a pawn attacks from a square.
    #[inline(always)]
    pub fn piece_attacks(&self, role: Role, square: Square) -> Bitboard {
        match role {
            Role::Knight => attacks::knight(square),
            Role::Bishop => attacks::bishop(square, self.occupied()),
            Role::Rook => attacks::rook(square, self.occupied()),
            Role::Queen => attacks::queen(square, self.occupied()),
            Role::King => attacks::king(square),
            Role::Pawn => Bitboard::EMPTY,
        }
    }

    /// What a legal move captures.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Role::Pawn),
            _ => self.role_at(mv.to()),
        }
    }

    /// Whether a legal move captures or promotes.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.is_promotion() || self.captured(mv).is_some()
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.role_at(from) else { return false };
        let mut occupied = self.occupied().without(from).with(to);
        let mut vacated = Bitboard::of(from);
        let direct = match mv.kind() {
            MoveKind::Castle => {
                let side = CastlingSide::of(from, to);
                let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
                occupied = self.occupied().without(from).without(to).with(king_to).with(rook_to);
                vacated = vacated.with(to);
                attacks::rook(rook_to, occupied)
            }
            MoveKind::Promotion(role) => attacks_of(role, us, to, occupied),
            MoveKind::EnPassant => {
                let captured = Square::from_index(to.index() ^ 8);
                occupied = occupied.without(captured);
                vacated = vacated.with(captured);
                attacks::pawn(us, to)
            }
            MoveKind::Normal | MoveKind::DoublePush => attacks_of(mover, us, to, occupied),
        };
        if direct.has(king) {
            return true;
        }
        // A line to the king was opened only if a square of that line was left.
        let straight = attacks::rook_rays(king);
        let diagonal = attacks::bishop_rays(king);
        if ((straight | diagonal) & vacated).is_empty() {
            return false;
        }
        let own = self.colored(us) & !vacated;
        let discovered = attacks::rook(king, occupied) & self.straight_sliders()
            | attacks::bishop(king, occupied) & self.diagonal_sliders();
        (discovered & own).any()
    }
}

/// The squares that a piece attacks on a board with these occupied squares.
fn attacks_of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn(color, square),
        Role::Knight => attacks::knight(square),
        Role::Bishop => attacks::bishop(square, occupied),
        Role::Rook => attacks::rook(square, occupied),
        Role::Queen => attacks::queen(square, occupied),
        Role::King => attacks::king(square),
    }
}
