//! Which positions of a game are worth learning from. Applied when games are read.

use super::Sample;

/// A filter of positions. All conditions must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Least number of half moves since a game's move 1: what comes before is the opening's randomness.
    pub min_ply: u32,
    /// Least number of men on the board, kings included.
    pub min_men: u32,
    /// Scores above this, for either side, are left out.
    pub max_score: u16,
    /// Whether positions in check are kept.
    pub checks: bool,
    /// Whether positions are kept whose best move captures or promotes: their static value says little.
    pub noisy: bool,
}

impl Filter {
    /// Keeps every position.
    pub const EVERYTHING: Filter =
        Filter { min_ply: 0, min_men: 0, max_score: u16::MAX, checks: true, noisy: true };
}

impl Default for Filter {
    /// What a network is usually taught: quiet positions after the opening, without decided ones.
    fn default() -> Filter {
        Filter { min_ply: 16, min_men: 4, max_score: 10_000, checks: false, noisy: false }
    }
}

impl Filter {
    /// Whether a position passes.
    pub fn keeps(&self, sample: &Sample) -> bool {
        let position = &sample.position;
        position.ply() >= self.min_ply
            && sample.score.unsigned_abs() <= self.max_score
            && position.occupied().count() >= self.min_men
            && (self.checks || !position.in_check())
            && (self.noisy || !position.is_noisy(sample.mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::Wdl;
    use chess::Position;

    #[test]
    fn each_condition_is_asked() {
        let sample = |fen: &str, mv: &str, score| {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            Sample { position, mv, score, result: Wdl::Draw, index: 0 }
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
