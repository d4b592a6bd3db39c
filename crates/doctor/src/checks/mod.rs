//! The checks, one small file each. To add one: its entry in `catalogue`, its file, a line in `ALL`, a page in
//! `docs/doctor/`, and the causes that predict its findings (`diagnosis::causes`).

#![allow(clippy::unnecessary_wraps, reason = "all checks have one signature")]

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
    mod values;
}
mod legality {
    pub mod chess960;
    pub mod moves;
    pub mod special;
    pub mod tiny_hash;
    mod tiny_hash_scores;
}
mod protocol {
    mod aborted;
    pub mod compliance;
    pub mod handshake;
    pub mod info_lines;
    pub mod limits;
    pub mod nodes_counted;
    pub mod robustness;
}
mod soundness {
    mod capture_order;
    pub mod distances;
    pub mod draws;
    mod exchanges;
    pub mod leaves;
    pub mod mates;
    pub mod mating_lines;
    pub mod table;
    mod table_key;
    pub mod zugzwang;
}
mod statistics {
    pub mod self_reported;
}
mod strength {
    pub mod rating;
}

use super::check::Check;
use super::engine_under_test::EngineUnderTest;
use super::finding::Finding;

/// All checks with searches of their own, in order: what others rely on comes first.
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
    &statistics::self_reported::CHECK,
    &legality::tiny_hash::CHECK,
    &legality::chess960::CHECK,
    &clock::usage::CHECK,
    &clock::fast_games::CHECK,
    &efficiency::scaling::CHECK,
    &colour::self_play::CHECK,
    &strength::rating::CHECK,
    &protocol::robustness::CHECK,
];

/// Findings of the passive checks, from all searches.
pub fn passive_findings(engine: &EngineUnderTest) -> Vec<Finding> {
    let mut findings = protocol::info_lines::findings(engine);
    findings.extend(legality::moves::findings(engine));
    findings.extend(soundness::mating_lines::findings(engine));
    findings
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use chess::Position;

    use super::super::catalogue::CheckId;
    use super::ALL;

    #[test]
    fn all_checks_are_run() {
        for id in CheckId::ALL {
            let count = ALL.iter().filter(|check| check.id == *id).count();
            assert_eq!(count, usize::from(!id.is_passive()), "{}", id.name());
        }
    }

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries =
            std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    /// Every string literal or EPD line with the ranks of a position.
    fn fens(text: &str) -> impl Iterator<Item = &str> {
        let looks_like_fen = |part: &&str| {
            let board = part.split(' ').next().unwrap_or_default();
            board.matches('/').count() == 7 && part.split(' ').count() >= 4
        };
        text.lines().flat_map(|line| line.split('"')).filter(looks_like_fen)
    }

    /// An invalid position would be skipped silently.
    #[test]
    fn all_positions_are_valid() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/checks");
        let (mut read, mut without_move) = (0, Vec::new());
        for path in sources(&folder) {
            let text = std::fs::read_to_string(&path).expect("text");
            for fen in fens(&text) {
                let end = fen.find(" bm ").or_else(|| fen.find(" dm ")).unwrap_or(fen.len());
                // EPD has no move counters.
                let position = Position::from_fen(&fen[..end])
                    .unwrap_or_else(|error| panic!("{}: {fen}: {error}", path.display()));
                read += 1;
                if !position.has_legal_move() {
                    without_move.push(fen.to_owned());
                }
            }
        }
        assert!(read > 350, "{read}");
        // Checkmate and stalemate at the root (`special-moves`).
        assert_eq!(without_move.len(), 2, "{without_move:?}");
    }
}
