//! Tests any UCI engine from outside, measures, and ranks the causes of what failed. `vedette doctor` is its command line,
//! `docs/doctor.md` its guide.
//!
//! [`ExaminationPlan::run`] runs the [`checks`] on an engine; each returns [`finding`]s; [`diagnosis`] ranks the causes
//! that fit them; [`report`] holds it all and [`render`] writes it. Checks, findings and measures are declared once, in [`catalogue`].

pub mod catalogue;
pub mod check;
pub mod checks;
pub mod compare;
mod confidence;
pub mod diagnosis;
mod engine_under_test;
pub mod examine;
mod failures;
pub mod finding;
mod first_scores;
mod incident;
mod process_time;
pub mod render;
pub mod report;
mod repro_log;
pub mod revisions;
mod same_tree;
mod samples;
mod search_output;
mod stream_audit;
mod subject;
mod supervisor;

pub use examine::ExaminationPlan;
pub use incident::{EngineError, Incident};
pub use same_tree::{Iteration, SameTree, Tree};
pub use subject::Subject;
