//! The 16-bit move encoding of the file format. A double pawn push is a normal move there, so decoding needs the position.

use chess::{Move, MoveKind, Position, Role};

const PROMOTION_SHIFT: u16 = 12;
const KIND: u16 = 0b11 << 14;
const EN_PASSANT: u16 = 0b01 << 14;
const CASTLE: u16 = 0b10 << 14;
const PROMOTION: u16 = 0b11 << 14;
const SQUARES: u16 = (1 << 12) - 1;

/// Never 0 for a legal move.
pub fn encode(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    squares
        | match mv.kind() {
            MoveKind::Normal | MoveKind::DoublePush => 0,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castle => CASTLE,
            MoveKind::Promotion(role) => PROMOTION | (role.index() as u16 - 1) << PROMOTION_SHIFT,
        }
}

/// The legal move with this code; `None` if there is none.
pub fn decode(position: &Position, bits: u16) -> Option<Move> {
    let plain = Move::from_bits(bits & SQUARES);
    let (from, to) = (plain.from(), plain.to());
    let promotion = usize::from(bits >> PROMOTION_SHIFT & 0b11);
    let kind = match bits & KIND {
        PROMOTION => MoveKind::Promotion(Role::PROMOTIONS[promotion]),
        _ if promotion != 0 => return None,
        EN_PASSANT => MoveKind::EnPassant,
        CASTLE => MoveKind::Castle,
        _ if from.index().abs_diff(to.index()) == 16 && position.role_at(from) == Some(Role::Pawn) => {
            MoveKind::DoublePush
        }
        _ => MoveKind::Normal,
    };
    let mv = Move::new(from, to, kind);
    position.is_legal(mv).then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Exactly the legal moves have a code, one each.
    #[test]
    fn codes_are_the_legal_moves() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pPp2p1p/8/3pP3/8/8/P1PP1PpP/R3K2R w KQkq d6 0 10",
            "1r2k1rr/8/8/8/8/8/8/RR2K1R1 b BGbg - 3 20",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let decoded: Vec<Move> = (0..=u16::MAX).filter_map(|bits| decode(&position, bits)).collect();
            let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
            assert_eq!(decoded.len(), legal.len(), "{fen}");
            assert_eq!(decoded.iter().copied().collect::<HashSet<_>>(), legal, "{fen}");
            assert!(decoded.iter().all(|&mv| decode(&position, encode(mv)) == Some(mv)));
        }
    }
}
