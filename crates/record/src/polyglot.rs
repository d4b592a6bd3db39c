//! Opening books in the Polyglot format: positions by their key, with weighted moves. Reading, building from games, merging.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use chess::{Color, File, Move, MoveKind, Position, Rank, Role, Square};
use support::files::{CONTENT_LIMIT, read_limited};

use crate::pgn::{GameResult, PgnGame};

/// The size of an entry in a file.
const ENTRY_BYTES: usize = 16;

/// A move of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// Moves are played in proportion to their weights; 0 is never played.
    pub weight: u16,
}

/// An entry of a book file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    key: u64,
    /// Target and origin, file and rank in three bits each, and the promotion.
    code: u16,
    weight: u16,
    /// Vedette writes zero, and ignores what others wrote.
    learn: u32,
}

impl Entry {
    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Entry {
            key: number(0..8),
            code: number(8..10) as u16,
            weight: number(10..12) as u16,
            learn: number(12..16) as u32,
        }
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// Why a file is not a book.
#[derive(Debug)]
pub enum PolyglotError {
    Read(PathBuf, std::io::Error),
    /// The length is not a multiple of an entry's, or zero.
    Length(PathBuf, u64),
    /// The entries are not sorted by their keys.
    Unsorted(PathBuf, usize),
}

impl fmt::Display for PolyglotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read book {}: {error}", path.display()),
            Self::Length(path, bytes) => {
                write!(
                    f,
                    "{} is not a Polyglot book: {bytes} bytes, expected a multiple of {ENTRY_BYTES}",
                    path.display()
                )
            }
            Self::Unsorted(path, index) => {
                write!(f, "{} is not a Polyglot book: entry {index} is not in order", path.display())
            }
        }
    }
}

impl std::error::Error for PolyglotError {}

/// A book in memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PolyglotBook {
    /// Sorted by key; the moves of a position by weight, the greatest first.
    entries: Vec<Entry>,
}

impl PolyglotBook {
    /// Reads a book file.
    ///
    /// # Errors
    /// It cannot be read, or is not a book.
    pub fn load(path: &Path) -> Result<Self, PolyglotError> {
        let bytes =
            read_limited(path, CONTENT_LIMIT).map_err(|error| PolyglotError::Read(path.to_owned(), error))?;
        if bytes.is_empty() || !bytes.len().is_multiple_of(ENTRY_BYTES) {
            return Err(PolyglotError::Length(path.to_owned(), bytes.len() as u64));
        }
        Self::from_bytes(&bytes).map_err(|index| PolyglotError::Unsorted(path.to_owned(), index))
    }

    /// A book from the bytes of a file. The error is the number of the first entry that is not in order, from 1.
    ///
    /// # Errors
    /// The entries are not sorted.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, usize> {
        let (entries, _) = bytes.as_chunks::<ENTRY_BYTES>();
        let mut entries: Vec<Entry> = entries.iter().map(Entry::from_bytes).collect();
        if let Some(index) = entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            return Err(index + 2);
        }
        // Stable: moves of equal weight keep their order.
        entries.sort_by(|a, b| a.key.cmp(&b.key).then(b.weight.cmp(&a.weight)));
        Ok(Self { entries })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// The number of entries: moves in positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|a, b| a.key == b.key).count()
    }

    fn entries_of(&self, key: u64) -> &[Entry] {
        let start = self.entries.partition_point(|entry| entry.key < key);
        let length = self.entries[start..].partition_point(|entry| entry.key == key);
        &self.entries[start..start + length]
    }

    /// The legal moves of a position in the book, the one with the greatest weight first.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries_of(position.polyglot_key()) {
            if let Some(mv) = decode(position, entry.code)
                && moves.iter().all(|known| known.mv != mv)
            {
                moves.push(BookMove { mv, weight: entry.weight });
            }
        }
        moves
    }

    /// A move of a position: the one with the greatest weight, or with `random` from 0 to 1, one in proportion to the
    /// weights.
    pub fn choose(&self, position: &Position, random: Option<f64>) -> Option<BookMove> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
        let mut left = (random.unwrap_or(0.0).clamp(0.0, 1.0) * total as f64) as u64;
        let mut playable = moves.into_iter().filter(|entry| entry.weight > 0);
        let best = playable.next()?;
        let mut chosen = best;
        for entry in std::iter::once(best).chain(playable) {
            chosen = entry;
            if left < u64::from(entry.weight) {
                break;
            }
            left -= u64::from(entry.weight);
        }
        Some(chosen)
    }

    /// All entries of this book, and those of positions that only the other one has.
    #[must_use]
    pub fn merged(&self, other: &PolyglotBook) -> PolyglotBook {
        let mut entries = self.entries.clone();
        let is_new = |entry: &&Entry| self.entries_of(entry.key).is_empty();
        entries.extend(other.entries.iter().filter(is_new));
        // Stable: the moves of a position keep their order.
        entries.sort_by_key(|entry| entry.key);
        PolyglotBook { entries }
    }
}

