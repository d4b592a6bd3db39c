//! A recipe: everything that determines which network comes out of which games, as a TOML file.

use std::fmt;
use std::path::PathBuf;

use nnue::shape::{Head, SCALE, Shape, ShapeError};
use record::packed::Filter;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::loss::Loss;
use crate::optimizer::Optimizer;
use crate::schedule::{LearningRate, WdlSchedule};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Of the network and its files.
    pub name: String,
    /// Of initial weights, order and split of the data.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Floating-point weights to start from instead of random ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    pub data: DataRecipe,
    #[serde(flatten)]
    pub settings: TrainingSettings,
}

/// The sections that recipes of a training and stages of a pipeline share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingSettings {
    pub network: NetworkRecipe,
    #[serde(default)]
    pub loss: LossRecipe,
    pub training: TrainingRecipe,
    #[serde(default)]
    pub learning_rate: LearningRate,
    #[serde(default)]
    pub optimizer: Optimizer,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecipe {
    /// Hidden units per perspective.
    pub hidden: usize,
    /// Sets of feature weights, selected by the king's square.
    #[serde(default = "one_bucket")]
    pub king_buckets: usize,
    /// What computes the value from the hidden units.
    #[serde(default, with = "head_name", skip_serializing_if = "is_single")]
    pub head: Head,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_single(head: &Head) -> bool {
    *head == Head::Single
}

/// Heads by their names.
pub mod head_name {
    use super::{Deserialize, Deserializer, Head, Serializer, de};

    ///
    /// # Errors
    /// Of the format.
    pub fn serialize<S: Serializer>(head: &Head, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(head.name())
    }

    ///
    /// # Errors
    /// If there is no head of this name.
    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Head, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The default of recipes and tables without king buckets.
pub fn one_bucket() -> usize {
    1
}

impl NetworkRecipe {
    /// # Errors
    /// If the shape is invalid, which is checked when a recipe is read.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        Shape::new(self.hidden)?.with_king_buckets(self.king_buckets)?.with_head(self.head)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataRecipe {
    /// Files of training data, and folders of packed games.
    pub files: Vec<PathBuf>,
    /// Fraction of the games that is used.
    pub share: f64,
    /// Fraction of the used games that goes to the validation set.
    pub validation: f64,
    pub filter: FilterRecipe,
}

impl Default for DataRecipe {
    fn default() -> Self {
        Self { files: Vec::new(), share: 1.0, validation: 0.01, filter: FilterRecipe::default() }
    }
}

/// Which positions are kept; defaults are those of [`Filter`].
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilterRecipe {
    /// Plies since the game's move 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", alias = "min_men")]
    pub min_pieces: Option<u32>,
    /// Positions with a larger score, for either side, are dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<u16>,
    /// Keep positions in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<bool>,
    /// Keep positions whose best move is a capture or promotion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noisy: Option<bool>,
}

impl FilterRecipe {
    pub fn filter(&self) -> Filter {
        let default = Filter::default();
        Filter {
            min_ply: self.min_ply.unwrap_or(default.min_ply),
            min_pieces: self.min_pieces.unwrap_or(default.min_pieces),
            max_score: self.max_score.unwrap_or(default.max_score),
            checks: self.checks.unwrap_or(default.checks),
            noisy: self.noisy.unwrap_or(default.noisy),
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossRecipe {
    /// Centipawns of the sigmoid: a score of one `scale` is a win probability of 73 %.
    pub scale: f64,
    /// Exponent of the error.
    pub power: f64,
    /// Weight of the game's result in the target; the rest is the search score.
    #[serde(alias = "result_share")]
    pub wdl_weight: WdlSchedule,
}

impl Default for LossRecipe {
    fn default() -> Self {
        Self { scale: SCALE.into(), power: 2.0, wdl_weight: WdlSchedule::Constant(0.1) }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecipe {
    /// Or `positions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epochs: Option<f64>,
    /// Training positions of all epochs together; or `epochs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    #[serde(default = "default_batch")]
    pub batch: usize,
    /// Fraction of the training, at its end, in which the forward pass uses quantised weights.
    #[serde(default)]
    pub quantised_finish: f64,
}

fn default_seed() -> u64 {
    1
}

fn default_batch() -> usize {
    16_384
}

#[derive(Clone, PartialEq, Debug)]
pub enum RecipeError {
    /// Not TOML, or unknown, missing or mistyped entries.
    Syntax(String),
    Shape(ShapeError),
    /// The name cannot be a file name.
    Name(String),
    Range {
        entry: &'static str,
        expected: &'static str,
        found: f64,
    },
    /// Neither or both of `epochs` and `positions` are given.
    Length,
}

/// An error in a recipe's text, in one line.
pub fn syntax(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    let line_of = |start: usize| 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
    // Errors in flattened sections have no span, or that of the whole text.
    let span = error.span().filter(|span| span.len() < text.trim_end().len());
    match line_of_key(text, &message).or(span.map(|span| line_of(span.start))) {
        Some(line) => format!("line {line}: {message}"),
        None => message,
    }
}

/// The first line that has the key which the message quotes.
fn line_of_key(text: &str, message: &str) -> Option<usize> {
    let key = message.split('`').nth(1)?;
    let sets_key = |line: &str| {
        let (before, _) = line.split_once('#').unwrap_or((line, ""));
        before.split(|c: char| !c.is_alphanumeric() && !"_-".contains(c)).any(|word| word == key)
    };
    text.lines().position(sets_key).map(|index| index + 1)
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::Syntax(message) => f.write_str(message.trim_end()),
            RecipeError::Shape(error) => write!(f, "network: {error}"),
            RecipeError::Name(name) => {
                write!(f, "invalid name {name:?}: expected letters, digits, '-', '_' and '.'")
            }
            RecipeError::Range { entry, expected, found } => {
                write!(f, "invalid {entry} {found}: expected {expected}")
            }
            RecipeError::Length => f.write_str("training: expected either epochs or positions"),
        }
    }
}

impl std::error::Error for RecipeError {}

const FRACTION: &str = "a number from 0 to 1";
const POSITIVE: &str = "a number above 0";

impl Recipe {
    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// If an entry is missing, unknown or out of range.
    pub fn read(text: &str) -> Result<Self, RecipeError> {
        let recipe: Recipe =
            toml::from_str(text).map_err(|error| RecipeError::Syntax(syntax(text, &error)))?;
        recipe.check()?;
        Ok(recipe)
    }

    /// As TOML, defaults included.
    pub fn write(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// # Errors
    /// With the first entry that is out of range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(is_allowed) {
            return Err(RecipeError::Name(self.name.clone()));
        }
        let DataRecipe { share, validation, .. } = self.data;
        in_range("data.share", FRACTION, share, (0.0..=1.0).contains(&share))?;
        in_range("data.validation", "a number from 0 to 0.5", validation, (0.0..=0.5).contains(&validation))?;
        self.settings.check()
    }

    /// # Errors
    /// If the shape is invalid, which is checked when a recipe is read.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        self.settings.network.shape()
    }
}

impl TrainingSettings {
    /// # Errors
    /// With the first entry that is out of range.
    pub fn check(&self) -> Result<(), RecipeError> {
        self.network.shape().map_err(RecipeError::Shape)?;
        let [first_weight, last_weight] = self.loss.wdl_weight.ends();
        for (entry, fraction) in [
            ("loss.wdl_weight", first_weight),
            ("loss.wdl_weight", last_weight),
            ("training.quantised_finish", self.training.quantised_finish),
            ("learning_rate.end", self.learning_rate.end),
            ("learning_rate.warm_up", self.learning_rate.warm_up),
        ] {
            in_range(entry, FRACTION, fraction, (0.0..=1.0).contains(&fraction))?;
        }
        for (entry, beta) in
            [("optimizer.beta1", self.optimizer.beta1), ("optimizer.beta2", self.optimizer.beta2)]
        {
            in_range(entry, "a number from 0 to below 1", beta.into(), (0.0..1.0).contains(&beta))?;
        }
        let decay = f64::from(self.optimizer.weight_decay);
        in_range("optimizer.weight_decay", "a number from 0 to 100", decay, (0.0..=100.0).contains(&decay))?;
        let power = self.loss.power;
        in_range("loss.power", "a number from 1 to 8", power, (1.0..=8.0).contains(&power))?;
        let batch = self.training.batch;
        in_range(
            "training.batch",
            "a number from 1 to 1048576",
            batch as f64,
            (1..=1 << 20).contains(&batch),
        )?;
        for (entry, number) in [
            ("loss.scale", self.loss.scale),
            ("learning_rate.peak", self.learning_rate.peak),
            ("training.epochs", self.training.epochs.unwrap_or(1.0)),
            ("training.positions", self.training.positions.unwrap_or(1) as f64),
        ] {
            in_range(entry, POSITIVE, number, number > 0.0 && number.is_finite())?;
        }
        match (self.training.epochs, self.training.positions) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            _ => Err(RecipeError::Length),
        }
    }

    /// The loss after a fraction (0 to 1) of the training.
    pub fn loss_at(&self, progress: f64) -> Loss {
        Loss {
            scale: self.loss.scale as f32,
            power: self.loss.power as f32,
            wdl_weight: self.loss.wdl_weight.at(progress) as f32,
        }
    }
}

fn in_range(entry: &'static str, expected: &'static str, found: f64, fits: bool) -> Result<(), RecipeError> {
    if fits { Ok(()) } else { Err(RecipeError::Range { entry, expected, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "name = 'a'\nnetwork.hidden = 64\ndata.files = ['games']\ntraining.epochs = 2";

    #[test]
    fn defaults_fill_a_short_recipe() {
        let recipe = Recipe::read(SHORT).unwrap();
        assert_eq!(recipe.settings.training.batch, default_batch());
        assert_eq!(recipe.data.filter.filter(), Filter::default());
        assert_eq!(recipe.settings.loss, LossRecipe::default());
    }

    #[test]
    fn head_is_single_unless_it_is_given() {
        let single = Recipe::read(SHORT).unwrap();
        assert!(!single.write().contains("head"), "descriptions stay as they were");
        assert_eq!(Recipe::read(&format!("{SHORT}\nnetwork.head = 'single'")).unwrap(), single);
        let text = SHORT.replace("hidden = 64", "hidden = 128\nnetwork.head = 'layered'");
        let layered = Recipe::read(&text).unwrap();
        assert_eq!(layered.shape().unwrap().head(), Head::Layered);
        assert_eq!(Recipe::read(&layered.write()).unwrap(), layered);
    }

    #[test]
    fn written_recipe_reads_the_same() {
        let mut recipe = Recipe::read(SHORT).unwrap();
        recipe.settings.loss.wdl_weight = WdlSchedule::Line { from: 0.5, to: 0.1 };
        recipe.start = Some("parent.vnf".into());
        recipe.data.filter.min_ply = Some(9);
        assert_eq!(Recipe::read(&recipe.write()).unwrap(), recipe);
    }

    #[test]
    fn errors_name_the_entry() {
        for (entry, word) in [
            ("loss.wdl_weight = 1.5", "loss.wdl_weight"),
            ("loss.result_share = 1.5", "loss.wdl_weight"),
            ("loss.power = 0", "loss.power"),
            ("training.batch = 0", "training.batch"),
            ("training.positions = 5", "epochs or positions"),
            ("learning_rate.peak = -1", "learning_rate.peak"),
            ("data.validation = 0.9", "data.validation"),
            ("loss.pwoer = 2", "line 5: unknown field `pwoer`"),
            ("lsos.power = 2", "line 5: unknown field `lsos`"),
            ("loss.power = 'x'", "invalid type"),
            ("network.head = 'deep'", "unknown head \"deep\": expected single or layered"),
            ("network.head = 'layered'", "network: invalid hidden size 64 of a layered network"),
        ] {
            let error = Recipe::read(&format!("{SHORT}\n{entry}")).unwrap_err().to_string();
            assert!(error.contains(word), "{entry}: {error}");
        }
        assert!(matches!(Recipe::read(&SHORT.replace("64", "65")), Err(RecipeError::Shape(_))));
        let kings = Recipe::read(&SHORT.replace("hidden = 64", "hidden = 64\nnetwork.king_buckets = 3"));
        assert_eq!(
            kings.unwrap_err().to_string(),
            "network: invalid number of king buckets 3: expected 1 or 4"
        );
        assert!(matches!(Recipe::read(&SHORT.replace("'a'", "'../a'")), Err(RecipeError::Name(_))));
        assert!(matches!(Recipe::read("hello"), Err(RecipeError::Syntax(_))));
    }

    #[test]
    fn old_names_are_read() {
        let old =
            Recipe::read(&format!("{SHORT}\nloss.result_share = 0.3\ndata.filter.min_men = 5")).unwrap();
        let new =
            Recipe::read(&format!("{SHORT}\nloss.wdl_weight = 0.3\ndata.filter.min_pieces = 5")).unwrap();
        assert_eq!(old, new);
    }
}
