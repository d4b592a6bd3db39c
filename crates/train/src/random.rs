//! Stateless random numbers: the same seed and index give the same bits on every machine, in any order.
//! They determine order and split of the data and the initial weights.

pub use splitmix::mix;
use support::random as splitmix;

pub fn bits(seed: u64, index: u64) -> u64 {
    mix(mix(seed).wrapping_add(index.wrapping_mul(splitmix::STEP)))
}

/// The `index`-th draw from `[0, 1)`.
pub fn unit(seed: u64, index: u64) -> f64 {
    splitmix::unit(bits(seed, index))
}

/// The `index`-th draw from the standard normal distribution (Box-Muller).
pub fn normal(seed: u64, index: u64) -> f64 {
    let radius = (-2.0 * (1.0 - unit(seed, 2 * index)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(seed, 2 * index + 1)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_draws_have_mean_zero_and_deviation_one() {
        let draws: Vec<f64> = (0..20_000).map(|index| normal(3, index)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let square = draws.iter().map(|draw| draw * draw).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.03, "mean {mean}");
        assert!((square - 1.0).abs() < 0.05, "mean square {square}");
    }

    #[test]
    fn seeds_give_different_draws() {
        assert_ne!(bits(1, 0), bits(2, 0));
        assert_ne!(bits(1, 0), bits(1, 1));
    }
}
