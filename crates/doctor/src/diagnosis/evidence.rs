//! What a finding is worth as evidence, and which causes an engine cannot have. The diagnosis and the list of excluded
//! claims ask here.

use crate::finding::{Finding, HANGS, OFFERS_HASH, SHARE_RIGHT, Verdict};

/// How a finding speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A fault: for the causes that lead one to expect it.
    Alarm,
    /// Measured and without failures: against the causes that lead one to expect an alarm.
    Clean,
    /// Not measured, a notice, or sound with failures that are too few for an alarm: for and against nothing.
    Neutral,
}

/// Findings whose number counts what went wrong, as a share (`%`) or among the samples.
const COUNTS_FAILURES: &[&str] = &[
    "balance.removal",
    "clock.early-increment",
    "clock.low-time",
    "distances.possible",
    "draws.fen-clock",
    "draws.fifty",
    "draws.game-history",
    "draws.horizon",
    "draws.material",
    "draws.repetition",
    "draws.too-early",
    "fast-games.flags",
    "leaves.captures",
    "leaves.depth-one",
    "limits.depth",
    "limits.movetime",
    "limits.nodes",
    "limits.searchmoves",
    "limits.stop",
    "mates.distance",
    "mates.found",
    "mates.horizon",
    "mates.stalemate",
    "mates.table",
    "mating-lines.length",
    "mating-lines.mate",
    "nodes.begins",
    "odds.order",
    "odds.sign",
    "special-moves.board",
    "special-moves.followed",
    "special-moves.known",
    "special-moves.lists",
    "special-moves.tempting",
    "table.key",
    "tiny-hash.moves",
    "zugzwang.solved",
];

/// Findings whose number is what the better choice gains: nothing gained is no sign of health.
const COUNTS_GAIN: &[&str] = &["orientation.black", "orientation.rim", "orientation.white"];

/// The least share of the choices that must gain: where half of them lose, a mean above nothing says little.
const LEAST_RIGHT: f64 = 2.0 / 3.0;

/// The share of failures up to which a sound finding is clean.
const CLEAN_SHARE: f64 = 0.05;

/// How a finding speaks.
pub fn word(finding: &Finding) -> Word {
    match finding.verdict {
        Verdict::Alarm => Word::Alarm,
        Verdict::Sound if is_clean(finding) => Word::Clean,
        Verdict::Sound | Verdict::Notice | Verdict::Unmeasured => Word::Neutral,
    }
}

fn is_clean(finding: &Finding) -> bool {
    let Some(effect) = &finding.effect else {
        return true;
    };
    let is_in = |list: &[&str]| list.contains(&finding.id.as_str());
    if is_in(COUNTS_GAIN) {
        let right = finding.measures.get(SHARE_RIGHT).copied().unwrap_or(1.0);
        return effect.value > 0.0 && right >= LEAST_RIGHT;
    }
    let whole = if effect.unit == "%" { 100.0 } else { finding.samples.max(1) as f64 };
    !is_in(COUNTS_FAILURES) || effect.value <= CLEAN_SHARE * whole
}

/// Whether breakdowns are told among which searches did not come to an end; crashes have other causes.
pub fn tells_hangs(finding: &Finding) -> bool {
    finding.measures.get(HANGS).is_some_and(|&hangs| hangs > 0.0)
}

/// Alarms that only an engine with a hash table raises, whatever options it offers.
const SHOWS_A_TABLE: &[&str] = &[
    "statistics.hash-bounds",
    "statistics.hash-depths",
    "statistics.hash-mates",
    "statistics.stored-bounds",
    "statistics.stored-exact",
    "table.forgets",
];

/// Whether the engine is known to offer no `Hash`.
pub fn offers_no_hash(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.measures.get(OFFERS_HASH).is_some_and(|&offers| offers == 0.0))
}

/// Whether causes in the hash table are out of the question: no `Hash` is offered, and nothing shows a table of fixed size.
pub fn has_no_table(findings: &[Finding]) -> bool {
    let shows_it = |finding: &Finding| finding.is_alarm() && SHOWS_A_TABLE.contains(&finding.id.as_str());
    let has =
        |id: &str, verdict| findings.iter().any(|finding| finding.id == id && finding.verdict == verdict);
    // Impossible mates come from a table only where those of fresh tables are possible.
    let by_distances = has("distances.possible", Verdict::Alarm) && has("mates.distance", Verdict::Sound);
    offers_no_hash(findings) && !by_distances && !findings.iter().any(shows_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(wrong: f64) -> Finding {
        Finding::new("draws", "repetition", Verdict::Sound, "").effect("wrong scores", wrong, "").samples(4)
    }

    #[test]
    fn only_clean_findings_speak_against_a_cause() {
        assert_eq!(word(&draws(0.0)), Word::Clean);
        assert_eq!(word(&draws(1.0)), Word::Neutral);
        let notice = Finding::new("mates", "horizon", Verdict::Notice, "");
        assert_eq!(word(&notice), Word::Neutral);
        let gain = |value| {
            Finding::new("orientation", "white", Verdict::Sound, "")
                .effect("mean gain", value, "cp")
                .samples(14)
        };
        assert_eq!([word(&gain(12.0)), word(&gain(0.0))], [Word::Clean, Word::Neutral]);
        let share = |share| gain(12.0).measure(SHARE_RIGHT, share);
        assert_eq!([word(&share(0.8)), word(&share(0.5))], [Word::Clean, Word::Neutral]);
        let few =
            Finding::new("odds", "order", Verdict::Sound, "").effect("upside down", 3.0, "%").samples(32);
        assert_eq!(word(&few), Word::Clean);
    }

    #[test]
    fn numbers_and_not_words_tell_of_hangs_and_of_the_table() {
        let broken = |words: &str, hangs| {
            tells_hangs(&Finding::new("legality", "stability", Verdict::Alarm, words).measure(HANGS, hangs))
        };
        assert!(broken("3 breakdowns", 2.0));
        assert!(!broken("2 hangs in 9 searches", 0.0));
        let identity = |words: &str| Finding::new("handshake", "identity", Verdict::Notice, words);
        assert!(offers_no_hash(&[identity("all is well").measure_fact(OFFERS_HASH, false)]));
        assert!(!offers_no_hash(&[identity("no option 'Hash'").measure_fact(OFFERS_HASH, true)]));
        assert!(!offers_no_hash(&[identity("no option 'Hash'")]), "what was not asked is not known");
    }

    #[test]
    fn a_table_is_known_by_its_option_or_by_its_faults() {
        let identity =
            Finding::new("handshake", "identity", Verdict::Notice, "").measure_fact(OFFERS_HASH, false);
        let distances = Finding::new("distances", "possible", Verdict::Alarm, "");
        assert!(!has_no_table(&[]));
        assert!(has_no_table(std::slice::from_ref(&identity)));
        // A mate score that is wrong by itself shows no table; one that only a kept table spoils does.
        assert!(has_no_table(&[identity.clone(), distances.clone()]));
        let fresh = Finding::new("mates", "distance", Verdict::Sound, "");
        assert!(!has_no_table(&[identity, distances, fresh]));
    }
}
