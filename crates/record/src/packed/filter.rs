//! The filter of training positions, applied when games are read.

use super::Sample;

/// All conditions must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Minimum ply, to skip the random opening.
    pub min_ply: u32,
    /// Minimum number of pieces, kings included.
    pub min_pieces: u32,
    /// Maximum absolute score.
    pub max_score: u16,
    /// Keep positions in check.
    pub checks: bool,
    /// Keep positions whose best move is a capture or promotion. A position without a move counts as quiet.
    pub noisy: bool,
}

impl Filter {
    pub const EVERYTHING: Filter =
        Filter { min_ply: 0, min_pieces: 0, max_score: u16::MAX, checks: true, noisy: true };
}

impl Default for Filter {
    /// Quiet positions after the opening, without decided ones.
    fn default() -> Filter {
        Filter { min_ply: 16, min_pieces: 4, max_score: 10_000, checks: false, noisy: false }
    }
}

impl Filter {
    pub fn keeps(&self, sample: &Sample) -> bool {
        let position = &sample.position;
        position.ply() >= self.min_ply
            && sample.score.unsigned_abs() <= self.max_score
            && position.occupied().count() >= self.min_pieces
            && (self.checks || !position.in_check())
            && (self.noisy || !sample.mv.is_some_and(|mv| position.is_noisy(mv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::PackedResult;
    use chess::Position;

    #[test]
    fn every_condition_filters() {
        let sample = |fen: &str, mv: &str, score| {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            Sample { position, mv: Some(mv), score, result: PackedResult::Draw, index: 0 }
        };
        let filter = Filter::default();
        assert!(filter.keeps(&sample("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 20", "e4e5", 50)));
        for (fen, mv, score) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 5", "e4e5", 50),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 20", "e4e5", 50),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 20", "e4e5", -10_001),
            ("4k3/8/8/3p4/4P3/8/4r3/4K3 w - - 0 20", "e1e2", 50),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 20", "e4d5", 50),
        ] {
            assert!(!filter.keeps(&sample(fen, mv, score)), "{fen} {mv} {score}");
            assert!(Filter::EVERYTHING.keeps(&sample(fen, mv, score)));
        }
    }
}
