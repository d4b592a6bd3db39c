//! The schedule: a pure function from the number of a game to its players, colours and opening. Only in a knockout players
//! depend on results as well ([`Knockout`](crate::knockout::Knockout)).

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tournament {
    #[default]
    RoundRobin,
    /// The first engines (the seeds) play all the others.
    Gauntlet { seeds: usize },
    /// Each engine plays all that are listed before it: the meetings of a round robin, ordered by the newcomer.
    Pyramid,
    /// Single elimination. The first engines (the seeds) meet late, the others are drawn with the random seed `draw`.
    Knockout { seeds: usize, draw: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    pub engines: usize,
    pub tournament: Tournament,
    /// In each round every pairing meets once, from one opening. In a knockout: the openings of an encounter.
    pub rounds: u64,
    /// Games per meeting, all from the same opening.
    pub games: u64,
    /// Swap colours from game to game.
    pub swap: bool,
    /// The second engine of a pairing has White first.
    pub reverse: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// From 0.
    pub index: u64,
    /// From 0.
    pub round: u64,
    /// The number of its opening in the order of the match, from 0.
    pub opening: u64,
    /// Games of the same meeting form a pair.
    pub meeting: u64,
    /// Index of the engine that has White.
    pub white: usize,
    /// Index of the engine that has Black.
    pub black: usize,
}

impl Schedule {
    /// All pairings, the lower index first; in a knockout all that are possible.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let firsts = match self.tournament {
            Tournament::Gauntlet { seeds } => seeds.min(self.engines),
            _ => self.engines,
        };
        let is_seed = |engine: usize| engine < firsts;
        let meets = |a: usize, b: usize| match self.tournament {
            Tournament::Gauntlet { .. } => is_seed(a) != is_seed(b),
            _ => true,
        };
        let mut pairings: Vec<(usize, usize)> = (0..firsts)
            .flat_map(|a| (a + 1..self.engines).map(move |b| (a, b)))
            .filter(|&(a, b)| meets(a, b))
            .collect();
        if self.tournament == Tournament::Pyramid {
            pairings.sort_by_key(|&(first, newcomer)| (newcomer, first));
        }
        pairings
    }

    /// The number of games; of a knockout the most without tie-breaks.
    pub fn len(&self) -> u64 {
        let meetings = match self.tournament {
            Tournament::Knockout { .. } => self.engines.saturating_sub(1),
            _ => self.pairings().len(),
        };
        self.rounds.saturating_mul(self.games).saturating_mul(meetings as u64)
    }

    /// The number of openings, without tie-breaks of a knockout: each of its rounds has its own.
    pub fn openings(&self) -> u64 {
        let stages = match self.tournament {
            Tournament::Knockout { .. } => u64::from(self.engines.next_power_of_two().trailing_zeros()),
            _ => 1,
        };
        self.rounds.saturating_mul(stages)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the games of a meeting form a pair with swapped colours.
    pub fn is_paired(&self) -> bool {
        self.games == 2 && self.swap
    }

    /// White and Black in a game of a meeting.
    pub fn colors(&self, first: usize, second: usize, turn: u64) -> (usize, usize) {
        let exchanged = (self.swap && turn % 2 == 1) != self.reverse;
        if exchanged { (second, first) } else { (first, second) }
    }

    /// A game of a tournament that is not a knockout.
    pub fn job(&self, index: u64) -> Option<Job> {
        if index >= self.len() || matches!(self.tournament, Tournament::Knockout { .. }) {
            return None;
        }
        let pairings = self.pairings();
        let meeting = index / self.games;
        let round = meeting / pairings.len() as u64;
        let (first, second) = pairings[(meeting % pairings.len() as u64) as usize];
        // With one game per meeting, colours change from round to round instead.
        let turn = if self.games == 1 { round } else { index % self.games };
        let (white, black) = self.colors(first, second, turn);
        Some(Job { index, round, opening: round, meeting, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, tournament: Tournament, rounds: u64, games: u64) -> Schedule {
        Schedule { engines, tournament, rounds, games, swap: true, reverse: false }
    }

    #[test]
    fn two_engines_play_pairs() {
        let plan = schedule(2, Tournament::RoundRobin, 20, 2);
        assert_eq!(plan.len(), 40);
        let jobs: Vec<_> =
            (0..4).filter_map(|i| plan.job(i)).map(|job| (job.round, job.white, job.black)).collect();
        assert_eq!(jobs, [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]);
        assert!(plan.job(40).is_none());
    }

    #[test]
    fn round_robin_is_balanced() {
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
    fn gauntlet_pairings() {
        let plan = schedule(4, Tournament::Gauntlet { seeds: 1 }, 1, 2);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (0, 3)]);
        let plan = schedule(4, Tournament::Gauntlet { seeds: 2 }, 1, 2);
        assert_eq!(plan.pairings(), [(0, 2), (0, 3), (1, 2), (1, 3)]);
    }

    /// As in cutechess-cli: every engine plays its predecessors.
    #[test]
    fn pyramid_pairings() {
        let plan = schedule(4, Tournament::Pyramid, 1, 2);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]);
        assert_eq!(plan.len(), 12);
    }

    #[test]
    fn single_games_swap_colors_by_round() {
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
    fn one_engine_has_no_games() {
        assert!(schedule(1, Tournament::RoundRobin, 5, 2).is_empty());
        assert!(schedule(0, Tournament::Gauntlet { seeds: 1 }, 5, 2).is_empty());
    }
}
