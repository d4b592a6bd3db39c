//! Syzygy tablebases that end games in the arena.

use std::fmt;
use std::path::PathBuf;

use chess::{Color, Position};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use shakmaty_syzygy::{Tablebase as Tables, Wdl};

use super::tablebase::Tablebase;
use crate::config::TablebaseConfig;

/// Tables and what they may decide.
pub struct Syzygy {
    tables: Tables<Chess>,
    most_men: u32,
    config: TablebaseConfig,
}

/// Tables that cannot be used.
#[derive(Debug)]
pub enum SyzygyError {
    /// A folder cannot be read.
    Folder(PathBuf, std::io::Error),
    /// No table in any folder.
    NoTables,
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => write!(f, "tablebases in {}: {error}", path.display()),
            Self::NoTables => f.write_str("there are no tablebases in the folders of -tb"),
        }
    }
}

impl std::error::Error for SyzygyError {}

impl Syzygy {
    /// Opens the tables of a match.
    ///
    /// # Errors
    /// A folder cannot be read, or there are no tables.
    pub fn open(config: &TablebaseConfig) -> Result<Self, SyzygyError> {
        let mut tables = Tables::new();
        let mut found = 0;
        for path in &config.paths {
            found += tables.add_directory(path).map_err(|error| SyzygyError::Folder(path.clone(), error))?;
        }
        if found == 0 {
            return Err(SyzygyError::NoTables);
        }
        let most_men = config.pieces.unwrap_or(u32::MAX).min(tables.max_pieces() as u32);
        Ok(Self { tables, most_men, config: config.clone() })
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        let fen: Fen = position.to_fen().parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
        self.tables.probe_wdl_after_zeroing(&position).ok()
    }
}

impl Tablebase for Syzygy {
    fn probe(&self, position: &Position) -> Option<Option<Color>> {
        // The tables count fifty moves from the last capture or pawn move, so they are exact only right after one.
        if position.halfmove_clock() > 0 || position.occupied().count() > self.most_men {
            return None;
        }
        let mover = position.turn();
        let winner = match self.wdl(position)? {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(!mover),
            Wdl::CursedWin if self.config.ignore_fifty => Some(mover),
            Wdl::BlessedLoss if self.config.ignore_fifty => Some(!mover),
            _ => None,
        };
        let wanted = if winner.is_some() { self.config.wins } else { self.config.draws };
        wanted.then_some(winner)
    }
}
