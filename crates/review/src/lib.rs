//! Review of games: every position is judged by an engine; from the judgements come a graph of winning
//! chances, the accuracy of both sides, and the moves that went wrong with what would have been better.
//! `vedette analyse` and the studio use it.
//!
//! The way of a review: [`read`] takes the games out of a PGN text; a [`Reviewer`] gives their positions to an
//! engine and tells about each; [`GameReview::new`] turns the opinions into a review; [`annotate`], [`page`] and
//! [`Review`] (as JSON) write it down. A [`Journal`] keeps opinions on disk, so that a review can go on later.

mod chance;
mod game;
mod graph;
mod journal;
mod judgement;
mod page;
mod pgn;
mod reviewer;
mod subject;
pub mod trace;

pub use chance::{chance, game_accuracy, move_accuracy};
pub use game::{GameReview, MoveReview, Retry, Sides, Tally};
pub use graph::graph;
pub use journal::{Journal, JournalError, JournalHeader};
pub use judgement::Judgement;
pub use page::page;
pub use pgn::annotate;
pub use reviewer::{Opinion, Progress, Reviewer};
pub use subject::{Broken, Subject, read};

use serde::{Deserialize, Serialize};

/// The name and version of the format that [`Review`] is written in.
pub const SCHEMA: &str = "vedette-review/1";

/// All games of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Name and version of this format.
    pub schema: String,
    /// Who judged.
    pub engine: String,
    /// How long each position was thought about.
    pub limits: String,
    /// The games, as far as they have been reviewed.
    pub games: Vec<GameReview>,
    /// Games that could not be read, and where.
    pub broken: Vec<Broken>,
}
