//! How much a finding counts as evidence, and which causes an engine cannot have.

use crate::catalogue::{EffectKind, FindingId, Measure};
use crate::finding::{Finding, Verdict};

/// What a finding says about the causes that predict it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// It failed.
    For,
    /// It passed without failures.
    Against,
    /// Skipped, a warning, or passed with failures below the threshold.
    Neutral,
}

/// The share of better choices that must score more: where half of them lose, a positive mean says little.
const MIN_RIGHT: f64 = 2.0 / 3.0;

/// The share of failures up to which a pass is clean.
const CLEAN_SHARE: f64 = 0.05;

pub fn evidence_kind(finding: &Finding) -> EvidenceKind {
    match finding.verdict {
        Verdict::Fail => EvidenceKind::For,
        Verdict::Pass if is_clean(finding) => EvidenceKind::Against,
        Verdict::Pass | Verdict::Warning | Verdict::Skipped => EvidenceKind::Neutral,
    }
}

fn is_clean(finding: &Finding) -> bool {
    let Some((effect, id)) = finding.effect.as_ref().zip(finding.known()) else {
        return true;
    };
    match id.spec().kind {
        EffectKind::Number => true,
        EffectKind::Gain => {
            let right = finding.measures.get(&Measure::ShareRight).copied().unwrap_or(1.0);
            effect.value > 0.0 && right >= MIN_RIGHT
        }
        EffectKind::Failures => {
            let whole = if effect.unit == "%" { 100.0 } else { finding.samples.max(1) as f64 };
            effect.value <= CLEAN_SHARE * whole
        }
    }
}

/// Whether there are hangs among the crashes and hangs.
pub fn has_hangs(finding: &Finding) -> bool {
    finding.measures.get(&Measure::Hangs).is_some_and(|&hangs| hangs > 0.0)
}

/// Whether the engine is known to have no option `Hash`.
pub fn lacks_hash(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.measures.get(&Measure::HasHash).is_some_and(|&has| has == 0.0))
}

/// Whether causes in the hash table are impossible: no option `Hash`, and no failure that only a table explains.
pub fn lacks_table(findings: &[Finding]) -> bool {
    let shows_table =
        |finding: &Finding| finding.is_failure() && finding.known().is_some_and(|id| id.spec().shows_table);
    let has = |id, verdict| findings.iter().any(|finding| finding.is(id) && finding.verdict == verdict);
    // Impossible mates come from a table only where those of fresh tables are possible.
    let by_distances =
        has(FindingId::DistancesPossible, Verdict::Fail) && has(FindingId::MatesDistance, Verdict::Pass);
    lacks_hash(findings) && !by_distances && !findings.iter().any(shows_table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FindingId, Measure};

    fn draws(wrong: f64) -> Finding {
        Finding::new(FindingId::DrawsRepetition, Verdict::Pass, "").effect(wrong).samples(4)
    }

    #[test]
    fn only_clean_passes_count_against() {
        assert_eq!(evidence_kind(&draws(0.0)), EvidenceKind::Against);
        assert_eq!(evidence_kind(&draws(1.0)), EvidenceKind::Neutral);
        let notice = Finding::new(FindingId::MatesHorizon, Verdict::Warning, "");
        assert_eq!(evidence_kind(&notice), EvidenceKind::Neutral);
        let gain =
            |value| Finding::new(FindingId::OrientationWhite, Verdict::Pass, "").effect(value).samples(14);
        assert_eq!(
            [evidence_kind(&gain(12.0)), evidence_kind(&gain(0.0))],
            [EvidenceKind::Against, EvidenceKind::Neutral]
        );
        let share = |share| gain(12.0).measure(Measure::ShareRight, share);
        assert_eq!(
            [evidence_kind(&share(0.8)), evidence_kind(&share(0.5))],
            [EvidenceKind::Against, EvidenceKind::Neutral]
        );
        let few = Finding::new(FindingId::OddsOrder, Verdict::Pass, "").effect(3.0).samples(32);
        assert_eq!(evidence_kind(&few), EvidenceKind::Against);
    }

    #[test]
    fn hangs_and_hash_are_read_from_measures() {
        let broken = |summary: &str, hangs| {
            has_hangs(
                &Finding::new(FindingId::LegalityStability, Verdict::Fail, summary)
                    .measure(Measure::Hangs, hangs),
            )
        };
        assert!(broken("3 incidents", 2.0));
        assert!(!broken("2 hangs in 9 searches", 0.0));
        let identity = |summary: &str| Finding::new(FindingId::HandshakeIdentity, Verdict::Warning, summary);
        assert!(lacks_hash(&[identity("all is well").measure_fact(Measure::HasHash, false)]));
        assert!(!lacks_hash(&[identity("no option 'Hash'").measure_fact(Measure::HasHash, true)]));
        assert!(!lacks_hash(&[identity("no option 'Hash'")]), "not measured");
    }

    #[test]
    fn table_shows_by_option_or_by_failures() {
        let identity = Finding::new(FindingId::HandshakeIdentity, Verdict::Warning, "")
            .measure_fact(Measure::HasHash, false);
        let distances = Finding::new(FindingId::DistancesPossible, Verdict::Fail, "");
        assert!(!lacks_table(&[]));
        assert!(lacks_table(std::slice::from_ref(&identity)));
        // A mate score that is wrong by itself shows no table; one that only a kept table spoils does.
        assert!(lacks_table(&[identity.clone(), distances.clone()]));
        let fresh = Finding::new(FindingId::MatesDistance, Verdict::Pass, "");
        assert!(!lacks_table(&[identity, distances, fresh]));
    }
}
