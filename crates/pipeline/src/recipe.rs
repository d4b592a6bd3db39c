//! The recipe of a pipeline: a list of stages, as a TOML file.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use datagen::selfplay::{OpeningPlan, SelfPlayPlan};
use gpu::abi::NodeLimits;
use gpu::games::GameSettings;
use nnue::shape::Head;
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use serde::{Deserialize, Serialize};
use train::recipe::{DataRecipe, FilterRecipe, Recipe, RecipeError, TrainingSettings, syntax};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineRecipe {
    /// Networks are called `NAME-STAGE`.
    pub name: String,
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// The network that plays until a stage's is kept; without it, that is one of random weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    pub stages: Vec<Stage>,
}

/// One generation: play, train, match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    pub name: String,
    pub games: GamesRecipe,
    /// Stages whose games are trained on, this one included.
    #[serde(default = "default_window")]
    pub window: usize,
    /// Start from the parent's weights, if it has the same shape.
    #[serde(default = "default_warm_start", alias = "warm")]
    pub warm_start: bool,
    /// Factor on all outputs of the trained network: training on results makes evaluations grow with every generation,
    /// beyond what the search's margins are tuned for.
    #[serde(default = "unscaled", alias = "size")]
    pub output_scale: f32,
    #[serde(flatten)]
    pub training: TrainingSettings,
    /// A second network, trained on the same positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<Learner>,
    /// Decides whether the network is kept; without it, every network is.
    #[serde(default, rename = "match", alias = "judge", skip_serializing_if = "Option::is_none")]
    pub gate: Option<MatchRecipe>,
}

/// A network that plays no games on the device, so that it may have any shape: it is trained after the stage's own network,
/// on the same positions, and written as `NAME-STAGE-learner`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// Start from the weights of the last earlier learner, if it has the same shape.
    #[serde(default = "default_warm_start")]
    pub warm_start: bool,
    /// Factor on all outputs of the trained network.
    #[serde(default = "unscaled")]
    pub output_scale: f32,
    #[serde(flatten)]
    pub training: TrainingSettings,
}

/// What the files of a stage's learner have in their names instead of the stage's.
pub(crate) fn learner_name(stage: &str) -> String {
    format!("{stage}-learner")
}

/// The games of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesRecipe {
    /// Hard limit per move.
    pub nodes: u32,
    /// No new iteration after this many; the default is `nodes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u32>,
    /// How long games are started; or `positions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Positions to record, after filtering; or `seconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Minimum and maximum of random plies in the opening.
    #[serde(default = "default_random_plies")]
    pub random_plies: (u32, u32),
    /// Fraction of games that start from a DFRC position.
    #[serde(default = "default_dfrc")]
    pub dfrc: f64,
    /// Of the search that verifies an opening.
    #[serde(default = "default_opening_nodes")]
    pub opening_nodes: u64,
    /// Openings with a larger score for either side are rejected, in centipawns.
    #[serde(default = "default_opening_score")]
    pub opening_score: i32,
    /// One in this many games goes to the validation set; 0 for none.
    #[serde(default = "default_validation_every", alias = "aside_every")]
    pub validation_every: u32,
    #[serde(default)]
    pub filter: FilterRecipe,
    /// Hard limit per move where the filter drops the position whatever its search finds; the default is `nodes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrecorded_nodes: Option<u32>,
    #[serde(default, skip_serializing_if = "ResignRecipe::is_default")]
    pub resign: ResignRecipe,
    #[serde(default, skip_serializing_if = "DrawRecipe::is_default")]
    pub draw: DrawRecipe,
}

/// When a game is adjudicated as won: both sides agree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResignRecipe {
    /// In centipawns.
    pub score: i32,
    /// Consecutive moves of each side.
    pub moves: u32,
}

/// When a game is adjudicated as drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawRecipe {
    /// Largest score for either side, in centipawns.
    pub score: i32,
    /// Consecutive moves of each side, without captures and pawn moves.
    pub moves: u32,
    /// First move number of the game at which they count.
    pub from_move: u32,
}

impl Default for ResignRecipe {
    fn default() -> ResignRecipe {
        ResignRecipe { score: 1500, moves: 2 }
    }
}

