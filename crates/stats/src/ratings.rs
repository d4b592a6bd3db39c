//! Ratings of several engines: maximum likelihood under the logistic Elo model.

use serde::{Deserialize, Serialize};

use super::counts::Trinomial;
use super::elo::elo_to_score;
use super::normal::normal_quantile;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Relative to the mean of all engines.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval, the other ratings taken as exact; `None` if all results are equal.
    pub error: Option<f64>,
    pub games: Trinomial,
}

/// The range of ratings.
const CEILING: f64 = 5000.0;

/// Rates engines; `results(i, j)` are the games of `i` against `j`, from the point of view of `i`.
///
/// Each round sets every engine to the rating at which its expected points equal its points. The fixed point is the
/// maximum of the likelihood if draws count as half a win and half a loss.
pub fn rate(engines: usize, results: impl Fn(usize, usize) -> Trinomial) -> Vec<Rating> {
    const ROUNDS: usize = 500;
    let mut elo = vec![0.0; engines];
    for _ in 0..ROUNDS {
        let mut moved: f64 = 0.0;
        for i in 0..engines {
            let better = fair_elo(i, &elo, &results);
            moved = moved.max((better - elo[i]).abs());
            elo[i] = better;
        }
        let mean = elo.iter().sum::<f64>() / engines.max(1) as f64;
        for rating in &mut elo {
            *rating -= mean;
        }
        if moved < 1e-7 {
            break;
        }
    }
    (0..engines)
        .map(|i| Rating {
            elo: elo[i],
            error: error_of(i, &elo, &results),
            games: total(i, engines, &results),
        })
        .collect()
}

fn total(i: usize, engines: usize, results: &impl Fn(usize, usize) -> Trinomial) -> Trinomial {
    let mut sum = Trinomial::default();
    for j in (0..engines).filter(|&j| j != i) {
        let games = results(i, j);
        sum.losses += games.losses;
        sum.draws += games.draws;
        sum.wins += games.wins;
    }
    sum
}

/// The rating at which engine `i` would expect the points that it scored. An engine that won or lost all its games has
/// none; it is rated with half a point less, or more.
fn fair_elo(i: usize, elo: &[f64], results: &impl Fn(usize, usize) -> Trinomial) -> f64 {
    let games = total(i, elo.len(), results);
    if games.games() == 0 {
        return 0.0;
    }
    let points = games.points().clamp(0.5, games.games() as f64 - 0.5);
    let (mut low, mut high) = (-CEILING, CEILING);
    for _ in 0..50 {
        let guess = 0.5 * (low + high);
        let others = (0..elo.len()).filter(|&j| j != i);
        let expected: f64 = others.map(|j| results(i, j).games() as f64 * elo_to_score(guess - elo[j])).sum();
        if points > expected { low = guess } else { high = guess }
    }
    0.5 * (low + high)
}

/// 95 % interval from the spread of the results and the slope of the expected score.
fn error_of(i: usize, elo: &[f64], results: &impl Fn(usize, usize) -> Trinomial) -> Option<f64> {
    let (mut variance, mut slope) = (0.0, 0.0);
    for j in (0..elo.len()).filter(|&j| j != i) {
        let games = results(i, j);
        variance += games.distribution().variance() * games.games() as f64;
        let expected = elo_to_score(elo[i] - elo[j]);
        slope += games.games() as f64 * expected * (1.0 - expected) * std::f64::consts::LN_10 / 400.0;
    }
    (slope > 0.0 && variance > 0.0).then(|| normal_quantile(0.975) * variance.sqrt() / slope)
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_to_elo;
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Trinomial {
        Trinomial { losses, draws, wins }
    }

    #[test]
    fn two_engines_differ_by_the_elo_of_their_score() {
        let ratings = rate(2, |i, _| if i == 0 { games(30, 50, 20) } else { games(20, 50, 30) });
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - score_to_elo(0.55)).abs() < 1e-4, "{difference}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
    }

    #[test]
    fn recovers_known_ratings() {
        let truth = [120.0, 0.0, -120.0];
        let ratings = rate(3, |i, j| {
            let expected = elo_to_score(truth[i] - truth[j]);
            let wins = (expected * 1e7).round() as u64;
            games(wins, 0, 10_000_000 - wins)
        });
        for (rating, expected) in ratings.iter().zip(truth) {
            assert!((rating.elo - expected).abs() < 0.01, "{} instead of {expected}", rating.elo);
        }
    }

    #[test]
    fn rating_of_a_perfect_score_is_bounded() {
        let ratings = rate(2, |i, _| if i == 0 { games(10, 0, 0) } else { games(0, 0, 10) });
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - score_to_elo(0.95)).abs() < 0.01, "{difference}");
        assert_eq!((ratings[0].error, ratings[1].error), (None, None));
    }

    #[test]
    fn error_depends_on_games_and_variance() {
        let error = |wins, draws, losses| rate(2, |_, _| games(wins, draws, losses))[0].error;
        assert_eq!((error(0, 0, 0), error(0, 20, 0)), (None, None));
        let (few, many) = (error(5, 5, 5).expect("spread"), error(500, 500, 500).expect("spread"));
        assert!((few / many - 10.0).abs() < 0.01, "{few} {many}");
    }

    #[test]
    fn one_invincible_engine_does_not_distort_the_others() {
        let ratings = rate(3, |i, j| match (i, j) {
            (0, _) => games(8, 0, 0),
            (_, 0) => games(0, 0, 8),
            (1, _) => games(5, 2, 1),
            _ => games(1, 2, 5),
        });
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        let difference = ratings[1].elo - ratings[2].elo;
        assert!((100.0..400.0).contains(&difference), "{difference}");
    }
}
