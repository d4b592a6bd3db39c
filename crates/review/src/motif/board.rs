//! What a club player sees on a board: who attacks and defends what, and at which price.

use chess::{Bitboard, Color, Move, Position, Role, Square, attacks};

/// The value of a piece in pawns; the king is worth more than all.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 99,
    }
}

/// The squares that the piece on a square attacks.
pub fn attacks_from(position: &Position, square: Square) -> Bitboard {
    position.piece_at(square).map_or(Bitboard::EMPTY, |piece| match piece.role() {
        Role::Pawn => attacks::pawn(piece.color(), square),
        role => position.piece_attacks(role, square),
    })
}

pub fn attackers_of(position: &Position, square: Square, color: Color) -> Bitboard {
    position.attackers(square, position.occupied()) & position.colored(color)
}

/// Whether a piece is undefended, also from behind an attacker.
pub fn is_hanging(position: &Position, square: Square, color: Color) -> bool {
    let attackers = attackers_of(position, square, !color);
    let sliders = attackers & (position.diagonal_sliders() | position.straight_sliders());
    let occupied = position.occupied() & !sliders;
    (position.attackers(square, occupied) & occupied & position.colored(color)).is_empty()
}

/// Whether the piece on a square can be captured at a profit.
pub fn is_in_danger(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let attackers = attackers_of(position, square, !piece.color());
    let cheaper = |from| position.role_at(from).is_some_and(|role| value(role) < value(piece.role()));
    attackers.any() && (is_hanging(position, square, piece.color()) || attackers.into_iter().any(cheaper))
}

/// Whether the piece of the side to move on a square will be lost: it is in danger and has no safe square.
pub fn is_trapped(position: &Position, square: Square) -> bool {
    let Some(role) = position.role_at(square) else { return false };
    if position.in_check() || matches!(role, Role::Pawn | Role::King) || !is_in_danger(position, square) {
        return false;
    }
    let moves = position.legal_moves();
    let mut own = moves.iter().filter(|mv| mv.from() == square && !mv.is_castle());
    own.all(|&mv| {
        position.captured(mv).is_none_or(|prize| value(prize) < value(role))
            && is_in_danger(&position.after(mv), mv.to())
    })
}

/// Where the mover stands after a move; in castling, the king's square.
pub fn destination(position: &Position, mv: Move) -> Square {
    if mv.is_castle() { position.after(mv).king(position.turn()) } else { mv.to() }
}
