//! The output file of a self-play run, and the plan beside it that makes the run resumable.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use record::packed::{Damage, GameReader, GameWriter, PackedGame};

use super::plan::Plan;

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum FileError {
    /// Reading or writing failed.
    Io(PathBuf, io::Error),
    /// It exists, and `--resume` was not given.
    Exists(PathBuf),
    /// The plan file is invalid.
    Plan(PathBuf, serde_json::Error),
    /// Its games were played with other options; the first difference.
    OtherPlan(PathBuf, String),
    /// It is damaged before its end, so the number of its games is unknown.
    Damaged(PathBuf, Damage),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Exists(path) => {
                write!(f, "{} exists: use --resume to continue", path.display())
            }
            Self::Plan(path, error) => write!(f, "{} is not a self-play plan: {error}", path.display()),
            Self::OtherPlan(path, difference) => {
                write!(f, "{} was written with other options: {difference}", path.display())
            }
            Self::Damaged(path, damage) => {
                write!(f, "{} is damaged at byte {}: {}", path.display(), damage.offset, damage.fault)
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Maximum time between two flushes.
const FLUSH_AFTER: Duration = Duration::from_secs(2);

/// A file of games that is appended to.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    writer: GameWriter<BufWriter<File>>,
    flushed: Instant,
    /// Games that it had when it was opened.
    pub games: u64,
    pub positions: u64,
}

impl GameFile {
    /// A new file, with its plan beside it.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub fn create(path: &Path, plan: &Plan) -> Result<GameFile, FileError> {
        let named = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists(path.to_owned()),
            _ => FileError::Io(path.to_owned(), error),
        };
        let file = File::create_new(path).map_err(named)?;
        let plan_path = plan_path(path);
        let text =
            serde_json::to_string_pretty(plan).map_err(|error| FileError::Plan(plan_path.clone(), error))?;
        fs::write(&plan_path, text + "\n").map_err(|error| FileError::Io(plan_path, error))?;
        Ok(GameFile::of(path, file, 0, 0))
    }

    /// The file of an earlier run of the same plan; an incomplete last game is truncated. If there is no such
    /// file it is created.
    ///
    /// # Errors
    /// If the file belongs to another plan, is damaged, or cannot be read and written.
    pub fn resume(path: &Path, plan: &Plan) -> Result<GameFile, FileError> {
        if !path.exists() {
            return GameFile::create(path, plan);
        }
        compare(path, plan)?;
        let named = |error| FileError::Io(path.to_owned(), error);
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(named)?;
        let length = file.metadata().map_err(named)?.len();
        let mut reader = GameReader::new(&file);
        let (mut games, mut positions) = (0, 0);
        while let Some(game) = reader.next_game().map_err(named)? {
            games += 1;
            positions += game.moves.len() as u64;
        }
        let end = match reader.damage() {
            [] => length,
            [tail] if tail.offset + tail.bytes == length => tail.offset,
            [first, ..] => return Err(FileError::Damaged(path.to_owned(), first.clone())),
        };
        file.set_len(end).map_err(named)?;
        (&file).seek(SeekFrom::End(0)).map_err(named)?;
        Ok(GameFile::of(path, file, games, positions))
    }

    fn of(path: &Path, file: File, games: u64, positions: u64) -> GameFile {
        let writer = GameWriter::new(BufWriter::new(file));
        GameFile { path: path.to_owned(), writer, flushed: Instant::now(), games, positions }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &PackedGame) -> io::Result<()> {
        self.writer.write(game)?;
        if self.flushed.elapsed() >= FLUSH_AFTER {
            self.flushed = Instant::now();
            self.writer.flush()?;
        }
        Ok(())
    }

    /// Flushes everything to the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), FileError> {
        let named = |error| FileError::Io(self.path.clone(), error);
        let mut sink = self.writer.into_inner();
        sink.flush().map_err(named)?;
        sink.get_ref().sync_all().map_err(named)
    }
}

/// The path of a file's plan.
fn plan_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".plan.json");
    PathBuf::from(name)
}

/// Checks that a file has this plan.
fn compare(path: &Path, plan: &Plan) -> Result<(), FileError> {
    let plan_path = plan_path(path);
    let text = fs::read_to_string(&plan_path).map_err(|error| FileError::Io(plan_path.clone(), error))?;
    let earlier: Plan = serde_json::from_str(&text).map_err(|error| FileError::Plan(plan_path, error))?;
    if earlier == *plan {
        return Ok(());
    }
    let differs = |earlier: String, now: String| {
        let pair = earlier.lines().zip(now.lines()).find(|(earlier, now)| earlier != now);
        pair.map(|(earlier, now)| format!("{} there, {} here", tidy(earlier), tidy(now)))
    };
    let difference = differs(format!("{earlier:#?}"), format!("{plan:#?}")).unwrap_or_default();
    Err(FileError::OtherPlan(path.to_owned(), difference))
}

/// An entry of a plan.
fn tidy(line: &str) -> &str {
    line.trim().trim_end_matches(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::plan::{OpeningPlan, Shard};
    use chess::Position;
    use record::packed::PackedResult;

    fn plan() -> Plan {
        Plan {
            player: "test".to_owned(),
            seed: 1,
            shard: Shard::WHOLE,
            soft_nodes: 20,
            hard_nodes: 60,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 20, max_score: 1000 },
            rules: Plan::RULES,
        }
    }

    fn game(first: &str) -> PackedGame {
        let start = Position::startpos();
        PackedGame { start, result: PackedResult::Draw, moves: vec![(start.parse_uci(first).unwrap(), 12)] }
    }

    #[test]
    fn truncated_file_resumes_after_last_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vd");
        let mut file = GameFile::create(&path, &plan()).unwrap();
        file.add(&game("e2e4")).unwrap();
        file.add(&game("d2d4")).unwrap();
        file.finish().unwrap();
        assert!(matches!(GameFile::create(&path, &plan()), Err(FileError::Exists(_))));
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();

        let mut file = GameFile::resume(&path, &plan()).unwrap();
        assert_eq!((file.games, file.positions), (1, 1));
        file.add(&game("g1f3")).unwrap();
        file.finish().unwrap();
        let games: io::Result<Vec<_>> = GameReader::new(File::open(&path).unwrap()).collect();
        assert_eq!(games.unwrap(), [game("e2e4"), game("g1f3")]);
    }

    #[test]
    fn games_of_another_plan_are_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vd");
        GameFile::create(&path, &plan()).unwrap().finish().unwrap();
        let error = GameFile::resume(&path, &Plan { soft_nodes: 30, ..plan() }).unwrap_err();
        assert!(error.to_string().contains("soft_nodes: 20 there, soft_nodes: 30 here"), "{error}");
        assert!(GameFile::resume(&path, &plan()).is_ok());
    }

    #[test]
    fn damaged_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vd");
        let mut file = GameFile::create(&path, &plan()).unwrap();
        file.add(&game("e2e4")).unwrap();
        file.add(&game("d2d4")).unwrap();
        file.finish().unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[8..24].fill(0);
        fs::write(&path, bytes).unwrap();
        assert!(matches!(GameFile::resume(&path, &plan()), Err(FileError::Damaged(..))));
    }
}
