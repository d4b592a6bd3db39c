//! The recipe of a loop: a list of stages, as a TOML file. Each plays games, learns a network from them, and has it
//! judged.

use std::collections::HashSet;
use std::fmt;

use datagen::selfplay::{OpeningPlan, Plan};
use record::packed::Filter;
use serde::{Deserialize, Serialize};
use train::optimizer::Optimizer;
use train::recipe::{
    DataRecipe, FilterRecipe, LossRecipe, NetworkRecipe, Recipe, RecipeError, TrainingRecipe, syntax,
};
use train::schedule::LearningRate;

use crate::abi::Limits;
use crate::games::Terms;

/// A recipe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopRecipe {
    /// What the networks are called, each with its stage's name behind.
    pub name: String,
    /// Seed of everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// What is done, in this order.
    pub stages: Vec<Stage>,
}

/// One generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// What it is called.
    pub name: String,
    /// The games it plays.
    pub games: GamesRecipe,
    /// Stages whose games are learned from: this one and so many less one before it.
    #[serde(default = "one_stage")]
    pub window: usize,
    /// The network's shape.
    pub network: NetworkRecipe,
    /// Whether the training begins with the parent's weights, if that has the same shape.
    #[serde(default = "yes")]
    pub warm: bool,
    /// What all values of the learned network are multiplied by before it plays: one that learns from results says more
    /// with every generation, beyond what the margins of the search are made for.
    #[serde(default = "whole_size")]
    pub size: f32,
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
    /// Who decides whether the network is kept; without a judge it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeRecipe>,
}

/// The games of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesRecipe {
    /// Nodes at which a search ends.
    pub nodes: u32,
    /// Nodes after which a search begins no new iteration; as many as `nodes` if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u32>,
    /// How long games are begun; or else `positions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Positions that are wanted, those kept by the filter; or else `seconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Fewest and most random half moves in the beginning.
    #[serde(default = "usual_plies")]
    pub random_plies: (u32, u32),
    /// Share of games that begin with a position of double Chess960.
    #[serde(default = "usual_share")]
    pub dfrc: f64,
    /// Nodes with which an opening is judged.
    #[serde(default = "usual_opening_nodes")]
    pub opening_nodes: u64,
    /// Openings in which a side is further ahead are not played, in centipawns.
    #[serde(default = "usual_opening_score")]
    pub opening_score: i32,
    /// One in so many games is kept aside to judge by.
    #[serde(default = "usual_aside")]
    pub aside_every: u32,
    /// Which positions are left out.
    #[serde(default)]
    pub filter: FilterRecipe,
}

/// A match against the parent, and what it must bring.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeRecipe {
    /// Nodes for each move.
    pub nodes: u32,
    /// Games, an even number.
    pub games: u64,
    /// The network is kept if it wins by at least so many Elo.
    #[serde(default)]
    pub keep: f64,
    /// Earlier stages whose networks it plays as well, for the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

fn one() -> u64 {
    1
}

fn one_stage() -> usize {
    1
}

fn yes() -> bool {
    true
}

/// The factor that changes nothing.
pub(super) fn whole_size() -> f32 {
    1.0
}

fn usual_plies() -> (u32, u32) {
    (8, 9)
}

fn usual_share() -> f64 {
    0.1
}

fn usual_opening_nodes() -> u64 {
    500
}

fn usual_opening_score() -> i32 {
    600
}

fn usual_aside() -> u32 {
    256
}

/// Why a recipe cannot be used.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopRecipeError {
    /// It is not TOML, or has unknown, missing or mistyped entries.
    Syntax(String),
    /// There are no stages, or two of one name.
    Stages(String),
    /// A stage's training cannot be followed.
    Training(String, RecipeError),
    /// A stage's entry is not in its range.
    Range(String, &'static str),
}

impl fmt::Display for LoopRecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoopRecipeError::Syntax(message) => f.write_str(message.trim_end()),
            LoopRecipeError::Stages(what) => f.write_str(what),
            LoopRecipeError::Training(stage, error) => write!(f, "stage {stage:?}: {error}"),
            LoopRecipeError::Range(stage, what) => write!(f, "stage {stage:?}: {what}"),
        }
    }
}

