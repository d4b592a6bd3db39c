//! Remaining depth, in fractions of a ply.

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Remaining depth in 1024ths of a ply. Reductions and extensions are rarely whole plies; the
/// fractions add up along a line instead of being rounded at every node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Depth(pub i32);

impl Depth {
    /// Nothing.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const ONE: Depth = Depth(1024);

    /// Whole plies.
    #[inline(always)]
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * Depth::ONE.0)
    }

    /// Whole plies, rounded down.
    #[inline(always)]
    pub const fn whole(self) -> i32 {
        self.0 >> 10
    }
}

impl Add for Depth {
    type Output = Depth;

    #[inline(always)]
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;

    #[inline(always)]
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl AddAssign for Depth {
    #[inline(always)]
    fn add_assign(&mut self, other: Depth) {
        self.0 += other.0;
    }
}

impl SubAssign for Depth {
    #[inline(always)]
    fn sub_assign(&mut self, other: Depth) {
        self.0 -= other.0;
    }
}
