//! How a score translates into a result: points = 1 / (1 + exp(-(score + shift) / scale)).

use chess::Color;

/// A position with its score and the result of its game, from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredResult {
    /// Centipawns.
    pub score: f64,
    /// 0, ½ or 1.
    pub points: f64,
    /// The side to move.
    pub turn: Color,
}

/// A fitted curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// Change of the log odds per centipawn.
    pub slope: f64,
    /// Standard error of the slope.
    pub slope_error: f64,
    /// White's log odds at a score of 0.
    pub intercept: f64,
    /// Its standard error.
    pub intercept_error: f64,
    /// The number of positions.
    pub count: usize,
}

/// The minimum number of positions.
const FEWEST: usize = 50;
/// Scores are divided by this, to keep the numbers near one.
const UNIT: f64 = 100.0;

impl Fit {
    /// Fits the curve by maximum likelihood (Newton's method), a draw counting as half a win. Standard errors
    /// are those of the sandwich estimator, which does not assume binomial results. `None` when there are too
    /// few positions, or when the fit diverges: all results equal, or all of them predicted by the score's
    /// sign.
    pub fn of(points: &[ScoredResult]) -> Option<Fit> {
        let alike = |pair: &[ScoredResult]| (pair[0].points - pair[1].points).abs() < f64::EPSILON;
        if points.len() < FEWEST || points.windows(2).all(alike) {
            return None;
        }
        let (mut slope, mut intercept) = (0.0, 0.0);
        let mut found = None;
        for _ in 0..30 {
            let sums = Sums::at(points, slope, intercept);
            let inverse = sums.inverse()?;
            let step = [
                inverse[0] * sums.gradient[0] + inverse[1] * sums.gradient[1],
                inverse[1] * sums.gradient[0] + inverse[2] * sums.gradient[1],
            ];
            // Limit the step: without noise the slope diverges.
            slope = (slope + step[0].clamp(-1.0, 1.0)).clamp(-20.0, 20.0);
            intercept = (intercept + step[1].clamp(-1.0, 1.0)).clamp(-20.0, 20.0);
            if step[0].abs() + step[1].abs() < 1e-9 {
                found = Some(sums);
                break;
            }
        }
        let sums = found?;
        let [slope_error, intercept_error] = sums.errors()?;
        Some(Fit {
            slope: slope / UNIT,
            slope_error: slope_error / UNIT,
            intercept,
            intercept_error,
            count: points.len(),
        })
    }

    /// Centipawns that multiply the odds by e.
    pub fn scale(&self) -> f64 {
        1.0 / self.slope
    }

    /// How much results favour White beyond the scores, in centipawns.
    pub fn shift(&self) -> f64 {
        self.intercept / self.slope
    }

    /// White's expected points at a score.
    pub fn points(&self, score: f64) -> f64 {
        sigmoid(self.slope * score + self.intercept)
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The sums of one Newton step: slope first, intercept second; symmetric matrices as three numbers.
struct Sums {
    gradient: [f64; 2],
    curvature: [f64; 3],
    spread: [f64; 3],
}

impl Sums {
    fn at(points: &[ScoredResult], slope: f64, intercept: f64) -> Sums {
        let mut sums = Sums { gradient: [0.0; 2], curvature: [0.0; 3], spread: [0.0; 3] };
        for point in points {
            let x = point.score / UNIT;
            let expected = sigmoid(slope * x + intercept);
            let residual = point.points - expected;
            let weight = expected * (1.0 - expected);
            sums.gradient[0] += residual * x;
            sums.gradient[1] += residual;
            for (place, product) in [x * x, x, 1.0].into_iter().enumerate() {
                sums.curvature[place] += weight * product;
                sums.spread[place] += residual * residual * product;
            }
        }
        sums
    }

    fn inverse(&self) -> Option<[f64; 3]> {
        let [a, b, c] = self.curvature;
        let determinant = a * c - b * b;
        (determinant > 1e-12).then(|| [c / determinant, -b / determinant, a / determinant])
    }

    /// Standard errors of slope and intercept.
    fn errors(&self) -> Option<[f64; 2]> {
        let [p, q, r] = self.inverse()?;
        let [a, b, c] = self.spread;
        let slope = p * p * a + 2.0 * p * q * b + q * q * c;
        let intercept = q * q * a + 2.0 * q * r * b + r * r * c;
        Some([slope.max(0.0).sqrt(), intercept.max(0.0).sqrt()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::random::Random;

    fn points(scale: f64, shift: f64, count: usize) -> Vec<ScoredResult> {
        let mut random = Random::new(9);
        (0..count)
            .map(|_| {
                let score = 600.0 * (random.unit() - 0.5);
                let won = random.unit() < sigmoid((score + shift) / scale);
                ScoredResult { score, points: f64::from(u8::from(won)), turn: Color::White }
            })
            .collect()
    }

    #[test]
    fn true_curve_is_recovered() {
        let fit = Fit::of(&points(180.0, 40.0, 50_000)).unwrap();
        assert!((fit.scale() - 180.0).abs() < 8.0, "{fit:?}");
        assert!((fit.shift() - 40.0).abs() < 8.0, "{fit:?}");
        assert!(fit.intercept / fit.intercept_error > 10.0);
        assert!((fit.points(-fit.shift()) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn standard_errors_match_spread() {
        let off = (0..40)
            .map(|run| {
                let fit = Fit::of(&points(180.0, 0.0, 2_000 + run)).unwrap();
                fit.intercept / fit.intercept_error
            })
            .filter(|z| z.abs() > 4.0)
            .count();
        assert_eq!(off, 0);
    }

    #[test]
    fn bad_data_gives_no_curve() {
        assert_eq!(Fit::of(&points(180.0, 0.0, 10)), None);
        let constant = vec![ScoredResult { score: 3.0, points: 0.5, turn: Color::White }; 500];
        assert_eq!(Fit::of(&constant), None);
    }

    #[test]
    fn diverging_fit_is_none() {
        let all = |points: f64| -> Vec<ScoredResult> {
            self::points(180.0, 0.0, 500).into_iter().map(|point| ScoredResult { points, ..point }).collect()
        };
        for result in [0.0, 0.5, 1.0] {
            assert_eq!(Fit::of(&all(result)), None, "{result}");
        }
        let mut separable = points(180.0, 0.0, 500);
        for point in &mut separable {
            point.points = f64::from(u8::from(point.score > 0.0));
        }
        assert_eq!(Fit::of(&separable), None);
    }
}
