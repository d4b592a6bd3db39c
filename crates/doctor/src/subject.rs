//! Which engine is tested, and with which options.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use support::shell::split_arguments;
use uci::client::{Identity, Launch};

/// The engine's command line and the options to set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Program and arguments, as one line.
    pub command: String,
    pub options: Vec<(String, String)>,
}

impl Subject {
    /// Command and options for a report.
    pub fn description(&self) -> String {
        let options = self.options.iter().map(|(name, value)| format!("; {name} = {value}"));
        std::iter::once(self.command.clone()).chain(options).collect()
    }

    /// The user's options, and one thread unless the user set it, so that searches are reproducible.
    pub fn options_for(&self, identity: &Identity) -> Vec<(String, String)> {
        let is_threads = |name: &str| name.eq_ignore_ascii_case("Threads");
        let chosen = self.options.iter().any(|(name, _)| is_threads(name));
        let one = (!chosen && identity.option("Threads").is_some()).then(|| ("Threads".into(), "1".into()));
        one.into_iter().chain(self.options.iter().cloned()).collect()
    }

    pub(crate) fn launch(&self) -> Launch {
        let mut arguments = split_arguments(&self.command).into_iter();
        let program = PathBuf::from(arguments.next().unwrap_or_default());
        Launch { program, arguments: arguments.collect(), directory: None }
    }
}
