//! How games end, in the terms of fastchess.

use crate::pgn::GameResult;
use chess::{Color, DrawReason, Outcome};
use serde::{Deserialize, Serialize};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    Checkmate,
    Stalemate,
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
    DrawAdjudication,
    ResignAdjudication,
    MaxMoves,
    Tablebase,
    Time,
    /// An illegal move, or none at all.
    IllegalMove,
    Disconnect,
    Stall,
    /// The match was stopped.
    Interrupted,
    /// The game was played by another program, of which only the score is known.
    Unknown,
}

impl Termination {
    /// Whether an engine is at fault.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Time | Self::IllegalMove | Self::Disconnect | Self::Stall)
    }

    /// The value of the PGN tag `Termination`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Time => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Disconnect => "abandoned",
            Self::Stall => "stalled connection",
            Self::Interrupted => "unterminated",
            Self::DrawAdjudication | Self::ResignAdjudication | Self::MaxMoves | Self::Tablebase => {
                "adjudication"
            }
            _ => "normal",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub result: GameResult,
    pub termination: Termination,
    /// The reason as fastchess prints it.
    pub text: String,
}

/// The result when `winner` wins.
pub fn won_by(winner: Color) -> GameResult {
    match winner {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

pub fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl GameEnd {
    /// By the rules of chess.
    pub fn by_rules(outcome: Outcome) -> Self {
        let draw =
            |termination, text: &str| Self { result: GameResult::Draw, termination, text: text.to_owned() };
        match outcome {
            Outcome::Checkmate { winner } => Self {
                result: won_by(winner),
                termination: Termination::Checkmate,
                text: format!("{} mates", side_name(winner)),
            },
            Outcome::Draw(DrawReason::Stalemate) => draw(Termination::Stalemate, "Draw by stalemate"),
            Outcome::Draw(DrawReason::InsufficientMaterial) => {
                draw(Termination::InsufficientMaterial, "Draw by insufficient mating material")
            }
            Outcome::Draw(DrawReason::Threefold) => {
                draw(Termination::Repetition, "Draw by 3-fold repetition")
            }
            Outcome::Draw(DrawReason::FiftyMoves) => {
                draw(Termination::FiftyMoves, "Draw by fifty moves rule")
            }
        }
    }

    /// An adjudicated draw.
    pub fn drawn(termination: Termination, text: &str) -> Self {
        Self { result: GameResult::Draw, termination, text: text.to_owned() }
    }

    /// A loss by a fault of `loser`; `did` is what it did.
    pub fn lost(loser: Color, termination: Termination, did: &str) -> Self {
        Self { result: won_by(!loser), termination, text: format!("{} {did}", side_name(loser)) }
    }

    /// An adjudicated win.
    pub fn awarded(winner: Color, termination: Termination, text: &str) -> Self {
        Self { result: won_by(winner), termination, text: format!("{} wins by {text}", side_name(winner)) }
    }

    /// An unfinished game.
    pub fn interrupted() -> Self {
        let text = "Game interrupted".to_owned();
        Self { result: GameResult::Unknown, termination: Termination::Interrupted, text }
    }
}
