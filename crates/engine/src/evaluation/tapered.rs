//! A middlegame and an endgame value in one integer: every term of the evaluation adds up such pairs.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame value (lower 16 bits) and an endgame value (upper 16 bits), in centipawns.
///
/// Both halves are added, subtracted and multiplied by one instruction. A negative middlegame value borrows
/// one from the upper half, which [`endgame`](Tapered::endgame) gives back, so the results are exact as long
/// as each half stays within 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Tapered = Tapered(0);

    /// The pair of these two values.
    #[inline(always)]
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16).wrapping_add(middlegame))
    }

    /// What counts while all pieces are on the board.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// What counts when the last piece is gone.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(factor))
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::Tapered;

    const VALUES: [i32; 7] = [-3000, -801, -1, 0, 1, 640, 3000];

    #[test]
    fn both_halves_survive_packing_and_arithmetic() {
        for a in VALUES {
            for b in VALUES {
                let pair = Tapered::new(a, b);
                assert_eq!((pair.middlegame(), pair.endgame()), (a, b));
                let other = Tapered::new(b, a);
                let halves = |pair: Tapered| (pair.middlegame(), pair.endgame());
                assert_eq!(halves(pair + other), (a + b, b + a));
                assert_eq!(halves(pair - other), (a - b, b - a));
                assert_eq!(halves(-pair), (-a, -b));
                assert_eq!(halves(pair * -7), (-7 * a, -7 * b));
            }
        }
    }
}
