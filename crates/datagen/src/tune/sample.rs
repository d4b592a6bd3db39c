//! A position with its score and result, and its line of text: `FEN | centipawns | result`, both from White's
//! point of view, with `-` for an unknown score. The result is that of a PGN file, or White's points as `data export` writes
//! them.

use std::fmt;
use std::str::FromStr;

use chess::{Color, FenError, Move, Position};
use record::pgn::GameResult;

/// A position, its search score, and the result of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningPosition {
    pub position: Position,
    /// Search score in centipawns, from White's point of view.
    pub score: Option<i32>,
    /// The result of its game; never [`GameResult::Unknown`].
    pub result: GameResult,
}

/// Why a line is invalid.
#[derive(Debug)]
pub enum SampleError {
    /// It does not have three parts.
    Parts,
    Position(FenError),
    Score(String),
    Result(String),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts => f.write_str("expected `FEN | centipawns | result`"),
            Self::Position(error) => write!(f, "invalid FEN: {error}"),
            Self::Score(text) => write!(f, "invalid score '{text}': expected centipawns or -"),
            Self::Result(text) => write!(f, "invalid result '{text}': expected 1-0, 0-1, 1/2-1/2 or points"),
        }
    }
}

impl std::error::Error for SampleError {}

impl TuningPosition {
    /// The side to move's points: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn points(&self) -> f32 {
        let white = match self.result {
            GameResult::WhiteWins => 1.0,
            GameResult::BlackWins => 0.0,
            GameResult::Draw | GameResult::Unknown => 0.5,
        };
        if self.position.turn() == Color::White { white } else { 1.0 - white }
    }

    /// The search's score for the side to move.
    pub fn mover_score(&self) -> Option<i32> {
        self.score.map(|score| if self.position.turn() == Color::White { score } else { -score })
    }
}

/// Whether a position is quiet: not in check, and the best move is neither a capture nor a promotion.
pub fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_noisy(best)
}

impl fmt::Display for TuningPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | ", self.position.to_fen())?;
        match self.score {
            Some(score) => write!(f, "{score}")?,
            None => f.write_str("-")?,
        }
        write!(f, " | {}", self.result)
    }
}

impl FromStr for TuningPosition {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<TuningPosition, SampleError> {
        let mut parts = line.split('|').map(str::trim);
        let (Some(fen), Some(score), Some(result), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(SampleError::Parts);
        };
        let position = Position::from_fen(fen).map_err(SampleError::Position)?;
        let score = match score {
            "-" => None,
            number => Some(number.parse().map_err(|_| SampleError::Score(number.to_owned()))?),
        };
        let result = match result {
            "1.0" | "1" => GameResult::WhiteWins,
            "0.5" => GameResult::Draw,
            "0.0" | "0" => GameResult::BlackWins,
            token => GameResult::from_token(token)
                .filter(|&result| result != GameResult::Unknown)
                .ok_or_else(|| SampleError::Result(token.to_owned()))?,
        };
        Ok(TuningPosition { position, score, result })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_round_trips() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 35 | 1-0",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | - | 1/2-1/2",
        ] {
            assert_eq!(line.parse::<TuningPosition>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn result_may_be_points() {
        for (points, token) in
            [("1.0", "1-0"), ("1", "1-0"), ("0.5", "1/2-1/2"), ("0.0", "0-1"), ("0", "0-1")]
        {
            let [given, meant] =
                [points, token].map(|result| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 7 | {result}"));
            assert_eq!(given.parse::<TuningPosition>().unwrap().to_string(), meant);
        }
        assert!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 7 | 0.7".parse::<TuningPosition>().is_err());
    }

    #[test]
    fn points_and_score_of_side_to_move() {
        let black_to_move: TuningPosition =
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 35 | 1-0".parse().unwrap();
        assert!(black_to_move.points() < 0.1);
        assert_eq!(black_to_move.mover_score(), Some(-35));
    }

    #[test]
    fn invalid_lines_are_rejected() {
        for (line, word) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "expected"),
            ("4k3/8/8 w - - 0 1 | 3 | 1-0", "invalid FEN"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | much | 1-0", "much"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 3 | *", "*"),
        ] {
            let error = line.parse::<TuningPosition>().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn captures_are_not_quiet() {
        let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        assert!(!is_quiet(&position, position.parse_uci("e4d5").unwrap()));
        assert!(is_quiet(&position, position.parse_uci("e1d2").unwrap()));
    }
}