/// The move of a code, if it is legal. Castling is the king's way to the rook, as in Chess960; some books have the
/// king's target instead.
fn decode(position: &Position, code: u16) -> Option<Move> {
    let square =
        |bits: u16| Square::new(File::new(usize::from(bits & 7)), Rank::new(usize::from(bits >> 3 & 7)));
    let (to, from) = (square(code), square(code >> 6));
    let promotion = match code >> 12 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return None,
    };
    let text = format!("{from}{to}{}", promotion.map_or(String::new(), |role| role.letter().to_string()));
    position.parse_uci(&text.to_ascii_lowercase()).ok()
}

/// The code of a move.
fn encode(mv: Move) -> u16 {
    let square = |square: Square| (square.rank().index() << 3 | square.file().index()) as u16;
    let promotion = match mv.kind() {
        MoveKind::Promotion(Role::Knight) => 1,
        MoveKind::Promotion(Role::Bishop) => 2,
        MoveKind::Promotion(Role::Rook) => 3,
        MoveKind::Promotion(_) => 4,
        _ => 0,
    };
    square(mv.to()) | square(mv.from()) << 6 | promotion << 12
}

/// Which games and moves a book gets.
#[derive(Clone, PartialEq, Debug)]
pub struct BookFilter {
    /// Plies of each game.
    pub plies: usize,
    /// Moves that were played less often are left out.
    pub min_games: u32,
    /// Games of players with a lower rating, or without one, are left out; 0 takes all.
    pub min_elo: u32,
    /// Moves that scored less for their side, from 0 to 1, are left out.
    pub min_score: f64,
    /// Only moves of this side.
    pub side: Option<Color>,
}

impl Default for BookFilter {
    fn default() -> Self {
        Self { plies: 40, min_games: 3, min_elo: 0, min_score: 0.0, side: None }
    }
}

/// Collects the moves of games.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    filter: BookFilter,
    moves: HashMap<(u64, u16), Played>,
    /// Games that were used.
    pub games: u64,
    /// Games that were left out, by the filter or because they cannot be replayed.
    pub skipped: u64,
}

/// How a move fared.
#[derive(Clone, Copy, Default, Debug)]
struct Played {
    games: u32,
    /// Two points for a win, one for a draw.
    points: u32,
}

impl BookBuilder {
    pub fn new(filter: BookFilter) -> Self {
        Self { filter, moves: HashMap::new(), games: 0, skipped: 0 }
    }

    /// Adds the moves of a game with a result.
    pub fn add(&mut self, game: &PgnGame) {
        let replayed = if self.wants(game) { game.replay(self.filter.plies).ok() } else { None };
        let Some((start, moves)) = replayed else {
            self.skipped += 1;
            return;
        };
        self.games += 1;
        let mut position = start;
        for mv in moves {
            if self.filter.side.is_none_or(|side| side == position.turn()) {
                let points = points(game.result, position.turn());
                let played = self.moves.entry((position.polyglot_key(), encode(mv))).or_default();
                played.games += 1;
                played.points += points;
            }
            position = position.after(mv);
        }
    }

    fn wants(&self, game: &PgnGame) -> bool {
        let elo = |tag| game.tag(tag).and_then(|elo| elo.parse::<u32>().ok());
        let is_strong =
            |tag| self.filter.min_elo == 0 || elo(tag).is_some_and(|elo| elo >= self.filter.min_elo);
        game.result != GameResult::Unknown && is_strong("WhiteElo") && is_strong("BlackElo")
    }

    /// The book: a move's weight is its points, scaled where they do not fit. Moves without a point are kept with
    /// weight 0, which is never played.
    pub fn finish(self) -> PolyglotBook {
        let filter = &self.filter;
        let is_wanted = |played: &Played| {
            let score = f64::from(played.points) / f64::from(2 * played.games.max(1));
            played.games >= filter.min_games && score >= filter.min_score
        };
        let mut moves: Vec<((u64, u16), Played)> =
            self.moves.into_iter().filter(|(_, played)| is_wanted(played)).collect();
        moves.sort_unstable_by_key(|&((key, code), played)| (key, std::cmp::Reverse(played.points), code));
        let mut entries = Vec::with_capacity(moves.len());
        for position in moves.chunk_by(|a, b| a.0.0 == b.0.0) {
            let most = position.iter().map(|(_, played)| played.points).max().unwrap_or(0);
            let scale = f64::from(u16::MAX) / f64::from(most.max(u32::from(u16::MAX)));
            entries.extend(position.iter().map(|&((key, code), played)| {
                let weight = (f64::from(played.points) * scale).ceil() as u16;
                Entry { key, code, weight, learn: 0 }
            }));
        }
        PolyglotBook { entries }
    }
}

