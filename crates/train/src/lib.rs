//! The trainer: from training data to a network file. `vedette train` is the command.
//!
//! A [`Recipe`] says what to do. [`Training::run`] does it: it reads the games, takes the steps on a [`backend`], reports
//! [`TrainingEvent`]s, and writes [`Files`]: the network, its float weights, the loss curve, and a checkpoint to resume from. An
//! interrupted training gives the same network as an uninterrupted one.
//!
//! Examples that are in memory already, as in the pipeline, are trained on with a [`TrainingPlan`] and a [`TrainingRun`]. Shape and
//! quantisation of networks are defined in the crate `nnue`.
//!
//! | module | holds |
//! |---|---|
//! | [`backend`] | the steps, on the CPU or a GPU, and what they take: batches, loss, optimizer |
//! | [`checkpoint`] | what a training is resumed from |
//! | [`parameters`] | the weights of a network as one list, and initial weights |
//! | [`random`] | stateless random numbers |
//! | [`recipe`] | recipes in TOML |
//!
//! ```
//! use train::Recipe;
//!
//! let recipe = Recipe::read(
//!     "name = 'small'\nnetwork.hidden = 64\ntraining.epochs = 2\nlearning_rate.peak = 0.001\ndata.files = ['games']",
//! )?;
//! assert_eq!(recipe.shape()?.hidden(), 64);
//! assert!(Recipe::read("name = 'none'").is_err(), "no network, no data");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod backend;
pub mod checkpoint;
mod curve;
mod data;
mod example;
mod export;
mod inputs;
mod loss;
mod optimizer;
pub mod parameters;
mod plan;
pub mod random;
pub mod recipe;
mod run;
mod schedule;
mod shuffle;
mod training;

pub use checkpoint::CheckpointError;
pub use curve::LossPoint;
pub use data::{LoadError, Loading};
pub use example::{EXAMPLE_BYTES, Example};
pub use export::{Files, NetworkReport, QuantisationError};
pub use loss::fitted_scale;
pub use plan::TrainingPlan;
pub use recipe::Recipe;
pub use run::{TrainingProgress, TrainingRun};
pub use training::{Finished, StartError, TrainError, Trained, Training, TrainingEvent};
