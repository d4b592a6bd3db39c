//! The names of all findings: what `--repro` takes, what the pages explain, and what the causes predict.

/// Every finding that a check can make: the check's name, a dot, and what was asked. A check that broke down as a whole leaves one
/// more, [`ABORTED`].
pub const FINDINGS: &[&str] = &[
    "balance.removal",
    "balance.start",
    "balance.steadiness",
    "chess960.moves",
    "clock.early-increment",
    "clock.first-moves",
    "clock.flag",
    "clock.increment",
    "clock.last-moves",
    "clock.low-time",
    "clock.movestogo",
    "clock.overhead",
    "clock.own-clock",
    "clock.share",
    "compliance.answers",
    "compliance.lines",
    "compliance.names",
    "distances.possible",
    "draws.fen-clock",
    "draws.fifty",
    "draws.game-history",
    "draws.horizon",
    "draws.mate-first",
    "draws.material",
    "draws.repetition",
    "draws.too-early",
    "draws.value",
    "fast-games.flags",
    "growth.best-move",
    "growth.explosions",
    "growth.factor",
    "growth.hollow",
    "growth.size",
    "handshake.identity",
    "handshake.options",
    "handshake.ready",
    "handshake.start",
    "info.bestmove",
    "info.bounds",
    "info.form",
    "info.order",
    "info.score",
    "leaves.captures",
    "leaves.depth-one",
    "legality.agreement",
    "legality.answers",
    "legality.lines",
    "legality.missing",
    "legality.stability",
    "limits.depth",
    "limits.infinite",
    "limits.movetime",
    "limits.nodes",
    "limits.searchmoves",
    "limits.stop",
    "mates.distance",
    "mates.found",
    "mates.horizon",
    "mates.ply",
    "mates.stalemate",
    "mates.table",
    "mates.words",
    "mating-lines.length",
    "mating-lines.mate",
    "mating-lines.unit",
    "mating-lines.whole",
    "mirror.evaluation",
    "mirror.nodes",
    "mirror.search",
    "nodes.begins",
    "nodes.counted",
    "nodes.plausible",
    "odds.constant",
    "odds.order",
    "odds.reversed",
    "odds.scale",
    "odds.sign",
    "odds.view",
    "orientation.black",
    "orientation.king",
    "orientation.rim",
    "orientation.white",
    "robustness.eof-idle",
    "robustness.eof-searching",
    "robustness.garbage",
    "root-window.share",
    "scaling.hash",
    "scaling.threads",
    "self-play.white-share",
    "special-moves.board",
    "special-moves.followed",
    "special-moves.known",
    "special-moves.lists",
    "special-moves.none",
    "special-moves.tempting",
    "stability.depth",
    "statistics.cutoffs",
    "statistics.hash-bounds",
    "statistics.hash-depths",
    "statistics.hash-mates",
    "statistics.open-windows",
    "statistics.ordering",
    "statistics.pv-cuts",
    "statistics.rate-b",
    "statistics.re-searches",
    "statistics.stored-bounds",
    "statistics.stored-exact",
    "strength.rating",
    "table.drift",
    "table.forgets",
    "table.key",
    "table.scouts",
    "tactics.depth",
    "tactics.nodes",
    "tiny-hash.moves",
    "zugzwang.solved",
];

/// What the finding of a check asks that could not be made: it tells why.
pub const ABORTED: &str = "aborted";

/// The check of a finding.
pub fn check_of(finding: &str) -> &str {
    finding.split('.').next().unwrap_or_default()
}

/// Whether a check can make a finding of this name.
pub fn is_finding(name: &str) -> bool {
    FINDINGS.contains(&name)
        || name.strip_prefix(check_of(name)).is_some_and(|end| end == format!(".{ABORTED}"))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::super::diagnosis::explanations;
    use super::super::{checks, pages};
    use super::*;

    #[test]
    fn every_finding_stands_in_the_page_of_its_check() {
        for id in FINDINGS {
            let page = pages::page(check_of(id)).unwrap_or_else(|| panic!("{id} has no page"));
            assert!(page.contains(&format!("`{id}`")), "{id} is not in {}", pages::path(check_of(id)));
        }
        for name in checks::page_names() {
            assert!(FINDINGS.iter().any(|id| check_of(id) == name), "{name} finds nothing");
        }
        assert!(FINDINGS.is_sorted());
    }

    #[test]
    fn every_finding_that_a_page_or_a_cause_names_exists() {
        for (name, page) in pages::PAGES {
            for word in page.split('`').skip(1).step_by(2) {
                // Names that stand for several, such as `mates.*`, are none.
                let looks_like_finding = pages::page(check_of(word)).is_some() && word.contains('.');
                assert!(!looks_like_finding || is_finding(word) || word.ends_with(".*"), "{name}: {word}");
            }
        }
        for explanation in explanations() {
            for (id, _) in explanation.predicts {
                let id = id.split('/').next().unwrap_or_default();
                assert!(is_finding(id), "{}: {id}", explanation.id);
            }
        }
    }

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries =
            std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    /// The check and the question of a finding that is made here, where both are written out.
    fn named_here(call: &str) -> Option<String> {
        let mut words = call.trim_start().strip_prefix('"')?.split('"');
        let (check, between, what) = (words.next()?, words.next()?, words.next()?);
        // Helpers that know their check take the question and a sentence.
        (between.trim() == "," && !what.contains(' ')).then(|| format!("{check}.{what}"))
    }

    /// A finding whose name is put together from variables is seen by the tests that examine engines.
    #[test]
    fn every_finding_that_a_check_names_is_listed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut seen = 0;
        for path in sources(&folder).iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
            let text = std::fs::read_to_string(path).expect("text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for maker in ["Finding::new(", "Finding::unmeasured(", ".finding("] {
                for id in code.split(maker).skip(1).filter_map(named_here) {
                    seen += 1;
                    assert!(is_finding(&id), "{}: {id} is not in the list", path.display());
                }
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
