//! What a check reports: a finding is plain data, and everything after it (diagnosis, reports, comparisons) is a function
//! of findings alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::catalogue::{ABORTED, CheckId, FindingId, Measure, read_id};
use super::confidence::Confidence;

/// The field of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingGroup {
    Protocol,
    Legality,
    Colour,
    Evaluation,
    Soundness,
    Efficiency,
    Clock,
    Strength,
    Statistics,
}

impl FindingGroup {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Protocol => "Protocol",
            Self::Legality => "Legality",
            Self::Colour => "Colour symmetry",
            Self::Evaluation => "Evaluation",
            Self::Soundness => "Search soundness",
            Self::Efficiency => "Search efficiency",
            Self::Clock => "Time management",
            Self::Strength => "Strength",
            Self::Statistics => "Search statistics",
        }
    }
}

/// What a finding means. The aliases are the names of schema 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    #[serde(alias = "sound")]
    Pass,
    /// Not measured, or not applicable.
    #[serde(alias = "unmeasured")]
    Skipped,
    /// Worth knowing, but not a fault by itself.
    #[serde(alias = "notice")]
    Warning,
    #[serde(alias = "alarm")]
    Fail,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "passed",
            Self::Skipped => "skipped",
            Self::Warning => "warning",
            Self::Fail => "FAILED",
        }
    }

    pub const fn fail_if(fails: bool) -> Self {
        if fails { Self::Fail } else { Self::Pass }
    }

    pub const fn warn_if(warns: bool) -> Self {
        if warns { Self::Warning } else { Self::Pass }
    }
}

/// How much was found, as one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    pub name: String,
    pub value: f64,
    pub unit: String,
}

/// A curve or a histogram that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    pub y: String,
    pub kind: PlotKind,
    pub curves: Vec<Curve>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// Points joined by lines.
    Lines,
    /// The same with a logarithmic vertical axis.
    Logarithmic,
    Bars,
}

/// One curve of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What one measurement of a check showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// [`FindingId::name`], or the check's name and [`ABORTED`]; text, so that reports of other versions can be read.
    #[serde(deserialize_with = "read_id")]
    pub id: String,
    /// [`CheckId::name`].
    pub check: String,
    pub verdict: Verdict,
    /// What was measured, in a sentence with numbers.
    pub summary: String,
    pub effect: Option<Effect>,
    pub confidence: Confidence,
    /// When it fails.
    pub threshold: String,
    pub samples: u64,
    /// Further numbers.
    #[serde(serialize_with = "write_measures", deserialize_with = "read_measures")]
    pub measures: BTreeMap<Measure, f64>,
    /// UCI commands that reproduce it.
    pub repro: Vec<String>,
    pub plots: Vec<Plot>,
}

fn write_measures<S: Serializer>(
    measures: &BTreeMap<Measure, f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(measures.iter().map(|(measure, value)| (measure.key(), value)))
}

/// Leaves out measures of other versions.
fn read_measures<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Measure, f64>, D::Error> {
    let read = BTreeMap::<String, f64>::deserialize(deserializer)?;
    Ok(read.into_iter().filter_map(|(key, value)| Some((Measure::parse(&key)?, value))).collect())
}

impl Finding {
    pub fn new(id: FindingId, verdict: Verdict, summary: impl Into<String>) -> Self {
        Self::named(id.name().to_owned(), id.check(), verdict, summary.into())
    }

    fn named(id: String, check: CheckId, verdict: Verdict, summary: String) -> Self {
        Self {
            id,
            check: check.name().to_owned(),
            verdict,
            summary,
            effect: None,
            confidence: Confidence { level: 0.95, basis: String::new() },
            threshold: String::new(),
            samples: 0,
            measures: BTreeMap::new(),
            repro: Vec::new(),
            plots: Vec::new(),
        }
    }

    /// A finding that was not measured.
    pub fn skipped(id: FindingId, why: impl Into<String>) -> Self {
        let mut finding = Self::new(id, Verdict::Skipped, why);
        finding.confidence.level = 0.0;
        finding
    }

