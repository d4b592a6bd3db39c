//! Generalized log-likelihood ratios of two Elo differences.
//!
//! For each hypothesis the maximum-likelihood distribution that satisfies it is taken. Theory: M. Van den Bergh, "MLE for a multinomial distribution" and "Normalized Elo, practical aspects",
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> and
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.

use super::counts::{Distribution, Trinomial, mean, variance};
use super::elo::{NORMALISED_ELO_PER_T, elo_to_score};

/// LLR of two logistic Elo differences.
pub fn logistic_llr(distribution: &Distribution, elo0: f64, elo1: f64) -> f64 {
    let observed = distribution.regularised();
    let fit = |elo| most_likely_with_mean(observed.atoms(), elo_to_score(elo));
    log_ratio(&observed, &fit(elo0), &fit(elo1))
}

/// LLR of two normalized Elo differences.
pub fn normalized_llr(distribution: &Distribution, nelo0: f64, nelo1: f64) -> f64 {
    let observed = distribution.regularised();
    // From standard deviations of a game to those of a sample: a pair's mean score has a deviation √2 smaller.
    let scale = distribution.games_per_sample().sqrt() / NORMALISED_ELO_PER_T;
    let fit = |nelo: f64| most_likely_with_t(observed.atoms(), nelo * scale);
    log_ratio(&observed, &fit(nelo0), &fit(nelo1))
}

/// LLR of two `BayesElo` differences; drawelo is estimated from the games.
pub fn bayesian_llr(games: Trinomial, elo0: f64, elo1: f64) -> f64 {
    let observed = games.distribution().regularised();
    let (loss, win) = (observed.atoms()[0].1, observed.atoms()[2].1);
    let draw_elo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
    let probabilities = |elo: f64| {
        let win = elo_to_score(elo - draw_elo);
        let loss = elo_to_score(-elo - draw_elo);
        [loss, 1.0 - win - loss, win]
    };
    log_ratio(&observed, &probabilities(elo0), &probabilities(elo1))
}

fn log_ratio(observed: &Distribution, h0: &[f64], h1: &[f64]) -> f64 {
    let per_sample: f64 =
        observed.atoms().iter().zip(h0.iter().zip(h1)).map(|(&(_, p), (p0, p1))| p * (p1 / p0).ln()).sum();
    observed.samples() * per_sample
}

/// The maximum-likelihood distribution with mean `target`.
fn most_likely_with_mean(atoms: &[(f64, f64)], target: f64) -> Vec<f64> {
    let centred: Vec<(f64, f64)> = atoms.iter().map(|&(value, p)| (value - target, p)).collect();
    tilt(&centred)
}

/// The maximum-likelihood distribution with (mean − ½) / deviation = `t`. The condition is not linear, so it is linearized
/// at the current estimate and solved until it converges.
fn most_likely_with_t(atoms: &[(f64, f64)], t: f64) -> Vec<f64> {
    const MAX_ROUNDS: usize = 50;
    const CONVERGED: f64 = 1e-13;
    let mut estimate: Vec<f64> = vec![1.0 / atoms.len() as f64; atoms.len()];
    for _ in 0..MAX_ROUNDS {
        let current: Vec<(f64, f64)> =
            atoms.iter().zip(&estimate).map(|(&(value, _), &p)| (value, p)).collect();
        let centre = mean(&current);
        let deviation = variance(&current).sqrt();
        let linear: Vec<(f64, f64)> = atoms
            .iter()
            .map(|&(value, p)| {
                let z = (value - centre) / deviation;
                (value - 0.5 - t * deviation * (1.0 + z * z) / 2.0, p)
            })
            .collect();
        let next = tilt(&linear);
        let change = estimate.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        estimate = next;
        if change < CONVERGED {
            break;
        }
    }
    estimate
}

