//! From findings to causes: a pure function. Each cause states in advance how likely it is to make which finding fail;
//! what was found then counts for it or against it.

mod causes;
mod evidence;
mod popular;
mod price;

use serde::{Deserialize, Serialize};

use super::catalogue::read_id;
use super::finding::{Finding, Verdict};
pub use causes::{Cause, causes};
use causes::{LIKELY, MAYBE};
use evidence::{EvidenceKind, evidence_kind};
pub use price::Cost;

/// What the findings mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// One sentence.
    pub headline: String,
    /// Causes that fit, the greatest expected gain first.
    pub explanations: Vec<Ranked>,
    /// Popular explanations that were tested and do not fit.
    pub excluded: Vec<Excluded>,
}

/// A cause with the evidence for it and against it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    pub id: String,
    pub cause: String,
    /// What to look at and to test next.
    pub advice: String,
    /// The logarithm (base 10) of the likelihood ratio against a sound engine, as if findings were independent. It ranks, and
    /// is not a calibrated probability.
    pub weight: f64,
    /// What it costs in games; none in reports of older versions.
    #[serde(default)]
    pub price: Option<Cost>,
    /// Whether a finding failed that this cause usually makes fail; without one it is a guess.
    #[serde(default)]
    pub is_backed: bool,
    /// Failures that it explains.
    pub supported_by: Vec<Evidence>,
    /// Findings that should have failed and passed, and failures that it hardly causes.
    pub contradicted_by: Vec<Evidence>,
}

/// A finding as evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    #[serde(deserialize_with = "read_id")]
    pub finding: String,
    pub summary: String,
    /// Its part of the weight.
    pub weight: f64,
}

/// A popular explanation that does not fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    pub claim: String,
    /// Summaries of the findings that rule it out.
    pub because: Vec<String>,
}

/// How often a finding fails in an engine without the fault.
const BY_ACCIDENT: f64 = 0.01;

const MAX_SHOWN: usize = 6;

/// Causes whose weights are this close are named together in the headline.
const NEAR: f64 = 0.5;
const MAX_NAMED: usize = 3;

/// Share of skipped findings, one in this many, that is mentioned beside "no faults found".
const MANY_SKIPPED: usize = 10;

/// A cause with this much more weight explains another's failures away; one of nearly the same weight competes for them.
const FAR: f64 = 1.0;

/// The part of its weight that an explained failure keeps.
const EXPLAINED: f64 = 0.2;

const MIN_WEIGHT: f64 = 0.3;

/// Ranks the causes that fit the findings.
pub fn diagnose(findings: &[Finding]) -> Diagnosis {
    let lacks_table = evidence::lacks_table(findings);
    let candidates: Vec<&Cause> = causes()
        .filter(|cause| cause.is_possible(findings))
        .filter(|cause| !(lacks_table && cause.needs_table()))
        .collect();
    let explanations = by_gain(rank(&candidates, findings));
    let headline = headline(findings, &explanations);
    Diagnosis { headline, explanations, excluded: popular::excluded(findings) }
}

impl Diagnosis {
    /// Ids of the failures that no cause explains.
    pub fn unexplained<'a>(&self, findings: &'a [Finding]) -> Vec<&'a str> {
        let is_explained = |id: &str| self.explanations.iter().any(|ranked| ranked.explains(id));
        let failures = findings.iter().filter(|finding| finding.is_failure());
        failures.map(|finding| finding.id.as_str()).filter(|id| !is_explained(id)).collect()
    }

    /// Mentions in the headline that not all checks were run.
    pub fn note_scope(&mut self, checks_run: usize, all_checks: usize) {
        if checks_run == 0 && self.explanations.is_empty() {
            "No checks were run.".clone_into(&mut self.headline);
        } else if checks_run < all_checks {
            self.headline = format!(
                "{} Only {checks_run} of {all_checks} checks were run.",
                with_full_stop(&self.headline)
            );
        }
    }
}

fn with_full_stop(sentence: &str) -> String {
    if sentence.ends_with('.') { sentence.to_owned() } else { format!("{sentence}.") }
}

