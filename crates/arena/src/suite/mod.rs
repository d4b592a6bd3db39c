//! Test suites: positions with known answers (EPD), given to engines.

mod run;
mod task;

pub use run::{Attempt, Total, attempt};
pub use task::{Task, TaskError};