    /// A check that could not be run.
    pub fn aborted(check: CheckId, why: String) -> Self {
        let mut finding = Self::named(format!("{}.{ABORTED}", check.name()), check, Verdict::Skipped, why);
        finding.confidence.level = 0.0;
        finding
    }

    pub fn is(&self, id: FindingId) -> bool {
        self.id == id.name()
    }

    /// What the catalogue knows of it; nothing of an aborted check, or of another version's finding.
    pub fn known(&self) -> Option<FindingId> {
        FindingId::parse(&self.id)
    }

    /// Adds the number that matters, with the name and the unit of the catalogue.
    #[must_use]
    pub fn effect(self, value: f64) -> Self {
        let (name, unit) = self.known().map_or(("", ""), |id| id.spec().effect);
        self.effect_as(name, value, unit)
    }

    /// The same under another name.
    #[must_use]
    pub fn effect_as(mut self, name: &str, value: f64, unit: &str) -> Self {
        self.effect = Some(Effect { name: name.to_owned(), value, unit: unit.to_owned() });
        self
    }

    /// Adds a computed confidence. A failure that is not significant becomes a warning.
    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        if self.is_failure() && !confidence.is_significant() {
            self.verdict = Verdict::Warning;
            self.summary += "; too few samples to call it a fault";
        }
        self.confidence = confidence.capped();
        self
    }

    /// Limits the confidence by how far the wall clock can be trusted. The samples are significant or not by themselves.
    #[must_use]
    pub fn at_most(mut self, trust: (f64, String)) -> Self {
        self.confidence = self.confidence.at_most(trust);
        self
    }

    /// Where nothing can be computed.
    #[must_use]
    pub fn fixed_confidence(mut self, level: f64, rests_on: impl AsRef<str>) -> Self {
        self.confidence = Confidence::fixed(level, rests_on.as_ref());
        self
    }

    /// Adds the margin of error (95 %) of the effect, for comparisons.
    #[must_use]
    pub fn error(self, margin: f64) -> Self {
        self.measure(Measure::MarginOfError, margin)
    }

    #[must_use]
    pub fn threshold(mut self, text: impl Into<String>) -> Self {
        self.threshold = text.into();
        self
    }

    #[must_use]
    pub fn samples(mut self, count: usize) -> Self {
        self.samples = count as u64;
        self
    }

    #[must_use]
    pub fn measure(mut self, measure: Measure, value: f64) -> Self {
        self.measures.insert(measure, value);
        self
    }

    /// A fact, as 1 or 0.
    #[must_use]
    pub fn measure_fact(self, measure: Measure, holds: bool) -> Self {
        self.measure(measure, f64::from(u8::from(holds)))
    }

    #[must_use]
    pub fn repro(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.repro.extend(lines);
        self
    }

    #[must_use]
    pub fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    pub fn is_failure(&self) -> bool {
        self.verdict == Verdict::Fail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insignificant_failure_is_a_warning() {
        let failed = |level| {
            let confidence = Confidence { level, basis: String::new() };
            Finding::new(FindingId::TableRootMoves, Verdict::Fail, "").confidence(confidence)
        };
        assert_eq!([failed(0.82).verdict, failed(0.96).verdict], [Verdict::Warning, Verdict::Fail]);
        // A busy system makes a significant failure less certain, and a single observation has no p-value.
        let trusted = failed(0.99).at_most((0.85, "load".to_owned()));
        assert!(trusted.is_failure() && trusted.confidence.level < 0.9);
        let single =
            Finding::new(FindingId::BalanceStart, Verdict::Fail, "").fixed_confidence(0.9, "one search");
        assert!(single.is_failure());
    }

    #[test]
    fn schema_1_is_read() {
        let finding = Finding::new(FindingId::TableRootMoves, Verdict::Fail, "").measure(Measure::Hangs, 2.0);
        let json = serde_json::to_string(&finding).expect("serializable");
        let schema_1 = json.replace("table.root-moves", "table.scouts").replace("\"fail\"", "\"alarm\"");
        assert_ne!(schema_1, json);
        assert_eq!(serde_json::from_str::<Finding>(&schema_1).expect("readable"), finding);
    }
}
