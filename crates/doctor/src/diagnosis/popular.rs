//! Explanations that authors believe in first, and what excludes each of them.

use super::Excluded;
use super::evidence::{Word, offers_no_hash, word};
use crate::finding::{CLEARLY_UNEQUAL, Finding};

/// What authors believe.
struct Claim {
    /// In their words.
    words: &'static str,
    /// Findings that must all be measured, clean and rest on enough samples to exclude it.
    needs: &'static [&'static str],
    /// Findings that many engines do not allow, and that keep the claim alive as alarms.
    unless: &'static [&'static str],
}

const fn claim(words: &'static str, needs: &'static [&'static str]) -> Claim {
    Claim { words, needs, unless: &[] }
}

const fn claim_unless(
    words: &'static str,
    needs: &'static [&'static str],
    unless: &'static [&'static str],
) -> Claim {
    Claim { words, needs, unless }
}

const CLAIMS: &[Claim] = &[
    claim("principal variation search is broken because re-searches are rare", &["statistics.rate-b"]),
    claim("a PVS bug makes good moves be missed by their scouts", &["table.scouts"]),
    claim("the piece-square tables have a sign error for Black", &["mirror.evaluation"]),
    claim("the evaluation prefers one colour", &["mirror.evaluation", "mirror.search"]),
    claim("self-play shows a bias for White", &["self-play.white-share"]),
    claim("the piece-square tables are upside down", &["orientation.white", "orientation.black"]),
    claim("knights on the rim are thought to be developed", &["orientation.rim"]),
    claim("hash moves are not validated", &["tiny-hash.moves"]),
    claim_unless(
        "hash bounds are misused",
        &["distances.possible", "table.drift"],
        &["statistics.hash-bounds", "statistics.stored-bounds"],
    ),
    claim("the hash table survives into the next game", &["table.forgets"]),
    claim_unless(
        "mate scores are stored without the ply",
        &["distances.possible", "mates.table", "mating-lines.length"],
        &["statistics.hash-mates"],
    ),
    claim_unless("pruning is too aggressive", &["tactics.depth", "growth.hollow"], &["statistics.pv-cuts"]),
    claim_unless(
        "so few nodes at this depth prove that pruning is too aggressive",
        &["nodes.counted", "tactics.depth", "growth.hollow"],
        &["statistics.pv-cuts"],
    ),
    claim("the null move makes it blind", &["zugzwang.solved"]),
    claim("there is no quiescence search", &["leaves.captures"]),
    claim("quiescence explodes", &["growth.explosions"]),
    claim("repetitions are not seen", &["draws.repetition", "draws.game-history"]),
    claim_unless(
        "full windows at the root cost most of the nodes",
        &["root-window.share"],
        &["statistics.open-windows"],
    ),
    claim("move ordering is bad", &["statistics.ordering"]),
    claim("it uses too little time", &["clock.share", "clock.first-moves"]),
    claim_unless(
        "it loses on time",
        &[
            "fast-games.flags",
            "clock.low-time",
            "clock.early-increment",
            "clock.last-moves",
            "clock.own-clock",
        ],
        &["clock.flag"],
    ),
];

/// Claims about a table that an engine without the option `Hash` is not tested for.
const NEED_THE_OPTION: &[&str] = &["tiny-hash.moves", "table.drift", "table.forgets", "mates.table"];

/// Checks that compare scores: scores that say nothing are equal, and exclude nothing.
const COMPARE_SCORES: &[&str] = &["mirror.", "orientation.", "table."];

/// Fewer samples exclude nothing; findings that are not listed need [`LEAST_SAMPLES`].
const LEAST: &[(&str, u64)] = &[
    ("distances.possible", 100),
    ("draws.game-history", 2),
    ("draws.repetition", 2),
    ("growth.hollow", 6),
    ("leaves.captures", 10),
    ("mating-lines.length", 50),
    ("mirror.evaluation", 30),
    ("mirror.search", 20),
    ("orientation.black", 10),
    ("orientation.rim", 8),
    ("orientation.white", 10),
    ("root-window.share", 3),
    ("self-play.white-share", 30),
    ("statistics.ordering", 1000),
    ("statistics.rate-b", 1000),
    ("tactics.depth", 30),
    ("tiny-hash.moves", 50),
    ("zugzwang.solved", 8),
];
const LEAST_SAMPLES: u64 = 4;

/// A verdict that is less sure excludes nothing, however many its samples.
const LEAST_SURE: f64 = 0.9;

fn has_enough_samples(finding: &Finding) -> bool {
    let least = LEAST.iter().find(|(id, _)| *id == finding.id).map_or(LEAST_SAMPLES, |&(_, least)| least);
    finding.samples >= least && finding.confidence.level >= LEAST_SURE
}

/// The share of pairs with clearly unequal scores from which on symmetry excludes nothing: where it is not noise, it is a term
/// that the evaluation has only in some positions.
const MOST_UNEQUAL: f64 = 0.05;

