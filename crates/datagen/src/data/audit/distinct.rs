//! Counts distinct keys in bounded memory.

use std::collections::HashMap;

use support::random::Random;

/// Counts keys and distinct keys. When there are too many to store, only a random half of all possible keys
/// is sampled from then on, and so on; the duplicate rate of the sample is the estimate.
#[derive(Clone, Debug)]
pub struct Distinct {
    limit: usize,
    /// Only keys whose hash ends in this many zero bits are sampled.
    level: u32,
    watched: HashMap<u64, u32>,
    seen: u64,
}

impl Distinct {
    /// A counter that stores at most `limit` keys.
    pub fn new(limit: usize) -> Distinct {
        Distinct { limit: limit.max(1), level: 0, watched: HashMap::new(), seen: 0 }
    }

    /// Adds a key, and returns whether it is known to be a duplicate.
    pub fn add(&mut self, key: u64) -> bool {
        self.seen += 1;
        if !is_watched(key, self.level) {
            return false;
        }
        let count = self.watched.entry(key).or_insert(0);
        *count += 1;
        let known = *count > 1;
        while self.watched.len() > self.limit {
            self.level += 1;
            let level = self.level;
            self.watched.retain(|&key, _| is_watched(key, level));
        }
        known
    }

    /// The number of keys.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The duplicate rate, from 0 to 1.
    pub fn duplicate_share(&self) -> f64 {
        let all: u64 = self.watched.values().map(|&count| u64::from(count)).sum();
        if all == 0 { 0.0 } else { 1.0 - self.watched.len() as f64 / all as f64 }
    }

    /// The count of the most frequent sampled key.
    pub fn most_common(&self) -> u32 {
        self.watched.values().copied().max().unwrap_or(0)
    }

    /// Whether the counts come from a sample.
    pub fn is_sample(&self) -> bool {
        self.level > 0
    }
}

fn is_watched(key: u64, level: u32) -> bool {
    // The key may be a Zobrist key with structure in its low bits.
    Random::new(key).bits().trailing_zeros() >= level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_counted() {
        let mut distinct = Distinct::new(100);
        for key in [1, 2, 3, 2, 2, 3] {
            distinct.add(key);
        }
        assert!((distinct.duplicate_share() - 0.5).abs() < 1e-12);
        assert_eq!((distinct.seen(), distinct.most_common(), distinct.is_sample()), (6, 3, false));
    }

    #[test]
    fn sample_estimates_duplicate_rate() {
        let mut distinct = Distinct::new(2_000);
        for key in 0..40_000_u64 {
            distinct.add(key % 30_000);
        }
        assert!(distinct.is_sample());
        assert!((distinct.duplicate_share() - 0.25).abs() < 0.03, "{}", distinct.duplicate_share());
    }
}
