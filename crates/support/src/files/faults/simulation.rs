//! The disk itself: the real folder holds what running programs see, and the simulation remembers what is synced.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{Content, DiskEvent, Fault, Survival, real_path};
use crate::sync::lock;

#[derive(Debug)]
pub struct Simulation {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    event: Option<DiskEvent>,
    crashed: bool,
    /// Set by a short write on a full disk.
    full: bool,
    steps: Vec<String>,
    inodes: Vec<Inode>,
    /// Names as programs see them, and as they are on the disk.
    live: Names,
    synced: Names,
}

#[derive(Clone, Debug, Default)]
struct Names {
    files: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
}

/// A file, whatever its name.
#[derive(Debug, Default)]
struct Inode {
    synced: Vec<u8>,
    /// The content when it lost its last name.
    removed: Vec<u8>,
    /// A sync has failed: the content never reaches the disk.
    broken: bool,
}

/// An open file.
#[derive(Debug)]
pub struct OpenFile {
    disk: Arc<Simulation>,
    inode: usize,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Create,
    Write,
    /// Cut, rename, remove: possible on a full disk.
    Change,
    Sync,
}

fn crash_error() -> io::Error {
    io::Error::other("simulated crash")
}

impl State {
    /// Counts a step; fails if it fails.
    fn step(&mut self, kind: Kind, what: impl FnOnce() -> String) -> io::Result<()> {
        if self.crashed {
            return Err(crash_error());
        }
        let step = self.steps.len();
        self.steps.push(what());
        let (from, fault) = match self.event {
            Some(DiskEvent::Crash { step: at, .. }) if at == step => {
                self.crashed = true;
                return Err(crash_error());
            }
            Some(DiskEvent::Fault(from, fault)) if step >= from => (from, fault),
            _ => return Ok(()),
        };
        let eio = || io::Error::other("simulated input/output error");
        match (fault, kind) {
            (Fault::Full, Kind::Create) => Err(io::ErrorKind::StorageFull.into()),
            (Fault::Full, Kind::Write) if self.full => Err(io::ErrorKind::StorageFull.into()),
            (Fault::ReadOnly, _) => Err(io::ErrorKind::ReadOnlyFilesystem.into()),
            (Fault::Once, _) if step == from => Err(eio()),
            (Fault::Sync, Kind::Sync) => Err(eio()),
            _ => Ok(()),
        }
    }

    /// How many bytes of a write are done; an error comes after them.
    fn write_step(&mut self, bytes: usize, what: impl FnOnce() -> String) -> (usize, io::Result<()>) {
        if self.crashed {
            return (0, Err(crash_error()));
        }
        let stepped = self.step(Kind::Write, what);
        let half = bytes / 2;
        let step = self.steps.len() - 1;
        match self.event {
            Some(DiskEvent::Crash { step: at, torn: true }) if at == step && stepped.is_err() => {
                (half, stepped)
            }
            _ if stepped.is_err() => (0, stepped),
            Some(DiskEvent::Fault(from, Fault::Full)) if step >= from => {
                self.full = true;
                (half, if half == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) })
            }
            Some(DiskEvent::Fault(from, Fault::ShortWrites)) if step >= from => {
                (half.max(1).min(bytes), Ok(()))
            }
            _ => (bytes, Ok(())),
        }
    }

    fn path_of(&self, inode: usize) -> Option<&PathBuf> {
        self.live.files.iter().find(|&(_, &live)| live == inode).map(|(path, _)| path)
    }

    /// Forgets a name; keeps the content for the case that the removal does not survive.
    fn unlink(&mut self, path: &Path) {
        if let Some(inode) = self.live.files.remove(path) {
            self.inodes[inode].removed = fs::read(path).unwrap_or_default();
        }
    }

    fn new_inode(&mut self, synced: Vec<u8>) -> usize {
        self.inodes.push(Inode { synced, ..Inode::default() });
        self.inodes.len() - 1
    }
}

impl Simulation {
    pub fn new(folder: &Path, event: Option<DiskEvent>) -> Simulation {
        let folder = folder.canonicalize().expect("a folder");
        let mut state = State {
            event,
            crashed: false,
            full: false,
            steps: Vec::new(),
            inodes: Vec::new(),
            live: Names::default(),
            synced: Names::default(),
        };
        let mut folders = vec![folder.clone()];
        while let Some(path) = folders.pop() {
            for entry in fs::read_dir(&path).expect("a readable folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    state.live.folders.insert(path.clone());
                    folders.push(path);
                } else {
                    let inode = state.new_inode(fs::read(&path).unwrap_or_default());
                    state.live.files.insert(path, inode);
                }
            }
        }
        state.synced = state.live.clone();
        Simulation { folder, state: Mutex::new(state) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn steps(&self) -> Vec<String> {
        lock(&self.state).steps.clone()
    }

    pub fn has_crashed(&self) -> bool {
        lock(&self.state).crashed
    }

    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string()
    }

