//! Test suites: positions with known answers (EPD), given to engines.

mod position;
mod run;

pub use position::{SuiteError, SuitePosition};
pub use run::{Attempt, SuiteTotal, attempt};
