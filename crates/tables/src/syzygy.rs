//! Syzygy files, read by `shakmaty-syzygy`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use chess::{Color, Position, Role};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{MaybeRounded, ProbeError as TableError, SyzygyError, Wdl};

use crate::{Dtz, ProbeError, Prober, TableWdl};

/// The files of some folders.
pub struct SyzygyFiles {
    tables: shakmaty_syzygy::Tablebase<Chess>,
}

/// What is in some folders.
pub struct FolderScan {
    pub files: SyzygyFiles,
    pub wdl_files: usize,
    pub dtz_files: usize,
    pub skipped: Vec<String>,
}

impl SyzygyFiles {
    pub fn open(paths: &[PathBuf]) -> FolderScan {
        // SAFETY: The maps are only read, through bounds checks, and any content is safe. That nobody shortens a file
        // while it is mapped is required by the documentation of `Tablebases::open`.
        #[allow(unsafe_code)]
        let mut tables = unsafe { shakmaty_syzygy::Tablebase::with_mmap_filesystem() };
        let (mut wdl_files, mut dtz_files, mut skipped) = (0, 0, Vec::new());
        let mut names = HashSet::new();
        for folder in paths {
            let entries = match folder.read_dir() {
                Ok(entries) => entries,
                Err(error) => {
                    skipped.push(format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            files.sort();
            for path in files {
                let Some(count) = counter(&path, &mut wdl_files, &mut dtz_files) else { continue };
                // The first folder that has a table counts.
                if path.file_name().is_some_and(|name| names.contains(name)) {
                    continue;
                }
                match tables.add_file(&path) {
                    Ok(()) => {
                        *count += 1;
                        names.extend(path.file_name().map(OsStr::to_owned));
                    }
                    Err(error) => skipped.push(format!("{}: {error}", path.display())),
                }
            }
        }
        FolderScan { files: SyzygyFiles { tables }, wdl_files, dtz_files, skipped }
    }
}

/// Where a file is counted: by its name it has results, distances, or something else.
fn counter<'a>(path: &Path, wdl: &'a mut usize, dtz: &'a mut usize) -> Option<&'a mut usize> {
    match path.extension()?.to_str()? {
        "rtbw" => Some(wdl),
        "rtbz" => Some(dtz),
        _ => None,
    }
}

impl Prober for SyzygyFiles {
    fn pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    fn wdl(&self, position: &Position) -> Result<TableWdl, ProbeError> {
        let position = converted(position).ok_or(ProbeError::Missing)?;
        guarded(|| self.tables.probe_wdl_after_zeroing(&position)).map(|wdl| match wdl {
            Wdl::Loss => TableWdl::Loss,
            Wdl::BlessedLoss => TableWdl::BlessedLoss,
            Wdl::Draw => TableWdl::Draw,
            Wdl::CursedWin => TableWdl::CursedWin,
            Wdl::Win => TableWdl::Win,
        })
    }

    fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        let position = converted(position).ok_or(ProbeError::Missing)?;
        guarded(|| self.tables.probe_dtz(&position)).map(|dtz| match dtz {
            MaybeRounded::Rounded(dtz) => Dtz { plies: dtz.0, is_rounded: true },
            MaybeRounded::Precise(dtz) => Dtz { plies: dtz.0, is_rounded: false },
        })
    }
}

/// Probes; a damaged table that the library does not recognise as one may make it panic.
fn guarded<T>(probe: impl FnOnce() -> Result<T, SyzygyError>) -> Result<T, ProbeError> {
    match catch_unwind(AssertUnwindSafe(probe)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(SyzygyError::ProbeFailed { metric, material, error })) => {
            let reason = match *error {
                // Its text has a backtrace.
                TableError::CorruptedTable { .. } => "corrupted table".to_owned(),
                error => error.to_string(),
            };
            Err(ProbeError::Damaged(format!("{metric} table {material}: {reason}")))
        }
        Ok(Err(_)) => Err(ProbeError::Missing),
        Err(_) => Err(ProbeError::Damaged("a table is corrupted".to_owned())),
    }
}

/// The library's type for a position without castling rights.
fn converted(position: &Position) -> Option<Chess> {
    let role = |role| Bitboard(position.role(role).0);
    let roles = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let color = |color| Bitboard(position.colored(color).0);
    let colors = ByColor { black: color(Color::Black), white: color(Color::White) };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(position.turn() == Color::White),
        ep_square: position.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // Checks that no game leads to are no reason to refuse.
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}
