//! The Mersenne Twister MT19937-64 of Nishimura and Matsumoto, with which fastchess shuffles books: the same `-srand` gives the
//! same openings.

const WORDS: usize = 312;
const MIDDLE: usize = 156;

/// The generator of C++'s `std::mt19937_64`.
pub struct Mersenne {
    state: [u64; WORDS],
    used: usize,
}

impl Mersenne {
    pub fn new(seed: u64) -> Self {
        let mut state = [seed; WORDS];
        for i in 1..WORDS {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005_u64.wrapping_mul(last ^ (last >> 62)).wrapping_add(i as u64);
        }
        Self { state, used: WORDS }
    }

    /// The next block of numbers.
    fn refill(&mut self) {
        const UPPER: u64 = !0 << 31;
        for i in 0..WORDS {
            let joined = self.state[i] & UPPER | self.state[(i + 1) % WORDS] & !UPPER;
            let twisted = joined >> 1 ^ if joined & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ twisted;
        }
        self.used = 0;
    }

    pub fn next(&mut self) -> u64 {
        if self.used == WORDS {
            self.refill();
        }
        let mut word = self.state[self.used];
        self.used += 1;
        word ^= word >> 29 & 0x5555_5555_5555_5555;
        word ^= word << 17 & 0x71D6_7FFF_EDA6_0000;
        word ^= word << 37 & 0xFFF7_EEE0_0000_0000;
        word ^ word >> 43
    }

    /// Fisher and Yates's shuffle, from the front.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in 0..items.len().saturating_sub(1) {
            let left = (items.len() - i) as u64;
            items.swap(i, i + (self.next() % left) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard gives the 10,000th number for the default seed.
    #[test]
    fn number_of_the_standard() {
        let mut random = Mersenne::new(5489);
        let last = (0..10_000).map(|_| random.next()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }
}
