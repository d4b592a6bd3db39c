//! Correction history: the difference between static evaluation and search score, stored by features of the
//! position, and added to the evaluation of positions that share them.

use super::history::PieceTo;
use crate::params::Params;
use crate::{Depth, Score};
use chess::{Color, Position};

/// Entries for each feature and side.
const SIZE: usize = 16_384;
/// Entries are in 256ths of a centipawn, up to this limit.
const LIMIT: i32 = 64 * 256;

type BySide = [Box<[i16]>; 2];

/// The corrections of one thread.
pub struct Corrections {
    pawn: BySide,
    minor: BySide,
    /// By side: own pieces, enemy pieces.
    non_pawn: [BySide; 2],
    continuation: BySide,
    far: BySide,
}

/// The entries of a position, computed once for reading and writing.
#[derive(Clone, Copy)]
pub struct Features {
    side: Color,
    pawn: usize,
    minor: usize,
    non_pawn: [usize; 2],
    continuation: usize,
    far: usize,
}

impl Features {
    /// The features of a position reached by these moves, one, two and four plies before. All are relative to
    /// the side to move, so mirrored positions have mirrored corrections.
    #[inline]
    pub fn of(position: &Position, [last, before_last, far]: [PieceTo; 3]) -> Features {
        let side = position.turn();
        let fold = |key: u64| position.relative_key(key) as usize % SIZE;
        let with_last = |earlier: PieceTo| {
            let mixed = last.relative_hash(side) ^ earlier.relative_hash(side).rotate_left(10);
            (mixed.wrapping_mul(0x9E37_79B9) >> 16) as usize % SIZE
        };
        Features {
            side,
            pawn: fold(position.pawn_key()),
            minor: fold(position.minor_key()),
            non_pawn: [side, !side].map(|color| fold(position.non_pawn_key(color))),
            continuation: with_last(before_last),
            far: with_last(far),
        }
    }
}

impl Corrections {
    /// All corrections 0.
    pub fn new() -> Corrections {
        let entries = || vec![0; SIZE].into_boxed_slice();
        let by_side = || [entries(), entries()];
        Corrections {
            pawn: by_side(),
            minor: by_side(),
            non_pawn: [by_side(), by_side()],
            continuation: by_side(),
            far: by_side(),
        }
    }

    /// Clears all corrections.
    pub fn clear(&mut self) {
        *self = Corrections::new();
    }

    /// The correction in centipawns.
    #[inline]
    pub fn get(&self, params: &Params, features: &Features) -> i32 {
        let side = features.side.index();
        let sum = params.correction_pawn() * i32::from(self.pawn[side][features.pawn])
            + params.correction_minor() * i32::from(self.minor[side][features.minor])
            + params.correction_non_pawn()
                * (i32::from(self.non_pawn[0][side][features.non_pawn[0]])
                    + i32::from(self.non_pawn[1][side][features.non_pawn[1]]))
            + params.correction_continuation() * i32::from(self.continuation[side][features.continuation])
            + params.correction_far() * i32::from(self.far[side][features.far]);
        sum / (128 * 256)
    }

    /// A search of this depth scored `error` centipawns more than the corrected evaluation. The entries add up
    /// what is still wrong, until it vanishes.
    pub fn learn(&mut self, params: &Params, features: &Features, depth: Depth, error: i32) {
        let weight = 256 * depth.whole().clamp(1, 16);
        let change = error.clamp(-2000, 2000) * weight / params.correction_slowness();
        let change = change.clamp(-LIMIT / 4, LIMIT / 4);
        let side = features.side.index();
        let [own, enemy] = &mut self.non_pawn;
        let entries = [
            &mut self.pawn[side][features.pawn],
            &mut self.minor[side][features.minor],
            &mut own[side][features.non_pawn[0]],
            &mut enemy[side][features.non_pawn[1]],
            &mut self.continuation[side][features.continuation],
            &mut self.far[side][features.far],
        ];
        for entry in entries {
            let value = i32::from(*entry);
            *entry = (value + change - value * change.abs() / LIMIT) as i16;
        }
    }
}

/// Whether a result updates the corrections: not a mate score, and an exact score or a bound that the
/// evaluation violates.
#[inline]
pub fn is_correction(score: Score, evaluation: Score, bound: crate::Bound) -> bool {
    !score.is_decisive()
        && match bound {
            crate::Bound::Exact => true,
            crate::Bound::Lower => score > evaluation,
            crate::Bound::Upper => score < evaluation,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_errors_are_corrected() {
        let mut corrections = Corrections::new();
        let features = Features::of(&Position::startpos(), [PieceTo::NONE; 3]);
        let params = Params::default();
        assert_eq!(corrections.get(&params, &features), 0);
        // What is left of an error of 50 centipawns vanishes.
        for _ in 0..200 {
            let error = 50 - corrections.get(&params, &features);
            corrections.learn(&params, &features, Depth::plies(10), error);
        }
        let learned = corrections.get(&params, &features);
        assert!((48..=52).contains(&learned), "{learned}");
        (0..2000).for_each(|_| corrections.learn(&params, &features, Depth::plies(10), -30_000));
        let learned = corrections.get(&params, &features);
        assert!((-300..0).contains(&learned), "{learned}");
    }
}