/// The points of a result for a side: two for a win, one for a draw.
fn points(result: GameResult, side: Color) -> u32 {
    match (result, side) {
        (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 2,
        (GameResult::Draw, _) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn book(pgn: &str, filter: BookFilter) -> PolyglotBook {
        let mut builder = BookBuilder::new(filter);
        PgnReader::new(pgn).for_each(|game| builder.add(&game));
        builder.finish()
    }

    fn all() -> BookFilter {
        BookFilter { min_games: 1, ..BookFilter::default() }
    }

    const GAMES: &str = "[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                         [WhiteElo \"1500\"]\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n1. Nf3 *\n";

    fn weights(book: &PolyglotBook, position: &Position) -> Vec<(String, u16)> {
        book.moves(position).iter().map(|entry| (position.san(entry.mv).to_string(), entry.weight)).collect()
    }

    #[test]
    fn weights_are_points() {
        let start = Position::startpos();
        let built = book(GAMES, all());
        assert_eq!(weights(&built, &start), [("e4".to_owned(), 3), ("d4".to_owned(), 0)]);
        assert_eq!((built.len(), built.positions()), (6, 4));
        let read = PolyglotBook::from_bytes(&built.to_bytes()).unwrap();
        assert_eq!(read, built);
    }

    #[test]
    fn filters() {
        let start = Position::startpos();
        let count = |filter: BookFilter| weights(&book(GAMES, filter), &start);
        assert_eq!(count(BookFilter { min_games: 2, ..all() }), [("e4".to_owned(), 3)]);
        assert_eq!(count(BookFilter { min_elo: 2000, ..all() }), [("e4".to_owned(), 2)]);
        assert_eq!(count(BookFilter { min_score: 0.1, ..all() }), [("e4".to_owned(), 3)]);
        assert_eq!(count(BookFilter { side: Some(Color::Black), ..all() }), []);
        assert_eq!(book(GAMES, BookFilter { plies: 1, ..all() }).positions(), 1);
    }

    #[test]
    fn castling_and_promotion_are_coded() {
        for (fen, text, code) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 4 << 6 | 7),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", (7 << 3 | 4) << 6 | 7 << 3),
            ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8n", 1 << 12 | (6 << 3) << 6 | 7 << 3),
            ("bqr1kbrn/pppppppp/8/8/8/8/PPPPPPPP/BQR1KBRN w GCgc - 0 1", "e1c1", 4 << 6 | 2),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(text).unwrap();
            assert_eq!((encode(mv), decode(&position, code)), (code, Some(mv)), "{fen} {text}");
        }
        // Some books have the king's target.
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        assert_eq!(decode(&position, 4 << 6 | 6), position.parse_uci("e1g1").ok());
        assert_eq!(decode(&position, 7 << 12 | 4 << 6 | 6), None);
    }

    #[test]
    fn choice_follows_the_weights() {
        let start = Position::startpos();
        let built = book("1. e4 1-0\n1. e4 1-0\n1. e4 1-0\n1. d4 1-0\n1. c4 0-1\n", all());
        let chosen = |random: Option<f64>| start.san(built.choose(&start, random).unwrap().mv).to_string();
        assert_eq!(chosen(None), "e4");
        let counts = (0..100).map(|step| chosen(Some(f64::from(step) / 100.0)));
        let counts = counts.fold([0; 3], |mut counts, san| {
            counts[["e4", "d4", "c4"].iter().position(|known| *known == san).unwrap()] += 1;
            counts
        });
        assert_eq!(counts, [75, 25, 0]);
        assert_eq!(chosen(Some(1.0)), "d4");
    }

    #[test]
    fn earlier_book_hides_positions_of_the_later_one() {
        let (first, second) = (book("1. e4 e5 1-0", all()), book("1. d4 1-0\n1. e4 e5 2. Nf3 1-0", all()));
        let merged = first.merged(&second);
        let start = Position::startpos();
        assert_eq!(weights(&merged, &start), [("e4".to_owned(), 2)]);
        assert_eq!(merged.positions(), 3);
        assert_eq!(PolyglotBook::from_bytes(&merged.to_bytes()).unwrap(), merged);
    }

    #[test]
    fn large_counts_are_scaled() {
        let mut builder = BookBuilder::new(BookFilter { min_games: 1, ..BookFilter::default() });
        builder.moves.insert((7, 1), Played { games: 200_000, points: 400_000 });
        builder.moves.insert((7, 2), Played { games: 2, points: 1 });
        let weights: Vec<u16> = builder.finish().entries.iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [u16::MAX, 1]);
    }

    #[test]
    fn foreign_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("vedette-book-{}", std::process::id()));
        let unsorted: Vec<u8> =
            [2_u64, 1].iter().flat_map(|key| [&key.to_be_bytes()[..], &[0; 8]].concat()).collect();
        assert_eq!(PolyglotBook::from_bytes(&unsorted), Err(2));
        let error = PolyglotBook::load(&folder).unwrap_err().to_string();
        assert!(error.starts_with("cannot read book "), "{error}");
    }
}
