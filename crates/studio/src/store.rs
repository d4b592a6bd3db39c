//! What the studio keeps: games, reviews, matches, reports and recordings, as plain files in the user's data folder.
//! A file is replaced in one step, so that a crash leaves the old one or the new one, never half of one.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use support::files;

/// The folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Games that were played, as PGN.
    Games,
    /// Reviewed games: annotated PGN, JSON for the page, and until a review is done what is needed to go on.
    Reviews,
    /// Matches: their games as PGN, their results as JSON, and what is needed to go on.
    Matches,
    /// Doctor's reports: HTML and JSON.
    Reports,
    /// Recordings of searches: what to search again, as JSON.
    Traces,
}

/// All shelves.
const SHELVES: [Shelf; 5] = [Shelf::Games, Shelf::Reviews, Shelf::Matches, Shelf::Reports, Shelf::Traces];

impl Shelf {
    const fn folder(self) -> &'static str {
        match self {
            Shelf::Games => "games",
            Shelf::Reviews => "reviews",
            Shelf::Matches => "matches",
            Shelf::Reports => "reports",
            Shelf::Traces => "traces",
        }
    }
}

/// The name of something kept: letters, digits and dashes, so that no name leads out of its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Id(String);

impl Id {
    /// The name that a text is, if it is one.
    pub fn parse(text: &str) -> Option<Id> {
        let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
        (!text.is_empty() && text.len() <= 40 && text.chars().all(fits)).then(|| Id(text.to_owned()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The data folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    made: AtomicU64,
}

impl Store {
    /// Opens the folder, and makes it if need be.
    ///
    /// # Errors
    /// It cannot be made or written to.
    pub fn open(folder: PathBuf) -> io::Result<Store> {
        for shelf in SHELVES {
            fs::create_dir_all(folder.join(shelf.folder()))?;
        }
        Ok(Store { folder, made: AtomicU64::new(0) })
    }

    /// Where everything is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A name that nothing has yet; names made later sort behind earlier ones.
    pub fn new_id(&self) -> Id {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        // A restart within a second begins to count again; the process tells the names apart.
        Id(format!("{seconds:010}-{:05}-{number:03}", std::process::id() % 100_000))
    }

    /// Where a file is or would be.
    pub fn path(&self, shelf: Shelf, id: &Id, ending: &str) -> PathBuf {
        self.folder.join(shelf.folder()).join(format!("{id}.{ending}"))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, shelf: Shelf, id: &Id, ending: &str, content: &[u8]) -> io::Result<()> {
        files::replace(&self.path(shelf, id, ending), content)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It is not there, or cannot be read.
    pub fn read(&self, shelf: Shelf, id: &Id, ending: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path(shelf, id, ending))
    }

    /// Removes everything with this name; what is not there needs no removing.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(&self, shelf: Shelf, id: &Id) -> io::Result<()> {
        for ending in ["pgn", "json", "html", "state", "order", "journal"] {
            match fs::remove_file(self.path(shelf, id, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The names on a shelf that have a file with this ending, the newest first.
    pub fn list(&self, shelf: Shelf, ending: &str) -> Vec<Id> {
        let entries = fs::read_dir(self.folder.join(shelf.folder())).into_iter().flatten().flatten();
        let mut ids: Vec<Id> = entries
            .filter_map(|entry| {
                let name = entry.file_name();
                let (stem, found) = name.to_str()?.rsplit_once('.')?;
                if found == ending { Id::parse(stem) } else { None }
            })
            .collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    }

    /// Writes the state of something that goes on, such as the game at the board.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_state(&self, name: &str, state: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(state).map_err(io::Error::other)?;
        files::replace(&self.folder.join(format!("{name}.json")), &text)
    }

    /// Reads a state; `None` when there is none, or none that makes sense.
    pub fn read_state<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        Store::state_in(&self.folder, name)
    }

    /// Reads a state of a folder that somebody else may have opened.
    pub fn state_in<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> Option<T> {
        let text = fs::read(folder.join(format!("{name}.json"))).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A store, and the folder that goes away with the test.
    fn store() -> (Store, TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        (Store::open(folder.path().to_owned()).expect("a folder"), folder)
    }

    #[test]
    fn no_name_leads_out_of_its_folder() {
        for bad in ["", ".", "..", "../x", "a/b", "a\\b", "A", "x.json", &"a".repeat(41)] {
            assert!(Id::parse(bad).is_none(), "{bad}");
        }
        assert!(Id::parse("1794746752-00042-001").is_some());
    }

    #[test]
    fn what_is_written_is_listed_newest_first_and_can_be_removed() {
        let (store, _folder) = store();
        let (first, second) = (store.new_id(), store.new_id());
        assert_ne!(first, second);
        for id in [&first, &second] {
            store.write(Shelf::Games, id, "pgn", b"1. e4 *").expect("written");
        }
        assert_eq!(store.list(Shelf::Games, "pgn"), [second.clone(), first.clone()]);
        assert_eq!(store.read(Shelf::Games, &first, "pgn").expect("there"), b"1. e4 *");
        store.remove(Shelf::Games, &first).expect("removed");
        store.remove(Shelf::Games, &first).expect("nothing to do");
        assert_eq!(store.list(Shelf::Games, "pgn"), [second]);
    }

    #[test]
    fn a_state_that_makes_no_sense_counts_as_none() {
        let (store, _folder) = store();
        assert_eq!(store.read_state::<Vec<u32>>("game"), None);
        store.write_state("game", &[1, 2]).expect("written");
        assert_eq!(store.read_state::<Vec<u32>>("game"), Some(vec![1, 2]));
        fs::write(store.folder().join("game.json"), "[1, ").expect("written");
        assert_eq!(store.read_state::<Vec<u32>>("game"), None);
    }

    #[test]
    fn a_failed_replacement_leaves_the_old_file_and_no_draft() {
        let (store, _folder) = store();
        let id = store.new_id();
        let path = store.path(Shelf::Games, &id, "pgn");
        fs::create_dir(&path).expect("a folder in the way");
        assert!(store.write(Shelf::Games, &id, "pgn", b"new").is_err());
        let left: Vec<_> = fs::read_dir(path.parent().expect("a shelf")).expect("there").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
