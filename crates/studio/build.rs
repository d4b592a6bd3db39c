//! Embeds the built page: writes a table of the files in `web/dist`. Without that folder the table is empty, and the studio
//! shows how to build the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let dist = web.join("dist");
    // Cargo treats a missing folder as changed at every build, so its parent is watched instead.
    let watched = if dist.is_dir() { &dist } else { &web };
    println!("cargo::rerun-if-changed={}", watched.display());

    let mut files = Vec::new();
    collect(&dist, &mut files);
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut table = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&dist).expect("files come from the folder").to_string_lossy();
        let name = name.replace('\\', "/");
        // Copied, so that rebuilding the page at the same time cannot break this build.
        let copy = out.join(format!("page-{number}"));
        fs::copy(file, &copy).expect("a file that was just listed can be copied");
        writeln!(table, "    ({name:?}, include_bytes!({:?})),", copy.display().to_string())
            .expect("text grows");
    }
    table.push_str("]\n");
    fs::write(out.join("page_files.rs"), table).expect("cargo's folder can be written to");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
