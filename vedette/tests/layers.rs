//! The layers of the workspace: a crate may depend only on crates of lower layers, in tests and build scripts too.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// The crates by layer, lowest first. ARCHITECTURE.md describes them.
const LAYERS: &[&[&str]] = &[
    &["support", "chess", "report", "cuda"],
    &["uci", "nnue", "tables", "record", "stats"],
    &["engine"],
    &["arena", "datagen", "train"],
    &["doctor", "review", "gpu"],
    &["pipeline", "studio", "zoo"],
    &["hostile", "vedette"],
];

/// The crates that other engines could use, with all external crates that they may depend on outside of tests.
const LIBRARIES: &[(&str, &[&str])] =
    &[("chess", &[]), ("uci", &["rustix", "serde"]), ("nnue", &[]), ("engine", &["libc", "rustix"])];

/// The workspace's packages by name, each with its dependencies: name, kind (`null` for normal ones), and a path if it is in
/// the workspace.
fn packages() -> BTreeMap<String, Vec<Value>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let entry = |package: &Value| {
        let name = package["name"].as_str().expect("a name").to_owned();
        (name, package["dependencies"].as_array().expect("a list of dependencies").clone())
    };
    packages.iter().map(entry).collect()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

fn is_in_workspace(dependency: &Value) -> bool {
    dependency["path"].is_string()
}

#[test]
fn every_crate_has_a_layer() {
    let missing: Vec<String> = packages().into_keys().filter(|name| layer(name).is_none()).collect();
    assert!(missing.is_empty(), "add {missing:?} to LAYERS and to ARCHITECTURE.md");
}

#[test]
fn dependencies_point_downwards() {
    let mut upward = Vec::new();
    for (name, dependencies) in packages() {
        for dependency in dependencies.iter().filter(|dependency| is_in_workspace(dependency)) {
            let on = dependency["name"].as_str().expect("a name");
            if layer(on) >= layer(&name) {
                upward.push(format!("{name} -> {on}"));
            }
        }
    }
    assert!(upward.is_empty(), "upward dependencies: {upward:?}");
}

#[test]
fn libraries_have_few_dependencies() {
    let packages = packages();
    for (library, allowed) in LIBRARIES {
        for dependency in &packages[*library] {
            let name = dependency["name"].as_str().expect("a name");
            let is_external = dependency["kind"].is_null() && !is_in_workspace(dependency);
            assert!(!is_external || allowed.contains(&name), "{library} depends on {name}");
        }
    }
    let of_chess = packages["chess"].iter().filter(|dependency| dependency["kind"].is_null());
    assert_eq!(of_chess.count(), 0, "chess has no dependencies");
}

#[test]
fn architecture_page_lists_every_layer() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../ARCHITECTURE.md");
    let page = std::fs::read_to_string(page).expect("ARCHITECTURE.md");
    for (number, layer) in LAYERS.iter().enumerate() {
        let row = format!("{number}  {}", layer.join(", "));
        assert!(page.lines().any(|line| line.starts_with(&row)), "missing line in ARCHITECTURE.md: {row}");
    }
}
