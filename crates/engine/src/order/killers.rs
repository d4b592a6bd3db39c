//! Killers: quiet moves that caused a cutoff in a sibling node. They are stored by ply, and the picker
//! returns them before the other quiet moves.

use chess::Move;

/// The last two quiet moves that caused a cutoff at a ply, the latest first. They are never equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Killers(pub(super) [Move; 2]);

impl Killers {
    /// No killers.
    pub const NONE: Killers = Killers([Move::NONE; 2]);

    /// Adds a quiet move that caused a cutoff.
    #[inline]
    pub fn learn(&mut self, mv: Move) {
        if self.0[0] != mv {
            self.0 = [mv, self.0[0]];
        }
    }
}