/// The distribution `p / (1 + x·value)` with mean zero. The sum of `p·value / (1 + x·value)` decreases monotonically between
/// the poles of its outermost terms, so its root is found by bisection. If all values are on one side of zero, no
/// distribution satisfies the condition; the observed one is returned, which gives an LLR of zero.
fn tilt(centred: &[(f64, f64)]) -> Vec<f64> {
    let lowest = centred.iter().map(|a| a.0).fold(f64::INFINITY, f64::min);
    let highest = centred.iter().map(|a| a.0).fold(f64::NEG_INFINITY, f64::max);
    if lowest >= 0.0 || highest <= 0.0 {
        return centred.iter().map(|a| a.1).collect();
    }
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    for _ in 0..80 {
        let x = 0.5 * (low + high);
        let slope: f64 = centred.iter().map(|&(value, p)| p * value / (1.0 + x * value)).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
    let x = 0.5 * (low + high);
    centred.iter().map(|&(value, p)| p / (1.0 + x * value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Pentanomial;
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} expected {expected}");
    }

    /// Computed by another method: for each deviation the two linear conditions (mean, variance) are solved by Newton's
    /// method in two unknowns, and the deviation is then chosen by golden section.
    #[test]
    fn normalized_llr_equals_independent_computation() {
        for (counts, elo0, elo1, llr) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.250368),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.010154),
            ([39, 2226, 31451, 2412, 40], 0.764, 3.439, 2.162941),
            ([12, 180, 410, 215, 18], 0.0, 10.0, 1.746458),
        ] {
            near(normalized_llr(&Pentanomial { counts }.distribution(), elo0, elo1), llr, 2e-6);
        }
        for (losses, draws, wins, elo0, elo1, llr) in
            [(36027, 68692, 36433, 0.0, 2.0, 0.923293), (10650, 20431, 10871, -1.75, 0.25, 2.297500)]
        {
            let games = Trinomial { losses, draws, wins };
            near(normalized_llr(&games.distribution(), elo0, elo1), llr, 2e-6);
        }
    }

    /// Computed by Newton's method on the dual problem.
    #[test]
    fn logistic_llr_equals_independent_computation() {
        for (counts, elo0, elo1, llr) in [
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.074126),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.978673),
            ([39, 2226, 31451, 2412, 40], 0.2, 0.9, 2.162543),
            ([10789, 19328, 33806, 19402, 10543], -3.0, 1.0, 2.131068),
            ([12, 180, 410, 215, 18], 0.0, 10.0, 2.149499),
        ] {
            near(logistic_llr(&Pentanomial { counts }.distribution(), elo0, elo1), llr, 2e-6);
        }
        for (losses, draws, wins, elo0, elo1, llr) in
            [(21184, 40708, 21404, 0.5, 2.5, -1.571889), (57030, 106593, 57433, 0.0, 2.0, -2.593024)]
        {
            near(logistic_llr(&Trinomial { losses, draws, wins }.distribution(), elo0, elo1), llr, 2e-6);
        }
    }

    /// Figures of fastchess's test suite (`app/tests/sprt_test.cpp`), two decimals.
    #[test]
    fn llr_as_in_fastchess() {
        let pair = |counts| Pentanomial { counts }.distribution();
        near(normalized_llr(&pair([365, 16618, 36229, 16974, 390]), 0.0, 2.0), 2.25, 0.006);
        near(normalized_llr(&pair([127, 4883, 10712, 5150, 104]), -1.75, 0.25), 3.01, 0.006);
        near(logistic_llr(&pair([223, 9863, 21279, 10037, 246]), 0.5, 2.5), -3.07, 0.006);
        near(logistic_llr(&pair([871, 26175, 55983, 26678, 821]), 0.0, 2.0), -4.98, 0.006);
        let games = |wins, losses, draws| Trinomial { losses, draws, wins };
        near(bayesian_llr(games(68965, 68526, 128429), 0.0, 2.0), -1.26, 0.006);
        near(bayesian_llr(games(21629, 21484, 41111), 0.5, 2.5), -1.13, 0.006);
    }

    /// With a single outcome the maximum-likelihood distributions have two atoms and a closed form: winning every pair
    /// gives 104·ln((½ + t/2)/½) at small t; drawing every game requires a win rate of t² under H1.
    #[test]
    fn llr_of_equal_results() {
        let t = 5.0 * 2f64.sqrt() / NORMALISED_ELO_PER_T;
        let wins = normalized_llr(&Pentanomial { counts: [0, 0, 0, 0, 104] }.distribution(), 0.0, 5.0);
        near(wins, 104.0 * (1.0 + t).ln(), 0.01);
        let t = 5.0 / NORMALISED_ELO_PER_T;
        let draws = Trinomial { draws: 16700, ..Trinomial::default() };
        near(normalized_llr(&draws.distribution(), 0.0, 5.0), 16700.0 * (1.0 - t * t).ln(), 0.05);
    }

    #[test]
    fn llr_without_results_is_zero() {
        let llr = normalized_llr(&Pentanomial::default().distribution(), 0.0, 5.0);
        assert!(llr.abs() < 0.01, "{llr}");
    }

    #[test]
    fn llr_is_antisymmetric() {
        let counts = Pentanomial { counts: [12, 180, 410, 215, 18] };
        let forward = normalized_llr(&counts.distribution(), 0.0, 10.0);
        let backward = normalized_llr(&counts.reversed().distribution(), -10.0, 0.0);
        near(forward, -backward, 1e-9);
    }
}
