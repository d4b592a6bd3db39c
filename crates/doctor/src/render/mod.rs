//! The report as text and as HTML.

mod html;
mod terminal;

pub use html::html;
pub use terminal::{comparison, list, repro, terminal};