fn headline(findings: &[Finding], explanations: &[Ranked]) -> String {
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let skipped = count(Verdict::Skipped);
    match (count(Verdict::Fail), explanations) {
        (0, _) if MANY_SKIPPED * skipped > findings.len() => {
            format!("No faults found. {skipped} of {} findings were skipped.", findings.len())
        }
        (0, _) => "No faults found.".to_owned(),
        (_, []) => "Some findings failed, but no known cause explains them.".to_owned(),
        (_, [first, others @ ..]) => {
            // A guess does not stand beside a cause with evidence.
            let near = others
                .iter()
                .filter(|other| first.weight - other.weight < NEAR && other.is_backed >= first.is_backed)
                .take(MAX_NAMED - 1);
            let how_sure = if first.is_backed { "Most likely" } else { "No clear cause; possibly" };
            let named = near.map(|other| {
                // Two causes of the same failures compete; two of different failures are probably both true.
                let word = if compete(first, other) { ", or " } else { "; also: " };
                format!("{word}{}", other.cause)
            });
            format!("{how_sure}: {}{}", first.cause, named.collect::<String>())
        }
    }
}

/// The odds of a cause before anything is measured.
const PRIOR: f64 = 0.1;

/// Orders causes by what mending them is expected to gain. None comes before a likelier one of the same failures, and no guess
/// before a cause with evidence.
fn by_gain(mut likeliest_first: Vec<Ranked>) -> Vec<Ranked> {
    let mut ordered = Vec::new();
    while !likeliest_first.is_empty() {
        let is_free = |index: &usize| {
            let cause = &likeliest_first[*index];
            let likelier = &likeliest_first[..*index];
            likelier.iter().all(|other| !compete(other, cause) && other.is_backed <= cause.is_backed)
        };
        let free = (0..likeliest_first.len()).filter(is_free);
        let gain = |index: usize| likeliest_first[index].expected_gain();
        // The first is free.
        let best = free.reduce(|best, next| if gain(next) > gain(best) { next } else { best }).unwrap_or(0);
        ordered.push(likeliest_first.remove(best));
    }
    ordered
}

fn compete(one: &Ranked, other: &Ranked) -> bool {
    one.supported_by.iter().any(|evidence| other.explains(&evidence.finding))
}

/// Best first. Failures that a far stronger cause explains hardly count for the next ones: they are its consequences.
fn rank(candidates: &[&Cause], findings: &[Finding]) -> Vec<Ranked> {
    let mut ranking: Vec<Ranked> = Vec::new();
    let mut left: Vec<(&Cause, f64)> =
        candidates.iter().map(|&cause| (cause, weigh(cause, findings, |_| false).weight)).collect();
    while ranking.len() < MAX_SHOWN {
        let weigh_now = |(index, &(cause, alone)): (usize, &(&Cause, f64))| {
            let is_explained = |finding: &str| {
                ranking.iter().any(|better| better.weight > alone + FAR && better.explains(finding))
            };
            (index, weigh(cause, findings, is_explained))
        };
        let shown: Vec<(usize, Ranked)> = left
            .iter()
            .enumerate()
            .map(weigh_now)
            .filter(|(_, ranked)| ranked.weight > MIN_WEIGHT && !ranked.supported_by.is_empty())
            .collect();
        let Some((index, ranked)) = best_of(shown) else { break };
        left.remove(index);
        ranking.push(ranked);
    }
    ranking
}

/// The one with the greatest weight, the first of equals; but a guess does not come before a backed cause of nearly the same
/// weight.
fn best_of(shown: Vec<(usize, Ranked)>) -> Option<(usize, Ranked)> {
    let most = shown.iter().map(|(_, ranked)| ranked.weight).fold(f64::NEG_INFINITY, f64::max);
    let has_backed = shown.iter().any(|(_, ranked)| ranked.is_backed && most - ranked.weight < NEAR);
    let eligible = shown.into_iter().filter(|(_, ranked)| ranked.is_backed || !has_backed);
    eligible.reduce(|best, next| if next.1.weight > best.1.weight { next } else { best })
}

impl Ranked {
    /// Price × probability, in Elo.
    fn expected_gain(&self) -> f64 {
        let odds = PRIOR * 10f64.powf(self.weight.min(12.0));
        self.price.map_or(0.0, |price| price.middle()) * odds / (1.0 + odds)
    }

