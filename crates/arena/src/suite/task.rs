//! One position of a suite and what counts as solving it.

use std::fmt;

use chess::{Epd, Move, Position};
use uci::Score;

/// A position with a known answer.
#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// Its name; its line's number where it has none.
    pub id: String,
    /// The position.
    pub position: Position,
    /// Moves that solve it (`bm`); empty when any other goal is given.
    pub best: Vec<Move>,
    /// Moves that must not be played (`am`).
    pub avoid: Vec<Move>,
    /// Mate in so many moves must be seen (`dm`).
    pub mate: Option<u32>,
    /// Moves and their worth (`c0 "Nf3=10, e4=5"` or `c8`/`c9`), best first.
    pub points: Vec<(Move, u32)>,
}

/// Why a line is no task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteError {
    /// The position is not valid.
    Position(String),
    /// A move is not possible.
    Move(String, String),
    /// No goal is given.
    NoGoal,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(reason) => f.write_str(reason),
            Self::Move(word, reason) => write!(f, "{word}: {reason}"),
            Self::NoGoal => f.write_str("no bm, am, dm or points"),
        }
    }
}

impl std::error::Error for SuiteError {}

impl SuitePosition {
    /// Reads an EPD line; `number` names it if it has no `id`.
    ///
    /// # Errors
    /// The position or a move is not valid, or there is nothing to solve.
    pub fn parse(line: &str, number: usize) -> Result<Self, SuiteError> {
        let epd: Epd =
            line.parse().map_err(|error: chess::EpdError| SuiteError::Position(error.to_string()))?;
        let position = epd.position;
        let id = epd.operands("id").first().cloned().unwrap_or_else(|| number.to_string());
        let mut task =
            Self { id, position, best: Vec::new(), avoid: Vec::new(), mate: None, points: Vec::new() };
        // Some suites put a check sign apart from its move.
        let is_sign = |word: &&String| word.trim_matches(['+', '#', '!', '?']).is_empty();
        for word in epd.operands("bm").iter().filter(|word| !is_sign(word)) {
            // Mate suites write the distance in the place of the move.
            match word.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
                Some(moves) => task.mate = Some(moves),
                None => task.best.push(task.read_move(word)?),
            }
        }
        for word in epd.operands("am").iter().filter(|word| !is_sign(word)) {
            task.avoid.push(task.read_move(word)?);
        }
        if let Some(moves) = epd.operands("dm").first().and_then(|word| word.parse().ok()) {
            task.mate = Some(moves);
        }
        task.read_points(&epd)?;
        if task.best.is_empty() && task.avoid.is_empty() && task.mate.is_none() && task.points.is_empty() {
            return Err(SuiteError::NoGoal);
        }
        Ok(task)
    }

    fn read_move(&self, word: &str) -> Result<Move, SuiteError> {
        let position = &self.position;
        position
            .parse_san(word)
            .or_else(|error| position.parse_uci(word).map_err(|_| error))
            .map_err(|error| SuiteError::Move(word.to_owned(), error.to_string()))
    }

    /// Moves in coordinates with their worth (`c9`, `c8`) are exact; `c0` is for people, and some moves there are not.
    fn read_points(&mut self, epd: &Epd) -> Result<(), SuiteError> {
        let words = |opcode: &str| epd.operands(opcode).join(" ");
        let (moves, values) = (words("c9"), words("c8"));
        let numbers: Option<Vec<u32>> = values.split_whitespace().map(|word| word.parse().ok()).collect();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty() && numbers.len() == moves.len()) {
            for (word, value) in moves.into_iter().zip(numbers) {
                self.points.push((self.read_move(word)?, value));
            }
        } else {
            let text = words("c0");
            for (word, value) in text.split(',').filter_map(|part| part.trim().rsplit_once('=')) {
                if let Ok(value) = value.trim().parse() {
                    self.points.push((self.read_move(word.trim())?, value));
                }
            }
        }
        self.points.sort_by_key(|point| std::cmp::Reverse(point.1));
        Ok(())
    }

    /// Whether a move and its score solve the task.
    pub fn is_solved_by(&self, best: Move, score: Option<Score>) -> bool {
        if !self.best.is_empty() {
            return self.best.contains(&best) && !self.avoid.contains(&best);
        }
        if let Some(moves) = self.mate {
            return matches!(score, Some(Score::Mate(seen)) if seen > 0 && seen.unsigned_abs() <= moves);
        }
        if !self.avoid.is_empty() {
            return !self.avoid.contains(&best);
        }
        self.points.first().is_some_and(|point| point.0 == best)
    }

    /// What a move is worth, where moves are graded.
    pub fn points_for(&self, best: Move) -> u32 {
        self.points.iter().find(|point| point.0 == best).map_or(0, |point| point.1)
    }

    /// The most that can be had, where moves are graded.
    pub fn most_points(&self) -> u32 {
        self.points.first().map_or(0, |point| point.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn task(operations: &str) -> SuitePosition {
        SuitePosition::parse(&format!("{START} {operations}"), 7).expect(operations)
    }

    fn solved(task: &SuitePosition, word: &str) -> bool {
        task.is_solved_by(task.position.parse_uci(word).expect(word), Some(Score::Centipawns(0)))
    }

    #[test]
    fn best_and_avoided_moves_decide() {
        let best = task("bm e4 Nf3; id \"a b\";");
        assert_eq!(best.id, "a b");
        assert!(solved(&best, "e2e4") && solved(&best, "g1f3") && !solved(&best, "d2d4"));
        assert_eq!(task("bm e4 + Nf3 !;").best.len(), 2);
        let avoid = task("am f3 g4;");
        assert_eq!(avoid.id, "7");
        assert!(!solved(&avoid, "f2f3") && solved(&avoid, "e2e4"));
    }

    #[test]
    fn a_mate_must_be_seen_in_time() {
        for operations in ["dm 3;", "bm #3; PV: e2e4;"] {
            let task = task(operations);
            let mv = task.position.parse_uci("e2e4").expect("legal");
            assert!(
                task.is_solved_by(mv, Some(Score::Mate(3))) && task.is_solved_by(mv, Some(Score::Mate(2)))
            );
            assert!(
                !task.is_solved_by(mv, Some(Score::Mate(4))) && !task.is_solved_by(mv, Some(Score::Mate(-2)))
            );
            assert!(!task.is_solved_by(mv, Some(Score::Centipawns(900))) && !task.is_solved_by(mv, None));
        }
    }

    #[test]
    fn graded_moves_give_points() {
        for operations in ["bm e4; c0 \"e4=10, Nf3=4, d4=2\";", "c8 \"2 10 4\"; c9 \"d2d4 e2e4 g1f3\";"] {
            let task = task(operations);
            let points = |word: &str| task.points_for(task.position.parse_uci(word).expect(word));
            assert_eq!((points("e2e4"), points("g1f3"), points("d2d4"), points("a2a3")), (10, 4, 2, 0));
            assert_eq!(task.most_points(), 10);
            assert!(solved(&task, "e2e4") && !solved(&task, "g1f3"));
        }
    }

    #[test]
    fn lines_without_sense_are_refused() {
        let error = |operations: &str| {
            SuitePosition::parse(&format!("{START} {operations}"), 1).expect_err(operations)
        };
        assert_eq!(error("id \"x\";"), SuiteError::NoGoal);
        assert!(matches!(error("bm Ke4;"), SuiteError::Move(word, _) if word == "Ke4"));
        assert!(matches!(SuitePosition::parse("nonsense", 1), Err(SuiteError::Position(_))));
    }
}
