//! A running mean with its standard error.

/// Running mean and variance (Welford's algorithm).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    count: u64,
    center: f64,
    squares: f64,
}

impl Mean {
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let step = number - self.center;
        self.center += step / self.count as f64;
        self.squares += step * (number - self.center);
    }

    /// The number of samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without samples.
    pub fn mean(&self) -> f64 {
        self.center
    }

    /// The standard error of the mean; infinite with too few samples.
    pub fn error(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        (self.squares / (self.count - 1) as f64 / self.count as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_standard_error() {
        let mut mean = Mean::default();
        for number in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            mean.add(number);
        }
        assert!((mean.mean() - 5.0).abs() < 1e-12);
        assert!((mean.error() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert!(Mean::default().error().is_infinite());
    }
}
