//! The output file of a self-play run, and the plan beside it that makes the run resumable.

use std::fmt;
use std::fs::{self, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use record::packed::{Damage, GameReader, PackedGame};
use support::files::{self, AppendFile, File};

use super::plan::SelfPlayPlan;

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum GameFileError {
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
    /// Another process is filling it.
    InUse(PathBuf),
}

impl fmt::Display for GameFileError {
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
            Self::InUse(path) => write!(f, "{} is in use by another self-play run", path.display()),
        }
    }
}

impl std::error::Error for GameFileError {}

/// Between two syncs: what a power failure costs at most. A killed process costs nothing but the games in progress.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// A file of games that is appended to.
///
/// The plan file is locked during a run. It is on the disk before the file of games is created, so whatever ends a run
/// leaves something that can be resumed or created again.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: AppendFile,
    bytes: Vec<u8>,
    synced: Instant,
    sync_every: Duration,
    _plan: File,
    /// Games that it had when it was opened.
    pub games: u64,
    pub positions: u64,
}

impl GameFile {
    /// A new file, with its plan beside it.
    ///
    /// # Errors
    /// If there are games in such a file, or it cannot be written.
    pub fn create(path: &Path, plan: &SelfPlayPlan) -> Result<GameFile, GameFileError> {
        if has_content(path) {
            return Err(GameFileError::Exists(path.to_owned()));
        }
        let mut plan_file = lock_plan(path)?;
        // Another process may have finished one in between.
        if has_content(path) {
            return Err(GameFileError::Exists(path.to_owned()));
        }
        let plan_path = plan_path(path);
        let text = serde_json::to_string_pretty(plan)
            .map_err(|error| GameFileError::Plan(plan_path.clone(), error))?;
        let write_plan = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all((text + "\n").as_bytes())?;
            file.sync()?;
            files::sync_parent(&plan_path)
        };
        write_plan(&mut plan_file).map_err(|error| GameFileError::Io(plan_path.clone(), error))?;
        let create = || {
            let file = File::open_or_create(path)?;
            files::sync_parent(path)?;
            AppendFile::over(file)
        };
        let file = create().map_err(|error| GameFileError::Io(path.to_owned(), error))?;
        Ok(GameFile::new(path, file, plan_file, 0, 0))
    }

    /// The file of an earlier run of the same plan; an incomplete last game is truncated. If there is no such
    /// file it is created.
    ///
    /// # Errors
    /// If the file belongs to another plan, is damaged, or cannot be read and written.
    pub fn resume(path: &Path, plan: &SelfPlayPlan) -> Result<GameFile, GameFileError> {
        if !has_content(path) {
            return GameFile::create(path, plan);
        }
        let mut plan_file = lock_plan(path)?;
        compare(path, &mut plan_file, plan)?;
        let named = |error| GameFileError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(named)?;
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
            [first, ..] => return Err(GameFileError::Damaged(path.to_owned(), first.clone())),
        };
        let mut file = AppendFile::over(file).map_err(named)?;
        if end < length {
            file.truncate(end).map_err(named)?;
        }
        Ok(GameFile::new(path, file, plan_file, games, positions))
    }

    fn new(path: &Path, file: AppendFile, plan: File, games: u64, positions: u64) -> GameFile {
        let (path, bytes, synced) = (path.to_owned(), Vec::new(), Instant::now());
        GameFile { path, file, bytes, synced, sync_every: SYNC_EVERY, _plan: plan, games, positions }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &PackedGame) -> io::Result<()> {
        self.bytes.clear();
        game.pack_into(&mut self.bytes);
        self.file.append(&self.bytes)?;
        if self.synced.elapsed() >= self.sync_every {
            self.file.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Flushes everything to the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), GameFileError> {
        self.file.sync().map_err(|error| GameFileError::Io(self.path.clone(), error))
    }
}

/// An empty file is as good as none: a crash may leave one.
fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0 || !metadata.is_file())
}

