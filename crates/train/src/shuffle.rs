//! The order of an epoch: a permutation that is computed, not stored.
//!
//! It takes no memory, the GPU computes it by itself, and a resumed training only needs the step number. It is a
//! Feistel network over the next power of four, with cycle walking:
//! indices outside of the range are permuted again.

use crate::random;

/// Feistel rounds. Six pass tests of randomness with a margin; each costs a multiplication.
pub const ROUNDS: usize = 6;

/// A random permutation of `0..length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    length: u32,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

impl Shuffle {
    pub fn new(seed: u64, epoch: u64, length: u32) -> Self {
        let bits = u32::BITS - length.saturating_sub(1).leading_zeros();
        let epoch_seed = random::bits(seed, epoch);
        let keys = std::array::from_fn(|round| random::bits(epoch_seed, round as u64) as u32);
        Self { length, half_bits: bits.div_ceil(2).max(1), keys }
    }

    /// Bits of each half, for the GPU.
    pub fn half_bits(&self) -> u32 {
        self.half_bits
    }

    /// Round keys, for the GPU.
    pub fn keys(&self) -> [u32; ROUNDS] {
        self.keys
    }

    /// The element at an index, which must be below the length.
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
    fn shuffle_is_a_permutation() {
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
    fn epochs_have_different_orders() {
        const LENGTH: u32 = 10_000;
        let [first, second] = [0, 1].map(|epoch| Shuffle::new(1, epoch, LENGTH));
        let places = (0..LENGTH).filter(|&place| first.at(place) == second.at(place)).count();
        assert!(places < 20, "{places} numbers keep their place");
        // Successive elements differ by a third of the length on average, as random numbers do.
        let distance: f64 =
            (1..LENGTH).map(|place| f64::from(first.at(place).abs_diff(first.at(place - 1)))).sum();
        let mean = distance / f64::from(LENGTH - 1) / f64::from(LENGTH);
        assert!((mean - 1.0 / 3.0).abs() < 0.02, "mean distance {mean}");
    }

    #[test]
    fn largest_length_does_not_overflow() {
        let shuffle = Shuffle::new(1, 0, u32::MAX);
        assert!((0..1000).all(|place| shuffle.at(u32::MAX - 1 - place) < u32::MAX));
    }
}
