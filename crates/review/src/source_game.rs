//! The games of a PGN text, and what could not be read of it.

use chess::{Game, Move, Position};
use record::eco::add_tags;
use record::pgn::{PgnGame, PgnReader, PlacedGame, ReplayError};
use serde::{Deserialize, Serialize};

/// A game of a PGN file.
#[derive(Clone, Debug)]
pub struct SourceGame {
    /// From 1.
    pub number: usize,
    /// Its first line, from 1.
    pub line: usize,
    pub pgn: PgnGame,
    pub start: Position,
    pub moves: Vec<Move>,
}

impl SourceGame {
    /// Whether castling has to be written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        let named = self.pgn.tag("Variant").map(str::to_ascii_lowercase);
        !self.start.has_standard_castling()
            || named.is_some_and(|name| name.contains("960") || name.replace(' ', "").contains("fischer"))
    }

    /// The game after `plies` plies.
    pub fn game_after(&self, plies: usize) -> Game {
        let mut game = Game::new(self.start);
        self.moves.iter().take(plies).for_each(|&mv| game.play(mv));
        game
    }
}

/// Something in a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// The game's place in the file, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// Whether the game was skipped.
    pub skipped: bool,
}

/// Parses the games of a PGN text. Games that cannot be replayed are skipped and reported.
pub fn read(text: &str) -> (Vec<SourceGame>, Vec<Broken>) {
    let mut reader = PgnReader::new(text);
    let (mut games, mut broken) = (Vec::new(), Vec::new());
    for number in 1.. {
        let Some(placed) = reader.next_placed() else { break };
        for warning in &placed.warnings {
            let what = warning.what.clone();
            broken.push(Broken { game: number, line: warning.line, what, skipped: false });
        }
        match subject(number, placed) {
            Ok(subject) => games.push(subject),
            Err(fault) => broken.push(fault),
        }
    }
    (games, broken)
}

fn subject(number: usize, placed: PlacedGame) -> Result<SourceGame, Broken> {
    let broken = |line, what| Broken { game: number, line, what, skipped: true };
    let (start, moves) = placed.game.replay(usize::MAX).map_err(|error| {
        let line = match &error {
            ReplayError::Start(_) => placed.line,
            ReplayError::Move { ply, .. } => placed.move_lines.get(*ply).copied().unwrap_or(placed.line),
        };
        broken(line, error.to_string())
    })?;
    if moves.is_empty() {
        return Err(broken(placed.line, "a game without moves".to_owned()));
    }
    let mut pgn = placed.game;
    add_tags(&mut pgn, &start, &moves);
    Ok(SourceGame { number, line: placed.line, pgn, start, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_games_are_reported() {
        let text = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4\ne5 2. Ke3 *\n\n[FEN \"x\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 {open";
        let (games, broken) = read(text);
        assert_eq!(
            games.iter().map(|subject| (subject.number, subject.line)).collect::<Vec<_>>(),
            [(1, 1), (4, 14)]
        );
        let listed: Vec<_> = broken.iter().map(|fault| (fault.game, fault.line, fault.skipped)).collect();
        assert_eq!(listed, [(2, 8, true), (3, 10, true), (4, 16, false)]);
        assert!(broken[0].what.contains("Ke3"), "{broken:?}");
    }

    #[test]
    fn games_have_the_name_of_their_opening() {
        let (games, _) = read("1. e4 c5 2. Nf3 d6 *");
        assert_eq!(
            (games[0].pgn.tag("ECO"), games[0].pgn.tag("Opening")),
            (Some("B50"), Some("Sicilian Defense: Modern Variations"))
        );
    }

    #[test]
    fn chess960_by_tag_or_castling() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let (games, _) =
            read(&format!("[FEN \"{fen}\"]\n\n1. g3 *\n[Variant \"Chess960\"]\n1. e4 *\n1. e4 *"));
        assert_eq!(games.iter().map(SourceGame::is_chess960).collect::<Vec<_>>(), [true, true, false]);
    }
}
