//! Game review: every position is searched by an engine; the scores give a graph of winning chances, the accuracy
//! of both sides, and the mistakes with better lines. `vedette analyse` and the studio use it. [`trace`] shows the
//! search tree of one position.
//!
//! [`read`] parses the games of a PGN text; a [`Reviewer`] has an engine search their positions;
//! [`GameReview::new`] turns the analyses into a review; [`annotate`], [`page`] and [`Review`] (as JSON) write it. A
//! [`Journal`] keeps analyses on disk, so that a review can be resumed.

mod chance;
pub mod explain;
mod game;
mod graph;
mod journal;
mod judgement;
pub mod motif;
mod page;
mod pgn;
mod reviewer;
mod source_game;
pub mod trace;

pub use chance::{chance, chance_of, game_accuracy, move_accuracy};
pub use explain::MoveExplanation;
pub use game::{ErrorCounts, GameReview, MoveReview, Retry, Sides};
pub use graph::graph;
pub use journal::{Journal, JournalError, JournalHeader};
pub use judgement::Judgement;
pub use page::{board, page};
pub use pgn::annotate;
pub use reviewer::{AnalysedPosition, PositionAnalysis, Reviewer, longer};
pub use source_game::{Broken, SourceGame, read};

use serde::{Deserialize, Serialize};

/// Version of the JSON format of [`Review`].
pub const SCHEMA: &str = "vedette-review/1";

/// All games of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    pub schema: String,
    pub engine: String,
    /// Search limits per position.
    pub limits: String,
    /// The games reviewed so far.
    pub games: Vec<GameReview>,
    pub broken: Vec<Broken>,
}
