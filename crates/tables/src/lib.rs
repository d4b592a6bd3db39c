//! Syzygy endgame tablebases for up to seven pieces.
//!
//! [`Tablebases`] is all that the other crates need: results ([`TableWdl`]), distances ([`Dtz`]), the ranking of root
//! moves and winning lines. The files are read by a [`Prober`]: the `shakmaty-syzygy` library on memory maps, or a
//! made-up one in tests.
//!
//! ```no_run
//! use chess::Position;
//! use tables::{TableWdl, Tablebases};
//!
//! let opened = Tablebases::open(&["/tables/3-4-5".into(), "/tables/6-wdl".into()])?;
//! println!("{}", opened.summary());
//! let position = Position::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap();
//! assert_eq!(opened.tables.probe_wdl(&position), Some(TableWdl::Win));
//! # Ok::<(), tables::OpenError>(())
//! ```

#![warn(missing_docs)]

mod line;
mod rank;
mod syzygy;
#[doc(hidden)]
pub mod testing;
#[cfg(test)]
mod tests;

pub use rank::{RankedMove, Ranking};

use std::fmt;
use std::ops::Neg;
use std::path::PathBuf;
use std::sync::OnceLock;

use chess::Position;
use syzygy::SyzygyFiles;

/// The most pieces of any table that exists.
pub const MAX_PIECES: u32 = 7;

/// The result of a position for the side to move, with best play and a halfmove clock of zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TableWdl {
    /// Lost.
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl TableWdl {
    /// The result in a game with or without the fifty-move rule: never cursed or blessed.
    #[must_use]
    pub const fn with_rule(self, fifty_move_rule: bool) -> TableWdl {
        match self {
            TableWdl::CursedWin | TableWdl::BlessedLoss if fifty_move_rule => TableWdl::Draw,
            TableWdl::CursedWin => TableWdl::Win,
            TableWdl::BlessedLoss => TableWdl::Loss,
            _ => self,
        }
    }

    /// 1 for a win, cursed or not, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> i32 {
        match self {
            TableWdl::Win | TableWdl::CursedWin => 1,
            TableWdl::Draw => 0,
            TableWdl::BlessedLoss | TableWdl::Loss => -1,
        }
    }
}

impl Neg for TableWdl {
    type Output = TableWdl;

    fn neg(self) -> TableWdl {
        match self {
            TableWdl::Loss => TableWdl::Win,
            TableWdl::BlessedLoss => TableWdl::CursedWin,
            TableWdl::Draw => TableWdl::Draw,
            TableWdl::CursedWin => TableWdl::BlessedLoss,
            TableWdl::Win => TableWdl::Loss,
        }
    }
}

impl fmt::Display for TableWdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TableWdl::Loss => "loss",
            TableWdl::BlessedLoss => "blessed loss",
            TableWdl::Draw => "draw",
            TableWdl::CursedWin => "cursed win",
            TableWdl::Win => "win",
        })
    }
}

/// Distance to zeroing: the plies to the next capture or pawn move, or to mate, with best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dtz {
    /// Positive for a win of the side to move, negative for a loss, zero for a draw. More than 100: the fifty-move
    /// rule makes it a draw.
    pub plies: i32,
    /// Many tables store whole moves: the distance may be one ply more than `plies`.
    pub is_rounded: bool,
}

impl Dtz {
    /// The distance of a position whose best move is a capture, a pawn move or mate.
    const fn before_zeroing(wdl: TableWdl) -> Dtz {
        let plies = match wdl {
            TableWdl::Win => 1,
            TableWdl::CursedWin => 101,
            TableWdl::Draw => 0,
            TableWdl::BlessedLoss => -101,
            TableWdl::Loss => -1,
        };
        Dtz { plies, is_rounded: false }
    }

    /// The result, if this many plies have been played since the last capture or pawn move. `None` if rounding hides
    /// whether the fifty-move rule applies.
    pub fn wdl(self, halfmove_clock: u32) -> Option<TableWdl> {
        let reached = self.plies.unsigned_abs() + halfmove_clock;
        // Right after a capture or pawn move, 100 is never a rounded 101.
        if self.is_rounded && reached == 100 && halfmove_clock > 0 {
            return None;
        }
        Some(match (self.plies.signum(), reached <= 100) {
            (1, true) => TableWdl::Win,
            (1, false) => TableWdl::CursedWin,
            (-1, true) => TableWdl::Loss,
            (-1, false) => TableWdl::BlessedLoss,
            _ => TableWdl::Draw,
        })
    }
}

/// Reads tables. Positions have neither castling rights nor more pieces than [`pieces`](Self::pieces).
pub trait Prober: Send + Sync {
    /// The most pieces of any table.
    fn pieces(&self) -> u32;
    /// The result with a halfmove clock of zero.
    ///
    /// # Errors
    /// A table is missing or damaged.
    fn wdl(&self, position: &Position) -> Result<TableWdl, ProbeError>;
    /// The distance to zeroing.
    ///
    /// # Errors
    /// A table is missing or damaged.
    fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError>;
}

