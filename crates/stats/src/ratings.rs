//! Ratings of several engines: maximum likelihood under the logistic Elo model, with a weak prior.
//!
//! The model is that of Bradley and Terry, which Ordo and `BayesElo` use as well: a draw counts as half a win and half a loss. The
//! prior is one virtual draw of every engine against an opponent rated 0. It makes the likelihood strictly concave: there is one
//! maximum, whatever the results are and in whatever order the engines are listed, even for an engine that won or lost all
//! its games.

use serde::{Deserialize, Serialize};

use super::counts::Trinomial;
use super::normal::normal_quantile;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Relative to the mean of all engines.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval of the rating relative to the mean; `None` without games.
    pub error: Option<f64>,
    pub games: Trinomial,
}

/// Weight of the prior in games.
const PRIOR_GAMES: f64 = 1.0;

/// Elo per unit of the logistic function: 400 / ln 10.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Rates engines; `results(i, j)` are the games of `i` against `j`, from the point of view of `i`.
pub fn rate(engines: usize, results: impl Fn(usize, usize) -> Trinomial) -> Vec<Rating> {
    let list = Results::collect(engines, results);
    let logits = list.maximum();
    let mean = logits.iter().sum::<f64>() / engines.max(1) as f64;
    let errors = list.errors(&logits);
    (0..engines)
        .map(|i| {
            let games = list.total(i);
            let error = errors.as_ref().filter(|_| games.games() > 0).map(|errors| errors[i]);
            Rating { elo: (logits[i] - mean) * ELO_PER_LOGIT, error, games }
        })
        .collect()
}

/// The results of all pairings, with the lower index first.
struct Results {
    engines: usize,
    pairs: Vec<(usize, usize, Trinomial)>,
}

impl Results {
    fn collect(engines: usize, results: impl Fn(usize, usize) -> Trinomial) -> Self {
        let pairs = (0..engines).flat_map(|i| (i + 1..engines).map(move |j| (i, j)));
        let pairs = pairs.map(|(i, j)| (i, j, results(i, j))).filter(|pair| pair.2.games() > 0).collect();
        Self { engines, pairs }
    }

    fn total(&self, engine: usize) -> Trinomial {
        let mut sum = Trinomial::default();
        for &(i, j, games) in &self.pairs {
            let games = match engine {
                _ if engine == i => games,
                _ if engine == j => games.reversed(),
                _ => continue,
            };
            sum.losses += games.losses;
            sum.draws += games.draws;
            sum.wins += games.wins;
        }
        sum
    }

    /// The logarithm of the likelihood times the prior.
    fn log_posterior(&self, logits: &[f64]) -> f64 {
        let of_score = |difference: f64, points: f64, games: f64| {
            points * log_expected(difference) + (games - points) * log_expected(-difference)
        };
        let results = self
            .pairs
            .iter()
            .map(|&(i, j, games)| of_score(logits[i] - logits[j], games.points(), games.games() as f64));
        let prior = logits.iter().map(|&logit| of_score(logit, PRIOR_GAMES / 2.0, PRIOR_GAMES));
        results.chain(prior).sum()
    }

    /// The gradient of the logarithm, and its second derivatives with the sign reversed.
    fn derivatives(&self, logits: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = vec![0.0; self.engines];
        let mut curvature = vec![vec![0.0; self.engines]; self.engines];
        for (i, &logit) in logits.iter().enumerate() {
            let score = expected(logit);
            gradient[i] += PRIOR_GAMES * (0.5 - score);
            curvature[i][i] += PRIOR_GAMES * score * (1.0 - score);
        }
        for &(i, j, games) in &self.pairs {
            let (number, score) = (games.games() as f64, expected(logits[i] - logits[j]));
            let surplus = games.points() - number * score;
            gradient[i] += surplus;
            gradient[j] -= surplus;
            let slope = number * score * (1.0 - score);
            curvature[i][i] += slope;
            curvature[j][j] += slope;
            curvature[i][j] -= slope;
            curvature[j][i] -= slope;
        }
        (gradient, curvature)
    }