/// Opens and locks the file with the plan.
fn lock_plan(path: &Path) -> Result<File, GameFileError> {
    let plan_path = plan_path(path);
    // A file of games without its plan is not resumed, and gets no plan either.
    let open = if has_content(path) { File::open } else { File::open_or_create };
    files::lock(&plan_path, open).map_err(|error| match error {
        TryLockError::WouldBlock => GameFileError::InUse(path.to_owned()),
        TryLockError::Error(error) => GameFileError::Io(plan_path, error),
    })
}

/// The path of a file's plan.
fn plan_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".plan.json");
    PathBuf::from(name)
}

/// Checks that a file has this plan.
fn compare(path: &Path, file: &mut File, plan: &SelfPlayPlan) -> Result<(), GameFileError> {
    let plan_path = plan_path(path);
    let text = files::read_rest(file, files::SETTINGS_LIMIT)
        .map_err(|error| GameFileError::Io(plan_path.clone(), error))?;
    let earlier: SelfPlayPlan =
        serde_json::from_slice(&text).map_err(|error| GameFileError::Plan(plan_path, error))?;
    if earlier == *plan {
        return Ok(());
    }
    let differs = |earlier: String, now: String| {
        let pair = earlier.lines().zip(now.lines()).find(|(earlier, now)| earlier != now);
        pair.map(|(earlier, now)| format!("{} there, {} here", tidy(earlier), tidy(now)))
    };
    let difference = differs(format!("{earlier:#?}"), format!("{plan:#?}")).unwrap_or_default();
    Err(GameFileError::OtherPlan(path.to_owned(), difference))
}

