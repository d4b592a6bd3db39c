//! The checks, one small file each. To add one: its file, a line in `ALL`, a page in `docs/doctor/`, and what it predicts
//! in `diagnosis/explanations`.

#![allow(
    clippy::unnecessary_wraps,
    reason = "all checks have one type, and some of them can fail as a whole"
)]

mod clock {
    pub mod fast_games;
    mod game;
    mod late_moves;
    mod own_clock;
    mod single_moves;
    mod times;
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
    pub mod stability;
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
    mod table_key;
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
    &efficiency::stability::CHECK,
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use chess::Position;

    /// The files of the checks, with their lists.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries =
            std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    /// Everything in quotation marks, or at the start of a line of a list, that has the ranks of a position.
    fn fens(text: &str) -> impl Iterator<Item = &str> {
        let looks_like_fen = |part: &&str| {
            let board = part.split(' ').next().unwrap_or_default();
            board.matches('/').count() == 7 && part.split(' ').count() >= 4
        };
        text.lines().flat_map(|line| line.split('"')).filter(looks_like_fen)
    }

    /// A position that is not read would be left out without a word: every list of every check, in one place.
    #[test]
    fn every_position_of_every_list_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/checks");
        let (mut read, mut without_move) = (0, Vec::new());
        for path in sources(&folder) {
            let text = std::fs::read_to_string(&path).expect("text");
            for fen in fens(&text) {
                let end = fen.find(" bm ").or_else(|| fen.find(" dm ")).unwrap_or(fen.len());
                // Lines of a list have a position without its counters.
                let position = Position::from_fen(&fen[..end])
                    .unwrap_or_else(|error| panic!("{}: {fen}: {error}", path.display()));
                read += 1;
                if !position.has_legal_move() {
                    without_move.push(fen.to_owned());
                }
            }
        }
        assert!(read > 350, "{read}");
        // Only the roots without a move of `special-moves`.
        assert_eq!(without_move.len(), 2, "{without_move:?}");
    }
}
