//! `vedette net info`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use chess::Position;
use nnue::shape::{FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT};
use nnue::{AnyNetwork, Label, Layer, Survey};

use crate::cli::network_file;

#[derive(clap::Args)]
pub struct Arguments {
    /// Show these networks [default: the built-in network]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    if arguments.files.is_empty() {
        let Some((network, label)) = nnue::embedded()? else {
            return Err("this build has no network: give a file".into());
        };
        return Ok(print(&mut out, "(built-in)", &AnyNetwork::Integer((*network).clone()), &label)?);
    }
    for path in &arguments.files {
        let (network, label) = network_file::load_any(path)?;
        print(&mut out, &path.display().to_string(), &network, &label)?;
    }
    Ok(())
}

fn print(out: &mut impl Write, name: &str, network: &AnyNetwork, label: &Label) -> io::Result<()> {
    let survey = Survey::of(network);
    writeln!(out, "{name}")?;
    writeln!(out, "  shape         {}", network.shape())?;
    writeln!(out, "  numbers       {}", network.numbers())?;
    writeln!(out, "  hash          {:016x}", label.hash)?;
    writeln!(out, "  features      {}", layer(&survey.features, FEATURE_WEIGHT_LIMIT))?;
    writeln!(out, "  biases        {}", layer(&survey.bias, FEATURE_WEIGHT_LIMIT))?;
    writeln!(out, "  outputs       {}", layer(&survey.outputs, OUTPUT_WEIGHT_LIMIT))?;
    writeln!(out, "  idle units    {}", survey.idle_units)?;
    writeln!(out, "  startpos      {:+.0} centipawns", network.evaluate(&Position::startpos()))?;
    if label.description.trim().is_empty() {
        return writeln!(out, "  no description");
    }
    writeln!(out, "  description")?;
    label.description.trim_end().lines().try_for_each(|line| writeln!(out, "    {line}"))
}

fn layer(layer: &Layer, limit: f32) -> String {
    let (least, greatest) = layer.range;
    format!(
        "{least:+.3} to {greatest:+.3}, mean magnitude {:.4}, {} at the limit of {limit:.3}",
        layer.mean_size, layer.at_limit
    )
}