    pub fn open(
        self: Arc<Self>,
        path: &Path,
        options: &OpenOptions,
        truncates: bool,
    ) -> io::Result<(fs::File, OpenFile)> {
        let path = real_path(path);
        let mut state = lock(&self.state);
        let known = state.live.files.get(&path).copied();
        if known.is_none() {
            state.step(Kind::Create, || format!("create {}", self.name(&path)))?;
        } else if truncates {
            state.step(Kind::Change, || format!("truncate {}", self.name(&path)))?;
        }
        let file = options.open(&path)?;
        let inode = known.unwrap_or_else(|| {
            let inode = state.new_inode(Vec::new());
            state.live.files.insert(path, inode);
            inode
        });
        drop(state);
        Ok((file, OpenFile { disk: self, inode }))
    }

    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (real_path(from), real_path(to));
        let mut state = lock(&self.state);
        state.step(Kind::Change, || format!("rename {} to {}", self.name(&from), self.name(&to)))?;
        let inode = state.live.files.get(&from).copied();
        let replaced = fs::read(&to).unwrap_or_default();
        fs::rename(&from, &to)?;
        if let Some(old) = state.live.files.remove(&to) {
            state.inodes[old].removed = replaced;
        }
        state.live.files.remove(&from);
        state.live.files.extend(inode.map(|inode| (to, inode)));
        Ok(())
    }

    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        let path = real_path(path);
        let mut state = lock(&self.state);
        if !path.exists() {
            return Err(io::ErrorKind::NotFound.into());
        }
        state.step(Kind::Change, || format!("remove {}", self.name(&path)))?;
        state.unlink(&path);
        fs::remove_file(&path)
    }

    pub fn create_dir(&self, path: &Path) -> io::Result<()> {
        let path = real_path(path);
        let mut state = lock(&self.state);
        state.step(Kind::Create, || format!("create folder {}", self.name(&path)))?;
        fs::create_dir(&path)?;
        state.live.folders.insert(path);
        Ok(())
    }

    pub fn remove_dir_all(&self, path: &Path) -> io::Result<()> {
        let path = real_path(path);
        let mut state = lock(&self.state);
        state.step(Kind::Change, || format!("remove folder {}", self.name(&path)))?;
        let inside: Vec<PathBuf> =
            state.live.files.keys().filter(|file| file.starts_with(&path)).cloned().collect();
        for file in &inside {
            state.unlink(file);
        }
        state.live.folders.retain(|folder| !folder.starts_with(&path));
        fs::remove_dir_all(&path)
    }

    pub fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let path = path.canonicalize()?;
        let mut state = lock(&self.state);
        state.step(Kind::Sync, || format!("sync folder {}", self.name(&path)))?;
        let State { live, synced, .. } = &mut *state;
        synced.files.retain(|file, _| file.parent() != Some(&path));
        synced.folders.retain(|folder| folder.parent() != Some(&path));
        let inside = |name: &Path| name.parent() == Some(&path);
        synced.files.extend(
            live.files.iter().filter(|(file, _)| inside(file)).map(|(file, &inode)| (file.clone(), inode)),
        );
        synced.folders.extend(live.folders.iter().filter(|folder| inside(folder)).cloned());
        Ok(())
    }

    /// Makes the folder what is found after a crash.
    pub fn restart(&self, survival: Survival) {
        let state = lock(&self.state);
        let names = if survival.names { &state.live } else { &state.synced };
        let mut files = Vec::new();
        for (path, &inode) in &names.files {
            let Inode { synced, removed, .. } = &state.inodes[inode];
            let live = match state.path_of(inode) {
                Some(path) => fs::read(path).unwrap_or_default(),
                None => removed.clone(),
            };
            files.push((path, surviving(synced, live, survival.content)));
        }
        for entry in fs::read_dir(&self.folder).expect("a readable folder").flatten() {
            let path = entry.path();
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.expect("a writable folder");
        }
        // Sorted, so that a folder comes before those in it.
        for folder in &names.folders {
            let _ = fs::create_dir(folder);
        }
        for (path, content) in files {
            // Without its folder a file is lost.
            if path.parent().is_some_and(Path::is_dir) {
                fs::write(path, content).expect("a writable folder");
            }
        }
    }
}

/// What is found of a file's content.
fn surviving(synced: &[u8], live: Vec<u8>, content: Content) -> Vec<u8> {
    let same = synced.iter().zip(&live).take_while(|(old, new)| old == new).count();
    match content {
        Content::Whole => live,
        Content::Nothing => synced.to_vec(),
        Content::Half => live[..same + (live.len() - same) / 2].to_vec(),
        Content::Zeros => {
            let mut bytes = live;
            bytes[same..].fill(0);
            bytes
        }
    }
}

impl OpenFile {
    fn name(&self, state: &State) -> String {
        state.path_of(self.inode).map_or_else(|| "a removed file".to_owned(), |path| self.disk.name(path))
    }

    pub fn write(&self, file: &mut fs::File, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return file.write(bytes);
        }
        let mut state = lock(&self.disk.state);
        let name = self.name(&state);
        let (count, then) =
            state.write_step(bytes.len(), || format!("write {} bytes to {name}", bytes.len()));
        file.write_all(&bytes[..count])?;
        then.map(|()| count)
    }

    pub fn set_len(&self, file: &fs::File, length: u64) -> io::Result<()> {
        let mut state = lock(&self.disk.state);
        let name = self.name(&state);
        state.step(Kind::Change, || format!("truncate {name} to {length} bytes"))?;
        file.set_len(length)
    }

    /// The real disk is not synced: no file of a test has to survive.
    pub fn sync(&self) -> io::Result<()> {
        let mut state = lock(&self.disk.state);
        let name = self.name(&state);
        let stepped = state.step(Kind::Sync, || format!("sync {name}"));
        if let Err(error) = stepped {
            state.inodes[self.inode].broken = true;
            return Err(error);
        }
        let content = state.path_of(self.inode).map(|path| fs::read(path).unwrap_or_default());
        let inode = &mut state.inodes[self.inode];
        if let (Some(content), false) = (content, inode.broken) {
            inode.synced = content;
        }
        Ok(())
    }
}
