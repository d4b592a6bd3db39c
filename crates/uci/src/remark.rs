//! What can be wrong with a command, in words for the user. The session tells each remark in one
//! `info string`; none of them ends anything.

use std::fmt;

use chess::{FenError, MoveError};

/// Text of the user, cut to a length that is fit for a message and free of control characters.
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
pub enum Remark {
    /// No word of the line is a command.
    UnknownCommand(Excerpt),
    /// Words before the command.
    SkippedBeforeCommand(Excerpt),
    /// Words that mean nothing to the command.
    IgnoredWords {
        /// The command.
        command: &'static str,
        /// The words.
        words: Excerpt,
    },
    /// A line too long to be read.
    LineTooLong,
    /// A line of bytes that are not text.
    LineNotText,
    /// `debug` with neither `on` nor `off`.
    DebugNeedsOnOrOff,
    /// `position` with neither `startpos` nor `fen`.
    PositionNeedsStart,
    /// A FEN that describes no position; the old position is kept.
    BadFen(FenError),
    /// Castling rights that the FEN claims but the board does not allow; they are dropped.
    CastlingRightsDropped,
    /// A move that cannot be played; it and what follows is left out.
    BadMove {
        /// The move as written.
        text: Excerpt,
        /// Its place in the list, from 1.
        number: usize,
        /// Why it cannot be played.
        error: MoveError,
    },
    /// A move after `searchmoves` that cannot be played; it is left out.
    BadSearchMove {
        /// The move as written.
        text: Excerpt,
        /// Why it cannot be played.
        error: MoveError,
    },
    /// Only unplayable moves after `searchmoves`; all moves are searched.
    NoSearchMoves,
    /// A keyword of `go` without its number; it counts as the smallest.
    MissingNumber(&'static str),
    /// A keyword of `go` with something else than a number; it counts as the smallest.
    NotANumber {
        /// The keyword.
        keyword: &'static str,
        /// What stood in the number's place.
        word: Excerpt,
    },
    /// `perft` or `bench` without a usable depth.
    BadDepth {
        /// The command.
        command: &'static str,
        /// What stood in the depth's place.
        word: Excerpt,
    },
    /// `setoption` without a name.
    OptionNeedsName,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::UnknownCommand(line) => write!(f, "unknown command {line}, try 'help'"),
            Remark::SkippedBeforeCommand(words) => write!(f, "skipped {words} before the command"),
            Remark::IgnoredWords { command, words } => write!(f, "{command}: ignored {words}"),
            Remark::LineTooLong => write!(f, "line of more than {} bytes ignored", crate::line::MAX_LINE),
            Remark::LineNotText => f.write_str("line that is not UTF-8 text ignored"),
            Remark::DebugNeedsOnOrOff => f.write_str("debug: say 'on' or 'off'"),
            Remark::PositionNeedsStart => {
                f.write_str("position: say 'startpos' or 'fen' and a FEN; position unchanged")
            }
            Remark::BadFen(error) => {
                // The error quotes the FEN, which may be of any length.
                let error = error.to_string();
                let shown: String = error.chars().take(2 * Excerpt::MAX_CHARS).collect();
                write!(f, "position: {shown}; position unchanged")
            }
            Remark::CastlingRightsDropped => {
                f.write_str("position: dropped castling rights without king and rook in place")
            }
            Remark::BadMove { text, number, error } => {
                write!(f, "position: move {number} {text}: {error}; kept the position before it")
            }
            Remark::BadSearchMove { text, error } => write!(f, "go: search move {text}: {error}"),
            Remark::NoSearchMoves => f.write_str("go: no playable search move, searching all moves"),
            Remark::MissingNumber(keyword) => {
                write!(f, "go: '{keyword}' without a number counts as the smallest")
            }
            Remark::NotANumber { keyword, word } => {
                write!(f, "go: '{keyword}' with {word}, not a number, counts as the smallest")
            }
            Remark::BadDepth { command, word } => write!(f, "{command}: {word} is not a depth"),
            Remark::OptionNeedsName => {
                f.write_str("setoption: say 'name', the option's name, 'value', its value")
            }
        }
    }
}

impl std::error::Error for Remark {}
