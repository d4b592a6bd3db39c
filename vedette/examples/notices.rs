//! Prints the third-party notices: every crate and npm package that is part of the binary, with its licence and the texts
//! that come with it. `make notices` writes them beside the binary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Begin the names of files with licences.
const FILES: [&str; 6] = ["license", "licence", "copying", "notice", "unlicense", "copyright"];

/// A crate or package of somebody else.
pub struct Part {
    pub name: String,
    pub version: String,
    pub licence: String,
    pub home: String,
    /// The texts in its folder.
    pub texts: BTreeSet<String>,
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The texts of the licences in a folder.
fn texts_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_licence = |name: &str| FILES.iter().any(|start| name.to_lowercase().starts_with(start));
    entries
        .filter(|entry| is_licence(&entry.file_name().to_string_lossy()))
        .filter_map(|entry| fs::read(entry.path()).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\r', "").trim().to_owned())
        .collect()
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect(program);
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The crates that are linked into the binary on this platform; those of tests and build scripts are not.
///
/// # Panics
/// If cargo cannot list them.
pub fn crates() -> Vec<Part> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let version = output_of("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let metadata =
        output_of(&cargo, &["metadata", "--format-version", "1", "--locked", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text_of(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text_of(&node["id"]), node)).collect();
    let (mut linked, mut next) = (BTreeSet::new(), vec![text_of(&metadata["resolve"]["root"])]);
    while let Some(id) = next.pop() {
        let is_linked =
            |dependency: &&Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        let dependencies = list(&nodes[&id]["deps"]);
        next.extend(
            dependencies
                .iter()
                .filter(is_linked)
                .map(|it| text_of(&it["pkg"]))
                .filter(|id| !linked.contains(id)),
        );
        linked.insert(id);
    }
    let foreign = linked.iter().map(|id| &packages[id]).filter(|package| !package["source"].is_null());
    let part = |package: &Value| Part {
        name: text_of(&package["name"]),
        version: text_of(&package["version"]),
        licence: text_of(&package["license"]),
        home: text_of(&package["repository"]),
        texts: Path::new(&text_of(&package["manifest_path"])).parent().map(texts_in).unwrap_or_default(),
    };
    foreign.map(part).collect()
}

/// The packages that the studio's page contains. Their texts are there once `npm ci` has run.
///
/// # Panics
/// If there is no lock file.
pub fn packages() -> Vec<Part> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let lock = fs::read_to_string(web.join("package-lock.json")).expect("a lock file");
    let lock: Value = serde_json::from_str(&lock).expect("JSON");
    let entries = lock["packages"].as_object().cloned().unwrap_or_default();
    let shipped = entries.into_iter().filter(|(path, entry)| !path.is_empty() && entry["dev"].is_null());
    let part = |(path, entry): (String, Value)| Part {
        name: path.trim_start_matches("node_modules/").to_owned(),
        version: text_of(&entry["version"]),
        licence: text_of(&entry["license"]),
        home: text_of(&entry["resolved"]),
        texts: texts_in(&web.join(path)),
    };
    shipped.map(part).collect()
}

/// The notices: a list of all parts, and each text once.
pub fn notices(parts: &[Part]) -> String {
    let mut page =
        "Vedette contains the Rust standard library (MIT OR Apache-2.0) and the following parts.\n\n"
            .to_owned();
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for part in parts {
        let _ = writeln!(page, "{} {}: {}, {}", part.name, part.version, part.licence, part.home);
        for text in &part.texts {
            texts.entry(text).or_default().push(format!("{} {}", part.name, part.version));
        }
    }
    for (text, users) in texts {
        let _ = write!(page, "\n{}\n{}\n\n{text}\n", "-".repeat(80), users.join(", "));
    }
    page
}

// Unused where a test includes this file.
#[allow(dead_code)]
fn main() {
    let parts: Vec<Part> = crates().into_iter().chain(packages()).collect();
    print!("{}", notices(&parts));
}
