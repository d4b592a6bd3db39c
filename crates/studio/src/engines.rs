//! The UCI engines that the studio offers: those of its command line, those that the user has added (`engines.toml` in
//! the data folder), and those that are installed. The page selects them by name; it cannot name a command.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arena::config::{EngineConfig, EngineKind};
use serde::{Deserialize, Serialize};
use support::files;
use support::shell::{quoted, split_arguments};

/// The file in the data folder.
pub const FILE: &str = "engines.toml";
/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
const MAX_ENGINES: usize = 64;
const MAX_NAME: usize = 60;

/// Programs that are known to be UCI engines.
const KNOWN: &[&str] = &[
    "alexandria",
    "arasan",
    "arasanx-64",
    "asymptote",
    "berserk",
    "blackmarlin",
    "caissa",
    "cfish",
    "clover",
    "counter",
    "demolito",
    "ethereal",
    "ethereal-chess",
    "fruit",
    "glaurung",
    "igel",
    "koivisto",
    "lc0",
    "minic",
    "obsidian",
    "plentychess",
    "reckless",
    "rodentiv",
    "rofchade",
    "rubichess",
    "seer",
    "stash",
    "stockfish",
    "stormphrax",
    "texel",
    "toga2",
    "velvet",
    "viridithas",
    "weiss",
    "xiphos",
];

/// Folders of programs that may be missing in `PATH`.
#[cfg(unix)]
const USUAL: &[&str] = &["/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin"];
#[cfg(not(unix))]
const USUAL: &[&str] = &[];

/// A UCI engine other than Vedette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalEngine {
    /// Its name in lists.
    pub name: String,
    /// Its program with its arguments, as one line.
    pub command: String,
}

impl ExternalEngine {
    /// Checks name and command.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new(name: &str, command: &str) -> Result<ExternalEngine, String> {
        let (name, command) = (name.trim(), command.trim());
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(format!(
                "invalid engine name '{name}': expected 1 to {MAX_NAME} printable characters"
            ));
        }
        if split_arguments(command).is_empty() || command.contains('\0') {
            return Err(format!("missing command of the engine '{name}'"));
        }
        Ok(ExternalEngine { name: name.to_owned(), command: command.to_owned() })
    }

    /// The engine for the arena.
    #[must_use]
    pub fn config(&self) -> EngineConfig {
        let mut arguments = split_arguments(&self.command).into_iter();
        EngineConfig {
            kind: EngineKind::Process,
            name: self.name.clone(),
            command: arguments.next().unwrap_or_default(),
            arguments: arguments.collect(),
            ..EngineConfig::default()
        }
    }
}

/// Why the list of engines cannot be read or changed.
#[derive(Debug)]
pub enum EnginesError {
    Io(PathBuf, io::Error),
    Invalid(PathBuf, String),
    /// An engine of this name is already in the list.
    Known(String),
    Unknown(String),
}

impl fmt::Display for EnginesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Invalid(path, what) => write!(f, "{}: {what}", path.display()),
            Self::Known(name) => write!(f, "there is an engine '{name}' already: remove it first"),
            Self::Unknown(name) => write!(f, "no engine '{name}' was added"),
        }
    }
}

impl std::error::Error for EnginesError {}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnginesFile {
    #[serde(default)]
    engine: Vec<ExternalEngine>,
}

/// The engines that were added in this data folder; none if there is no file.
///
/// # Errors
/// The file cannot be read, or is invalid.
pub fn added(folder: &Path) -> Result<Vec<ExternalEngine>, EnginesError> {
    let path = folder.join(FILE);
    let invalid = |what: String| EnginesError::Invalid(path.clone(), what);
    let text = match files::read_text(&path, MAX_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EnginesError::Io(path, error)),
        Ok(text) => text,
    };
    let file: EnginesFile = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    if file.engine.len() > MAX_ENGINES {
        return Err(invalid(format!("{} engines, at most {MAX_ENGINES} are accepted", file.engine.len())));
    }
    file.engine
        .iter()
        .map(|engine| ExternalEngine::new(&engine.name, &engine.command).map_err(&invalid))
        .collect()
}

/// Adds an engine.
///
/// # Errors
/// There is one of this name, there are too many, or the file cannot be read or written.
pub fn add(folder: &Path, engine: ExternalEngine) -> Result<(), EnginesError> {
    let mut all = added(folder)?;
    if all.iter().any(|known| known.name == engine.name) {
        return Err(EnginesError::Known(engine.name));
    }
    if all.len() >= MAX_ENGINES {
        return Err(EnginesError::Invalid(
            folder.join(FILE),
            format!("it has {MAX_ENGINES} engines already"),
        ));
    }
    all.push(engine);
    write(folder, all)
}

