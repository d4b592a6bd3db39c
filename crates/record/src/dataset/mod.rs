//! Files of training data: Vedette's games, and the formats of other trainers.
//!
//! | format | holds | score and result |
//! |---|---|---|
//! | [`Games`](DataFormat::Games) | games ([`crate::packed`]) | White's |
//! | [`Pgn`](DataFormat::Pgn) | games, scores in comments | the mover's |
//! | [`Text`](DataFormat::Text) | positions: `FEN \| centipawns \| points` | White's |
//! | [`Plain`](DataFormat::Plain) | positions and moves: Stockfish's `plain` | the mover's |
//! | [`Csv`](DataFormat::Csv) | positions and moves: columns `fen`, `move`, `score`, `result` | White's |
//! | [`Bullet`](DataFormat::Bullet) | boards: 32-byte records of bulletformat | the mover's |
//! | [`Bin`](DataFormat::Bin) | positions and moves: Stockfish's 40-byte records | the mover's |
//! | [`Binpack`](DataFormat::Binpack) | positions and moves: Stockfish's chains | the mover's |
//! | `Parquet`, with the feature `parquet` | the columns of CSV | White's |
//!
//! [`open`] recognises a format by the content of the file. Positions that follow each other by their moves come back as
//! the game they were, so a game survives any format that has moves.

mod bin;
mod binpack;
mod board;
mod bullet;
mod csv;
mod game_text;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod recognise;
mod source;
mod text;
mod write;

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::packed::{Damage, Filter, PackedGame, Sample};

pub use lines::Lines;
pub use recognise::recognise;
pub use write::DatasetWriter;

/// A format of training data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    /// Vedette's games: viriformat.
    Games,
    /// PGN with scores in comments.
    Pgn,
    /// Lines of `FEN | centipawns | points`.
    Text,
    /// Stockfish's plain text.
    Plain,
    /// Comma-separated values with a header.
    Csv,
    /// Records of bulletformat.
    Bullet,
    /// Stockfish's packed positions.
    Bin,
    /// Stockfish's compressed chains of positions.
    Binpack,
    /// Apache Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl DataFormat {
    pub const ALL: [DataFormat; 8 + cfg!(feature = "parquet") as usize] = [
        DataFormat::Games,
        DataFormat::Pgn,
        DataFormat::Text,
        DataFormat::Plain,
        DataFormat::Csv,
        DataFormat::Bullet,
        DataFormat::Bin,
        DataFormat::Binpack,
        #[cfg(feature = "parquet")]
        DataFormat::Parquet,
    ];

    /// Its name on the command line, which is also the usual extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            DataFormat::Games => "vd",
            DataFormat::Pgn => "pgn",
            DataFormat::Text => "text",
            DataFormat::Plain => "plain",
            DataFormat::Csv => "csv",
            DataFormat::Bullet => "bullet",
            DataFormat::Bin => "bin",
            DataFormat::Binpack => "binpack",
            #[cfg(feature = "parquet")]
            DataFormat::Parquet => "parquet",
        }
    }

    /// What it is, for people.
    pub fn description(self) -> &'static str {
        match self {
            DataFormat::Games => "games in viriformat",
            DataFormat::Pgn => "games in PGN",
            DataFormat::Text => "lines of FEN | centipawns | points",
            DataFormat::Plain => "Stockfish's plain text",
            DataFormat::Csv => "CSV",
            DataFormat::Bullet => "bulletformat",
            DataFormat::Bin => "Stockfish's .bin",
            DataFormat::Binpack => "Stockfish's .binpack",
            #[cfg(feature = "parquet")]
            DataFormat::Parquet => "Parquet",
        }
    }

    pub fn from_name(name: &str) -> Option<DataFormat> {
        DataFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the extension of a file stands for.
    pub fn from_path(path: &Path) -> Option<DataFormat> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "vd" | "vf" | "viri" | "viriformat" => Some(DataFormat::Games),
            "txt" | "epd" => Some(DataFormat::Text),
            "bullet" | "data" | "bf" => Some(DataFormat::Bullet),
            other => DataFormat::from_name(other),
        }
    }

    /// Whether it stores whole games.
    pub fn has_games(self) -> bool {
        matches!(self, DataFormat::Games | DataFormat::Pgn)
    }

    pub fn has_moves(self) -> bool {
        !matches!(self, DataFormat::Text | DataFormat::Bullet)
    }

    /// Whether it stores move numbers, castling rights and the rest of a FEN.
    pub fn has_whole_positions(self) -> bool {
        self != DataFormat::Bullet
    }

    /// The filter for its positions: where there are no move numbers, no ply is too early.
    pub fn filter(self, filter: &Filter) -> Filter {
        let min_ply = if self.has_whole_positions() { filter.min_ply } else { 0 };
        Filter { min_ply, ..filter.clone() }
    }
}

impl fmt::Display for DataFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataEntry {
    Game(PackedGame),
    /// A position without a move.
    Position(Sample),
}

impl DataEntry {
    /// The number of its positions.
    pub fn positions(&self) -> usize {
        match self {
            DataEntry::Game(game) => game.moves.len(),
            DataEntry::Position(_) => 1,
        }
    }

    /// Passes its positions to `take`, in order.
    ///
    /// # Errors
    /// That of `take`.
    pub fn for_each<E>(&self, mut take: impl FnMut(&Sample) -> Result<(), E>) -> Result<(), E> {
        match self {
            DataEntry::Game(game) => game.positions().try_for_each(|sample| take(&sample)),
            DataEntry::Position(sample) => take(sample),
        }
    }
}

/// Reads a file of training data.
pub struct DatasetReader {
    format: DataFormat,
    source: Box<dyn EntrySource>,
}

/// The entries of a file of one format.
trait EntrySource {
    /// The next valid entry. What is invalid is skipped and becomes damage.
    fn next_entry(&mut self) -> io::Result<Option<DataEntry>>;

    /// Bytes consumed so far.
    fn offset(&self) -> u64;

    fn damage(&self) -> &[Damage];
}

/// Opens a file of a format that is recognised by its content.
///
/// # Errors
/// The file cannot be read, or is not training data.
pub fn open(path: &Path) -> io::Result<DatasetReader> {
    open_as(path, recognise(path)?)
}

/// Opens a file of this format.
///
/// # Errors
/// The file cannot be read.
pub fn open_as(path: &Path, format: DataFormat) -> io::Result<DatasetReader> {
    let file = File::open(path)?;
    #[cfg(feature = "parquet")]
    if format == DataFormat::Parquet {
        return Ok(DatasetReader { format, source: source::open_parquet(file)? });
    }
    DatasetReader::new(file, format)
}

impl DatasetReader {
    /// A Parquet file has to be [opened](open_as) by its path: it is read from its end.
    ///
    /// # Errors
    /// The header of the file is invalid.
    pub fn new(file: impl io::Read + 'static, format: DataFormat) -> io::Result<DatasetReader> {
        Ok(DatasetReader { format, source: source::open(file, format)? })
    }

    pub fn format(&self) -> DataFormat {
        self.format
    }

    /// The next game or position; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read. What is invalid in it is not an error; see [`damage`](Self::damage).
    pub fn next_entry(&mut self) -> io::Result<Option<DataEntry>> {
        self.source.next_entry()
    }

    /// Bytes consumed so far.
    pub fn offset(&self) -> u64 {
        self.source.offset()
    }

    pub fn damage(&self) -> &[Damage] {
        self.source.damage()
    }
}

impl fmt::Debug for DatasetReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetReader").field("format", &self.format).finish_non_exhaustive()
    }
}
