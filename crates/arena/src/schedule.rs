//! Who plays whom, with which colour, from which opening: a pure function from the number of a game to its players.

use serde::{Deserialize, Serialize};

/// The form of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tournament {
    /// Everyone plays everyone.
    #[default]
    RoundRobin,
    /// The first engines (the seeds) play all the others.
    Gauntlet {
        /// How many seeds.
        seeds: usize,
    },
}

/// The plan of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// Number of engines.
    pub engines: usize,
    /// Who meets whom.
    pub tournament: Tournament,
    /// Rounds; in each, every pairing meets once, from one opening.
    pub rounds: u64,
    /// Games in a meeting, all from the same opening.
    pub games: u64,
    /// Colours change from game to game.
    pub swap: bool,
    /// The second engine of a pairing begins with White.
    pub reverse: bool,
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number, from 0.
    pub index: u64,
    /// Its round, from 0; also the number of its opening.
    pub round: u64,
    /// The meeting that it belongs to: games with one number form a pair.
    pub meeting: u64,
    /// Index of the engine with the white pieces.
    pub white: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
}

impl Schedule {
    /// All pairings, the lower index first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let firsts = match self.tournament {
            Tournament::RoundRobin => self.engines,
            Tournament::Gauntlet { seeds } => seeds.min(self.engines),
        };
        let is_seed = |engine: usize| engine < firsts;
        let meets = |a: usize, b: usize| match self.tournament {
            Tournament::RoundRobin => true,
            Tournament::Gauntlet { .. } => is_seed(a) != is_seed(b),
        };
        (0..firsts)
            .flat_map(|a| (a + 1..self.engines).map(move |b| (a, b)))
            .filter(|&(a, b)| meets(a, b))
            .collect()
    }

    /// Number of games.
    pub fn len(&self) -> u64 {
        self.rounds.saturating_mul(self.games).saturating_mul(self.pairings().len() as u64)
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether two games of a meeting form a pair with swapped colours.
    pub fn is_paired(&self) -> bool {
        self.games == 2 && self.swap
    }

    /// The game with this number.
    pub fn job(&self, index: u64) -> Option<Job> {
        if index >= self.len() {
            return None;
        }
        let pairings = self.pairings();
        let meeting = index / self.games;
        let round = meeting / pairings.len() as u64;
        let (first, second) = pairings[(meeting % pairings.len() as u64) as usize];
        // With one game a meeting, colours change from round to round instead.
        let turn = if self.games == 1 { round } else { index % self.games };
        let exchanged = (self.swap && turn % 2 == 1) != self.reverse;
        let (white, black) = if exchanged { (second, first) } else { (first, second) };
        Some(Job { index, round, meeting, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, tournament: Tournament, rounds: u64, games: u64) -> Schedule {
        Schedule { engines, tournament, rounds, games, swap: true, reverse: false }
    }

    #[test]
    fn two_engines_play_pairs_with_swapped_colours() {
        let plan = schedule(2, Tournament::RoundRobin, 20, 2);
        assert_eq!(plan.len(), 40);
        let jobs: Vec<_> =
            (0..4).filter_map(|i| plan.job(i)).map(|job| (job.round, job.white, job.black)).collect();
        assert_eq!(jobs, [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]);
        assert!(plan.job(40).is_none());
    }

    #[test]
    fn everyone_meets_everyone_equally_often_with_both_colours() {
        let plan = schedule(4, Tournament::RoundRobin, 3, 2);
        let mut white = [[0; 4]; 4];
        (0..plan.len()).filter_map(|i| plan.job(i)).for_each(|job| white[job.white][job.black] += 1);
        for (a, row) in white.iter().enumerate() {
            for (b, &games) in row.iter().enumerate() {
                assert_eq!(games, if a == b { 0 } else { 3 });
            }
        }
    }

    #[test]
    fn in_a_gauntlet_only_seeds_meet_the_others() {
        let plan = schedule(4, Tournament::Gauntlet { seeds: 1 }, 1, 2);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (0, 3)]);
        let plan = schedule(4, Tournament::Gauntlet { seeds: 2 }, 1, 2);
        assert_eq!(plan.pairings(), [(0, 2), (0, 3), (1, 2), (1, 3)]);
    }

    #[test]
    fn single_games_change_colours_by_round_unless_told_not_to() {
        let mut plan = schedule(2, Tournament::RoundRobin, 4, 1);
        let whites =
            |plan: &Schedule| (0..4).filter_map(|i| plan.job(i)).map(|job| job.white).collect::<Vec<_>>();
        assert_eq!(whites(&plan), [0, 1, 0, 1]);
        plan.reverse = true;
        assert_eq!(whites(&plan), [1, 0, 1, 0]);
        plan.swap = false;
        assert_eq!(whites(&plan), [1, 1, 1, 1]);
    }

    #[test]
    fn one_engine_has_nobody_to_play() {
        assert!(schedule(1, Tournament::RoundRobin, 5, 2).is_empty());
        assert!(schedule(0, Tournament::Gauntlet { seeds: 1 }, 5, 2).is_empty());
    }
}
