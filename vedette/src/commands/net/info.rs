//! `vedette net info`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use chess::Position;
use nnue::shape::{FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT};
use nnue::{AnyNetwork, Label, Layer, Survey};

use crate::cli::network_file;

/// What to look at.
#[derive(clap::Args)]
pub struct Arguments {
    /// Networks [default: the one inside the program]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Tells about one network after the other.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    if arguments.files.is_empty() {
        let Some((network, label)) = nnue::embedded()? else {
            return Err("there is no network inside this program; name a file".into());
        };
        return Ok(tell(&mut out, "(inside the program)", &AnyNetwork::Integer((*network).clone()), &label)?);
    }
    for path in &arguments.files {
        let (network, label) = network_file::load_any(path)?;
        tell(&mut out, &path.display().to_string(), &network, &label)?;
    }
    Ok(())
}

fn tell(out: &mut impl Write, name: &str, network: &AnyNetwork, label: &Label) -> io::Result<()> {
    let survey = Survey::of(network);
    writeln!(out, "{name}")?;
    writeln!(out, "  shape         {}", network.shape())?;
    writeln!(out, "  numbers       {}", network.numbers())?;
    writeln!(out, "  hash          {:016x}", label.hash)?;
    writeln!(out, "  features      {}", layer(&survey.features, FEATURE_WEIGHT_LIMIT))?;
    writeln!(out, "  units' bias   {}", layer(&survey.bias, FEATURE_WEIGHT_LIMIT))?;
    writeln!(out, "  outputs       {}", layer(&survey.outputs, OUTPUT_WEIGHT_LIMIT))?;
    writeln!(out, "  idle units    {}", survey.idle_units)?;
    writeln!(out, "  first move    {:+.0} centipawns", network.evaluate(&Position::startpos()))?;
    if label.description.trim().is_empty() {
        return writeln!(out, "  no description");
    }
    writeln!(out, "  description")?;
    label.description.trim_end().lines().try_for_each(|line| writeln!(out, "    {line}"))
}

fn layer(layer: &Layer, limit: f32) -> String {
    let (least, greatest) = layer.range;
    format!(
        "{least:+.3} to {greatest:+.3}, mean size {:.4}, {} at the limit of {limit:.3}",
        layer.mean_size, layer.at_limit
    )
}
