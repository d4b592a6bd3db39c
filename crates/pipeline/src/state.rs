//! What a pipeline has done so far, written after each stage so that it can be resumed. Games are not kept: they are played
//! again faster than copied.

use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use gpu::matches::MatchScore;
use nnue::shape::Head;
use serde::{Deserialize, Serialize};
use support::files::{self, FileLock};
use train::recipe::NetworkRecipe;

use crate::recipe::PipelineRecipe;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PipelineState {
    pub recipe: PipelineRecipe,
    /// Of finished stages.
    #[serde(alias = "rows")]
    pub results: Vec<StageResult>,
    /// How often the pipeline was started or resumed: each session has games of its own.
    #[serde(alias = "sittings")]
    pub sessions: u64,
}

/// The result of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageResult {
    /// Its name.
    pub stage: String,
    /// Of the network.
    pub hash: String,
    pub hidden: usize,
    #[serde(default = "train::recipe::one_bucket")]
    pub king_buckets: usize,
    #[serde(default = "crate::recipe::unscaled", alias = "size")]
    pub output_scale: f32,
    /// The network that played the games; none for random weights.
    pub parent: Option<String>,
    /// Per move.
    pub nodes: u32,
    pub games: u64,
    /// Positions recorded from these games.
    pub positions: u64,
    /// Positions of the whole window.
    pub window: u64,
    /// Training positions of all epochs together.
    pub seen: u64,
    /// At the end of the training.
    #[serde(alias = "result_share")]
    pub wdl_weight: f64,
    pub loss: Option<f64>,
    #[serde(alias = "aside")]
    pub validation_loss: Option<f64>,
    /// Of playing, training and matches.
    pub seconds: [f64; 3],
    pub nodes_per_second: f64,
    /// That fits the results of the stage's games best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_scale: Option<f64>,
    /// Training positions per second.
    pub training_speed: f64,
    /// The second network that was trained on the stage's positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerResult>,
    /// Against its parent first.
    #[serde(alias = "meetings")]
    pub matches: Vec<MatchResult>,
    pub kept: bool,
}

/// The result of training a learner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnerResult {
    /// Of the network.
    pub hash: String,
    pub network: NetworkRecipe,
    pub output_scale: f32,
    /// The stage whose learner it was continued from; none for random weights.
    pub parent: Option<String>,
    /// Training positions of all epochs together.
    pub seen: u64,
    /// At the end of the training.
    pub wdl_weight: f64,
    pub loss: Option<f64>,
    pub validation_loss: Option<f64>,
    /// Of training.
    pub seconds: f64,
    /// Training positions per second.
    pub training_speed: f64,
}

impl LearnerResult {
    /// Hidden units, king buckets if there are several, and the head if it is layered.
    pub fn units(&self) -> String {
        let units = units(self.network.hidden, self.network.king_buckets);
        match self.network.head {
            Head::Single => units,
            Head::Layered => format!("{units}, {}", Head::Layered),
        }
    }
}

fn units(hidden: usize, king_buckets: usize) -> String {
    if king_buckets == 1 { hidden.to_string() } else { format!("{hidden} x {king_buckets}") }
}

/// A match of a stage's network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The opponent's stage; none for random weights.
    pub against: Option<String>,
    /// Per move.
    pub nodes: u32,
    pub score: MatchScore,
}

impl StageResult {
    /// Hidden units, and king buckets if there are several.
    pub fn units(&self) -> String {
        units(self.hidden, self.king_buckets)
    }

    /// Elo against the parent, and half its 95 % interval.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let estimate = self.matches.first()?.score.estimate()?;
        Some((estimate.elo, estimate.elo_error))
    }
}

#[derive(Debug)]
pub enum StateError {
    Io(PathBuf, io::Error),
    Syntax(PathBuf, serde_json::Error),
    /// There is one already, and `resume` was not asked for.
    Exists(PathBuf),
    /// Finished stages had another recipe; how it differs.
    OtherRecipe(PathBuf, String),
    /// Another process runs a pipeline in this folder.
    Running(PathBuf),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            StateError::Syntax(path, error) => write!(f, "{}: not a pipeline state: {error}", path.display()),
            StateError::Exists(path) => write!(f, "{} exists: use --resume to continue", path.display()),
            StateError::OtherRecipe(path, how) => {
                write!(f, "{} belongs to another recipe: {how}", path.display())
            }
            StateError::Running(folder) => write!(f, "another process is running in {}", folder.display()),
        }
    }
}

impl std::error::Error for StateError {}

const FILE: &str = "state.json";
const LOCK: &str = "loop.lock";

/// Locks a folder, which is created if there is none.
///
/// # Errors
/// If another process holds the lock, or the folder cannot be written to.
pub(crate) fn lock_folder(folder: &Path) -> Result<FileLock, StateError> {
    files::create_dir_all(folder).map_err(|error| StateError::Io(folder.to_owned(), error))?;
    let path = folder.join(LOCK);
    FileLock::create(&path).map_err(|error| match error {
        TryLockError::WouldBlock => StateError::Running(folder.to_owned()),
        TryLockError::Error(error) => StateError::Io(path, error),
    })
}

impl PipelineState {
    /// Starts in a folder, or resumes. Stages that are not finished may have changed.
    ///
    /// # Errors
    /// If there is a state that is not to be resumed, or it has another recipe.
    pub fn open(folder: &Path, recipe: &PipelineRecipe, resume: bool) -> Result<PipelineState, StateError> {
        let path = folder.join(FILE);
        let failed = |error| StateError::Io(path.clone(), error);
        if !path.exists() {
            return Ok(PipelineState { recipe: recipe.clone(), results: Vec::new(), sessions: 1 });
        }
        if !resume {
            return Err(StateError::Exists(path));
        }
        let text = files::read_text(&path, files::CONTENT_LIMIT).map_err(failed)?;
        let state: PipelineState =
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
        let done = state.results.len();
        let old = state.recipe.stages.iter().take(done);
        let different = old.zip(recipe.stages.iter().map(Some).chain(std::iter::repeat(None)));
        let different = different.into_iter().find(|(old, new)| Some(*old) != *new);
        if let Some((stage, _)) = different {
            let how = format!("stage {:?} was run with other settings, or with another --scale", stage.name);
            return Err(StateError::OtherRecipe(path, how));
        }
        Ok(PipelineState { recipe: recipe.clone(), results: state.results, sessions: state.sessions + 1 })
    }

    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), StateError> {
        let path = folder.join(FILE);
        files::create_dir_all(folder).map_err(|error| StateError::Io(folder.to_owned(), error))?;
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| StateError::Syntax(path.clone(), error))?;
        files::replace(&path, (text + "\n").as_bytes()).map_err(|error| StateError::Io(path, error))
    }

    /// The last stage with a learner.
    pub fn learner(&self) -> Option<(&StageResult, &LearnerResult)> {
        self.results.iter().rev().find_map(|result| Some((result, result.learner.as_ref()?)))
    }

    /// The last stage whose network was kept.
    pub fn champion(&self) -> Option<&StageResult> {
        self.results.iter().rev().find(|result| result.kept)
    }
}