impl std::error::Error for LoopRecipeError {}

impl LoopRecipe {
    /// Reads a recipe and checks it.
    ///
    /// # Errors
    /// If something is missing, unknown or out of its range.
    pub fn read(text: &str) -> Result<LoopRecipe, LoopRecipeError> {
        let recipe: LoopRecipe =
            toml::from_str(text).map_err(|error| LoopRecipeError::Syntax(syntax(text, &error)))?;
        recipe.check()?;
        Ok(recipe)
    }

    fn check(&self) -> Result<(), LoopRecipeError> {
        if self.stages.is_empty() {
            return Err(LoopRecipeError::Stages("the recipe has no stages".to_owned()));
        }
        let mut names = HashSet::new();
        for stage in &self.stages {
            stage.check(&self.training(stage), &names)?;
            if !names.insert(stage.name.as_str()) {
                return Err(LoopRecipeError::Stages(format!("two stages are called {:?}", stage.name)));
            }
        }
        Ok(())
    }

    /// The same recipe with so many times the games, lessons and judging games: a fraction tries it out.
    #[must_use]
    pub fn scaled(mut self, scale: f64) -> LoopRecipe {
        let whole = |number: u64, least: u64| ((number as f64 * scale) as u64).max(least);
        for stage in &mut self.stages {
            stage.games.seconds = stage.games.seconds.map(|seconds| seconds * scale);
            stage.games.positions = stage.games.positions.map(|positions| whole(positions, 1));
            let batch = stage.training.batch as u64;
            stage.training.positions = stage.training.positions.map(|positions| whole(positions, batch));
            if let Some(judge) = &mut stage.judge {
                judge.games = 2 * whole(judge.games / 2, 1);
            }
        }
        self
    }

    /// What the trainer is told of a stage.
    pub fn training(&self, stage: &Stage) -> Recipe {
        Recipe {
            name: format!("{}-{}", self.name, stage.name),
            seed: self.seed,
            start: None,
            network: stage.network.clone(),
            data: DataRecipe { filter: stage.games.filter.clone(), ..DataRecipe::default() },
            loss: stage.loss.clone(),
            training: stage.training.clone(),
            learning_rate: stage.learning_rate,
            optimizer: stage.optimizer,
        }
    }
}

impl Stage {
    fn check(&self, training: &Recipe, earlier: &HashSet<&str>) -> Result<(), LoopRecipeError> {
        training.check().map_err(|error| LoopRecipeError::Training(self.name.clone(), error))?;
        let games = &self.games;
        let judge_fits = self.judge.as_ref().is_none_or(|judge| {
            judge.nodes > 0 && judge.games >= 2 && judge.games.is_multiple_of(2) && !judge.keep.is_nan()
        });
        let known = |judge: &JudgeRecipe| judge.also.iter().all(|name| earlier.contains(name.as_str()));
        let checks = [
            (games.nodes > 0, "games.nodes must be above 0"),
            (games.soft_nodes != Some(0), "games.soft_nodes must be above 0"),
            (
                games.seconds.is_some() != games.positions.is_some(),
                "one of games.seconds and games.positions must be given, not both",
            ),
            (games.seconds.is_none_or(|s| s > 0.0 && s.is_finite()), "games.seconds must be above 0"),
            (games.positions != Some(0), "games.positions must be above 0"),
            ((0.0..=1.0).contains(&games.dfrc), "games.dfrc must be from 0 to 1"),
            (games.random_plies.0 <= games.random_plies.1, "games.random_plies are upside down"),
            (games.random_plies.1 <= 100, "games.random_plies are too many"),
            (games.opening_nodes > 0, "games.opening_nodes must be above 0"),
            (games.opening_score > 0, "games.opening_score must be above 0"),
            (games.aside_every != 1, "games.aside_every leaves nothing to learn from"),
            ((1..=16).contains(&self.window), "window must be from 1 to 16"),
            (self.size > 0.0 && self.size <= 1.0, "size must be above 0 and at most 1"),
            (judge_fits, "judge: nodes above 0 and an even number of games are needed"),
            (self.judge.as_ref().is_none_or(known), "judge.also names a stage that does not come before"),
        ];
        match checks.into_iter().find(|(fits, _)| !fits) {
            Some((_, what)) => Err(LoopRecipeError::Range(self.name.clone(), what)),
            None => Ok(()),
        }
    }
}

