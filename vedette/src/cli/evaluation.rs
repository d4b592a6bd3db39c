//! The choice of an evaluation on the command line.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use engine::evaluation::{Evaluation, load_network};

#[derive(clap::Args)]
pub struct EvaluationArguments {
    /// Choose the evaluation [default: the built-in network, if there is one]
    #[arg(long, value_enum)]
    evaluation: Option<Choice>,
    /// Evaluate with this network file
    #[arg(long, value_name = "FILE", conflicts_with = "evaluation")]
    network: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Choice {
    /// The built-in network
    Network,
    /// The classical evaluation (HCE)
    Classical,
}

impl EvaluationArguments {
    /// The evaluation and its name.
    pub fn evaluation(&self) -> Result<(Evaluation, String), Box<dyn Error>> {
        let (network, label) = match (&self.network, self.evaluation) {
            (Some(path), _) => {
                let (network, label) = load_network(path)?;
                (Arc::new(network), label)
            }
            (None, Some(Choice::Classical)) => return Ok(classical()),
            (None, choice) => match (nnue::embedded()?, choice) {
                (Some(embedded), _) => embedded,
                (None, None) => return Ok(classical()),
                (None, Some(_)) => return Err("this build has no network: use --network FILE".into()),
            },
        };
        Ok((Evaluation::Network(network), format!("network {:016x}", label.hash)))
    }

    /// The same choice as UCI options.
    pub fn options(&self) -> Vec<(String, String)> {
        let option = |name: &str, value: String| vec![(name.to_owned(), value)];
        match (&self.network, self.evaluation) {
            (Some(path), _) => option("EvalFile", path.display().to_string()),
            (None, Some(Choice::Classical)) => option("Evaluation", "classical".to_owned()),
            (None, _) => Vec::new(),
        }
    }
}

fn classical() -> (Evaluation, String) {
    (Evaluation::Classical, "classical evaluation".to_owned())
}
