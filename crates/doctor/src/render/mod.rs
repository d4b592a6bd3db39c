//! The report as people read it: on the terminal, and as one HTML file that needs nothing else.

mod html;
mod terminal;

pub use html::html;
pub use terminal::{comparison, list, repro, terminal};
