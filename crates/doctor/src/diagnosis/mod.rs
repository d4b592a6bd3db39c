//! From findings to explanations: a pure function. Each explanation says beforehand with which probability it would raise
//! which alarm; what was found then speaks for it or against it.

mod evidence;
mod explanations;
mod popular;

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Verdict};
use evidence::Word;
pub use explanations::{Explanation, explanations};
use explanations::{LIKELY, MAYBE};

/// What the findings mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// One sentence.
    pub headline: String,
    /// Causes that fit, the best first.
    pub explanations: Vec<Ranked>,
    /// Popular explanations that were tested and do not fit.
    pub excluded: Vec<Excluded>,
}

/// An explanation with what speaks for it and against it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its short name.
    pub id: String,
    /// The cause in a sentence.
    pub cause: String,
    /// What to look at and test next.
    pub advice: String,
    /// How many times more likely the findings are with this cause than in a sound engine, as a power of ten, if they
    /// were independent of each other; it ranks, and is no calibrated probability.
    pub weight: f64,
    /// Whether an alarm that it mostly raises is there; without one it is a guess.
    #[serde(default)]
    pub is_backed: bool,
    /// Alarms that it explains.
    pub supported_by: Vec<Evidence>,
    /// Findings that it would have led one to expect as alarms, and that are sound; and alarms that it hardly raises.
    pub contradicted_by: Vec<Evidence>,
}

/// A finding as evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The finding's name.
    pub finding: String,
    /// What it says.
    pub summary: String,
    /// Its share of the weight.
    pub weight: f64,
}

/// A popular explanation that does not fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// The claim.
    pub claim: String,
    /// The findings that exclude it, in words.
    pub because: Vec<String>,
}

/// How often a finding is an alarm in an engine in which nothing of the kind is wrong.
const BY_ACCIDENT: f64 = 0.01;

/// Explanations that are shown at the most.
const SHOWN: usize = 6;

/// Explanations whose weights are this near are told in one breath.
const NEAR: f64 = 0.5;

/// The most that are.
const NAMED: usize = 3;

/// One of so many findings without a measurement is told beside "no fault".
const MUCH_UNMEASURED: usize = 10;

/// A cause so much stronger than another explains its alarms away: one of nearly the same weight competes for them.
const FAR: f64 = 1.0;

/// The share that an alarm which is explained away has left.
const EXPLAINED: f64 = 0.2;

/// Explanations of less weight are not shown.
const LEAST_WEIGHT: f64 = 0.3;

/// Makes a diagnosis.
pub fn diagnose(findings: &[Finding]) -> Diagnosis {
    let has_no_table = evidence::has_no_table(findings);
    let candidates: Vec<&Explanation> = explanations()
        .filter(|explanation| explanation.is_possible(findings))
        .filter(|explanation| !(has_no_table && explanation.is_about_the_table()))
        .collect();
    let explanations = rank(&candidates, findings);
    let headline = headline(findings, &explanations);
    Diagnosis { headline, explanations, excluded: popular::excluded(findings) }
}

