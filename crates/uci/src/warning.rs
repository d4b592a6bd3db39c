//! What can be wrong with a command. The session prints each warning as one `info string`.

use std::fmt;

use chess::{FenError, MoveError};

/// Input quoted in a message: cut to 60 characters, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    const MAX_CHARS: usize = 60;
}

impl From<&str> for Excerpt {
    fn from(text: &str) -> Self {
        let mut shown: String =
            text.chars().take(Self::MAX_CHARS).map(|c| if c.is_control() { '?' } else { c }).collect();
        if text.chars().nth(Self::MAX_CHARS).is_some() {
            shown.push('…');
        }
        Excerpt(shown)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0)
    }
}

/// Something in a command that was ignored, repaired or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// No token of the line is a command.
    UnknownCommand(Excerpt),
    /// Tokens before the command.
    SkippedBeforeCommand(Excerpt),
    /// Tokens that mean nothing to the command.
    IgnoredTokens {
        /// The command.
        command: &'static str,
        /// The tokens.
        tokens: Excerpt,
    },
    /// A line too long to be read.
    LineTooLong,
    /// A line that is not UTF-8.
    LineNotText,
    /// `debug` with neither `on` nor `off`.
    DebugNeedsOnOrOff,
    /// `position` with neither `startpos` nor `fen`.
    PositionNeedsStart,
    /// An invalid FEN; the old position is kept.
    BadFen(FenError),
    /// Castling rights without king and rook in place; they are dropped.
    CastlingRightsDropped,
    /// An illegal move; it and the moves after it are ignored.
    BadMove {
        /// The move as written.
        text: Excerpt,
        /// Its place in the list, from 1.
        number: usize,
        /// Why it is illegal.
        error: MoveError,
    },
    /// An illegal move after `searchmoves`; it is ignored.
    BadSearchMove {
        /// The move as written.
        text: Excerpt,
        /// Why it is illegal.
        error: MoveError,
    },
    /// Only illegal moves after `searchmoves`; all moves are searched.
    NoSearchMoves,
    /// A keyword of `go` without its number; the minimum is used.
    MissingNumber(&'static str),
    /// A keyword of `go` without a valid number; the minimum is used.
    NotANumber {
        /// The keyword.
        keyword: &'static str,
        /// The token in the number's place.
        token: Excerpt,
    },
    /// An argument that the command cannot use.
    BadArgument {
        /// The command.
        command: &'static str,
        /// What the argument is.
        argument: &'static str,
        /// The token in its place.
        token: Excerpt,
    },
    /// `setoption` without a name.
    OptionNeedsName,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::UnknownCommand(line) => write!(f, "unknown command {line}, try 'help'"),
            Warning::SkippedBeforeCommand(tokens) => write!(f, "skipped {tokens} before the command"),
            Warning::IgnoredTokens { command, tokens } => write!(f, "{command}: ignored {tokens}"),
            Warning::LineTooLong => write!(f, "line of more than {} bytes ignored", crate::line::MAX_LINE),
            Warning::LineNotText => f.write_str("line that is not UTF-8 text ignored"),
            Warning::DebugNeedsOnOrOff => f.write_str("debug: expected 'on' or 'off'"),
            Warning::PositionNeedsStart => {
                f.write_str("position: expected 'startpos' or 'fen FEN'; position unchanged")
            }
            Warning::BadFen(error) => {
                // The error quotes the FEN, which may be of any length.
                let error = error.to_string();
                let shown: String = error.chars().take(2 * Excerpt::MAX_CHARS).collect();
                write!(f, "position: {shown}; position unchanged")
            }
            Warning::CastlingRightsDropped => {
                f.write_str("position: dropped castling rights without king and rook in place")
            }
            Warning::BadMove { text, number, error } => {
                write!(f, "position: move {number} {text}: {error}; kept the position before it")
            }
            Warning::BadSearchMove { text, error } => write!(f, "go: search move {text}: {error}"),
            Warning::NoSearchMoves => f.write_str("go: no legal search move, searching all moves"),
            Warning::MissingNumber(keyword) => {
                write!(f, "go: missing number after '{keyword}', using the minimum")
            }
            Warning::NotANumber { keyword, token } => {
                write!(f, "go: invalid number {token} after '{keyword}', using the minimum")
            }
            Warning::BadArgument { command, argument, token } => {
                write!(f, "{command}: invalid {argument} {token}")
            }
            Warning::OptionNeedsName => f.write_str("setoption: expected 'name NAME [value VALUE]'"),
        }
    }
}

impl std::error::Error for Warning {}
