//! What the engine sends during the whole run, whatever was asked: the form of its lines, and the moves, PVs and scores of
//! its searches.

mod line_lint;
mod new_lines;
mod search_audit;

use uci::client::Tap;

use super::search_output::SearchOutput;
use line_lint::LineLint;
pub use line_lint::{Malformed, excerpt};
pub use new_lines::NewLines;
#[cfg(test)]
pub use search_audit::Faults;
pub use search_audit::{SearchAudit, plies_to_mate};

#[derive(Default)]
pub struct StreamAudit {
    lint: LineLint,
    searches: SearchAudit,
    new_lines: NewLines,
}

impl StreamAudit {
    /// Sees every line of the protocol.
    pub fn tap(&self) -> Tap {
        self.lint.tap()
    }

    pub fn add(&mut self, result: &SearchOutput) {
        self.attribute(&result.asked);
        self.searches.add(result);
        self.new_lines.add(result);
    }

    /// The commands that led to the malformed lines since the last call.
    pub fn attribute(&self, commands: &[String]) {
        self.lint.attribute(commands);
    }

    pub fn searches(&self) -> &SearchAudit {
        &self.searches
    }

    pub fn new_lines(&self) -> &NewLines {
        &self.new_lines
    }

    pub fn info_lines(&self) -> u64 {
        self.lint.info_lines()
    }

    pub fn malformed_lines(&self) -> u64 {
        self.lint.malformed_lines()
    }

    /// Malformed lines by kind.
    pub fn malformed(&self) -> Vec<(&'static str, Malformed)> {
        self.lint.malformed()
    }

    /// Takes the `info string` lines since the last call.
    pub fn take_strings(&self) -> Vec<String> {
        self.lint.take_strings()
    }
}