impl Default for DrawRecipe {
    fn default() -> DrawRecipe {
        DrawRecipe { score: 8, moves: 6, from_move: 40 }
    }
}

impl ResignRecipe {
    fn is_default(&self) -> bool {
        *self == ResignRecipe::default()
    }
}

impl DrawRecipe {
    fn is_default(&self) -> bool {
        *self == DrawRecipe::default()
    }
}

/// A match against the parent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRecipe {
    /// Per move.
    pub nodes: u32,
    /// An even number.
    pub games: u64,
    /// The network is kept if it wins by at least this many Elo.
    #[serde(default)]
    pub keep: f64,
    /// Earlier stages to play as well, for the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

fn default_seed() -> u64 {
    1
}

fn default_window() -> usize {
    1
}

fn default_warm_start() -> bool {
    true
}

pub(crate) fn unscaled() -> f32 {
    1.0
}

fn default_random_plies() -> (u32, u32) {
    (8, 9)
}

fn default_dfrc() -> f64 {
    0.1
}

fn default_opening_nodes() -> u64 {
    500
}

fn default_opening_score() -> i32 {
    600
}

fn default_validation_every() -> u32 {
    256
}

#[derive(Clone, PartialEq, Debug)]
pub enum PipelineRecipeError {
    /// Not TOML, or unknown, missing or mistyped entries.
    Syntax(String),
    /// No stages, or two of one name.
    Stages(String),
    /// By stage.
    Training(String, RecipeError),
    /// An entry of a stage is out of range.
    Range(String, &'static str),
}

impl fmt::Display for PipelineRecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineRecipeError::Syntax(message) => f.write_str(message.trim_end()),
            PipelineRecipeError::Stages(what) => f.write_str(what),
            PipelineRecipeError::Training(stage, error) => write!(f, "stage {stage:?}: {error}"),
            PipelineRecipeError::Range(stage, what) => write!(f, "stage {stage:?}: {what}"),
        }
    }
}

impl std::error::Error for PipelineRecipeError {}

impl PipelineRecipe {
    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// If an entry is missing, unknown or out of range.
    pub fn read(text: &str) -> Result<PipelineRecipe, PipelineRecipeError> {
        let recipe: PipelineRecipe =
            toml::from_str(text).map_err(|error| PipelineRecipeError::Syntax(syntax(text, &error)))?;
        recipe.check()?;
        Ok(recipe)
    }

    fn check(&self) -> Result<(), PipelineRecipeError> {
        if self.stages.is_empty() {
            return Err(PipelineRecipeError::Stages("the recipe has no stages".to_owned()));
        }
        let mut names = HashSet::new();
        for stage in &self.stages {
            stage.check(&self.training(stage), &names)?;
            if let Some(learner) = &stage.learner {
                stage.check_learner(learner, &self.learner_training(stage, learner))?;
            }
            if !names.insert(stage.name.as_str()) {
                return Err(PipelineRecipeError::Stages(format!(
                    "two stages have the name {:?}",
                    stage.name
                )));
            }
        }
        let learners = self.stages.iter().filter(|stage| stage.learner.is_some());
        match learners.map(|stage| learner_name(&stage.name)).find(|name| names.contains(name.as_str())) {
            Some(name) => Err(PipelineRecipeError::Stages(format!(
                "a stage has the name {name:?} of another stage's learner"
            ))),
            None => Ok(()),
        }
    }

    /// The same recipe with all games and training positions scaled: a small fraction is a trial run.
    #[must_use]
    pub fn scaled(mut self, scale: f64) -> PipelineRecipe {
        let scaled = |number: u64, min: u64| ((number as f64 * scale) as u64).max(min);
        for stage in &mut self.stages {
            stage.games.seconds = stage.games.seconds.map(|seconds| seconds * scale);
            stage.games.positions = stage.games.positions.map(|positions| scaled(positions, 1));
            let learner = stage.learner.as_mut().map(|learner| &mut learner.training);
            for settings in [Some(&mut stage.training), learner].into_iter().flatten() {
                let training = &mut settings.training;
                let batch = training.batch as u64;
                training.positions = training.positions.map(|positions| scaled(positions, batch));
            }
            if let Some(gate) = &mut stage.gate {
                gate.games = 2 * scaled(gate.games / 2, 1);
            }
        }
        self
    }

