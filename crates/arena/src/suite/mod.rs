//! Test suites: positions with known answers (EPD), given to engines.

mod run;
mod task;

pub use run::{Attempt, SuiteTotal, attempt};
pub use task::{SuiteError, SuitePosition};