/// Why a position could not be looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeError {
    /// There is no such table, which is usual, or the position is in none.
    Missing,
    /// A table cannot be read; the text says which and why.
    Damaged(String),
}

/// A set of tables.
pub struct Tablebases {
    prober: Box<dyn Prober>,
    /// The first error. Nothing is read after it.
    failure: OnceLock<String>,
}

/// Tables that were opened.
pub struct Opened {
    /// The tables.
    pub tables: Tablebases,
    /// The number of tables with results.
    pub wdl_files: usize,
    /// The number of tables with distances.
    pub dtz_files: usize,
    /// Files and folders that are not used, and why.
    pub skipped: Vec<String>,
}

impl Opened {
    /// What was found, and what was skipped, in one line.
    pub fn summary(&self) -> String {
        let Opened { tables, wdl_files, dtz_files, skipped } = self;
        let skipped = match skipped.as_slice() {
            [] => String::new(),
            [only] => format!("; skipped {only}"),
            [first, others @ ..] => format!("; skipped {first} and {} more", others.len()),
        };
        format!("{wdl_files} WDL and {dtz_files} DTZ tablebases, up to {} pieces{skipped}", tables.pieces())
    }
}

/// No table can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenError {
    /// The folders.
    pub paths: Vec<PathBuf>,
    /// Files and folders that cannot be used, and why.
    pub skipped: Vec<String>,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        write!(f, "no tablebases found in {}", paths.join(", "))?;
        match self.skipped.first() {
            Some(first) => write!(f, " ({first})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for OpenError {}

/// The folders of a list: separated by semicolons, or as the system separates them.
pub fn split_paths(list: &str) -> Vec<PathBuf> {
    let paths = list.split(';').flat_map(std::env::split_paths);
    paths.filter(|path| !path.as_os_str().is_empty()).collect()
}

impl Tablebases {
    /// Opens all tables in these folders. Their content is read when it is needed.
    ///
    /// The files must not be changed while they are in use: they are mapped into memory, and a file that becomes
    /// shorter ends the process. Damaged files are safe.
    ///
    /// # Errors
    /// There is no table.
    pub fn open(paths: &[PathBuf]) -> Result<Opened, OpenError> {
        let found = SyzygyFiles::open(paths);
        let (wdl_files, dtz_files, skipped) = (found.wdl_files, found.dtz_files, found.skipped);
        if wdl_files == 0 {
            return Err(OpenError { paths: paths.to_vec(), skipped });
        }
        Ok(Opened { tables: Tablebases::with_prober(found.files), wdl_files, dtz_files, skipped })
    }

    /// Tables that something else reads.
    pub fn with_prober(prober: impl Prober + 'static) -> Tablebases {
        Tablebases { prober: Box::new(prober), failure: OnceLock::new() }
    }

    /// The most pieces of any table.
    pub fn pieces(&self) -> u32 {
        self.prober.pieces()
    }

    /// Why the tables are no longer used: the first damaged table.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Whether a position can be in the tables.
    pub fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.pieces() && position.castling().is_empty()
    }

    /// The result of a position for the side to move if its halfmove clock were zero; `None` if it is not in the
    /// tables.
    pub fn probe_wdl(&self, position: &Position) -> Option<TableWdl> {
        self.look_up(position, |prober| prober.wdl(position))
    }

    /// The distance to zeroing; `None` if the position is not in the tables.
    pub fn probe_dtz(&self, position: &Position) -> Option<Dtz> {
        self.look_up(position, |prober| prober.dtz(position))
    }

    /// The result of a position for the side to move, with its halfmove clock. `None` if it is not in the tables, or if
    /// a rounded DTZ leaves the result open.
    pub fn probe_with_clock(&self, position: &Position) -> Option<TableWdl> {
        if position.halfmove_clock() == 0 {
            return self.probe_wdl(position);
        }
        // A draw needs no distance, so that WDL tables are enough for it.
        match self.probe_wdl(position)? {
            TableWdl::Draw => Some(TableWdl::Draw),
            cursed @ (TableWdl::CursedWin | TableWdl::BlessedLoss) => Some(cursed),
            TableWdl::Win | TableWdl::Loss => self.probe_dtz(position)?.wdl(position.halfmove_clock()),
        }
    }

    fn look_up<T>(
        &self,
        position: &Position,
        probe: impl FnOnce(&dyn Prober) -> Result<T, ProbeError>,
    ) -> Option<T> {
        if !self.covers(position) || self.failure.get().is_some() {
            return None;
        }
        match probe(&*self.prober) {
            Ok(value) => Some(value),
            Err(ProbeError::Missing) => None,
            Err(ProbeError::Damaged(reason)) => {
                let _ = self.failure.set(reason);
                None
            }
        }
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases").field("pieces", &self.pieces()).finish_non_exhaustive()
    }
}
