//! The summary of a finished game: small enough to save thousands, enough to rebuild every statistic.

use std::time::Duration;

use chess::{Color, Game};
use record::pgn::GameResult;
use serde::{Deserialize, Serialize};

use crate::game::PlayedGame;
use crate::schedule::Job;
use record::game_end::Termination;
use support::hash::fnv1a;

/// First move numbers of the second and third phase of a game.
pub const PHASE_STARTS: [u32; 2] = [21, 41];

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeUse {
    pub moves: u32,
    pub total: Duration,
    pub longest: Duration,
    /// Least time left after a move, if there is a clock.
    pub lowest_left: Option<Duration>,
    /// Moves and time by phase: up to move 20, 21 to 40, later.
    pub phases: [(u32, Duration); 3],
    /// Sum of depths reached.
    pub depths: u64,
    /// Sum of nodes searched.
    pub nodes: u64,
    /// Moves for which the engine reported a time.
    pub timed: u32,
    /// Sum of measured minus reported time, in microseconds.
    pub latency_us: i64,
}

impl TimeUse {
    pub fn add(&mut self, other: &Self) {
        // Saturating: the numbers may come from a file.
        self.moves = self.moves.saturating_add(other.moves);
        self.total = self.total.saturating_add(other.total);
        self.longest = self.longest.max(other.longest);
        self.lowest_left = match (self.lowest_left, other.lowest_left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        for (phase, more) in self.phases.iter_mut().zip(other.phases) {
            phase.0 = phase.0.saturating_add(more.0);
            phase.1 = phase.1.saturating_add(more.1);
        }
        self.depths = self.depths.saturating_add(other.depths);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.timed = self.timed.saturating_add(other.timed);
        self.latency_us = self.latency_us.saturating_add(other.latency_us);
    }

    pub fn mean(&self) -> Duration {
        self.total.checked_div(self.moves).unwrap_or_default()
    }

    fn of_side(played: &PlayedGame, side: Color) -> Self {
        let mut used = Self::default();
        let first_ply = played.game.start().ply() as usize + played.book_plies;
        for (i, record) in played.records.iter().enumerate() {
            let ply = first_ply + i;
            if ply % 2 != side.index() {
                continue;
            }
            let number = ply as u32 / 2 + 1;
            let phase = PHASE_STARTS.iter().filter(|&&start| number >= start).count();
            used.moves += 1;
            used.total += record.elapsed;
            used.longest = used.longest.max(record.elapsed);
            used.lowest_left = used.lowest_left.into_iter().chain(record.left).min();
            used.phases[phase].0 += 1;
            used.phases[phase].1 += record.elapsed;
            if let Some(info) = &record.info {
                used.depths += u64::from(info.depth.unwrap_or(0));
                used.nodes += info.nodes.unwrap_or(0);
                if let Some(time) = info.time {
                    used.timed += 1;
                    used.latency_us += record.elapsed.as_micros() as i64 - time.as_micros() as i64;
                }
            }
        }
        used
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSummary {
    /// Its number, from 0.
    pub index: u64,
    /// See [`Job::meeting`].
    pub meeting: u64,
    /// The opening's index in the book.
    pub opening: usize,
    pub white: usize,
    pub black: usize,
    /// Twice White's points: 0, 1 or 2.
    pub white_half_points: u8,
    pub termination: Termination,
    /// The engine whose fault ended the game.
    pub culprit: Option<usize>,
    /// Including those of the book.
    pub plies: usize,
    /// Hash of starting position and moves.
    pub digest: u64,
    /// White and Black.
    pub time: [TimeUse; 2],
    pub duration: Duration,
    /// Warnings about the engines.
    #[serde(rename = "remarks")]
    pub warnings: usize,
}

impl GameSummary {
    /// `None` if the game was not finished.
    pub fn new(job: &Job, opening: usize, played: &PlayedGame, duration: Duration) -> Option<Self> {
        let white_half_points = match played.ending.result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
            GameResult::Unknown => return None,
        };
        Some(Self {
            index: job.index,
            meeting: job.meeting,
            opening,
            white: job.white,
            black: job.black,
            white_half_points,
            termination: played.ending.termination,
            culprit: played.culprit.map(|side| if side == Color::White { job.white } else { job.black }),
            plies: played.game.moves().len(),
            digest: digest(&played.game),
            time: Color::ALL.map(|side| TimeUse::of_side(played, side)),
            duration,
            warnings: played.warnings.len(),
        })
    }
}

/// A hash of start position and moves, to find repeated games.
fn digest(game: &Game) -> u64 {
    let moves = game.moves().iter().flat_map(|mv| mv.bits().to_le_bytes());
    fnv1a(game.start().key().to_le_bytes().into_iter().chain(moves))
}
