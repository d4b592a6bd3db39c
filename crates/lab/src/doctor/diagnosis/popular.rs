//! Explanations that authors believe in first, and what excludes each of them.

use super::Excluded;
use crate::doctor::finding::{Finding, Verdict};

/// A claim, and findings that must all be measured and sound to exclude it.
const CLAIMS: &[(&str, &[&str])] = &[
    ("principal variation search is broken because re-searches are rare", &["statistics.rate-b"]),
    ("a PVS bug makes good moves be missed by their scouts", &["table.scouts"]),
    ("the piece-square tables have a sign error for Black", &["mirror.evaluation"]),
    ("the evaluation prefers one colour", &["mirror.evaluation", "mirror.search"]),
    ("self-play shows a bias for White", &["self-play.white-share"]),
    ("the piece-square tables are upside down", &["orientation.white", "orientation.black"]),
    ("knights on the rim are thought to be developed", &["orientation.rim"]),
    ("hash moves are not validated", &["tiny-hash.moves"]),
    ("hash bounds are misused", &["distances.possible", "table.drift"]),
    ("the hash table survives into the next game", &["table.forgets"]),
    ("mate scores are stored without the ply", &["distances.possible", "mates.table", "mating-lines.length"]),
    ("pruning is too aggressive", &["tactics.depth"]),
    ("so few nodes at this depth prove that pruning is too aggressive", &["nodes.counted", "tactics.depth"]),
    ("the null move makes it blind", &["zugzwang.solved"]),
    ("quiescence does not see captures", &["leaves.captures"]),
    ("quiescence explodes", &["growth.explosions"]),
    ("repetitions are not seen", &["draws.repetition"]),
    ("the root is searched with a full window", &["root-window.share"]),
    ("move ordering is bad", &["statistics.ordering"]),
    ("it uses too little time", &["clock.share", "clock.first-moves"]),
    ("it loses on time", &["fast-games.flags", "clock.low-time", "clock.early-increment"]),
];

/// The claims that the findings exclude.
pub fn excluded(findings: &[Finding]) -> Vec<Excluded> {
    let exclude = |&(claim, needed): &(&str, &[&str])| {
        let because: Option<Vec<String>> = needed
            .iter()
            .map(|id| {
                let finding = findings.iter().find(|finding| finding.id == *id)?;
                (finding.verdict == Verdict::Sound).then(|| finding.summary.clone())
            })
            .collect();
        because.map(|because| Excluded { claim: claim.to_owned(), because })
    };
    CLAIMS.iter().filter_map(exclude).collect()
}