    /// Newton's method; a step that overshoots is halved until it climbs.
    fn maximum(&self) -> Vec<f64> {
        const STEPS: usize = 200;
        let mut logits = vec![0.0; self.engines];
        let mut height = self.log_posterior(&logits);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.derivatives(&logits);
            let Some(inverse) = inverse(curvature) else { break };
            let mut step: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(entry, slope)| entry * slope).sum())
                .collect();
            if step.iter().all(|move_by: &f64| move_by.abs() < 1e-12) {
                break;
            }
            // Near the maximum the height is the same to all digits, and the step is right.
            if step.iter().all(|move_by| move_by.abs() < 1e-3) {
                for (logit, by) in logits.iter_mut().zip(&step) {
                    *logit += by;
                }
                height = self.log_posterior(&logits);
                continue;
            }
            let climbed = (0..60).find_map(|_| {
                let next: Vec<f64> = logits.iter().zip(&step).map(|(logit, by)| logit + by).collect();
                let there = self.log_posterior(&next);
                if there > height {
                    return Some((next, there));
                }
                for by in &mut step {
                    *by /= 2.0;
                }
                None
            });
            let Some(better) = climbed else { break };
            (logits, height) = better;
        }
        logits
    }

    /// How much the results scatter, relative to games without draws: draws make it smaller. One virtual game keeps it away
    /// from zero if there are few results.
    fn dispersion(&self, logits: &[f64]) -> f64 {
        let (mut seen, mut assumed) = (0.25, 0.25);
        for &(i, j, games) in &self.pairs {
            let score = expected(logits[i] - logits[j]);
            for (points, count) in [(0.0, games.losses), (0.5, games.draws), (1.0, games.wins)] {
                seen += count as f64 * (points - score) * (points - score);
            }
            assumed += games.games() as f64 * score * (1.0 - score);
        }
        seen / assumed
    }

    /// The errors of the ratings relative to their mean, in Elo, from the curvature at the maximum.
    fn errors(&self, logits: &[f64]) -> Option<Vec<f64>> {
        let covariance = inverse(self.derivatives(logits).1)?;
        let number = self.engines as f64;
        let rows: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / number).collect();
        let all = rows.iter().sum::<f64>() / number;
        let scale = normal_quantile(0.975) * self.dispersion(logits).sqrt() * ELO_PER_LOGIT;
        let error = |i: usize| scale * (covariance[i][i] - 2.0 * rows[i] + all).max(0.0).sqrt();
        Some((0..self.engines).map(error).collect())
    }
}

