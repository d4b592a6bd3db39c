//! From findings to explanations: a pure function. Each explanation says beforehand with which probability it would raise
//! which alarm; what was found then speaks for it or against it.

mod explanations;
mod popular;

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Verdict};
pub use explanations::{EXPLANATIONS, Explanation};

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
    /// How many times more likely the findings are with this cause than in a sound engine, as a power of ten.
    pub weight: f64,
    /// Alarms that it explains.
    pub supported_by: Vec<Evidence>,
    /// Findings that it would have led one to expect as alarms, and that are sound.
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

/// Explanations that are shown, besides those with nearly the weight of the best.
const SHOWN: usize = 6;

/// Makes a diagnosis.
pub fn diagnose(findings: &[Finding]) -> Diagnosis {
    let alarms = findings.iter().filter(|finding| finding.is_alarm()).count();
    let mut explanations: Vec<Ranked> = EXPLANATIONS
        .iter()
        .map(|explanation| weigh(explanation, findings))
        .filter(|ranked| ranked.weight > 0.3 && !ranked.supported_by.is_empty())
        .collect();
    explanations.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    explanations.truncate(SHOWN);
    let headline = match (alarms, explanations.first()) {
        (0, _) => "No fault was found.".to_owned(),
        (_, Some(first)) => format!("Most likely: {}", first.cause),
        (_, None) => "There are alarms, and no known cause explains them.".to_owned(),
    };
    Diagnosis { headline, explanations, excluded: popular::excluded(findings) }
}

fn weigh(explanation: &Explanation, findings: &[Finding]) -> Ranked {
    let (mut supported_by, mut contradicted_by, mut weight) = (Vec::new(), Vec::new(), 0.0);
    for finding in findings {
        let Some(&(_, probability)) = explanation.predicts.iter().find(|(id, _)| *id == finding.id) else {
            continue;
        };
        let ratio = match finding.verdict {
            Verdict::Alarm => probability / BY_ACCIDENT,
            Verdict::Sound | Verdict::Notice => (1.0 - probability) / (1.0 - BY_ACCIDENT),
            Verdict::Unmeasured => continue,
        };
        let share = ratio.log10() * finding.confidence.level;
        weight += share;
        let evidence =
            Evidence { finding: finding.id.clone(), summary: finding.summary.clone(), weight: share };
        if finding.is_alarm() && share > 0.0 {
            supported_by.push(evidence);
        } else if share < -0.1 {
            contradicted_by.push(evidence);
        }
    }
    supported_by.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    contradicted_by.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    Ranked {
        id: explanation.id.to_owned(),
        cause: explanation.cause.to_owned(),
        advice: explanation.advice.to_owned(),
        weight,
        supported_by,
        contradicted_by,
    }
}

#[cfg(test)]
mod tests {
    use super::super::checks;
    use super::*;

    fn finding(id: &str, verdict: Verdict) -> Finding {
        let (check, what) = id.split_once('.').expect("a dot");
        Finding::new(check, what, verdict, format!("{id} was measured"))
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
            finding("mates.table", Verdict::Alarm),
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
        for explanation in EXPLANATIONS {
            assert!(!explanation.predicts.is_empty(), "{}", explanation.id);
            for &(id, probability) in explanation.predicts {
                let check = id.split('.').next().unwrap_or_default();
                assert!(checks::page_names().any(|name| name == check), "{}: {id}", explanation.id);
                assert!((0.0..1.0).contains(&probability) && probability > 0.0, "{}: {id}", explanation.id);
            }
        }
    }
}
