//! `position`: where a game starts and what was played, as text and as a [`Game`].

use std::fmt;

use chess::{Game, Position};

use crate::Remark;
use crate::words::Words;

/// Where the game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial position of standard chess.
    Initial,
    /// A position in FEN, X-FEN or Shredder-FEN.
    Fen(String),
}

/// The words after `position`, not yet checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the game starts.
    pub start: Start,
    /// What was played from there, in UCI notation.
    pub moves: Vec<String>,
}

/// A FEN has six fields; GUIs are known to append more.
const FEN_FIELDS: usize = 6;

impl PositionCommand {
    /// Reads the words after `position`. `None`, and a remark, when they name no start.
    pub(crate) fn parse(mut words: Words, remarks: &mut Vec<Remark>) -> Option<PositionCommand> {
        let keyword = words.next();
        let before_moves: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let moves = words.map(str::to_owned).collect();
        let (start, ignored) = match keyword {
            Some("startpos") => (Start::Initial, &before_moves[..]),
            Some("fen") if !before_moves.is_empty() => {
                let (fields, ignored) = before_moves.split_at(FEN_FIELDS.min(before_moves.len()));
                (Start::Fen(fields.join(" ")), ignored)
            }
            _ => {
                remarks.push(Remark::PositionNeedsStart);
                return None;
            }
        };
        if !ignored.is_empty() {
            let words = ignored.join(" ").as_str().into();
            remarks.push(Remark::IgnoredWords { command: "position", words });
        }
        Some(PositionCommand { start, moves })
    }

    /// The game that the command describes. A bad FEN gives none; a bad move ends the list before it.
    pub fn set_up(&self, remarks: &mut Vec<Remark>) -> Option<Game> {
        let start = match &self.start {
            Start::Initial => Position::startpos(),
            Start::Fen(fen) => match Position::from_fen_with_repairs(fen) {
                Ok((position, repairs)) => {
                    if repairs.castling {
                        remarks.push(Remark::CastlingRightsDropped);
                    }
                    position
                }
                Err(error) => {
                    remarks.push(Remark::BadFen(error));
                    return None;
                }
            },
        };
        let mut game = Game::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            match game.position().parse_uci(text) {
                Ok(mv) => game.play(mv),
                Err(error) => {
                    remarks.push(Remark::BadMove { text: text.as_str().into(), number: index + 1, error });
                    break;
                }
            }
        }
        Some(game)
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Initial => f.write_str("position startpos")?,
            Start::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}