impl GamesRecipe {
    /// How the games are played, with a seed; as many as there is time for.
    pub fn terms(&self, seed: u64) -> Terms {
        let limits = Limits { soft: self.soft_nodes.unwrap_or(self.nodes).min(self.nodes), hard: self.nodes };
        Terms {
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
            rules: Plan::RULES,
            filter: self.filter(),
            validation_every: self.aside_every,
        }
    }

    fn filter(&self) -> Filter {
        self.filter.filter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_recipe_is_smaller_everywhere_and_still_one() {
        let text = format!(
            "{SHORT}[[stages]]\nname = 'two'\ngames = {{ nodes = 100, positions = 1_000_000 }}\n\
             network.hidden = 64\ntraining = {{ positions = 1_000_000, batch = 1024 }}\njudge = {{ nodes = 10, games = 400 }}\n"
        );
        let scaled = LoopRecipe::read(&text).unwrap().scaled(0.01);
        scaled.check().unwrap();
        assert_eq!(scaled.stages[0].games.seconds, Some(0.02));
        let two = &scaled.stages[1];
        assert_eq!((two.games.positions, two.training.positions), (Some(10_000), Some(10_000)));
        assert_eq!(two.judge.as_ref().map(|judge| judge.games), Some(4));
        let tiny = scaled.scaled(1e-9);
        tiny.check().unwrap();
        assert_eq!(tiny.stages[1].training.positions, Some(1024));
    }

    const SHORT: &str = "name = 'a'\n[[stages]]\nname = 'one'\ngames = { nodes = 100, seconds = 2 }\n\
         network.hidden = 64\ntraining.positions = 1000\n";

    #[test]
    fn a_short_recipe_is_filled_up_and_reads_the_same_when_written() {
        let recipe = LoopRecipe::read(SHORT).unwrap();
        assert_eq!((recipe.stages[0].window, recipe.stages[0].warm), (1, true));
        assert_eq!(recipe.training(&recipe.stages[0]).name, "a-one");
        let text = toml::to_string(&recipe).unwrap();
        assert_eq!(LoopRecipe::read(&text).unwrap(), recipe);
    }

    #[test]
    fn the_recipe_of_the_shipped_network_can_be_followed() {
        let recipe = LoopRecipe::read(include_str!("../../../../nets/recipes/gpu.toml")).unwrap();
        assert!(recipe.stages[0].loss.result_share.at(0.0) > 0.99, "scores of random weights mean nothing");
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (entry, word) in [
            ("window = 0", "window"),
            ("size = 1.5", "size"),
            ("widnow = 3", "widnow"),
            ("judge = { nodes = 10, games = 3 }", "even number"),
            ("judge = { nodes = 10, games = 4, also = ['two'] }", "judge.also"),
            ("loss.result_share = 2", "loss.result_share"),
        ] {
            let error = LoopRecipe::read(&format!("{SHORT}{entry}")).unwrap_err().to_string();
            assert!(error.contains(word) && error.lines().count() == 1, "{entry}: {error}");
        }
        for (from, to, word) in [
            ("seconds = 2", "dfrc = 0.5", "games.seconds"),
            ("seconds = 2", "seconds = 0", "games.seconds"),
            ("nodes = 100", "nodes = 0", "games.nodes"),
            ("hidden = 64", "hidden = 65", "hidden"),
            ("'one'", "'../one'", "name"),
        ] {
            let error = LoopRecipe::read(&SHORT.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(word), "{to}: {error}");
        }
        assert!(LoopRecipe::read("name = 'a'\nstages = []").unwrap_err().to_string().contains("no stages"));
        let twice = SHORT.to_owned() + &SHORT[SHORT.find("[[").unwrap()..];
        assert!(LoopRecipe::read(&twice).unwrap_err().to_string().contains("two stages"));
    }
}
