//! A position of a test suite and its solutions.

use std::fmt;

use chess::{Epd, Move, Position};
use uci::Score;

#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// The `id`, or the line number.
    pub id: String,
    pub position: Position,
    /// `bm`: moves that solve it.
    pub best: Vec<Move>,
    /// `am`: moves to avoid.
    pub avoid: Vec<Move>,
    /// `dm`, or `bm #5`: mate in this many moves must be found; negative if the side to move is mated (`bm #-7`).
    pub mate: Option<i32>,
    /// Graded moves (`c0 "Nf3=10, e4=5"` or `c8`/`c9`), best first.
    pub points: Vec<(Move, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteError {
    Position(String),
    /// The move and the reason.
    Move(String, String),
    NoGoal,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(reason) => f.write_str(reason),
            Self::Move(mv, reason) => write!(f, "{mv}: {reason}"),
            Self::NoGoal => f.write_str("no bm, am, dm or graded moves"),
        }
    }
}

impl std::error::Error for SuiteError {}

impl SuitePosition {
    /// Parses an EPD line; `number` is used if it has no `id`.
    ///
    /// # Errors
    /// The position or a move is invalid, or there is no goal.
    pub fn parse(line: &str, number: usize) -> Result<Self, SuiteError> {
        let epd: Epd =
            line.parse().map_err(|error: chess::EpdError| SuiteError::Position(error.to_string()))?;
        let position = epd.position;
        let id = epd.operands("id").first().cloned().unwrap_or_else(|| number.to_string());
        let mut test =
            Self { id, position, best: Vec::new(), avoid: Vec::new(), mate: None, points: Vec::new() };
        // Some suites separate a check mark from its move.
        let is_mark = |operand: &&String| operand.trim_matches(['+', '#', '!', '?']).is_empty();
        for operand in epd.operands("bm").iter().filter(|operand| !is_mark(operand)) {
            // Mate suites give the distance instead of the move.
            match operand.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
                Some(moves) => test.mate = Some(moves),
                None => test.best.push(test.read_move(operand)?),
            }
        }
        for operand in epd.operands("am").iter().filter(|operand| !is_mark(operand)) {
            test.avoid.push(test.read_move(operand)?);
        }
        if let Some(moves) = epd.operands("dm").first().and_then(|operand| operand.parse().ok()) {
            test.mate = Some(moves);
        }
        test.read_points(&epd)?;
        if test.best.is_empty() && test.avoid.is_empty() && test.mate.is_none() && test.points.is_empty() {
            return Err(SuiteError::NoGoal);
        }
        Ok(test)
    }

    fn read_move(&self, text: &str) -> Result<Move, SuiteError> {
        let position = &self.position;
        position
            .parse_san(text)
            .or_else(|error| position.parse_uci(text).map_err(|_| error))
            .map_err(|error| SuiteError::Move(text.to_owned(), error.to_string()))
    }

    /// `c9` and `c8` (UCI moves and points) are preferred: some moves in `c0` are ambiguous.
    fn read_points(&mut self, epd: &Epd) -> Result<(), SuiteError> {
        let operands = |opcode: &str| epd.operands(opcode).join(" ");
        let (moves, values) = (operands("c9"), operands("c8"));
        let numbers: Option<Vec<u32>> = values.split_whitespace().map(|value| value.parse().ok()).collect();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty() && numbers.len() == moves.len()) {
            for (mv, value) in moves.into_iter().zip(numbers) {
                self.points.push((self.read_move(mv)?, value));
            }
        } else {
            let text = operands("c0");
            for (mv, value) in text.split(',').filter_map(|part| part.trim().rsplit_once('=')) {
                if let Ok(value) = value.trim().parse() {
                    self.points.push((self.read_move(mv.trim())?, value));
                }
            }
        }
        self.points.sort_by_key(|point| std::cmp::Reverse(point.1));
        Ok(())
    }

    pub fn is_solved_by(&self, best: Move, score: Option<Score>) -> bool {
        if !self.best.is_empty() {
            return self.best.contains(&best) && !self.avoid.contains(&best);
        }
        if let Some(moves) = self.mate {
            let is_found =
                |seen: i32| seen.signum() == moves.signum() && seen.unsigned_abs() <= moves.unsigned_abs();
            return matches!(score, Some(Score::Mate(seen)) if is_found(seen));
        }
        if !self.avoid.is_empty() {
            return !self.avoid.contains(&best);
        }
        self.points.first().is_some_and(|point| point.0 == best)
    }

    /// What solves it, as in an EPD file: moves, `#5`, or `not` and the moves to avoid.
    pub fn expected(&self) -> String {
        let list = |moves: &[Move]| {
            let san = moves.iter().map(|&mv| self.position.san(mv).to_string());
            san.collect::<Vec<_>>().join(" ")
        };
        match self.mate {
            _ if !self.best.is_empty() => list(&self.best),
            Some(moves) => format!("#{moves}"),
            None if !self.avoid.is_empty() => format!("not {}", list(&self.avoid)),
            None => list(&self.points.iter().take(1).map(|point| point.0).collect::<Vec<_>>()),
        }
    }

    /// Points for a move, if moves are graded.
    pub fn points_for(&self, best: Move) -> u32 {
        self.points.iter().find(|point| point.0 == best).map_or(0, |point| point.1)
    }

    /// Maximum points.
    pub fn most_points(&self) -> u32 {
        self.points.first().map_or(0, |point| point.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn test(operations: &str) -> SuitePosition {
        SuitePosition::parse(&format!("{START} {operations}"), 7).expect(operations)
    }

    fn solved(test: &SuitePosition, uci: &str) -> bool {
        test.is_solved_by(test.position.parse_uci(uci).expect(uci), Some(Score::Centipawns(0)))
    }

    #[test]
    fn best_and_avoided_moves() {
        let best = test("bm e4 Nf3; id \"a b\";");
        assert_eq!(best.id, "a b");
        assert!(solved(&best, "e2e4") && solved(&best, "g1f3") && !solved(&best, "d2d4"));
        assert_eq!(test("bm e4 + Nf3 !;").best.len(), 2);
        let avoid = test("am f3 g4;");
        assert_eq!(avoid.id, "7");
        assert!(!solved(&avoid, "f2f3") && solved(&avoid, "e2e4"));
    }

    #[test]
    fn mate_distance() {
        for operations in ["dm 3;", "bm #3; PV: e2e4;"] {
            let test = test(operations);
            let mv = test.position.parse_uci("e2e4").expect("legal");
            assert!(
                test.is_solved_by(mv, Some(Score::Mate(3))) && test.is_solved_by(mv, Some(Score::Mate(2)))
            );
            assert!(
                !test.is_solved_by(mv, Some(Score::Mate(4))) && !test.is_solved_by(mv, Some(Score::Mate(-2)))
            );
            assert!(!test.is_solved_by(mv, Some(Score::Centipawns(900))) && !test.is_solved_by(mv, None));
        }
    }

    /// As in matetrack: the side to move is mated.
    #[test]
    fn mated_positions() {
        let test = test("bm #-3;");
        let mv = test.position.parse_uci("e2e4").expect("legal");
        let solved = |score| test.is_solved_by(mv, Some(score));
        assert!(solved(Score::Mate(-3)) && solved(Score::Mate(-2)));
        assert!(!solved(Score::Mate(-4)) && !solved(Score::Mate(3)) && !solved(Score::Centipawns(-900)));
        assert_eq!(test.expected(), "#-3");
    }

    #[test]
    fn expected_moves() {
        assert_eq!(test("bm Nf3 e4;").expected(), "Nf3 e4");
        assert_eq!(test("am f3 g4;").expected(), "not f3 g4");
        assert_eq!(test("dm 5;").expected(), "#5");
        assert_eq!(test("c0 \"e4=10, Nf3=4\";").expected(), "e4");
    }

    #[test]
    fn graded_moves() {
        for operations in ["bm e4; c0 \"e4=10, Nf3=4, d4=2\";", "c8 \"2 10 4\"; c9 \"d2d4 e2e4 g1f3\";"] {
            let test = test(operations);
            let points = |uci: &str| test.points_for(test.position.parse_uci(uci).expect(uci));
            assert_eq!((points("e2e4"), points("g1f3"), points("d2d4"), points("a2a3")), (10, 4, 2, 0));
            assert_eq!(test.most_points(), 10);
            assert!(solved(&test, "e2e4") && !solved(&test, "g1f3"));
        }
    }

    #[test]
    fn invalid_lines_are_rejected() {
        let error = |operations: &str| {
            SuitePosition::parse(&format!("{START} {operations}"), 1).expect_err(operations)
        };
        assert_eq!(error("id \"x\";"), SuiteError::NoGoal);
        assert!(matches!(error("bm Ke4;"), SuiteError::Move(mv, _) if mv == "Ke4"));
        assert!(matches!(SuitePosition::parse("nonsense", 1), Err(SuiteError::Position(_))));
    }
}
