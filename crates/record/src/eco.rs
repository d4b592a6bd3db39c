//! ECO codes and names of openings, by position, so that transpositions are recognised.
//!
//! The names are in `data/openings.txt`, a compact form of the table of lichess-org/chess-openings (CC0).

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use chess::{Move, Position};

use crate::pgn::PgnGame;

const TABLE: &str = include_str!("../data/openings.txt");

/// The code and name of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpeningName {
    /// Such as `C54`.
    pub eco: &'static str,
    /// Such as `Italian Game: Classical Variation`.
    pub name: &'static str,
}

impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// The names by the keys of positions.
static NAMES: LazyLock<HashMap<u64, OpeningName>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    // The positions of the line before, the start position first.
    let mut line = vec![Position::startpos()];
    for entry in TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(parse) {
        line.truncate(entry.shared + 1);
        for san in entry.moves.split(' ') {
            let Some(mv) = line.last().and_then(|position| position.parse_san(san).ok()) else { break };
            line.extend(line.last().map(|position| position.after(mv)));
        }
        if let Some(position) = line.last() {
            names.insert(position.key(), entry.name);
        }
    }
    names
});

/// A line of the table.
struct TableLine {
    /// Plies that are the same as in the line before.
    shared: usize,
    moves: &'static str,
    name: OpeningName,
}

fn parse(line: &'static str) -> Option<TableLine> {
    let (moves, rest) = line.split_once('|')?;
    let (eco, name) = rest.split_once('|')?;
    let (shared, moves) = moves.split_once(' ')?;
    Some(TableLine { shared: shared.parse().ok()?, moves, name: OpeningName { eco, name } })
}

/// The opening that a position belongs to by itself.
pub fn opening_at(position: &Position) -> Option<OpeningName> {
    NAMES.get(&position.key()).copied()
}

/// The opening of a game: that of the last position that has a name, and the plies up to it.
pub fn opening_of(start: &Position, moves: &[Move]) -> Option<(OpeningName, usize)> {
    let mut position = *start;
    let mut last = None;
    for (ply, &mv) in moves.iter().enumerate() {
        position = position.after(mv);
        if let Some(name) = opening_at(&position) {
            last = Some((name, ply + 1));
        }
    }
    last
}

/// Adds the tags `ECO` and `Opening` to a game with these moves, unless it has them.
pub fn add_tags(game: &mut PgnGame, start: &Position, moves: &[Move]) {
    let Some((opening, _)) = opening_of(start, moves) else { return };
    for (tag, value) in [("ECO", opening.eco), ("Opening", opening.name)] {
        if game.tag(tag).is_none() {
            game.set_tag(tag, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn name(pgn: &str) -> Option<(String, usize)> {
        let (start, moves) = PgnReader::new(pgn).next().expect("a game").replay(usize::MAX).expect("legal");
        opening_of(&start, &moves).map(|(name, ply)| (name.to_string(), ply))
    }

    #[test]
    fn every_line_is_legal_and_has_its_own_position() {
        let lines: Vec<TableLine> = TABLE
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| parse(line).expect(line))
            .collect();
        assert!(lines.len() > 3500, "{} lines", lines.len());
        assert_eq!(NAMES.len(), lines.len());
        let mut line = vec![Position::startpos()];
        for entry in &lines {
            line.truncate(entry.shared + 1);
            for san in entry.moves.split(' ') {
                let position = line[line.len() - 1];
                let mv = position
                    .parse_san(san)
                    .unwrap_or_else(|error| panic!("{san} of {}: {error}", entry.name));
                line.push(position.after(mv));
            }
            let (letter, number) = entry.name.eco.split_at(1);
            assert!(
                "ABCDE".contains(letter) && number.len() == 2 && number.parse::<u8>().is_ok(),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn games_are_named_by_the_last_known_position() {
        assert_eq!(
            name("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. h4 *"),
            Some(("C70 Ruy Lopez: Morphy Defense".to_owned(), 6))
        );
        assert_eq!(name("1. e4 c5 *"), Some(("B20 Sicilian Defense".to_owned(), 2)));
        assert_eq!(name("*"), None);
    }

    #[test]
    fn transpositions_have_the_same_name() {
        let direct = name("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *").expect("a name").0;
        assert_eq!(direct, "E20 Nimzo-Indian Defense");
        assert_eq!(name("1. c4 e6 2. Nc3 Bb4 3. d4 Nf6 *").expect("a name").0, direct);
    }

    #[test]
    fn tags_of_the_file_stay() {
        let mut game = PgnReader::new("[Opening \"My own\"]\n\n1. e4 c5 *").next().expect("a game");
        let (start, moves) = game.replay(usize::MAX).expect("legal");
        add_tags(&mut game, &start, &moves);
        assert_eq!((game.tag("ECO"), game.tag("Opening")), (Some("B20"), Some("My own")));
    }

    #[test]
    fn other_starting_positions_have_no_name() {
        let start = Position::chess960(0).expect("a number");
        let moves: Vec<Move> = start.legal_moves().iter().copied().take(1).collect();
        assert_eq!(opening_of(&start, &moves), None);
    }
}
