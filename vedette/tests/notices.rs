//! The third-party notices name every part with its licence, and hold its texts.

#[path = "../examples/notices.rs"]
mod notices;

use notices::{Part, crates, notices, packages};

/// Crates without a file of their own. The first two offer MIT and Apache-2.0, whose texts come with many others; the last
/// two have the licence of Vedette.
const WITHOUT_TEXT: [&str; 4] = ["maud", "maud_macros", "shakmaty", "shakmaty-syzygy"];

#[test]
fn every_part_has_its_licence() {
    let parts: Vec<Part> = crates();
    assert!(parts.len() > 50, "{} crates", parts.len());
    for part in parts.iter().chain(&packages()) {
        assert!(!part.licence.is_empty(), "{} has no licence", part.name);
    }
    for part in &parts {
        let is_listed = WITHOUT_TEXT.contains(&part.name.as_str());
        assert_eq!(part.texts.is_empty(), is_listed, "{} {}", part.name, part.version);
    }
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    assert!(names.contains(&"axum") && !names.contains(&"proptest"), "linked crates only: {names:?}");
    assert!(packages().iter().any(|part| part.name == "uplot"));
    let page = notices(&parts);
    assert!(names.iter().all(|name| page.contains(name)) && page.contains("Permission is hereby granted"));
}
