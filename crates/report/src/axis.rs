//! Axes: ranges, round ticks and their labels.

/// The part of an axis that a chart shows, mapped to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Pixels of `low` and `high`.
    pixels: (f64, f64),
}

impl Axis {
    /// `low` and `high` are values; on a logarithmic axis everything below 1 is drawn at 1.
    pub fn new(low: f64, high: f64, logarithmic: bool, pixels: (f64, f64)) -> Self {
        let place = |value: f64| if logarithmic { value.max(1.0).log10() } else { value };
        let (low, high) = (place(low), place(high));
        let high = if high - low < 1e-12 { low + 1.0 } else { high };
        Self { low, high, logarithmic, pixels }
    }

    pub fn pixel(&self, value: f64) -> f64 {
        let place = if self.logarithmic { value.max(1.0).log10() } else { value };
        let (from, to) = self.pixels;
        from + (place - self.low) / (self.high - self.low) * (to - from)
    }

    /// Four or five round values with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let step = round_step(self.low, self.high);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step + 1e-9).floor() as i64);
        let value = |count: i64| {
            let place = count as f64 * step;
            if self.logarithmic { 10f64.powf(place) } else { place }
        };
        let decimals = if self.logarithmic { 0 } else { decimals_of(step) };
        (first..=last).map(value).map(|value| (value, label(value, decimals))).collect()
    }
}

/// 1, 2 or 5 times a power of ten.
fn round_step(low: f64, high: f64) -> f64 {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    step.unwrap_or(10.0 * power)
}

/// Decimals with which multiples of a step differ.
fn decimals_of(step: f64) -> usize {
    (-step.log10() - 1e-9).ceil().clamp(0.0, 6.0) as usize
}

fn label(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if size >= 1e6 {
        format!("{:.1} M", value / 1e6)
    } else if size >= 1e4 {
        format!("{:.0} k", value / 1e3)
    } else {
        format!("{value:.decimals$}")
    }
}

/// Smallest and greatest of the finite values.
pub fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, logarithmic: bool) -> Vec<String> {
        Axis::new(low, high, logarithmic, (0.0, 1.0)).ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(-24.0, 97.0, false), ["0", "50"]);
        assert_eq!(labels(1.0, 9.0, false), ["2", "4", "6", "8"]);
        assert_eq!(labels(0.0, 200.0, false), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(0.0, 1.0, false), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(0.061, 0.078, false), ["0.065", "0.070", "0.075"]);
        assert_eq!(labels(0.0, 60_000.0, false), ["0", "20 k", "40 k", "60 k"]);
        assert_eq!(labels(1.0, 1e8, true), ["1", "100", "10 k", "1.0 M", "100.0 M"]);
    }

    #[test]
    fn y_grows_upwards() {
        let axis = Axis::new(0.0, 10.0, false, (200.0, 0.0));
        assert!((axis.pixel(0.0) - 200.0).abs() < 1e-9 && (axis.pixel(10.0)).abs() < 1e-9);
        let logarithmic = Axis::new(1.0, 100.0, true, (0.0, 100.0));
        assert!((logarithmic.pixel(10.0) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn range_ignores_what_is_not_finite() {
        assert_eq!(range([f64::NAN, 3.0, f64::INFINITY, -1.0].into_iter()), Some((-1.0, 3.0)));
        assert_eq!(range([f64::NAN].into_iter()), None);
    }
}
