//! A mean with its uncertainty, from numbers that come one at a time.

/// Mean and spread of numbers (Welford's way, which does not lose digits).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    count: u64,
    center: f64,
    squares: f64,
}

impl Mean {
    /// Takes a number into account.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let step = number - self.center;
        self.center += step / self.count as f64;
        self.squares += step * (number - self.center);
    }

    /// How many numbers there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 if there were none.
    pub fn mean(&self) -> f64 {
        self.center
    }

    /// The standard error of the mean; infinite if there are too few numbers to tell.
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
    fn mean_and_error_are_those_of_the_textbook() {
        let mut mean = Mean::default();
        for number in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            mean.add(number);
        }
        assert!((mean.mean() - 5.0).abs() < 1e-12);
        assert!((mean.error() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert!(Mean::default().error().is_infinite());
    }
}
