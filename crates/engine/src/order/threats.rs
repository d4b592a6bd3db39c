//! The squares that the opponent attacks, by the value of the attackers.

use chess::{Bitboard, Move, Position, Role, attacks};

/// The squares that the opponent of the side to move attacks. Each set contains the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// Attacked by pawns.
    pub by_pawn: Bitboard,
    /// Attacked by pawns and minor pieces.
    pub by_minor: Bitboard,
    /// Attacked by pawns, minor pieces and rooks.
    pub by_rook: Bitboard,
    /// Attacked by any piece.
    pub all: Bitboard,
}

impl Threats {
    /// No attacks: where they are not needed.
    pub const NONE: Threats = Threats {
        by_pawn: Bitboard::EMPTY,
        by_minor: Bitboard::EMPTY,
        by_rook: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// The threats against the side to move.
    pub fn of(position: &Position) -> Threats {
        let enemy = !position.turn();
        let occupied = position.occupied();
        let by_pawn = attacks::pawns(enemy, position.pieces(enemy, Role::Pawn));
        let mut by_minor = by_pawn;
        for square in position.pieces(enemy, Role::Knight) {
            by_minor |= attacks::knight(square);
        }
        for square in position.pieces(enemy, Role::Bishop) {
            by_minor |= attacks::bishop(square, occupied);
        }
        let mut by_rook = by_minor;
        for square in position.pieces(enemy, Role::Rook) {
            by_rook |= attacks::rook(square, occupied);
        }
        let mut all = by_rook | attacks::king(position.king(enemy));
        for square in position.pieces(enemy, Role::Queen) {
            all |= attacks::queen(square, occupied);
        }
        Threats { by_pawn, by_minor, by_rook, all }
    }

    /// Whether the origin or the target of a move is attacked.
    #[inline(always)]
    pub fn touch(&self, mv: Move) -> bool {
        self.all.has(mv.from()) || self.all.has(mv.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threats_are_all_attacks() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let threats = Threats::of(&position);
            assert_eq!(threats.all, position.attacked_by(!position.turn()), "{fen}");
            assert_eq!(threats.by_pawn & threats.by_minor, threats.by_pawn);
            assert_eq!(threats.by_minor & threats.by_rook, threats.by_minor);
            assert_eq!(threats.by_rook & threats.all, threats.by_rook);
        }
    }

    /// Such moves are not tested by SEE.
    #[test]
    fn quiet_moves_between_safe_squares_lose_nothing() {
        let mut safe = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r2q1rk1/pp1b1ppp/2n1pn2/3p4/1b1P4/2NBPN2/PP1Q1PPP/R1B2RK1 w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/1r2P3/8/3q4/R2BK2R w KQ - 0 1",
        ] {
            let start = Position::from_fen(fen).unwrap();
            for position in start.legal_moves().iter().map(|&mv| start.after(mv)).chain([start]) {
                let threats = Threats::of(&position);
                for &mv in position.legal_moves().iter() {
                    if !position.is_noisy(mv) && !threats.touch(mv) {
                        assert_eq!(position.see(mv), 0, "{position:?} {mv:?}");
                        safe += 1;
                    }
                }
            }
        }
        assert!(safe > 1000, "{safe}");
    }
}
