//! PGN: a game as a value, its text, and its replay.

mod reader;
mod scanner;
mod stream;

use std::fmt::{self, Write};

use chess::{FenError, Move, MoveError, Position};

pub use reader::{PgnReader, PgnWarning, PlacedGame};
pub use stream::{PgnPieces, for_each_game};

/// The result at the end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}

impl GameResult {
    pub fn from_token(token: &str) -> Option<Self> {
        match token {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMove {
    /// The move as written, usually SAN.
    pub san: String,
    /// NAGs (`$1`: good move …).
    pub glyphs: Vec<u8>,
    /// The comments after the move, joined by spaces.
    pub comment: String,
    /// Alternatives to this move.
    pub variations: Vec<PgnVariation>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnVariation {
    /// The comment before its first move.
    pub comment: String,
    pub moves: Vec<PgnMove>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Tags in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: String,
    /// The main line.
    pub moves: Vec<PgnMove>,
    pub result: GameResult,
}

/// Why a game cannot be replayed.
#[derive(Debug)]
pub enum ReplayError {
    /// The `FEN` tag is invalid.
    Start(FenError),
    /// A move is illegal or ambiguous.
    Move {
        /// Plies before it.
        ply: usize,
        /// The move as written.
        san: String,
        error: MoveError,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "invalid starting position: {error}"),
            Self::Move { ply, san, error } => {
                write!(f, "move {}{} {san}: {error}", ply / 2 + 1, if ply % 2 == 0 { "." } else { "..." })
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl PgnGame {
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0.eq_ignore_ascii_case(name)).map(|tag| tag.1.as_str())
    }

    /// Sets or replaces a tag.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|tag| tag.0 == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The starting position.
    ///
    /// # Errors
    /// The `FEN` tag is invalid.
    pub fn start(&self) -> Result<Position, ReplayError> {
        self.tag("FEN").map_or_else(
            || Ok(Position::startpos()),
            |fen| Position::from_fen(fen).map_err(ReplayError::Start),
        )
    }

    /// Plays the main line, at most `plies` of it.
    ///
    /// # Errors
    /// The starting position or a move is invalid.
    pub fn replay(&self, plies: usize) -> Result<(Position, Vec<Move>), ReplayError> {
        let start = self.start()?;
        let mut position = start;
        let mut moves = Vec::with_capacity(self.moves.len().min(plies));
        for (ply, written) in self.moves.iter().take(plies).enumerate() {
            let mv = position
                .parse_san(&written.san)
                .or_else(|error| position.parse_uci(&written.san).map_err(|_| error))
                .map_err(|error| ReplayError::Move { ply, san: written.san.clone(), error })?;
            moves.push(mv);
            position = position.after(mv);
        }
        Ok((start, moves))
    }
}

/// Longest line of move text; the PGN standard wants less than 80.
const WIDTH: usize = 79;

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        f.write_char('\n')?;
        let mut text = Wrapped { out: f, column: 0, opening: false };
        // Numbering continues from the starting position, in which Black may be to move.
        let first = self.start().ok();
        let number = first.as_ref().map_or(1, Position::fullmove_number);
        let black = first.is_some_and(|start| start.turn() == chess::Color::Black);
        text.line(&self.comment, &self.moves, number, black)?;
        text.token(&self.result.to_string())?;
        f.write_str("\n\n")
    }
}

/// Tokens wrapped at the line width of PGN export format.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// The next token begins a variation.
    opening: bool,
}

impl Wrapped<'_, '_> {
    /// Writes moves with comments and variations; the first move has this number.
    fn line(&mut self, comment: &str, moves: &[PgnMove], mut number: u32, mut black: bool) -> fmt::Result {
        if !comment.is_empty() {
            self.comment(comment)?;
        }
        let mut announce = true;
        for written in moves {
            if !black {
                self.token(&format!("{number}."))?;
            } else if announce {
                self.token(&format!("{number}..."))?;
            }
            self.token(&written.san)?;
            for glyph in &written.glyphs {
                self.token(&format!("${glyph}"))?;
            }
            if !written.comment.is_empty() {
                self.comment(&written.comment)?;
            }
            for variation in &written.variations {
                self.variation(variation, number, black)?;
            }
            announce = !written.comment.is_empty() || !written.variations.is_empty();
            number += u32::from(black);
            black = !black;
        }
        Ok(())
    }

