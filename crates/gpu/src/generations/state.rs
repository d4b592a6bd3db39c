//! What a loop has done so far: written after each stage, so that it goes on after any stop. The games themselves are
//! not kept: they are played again faster than moved.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use support::files;

use super::recipe::LoopRecipe;
use crate::duel::Score;

/// A loop in the middle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The recipe.
    pub recipe: LoopRecipe,
    /// A row for each finished stage.
    pub rows: Vec<Row>,
    /// How often the loop was begun or resumed: each time has games of its own.
    pub sittings: u64,
}

/// What came of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The stage's name.
    pub stage: String,
    /// The network's hash.
    pub hash: String,
    /// Hidden units.
    pub hidden: usize,
    /// King buckets.
    #[serde(default = "train::recipe::one_bucket")]
    pub king_buckets: usize,
    /// What its values were multiplied by after the training.
    #[serde(default = "super::recipe::whole_size")]
    pub size: f32,
    /// The network that played the games; none for random weights.
    pub parent: Option<String>,
    /// Nodes for each move.
    pub nodes: u32,
    /// Games that were played for it.
    pub games: u64,
    /// Positions of these games that were kept.
    pub positions: u64,
    /// Positions of the whole window.
    pub window: u64,
    /// Positions that the training saw.
    pub seen: u64,
    /// Share of the results at the training's end.
    pub result_share: f64,
    /// Last loss over the training.
    pub loss: Option<f64>,
    /// Last loss over the games kept aside.
    pub aside: Option<f64>,
    /// Seconds of playing, training and judging.
    pub seconds: [f64; 3],
    /// Nodes in a second while playing.
    pub nodes_per_second: f64,
    /// Positions in a second while training.
    pub training_speed: f64,
    /// Its matches: against its parent first.
    pub meetings: Vec<Meeting>,
    /// Whether it was kept.
    pub kept: bool,
}

/// A match of a stage's network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The other's stage; none for random weights.
    pub against: Option<String>,
    /// Nodes for each move.
    pub nodes: u32,
    /// What came of it.
    pub score: Score,
}

impl Row {
    /// Hidden units, and king buckets where there are several.
    pub fn units(&self) -> String {
        if self.king_buckets == 1 {
            self.hidden.to_string()
        } else {
            format!("{} x {}", self.hidden, self.king_buckets)
        }
    }

    /// Elo against the parent, and half its 95 % interval.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let estimate = self.meetings.first()?.score.estimate()?;
        Some((estimate.elo, estimate.elo_error))
    }
}

/// Why a loop cannot go on.
#[derive(Debug)]
pub enum StateError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is no loop's state.
    Syntax(PathBuf, serde_json::Error),
    /// There is one already, and nobody asked to go on with it.
    Exists(PathBuf),
    /// What was done already has another recipe now; how it differs, in words.
    OtherRecipe(PathBuf, String),
    /// Another loop runs in this folder.
    Running(PathBuf),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            StateError::Syntax(path, error) => write!(f, "{} is no loop's state: {error}", path.display()),
            StateError::Exists(path) => write!(f, "{} exists; --resume goes on with it", path.display()),
            StateError::OtherRecipe(path, how) => {
                write!(f, "{} belongs to another recipe: {how}", path.display())
            }
            StateError::Running(folder) => write!(f, "another loop runs in {}", folder.display()),
        }
    }
}

impl std::error::Error for StateError {}

/// The file's name in a loop's folder.
const FILE: &str = "state.json";

impl State {
    /// Begins a loop in a folder, or goes on with the one that is there. Stages that were not done yet may have
    /// changed.
    ///
    /// # Errors
    /// If there is one and it is not to be resumed, or belongs to another recipe.
    pub fn open(folder: &Path, recipe: &LoopRecipe, resume: bool) -> Result<State, StateError> {
        let path = folder.join(FILE);
        let failed = |error| StateError::Io(path.clone(), error);
        if !path.exists() {
            return Ok(State { recipe: recipe.clone(), rows: Vec::new(), sittings: 1 });
        }
        if !resume {
            return Err(StateError::Exists(path));
        }
        let text = fs::read_to_string(&path).map_err(failed)?;
        let state: State =
            serde_json::from_str(&text).map_err(|error| StateError::Syntax(path.clone(), error))?;
        let old = &state.recipe;
        if old.name != recipe.name {
            let how = format!("its name was {:?}, not {:?}", old.name, recipe.name);
            return Err(StateError::OtherRecipe(path, how));
        }
        if old.seed != recipe.seed {
            let how = format!("its seed was {}, not {}", old.seed, recipe.seed);
            return Err(StateError::OtherRecipe(path, how));
        }
        let done = state.rows.len();
        let old = state.recipe.stages.iter().take(done);
        let different = old.zip(recipe.stages.iter().map(Some).chain(std::iter::repeat(None)));
        let different = different.into_iter().find(|(old, new)| Some(*old) != *new);
        if let Some((stage, _)) = different {
            let how = format!("stage {:?} was done with other entries, or with another --scale", stage.name);
            return Err(StateError::OtherRecipe(path, how));
        }
        Ok(State { recipe: recipe.clone(), rows: state.rows, sittings: state.sittings + 1 })
    }

    /// Writes it, to a folder that is made if there is none.
    ///
    /// # Errors
    /// If the disk is full, and the like.
    pub fn save(&self, folder: &Path) -> Result<(), StateError> {
        let path = folder.join(FILE);
        fs::create_dir_all(folder).map_err(|error| StateError::Io(folder.to_owned(), error))?;
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| StateError::Syntax(path.clone(), error))?;
        files::replace(&path, (text + "\n").as_bytes()).map_err(|error| StateError::Io(path, error))
    }

    /// The last stage whose network was kept.
    pub fn champion(&self) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.kept)
    }
}