/// An entry of a plan.
fn tidy(line: &str) -> &str {
    line.trim().trim_end_matches(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs::OpenOptions;

    use crate::selfplay::plan::{OpeningPlan, Shard};
    use chess::Position;
    use record::packed::PackedResult;
    use support::files::faults::{Interruption, Survival, every_crash, every_fault};

    fn plan() -> SelfPlayPlan {
        SelfPlayPlan {
            player: "test".to_owned(),
            seed: 1,
            shard: Shard::WHOLE,
            soft_nodes: 20,
            hard_nodes: 60,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 20, max_score: 1000 },
            rules: SelfPlayPlan::RULES,
        }
    }

    fn game(first: &str) -> PackedGame {
        let start = Position::startpos();
        PackedGame { start, result: PackedResult::Draw, moves: vec![(start.parse_uci(first).unwrap(), 12)] }
    }

    /// A finished file of games with these first moves.
    fn file_of(first_moves: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vd");
        let mut file = GameFile::create(&path, &plan()).unwrap();
        for first in first_moves {
            file.add(&game(first)).unwrap();
        }
        file.finish().unwrap();
        (folder, path)
    }

    #[test]
    fn truncated_file_resumes_after_last_game() {
        let (_folder, path) = file_of(&["e2e4", "d2d4"]);
        assert!(matches!(GameFile::create(&path, &plan()), Err(GameFileError::Exists(_))));
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();

        let mut file = GameFile::resume(&path, &plan()).unwrap();
        assert_eq!((file.games, file.positions), (1, 1));
        file.add(&game("g1f3")).unwrap();
        file.finish().unwrap();
        let games: io::Result<Vec<_>> = GameReader::new(fs::File::open(&path).unwrap()).collect();
        assert_eq!(games.unwrap(), [game("e2e4"), game("g1f3")]);
    }

    #[test]
    fn games_of_another_plan_are_not_mixed_in() {
        let (_folder, path) = file_of(&["e2e4"]);
        let error = GameFile::resume(&path, &SelfPlayPlan { soft_nodes: 30, ..plan() }).unwrap_err();
        assert!(error.to_string().contains("soft_nodes: 20 there, soft_nodes: 30 here"), "{error}");
        assert!(GameFile::resume(&path, &plan()).is_ok());
    }

    #[test]
    fn damaged_file_is_rejected() {
        let (_folder, path) = file_of(&["e2e4", "d2d4"]);
        let mut bytes = fs::read(&path).unwrap();
        bytes[8..24].fill(0);
        fs::write(&path, bytes).unwrap();
        assert!(matches!(GameFile::resume(&path, &plan()), Err(GameFileError::Damaged(..))));
    }

    #[test]
    fn file_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vd");
        let mut file = GameFile::create(&path, &plan()).unwrap();
        assert!(matches!(GameFile::create(&path, &plan()), Err(GameFileError::InUse(_))), "still empty");
        file.add(&game("e2e4")).unwrap();
        assert!(matches!(GameFile::resume(&path, &plan()), Err(GameFileError::InUse(_))));
        file.finish().unwrap();
        assert_eq!(GameFile::resume(&path, &plan()).unwrap().games, 1);
    }

    /// What an interrupted start of an earlier version has left.
    #[test]
    fn empty_file_without_plan_is_created_again() {
        for open in [GameFile::create, GameFile::resume] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.vd");
            fs::write(&path, "").unwrap();
            open(&path, &plan()).unwrap().finish().unwrap();
            fs::write(plan_path(&path), "{ half of a").unwrap();
            open(&path, &plan()).unwrap().finish().unwrap();
            fs::write(&path, "games").unwrap();
            fs::remove_file(plan_path(&path)).unwrap();
            assert!(open(&path, &plan()).is_err());
            assert!(!plan_path(&path).exists());
        }
    }

    const GAMES: [&str; 5] = ["e2e4", "d2d4", "c2c4", "g1f3", "b1c3"];

    /// Plays the games that the file does not have, and returns how many it had.
    fn play(folder: &Path, sync_always: bool, added: &Cell<u64>) -> Result<u64, GameFileError> {
        let path = folder.join("games.vd");
        let mut file = GameFile::resume(&path, &plan())?;
        if sync_always {
            file.sync_every = Duration::ZERO;
        }
        let before = file.games;
        for first in &GAMES[before as usize..] {
            file.add(&game(first)).map_err(|error| GameFileError::Io(path.clone(), error))?;
            added.set(added.get() + 1);
        }
        file.finish().map(|()| before)
    }

    /// The file is that of an uninterrupted run.
    fn check(folder: &Path, loses_nothing: bool, added: &Cell<u64>, point: &Interruption) {
        let before = added.get();
        let found = play(folder, true, added).unwrap_or_else(|error| panic!("{point}: {error}"));
        assert!(
            found <= before + 1 && (found >= before || !loses_nothing),
            "{point}: {before} added, {found} there"
        );
        let mut expected = Vec::new();
        for first in GAMES {
            game(first).pack_into(&mut expected);
        }
        assert_eq!(fs::read(folder.join("games.vd")).unwrap(), expected, "{point}");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "{point}");
    }

    fn crashes(sync_always: bool) -> usize {
        let root = tempfile::tempdir().unwrap();
        let added = Cell::new(0);
        every_crash(
            root.path(),
            &Survival::ALL,
            |_| added.set(0),
            |folder| play(folder, sync_always, &added).map(drop),
            |folder, point| {
                let loses_nothing = sync_always || point.survival() == Some(Survival::KILLED);
                check(folder, loses_nothing, &added, point);
            },
        )
    }

    #[test]
    fn crash_loses_no_added_game() {
        let count = crashes(true) + crashes(false);
        println!("self-play: {count} crashes");
        assert!(count > 200, "{count}");
    }

    #[test]
    fn fault_loses_no_added_game() {
        let root = tempfile::tempdir().unwrap();
        let added = Cell::new(0);
        let count = every_fault(
            root.path(),
            |_| added.set(0),
            |folder| play(folder, true, &added).map(drop),
            |folder, point, _| check(folder, true, &added, point),
        );
        println!("self-play: {count} faults");
        assert!(count > 40, "{count}");
    }
}
