//! What judges positions, as the words of a command line say it: `bench` and `selfplay` share them.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use engine::evaluation::Evaluation;

use crate::network_file;

/// Who judges positions.
#[derive(clap::Args)]
pub struct JudgeArguments {
    /// What judges positions [default: the network inside the program, if there is one]
    #[arg(long, value_enum)]
    evaluation: Option<Judge>,
    /// Judge by the network in this file
    #[arg(long, value_name = "FILE", conflicts_with = "evaluation")]
    network: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Judge {
    /// The network inside the program
    Network,
    /// Rules and weights
    Classical,
}

impl JudgeArguments {
    /// What judges positions, and its name.
    pub fn evaluation(&self) -> Result<(Evaluation, String), Box<dyn Error>> {
        let (network, label) = match (&self.network, self.evaluation) {
            (Some(path), _) => {
                let (network, label) = network_file::load(path)?;
                (Arc::new(network), label)
            }
            (None, Some(Judge::Classical)) => return Ok(classical()),
            (None, judge) => match (nnue::embedded()?, judge) {
                (Some(embedded), _) => embedded,
                (None, None) => return Ok(classical()),
                (None, Some(_)) => return Err("there is no network inside this program".into()),
            },
        };
        Ok((Evaluation::Network(network), format!("network {:016x}", label.hash)))
    }

    /// The same as UCI options, for engines that are set up by them.
    pub fn options(&self) -> Vec<(String, String)> {
        let option = |name: &str, value: String| vec![(name.to_owned(), value)];
        match (&self.network, self.evaluation) {
            (Some(path), _) => option("EvalFile", path.display().to_string()),
            (None, Some(Judge::Classical)) => option("Evaluation", "classical".to_owned()),
            (None, _) => Vec::new(),
        }
    }
}

fn classical() -> (Evaluation, String) {
    (Evaluation::Classical, "classical evaluation".to_owned())
}
