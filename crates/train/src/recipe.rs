//! A recipe: everything that decides what network comes out of which games, as a TOML file.

use std::fmt;
use std::path::PathBuf;

use nnue::shape::{SCALE, Shape, ShapeError};
use record::packed::Filter;
use serde::{Deserialize, Serialize};

use crate::loss::Loss;
use crate::optimizer::Optimizer;
use crate::schedule::{Blend, LearningRate};

/// A recipe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the network is called; its files are named so.
    pub name: String,
    /// Seed of everything random: first weights, order and split of the data.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Floating-point weights to begin with instead of random ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// The network's shape.
    pub network: NetworkRecipe,
    /// What is learned from.
    pub data: DataRecipe,
    /// What is minimised.
    #[serde(default)]
    pub loss: LossRecipe,
    /// How long, and in what steps.
    pub training: TrainingRecipe,
    /// The length of the steps.
    #[serde(default)]
    pub learning_rate: LearningRate,
    /// What a step is.
    #[serde(default)]
    pub optimizer: Optimizer,
}

/// The network's shape.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecipe {
    /// Hidden units of one perspective.
    pub hidden: usize,
    /// How many sets of places for a king have feature weights of their own.
    #[serde(default = "one_bucket")]
    pub king_buckets: usize,
}

/// What recipes and tables that do not speak of king buckets mean.
pub fn one_bucket() -> usize {
    1
}

impl NetworkRecipe {
    /// The shape.
    ///
    /// # Errors
    /// If no network has it; that of a recipe that was read has one.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        Shape::new(self.hidden)?.with_king_buckets(self.king_buckets)
    }
}

/// What is learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataRecipe {
    /// Files of packed games, and folders of such files.
    pub files: Vec<PathBuf>,
    /// Share of the games that is used.
    pub share: f64,
    /// Share of the used games that is kept aside to judge by.
    pub validation: f64,
    /// Which positions are left out.
    pub filter: FilterRecipe,
}

impl Default for DataRecipe {
    fn default() -> Self {
        Self { files: Vec::new(), share: 1.0, validation: 0.01, filter: FilterRecipe::default() }
    }
}

/// Which positions are left out; what is not said is as the format's own filter has it.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilterRecipe {
    /// Least number of half moves since a game's move 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ply: Option<u32>,
    /// Least number of men on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_men: Option<u32>,
    /// Scores above this, for either side, are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<u16>,
    /// Whether positions in check are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<bool>,
    /// Whether positions are kept whose best move captures or promotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noisy: Option<bool>,
}

impl FilterRecipe {
    /// The filter.
    pub fn filter(&self) -> Filter {
        let usual = Filter::default();
        Filter {
            min_ply: self.min_ply.unwrap_or(usual.min_ply),
            min_men: self.min_men.unwrap_or(usual.min_men),
            max_score: self.max_score.unwrap_or(usual.max_score),
            checks: self.checks.unwrap_or(usual.checks),
            noisy: self.noisy.unwrap_or(usual.noisy),
        }
    }
}

/// What is minimised.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossRecipe {
    /// Centipawns in which the expectation goes from 50 % to 73 %.
    pub scale: f64,
    /// The power of the distance that is summed.
    pub power: f64,
    /// Share of the game's result in what is predicted; the rest is the search's score.
    pub result_share: Blend,
}

impl Default for LossRecipe {
    fn default() -> Self {
        Self { scale: SCALE.into(), power: 2.0, result_share: Blend::Constant(0.1) }
    }
}

/// How long, and in what steps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecipe {
    /// Passes over the data; or else `positions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epochs: Option<f64>,
    /// Positions to be seen, each pass over the data counted; or else `epochs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Positions between two steps.
    #[serde(default = "default_batch")]
    pub batch: usize,
    /// Share of the training, at its end, in which the network computes with rounded weights.
    #[serde(default)]
    pub quantised_finish: f64,
}

fn default_seed() -> u64 {
    1
}

fn default_batch() -> usize {
    16_384
}

/// Why a recipe cannot be used.
#[derive(Clone, PartialEq, Debug)]
pub enum RecipeError {
    /// It is not TOML, or has unknown, missing or mistyped entries.
    Syntax(String),
    /// There is no such network.
    Shape(ShapeError),
    /// The name cannot be a file's name.
    Name(String),
    /// A number is not in its range.
    Range {
        /// Which entry.
        entry: &'static str,
        /// What is expected.
        expected: &'static str,
        /// What was found.
        found: f64,
    },
    /// Neither or both of `epochs` and `positions` are given.
    Length,
}

