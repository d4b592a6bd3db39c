//! Adjudication by Syzygy tablebases.

use chess::{Color, Position};
use tables::{OpenError, TableWdl, Tablebases};

use super::tablebase::Tablebase;
use crate::config::TablebaseConfig;

pub struct Syzygy {
    tables: Tablebases,
    config: TablebaseConfig,
    /// Files and folders that are not used, and why.
    pub skipped: Vec<String>,
}

impl Syzygy {
    /// Opens the tables.
    ///
    /// # Errors
    /// There are no tables.
    pub fn open(config: &TablebaseConfig) -> Result<Self, OpenError> {
        let opened = Tablebases::open(&config.paths)?;
        Ok(Self { tables: opened.tables, config: config.clone(), skipped: opened.skipped })
    }

    /// Why the tables are no longer used.
    pub fn failure(&self) -> Option<&str> {
        self.tables.failure()
    }
}

impl Tablebase for Syzygy {
    fn probe(&self, position: &Position) -> Option<Option<Color>> {
        // WDL tables assume a halfmove clock of 0, so they are exact only right after a capture or pawn move.
        let has_too_many = self.config.pieces.is_some_and(|most| position.occupied().count() > most);
        if position.halfmove_clock() > 0 || has_too_many {
            return None;
        }
        let mover = position.turn();
        let winner = match self.tables.probe_wdl(position)?.with_rule(!self.config.ignore_fifty) {
            TableWdl::Win => Some(mover),
            TableWdl::Loss => Some(!mover),
            _ => None,
        };
        let wanted = if winner.is_some() { self.config.wins } else { self.config.draws };
        wanted.then_some(winner)
    }
}
