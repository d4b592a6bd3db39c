//! Tells an engine author what is really wrong: examines any UCI engine from outside, measures, and ranks the causes
//! that fit. `vedette doctor` is its face, `docs/doctor.md` its book.
//!
//! The way of an examination: [`examine`] runs the checks of [`checks`] on a patient; each returns [`finding`]s;
//! [`diagnosis`] makes explanations of them; [`report`] holds it all and [`render`] writes it.

pub mod check;
pub mod checks;
pub mod compare;
pub mod diagnosis;
pub mod examine;
mod failures;
pub mod finding;
mod line_audit;
pub mod names;
pub mod pages;
mod patient;
mod process_time;
pub mod render;
pub mod report;
mod retrace;
mod samples;
mod sureness;
mod talk;

pub use patient::{Incident, Subject, Trouble};
