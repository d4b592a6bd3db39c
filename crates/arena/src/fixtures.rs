//! The games of a match: which to play next, and which are over.

use std::collections::HashSet;

use crate::knockout::Knockout;
use crate::results::GameSummary;
use crate::schedule::{Job, Schedule};

/// What a worker does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Play(Job),
    /// The next games depend on those that are running.
    Wait,
    Over,
}

/// The schedule of a match with the games played so far.
#[derive(Clone, Debug)]
pub struct Fixtures {
    schedule: Schedule,
    knockout: Option<Knockout>,
    next: u64,
    finished: HashSet<u64>,
}

impl Fixtures {
    /// `finished` in the order in which the games ended.
    pub fn new(schedule: &Schedule, finished: &[GameSummary]) -> Self {
        let knockout = Knockout::new(schedule);
        let mut fixtures = Self { schedule: *schedule, knockout, next: 0, finished: HashSet::new() };
        for game in finished {
            fixtures.add(game);
        }
        fixtures
    }

    pub fn add(&mut self, game: &GameSummary) {
        self.finished.insert(game.index);
        if let Some(knockout) = &mut self.knockout {
            knockout.add(game.index, game.white_half_points);
        }
    }

    /// A game whose players are known.
    pub fn job(&self, index: u64) -> Option<Job> {
        match &self.knockout {
            None => self.schedule.job(index),
            Some(knockout) => knockout.job(index),
        }
    }

    /// Each game is taken once.
    pub fn take(&mut self) -> Next {
        if self.is_over() {
            return Next::Over;
        }
        if let Some(knockout) = &mut self.knockout {
            return knockout.take().map_or(Next::Wait, Next::Play);
        }
        let index = (self.next..self.schedule.len()).find(|index| !self.finished.contains(index));
        let Some(job) = index.and_then(|index| self.schedule.job(index)) else { return Next::Over };
        self.next = job.index + 1;
        Next::Play(job)
    }

    pub fn is_over(&self) -> bool {
        match &self.knockout {
            None => self.finished.len() as u64 >= self.schedule.len(),
            Some(knockout) => knockout.winner().is_some(),
        }
    }

    /// The most games that can still be played, except tie-breaks of a knockout.
    pub fn left(&self) -> u64 {
        if self.is_over() { 0 } else { self.schedule.len().saturating_sub(self.finished.len() as u64).max(1) }
    }

    /// Games that are not finished, as far as their players are known; of tie-breaks only the next.
    pub fn unfinished(&self) -> Vec<Job> {
        let unfinished = |job: &Job| !self.finished.contains(&job.index);
        match &self.knockout {
            Some(knockout) => knockout.jobs().filter(unfinished).collect(),
            None => (0..self.schedule.len())
                .filter_map(|index| self.schedule.job(index))
                .filter(unfinished)
                .collect(),
        }
    }
}
