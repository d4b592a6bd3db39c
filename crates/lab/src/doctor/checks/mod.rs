//! The checks, one small file each. To add one: its file, a line in `ALL`, a page in `docs/doctor/`, and what it predicts
//! in `diagnosis/explanations.rs`.

#![allow(
    clippy::unnecessary_wraps,
    reason = "all checks have one type, and some of them can fail as a whole"
)]

mod clock {
    pub mod fast_games;
    mod game;
    mod single_moves;
    pub mod usage;
}
mod colour {
    pub mod mirror;
    pub mod self_play;
}
mod efficiency {
    pub mod growth;
    mod references;
    pub mod root_window;
    pub mod scaling;
    pub mod tactics;
}
mod evaluation {
    pub mod balance;
    pub mod odds;
    pub mod orientation;
}
mod legality {
    pub mod chess960;
    pub mod moves;
    pub mod special;
    pub mod tiny_hash;
}
mod protocol {
    pub mod compliance;
    pub mod handshake;
    pub mod limits;
    pub mod nodes_counted;
    pub mod robustness;
    pub mod words;
}
mod soundness {
    pub mod distances;
    pub mod draws;
    pub mod leaves;
    pub mod mates;
    pub mod mating_lines;
    pub mod table;
    pub mod zugzwang;
}
mod statistics {
    pub mod own;
}
mod strength {
    pub mod rating;
}

use super::check::Check;
use super::finding::{Finding, Group};
use super::patient::Patient;

/// All checks, in the order in which they are made: what others rely on comes first.
pub const ALL: &[&Check] = &[
    &protocol::handshake::CHECK,
    &protocol::compliance::CHECK,
    &protocol::limits::CHECK,
    &protocol::nodes_counted::CHECK,
    &legality::special::CHECK,
    &evaluation::odds::CHECK,
    &evaluation::orientation::CHECK,
    &colour::mirror::CHECK,
    &evaluation::balance::CHECK,
    &soundness::leaves::CHECK,
    &soundness::mates::CHECK,
    &soundness::distances::CHECK,
    &soundness::draws::CHECK,
    &soundness::zugzwang::CHECK,
    &soundness::table::CHECK,
    &efficiency::growth::CHECK,
    &efficiency::root_window::CHECK,
    &efficiency::tactics::CHECK,
    &statistics::own::CHECK,
    &legality::tiny_hash::CHECK,
    &legality::chess960::CHECK,
    &clock::usage::CHECK,
    &clock::fast_games::CHECK,
    &efficiency::scaling::CHECK,
    &colour::self_play::CHECK,
    &strength::rating::CHECK,
    &protocol::robustness::CHECK,
];

/// What all searches of an examination showed by the way: name, group and title of each such finding's page.
pub const BY_THE_WAY: [(&str, Group, &str); 3] = [
    ("info", Group::Protocol, "info lines"),
    ("legality", Group::Legality, "moves and lines of the whole examination"),
    ("mating-lines", Group::Soundness, "mating lines of the whole examination"),
];

/// Whether findings of this name come from all checks together.
pub fn is_by_the_way(name: &str) -> bool {
    BY_THE_WAY.iter().any(|page| page.0 == name)
}

/// Findings that every search of the examination contributed to.
pub fn afterwards(patient: &Patient) -> Vec<Finding> {
    let mut findings = protocol::words::findings(patient);
    findings.extend(legality::moves::findings(patient));
    findings.extend(soundness::mating_lines::findings(patient));
    findings
}

/// Names of all checks and of what is found by the way: each has a page in the documentation.
pub fn page_names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|check| check.name).chain(BY_THE_WAY.iter().map(|page| page.0))
}

/// The group and the title of a finding's check.
pub fn group_and_title(check: &str) -> (Group, &'static str) {
    let checks = ALL.iter().map(|check| (check.name, check.group, check.title));
    checks
        .chain(BY_THE_WAY)
        .find(|page| page.0 == check)
        .map_or((Group::Protocol, ""), |(_, group, title)| (group, title))
}
