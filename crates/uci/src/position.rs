//! `position`: a start position and the moves played from it, as text and as a [`Game`].

use std::fmt;

use chess::{Game, Position};

use crate::Warning;
use crate::tokens::Tokens;

/// Where the game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial position of standard chess.
    Initial,
    /// A position in FEN, X-FEN or Shredder-FEN.
    Fen(String),
}

/// The arguments of `position`, not yet checked against the rules.
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
    /// Parses what follows `position`. `None`, and a warning, without a start position.
    pub(crate) fn parse(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<PositionCommand> {
        let keyword = tokens.next();
        let before_moves: Vec<&str> = tokens.by_ref().take_while(|&token| token != "moves").collect();
        let moves = tokens.map(str::to_owned).collect();
        let (start, ignored) = match keyword {
            Some("startpos") => (Start::Initial, &before_moves[..]),
            Some("fen") if !before_moves.is_empty() => {
                let (fields, ignored) = before_moves.split_at(FEN_FIELDS.min(before_moves.len()));
                (Start::Fen(fields.join(" ")), ignored)
            }
            _ => {
                warnings.push(Warning::PositionNeedsStart);
                return None;
            }
        };
        if !ignored.is_empty() {
            let tokens = ignored.join(" ").as_str().into();
            warnings.push(Warning::IgnoredTokens { command: "position", tokens });
        }
        Some(PositionCommand { start, moves })
    }

    /// The game that the command describes. An invalid FEN gives none; an illegal move ends the list before it.
    pub fn set_up(&self, warnings: &mut Vec<Warning>) -> Option<Game> {
        let start = match &self.start {
            Start::Initial => Position::startpos(),
            Start::Fen(fen) => match Position::from_fen_with_repairs(fen) {
                Ok((position, repairs)) => {
                    if repairs.castling {
                        warnings.push(Warning::CastlingRightsDropped);
                    }
                    position
                }
                Err(error) => {
                    warnings.push(Warning::BadFen(error));
                    return None;
                }
            },
        };
        let mut game = Game::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            match game.position().parse_uci(text) {
                Ok(mv) => game.play(mv),
                Err(error) => {
                    warnings.push(Warning::BadMove { text: text.as_str().into(), number: index + 1, error });
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
