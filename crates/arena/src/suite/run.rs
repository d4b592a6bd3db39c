//! Gives the tasks of a suite to a player and keeps what it answered.

use std::time::Duration;

use chess::{Game, Move};
use serde::Serialize;
use uci::Info;

use super::task::SuitePosition;
use crate::game::{EngineLimits, GameClock, start_command};
use crate::players::{MoveReply, MoveRequest, Player, PlayerError};

/// What a player did with a task.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// The task's name.
    pub id: String,
    /// The move in coordinates; empty when there was none.
    pub best: String,
    /// Whether that is a legal move.
    pub legal: bool,
    /// Whether it solved the task.
    pub solved: bool,
    /// Points for the move, where moves are graded.
    pub points: u32,
    /// Most points to be had.
    pub most_points: u32,
    /// When the solution was found for good; `None` when it was not.
    pub solved_after: Option<Duration>,
    /// Time in all.
    pub elapsed: Duration,
    /// Depth reached.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Sum of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SuiteTotal {
    /// Tasks.
    pub tasks: u32,
    /// Solved ones.
    pub solved: u32,
    /// Answers that are no legal move.
    pub illegal: u32,
    /// Points.
    pub points: u32,
    /// Most points to be had.
    pub most_points: u32,
    /// Mean time to a solution, over the solved ones.
    pub mean_solution: Duration,
    /// Time in all.
    pub elapsed: Duration,
    /// Nodes in all.
    pub nodes: u64,
}

/// Gives one task to a player.
///
/// # Errors
/// The player cannot go on.
pub fn attempt(
    player: &mut dyn Player,
    task: &SuitePosition,
    limits: EngineLimits,
    chess960: bool,
) -> Result<Attempt, PlayerError> {
    player.new_game()?;
    let game = Game::new(task.position);
    let position = start_command(&task.position, chess960);
    let clocks = [GameClock::new(limits); 2];
    let thought = player.think(&MoveRequest { game: &game, position: &position, clocks: &clocks })?;
    Ok(judge(task, &thought, chess960))
}

fn judge(task: &SuitePosition, thought: &MoveReply, chess960: bool) -> Attempt {
    let best = thought.best.legal();
    let score = thought.info.as_ref().and_then(|info| info.score);
    let solved = best.is_some_and(|best| task.is_solved_by(best, score));
    let info = thought.info.as_ref();
    Attempt {
        id: task.id.clone(),
        best: thought.best.uci(chess960),
        legal: best.is_some(),
        solved,
        points: best.map_or(0, |best| task.points_for(best)),
        most_points: task.most_points(),
        solved_after: solved.then(|| solved_after(task, &thought.lines).unwrap_or(thought.elapsed)),
        elapsed: thought.elapsed,
        depth: info.and_then(|info| info.depth).unwrap_or(0),
        nodes: info.and_then(|info| info.nodes).unwrap_or(0),
    }
}

/// The time of the first line from which on every line solves the task.
fn solved_after(task: &SuitePosition, lines: &[Info]) -> Option<Duration> {
    let solves = |info: &&Info| {
        let first: Option<Move> = info.pv.first().and_then(|word| task.position.parse_uci(word).ok());
        first.is_some_and(|first| task.is_solved_by(first, info.score))
    };
    let first_lines = lines.iter().rev().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
    first_lines.take_while(solves).last().and_then(|info| info.time)
}

impl SuiteTotal {
    /// Sums up.
    pub fn of(attempts: &[Attempt]) -> Self {
        let solved = attempts.iter().filter(|attempt| attempt.solved).count() as u32;
        let solution: Duration = attempts.iter().filter_map(|attempt| attempt.solved_after).sum();
        Self {
            tasks: attempts.len() as u32,
            solved,
            illegal: attempts.iter().filter(|attempt| !attempt.legal).count() as u32,
            points: attempts.iter().map(|attempt| attempt.points).sum(),
            most_points: attempts.iter().map(|attempt| attempt.most_points).sum(),
            mean_solution: solution.checked_div(solved).unwrap_or_default(),
            elapsed: attempts.iter().map(|attempt| attempt.elapsed).sum(),
            nodes: attempts.iter().map(|attempt| attempt.nodes).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::ReplyMove;
    use uci::Score;

    fn line(ms: u64, first: &str) -> Info {
        Info {
            time: Some(Duration::from_millis(ms)),
            score: Some(Score::Centipawns(10)),
            pv: vec![first.to_owned()],
            ..Info::default()
        }
    }

    fn reply(text: &str) -> ReplyMove {
        ReplyMove::parse(&task().position, Some(text.to_owned()))
    }

    fn task() -> SuitePosition {
        SuitePosition::parse(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; c0 \"e4=10, d4=3\";",
            1,
        )
        .expect("valid")
    }

    #[test]
    fn a_solution_counts_from_when_it_was_found_for_good() {
        let lines = vec![line(1, "e2e4"), line(5, "d2d4"), line(20, "e2e4"), line(90, "e2e4")];
        let thought = MoveReply {
            best: reply("e2e4"),
            info: lines.last().cloned(),
            lines,
            elapsed: Duration::from_millis(100),
            ..MoveReply::default()
        };
        let attempt = judge(&task(), &thought, false);
        assert!(attempt.solved);
        assert_eq!((attempt.solved_after, attempt.points), (Some(Duration::from_millis(20)), 10));
    }

    #[test]
    fn a_miss_may_still_earn_points() {
        let thought = MoveReply { best: reply("d2d4"), ..MoveReply::default() };
        let attempt = judge(&task(), &thought, false);
        assert_eq!((attempt.solved, attempt.solved_after, attempt.points), (false, None, 3));
        let total = SuiteTotal::of(&[attempt]);
        assert_eq!((total.solved, total.points, total.most_points), (0, 3, 10));
    }

    #[test]
    fn nonsense_from_an_engine_is_no_solution() {
        let thought = MoveReply { best: reply("xyz"), ..MoveReply::default() };
        let answers = [judge(&task(), &thought, false), judge(&task(), &MoveReply::default(), false)];
        assert!(answers.iter().all(|answer| !answer.solved));
        assert_eq!(SuiteTotal::of(&answers).illegal, 2);
    }
}