impl Diagnosis {
    /// The names of the alarms that none of the explanations explains.
    pub fn unexplained<'a>(&self, findings: &'a [Finding]) -> Vec<&'a str> {
        let is_explained = |id: &str| self.explanations.iter().any(|ranked| ranked.explains(id));
        let alarms = findings.iter().filter(|finding| finding.is_alarm());
        alarms.map(|finding| finding.id.as_str()).filter(|id| !is_explained(id)).collect()
    }

    /// Says in the headline when less was looked at than a whole examination does.
    pub fn note_scope(&mut self, checks_made: usize, checks_of_all: usize) {
        if checks_made == 0 && self.explanations.is_empty() {
            "No check was made.".clone_into(&mut self.headline);
        } else if checks_made < checks_of_all {
            self.headline = format!(
                "{} Only {checks_made} of {checks_of_all} checks were made.",
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
    let unmeasured = count(Verdict::Unmeasured);
    match (count(Verdict::Alarm), explanations) {
        (0, _) if MUCH_UNMEASURED * unmeasured > findings.len() => {
            format!("No fault was found. {unmeasured} of {} findings could not be measured.", findings.len())
        }
        (0, _) => "No fault was found.".to_owned(),
        (_, []) => "There are alarms, and no known cause explains them.".to_owned(),
        (_, [first, others @ ..]) => {
            // A guess does not stand beside a cause for which something speaks.
            let near = others
                .iter()
                .take_while(|other| first.weight - other.weight < NEAR)
                .filter(|other| other.is_backed >= first.is_backed)
                .take(NAMED - 1);
            let how_sure = if first.is_backed { "Most likely" } else { "No cause is clear; perhaps" };
            let told = near.map(|other| {
                // Two causes of the same alarms compete; two of different alarms are probably both true.
                let word = if compete(first, other) { ", or " } else { "; besides: " };
                format!("{word}{}", other.cause)
            });
            format!("{how_sure}: {}{}", first.cause, told.collect::<String>())
        }
    }
}

fn compete(one: &Ranked, other: &Ranked) -> bool {
    one.supported_by.iter().any(|evidence| other.explains(&evidence.finding))
}

/// The best first. Alarms that a far stronger cause explains hardly count for the next ones: its consequences are no causes of
/// their own.
fn rank(candidates: &[&Explanation], findings: &[Finding]) -> Vec<Ranked> {
    let mut ranking: Vec<Ranked> = Vec::new();
    let mut left: Vec<(&Explanation, f64)> = candidates
        .iter()
        .map(|&explanation| (explanation, weigh(explanation, findings, |_| false).weight))
        .collect();
    while ranking.len() < SHOWN {
        let weigh_now = |(place, &(explanation, alone)): (usize, &(&Explanation, f64))| {
            let is_explained = |finding: &str| {
                ranking.iter().any(|better| better.weight > alone + FAR && better.explains(finding))
            };
            (place, weigh(explanation, findings, is_explained))
        };
        let shown: Vec<(usize, Ranked)> = left
            .iter()
            .enumerate()
            .map(weigh_now)
            .filter(|(_, ranked)| ranked.weight > LEAST_WEIGHT && !ranked.supported_by.is_empty())
            .collect();
        let Some((place, ranked)) = best_of(shown) else { break };
        left.remove(place);
        ranking.push(ranked);
    }
    ranking
}

/// The weightiest, the first of equals; but a guess does not come before a cause that is nearly as weighty and for which an alarm
/// speaks that it mostly raises.
fn best_of(shown: Vec<(usize, Ranked)>) -> Option<(usize, Ranked)> {
    let most = shown.iter().map(|(_, ranked)| ranked.weight).fold(f64::NEG_INFINITY, f64::max);
    let has_backed = shown.iter().any(|(_, ranked)| ranked.is_backed && most - ranked.weight < NEAR);
    let eligible = shown.into_iter().filter(|(_, ranked)| ranked.is_backed || !has_backed);
    eligible.reduce(|best, next| if next.1.weight > best.1.weight { next } else { best })
}

impl Ranked {
    fn explains(&self, finding: &str) -> bool {
        self.supported_by.iter().any(|evidence| evidence.finding == finding)
    }
}

/// Weighs a cause; what is explained already counts little, and does not bear a cause alone.
fn weigh(explanation: &Explanation, findings: &[Finding], is_explained: impl Fn(&str) -> bool) -> Ranked {
    let (mut supported_by, mut contradicted_by) = (Vec::new(), Vec::new());
    let mut by_the_way = 0.0;
    let (mut weight, mut is_backed) = (0.0, false);
    for finding in findings {
        let Some(probability) = explanation.probability(finding) else {
            continue;
        };
        let ratio = match evidence::word(finding) {
            Word::Alarm => probability / BY_ACCIDENT,
            Word::Clean => (1.0 - probability) / (1.0 - BY_ACCIDENT),
            Word::Neutral => continue,
        };
        let share = ratio.log10() * finding.confidence.level;
        let evidence =
            Evidence { finding: finding.id.clone(), summary: finding.summary.clone(), weight: share };
        if finding.is_alarm() && share > 0.0 && is_explained(&finding.id) {
            by_the_way += EXPLAINED * share;
        } else if finding.is_alarm() && share > 0.0 {
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
        // A cause that may raise many alarms would else win from any two of them, though it mostly raises others.
        supported_by.retain(|&(_, probability)| probability >= MAYBE);
        supported_by.truncate(1);
    }
    if is_backed {
        weight += by_the_way;
    }
    let supported_by: Vec<Evidence> = supported_by.into_iter().map(|(evidence, _)| evidence).collect();
    weight += supported_by.iter().map(|evidence| evidence.weight).sum::<f64>();
    contradicted_by.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    Ranked {
        id: explanation.id.to_owned(),
        cause: explanation.cause.to_owned(),
        advice: explanation.advice.to_owned(),
        weight,
        is_backed,
        supported_by,
        contradicted_by,
    }
}

#[cfg(test)]
mod tests {
    use super::super::checks;
    use super::super::finding::{HANGS, OFFERS_HASH};
    use super::super::names::check_of;
    use super::*;

    fn finding(id: &str, verdict: Verdict) -> Finding {
        let (check, what) = id.split_once('.').expect("a dot");
        Finding::new(check, what, verdict, format!("{id} was measured")).samples(1000)
    }

    fn alarms<const N: usize>(ids: [&str; N]) -> Vec<Finding> {
        ids.map(|id| finding(id, Verdict::Alarm)).into()
    }

    fn place(diagnosis: &Diagnosis, id: &str) -> Option<usize> {
        diagnosis.explanations.iter().position(|ranked| ranked.id == id)
    }

    #[test]
    fn a_sound_engine_has_no_explanation() {
        let findings: Vec<Finding> = ["mirror.evaluation", "tiny-hash.moves", "clock.share"]
            .map(|id| finding(id, Verdict::Sound))
            .into();
        let diagnosis = diagnose(&findings);
        assert!(diagnosis.explanations.is_empty());
        assert_eq!(diagnosis.headline, "No fault was found.");
        assert!(
            diagnosis.excluded.iter().any(|excluded| excluded.claim.contains("hash moves")),
            "{diagnosis:?}"
        );
    }

    #[test]
    fn evidence_against_a_cause_lowers_it() {
        let both =
            [finding("orientation.white", Verdict::Alarm), finding("orientation.black", Verdict::Alarm)];
        let diagnosis = diagnose(&both);
        assert_eq!(diagnosis.explanations[0].id, "tables-upside-down");
        let one = [
            finding("orientation.white", Verdict::Sound),
            finding("orientation.black", Verdict::Alarm),
            finding("mirror.evaluation", Verdict::Alarm),
        ];
        let diagnosis = diagnose(&one);
        assert_eq!(diagnosis.explanations[0].id, "black-tables");
        let rejected = diagnosis.explanations.iter().find(|ranked| ranked.id == "tables-upside-down");
        assert!(rejected.is_none_or(|ranked| !ranked.contradicted_by.is_empty()));
    }

    #[test]
    fn the_order_of_findings_does_not_matter() {
        let mut findings = vec![
            finding("distances.possible", Verdict::Alarm),
            finding("mating-lines.length", Verdict::Alarm),
            finding("mates.found", Verdict::Sound),
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
    fn every_prediction_names_a_check_and_a_probability() {
        for explanation in explanations() {
            assert!(!explanation.predicts.is_empty(), "{}", explanation.id);
            for &(id, probability) in explanation.predicts {
                let check = check_of(id);
                assert!(!id.contains('/') || id.ends_with(explanations::HANGS), "{id}");
                assert!(checks::page_names().any(|name| name == check), "{}: {id}", explanation.id);
                assert!((0.0..1.0).contains(&probability) && probability > 0.0, "{}: {id}", explanation.id);
            }
        }
    }

    #[test]
    fn what_a_cause_seldom_raises_does_not_accuse_it_alone() {
        let mut findings = alarms(["zugzwang.solved", "mates.found", "tactics.nodes", "tactics.depth"]);
        assert_eq!(place(&diagnose(&findings), "bounds-misused"), None);
        findings.push(finding("statistics.hash-bounds", Verdict::Alarm));
        assert!(place(&diagnose(&findings), "bounds-misused").is_some());
    }

    #[test]
    fn crashes_are_not_taken_for_hangs() {
        let stability = |hangs| finding("legality.stability", Verdict::Alarm).measure(HANGS, hangs);
        let broken = |hangs| diagnose(&[stability(hangs), finding("distances.possible", Verdict::Alarm)]);
        let weight = |diagnosis: &Diagnosis| {
            let place = place(diagnosis, "bounds-misused").expect("possible");
            diagnosis.explanations[place].weight
        };
        let crashes = [stability(0.0)];
        assert_eq!(place(&diagnose(&crashes), "hash-move"), None, "a crash alone is no fault of the table");
        assert!(weight(&broken(2.0)) > weight(&broken(0.0)) + 1.0);
    }

    #[test]
    fn scores_from_whites_view_are_not_laid_to_the_tables() {
        let findings = alarms([
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
    fn an_engine_without_a_hash_table_is_not_accused_of_one() {
        let findings = alarms(["tiny-hash.moves", "mates.table"]);
        assert_eq!(place(&diagnose(&findings), "hash-move"), Some(0));
        let identity = finding("handshake.identity", Verdict::Notice).measure_fact(OFFERS_HASH, false);
        let diagnosis = diagnose(&[findings, vec![identity]].concat());
        assert_eq!(place(&diagnosis, "hash-move"), None, "{diagnosis:?}");
    }

    #[test]
    fn scores_that_say_nothing_are_no_wrong_sign() {
        let mut findings = alarms([
            "odds.constant",
            "balance.removal",
            "tactics.depth",
            "mates.found",
            "leaves.depth-one",
            "zugzwang.solved",
        ]);
        findings.push(finding("mirror.evaluation", Verdict::Sound));
        findings.push(finding("mirror.search", Verdict::Sound));
        assert_eq!(diagnose(&findings).explanations[0].id, "says-nothing");
    }

    #[test]
    fn well_formed_lines_are_not_called_malformed() {
        let mut findings = alarms(["compliance.lines", "info.score"]);
        findings.push(finding("info.form", Verdict::Sound));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "no-score"), Some(0), "{diagnosis:?}");
        assert_eq!(place(&diagnosis, "protocol-words"), None, "{diagnosis:?}");
    }

    #[test]
    fn an_unanswered_search_is_no_malformed_line() {
        let mut findings = alarms(["compliance.answers"]);
        findings
            .extend(["info.form", "compliance.lines", "info.score"].map(|id| finding(id, Verdict::Sound)));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "protocol-steps"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn consequences_of_a_strong_cause_are_no_causes_of_their_own() {
        let view =
            ["odds.view", "mates.found", "mates.distance", "mating-lines.length", "distances.possible"];
        let diagnosis = diagnose(&alarms(view));
        assert_eq!(place(&diagnosis, "score-view"), Some(0));
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
        // An alarm that it does not explain is another fault.
        let mut findings = alarms(view);
        findings.push(finding("clock.increment", Verdict::Alarm));
        assert_eq!(place(&diagnose(&findings), "increment"), Some(1));
        // Causes that nothing tells apart stay side by side.
        let table = diagnose(&alarms(["distances.possible"]));
        assert!(place(&table, "bounds-misused").is_some() && place(&table, "mate-not-shifted").is_some());
    }

    #[test]
    fn mates_told_in_half_moves_are_not_laid_to_the_hash_table() {
        let mut findings = alarms(["mating-lines.unit", "mates.distance"]);
        findings.push(finding("mating-lines.length", Verdict::Unmeasured));
        findings.push(finding("distances.possible", Verdict::Sound));
        assert_eq!(place(&diagnose(&findings), "mate-in-plies"), Some(0));
        let without = alarms(["mating-lines.length"]);
        assert_eq!(place(&diagnose(&without), "mate-in-plies"), None);
    }

    #[test]
    fn draws_with_a_value_of_their_own_are_not_laid_to_blindness() {
        let rules = ["draws.fifty", "draws.fen-clock", "draws.horizon", "draws.material", "draws.repetition"];
        let blind = diagnose(&alarms(rules));
        assert_eq!(place(&blind, "draw-value"), None);
        let findings = [alarms(rules), alarms(["draws.value", "mates.stalemate"])].concat();
        let seen = diagnose(&findings);
        assert_eq!(place(&seen, "draw-value"), Some(0));
        assert_eq!(seen.explanations.len(), 1, "{seen:?}");
    }

    #[test]
    fn a_game_that_is_not_compared_is_not_blindness_for_repetitions() {
        let mut findings = alarms(["draws.game-history"]);
        findings.push(finding("draws.repetition", Verdict::Sound));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "game-history"), Some(0), "{diagnosis:?}");
        let blind = diagnose(&alarms(["draws.game-history", "draws.repetition"]));
        assert_eq!(place(&blind, "repetition"), Some(0), "{blind:?}");
    }

    #[test]
    fn a_key_that_mixes_positions_up_is_no_null_move() {
        let zugzwang = alarms(["zugzwang.solved"]);
        assert_eq!(place(&diagnose(&zugzwang), "key-parts"), None);
        let diagnosis = diagnose(&[zugzwang, alarms(["table.key"])].concat());
        assert_eq!(place(&diagnosis, "key-parts"), Some(0), "{diagnosis:?}");
        assert!(!diagnosis.headline.contains("null move"), "{}", diagnosis.headline);
    }

    #[test]
    fn mates_without_a_distance_are_not_laid_to_the_hash_table() {
        let findings = alarms(["mates.ply", "mates.distance", "distances.possible", "mating-lines.length"]);
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "mate-without-ply"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn moves_that_are_never_made_have_a_cause_though_all_answers_are_legal() {
        let mut findings = alarms(["special-moves.known"]);
        for id in ["legality.answers", "legality.lines", "special-moves.followed"] {
            findings.push(finding(id, Verdict::Sound));
        }
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "missing-moves"), Some(0), "{diagnosis:?}");
        assert_eq!(place(&diagnosis, "move-generator"), None, "{diagnosis:?}");
    }

    #[test]
    fn moves_of_a_list_that_are_not_played_are_named_before_what_follows_from_them() {
        let follow = [
            "special-moves.followed",
            "legality.answers",
            "legality.lines",
            "draws.game-history",
            "draws.fifty",
            "draws.horizon",
        ];
        let mut findings = alarms(follow);
        assert_eq!(place(&diagnose(&findings), "moves-not-played"), None, "without its alarm");
        findings.push(finding("special-moves.lists", Verdict::Alarm));
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "moves-not-played"), Some(0), "{diagnosis:?}");
        assert_eq!(diagnosis.explanations.len(), 1, "{diagnosis:?}");
    }

    #[test]
    fn illegal_lines_after_special_moves_are_laid_to_the_board() {
        let mut findings = alarms(["legality.lines", "special-moves.board"]);
        for id in ["legality.answers", "special-moves.followed", "special-moves.lists"] {
            findings.push(finding(id, Verdict::Sound));
        }
        let diagnosis = diagnose(&findings);
        assert_eq!(place(&diagnosis, "board-update"), Some(0), "{diagnosis:?}");
        assert!(!diagnosis.headline.contains("hash table"), "{}", diagnosis.headline);
        // An engine that does not know a move cannot follow the list that has it.
        let unknown = diagnose(&alarms(["special-moves.known", "special-moves.board"]));
        assert_eq!(place(&unknown, "missing-moves"), Some(0), "{unknown:?}");
    }

    #[test]
    fn causes_of_nearly_the_same_weight_are_told_together() {
        let both = diagnose(&alarms(["limits.nodes", "limits.searchmoves"])).headline;
        assert!(both.contains("; besides: "), "{both}");
        let one = diagnose(&alarms(["clock.share", "clock.first-moves"])).headline;
        assert!(!one.contains(", or ") && !one.contains("besides"), "{one}");
        let either = diagnose(&alarms(["distances.possible"])).headline;
        assert!(either.contains(", or "), "{either}");
        // All three that the table's impossible mates may come from.
        assert!(either.contains("shifted by the ply"), "{either}");
    }

    #[test]
    fn the_headline_says_how_much_was_looked_at() {
        let mut diagnosis = diagnose(&[]);
        diagnosis.note_scope(24, 24);
        assert_eq!(diagnosis.headline, "No fault was found.");
        diagnosis.note_scope(2, 24);
        assert_eq!(diagnosis.headline, "No fault was found. Only 2 of 24 checks were made.");
        let silent = [finding("odds.sign", Verdict::Unmeasured)];
        assert!(diagnose(&silent).headline.ends_with("1 of 1 findings could not be measured."));
        let fifth = [vec![silent[0].clone()], vec![finding("odds.view", Verdict::Sound); 4]].concat();
        assert!(diagnose(&fifth).headline.ends_with("1 of 5 findings could not be measured."));
        let few = [vec![silent[0].clone()], vec![finding("odds.view", Verdict::Sound); 19]].concat();
        assert_eq!(diagnose(&few).headline, "No fault was found.");
    }

    #[test]
    fn guesses_stand_behind_causes_and_are_told_as_guesses() {
        // Each of many causes may bring it about, and none is known by it.
        let mut findings = alarms(["tactics.nodes"]);
        for id in
            ["odds.sign", "odds.constant", "mirror.evaluation", "orientation.white", "orientation.black"]
        {
            findings.push(finding(id, Verdict::Sound));
        }
        let guess = diagnose(&findings);
        assert!(guess.explanations.len() > 1 && guess.explanations.iter().all(|ranked| !ranked.is_backed));
        assert!(guess.headline.starts_with("No cause is clear; perhaps: "), "{}", guess.headline);
        let lost =
            diagnose(&alarms(["growth.explosions", "tactics.nodes", "info.score", "compliance.lines"]));
        assert_eq!(place(&lost, "quiescence-explosion"), Some(0), "{lost:?}");
        assert!(!lost.headline.contains("reduced"), "{}", lost.headline);
    }

    #[test]
    fn alarms_without_an_explanation_are_named() {
        let findings = alarms(["clock.share", "self-play.white-share", "table.scouts"]);
        let mut diagnosis = diagnose(&findings);
        diagnosis.explanations.retain(|ranked| ranked.id == "clock-unused");
        assert_eq!(diagnosis.unexplained(&findings), ["self-play.white-share", "table.scouts"]);
    }
}
