//! Loads the libraries that a GPU needs: the driver, NVRTC and cuBLAS.
//!
//! The dynamic loader knows the usual places of system packages. CUDA's own installer and Python packages (`PyTorch` brings
//! them) use others, which are searched here.
#![allow(unsafe_code)]

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cudarc::{cublas, driver, nvrtc};
use libloading::Library;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissingLibrary {
    what: &'static str,
    remedy: &'static str,
}

impl fmt::Display for MissingLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not found; {}", self.what, self.remedy)
    }
}

impl std::error::Error for MissingLibrary {}

/// Libraries by their file names' prefixes, dependencies first.
const TOOLKIT: [&str; 4] = ["libnvrtc-builtins.so", "libnvrtc.so", "libcublasLt.so", "libcublas.so"];

/// What the GPU is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// NVRTC alone, which works without a GPU.
    Compiler,
    /// Our kernels: the driver and NVRTC.
    Kernels,
    /// cuBLAS as well.
    Cublas,
}

/// Loads all libraries, also from places where the dynamic loader does not search.
///
/// # Errors
/// The first that is missing.
pub fn load(need: Need) -> Result<(), MissingLibrary> {
    static LOADED: [OnceLock<Result<(), MissingLibrary>>; 3] =
        [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    *LOADED[need as usize].get_or_init(|| {
        // SAFETY: loading NVIDIA's driver runs nothing but its own initialisation.
        if need != Need::Compiler && !unsafe { driver::sys::is_culib_present() } {
            return Err(MissingLibrary {
                what: "NVIDIA GPU driver (libcuda)",
                remedy: "install it, or use --device cpu",
            });
        }
        // SAFETY: as above, for two libraries of CUDA.
        let compiler = || unsafe { nvrtc::sys::is_culib_present() };
        // SAFETY: as above.
        let cublas = || need != Need::Cublas || unsafe { cublas::sys::is_culib_present() };
        if !compiler() || !cublas() {
            let folders = folders();
            for name in TOOLKIT {
                load_first(name, &folders);
            }
        }
        let remedy = "install CUDA or PyTorch, or add their folder to LD_LIBRARY_PATH";
        match (compiler(), cublas()) {
            (false, _) => Err(MissingLibrary { what: "CUDA compiler library (libnvrtc)", remedy }),
            (_, false) => Err(MissingLibrary { what: "CUDA matrix library (libcublas)", remedy }),
            (true, true) => Ok(()),
        }
    })
}

/// Loads the first file in these folders with this prefix and keeps it loaded: from now on the loader knows the library by
/// its own name.
fn load_first(name: &str, folders: &[PathBuf]) -> bool {
    folders.iter().flat_map(|folder| files(folder, name)).any(|path| {
        // SAFETY: a library of this name is CUDA's, and runs nothing but its own initialisation.
        unsafe { Library::new(path) }.map(std::mem::forget).is_ok()
    })
}

/// The files of a folder with this prefix, newest version first.
fn files(folder: &Path, name: &str) -> Vec<PathBuf> {
    let fits =
        |path: &PathBuf| path.file_name().and_then(OsStr::to_str).is_some_and(|file| file.starts_with(name));
    let mut files: Vec<PathBuf> = entries(folder).into_iter().filter(fits).collect();
    files.reverse();
    files
}

/// Sorted by name; empty if the folder cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .map_or_else(|_| Vec::new(), |list| list.flatten().map(|entry| entry.path()).collect());
    entries.sort();
    entries
}

fn folders() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> =
        ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(env::var_os).map(PathBuf::from).collect();
    roots.extend(["/usr/local/cuda", "/opt/cuda"].map(PathBuf::from));
    let versions = entries(Path::new("/usr/local")).into_iter().rev();
    roots.extend(versions.filter(|path| path.to_string_lossy().starts_with("/usr/local/cuda-")));
    let mut folders: Vec<PathBuf> = roots.iter().map(|root| root.join("lib64")).collect();
    folders.extend(env::var_os("CONDA_PREFIX").map(|root| PathBuf::from(root).join("lib")));
    folders.extend(python_environments().iter().flat_map(|root| python_folders(root)));
    only_absolute(folders)
}

/// Without paths relative to the current folder, where anyone could have put a library.
fn only_absolute(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.retain(|folder| folder.is_absolute());
    folders
}

/// Python environments that are active or in PATH.
fn python_environments() -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(env::var_os).map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path)
        .filter(|folder| folder.join("python3").exists())
        .filter_map(|folder| folder.parent().map(Path::to_owned));
    active.chain(on_path).collect()
}

/// `lib/pythonX.Y/{site,dist}-packages/nvidia/*/lib` of a Python environment.
fn python_folders(root: &Path) -> Vec<PathBuf> {
    let versions = entries(&root.join("lib")).into_iter();
    let versions = versions.filter(|path| path.to_string_lossy().contains("/python3"));
    let packages =
        versions.flat_map(|version| ["site-packages", "dist-packages"].map(|name| version.join(name)));
    packages
        .flat_map(|packages| entries(&packages.join("nvidia")))
        .map(|package| package.join("lib"))
        .filter(|folder| folder.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_depend_on_the_current_folder_are_skipped() {
        let folders = ["/usr/local/cuda/lib64", "lib64", "", "./lib", "../lib"].map(PathBuf::from).to_vec();
        assert_eq!(only_absolute(folders), [Path::new("/usr/local/cuda/lib64")]);
        assert!(super::folders().iter().all(|folder| folder.is_absolute()));
    }

    #[test]
    fn python_packages_are_searched() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("lib/python3.12/site-packages/nvidia/cu13/lib");
        fs::create_dir_all(&folder).unwrap();
        for name in ["libnvrtc.so.12", "libnvrtc.so.13", "libother.so"] {
            fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(python_folders(root.path()), std::slice::from_ref(&folder));
        assert_eq!(
            files(&folder, "libnvrtc.so"),
            [folder.join("libnvrtc.so.13"), folder.join("libnvrtc.so.12")]
        );
        // Files that are no libraries are skipped.
        assert!(!load_first("libnvrtc.so", &[folder]));
    }
}