/// What is wrong with a recipe's text, in one line.
pub fn syntax(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    let Some(span) = error.span() else { return message };
    let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
    format!("line {line}: {message}")
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::Syntax(message) => f.write_str(message.trim_end()),
            RecipeError::Shape(error) => write!(f, "network: {error}"),
            RecipeError::Name(name) => {
                write!(f, "name: {name:?} is no file name; letters, digits, '-', '_' and '.' are")
            }
            RecipeError::Range { entry, expected, found } => {
                write!(f, "{entry} is {found}, {expected} is expected")
            }
            RecipeError::Length => {
                f.write_str("training: one of epochs and positions must be given, not both")
            }
        }
    }
}

impl std::error::Error for RecipeError {}

const SHARE: &str = "a number from 0 to 1";
const POSITIVE: &str = "a number above 0";

impl Recipe {
    /// Reads a recipe and checks it.
    ///
    /// # Errors
    /// If something is missing, unknown or out of its range.
    pub fn read(text: &str) -> Result<Self, RecipeError> {
        let recipe: Recipe =
            toml::from_str(text).map_err(|error| RecipeError::Syntax(syntax(text, &error)))?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe as text; everything is written out.
    pub fn write(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Whether a training can follow it.
    ///
    /// # Errors
    /// Names the first entry that is out of its range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let speaks = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(speaks) {
            return Err(RecipeError::Name(self.name.clone()));
        }
        self.network.shape().map_err(RecipeError::Shape)?;
        let [first_share, last_share] = self.loss.result_share.ends();
        for (entry, share) in [
            ("data.share", self.data.share),
            ("loss.result_share", first_share),
            ("loss.result_share", last_share),
            ("training.quantised_finish", self.training.quantised_finish),
            ("learning_rate.end", self.learning_rate.end),
            ("learning_rate.warm_up", self.learning_rate.warm_up),
        ] {
            within(entry, SHARE, share, (0.0..=1.0).contains(&share))?;
        }
        let validation = self.data.validation;
        within("data.validation", "a number from 0 to 0.5", validation, (0.0..=0.5).contains(&validation))?;
        for (entry, beta) in
            [("optimizer.beta1", self.optimizer.beta1), ("optimizer.beta2", self.optimizer.beta2)]
        {
            within(entry, "a number from 0 to below 1", beta.into(), (0.0..1.0).contains(&beta))?;
        }
        let decay = f64::from(self.optimizer.weight_decay);
        within("optimizer.weight_decay", "a number from 0 to 100", decay, (0.0..=100.0).contains(&decay))?;
        let power = self.loss.power;
        within("loss.power", "a number from 1 to 8", power, (1.0..=8.0).contains(&power))?;
        let batch = self.training.batch;
        within("training.batch", "a number from 1 to 1048576", batch as f64, (1..=1 << 20).contains(&batch))?;
        for (entry, number) in [
            ("loss.scale", self.loss.scale),
            ("learning_rate.peak", self.learning_rate.peak),
            ("training.epochs", self.training.epochs.unwrap_or(1.0)),
            ("training.positions", self.training.positions.unwrap_or(1) as f64),
        ] {
            within(entry, POSITIVE, number, number > 0.0 && number.is_finite())?;
        }
        match (self.training.epochs, self.training.positions) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            _ => Err(RecipeError::Length),
        }
    }

    /// The network's shape.
    ///
    /// # Errors
    /// If there is none with this width; a recipe that was read has one.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        self.network.shape()
    }

    /// The loss when a share (0 to 1) of the training is done.
    pub fn loss_at(&self, share: f64) -> Loss {
        Loss {
            scale: self.loss.scale as f32,
            power: self.loss.power as f32,
            result_share: self.loss.result_share.at(share) as f32,
        }
    }
}

fn within(entry: &'static str, expected: &'static str, found: f64, fits: bool) -> Result<(), RecipeError> {
    if fits { Ok(()) } else { Err(RecipeError::Range { entry, expected, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "name = 'a'\nnetwork.hidden = 64\ndata.files = ['games']\ntraining.epochs = 2";

    #[test]
    fn a_short_recipe_is_filled_up() {
        let recipe = Recipe::read(SHORT).unwrap();
        assert_eq!(recipe.training.batch, default_batch());
        assert_eq!(recipe.data.filter.filter(), Filter::default());
        assert_eq!(recipe.loss, LossRecipe::default());
    }

    #[test]
    fn a_recipe_written_out_reads_the_same() {
        let mut recipe = Recipe::read(SHORT).unwrap();
        recipe.loss.result_share = Blend::Line { from: 0.5, to: 0.1 };
        recipe.start = Some("parent.vnf".into());
        recipe.data.filter.min_ply = Some(9);
        assert_eq!(Recipe::read(&recipe.write()).unwrap(), recipe);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (entry, word) in [
            ("loss.result_share = 1.5", "loss.result_share"),
            ("loss.power = 0", "loss.power"),
            ("training.batch = 0", "training.batch"),
            ("training.positions = 5", "epochs and positions"),
            ("learning_rate.peak = -1", "learning_rate.peak"),
            ("data.validation = 0.9", "data.validation"),
            ("loss.pwoer = 2", "pwoer"),
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
}