    /// The recipe of a stage's training.
    pub fn training(&self, stage: &Stage) -> Recipe {
        self.recipe_of(stage, &stage.name, &stage.training)
    }

    /// The recipe of the training of a stage's learner.
    pub fn learner_training(&self, stage: &Stage, learner: &Learner) -> Recipe {
        self.recipe_of(stage, &learner_name(&stage.name), &learner.training)
    }

    fn recipe_of(&self, stage: &Stage, name: &str, settings: &TrainingSettings) -> Recipe {
        Recipe {
            name: format!("{}-{name}", self.name),
            seed: self.seed,
            start: None,
            data: DataRecipe { filter: stage.games.filter.clone(), ..DataRecipe::default() },
            settings: settings.clone(),
        }
    }
}

impl Stage {
    fn check(&self, training: &Recipe, earlier: &HashSet<&str>) -> Result<(), PipelineRecipeError> {
        training.check().map_err(|error| PipelineRecipeError::Training(self.name.clone(), error))?;
        let games = &self.games;
        let gate_fits = self.gate.as_ref().is_none_or(|gate| {
            gate.nodes > 0 && gate.games >= 2 && gate.games.is_multiple_of(2) && !gate.keep.is_nan()
        });
        let known = |gate: &MatchRecipe| gate.also.iter().all(|name| earlier.contains(name.as_str()));
        let checks = [
            (
                self.training.network.head == Head::Single,
                "network.head must be single, since the device plays no other networks; a learner may have any",
            ),
            (games.nodes > 0, "games.nodes must be above 0"),
            (games.soft_nodes != Some(0), "games.soft_nodes must be above 0"),
            (
                games.seconds.is_some() != games.positions.is_some(),
                "expected either games.seconds or games.positions",
            ),
            (games.seconds.is_none_or(|s| s > 0.0 && s.is_finite()), "games.seconds must be above 0"),
            (games.positions != Some(0), "games.positions must be above 0"),
            ((0.0..=1.0).contains(&games.dfrc), "games.dfrc must be from 0 to 1"),
            (games.random_plies.0 <= games.random_plies.1, "games.random_plies must be in ascending order"),
            (games.random_plies.1 <= 100, "games.random_plies must be at most 100"),
            (games.opening_nodes > 0, "games.opening_nodes must be above 0"),
            (games.opening_score > 0, "games.opening_score must be above 0"),
            (games.validation_every != 1, "games.validation_every must not be 1"),
            (games.unrecorded_nodes != Some(0), "games.unrecorded_nodes must be above 0"),
            (games.resign.score > 0 && games.resign.moves > 0, "games.resign: expected numbers above 0"),
            (
                games.draw.score >= 0 && games.draw.moves > 0,
                "games.draw: expected moves above 0, and no score below 0",
            ),
            ((1..=16).contains(&self.window), "window must be from 1 to 16"),
            (is_output_scale(self.output_scale), "output_scale must be above 0 and at most 1"),
            (gate_fits, "match: expected nodes above 0 and an even number of games"),
            (self.gate.as_ref().is_none_or(known), "match.also must list earlier stages"),
        ];
        match checks.into_iter().find(|(fits, _)| !fits) {
            Some((_, what)) => Err(PipelineRecipeError::Range(self.name.clone(), what)),
            None => Ok(()),
        }
    }

    fn check_learner(&self, learner: &Learner, training: &Recipe) -> Result<(), PipelineRecipeError> {
        let name = learner_name(&self.name);
        training.check().map_err(|error| PipelineRecipeError::Training(name.clone(), error))?;
        if is_output_scale(learner.output_scale) {
            Ok(())
        } else {
            Err(PipelineRecipeError::Range(name, "output_scale must be above 0 and at most 1"))
        }
    }
}

fn is_output_scale(scale: f32) -> bool {
    scale > 0.0 && scale <= 1.0
}

impl GamesRecipe {
    fn rules(&self) -> AdjudicationRules {
        let ResignRecipe { score, moves } = self.resign;
        let resign = ResignRule { move_count: moves, score, two_sided: true };
        let DrawRecipe { score, moves, from_move } = self.draw;
        let draw = DrawRule { move_number: from_move, move_count: moves, score };
        AdjudicationRules { draw: Some(draw), resign: Some(resign), ..SelfPlayPlan::RULES }
    }

