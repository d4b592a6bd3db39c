//! Test suites: positions with known answers, given to engines. `vedette suite` is its face.

pub mod run;
pub mod task;
