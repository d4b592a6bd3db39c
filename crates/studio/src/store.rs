//! The data folder: games, reviews, matches, reports and recordings as plain files. Files are replaced atomically, so
//! that a crash leaves the old or the new version.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use support::files;

/// A folder of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Finished games as PGN, and unfinished ones also as JSON.
    Games,
    /// Annotated PGN, JSON for the page, and what is needed to resume.
    Reviews,
    /// Games as PGN, results as JSON, and what is needed to resume.
    Matches,
    /// The doctor's reports: HTML and JSON.
    Reports,
    /// Recorded searches: what to search again, as JSON.
    Traces,
    /// PGN files that were added to the library.
    Imported,
}

const COLLECTIONS: [Collection; 6] = [
    Collection::Games,
    Collection::Reviews,
    Collection::Matches,
    Collection::Reports,
    Collection::Traces,
    Collection::Imported,
];

impl Collection {
    const fn folder(self) -> &'static str {
        match self {
            Collection::Games => "games",
            Collection::Reviews => "reviews",
            Collection::Matches => "matches",
            Collection::Reports => "reports",
            Collection::Traces => "traces",
            Collection::Imported => "imported",
        }
    }
}

/// The id of a stored item: letters, digits and dashes, so that no id leads out of its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Id(String);

impl Id {
    pub fn parse(text: &str) -> Option<Id> {
        let fits = |character: char| {
            character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
        };
        (!text.is_empty() && text.len() <= 40 && text.chars().all(fits)).then(|| Id(text.to_owned()))
    }
}

impl TryFrom<String> for Id {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Id, Self::Error> {
        Id::parse(&text).ok_or("invalid id: expected up to 40 lower-case letters, digits and dashes")
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
    /// No id has an earlier time from now on.
    newest: AtomicU64,
}

impl Store {
    /// Opens the folder, and creates it if necessary. Temporary files left by a crash are removed.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn open(folder: PathBuf) -> io::Result<Store> {
        for collection in COLLECTIONS {
            files::create_dir_all(&folder.join(collection.folder()))?;
        }
        files::remove_drafts(&folder);
        for collection in COLLECTIONS {
            files::remove_drafts(&folder.join(collection.folder()));
        }
        let newest = COLLECTIONS.into_iter().flat_map(|collection| times(&folder.join(collection.folder())));
        let newest = AtomicU64::new(newest.max().map_or(0, |newest: u64| newest.saturating_add(1)));
        Ok(Store { folder, made: AtomicU64::new(0), newest })
    }