/// Removes an engine that was added.
///
/// # Errors
/// There is none of this name, or the file cannot be read or written.
pub fn remove(folder: &Path, name: &str) -> Result<(), EnginesError> {
    let mut all = added(folder)?;
    let before = all.len();
    all.retain(|engine| engine.name != name);
    if all.len() == before {
        return Err(EnginesError::Unknown(name.to_owned()));
    }
    write(folder, all)
}

fn write(folder: &Path, engine: Vec<ExternalEngine>) -> Result<(), EnginesError> {
    let path = folder.join(FILE);
    let text = toml::to_string(&EnginesFile { engine })
        .map_err(|error| EnginesError::Invalid(path.clone(), error.to_string()))?;
    let written = files::create_dir_all(folder).and_then(|()| files::replace(&path, text.as_bytes()));
    written.map_err(|error| EnginesError::Io(path, error))
}

/// The known UCI engines in `PATH` and the usual folders. None of them is started.
#[must_use]
pub fn installed() -> Vec<ExternalEngine> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let own = home.into_iter().flat_map(|home| [home.join(".local/bin"), home.join("bin")]);
    installed_in(env::split_paths(&path).chain(USUAL.iter().map(PathBuf::from)).chain(own))
}

/// As [`installed`], in these folders; of programs with the same name the first counts.
fn installed_in(folders: impl Iterator<Item = PathBuf>) -> Vec<ExternalEngine> {
    let folders: Vec<PathBuf> = folders.filter(|folder| folder.is_absolute()).collect();
    let find = |name: &&str| {
        let program = format!("{name}{}", env::consts::EXE_SUFFIX);
        let path = folders.iter().map(|folder| folder.join(&program)).find(|path| is_program(path))?;
        let (first, rest) = name.split_at(1);
        let name = format!("{}{rest}", first.to_uppercase());
        ExternalEngine::new(&name, &quoted(path.to_str()?)).ok()
    };
    KNOWN.iter().filter_map(find).collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// All engines of a studio.
#[derive(Debug)]
pub struct Engines {
    given: Vec<ExternalEngine>,
    folder: PathBuf,
    installed: Vec<ExternalEngine>,
}

impl Engines {
    /// `given` are those of the command line.
    #[must_use]
    pub fn new(given: Vec<ExternalEngine>, folder: PathBuf, installed: Vec<ExternalEngine>) -> Engines {
        Engines { given, folder, installed }
    }

    /// The engines, each name once, and what is wrong with the file. It is read each time, so that an engine can be
    /// added while the studio runs.
    #[must_use]
    pub fn all(&self) -> (Vec<ExternalEngine>, Option<EnginesError>) {
        let (added, error) = match added(&self.folder) {
            Ok(added) => (added, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let mut all: Vec<ExternalEngine> = Vec::new();
        for engine in self.given.iter().chain(&added).chain(&self.installed) {
            if all.iter().all(|known| known.name != engine.name) {
                all.push(engine.clone());
            }
        }
        (all, error)
    }

    /// The engine with this name.
    ///
    /// # Errors
    /// There is none.
    pub fn get(&self, name: &str) -> Result<ExternalEngine, String> {
        let found = self.all().0.into_iter().find(|engine| engine.name == name);
        found.ok_or_else(|| format!("unknown engine '{name}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use support::files::faults::{Interruption, Survival, every_crash, every_fault};
    use tempfile::tempdir;

    fn engine(name: &str, command: &str) -> ExternalEngine {
        ExternalEngine::new(name, command).expect("valid")
    }

    #[test]
    fn engines_are_added_listed_and_removed() {
        let folder = tempdir().expect("a folder");
        let data = folder.path().join("data");
        assert_eq!(added(&data).expect("no file yet"), []);
        let [rival, other] = [engine("Rival", "\"/opt/my engines/rival\" --uci"), engine("Ünal \"2\"", "u")];
        add(&data, rival.clone()).expect("added");
        add(&data, other.clone()).expect("added");
        assert!(matches!(add(&data, rival.clone()), Err(EnginesError::Known(_))));
        assert_eq!(added(&data).expect("valid"), [rival.clone(), other.clone()]);
        assert_eq!(rival.config().command, "/opt/my engines/rival");
        remove(&data, "Rival").expect("removed");
        assert!(matches!(remove(&data, "Rival"), Err(EnginesError::Unknown(_))));
        assert_eq!(added(&data).expect("valid"), [other]);
    }

    /// The lists after each change, and the changes.
    const LISTS: [&str; 5] = ["", "A", "AB", "B", "BC"];

    fn work(folder: &Path, done: &Cell<usize>) -> Result<(), EnginesError> {
        let data = folder.join("data");
        for change in 1..LISTS.len() {
            match change {
                1 => add(&data, engine("A", "a")),
                2 => add(&data, engine("B", "b")),
                3 => remove(&data, "A"),
                _ => add(&data, engine("C", "c")),
            }?;
            done.set(change);
        }
        Ok(())
    }

    #[test]
    fn crash_leaves_old_or_new_list() {
        let root = tempdir().expect("a folder");
        let done = Cell::new(0);
        let check = |folder: &Path, point: &Interruption| {
            let names = || {
                let all = added(&folder.join("data")).unwrap_or_else(|error| panic!("{point}: {error}"));
                all.into_iter().map(|engine| engine.name).collect::<String>()
            };
            let (found, done) = (names(), done.get());
            assert!(LISTS[done..].iter().take(2).any(|list| *list == found), "{point}: {found} after {done}");
            add(&folder.join("data"), engine("D", "d")).expect("writable again");
            assert_eq!(names(), found + "D", "{point}");
            assert_eq!(
                fs::read_dir(folder.join("data")).expect("there").count(),
                1,
                "{point}: a draft is left"
            );
        };
        let (prepare, work) = (|_: &Path| done.set(0), |folder: &Path| work(folder, &done));
        let crashes = every_crash(root.path(), &Survival::ALL, prepare, work, check);
        let faults = every_fault(root.path(), prepare, work, |folder, point, _| check(folder, point));
        println!("studio, engines: {crashes} crashes, {faults} faults");
        assert!(crashes > 100 && faults > 30, "{crashes} {faults}");
    }

    #[test]
    fn invalid_file_is_an_error_and_stays() {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        for (text, words) in [
            ("engine = 3", "invalid type"),
            ("[[engine]]\nname = \"A\"\ncommand = \"a\"\nshell = true\n", "unknown field"),
            ("[[engine]]\nname = \"\"\ncommand = \"a\"\n", "invalid engine name"),
            ("[[engine]]\nname = \"A\"\ncommand = \" \"\n", "missing command"),
        ] {
            fs::write(&path, text).expect("writable");
            let error = add(folder.path(), engine("B", "b")).expect_err("invalid").to_string();
            assert!(error.contains(words) && error.contains(FILE), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("there"), text);
        }
        fs::write(&path, "#".repeat(MAX_BYTES as usize + 1)).expect("writable");
        assert!(added(folder.path()).expect_err("too large").to_string().contains("larger than"));
    }

    #[cfg(unix)]
    #[test]
    fn installed_engines_are_found_without_being_started() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempdir().expect("a folder");
        let folders = ["one", "two two"].map(|name| folder.path().join(name));
        for (folder, program, mode) in [
            (&folders[0], "stockfish", 0o644),
            (&folders[1], "stockfish", 0o755),
            (&folders[1], "toga2", 0o755),
            (&folders[1], "ls", 0o755),
        ] {
            fs::create_dir_all(folder).expect("writable");
            let path = folder.join(program);
            fs::write(&path, "#!/bin/sh\ntouch \"$0.started\"\n").expect("writable");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("ours");
        }
        let found = installed_in([PathBuf::from("relative")].into_iter().chain(folders.clone()));
        let names: Vec<&str> = found.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["Stockfish", "Toga2"]);
        assert_eq!(found[0].config().command, folders[1].join("stockfish").display().to_string());
        assert!(!folders[1].join("stockfish.started").exists());
    }

    #[test]
    fn first_engine_of_a_name_counts() {
        let folder = tempdir().expect("a folder");
        let list = Engines::new(
            vec![engine("A", "given")],
            folder.path().to_owned(),
            vec![engine("B", "installed"), engine("C", "installed")],
        );
        add(folder.path(), engine("A", "added")).expect("added");
        add(folder.path(), engine("B", "added")).expect("added");
        let (all, error) = list.all();
        let commands: Vec<&str> = all.iter().map(|engine| engine.command.as_str()).collect();
        assert_eq!((commands, error.is_none()), (vec!["given", "added", "installed"], true));
        assert!(list.get("C").is_ok() && list.get("D").is_err());
        fs::write(folder.path().join(FILE), "?").expect("writable");
        let (all, error) = list.all();
        assert!(all.len() == 3 && error.is_some(), "the others are still there");
    }
}
