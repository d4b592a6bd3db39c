//! Killers: what has cut off in a sibling of a node often does it there too. The search keeps them by ply, and
//! the picker hands them out before the other quiet moves.

use chess::Move;

/// The last two quiet moves that cut off at a ply, the later one first. They are never the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Killers(pub(super) [Move; 2]);

impl Killers {
    /// Nothing has cut off yet.
    pub const NONE: Killers = Killers([Move::NONE; 2]);

    /// A quiet move has cut off.
    #[inline]
    pub fn learn(&mut self, mv: Move) {
        if self.0[0] != mv {
            self.0 = [mv, self.0[0]];
        }
    }
}