    fn variation(&mut self, variation: &PgnVariation, number: u32, black: bool) -> fmt::Result {
        if variation.moves.is_empty() {
            return Ok(());
        }
        self.opening = true;
        self.line(&variation.comment, &variation.moves, number, black)?;
        if self.column >= WIDTH {
            self.out.write_char('\n')?;
            self.column = 0;
        }
        self.column += 1;
        self.out.write_char(')')
    }

    fn token(&mut self, token: &str) -> fmt::Result {
        if std::mem::take(&mut self.opening) {
            return self.token(&format!("({token}"));
        }
        if self.column > 0 && self.column + 1 + token.len() > WIDTH {
            self.out.write_char('\n')?;
            self.column = 0;
        } else if self.column > 0 {
            self.out.write_char(' ')?;
            self.column += 1;
        }
        self.out.write_str(token)?;
        self.column += token.len();
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        // Braces cannot be escaped in comments.
        let comment = format!("{{{}}}", comment.replace('}', ")").replace('{', "("));
        comment.split_whitespace().try_for_each(|token| self.token(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<PgnGame> {
        PgnReader::new(text).collect()
    }

    #[test]
    fn write_then_read() {
        let mut game = PgnGame { result: GameResult::BlackWins, ..PgnGame::default() };
        game.set_tag("Event", "a \"quoted\" \\ event");
        game.set_tag("White", "A");
        game.comment = "start".to_owned();
        for (san, comment) in [("f3", "book"), ("e5", ""), ("g4", "-3.00/2 0.1s"), ("Qh4#", "Black mates")] {
            game.moves.push(PgnMove { san: san.into(), comment: comment.into(), ..PgnMove::default() });
        }
        game.moves[2].glyphs.push(4);
        let reply = |san: &str| PgnMove { san: san.into(), comment: "why not".into(), ..PgnMove::default() };
        let nested = PgnVariation { comment: "inner".into(), moves: vec![reply("d6"), reply("d4")] };
        let mut outer = PgnVariation { comment: String::new(), moves: vec![reply("e6"), reply("e4")] };
        outer.moves[0].variations.push(nested);
        game.moves[1].variations.push(outer);
        assert_eq!(read(&game.to_string()), [game]);
    }

    #[test]
    fn move_numbers_follow_the_starting_position() {
        let mut game = PgnGame::default();
        game.set_tag("FEN", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7");
        game.set_tag("SetUp", "1");
        for san in ["e5", "Nf3", "Nc6"] {
            game.moves.push(PgnMove { san: san.into(), ..PgnMove::default() });
        }
        assert!(game.to_string().ends_with("\n7... e5 8. Nf3 Nc6 *\n\n"), "{game}");
        let (start, moves) = game.replay(usize::MAX).expect("legal");
        assert_eq!((start.fullmove_number(), moves.len()), (7, 3));
        assert_eq!(game.replay(2).expect("legal").1.len(), 2);
    }

    #[test]
    fn lines_are_wrapped() {
        let mut game = PgnGame::default();
        let mv = PgnMove { san: "Nf3".into(), comment: "+0.12/13 0.345s".into(), ..PgnMove::default() };
        game.moves = vec![mv.clone(); 60];
        for (length, at) in (0..60).enumerate() {
            let moves = vec![mv.clone(); length / 10 + 1];
            game.moves[at].variations.push(PgnVariation { comment: String::new(), moves });
        }
        assert!(game.to_string().lines().all(|line| line.len() < 80));
    }

    #[test]
    fn illegal_move_is_reported() {
        let games = read("1. e4 e5 2. Ke3 *");
        let error = games[0].replay(usize::MAX).expect_err("illegal");
        assert!(error.to_string().starts_with("move 2. Ke3"), "{error}");
    }

    #[test]
    fn braces_in_comments_are_replaced() {
        let mut game = PgnGame::default();
        game.moves.push(PgnMove { san: "e4".into(), comment: "a } b { c".into(), ..PgnMove::default() });
        assert_eq!(read(&game.to_string())[0].moves.len(), 1);
    }
}