    /// A new id; later ids sort after earlier ones, also if the clock is set back.
    pub(crate) fn new_id(&self) -> Id {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let seconds = now.max(self.newest.fetch_max(now, Ordering::Relaxed));
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        // The counter restarts with the process, whose id keeps ids apart.
        Id(format!("{seconds:010}-{:05}-{number:03}", std::process::id() % 100_000))
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn path(&self, collection: Collection, id: &Id, ending: &str) -> PathBuf {
        self.folder.join(collection.folder()).join(format!("{id}.{ending}"))
    }

    pub(crate) fn write(
        &self,
        collection: Collection,
        id: &Id,
        ending: &str,
        content: &[u8],
    ) -> io::Result<()> {
        files::replace(&self.path(collection, id, ending), content)
    }

    pub(crate) fn read(&self, collection: Collection, id: &Id, ending: &str) -> io::Result<Vec<u8>> {
        files::read_limited(&self.path(collection, id, ending), files::CONTENT_LIMIT)
    }

    /// Removes all files of an item; it is no error if there are none.
    pub(crate) fn remove(&self, collection: Collection, id: &Id) -> io::Result<()> {
        for ending in ["pgn", "json", "html", "state", "order", "journal"] {
            match files::remove_file(&self.path(collection, id, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The items that have a file with this ending, the newest first.
    pub(crate) fn list(&self, collection: Collection, ending: &str) -> Vec<Id> {
        let entries = fs::read_dir(self.folder.join(collection.folder())).into_iter().flatten().flatten();
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

    /// Writes a state file, such as the game in progress.
    pub(crate) fn write_state(&self, name: &str, state: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(state).map_err(io::Error::other)?;
        files::replace(&self.folder.join(format!("{name}.json")), &text)
    }

    /// Reads a state file; `None` if there is none, or it is invalid.
    pub(crate) fn read_state<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        Store::state_in(&self.folder, name)
    }

    /// Reads a state file of a folder that another studio may have opened.
    pub(crate) fn state_in<T: DeserializeOwned>(folder: &Path, name: &str) -> Option<T> {
        let text = files::read_limited(&folder.join(format!("{name}.json")), files::CONTENT_LIMIT).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// The times in the ids of a folder.
fn times(folder: &Path) -> Vec<u64> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.split_once('-')?.0.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use support::files::faults::{Interruption, Survival, every_crash, every_fault};
    use tempfile::TempDir;

    /// A store, and its temporary folder.
    fn store() -> (Store, TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        (Store::open(folder.path().to_owned()).expect("a folder"), folder)
    }

    #[test]
    fn ids_do_not_lead_out_of_their_folder() {
        for bad in ["", ".", "..", "../x", "a/b", "a\\b", "A", "x.json", &"a".repeat(41)] {
            assert!(Id::parse(bad).is_none(), "{bad}");
        }
        assert!(Id::parse("1794746752-00042-001").is_some());
    }

    #[test]
    fn items_are_listed_newest_first() {
        let (store, _folder) = store();
        let (first, second) = (store.new_id(), store.new_id());
        assert_ne!(first, second);
        for id in [&first, &second] {
            store.write(Collection::Games, id, "pgn", b"1. e4 *").expect("written");
        }
        assert_eq!(store.list(Collection::Games, "pgn"), [second.clone(), first.clone()]);
        assert_eq!(store.read(Collection::Games, &first, "pgn").expect("there"), b"1. e4 *");
        store.remove(Collection::Games, &first).expect("removed");
        store.remove(Collection::Games, &first).expect("nothing to do");
        assert_eq!(store.list(Collection::Games, "pgn"), [second]);
    }

    #[test]
    fn clock_set_back_repeats_no_id() {
        let (store, folder) = store();
        let later = Id::parse("9999999990-99999-999").expect("valid");
        store.write(Collection::Matches, &later, "json", b"{}").expect("written");
        let store = Store::open(folder.path().to_owned()).expect("a folder");
        let (first, second) = (store.new_id(), store.new_id());
        assert!(later < first && first < second, "{first} {second}");
    }

    /// Writes, replaces and removes an item, and a state; `done` counts what was acknowledged.
    fn work(folder: &Path, done: &Cell<u32>) -> io::Result<()> {
        let store = Store::open(folder.join("data"))?;
        let id = Id::parse("0000000001-00001-000").expect("valid");
        for version in 1..=2 {
            for ending in ["pgn", "json"] {
                store.write(Collection::Games, &id, ending, format!("{ending} {version}").as_bytes())?;
            }
            store.write_state("game", &version)?;
            done.set(version);
        }
        store.remove(Collection::Games, &id)?;
        done.set(3);
        Ok(())
    }

    fn check(folder: &Path, done: u32, point: &Interruption) {
        let store = Store::open(folder.join("data")).unwrap_or_else(|error| panic!("{point}: {error}"));
        let id = Id::parse("0000000001-00001-000").expect("valid");
        for ending in ["pgn", "json"] {
            let found = store.read(Collection::Games, &id, ending).ok();
            let is = |version: u32| found.as_deref() == Some(format!("{ending} {version}").as_bytes());
            let may_be_missing = found.is_none() && (done == 0 || done >= 2);
            assert!(is(done.min(2)) || is((done + 1).min(2)) || may_be_missing, "{point}: {done}, {found:?}");
        }
        let state = store.read_state("game").unwrap_or(0);
        assert!((done.min(2)..=(done + 1).min(2)).contains(&state), "{point}: {done}, {state}");
        let left = |name: &str| fs::read_dir(store.folder.join(name)).expect("there").flatten().count();
        assert!(left("games") <= 2 && left("") <= 7, "{point}: something temporary is left");
    }

    #[test]
    fn crash_leaves_old_or_new_item() {
        let root = tempfile::tempdir().expect("a folder");
        let done = Cell::new(0);
        let (prepare, work) = (|_: &Path| done.set(0), |folder: &Path| work(folder, &done));
        let check_crash = |folder: &Path, point: &Interruption| check(folder, done.get(), point);
        let crashes = every_crash(root.path(), &Survival::ALL, prepare, work, check_crash);
        let check_fault = |folder: &Path, point: &Interruption, _| check(folder, done.get(), point);
        let faults = every_fault(root.path(), prepare, work, check_fault);
        println!("studio, items: {crashes} crashes, {faults} faults");
        assert!(crashes > 300 && faults > 80, "{crashes} {faults}");
    }

    #[test]
    fn invalid_state_counts_as_none() {
        let (store, _folder) = store();
        assert_eq!(store.read_state::<Vec<u32>>("game"), None);
        store.write_state("game", &[1, 2]).expect("written");
        assert_eq!(store.read_state::<Vec<u32>>("game"), Some(vec![1, 2]));
        fs::write(store.folder.join("game.json"), "[1, ").expect("written");
        assert_eq!(store.read_state::<Vec<u32>>("game"), None);
    }

    #[test]
    fn failed_write_leaves_no_temporary_file() {
        let (store, _folder) = store();
        let id = store.new_id();
        let path = store.path(Collection::Games, &id, "pgn");
        fs::create_dir(&path).expect("a folder in the way");
        assert!(store.write(Collection::Games, &id, "pgn", b"new").is_err());
        let left: Vec<_> = fs::read_dir(path.parent().expect("a folder")).expect("there").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
