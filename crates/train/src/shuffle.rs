//! The order in which an epoch sees the positions: a permutation that is computed, not stored.
//!
//! It takes no memory, the GPU computes it for itself, and a training that resumes only has to know where it
//! stopped. The bits of a number are split into two halves that scramble each other for a few rounds (a Feistel
//! network), which is a permutation of the next power of four; numbers that land outside are sent round again.

use crate::random;

/// Rounds of scrambling. Six pass for random with room to spare; each costs a multiplication.
pub const ROUNDS: usize = 6;

/// A random order of the numbers below a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    length: u32,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

impl Shuffle {
    /// The order of `length` numbers in an epoch.
    pub fn new(seed: u64, epoch: u64, length: u32) -> Self {
        let bits = u32::BITS - length.saturating_sub(1).leading_zeros();
        let epoch_seed = random::bits(seed, epoch);
        let keys = std::array::from_fn(|round| random::bits(epoch_seed, round as u64) as u32);
        Self { length, half_bits: bits.div_ceil(2).max(1), keys }
    }

    /// Bits of each half, for whoever computes the permutation elsewhere.
    pub fn half_bits(&self) -> u32 {
        self.half_bits
    }

    /// The key of each round, for whoever computes the permutation elsewhere.
    pub fn keys(&self) -> [u32; ROUNDS] {
        self.keys
    }

    /// Which number comes at a place of the order; the place must be below the length.
    pub fn at(&self, place: u32) -> u32 {
        debug_assert!(place < self.length);
        let mut number = place;
        loop {
            number = self.scramble(number);
            if number < self.length {
                return number;
            }
        }
    }

    fn scramble(&self, number: u32) -> u32 {
        let mask = ((1u64 << self.half_bits) - 1) as u32;
        let (mut left, mut right) = ((u64::from(number) >> self.half_bits) as u32, number & mask);
        for key in self.keys {
            let mut noise = (right ^ key).wrapping_mul(0x9e37_79b1);
            noise ^= noise >> 15;
            noise = noise.wrapping_mul(0x85eb_ca77);
            noise ^= noise >> 13;
            (left, right) = (right, (left ^ noise) & mask);
        }
        ((u64::from(left) << self.half_bits) | u64::from(right)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_exactly_once() {
        for length in [1, 2, 3, 5, 16, 17, 1000, 4096, 70_001] {
            let shuffle = Shuffle::new(9, 4, length);
            let mut seen = vec![false; length as usize];
            for place in 0..length {
                let number = shuffle.at(place) as usize;
                assert!(!std::mem::replace(&mut seen[number], true), "{number} twice of {length}");
            }
        }
    }

    #[test]
    fn epochs_have_different_orders_without_pattern() {
        const LENGTH: u32 = 10_000;
        let [first, second] = [0, 1].map(|epoch| Shuffle::new(1, epoch, LENGTH));
        let places = (0..LENGTH).filter(|&place| first.at(place) == second.at(place)).count();
        assert!(places < 20, "{places} numbers keep their place");
        // Neighbours are as far apart as random numbers are: a third of the length on average.
        let distance: f64 =
            (1..LENGTH).map(|place| f64::from(first.at(place).abs_diff(first.at(place - 1)))).sum();
        let mean = distance / f64::from(LENGTH - 1) / f64::from(LENGTH);
        assert!((mean - 1.0 / 3.0).abs() < 0.02, "mean distance {mean}");
    }

    #[test]
    fn the_largest_length_does_not_overflow() {
        let shuffle = Shuffle::new(1, 0, u32::MAX);
        assert!((0..1000).all(|place| shuffle.at(u32::MAX - 1 - place) < u32::MAX));
    }
}
