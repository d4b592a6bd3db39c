//! The refresh cache ("Finny table"): the last accumulator of each view, so that a king move that changes the view costs only
//! what changed since.

use chess::{Bitboard, Color, Piece, Position, Role};

use crate::network::{Network, Row};
use crate::shape::KingView;
use crate::simd::SimdPath;

/// The accumulator of a perspective's last refresh, and its pieces.
struct Entry {
    units: Box<[Row]>,
    /// By [`Piece::index`].
    pieces: [Bitboard; Piece::COUNT],
}

/// Entries for both colours, by [`KingView::index`].
pub(crate) struct RefreshCache([Box<[Entry]>; 2]);

impl RefreshCache {
    /// A cache of empty boards.
    pub fn new(network: &Network) -> RefreshCache {
        let entry = || Entry { units: network.feature_bias.clone(), pieces: [Bitboard::EMPTY; Piece::COUNT] };
        RefreshCache([(); 2].map(|()| (0..KingView::COUNT).map(|_| entry()).collect()))
    }

    /// Computes a perspective's accumulator for a position.
    pub fn refresh(
        &mut self,
        network: &Network,
        path: SimdPath,
        position: &Position,
        perspective: Color,
        view: KingView,
        target: &mut [Row],
    ) {
        let entry = &mut self.0[perspective.index()][view.index()];
        let (mut added, mut removed) = (Features::new(), Features::new());
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece::new(color, role);
                let now = position.pieces(color, role);
                let before = std::mem::replace(&mut entry.pieces[piece.index()], now);
                for square in now & !before {
                    added.push(view.feature(perspective, piece, square));
                }
                for square in before & !now {
                    removed.push(view.feature(perspective, piece, square));
                }
            }
        }
        path.refresh(
            &mut entry.units,
            target,
            &network.feature_weights,
            added.as_slice(),
            removed.as_slice(),
        );
    }
}

/// The features of at most one position's pieces.
struct Features {
    list: [u16; 32],
    len: usize,
}

impl Features {
    fn new() -> Features {
        Features { list: [0; 32], len: 0 }
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        self.list[self.len] = feature as u16;
        self.len += 1;
    }

    fn as_slice(&self) -> &[u16] {
        &self.list[..self.len]
    }
}
