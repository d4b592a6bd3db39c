//! Results as counts: single games (three outcomes) or pairs of games from one opening (five outcomes).

use serde::{Deserialize, Serialize};

/// Single games, from the first engine's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trinomial {
    pub losses: u64,
    pub draws: u64,
    pub wins: u64,
}

impl Trinomial {
    pub fn games(self) -> u64 {
        self.losses + self.draws + self.wins
    }

    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; one half before the first game.
    pub fn score(self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Share of drawn games.
    pub fn draw_rate(self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.draws as f64 / self.games() as f64 }
    }

    /// From the opponent's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { losses: self.wins, draws: self.draws, wins: self.losses }
    }

    /// Adds a game in which the first engine scored `half_points` (0, 1 or 2).
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The empirical distribution of one game.
    pub fn distribution(self) -> Distribution {
        Distribution::new(&[self.losses, self.draws, self.wins], 1.0)
    }
}

/// Pairs of games from one opening with colours swapped, by the points of the first engine.
///
/// Two games from one opening are not independent, but pairs are. Counting pairs removes the bias of the opening from
/// the variance, so that fewer games give the same confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    pub fn pairs(self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds a pair in which the first engine scored `half_points` (0 to 4).
    pub fn add(&mut self, half_points: u8) {
        self.counts[usize::from(half_points.min(4))] += 1;
    }

    /// From the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// Points per game; one half before the first pair.
    pub fn score(self) -> f64 {
        if self.pairs() == 0 { 0.5 } else { self.distribution().mean() }
    }

    /// The empirical distribution of one pair; its mean is points per game.
    pub fn distribution(self) -> Distribution {
        Distribution::new(&self.counts, 2.0)
    }
}

/// An empirical distribution of scores between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    atoms: Vec<(f64, f64)>,
    samples: f64,
    games_per_sample: f64,
}

/// The count of an outcome that was never seen, so that likelihoods stay finite; the same as fishtest's.
const UNSEEN: f64 = 1e-3;

impl Distribution {
    fn new(counts: &[u64], games_per_sample: f64) -> Self {
        let samples: f64 = counts.iter().map(|&count| count as f64).sum();
        let top = (counts.len() - 1) as f64;
        let atoms = counts
            .iter()
            .enumerate()
            .map(|(i, &count)| (i as f64 / top, if samples > 0.0 { count as f64 / samples } else { 0.0 }))
            .collect();
        Self { atoms, samples, games_per_sample }
    }

    /// The distribution in which outcomes never seen have a tiny probability.
    #[must_use]
    pub fn regularised(&self) -> Self {
        let counts: Vec<f64> =
            self.atoms.iter().map(|&(_, p)| if p > 0.0 { p * self.samples } else { UNSEEN }).collect();
        let samples: f64 = counts.iter().sum();
        let atoms =
            self.atoms.iter().zip(&counts).map(|(&(value, _), count)| (value, count / samples)).collect();
        Self { atoms, samples, games_per_sample: self.games_per_sample }
    }

    /// Scores and their probabilities, lowest score first.
    pub fn atoms(&self) -> &[(f64, f64)] {
        &self.atoms
    }

    /// Number of samples (games or pairs).
    pub fn samples(&self) -> f64 {
        self.samples
    }

    pub fn games(&self) -> f64 {
        self.samples * self.games_per_sample
    }

    /// 1 or 2.
    pub fn games_per_sample(&self) -> f64 {
        self.games_per_sample
    }

    pub fn mean(&self) -> f64 {
        mean(&self.atoms)
    }

    /// Variance of one sample's score.
    pub fn variance(&self) -> f64 {
        variance(&self.atoms)
    }

    /// Standard deviation of one game's score if games were independent: the unit of normalized Elo.
    pub fn deviation_per_game(&self) -> f64 {
        (self.variance() * self.games_per_sample).sqrt()
    }
}

pub(super) fn mean(atoms: &[(f64, f64)]) -> f64 {
    atoms.iter().map(|&(value, p)| value * p).sum()
}

pub(super) fn variance(atoms: &[(f64, f64)]) -> f64 {
    let centre = mean(atoms);
    atoms.iter().map(|&(value, p)| p * (value - centre) * (value - centre)).sum()
}