/// The expected score at a difference.
fn expected(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Its logarithm, without overflow.
fn log_expected(logit: f64) -> f64 {
    if logit >= 0.0 { -(-logit).exp().ln_1p() } else { logit - logit.exp().ln_1p() }
}

/// The inverse of a positive definite matrix; `None` if it is not one.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for column in 0..size {
        let pivot = matrix[column][column];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        for j in 0..size {
            matrix[column][j] /= pivot;
            inverse[column][j] /= pivot;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..size {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::super::elo::{elo_to_score, score_to_elo};
    use super::*;
    use proptest::prelude::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Trinomial {
        Trinomial { losses, draws, wins }
    }

    /// Rates engines by a table of results against those with a higher index.
    fn rate_table(engines: usize, table: &[Vec<Trinomial>]) -> Vec<Rating> {
        rate(engines, |i, j| if i < j { table[i][j] } else { table[j][i].reversed() })
    }

    #[test]
    fn two_engines_differ_by_the_elo_of_their_score() {
        let ratings = rate(2, |_, _| games(30_000, 50_000, 20_000));
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - score_to_elo(0.55)).abs() < 0.01, "{difference}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
    }

    /// The prior is weak: it moves the rating by a small part of its error.
    #[test]
    fn prior_is_small_beside_the_error() {
        let ratings = rate(2, |_, _| games(30, 50, 20));
        let difference = ratings[0].elo - ratings[1].elo;
        let shrunk = score_to_elo(0.55) - difference;
        assert!(shrunk > 0.0 && shrunk < 0.5, "{difference}");
        assert!(ratings[0].error.expect("games") > 20.0);
    }

    #[test]
    fn recovers_known_ratings() {
        let truth = [120.0, 0.0, -120.0];
        let ratings = rate(3, |i, j| {
            let wins = (elo_to_score(truth[i] - truth[j]) * 1e7).round() as u64;
            games(wins, 0, 10_000_000 - wins)
        });
        for (rating, expected) in ratings.iter().zip(truth) {
            assert!((rating.elo - expected).abs() < 0.01, "{} instead of {expected}", rating.elo);
        }
    }

    /// Two engines with the same results against a third that lost all its games: the list was different for each of them, and
    /// changed with their order.
    #[test]
    fn equal_results_beside_a_zero_score() {
        let of = |loser: usize| {
            rate(3, move |i, j| match (i == loser, j == loser) {
                (true, _) => games(0, 0, 4),
                (_, true) => games(4, 0, 0),
                _ => games(2, 0, 2),
            })
        };
        for loser in 0..3 {
            let ratings = of(loser);
            let (a, b) = ((loser + 1) % 3, (loser + 2) % 3);
            assert!((ratings[a].elo - ratings[b].elo).abs() < 1e-6, "{ratings:?}");
            assert!((ratings[loser].elo - of(0)[0].elo).abs() < 1e-6, "{ratings:?}");
            assert!(ratings[a].elo - ratings[loser].elo > 200.0, "{ratings:?}");
            let errors = [a, b, loser].map(|i| ratings[i].error.expect("games"));
            assert!((errors[0] - errors[1]).abs() < 1e-6 && errors[2] > errors[0], "{ratings:?}");
        }
    }

    #[test]
    fn perfect_score_has_a_wide_error() {
        let ratings = rate(2, |i, _| if i == 0 { games(10, 0, 0) } else { games(0, 0, 10) });
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((400.0..800.0).contains(&difference), "{difference}");
        let error = ratings[0].error.expect("games");
        assert!((100.0..600.0).contains(&error), "{error}");
        let longer = rate(2, |i, _| if i == 0 { games(20, 0, 0) } else { games(0, 0, 20) });
        assert!(longer[0].elo > ratings[0].elo);
    }

    #[test]
    fn error_depends_on_games_and_draws() {
        let error = |wins, draws, losses| rate(2, |_, _| games(wins, draws, losses))[0].error;
        assert_eq!(error(0, 0, 0), None);
        let (few, many) = (error(50, 50, 50).expect("games"), error(5000, 5000, 5000).expect("games"));
        assert!((few / many - 10.0).abs() < 0.1, "{few} {many}");
        assert!(error(10, 130, 10).expect("games") < few / 1.5);
        // That of a rating relative to the mean is half of that of the difference.
        let exact = 1.959_963_985 * (1.0 / 6.0_f64 / 150.0).sqrt() * 4.0 * ELO_PER_LOGIT / 2.0;
        assert!((few / exact - 1.0).abs() < 0.03, "{few} instead of {exact}");
    }

    #[test]
    fn engines_that_never_met_have_ratings() {
        let ratings = rate(5, |i, j| match (i.min(j), i.max(j)) {
            (0, 1) => {
                if i == 0 {
                    games(6, 0, 2)
                } else {
                    games(2, 0, 6)
                }
            }
            (2, 3) => games(4, 0, 4),
            _ => games(0, 0, 0),
        });
        assert!(ratings.iter().all(|rating| rating.elo.is_finite()));
        assert!(ratings[0].elo > 0.0 && ratings[1].elo < 0.0);
        assert!((ratings[2].elo - ratings[3].elo).abs() < 1e-9);
        assert_eq!((ratings[4].error, ratings[4].games.games()), (None, 0));
        assert!(rate(0, |_, _| games(0, 0, 0)).is_empty());
    }

    fn tables(engines: usize) -> impl Strategy<Value = Vec<Vec<Trinomial>>> {
        let entry = prop_oneof![
            Just(games(0, 0, 0)),
            (0_u64..60, 0_u64..60, 0_u64..60).prop_map(|(wins, draws, losses)| games(wins, draws, losses)),
            (1_u64..100_000).prop_map(|wins| games(wins, 0, 0)),
            (1_u64..100_000).prop_map(|losses| games(0, 0, losses)),
        ];
        prop::collection::vec(prop::collection::vec(entry, engines), engines)
    }

    proptest! {
        /// At the maximum every engine expects the points that it scored, the virtual draw included.
        #[test]
        fn expected_points_equal_points(table in tables(5)) {
            let ratings = rate_table(5, &table);
            let (mut surplus, mut weight) = ([0.0; 5], 0.0);
            for (i, row) in table.iter().enumerate() {
                for (j, results) in row.iter().enumerate().skip(i + 1) {
                    let score = elo_to_score(ratings[i].elo - ratings[j].elo);
                    let more = results.points() - results.games() as f64 * score;
                    surplus[i] += more;
                    surplus[j] -= more;
                    weight += results.games() as f64;
                }
            }
            for (rating, surplus) in ratings.iter().zip(surplus) {
                prop_assert!(rating.elo.is_finite() && rating.error.is_none_or(f64::is_finite));
                // The prior pulls with at most half a point, towards the middle.
                prop_assert!(surplus.abs() <= 0.5 + 1e-9 * weight, "{surplus} {ratings:?}");
            }
            prop_assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        }

        /// Another order of the engines gives the same ratings in that order.
        #[test]
        fn order_does_not_matter(table in tables(4), shift in 1_usize..4) {
            let ratings = rate_table(4, &table);
            let of = |i: usize, j: usize| if i < j { table[i][j] } else { table[j][i].reversed() };
            let moved = rate(4, |i, j| of((i + shift) % 4, (j + shift) % 4));
            for (i, rating) in moved.iter().enumerate() {
                let same = &ratings[(i + shift) % 4];
                prop_assert!((rating.elo - same.elo).abs() < 1e-5, "{ratings:?} {moved:?}");
                prop_assert_eq!(rating.games, same.games);
            }
        }

        /// Engines with the same results have the same rating.
        #[test]
        fn equal_results_give_equal_ratings(won in 0_u64..50, drawn in 0_u64..50, lost in 0_u64..50, between in 1_u64..50) {
            let ratings = rate(4, |i, j| match (i < 3, j < 3) {
                (true, true) => games(between, 2, between),
                (true, false) => games(won, drawn, lost),
                (false, _) => games(lost, drawn, won),
            });
            for i in 1..3 {
                prop_assert!((ratings[i].elo - ratings[0].elo).abs() < 1e-6, "{ratings:?}");
            }
        }
    }
}