fn is_often_unequal(finding: &Finding) -> bool {
    finding.measures.get(CLEARLY_UNEQUAL).is_some_and(|&share| share > MOST_UNEQUAL)
}

/// The claims that the findings exclude.
pub fn excluded(findings: &[Finding]) -> Vec<Excluded> {
    let find = |id: &&str| findings.iter().find(|finding| finding.id == **id);
    let no_hash = offers_no_hash(findings);
    let say_nothing = find(&"odds.constant").is_some_and(Finding::is_alarm);
    let compares_scores = |id: &&str| COMPARE_SCORES.iter().any(|check| id.starts_with(check));
    let exclude = |claim: &Claim| {
        if say_nothing && claim.needs.iter().any(compares_scores) {
            return None;
        }
        if no_hash && claim.needs.iter().any(|id| NEED_THE_OPTION.contains(id)) {
            return None;
        }
        if claim.unless.iter().filter_map(find).any(Finding::is_alarm) {
            return None;
        }
        let speaks_against = |finding: &&Finding| {
            word(finding) == Word::Clean && has_enough_samples(finding) && !is_often_unequal(finding)
        };
        let clean = |id| find(id).filter(speaks_against);
        let because: Option<Vec<String>> =
            claim.needs.iter().map(|id| clean(id).map(|finding| finding.summary.clone())).collect();
        Some(Excluded { claim: claim.words.to_owned(), because: because? })
    };
    CLAIMS.iter().filter_map(exclude).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{OFFERS_HASH, alarm_if};

    #[test]
    fn what_an_engine_counts_itself_keeps_a_claim_alive() {
        let finding = |id: &str, alarm| {
            let (check, what) = id.split_once('.').expect("a dot");
            Finding::new(check, what, alarm_if(alarm), id).samples(1000)
        };
        let outside = ["tactics.depth", "growth.hollow"].map(|id| finding(id, false));
        let is_excluded = |findings: &[Finding]| {
            excluded(findings).iter().any(|excluded| excluded.claim == "pruning is too aggressive")
        };
        assert!(is_excluded(&outside));
        for alarm in [false, true] {
            let counted = finding("statistics.pv-cuts", alarm);
            assert_eq!(is_excluded(&[&outside[..], &[counted]].concat()), !alarm);
        }
    }

    #[test]
    fn a_claim_is_excluded_only_by_a_clean_finding_of_enough_samples() {
        let leaves = |wrong: f64, samples| {
            let finding = Finding::new("leaves", "captures", alarm_if(false), "").samples(samples);
            !excluded(&[finding.effect("wrong moves", wrong, "")]).is_empty()
        };
        assert!(leaves(0.0, 10));
        assert!(!leaves(1.0, 10) && !leaves(0.0, 8));
        let unsure =
            Finding::new("leaves", "captures", alarm_if(false), "").samples(100).sure_by_hand(0.8, "");
        assert!(excluded(&[unsure]).is_empty());
        let hash = Finding::new("tiny-hash", "moves", alarm_if(false), "").samples(100);
        assert_eq!(excluded(std::slice::from_ref(&hash)).len(), 1);
        let identity =
            Finding::new("handshake", "identity", alarm_if(false), "").measure_fact(OFFERS_HASH, false);
        assert!(excluded(&[hash, identity]).is_empty());
    }

    #[test]
    fn losses_on_time_are_excluded_only_with_every_kind_of_clock() {
        let clocks = ["low-time", "early-increment", "last-moves", "own-clock"];
        let sound = clocks.map(|what| Finding::new("clock", what, alarm_if(false), "").samples(12));
        let games = Finding::new("fast-games", "flags", alarm_if(false), "").samples(12);
        let findings = [&sound[..], &[games]].concat();
        assert_eq!(excluded(&findings).len(), 1);
        for without in 0..findings.len() {
            let rest = [&findings[..without], &findings[without + 1..]].concat();
            assert!(excluded(&rest).is_empty(), "{}", findings[without].id);
        }
    }

    #[test]
    fn symmetry_with_many_exceptions_excludes_no_preference() {
        let is_excluded = |unequal| {
            let mirror = |what| Finding::new("mirror", what, alarm_if(false), "").samples(60);
            let search = mirror("search").measure(CLEARLY_UNEQUAL, unequal);
            let excluded = excluded(&[mirror("evaluation"), search]);
            excluded.iter().any(|excluded| excluded.claim == "the evaluation prefers one colour")
        };
        assert!(is_excluded(0.0) && is_excluded(0.05));
        assert!(!is_excluded(0.2));
    }

    #[test]
    fn scores_that_say_nothing_exclude_nothing() {
        let mirror = Finding::new("mirror", "evaluation", alarm_if(false), "").samples(200);
        assert_eq!(excluded(std::slice::from_ref(&mirror)).len(), 1);
        let constant = Finding::new("odds", "constant", alarm_if(true), "");
        assert!(excluded(&[mirror, constant]).is_empty());
    }
}
