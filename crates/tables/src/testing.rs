//! The tables of the tests.

use std::path::{Path, PathBuf};

/// The folder with all tables for three and four pieces, which `scripts/tables.sh` gets. `None`, after a message, if
/// there is none.
pub fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let folder = std::env::var_os("VEDETTE_TABLES").map_or_else(|| target.join("tables"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no tablebases in {}; get them with scripts/tables.sh", folder.display());
    None
}
