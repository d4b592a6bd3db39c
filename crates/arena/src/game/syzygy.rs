//! Adjudication by Syzygy tablebases.

use std::fmt;
use std::path::PathBuf;

use chess::{Color, Position};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use shakmaty_syzygy::{Tablebase as Tables, Wdl};

use super::tablebase::Tablebase;
use crate::config::TablebaseConfig;

pub struct Syzygy {
    tables: Tables<Chess>,
    max_pieces: u32,
    config: TablebaseConfig,
}

#[derive(Debug)]
pub enum SyzygyError {
    Folder(PathBuf, std::io::Error),
    NoTables,
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => write!(f, "cannot read tablebases in {}: {error}", path.display()),
            Self::NoTables => f.write_str("no tablebases found in the directories of -tb"),
        }
    }
}

impl std::error::Error for SyzygyError {}

impl Syzygy {
    /// Opens the tables.
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
        let max_pieces = config.pieces.unwrap_or(u32::MAX).min(tables.max_pieces() as u32);
        Ok(Self { tables, max_pieces, config: config.clone() })
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        let fen: Fen = position.to_fen().parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
        self.tables.probe_wdl_after_zeroing(&position).ok()
    }
}

impl Tablebase for Syzygy {
    fn probe(&self, position: &Position) -> Option<Option<Color>> {
        // WDL tables assume a halfmove clock of 0, so they are exact only right after a capture or pawn move.
        if position.halfmove_clock() > 0 || position.occupied().count() > self.max_pieces {
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
