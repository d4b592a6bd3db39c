//! Which material and which king squares occur.

use chess::{Color, Position, Role};

/// Counts of positions by material and king squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// By number of pieces, kings included.
    pub pieces: [u64; 33],
    /// By square of each side's king, from that side's point of view, White first.
    pub kings: [[u64; 64]; 2],
    /// By number of queens of both sides: none, one side, both sides.
    pub queens: [u64; 3],
    /// Positions without pawns.
    pub pawnless: u64,
    /// Positions with unequal material.
    pub unequal: u64,
    /// Positions with White to move.
    pub white_to_move: u64,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage {
            pieces: [0; 33],
            kings: [[0; 64]; 2],
            queens: [0; 3],
            pawnless: 0,
            unequal: 0,
            white_to_move: 0,
        }
    }
}

impl Coverage {
    pub fn add(&mut self, position: &Position) {
        self.pieces[position.occupied().count() as usize] += 1;
        for color in Color::ALL {
            self.kings[color.index()][position.king(color).relative_to(color).index()] += 1;
        }
        let sides = Color::ALL.into_iter().filter(|&color| position.count(color, Role::Queen) > 0);
        self.queens[sides.count()] += 1;
        self.pawnless += u64::from(position.role(Role::Pawn).is_empty());
        let unequal = Role::ALL
            .iter()
            .any(|&role| position.count(Color::White, role) != position.count(Color::Black, role));
        self.unequal += u64::from(unequal);
        self.white_to_move += u64::from(position.turn() == Color::White);
    }

    /// The total variation distance between the distributions of both kings, from 0 (equal) to 1 (never on
    /// the same square).
    pub fn king_asymmetry(&self) -> f64 {
        let total: u64 = self.kings[0].iter().sum();
        let difference: u64 =
            self.kings[0].iter().zip(&self.kings[1]).map(|(white, black)| white.abs_diff(*black)).sum();
        difference as f64 / (2 * total.max(1)) as f64
    }

    /// King squares, from its side's point of view, that occur for neither side.
    pub fn unseen_king_squares(&self) -> usize {
        (0..64).filter(|&square| self.kings[0][square] + self.kings[1][square] == 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_positions_are_covered_alike() {
        let position =
            Position::from_fen("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/2KR3R w - - 0 10")
                .unwrap();
        let mut coverage = Coverage::default();
        coverage.add(&position);
        assert!((coverage.king_asymmetry() - 1.0).abs() < 1e-12);
        coverage.add(&position.color_mirrored());
        assert!(coverage.king_asymmetry() < 1e-12);
        assert_eq!((coverage.pieces[32], coverage.queens, coverage.white_to_move), (2, [0, 0, 2], 1));
        assert_eq!(coverage.unseen_king_squares(), 62);
    }
}
