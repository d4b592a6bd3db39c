//! Popular explanations, and what rules each of them out.

use super::Excluded;
use super::evidence::{EvidenceKind, evidence_kind, lacks_hash};
use crate::catalogue::{FindingId as F, Measure};
use crate::finding::Finding;

struct Claim {
    text: &'static str,
    /// Findings that must all pass cleanly, with enough samples, to rule it out.
    needs: &'static [F],
    /// Findings that many engines cannot provide, and that keep the claim if they fail.
    unless: &'static [F],
}

const fn claim(text: &'static str, needs: &'static [F]) -> Claim {
    Claim { text, needs, unless: &[] }
}

const fn claim_unless(text: &'static str, needs: &'static [F], unless: &'static [F]) -> Claim {
    Claim { text, needs, unless }
}

const CLAIMS: &[Claim] = &[
    claim("PVS is broken because re-searches are rare", &[F::StatisticsPvReSearchRate]),
    claim("a PVS bug makes zero-window searches miss good moves", &[F::TableRootMoves]),
    claim("sign error in Black's piece-square tables", &[F::MirrorEvaluation]),
    claim("evaluation favours one colour", &[F::MirrorEvaluation, F::MirrorSearch]),
    claim("self-play is biased towards White", &[F::SelfPlayWhiteScore]),
    claim("piece-square tables are upside down", &[F::OrientationWhite, F::OrientationBlack]),
    claim("evaluation prefers knights on the rim", &[F::OrientationRim]),
    claim("hash moves are not validated", &[F::TinyHashMoves]),
    claim_unless(
        "hash bounds are misused",
        &[F::DistancesPossible, F::TableDrift],
        &[F::StatisticsHashBounds, F::StatisticsStoredBounds],
    ),
    claim("ucinewgame does not clear the hash", &[F::TableCleared]),
    claim_unless(
        "mate scores in the hash are not adjusted by ply",
        &[F::DistancesPossible, F::MatesTable, F::MatingLinesLength],
        &[F::StatisticsHashMates],
    ),
    claim_unless("pruning is too aggressive", &[F::TacticsDepth, F::GrowthSmall], &[F::StatisticsPvCuts]),
    claim_unless(
        "so few nodes at this depth: pruning must be too aggressive",
        &[F::NodesCounted, F::TacticsDepth, F::GrowthSmall],
        &[F::StatisticsPvCuts],
    ),
    claim("null move pruning fails in zugzwang", &[F::ZugzwangSolved]),
    claim("no quiescence search", &[F::LeavesCaptures]),
    claim("quiescence search explosion", &[F::GrowthExplosions]),
    claim("repetitions are not detected", &[F::DrawsRepetition, F::DrawsGameHistory]),
    claim_unless(
        "full windows at the root waste most of the nodes",
        &[F::RootWindowShare],
        &[F::StatisticsFullWindows],
    ),
    claim("poor move ordering", &[F::StatisticsOrdering]),
    claim("uses too little time", &[F::ClockShare, F::ClockFirstMoves]),
    claim_unless(
        "loses on time",
        &[F::FastGamesFlags, F::ClockLowTime, F::ClockEarlyIncrement, F::ClockLastMoves, F::ClockOwnClock],
        &[F::ClockFlag],
    ),
];

/// A pass with less confidence rules nothing out, however many samples it has.
const MIN_CONFIDENCE: f64 = 0.9;

fn is_reliable(finding: &Finding) -> bool {
    let min_samples = finding.known().map_or(u64::MAX, |id| id.spec().min_samples);
    finding.samples >= min_samples && finding.confidence.level >= MIN_CONFIDENCE
}

/// Above this share of clearly unequal pairs a symmetric mean rules nothing out: what is not noise is a term that only
/// some positions have.
const MAX_UNEQUAL: f64 = 0.05;

fn is_often_unequal(finding: &Finding) -> bool {
    finding.measures.get(&Measure::ClearlyUnequal).is_some_and(|&share| share > MAX_UNEQUAL)
}

