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
    &["autopsy", "pipeline", "studio", "zoo"],
    &["hostile", "vedette"],
];

/// The crates that are meant for other programs, with all external crates that they may depend on outside of tests. Their
/// packages are called `vedette-NAME`.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("support", &["strsim"]),
    ("chess", &["serde"]),
    ("uci", &["rustix", "serde"]),
    ("nnue", &[]),
    ("tables", &["shakmaty", "shakmaty-syzygy"]),
    ("record", &["flate2", "parquet", "serde", "zip"]),
    ("stats", &["serde"]),
    ("engine", &["libc", "rustix"]),
];

/// The package of a crate.
fn package_of(name: &str) -> String {
    if LIBRARIES.iter().any(|(library, _)| *library == name) {
        format!("vedette-{name}")
    } else {
        name.to_owned()
    }
}

/// A crate by the name of its package.
fn crate_of(package: &str) -> &str {
    package.strip_prefix("vedette-").unwrap_or(package)
}

/// The workspace's packages.
fn manifests() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// The workspace's crates by name, each with its dependencies: name, kind (`null` for normal ones), and a path if it is in
/// the workspace.
fn packages() -> BTreeMap<String, Vec<Value>> {
    let entry = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list of dependencies").clone();
        (crate_of(text(package, "name")).to_owned(), dependencies)
    };
    manifests().iter().map(entry).collect()
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
            let on = crate_of(text(dependency, "name"));
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
            let name = text(dependency, "name");
            let is_external = dependency["kind"].is_null() && !is_in_workspace(dependency);
            assert!(!is_external || allowed.contains(&name), "{library} depends on {name}");
            assert!(name != "parquet" || dependency["optional"] == true, "{library} needs {name}");
        }
    }
    let of_chess = packages["chess"].iter().filter(|it| it["kind"].is_null() && it["optional"] == false);
    assert_eq!(of_chess.count(), 0, "chess has no dependencies");
}

/// What `cargo package` asks for, and what crates.io shows. `make package` runs the real thing.
#[test]
fn libraries_can_be_packaged() {
    let manifests = manifests();
    for (library, _) in LIBRARIES {
        let package = manifests.iter().find(|it| text(it, "name") == package_of(library)).expect("a package");
        assert!(package["publish"].is_null(), "{library} may be published");
        for key in ["description", "license"] {
            assert!(!text(package, key).is_empty(), "{library} has no {key}");
        }
        assert!(!package["keywords"].as_array().expect("a list").is_empty(), "{library} has no keywords");
        let names = package["targets"].as_array().expect("a list").iter().map(|target| text(target, "name"));
        assert!(names.into_iter().any(|name| name == *library), "{library} is the name in `use`");
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = text(dependency, "name");
            if is_in_workspace(dependency) && dependency["kind"] != "dev" {
                assert!(name.starts_with("vedette-"), "{library} depends on {name}, which is not a library");
                let version = format!("^{}", text(package, "version"));
                assert_eq!(text(dependency, "req"), version, "{library} on {name}: see Cargo.toml");
            }
        }
    }
    for package in manifests.iter().filter(|it| !it["publish"].is_null()) {
        let name = text(package, "name");
        assert!(!name.starts_with("vedette-"), "{name} is not in LIBRARIES");
    }
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