    /// Without a limit on their number.
    pub fn settings(&self, seed: u64) -> GameSettings {
        let limits =
            NodeLimits { soft: self.soft_nodes.unwrap_or(self.nodes).min(self.nodes), hard: self.nodes };
        let unrecorded =
            |nodes: u32| NodeLimits { soft: nodes.min(limits.soft), hard: nodes.min(limits.hard) };
        GameSettings {
            seed,
            first_game: 0,
            game_step: 1,
            games: u64::MAX,
            is_match: false,
            limits: [limits; 2],
            opening: OpeningPlan {
                random_plies: self.random_plies,
                dfrc_share: self.dfrc,
                nodes: self.opening_nodes,
                max_score: self.opening_score,
            },
            rules: self.rules(),
            filter: self.filter.filter(),
            unrecorded: self.unrecorded_nodes.map(unrecorded),
            validation_every: self.validation_every,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_recipe_is_valid() {
        let text = format!(
            "{SHORT}[[stages]]\nname = 'two'\ngames = {{ nodes = 100, positions = 1_000_000 }}\n\
             network.hidden = 64\ntraining = {{ positions = 1_000_000, batch = 1024 }}\nmatch = {{ nodes = 10, games = 400 }}\n"
        );
        let scaled = PipelineRecipe::read(&text).unwrap().scaled(0.01);
        scaled.check().unwrap();
        assert_eq!(scaled.stages[0].games.seconds, Some(0.02));
        let two = &scaled.stages[1];
        assert_eq!((two.games.positions, two.training.training.positions), (Some(10_000), Some(10_000)));
        assert_eq!(two.gate.as_ref().map(|gate| gate.games), Some(4));
        let tiny = scaled.scaled(1e-9);
        tiny.check().unwrap();
        assert_eq!(tiny.stages[1].training.training.positions, Some(1024));
    }

    const LEARNER: &str = "learner = { network = { hidden = 128, head = 'layered' }, \
         training = { positions = 50_000, batch = 512 }, learning_rate.peak = 1e-3 }\n";

    #[test]
    fn games_have_rules_and_limits() {
        let settings = |games: &str| {
            let text = SHORT.replace("seconds = 2", &format!("seconds = 2{games}"));
            PipelineRecipe::read(&text).unwrap().stages[0].games.settings(1)
        };
        let default = settings("");
        assert_eq!((default.rules, default.unrecorded), (SelfPlayPlan::RULES, None));
        let changed = settings(
            ", unrecorded_nodes = 40, resign = { score = 700 }, draw = { moves = 5, from_move = 30 }",
        );
        assert_eq!(changed.unrecorded, Some(NodeLimits { soft: 40, hard: 40 }));
        assert_eq!(changed.rules.resign, Some(ResignRule { move_count: 2, score: 700, two_sided: true }));
        assert_eq!(changed.rules.draw, Some(DrawRule { move_number: 30, move_count: 5, score: 8 }));
    }

    #[test]
    fn learner_has_entries_of_its_own() {
        let recipe = PipelineRecipe::read(&format!("{SHORT}{LEARNER}")).unwrap();
        let stage = &recipe.stages[0];
        let learner = stage.learner.as_ref().unwrap();
        assert!(learner.warm_start && (learner.output_scale - 1.0).abs() < f32::EPSILON);
        let training = recipe.learner_training(stage, learner);
        assert_eq!(training.name, "a-one-learner");
        assert_eq!(training.shape().unwrap().head(), Head::Layered);
        assert_eq!(recipe.training(stage).shape().unwrap().head(), Head::Single);
        let text = toml::to_string(&recipe).unwrap();
        assert_eq!(PipelineRecipe::read(&text).unwrap(), recipe);
        let scaled = recipe.scaled(0.1);
        let positions = |learner: &Learner| learner.training.training.positions;
        assert_eq!(scaled.stages[0].learner.as_ref().and_then(positions), Some(5000));
    }

    #[test]
    fn stages_and_learners_have_different_names() {
        let second = SHORT[SHORT.find("[[").unwrap()..].replace("'one'", "'one-learner'");
        let error = PipelineRecipe::read(&format!("{SHORT}{LEARNER}{second}")).unwrap_err().to_string();
        assert!(error.contains("\"one-learner\""), "{error}");
        assert!(PipelineRecipe::read(&format!("{SHORT}{second}")).is_ok());
    }

    const SHORT: &str = "name = 'a'\n[[stages]]\nname = 'one'\ngames = { nodes = 100, seconds = 2 }\n\
         network.hidden = 64\ntraining.positions = 1000\n";

    #[test]
    fn short_recipe_round_trips() {
        let recipe = PipelineRecipe::read(SHORT).unwrap();
        assert_eq!((recipe.stages[0].window, recipe.stages[0].warm_start), (1, true));
        assert_eq!(recipe.training(&recipe.stages[0]).name, "a-one");
        let text = toml::to_string(&recipe).unwrap();
        assert_eq!(PipelineRecipe::read(&text).unwrap(), recipe);
    }

    #[test]
    fn shipped_recipe_is_valid() {
        let recipe = PipelineRecipe::read(include_str!("../../../nets/recipes/gpu.toml")).unwrap();
        assert!(
            recipe.stages[0].training.loss.wdl_weight.at(0.0) > 0.99,
            "scores of random weights are noise"
        );
    }

    #[test]
    fn errors_name_the_entry() {
        for (entry, word) in [
            ("window = 0", "window"),
            ("output_scale = 1.5", "output_scale"),
            ("widnow = 3", "unknown field `widnow`"),
            ("match = { nodes = 10, games = 3 }", "even number"),
            ("match = { nodes = 10, games = 4, also = ['two'] }", "match.also"),
            ("loss.wdl_weight = 2", "loss.wdl_weight"),
            ("learner = { network.hidden = 128 }", "training"),
            (
                "learner = { network.hidden = 100, training.epochs = 1.0 }",
                "\"one-learner\": network: invalid hidden",
            ),
            ("learner = { network.hidden = 64, training.epochs = 1.0, output_scale = 0 }", "output_scale"),
            ("learner = { network.hidden = 64, training.epochs = 1.0, games = 3 }", "unknown field `games`"),
        ] {
            let error = PipelineRecipe::read(&format!("{SHORT}{entry}")).unwrap_err().to_string();
            assert!(error.contains(word) && error.lines().count() == 1, "{entry}: {error}");
        }
        for (from, to, word) in [
            ("seconds = 2", "dfrc = 0.5", "games.seconds"),
            ("seconds = 2", "seconds = 0", "games.seconds"),
            ("seconds = 2", "seconds = 2, unrecorded_nodes = 0", "games.unrecorded_nodes"),
            ("seconds = 2", "seconds = 2, resign.score = 0", "games.resign"),
            ("seconds = 2", "seconds = 2, draw.moves = 0", "games.draw"),
            ("nodes = 100", "nodes = 0", "games.nodes"),
            ("hidden = 64", "hidden = 65", "hidden"),
            ("hidden = 64", "hidden = 128\nnetwork.head = 'layered'", "network.head must be single"),
            ("'one'", "'../one'", "name"),
        ] {
            let error = PipelineRecipe::read(&SHORT.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(word), "{to}: {error}");
        }
        assert!(
            PipelineRecipe::read("name = 'a'\nstages = []").unwrap_err().to_string().contains("no stages")
        );
        let twice = SHORT.to_owned() + &SHORT[SHORT.find("[[").unwrap()..];
        assert!(PipelineRecipe::read(&twice).unwrap_err().to_string().contains("two stages"));
    }

    #[test]
    fn old_names_are_read() {
        let stage = |games: &str, rest: &str| {
            let text = SHORT.replace("seconds = 2", &format!("seconds = 2, {games}")) + rest;
            PipelineRecipe::read(&text).unwrap()
        };
        let old = stage(
            "aside_every = 7",
            "warm = false\nsize = 0.5\nloss.result_share = 0.2\njudge = { nodes = 5, games = 4 }",
        );
        let new = stage(
            "validation_every = 7",
            "warm_start = false\noutput_scale = 0.5\nloss.wdl_weight = 0.2\nmatch = { nodes = 5, games = 4 }",
        );
        assert_eq!(old, new);
    }
}
