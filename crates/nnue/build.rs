//! Finds the network to embed: the file in `EVALFILE`, or else that of the repository.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The same as `embedded::SHIPPED`.
const SHIPPED: &str = "nets/vedette.nnue";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = root();
    let file = match env::var_os("EVALFILE").filter(|name| !name.is_empty()) {
        Some(name) => Some(root.join(name)),
        None => Some(root.join(SHIPPED)).filter(|path| path.is_file()),
    };
    let expression = if let Some(path) = file {
        check(&path);
        format!("Some(include_bytes!(\"{}\"))", path.display().to_string().escape_default())
    } else {
        // Without a network, watch the folder for one.
        println!("cargo::rerun-if-changed={}", root.join("nets").display());
        "None".to_owned()
    };
    let Some(out) = env::var_os("OUT_DIR") else { unreachable!("cargo sets OUT_DIR") };
    let target = Path::new(&out).join("embedded.rs");
    if let Err(error) = fs::write(&target, expression) {
        println!("cargo::error={}: {error}", target.display());
    }
}

/// Rejects files that are not networks, such as a Git LFS pointer; the rest is checked on reading.
fn check(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
    match fs::read(path) {
        Ok(bytes) if bytes.starts_with(b"VEDETTE\x1A") => {}
        Ok(_) => println!("cargo::error={}: not a Vedette network file", path.display()),
        Err(error) => println!("cargo::error={}: {error}", path.display()),
    }
}

/// The root of the repository, for relative paths.
fn root() -> PathBuf {
    let Some(package) = env::var_os("CARGO_MANIFEST_DIR") else { unreachable!("cargo sets it") };
    Path::new(&package).join("../..")
}
