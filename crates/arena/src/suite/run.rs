//! Runs the positions of a suite on a player.

use std::time::Duration;

use chess::{Game, Move};
use uci::{Info, Score};

use super::position::SuitePosition;
use crate::game::{EngineLimits, GameClock, start_command};
use crate::players::{MoveReply, MoveRequest, Player, PlayerError};

/// A player's result in one position.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub id: String,
    pub fen: String,
    /// What solves the position.
    pub expected: String,
    /// The move in UCI notation; empty if there was none.
    pub best: String,
    /// The move in SAN; empty if it is not legal.
    pub san: String,
    pub score: Option<Score>,
    pub legal: bool,
    pub solved: bool,
    /// Points for the move, if moves are graded.
    pub points: u32,
    /// Maximum points.
    pub most_points: u32,
    /// The time from which on the best move was a solution; `None` if it is not.
    pub solved_after: Option<Duration>,
    pub elapsed: Duration,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuiteTotal {
    pub tasks: u32,
    pub solved: u32,
    /// Positions answered with an illegal move.
    pub illegal: u32,
    pub points: u32,
    /// Maximum points.
    pub most_points: u32,
    /// Mean time to a solution, over the solved positions.
    pub mean_solution: Duration,
    pub elapsed: Duration,
    pub nodes: u64,
}

/// Runs one position.
///
/// # Errors
/// The player cannot continue.
pub fn attempt(
    player: &mut dyn Player,
    test: &SuitePosition,
    limits: EngineLimits,
    chess960: bool,
) -> Result<Attempt, PlayerError> {
    player.new_game()?;
    let game = Game::new(test.position);
    let position = start_command(&test.position, chess960);
    let clocks = [GameClock::new(limits); 2];
    let reply = player.think(&MoveRequest { game: &game, position: &position, clocks: &clocks })?;
    Ok(grade(test, &reply, chess960))
}

fn grade(test: &SuitePosition, reply: &MoveReply, chess960: bool) -> Attempt {
    let best = reply.best.legal();
    let score = reply.info.as_ref().and_then(|info| info.score);
    let solved = best.is_some_and(|best| test.is_solved_by(best, score));
    let info = reply.info.as_ref();
    Attempt {
        id: test.id.clone(),
        fen: if chess960 { test.position.to_shredder_fen() } else { test.position.to_fen() },
        expected: test.expected(),
        best: reply.best.uci(chess960),
        san: best.map_or(String::new(), |best| test.position.san(best).to_string()),
        score,
        legal: best.is_some(),
        solved,
        points: best.map_or(0, |best| test.points_for(best)),
        most_points: test.most_points(),
        solved_after: solved.then(|| solved_after(test, &reply.lines).unwrap_or(reply.elapsed)),
        elapsed: reply.elapsed,
        depth: info.and_then(|info| info.depth).unwrap_or(0),
        nodes: info.and_then(|info| info.nodes).unwrap_or(0),
    }
}

/// The time of the first PV from which on every PV is a solution.
fn solved_after(test: &SuitePosition, lines: &[Info]) -> Option<Duration> {
    let solves = |info: &&Info| {
        let first: Option<Move> = info.pv.first().and_then(|uci| test.position.parse_uci(uci).ok());
        first.is_some_and(|first| test.is_solved_by(first, info.score))
    };
    let first_lines = lines.iter().rev().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
    first_lines.take_while(solves).last().and_then(|info| info.time)
}

impl SuiteTotal {
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

    fn line(ms: u64, first: &str) -> Info {
        Info {
            time: Some(Duration::from_millis(ms)),
            score: Some(Score::Centipawns(10)),
            pv: vec![first.to_owned()],
            ..Info::default()
        }
    }

    fn best(text: &str) -> ReplyMove {
        ReplyMove::parse(&test().position, Some(text.to_owned()))
    }

    fn test() -> SuitePosition {
        SuitePosition::parse(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; c0 \"e4=10, d4=3\";",
            1,
        )
        .expect("valid")
    }

    #[test]
    fn solved_after_last_change() {
        let lines = vec![line(1, "e2e4"), line(5, "d2d4"), line(20, "e2e4"), line(90, "e2e4")];
        let reply = MoveReply {
            best: best("e2e4"),
            info: lines.last().cloned(),
            lines,
            elapsed: Duration::from_millis(100),
            ..MoveReply::default()
        };
        let attempt = grade(&test(), &reply, false);
        assert!(attempt.solved);
        assert_eq!((attempt.solved_after, attempt.points), (Some(Duration::from_millis(20)), 10));
    }

    #[test]
    fn wrong_move_may_earn_points() {
        let reply = MoveReply { best: best("d2d4"), ..MoveReply::default() };
        let attempt = grade(&test(), &reply, false);
        assert_eq!((attempt.solved, attempt.solved_after, attempt.points), (false, None, 3));
        let total = SuiteTotal::of(&[attempt]);
        assert_eq!((total.solved, total.points, total.most_points), (0, 3, 10));
    }

    #[test]
    fn illegal_move_is_no_solution() {
        let reply = MoveReply { best: best("xyz"), ..MoveReply::default() };
        let answers = [grade(&test(), &reply, false), grade(&test(), &MoveReply::default(), false)];
        assert!(answers.iter().all(|answer| !answer.solved));
        assert_eq!(SuiteTotal::of(&answers).illegal, 2);
    }
}