/// The claims that the findings rule out.
pub fn excluded(findings: &[Finding]) -> Vec<Excluded> {
    let find = |id: &F| findings.iter().find(|finding| finding.is(*id));
    let lacks_hash = lacks_hash(findings);
    let is_constant = find(&F::OddsConstant).is_some_and(Finding::is_failure);
    let exclude = |claim: &Claim| {
        if is_constant && claim.needs.iter().any(|id| id.check().compares_scores()) {
            return None;
        }
        if lacks_hash && claim.needs.iter().any(|id| id.spec().needs_hash) {
            return None;
        }
        if claim.unless.iter().filter_map(find).any(Finding::is_failure) {
            return None;
        }
        let is_clean = |finding: &&Finding| {
            evidence_kind(finding) == EvidenceKind::Against
                && is_reliable(finding)
                && !is_often_unequal(finding)
        };
        let clean = |id| find(id).filter(is_clean);
        let because: Option<Vec<String>> =
            claim.needs.iter().map(|id| clean(id).map(|finding| finding.summary.clone())).collect();
        Some(Excluded { claim: claim.text.to_owned(), because: because? })
    };
    CLAIMS.iter().filter_map(exclude).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FindingId, Measure};
    use crate::finding::Verdict;

    #[test]
    fn failed_statistics_keep_a_claim() {
        let finding = |id: F, fails| Finding::new(id, Verdict::fail_if(fails), "").samples(1000);
        let outside = [F::TacticsDepth, F::GrowthSmall].map(|id| finding(id, false));
        let is_excluded = |findings: &[Finding]| {
            excluded(findings).iter().any(|excluded| excluded.claim == "pruning is too aggressive")
        };
        assert!(is_excluded(&outside));
        for fails in [false, true] {
            let counted = finding(F::StatisticsPvCuts, fails);
            assert_eq!(is_excluded(&[&outside[..], &[counted]].concat()), !fails);
        }
    }

    #[test]
    fn clean_pass_with_enough_samples_excludes() {
        let leaves = |wrong: f64, samples| {
            let finding =
                Finding::new(FindingId::LeavesCaptures, Verdict::fail_if(false), "").samples(samples);
            !excluded(&[finding.effect(wrong)]).is_empty()
        };
        assert!(leaves(0.0, 10));
        assert!(!leaves(1.0, 10) && !leaves(0.0, 8));
        let unsure = Finding::new(FindingId::LeavesCaptures, Verdict::fail_if(false), "")
            .samples(100)
            .fixed_confidence(0.8, "");
        assert!(excluded(&[unsure]).is_empty());
        let hash = Finding::new(FindingId::TinyHashMoves, Verdict::fail_if(false), "").samples(100);
        assert_eq!(excluded(std::slice::from_ref(&hash)).len(), 1);
        let identity = Finding::new(FindingId::HandshakeIdentity, Verdict::fail_if(false), "")
            .measure_fact(Measure::HasHash, false);
        assert!(excluded(&[hash, identity]).is_empty());
    }

    #[test]
    fn time_losses_need_all_clock_findings() {
        let clocks = [F::ClockLowTime, F::ClockEarlyIncrement, F::ClockLastMoves, F::ClockOwnClock];
        let sound = clocks.map(|id| Finding::new(id, Verdict::fail_if(false), "").samples(12));
        let games = Finding::new(FindingId::FastGamesFlags, Verdict::fail_if(false), "").samples(12);
        let findings = [&sound[..], &[games]].concat();
        assert_eq!(excluded(&findings).len(), 1);
        for without in 0..findings.len() {
            let rest = [&findings[..without], &findings[without + 1..]].concat();
            assert!(excluded(&rest).is_empty(), "{}", findings[without].id);
        }
    }

    #[test]
    fn frequent_asymmetry_excludes_nothing() {
        let is_excluded = |unequal| {
            let mirror = |id| Finding::new(id, Verdict::fail_if(false), "").samples(60);
            let search = mirror(F::MirrorSearch).measure(Measure::ClearlyUnequal, unequal);
            let excluded = excluded(&[mirror(F::MirrorEvaluation), search]);
            excluded.iter().any(|excluded| excluded.claim == "evaluation favours one colour")
        };
        assert!(is_excluded(0.0) && is_excluded(0.05));
        assert!(!is_excluded(0.2));
    }

    #[test]
    fn constant_scores_exclude_nothing() {
        let mirror = Finding::new(FindingId::MirrorEvaluation, Verdict::fail_if(false), "").samples(200);
        assert_eq!(excluded(std::slice::from_ref(&mirror)).len(), 1);
        let constant = Finding::new(FindingId::OddsConstant, Verdict::fail_if(true), "");
        assert!(excluded(&[mirror, constant]).is_empty());
    }
}
