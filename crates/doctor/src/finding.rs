//! What a check says: a finding is plain data, and everything after it (diagnosis, reports, comparisons) is a function
//! of findings alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sureness::Sureness;

/// The name of the measure that is the error of 95 % of a finding's effect.
pub const ERROR: &str = "error of 95 %";

/// The name of the measure that is the depth which a finding's effect is about, where that is as deep as the engine came.
pub const DEPTH: &str = "depth compared";

/// The name of the measure that tells, beside a mean gain, which share of the better choices gained.
pub const SHARE_RIGHT: &str = "share of better choices that score more";

/// The name of the measure that tells which share of the mirrored pairs scores clearly unequal.
pub const CLEARLY_UNEQUAL: &str = "share of clearly unequal pairs";

/// The name of the measure that tells how many of the breakdowns were searches that did not come to an end.
pub const HANGS: &str = "hangs";

/// The name of the measure that tells whether the engine offers the option `Hash`: 1 or 0.
pub const OFFERS_HASH: &str = "offers Hash";

/// The field of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Group {
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

impl Group {
    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Protocol => "Protocol",
            Self::Legality => "Legality",
            Self::Colour => "Colour",
            Self::Evaluation => "Evaluation",
            Self::Soundness => "Search soundness",
            Self::Efficiency => "Search efficiency",
            Self::Clock => "Clock",
            Self::Strength => "Strength",
            Self::Statistics => "Own statistics",
        }
    }
}

/// What a finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Measured, and as it should be.
    Sound,
    /// Could not be measured, or does not apply.
    Unmeasured,
    /// Worth knowing, and no fault by itself.
    Notice,
    /// A fault.
    Alarm,
}

impl Verdict {
    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Unmeasured => "not measured",
            Self::Notice => "notice",
            Self::Alarm => "ALARM",
        }
    }
}

/// How much was found, as one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// What the number is.
    pub name: String,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: String,
}

/// How sure the verdict is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// From 0 to 1: how seldom chance alone would lead to this verdict, where that can be computed; else a level set by hand.
    pub level: f64,
    /// Where it comes from: a p-value, an interval, or a count with the words that the level was set by hand.
    pub basis: String,
}

/// The greatest level that is computed: chance is never out of the question, also where floating point has no room for it.
const SUREST: f64 = 0.999_999;

impl Confidence {
    /// The level as people read it: nothing is told to be certain.
    pub fn told(&self) -> String {
        if self.level >= 0.995 { "over 99 %".to_owned() } else { format!("{:.0} %", 100.0 * self.level) }
    }
}

/// A curve or a histogram that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// What the horizontal axis shows.
    pub x: String,
    /// What the vertical axis shows.
    pub y: String,
    /// How it is drawn.
    pub kind: PlotKind,
    /// Its curves; a histogram has one.
    pub curves: Vec<Curve>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// Points joined by lines.
    Lines,
    /// The same, the vertical axis logarithmic.
    Logarithmic,
    /// One bar for each point.
    Bars,
}

/// One curve of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What one measurement of a check showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its name: the check's, a dot, and what was asked.
    pub id: String,
    /// The check that found it; its page in the documentation has this name.
    pub check: String,
    /// What it means.
    pub verdict: Verdict,
    /// What was measured, in a sentence with numbers.
    pub summary: String,
    /// How much.
    pub effect: Option<Effect>,
    /// How sure.
    pub confidence: Confidence,
    /// From where on it is an alarm.
    pub threshold: String,
    /// How many samples it rests on.
    pub samples: u64,
    /// Further numbers, by name.
    pub measures: BTreeMap<String, f64>,
    /// UCI lines that show it.
    pub repro: Vec<String>,
    /// Pictures.
    pub plots: Vec<Plot>,
}

impl Finding {
    /// A finding of `check` about `what`, with a summary; the rest is added by the functions below.
    pub fn new(check: &str, what: &str, verdict: Verdict, summary: impl Into<String>) -> Self {
        Self {
            id: format!("{check}.{what}"),
            check: check.to_owned(),
            verdict,
            summary: summary.into(),
            effect: None,
            confidence: Confidence { level: 0.95, basis: String::new() },
            threshold: String::new(),
            samples: 0,
            measures: BTreeMap::new(),
            repro: Vec::new(),
            plots: Vec::new(),
        }
    }

    /// A finding that could not be made.
    pub fn unmeasured(check: &str, what: &str, why: impl Into<String>) -> Self {
        let mut finding = Self::new(check, what, Verdict::Unmeasured, why);
        finding.confidence.level = 0.0;
        finding
    }

    /// Adds the number that matters.
    #[must_use]
    pub fn effect(mut self, name: &str, value: f64, unit: &str) -> Self {
        self.effect = Some(Effect { name: name.to_owned(), value, unit: unit.to_owned() });
        self
    }

    /// Adds how sure it is, as computed.
    #[must_use]
    pub fn sure(mut self, sureness: Sureness) -> Self {
        self.confidence = Confidence { level: sureness.level.clamp(0.0, SUREST), basis: sureness.basis };
        self
    }

    /// Adds how sure it is where nothing can be computed, and what it rests on.
    #[must_use]
    pub fn sure_by_hand(mut self, level: f64, rests_on: impl Into<String>) -> Self {
        let basis = format!("{}; level set by hand", rests_on.into());
        self.confidence = Confidence { level: level.clamp(0.0, 1.0), basis };
        self
    }

    /// Adds the error of 95 % of the number that matters: comparisons ask whether it moved by more.
    #[must_use]
    pub fn error(self, of_95_percent: f64) -> Self {
        self.measure(ERROR, of_95_percent)
    }

    /// Adds from where on it is an alarm.
    #[must_use]
    pub fn threshold(mut self, text: impl Into<String>) -> Self {
        self.threshold = text.into();
        self
    }

    /// Adds the number of samples.
    #[must_use]
    pub fn samples(mut self, count: usize) -> Self {
        self.samples = count as u64;
        self
    }

    /// Adds a further number.
    #[must_use]
    pub fn measure(mut self, name: &str, value: f64) -> Self {
        self.measures.insert(name.to_owned(), value);
        self
    }

    /// Adds a further fact, as 1 or 0.
    #[must_use]
    pub fn measure_fact(self, name: &str, holds: bool) -> Self {
        self.measure(name, f64::from(u8::from(holds)))
    }

    /// Adds lines that show it.
    #[must_use]
    pub fn repro(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.repro.extend(lines);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// Whether it is a fault.
    pub fn is_alarm(&self) -> bool {
        self.verdict == Verdict::Alarm
    }
}

/// Alarm or sound.
pub fn alarm_if(alarm: bool) -> Verdict {
    if alarm { Verdict::Alarm } else { Verdict::Sound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_computed_level_is_certain_and_none_is_told_to_be() {
        let finding = |level| {
            let sureness = Sureness { level, basis: "p < 0.001".to_owned() };
            Finding::new("mirror", "evaluation", Verdict::Alarm, "").sure(sureness)
        };
        let level = finding(1.0).confidence.level;
        assert!(level > 0.999 && level < 1.0, "{level}");
        let told = |level| finding(level).confidence.told();
        assert_eq!(
            [told(1.0), told(0.995), told(0.994), told(0.5)],
            ["over 99 %", "over 99 %", "99 %", "50 %"]
        );
        let by_hand = Finding::new("handshake", "start", Verdict::Alarm, "").sure_by_hand(1.0, "no uciok");
        assert_eq!(by_hand.confidence.told(), "over 99 %");
    }
}