    fn explains(&self, finding: &str) -> bool {
        self.supported_by.iter().any(|evidence| evidence.finding == finding)
    }
}

/// Weighs a cause. What is explained already counts little, and does not support a cause alone.
fn weigh(cause: &Cause, findings: &[Finding], is_explained: impl Fn(&str) -> bool) -> Ranked {
    let (mut supported_by, mut contradicted_by) = (Vec::new(), Vec::new());
    let mut explained = 0.0;
    let (mut weight, mut is_backed) = (0.0, false);
    for finding in findings {
        let Some(probability) = cause.probability(finding) else {
            continue;
        };
        let ratio = match evidence_kind(finding) {
            EvidenceKind::For => probability / BY_ACCIDENT,
            EvidenceKind::Against => (1.0 - probability) / (1.0 - BY_ACCIDENT),
            EvidenceKind::Neutral => continue,
        };
        let share = ratio.log10() * finding.confidence.level;
        let evidence =
            Evidence { finding: finding.id.clone(), summary: finding.summary.clone(), weight: share };
        if finding.is_failure() && share > 0.0 && is_explained(&finding.id) {
            explained += EXPLAINED * share;
        } else if finding.is_failure() && share > 0.0 {
            is_backed |= probability >= LIKELY;
            supported_by.push((evidence, probability));
        } else {
            weight += share;
            if share < -0.1 {
                contradicted_by.push(evidence);
            }
        }
    }
    supported_by.sort_by(|(a, _), (b, _)| b.weight.total_cmp(&a.weight));
    if !is_backed {
        // Otherwise a cause with many weak predictions would win with any two of them.
        supported_by.retain(|&(_, probability)| probability >= MAYBE);
        supported_by.truncate(1);
    }
    if is_backed {
        weight += explained;
    }
    let supported_by: Vec<Evidence> = supported_by.into_iter().map(|(evidence, _)| evidence).collect();
    weight += supported_by.iter().map(|evidence| evidence.weight).sum::<f64>();
    contradicted_by.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    Ranked {
        id: cause.id.to_owned(),
        cause: cause.cause.to_owned(),
        advice: cause.advice.to_owned(),
        price: Some(cause.price.cost(findings)),
        weight,
        is_backed,
        supported_by,
        contradicted_by,
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::{FindingId, Measure};
    use super::*;

    fn finding(id: &str, verdict: Verdict) -> Finding {
        let id = FindingId::parse(id).unwrap_or_else(|| panic!("no finding {id}"));
        Finding::new(id, verdict, "measured").samples(1000)
    }

    fn failures<const N: usize>(ids: [&str; N]) -> Vec<Finding> {
        ids.map(|id| finding(id, Verdict::Fail)).into()
    }

    fn place(diagnosis: &Diagnosis, id: &str) -> Option<usize> {
        diagnosis.explanations.iter().position(|ranked| ranked.id == id)
    }

    #[test]
    fn sound_engine_has_no_cause() {
        let findings: Vec<Finding> = ["mirror.evaluation", "tiny-hash.moves", "clock.share"]
            .map(|id| finding(id, Verdict::Pass))
            .into();
        let diagnosis = diagnose(&findings);
        assert!(diagnosis.explanations.is_empty());
        assert_eq!(diagnosis.headline, "No faults found.");
        assert!(
            diagnosis.excluded.iter().any(|excluded| excluded.claim.contains("hash moves")),
            "{diagnosis:?}"
        );
    }

    #[test]
    fn contradicting_evidence_lowers_a_cause() {
        let both = [finding("orientation.white", Verdict::Fail), finding("orientation.black", Verdict::Fail)];
        let diagnosis = diagnose(&both);
        assert_eq!(diagnosis.explanations[0].id, "tables-upside-down");
        let one = [
            finding("orientation.white", Verdict::Pass),
            finding("orientation.black", Verdict::Fail),
            finding("mirror.evaluation", Verdict::Fail),
        ];
        let diagnosis = diagnose(&one);
        assert_eq!(diagnosis.explanations[0].id, "black-tables");
        let rejected = diagnosis.explanations.iter().find(|ranked| ranked.id == "tables-upside-down");
        assert!(rejected.is_none_or(|ranked| !ranked.contradicted_by.is_empty()));
    }

    #[test]
    fn order_of_findings_is_irrelevant() {
        let mut findings = vec![
            finding("distances.possible", Verdict::Fail),
            finding("mating-lines.length", Verdict::Fail),
            finding("mates.found", Verdict::Pass),
        ];
        let one = diagnose(&findings);
        findings.reverse();
        let other = diagnose(&findings);
        let names =
            |diagnosis: &Diagnosis| diagnosis.explanations.iter().map(|e| e.id.clone()).collect::<Vec<_>>();
        assert_eq!(names(&one), names(&other));
        assert_eq!(one.explanations[0].id, "mate-not-shifted");
    }

    #[test]
    fn causes_predict_with_probabilities() {
        for cause in causes() {
            assert!(!cause.predicts.is_empty(), "{}", cause.id);
            for &(id, probability) in cause.predicts {
                assert!(probability > 0.0 && probability < 1.0, "{}: {}", cause.id, id.name());
            }
        }
    }

    #[test]
    fn weak_predictions_alone_do_not_suffice() {
        let mut findings = failures(["zugzwang.solved", "mates.found", "tactics.nodes", "tactics.depth"]);
        assert_eq!(place(&diagnose(&findings), "bounds-misused"), None);
        findings.push(finding("statistics.hash-bounds", Verdict::Fail));
        assert!(place(&diagnose(&findings), "bounds-misused").is_some());
    }

    #[test]
    fn crashes_are_not_hangs() {
        let stability = |hangs| finding("legality.stability", Verdict::Fail).measure(Measure::Hangs, hangs);
        let broken = |hangs| diagnose(&[stability(hangs), finding("distances.possible", Verdict::Fail)]);
        let weight = |diagnosis: &Diagnosis| {
            let place = place(diagnosis, "bounds-misused").expect("possible");
            diagnosis.explanations[place].weight
        };
        let crashes = [stability(0.0)];
        assert_eq!(place(&diagnose(&crashes), "hash-move"), None, "a crash alone is not a table bug");
        assert!(weight(&broken(2.0)) > weight(&broken(0.0)) + 1.0);
    }

    #[test]
    fn white_view_explains_other_failures() {
        let findings = failures([
            "odds.view",
            "orientation.black",
            "mirror.evaluation",
            "mates.distance",
            "mating-lines.length",
            "zugzwang.solved",
        ]);
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "score-view"), Some(0), "{diagnosis:?}");
        assert!(diagnosis.explanations[1..].iter().all(|ranked| ranked.weight < 3.0), "{diagnosis:?}");
    }

    #[test]
    fn no_hash_no_table_cause() {
        let findings = failures(["tiny-hash.moves", "mates.table"]);
        assert_eq!(place(&diagnose(&findings), "hash-move"), Some(0));
        let identity = finding("handshake.identity", Verdict::Warning).measure_fact(Measure::HasHash, false);
        let diagnosis = diagnose(&[findings, vec![identity]].concat());
        assert_eq!(place(&diagnosis, "hash-move"), None, "{diagnosis:?}");
    }

    #[test]
    fn constant_scores_are_not_wrong_signs() {
        let mut findings = failures([
            "odds.constant",
            "balance.removal",
            "tactics.depth",
            "mates.found",
            "leaves.depth-one",
            "zugzwang.solved",
        ]);
        findings.push(finding("mirror.evaluation", Verdict::Pass));
        findings.push(finding("mirror.search", Verdict::Pass));
        assert_eq!(diagnose(&findings).explanations[0].id, "says-nothing");
    }

    #[test]
    fn missing_score_is_not_malformed() {
        let mut findings = failures(["compliance.lines", "info.score"]);
        findings.push(finding("info.form", Verdict::Pass));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "no-score"), Some(0), "{diagnosis:?}");
        assert_eq!(place(&diagnosis, "malformed-output"), None, "{diagnosis:?}");
    }

    #[test]
    fn unanswered_search_is_not_malformed() {
        let mut findings = failures(["compliance.answers"]);
        findings.extend(["info.form", "compliance.lines", "info.score"].map(|id| finding(id, Verdict::Pass)));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "protocol-steps"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn consequences_are_explained_away() {
        let view =
            ["odds.view", "mates.found", "mates.distance", "mating-lines.length", "distances.possible"];
        let diagnosis = diagnose(&failures(view));
        assert_eq!(place(&diagnosis, "score-view"), Some(0));
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
        // A failure that it does not explain is another fault.
        let mut findings = failures(view);
        findings.push(finding("clock.increment", Verdict::Fail));
        let both = diagnose(&findings);
        assert!(place(&both, "increment").is_some() && place(&both, "score-view").is_some(), "{both:?}");
        // Causes that nothing separates stay side by side.
        let table = diagnose(&failures(["distances.possible"]));
        assert!(place(&table, "bounds-misused").is_some() && place(&table, "mate-not-shifted").is_some());
    }

    #[test]
    fn dear_causes_come_first() {
        // The fifty-move rule is as certain, and costs nothing in games.
        let both = failures(["draws.fifty", "draws.fen-clock", "draws.horizon", "leaves.captures"]);
        let diagnosis = diagnose(&both);
        assert_eq!(place(&diagnosis, "no-quiescence"), Some(0), "{diagnosis:?}");
        assert_eq!(place(&diagnosis, "fifty-moves"), Some(1), "{diagnosis:?}");
        assert!(diagnosis.explanations[1].weight > diagnosis.explanations[0].weight);
    }

    #[test]
    fn likelier_cause_of_the_same_failures_stays_first() {
        // Of the same failures a swapped bound is the dearer and the less likely cause.
        let diagnosis = diagnose(&failures(["distances.possible", "statistics.hash-mates", "mates.table"]));
        assert_eq!(place(&diagnosis, "mate-not-shifted"), Some(0), "{diagnosis:?}");
        // A guess that costs more does not come before a cause with evidence.
        let guess = diagnose(&failures(["draws.fifty", "draws.fen-clock", "tactics.nodes"]));
        assert_eq!(place(&guess, "fifty-moves"), Some(0), "{guess:?}");
    }

    #[test]
    fn mate_in_plies_is_not_a_hash_bug() {
        let mut findings = failures(["mating-lines.unit", "mates.distance"]);
        findings.push(finding("mating-lines.length", Verdict::Skipped));
        findings.push(finding("distances.possible", Verdict::Pass));
        assert_eq!(place(&diagnose(&findings), "mate-in-plies"), Some(0));
        let without = failures(["mating-lines.length"]);
        assert_eq!(place(&diagnose(&without), "mate-in-plies"), None);
    }

    #[test]
    fn wrong_draw_value_is_not_blindness() {
        let rules = ["draws.fifty", "draws.fen-clock", "draws.horizon", "draws.material", "draws.repetition"];
        let blind = diagnose(&failures(rules));
        assert_eq!(place(&blind, "draw-value"), None);
        let findings = [failures(rules), failures(["draws.value", "mates.stalemate"])].concat();
        let seen = diagnose(&findings);
        assert_eq!(place(&seen, "draw-value"), Some(0));
        assert_eq!(seen.explanations.len(), 1, "{seen:?}");
    }

    #[test]
    fn missing_game_history_is_its_own_cause() {
        let mut findings = failures(["draws.game-history"]);
        findings.push(finding("draws.repetition", Verdict::Pass));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "game-history"), Some(0), "{diagnosis:?}");
        let blind = diagnose(&failures(["draws.game-history", "draws.repetition"]));
        assert_eq!(place(&blind, "repetition"), Some(0), "{blind:?}");
    }

    #[test]
    fn hash_key_explains_zugzwang() {
        let zugzwang = failures(["zugzwang.solved"]);
        assert_eq!(place(&diagnose(&zugzwang), "key-parts"), None);
        let diagnosis = diagnose(&[zugzwang, failures(["table.key"])].concat());
        assert_eq!(place(&diagnosis, "key-parts"), Some(0), "{diagnosis:?}");
        assert!(!diagnosis.headline.contains("null move"), "{}", diagnosis.headline);
    }

    #[test]
    fn mates_without_ply_are_not_a_hash_bug() {
        let findings = failures(["mates.ply", "mates.distance", "distances.possible", "mating-lines.length"]);
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "mate-without-ply"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn missing_moves_without_illegal_answers() {
        let mut findings = failures(["special-moves.generated"]);
        for id in ["legality.answers", "legality.lines", "special-moves.answers"] {
            findings.push(finding(id, Verdict::Pass));
        }
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "missing-moves"), Some(0), "{diagnosis:?}");
        assert_eq!(place(&diagnosis, "move-generator"), None, "{diagnosis:?}");
    }

    #[test]
    fn ignored_move_list_explains_the_rest() {
        let follow = [
            "special-moves.answers",
            "legality.answers",
            "legality.lines",
            "draws.game-history",
            "draws.fifty",
            "draws.horizon",
        ];
        let mut findings = failures(follow);
        assert_eq!(place(&diagnose(&findings), "moves-not-played"), None, "without its failure");
        findings.push(finding("special-moves.lists", Verdict::Fail));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "moves-not-played"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn illegal_pv_after_special_moves_is_board_update() {
        let mut findings = failures(["legality.lines", "special-moves.board"]);
        for id in ["legality.answers", "special-moves.answers", "special-moves.lists"] {
            findings.push(finding(id, Verdict::Pass));
        }
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "board-update"), Some(0), "{diagnosis:?}");
        assert!(!diagnosis.headline.contains("hash table"), "{}", diagnosis.headline);
        // An engine without a move cannot follow a list that contains it.
        let unknown = diagnose(&failures(["special-moves.generated", "special-moves.board"]));
        assert_eq!(place(&unknown, "missing-moves"), Some(0), "{unknown:?}");
    }

    #[test]
    fn close_causes_share_the_headline() {
        let both = diagnose(&failures(["limits.nodes", "limits.searchmoves"])).headline;
        assert!(both.contains("; also: "), "{both}");
        let one = diagnose(&failures(["clock.share", "clock.first-moves"])).headline;
        assert!(!one.contains(", or ") && !one.contains("also"), "{one}");
        let either = diagnose(&failures(["distances.possible"])).headline;
        assert!(either.contains(", or "), "{either}");
        // All three causes of impossible mates.
        assert!(either.contains("adjusted by ply"), "{either}");
    }

    #[test]
    fn headline_shows_scope() {
        let mut diagnosis = diagnose(&[]);
        diagnosis.note_scope(24, 24);
        assert_eq!(diagnosis.headline, "No faults found.");
        diagnosis.note_scope(2, 24);
        assert_eq!(diagnosis.headline, "No faults found. Only 2 of 24 checks were run.");
        let silent = [finding("odds.sign", Verdict::Skipped)];
        assert!(diagnose(&silent).headline.ends_with("1 of 1 findings were skipped."));
        let fifth = [vec![silent[0].clone()], vec![finding("odds.view", Verdict::Pass); 4]].concat();
        assert!(diagnose(&fifth).headline.ends_with("1 of 5 findings were skipped."));
        let few = [vec![silent[0].clone()], vec![finding("odds.view", Verdict::Pass); 19]].concat();
        assert_eq!(diagnose(&few).headline, "No faults found.");
    }

    #[test]
    fn guesses_rank_behind_backed_causes() {
        // Many causes may lead to it, and none is identified by it.
        let mut findings = failures(["tactics.nodes"]);
        for id in
            ["odds.sign", "odds.constant", "mirror.evaluation", "orientation.white", "orientation.black"]
        {
            findings.push(finding(id, Verdict::Pass));
        }
        let guess = diagnose(&findings);
        assert!(guess.explanations.len() > 1 && guess.explanations.iter().all(|ranked| !ranked.is_backed));
        assert!(guess.headline.starts_with("No clear cause; possibly: "), "{}", guess.headline);
        let lost =
            diagnose(&failures(["growth.explosions", "tactics.nodes", "info.score", "compliance.lines"]));
        assert_eq!(place(&lost, "quiescence-explosion"), Some(0), "{lost:?}");
        assert!(!lost.headline.contains("reduced"), "{}", lost.headline);
    }

    #[test]
    fn unexplained_failures_are_listed() {
        let findings = failures(["clock.share", "self-play.white-score", "table.root-moves"]);
        let mut diagnosis = diagnose(&findings);
        diagnosis.explanations.retain(|ranked| ranked.id == "clock-unused");
        assert_eq!(diagnosis.unexplained(&findings), ["self-play.white-score", "table.root-moves"]);
    }
}
