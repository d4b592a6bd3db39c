//! `vedette net info`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use chess::Position;
use nnue::{AnyNetwork, Label, Layer, Survey};
use serde_json::{Value, json};

use crate::cli::json::JsonArguments;
use crate::cli::network_file;

#[derive(clap::Args)]
pub struct Arguments {
    /// Show these networks [default: the built-in network]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.json.open()?;
    let (mut out, mut networks) = (arguments.json.text(), Vec::new());
    let mut show = |name: &str, network: &AnyNetwork, label: &Label| {
        networks.push(as_json(name, network, label));
        print(&mut out, name, network, label)
    };
    if arguments.files.is_empty() {
        let Some((network, label)) = nnue::embedded()? else {
            return Err("this build has no network: give a file".into());
        };
        show("(built-in)", &AnyNetwork::Integer((*network).clone()), &label)?;
    }
    for path in &arguments.files {
        let (network, label) = network_file::load_any(path)?;
        show(&path.display().to_string(), &network, &label)?;
    }
    json.finish(|| json!({"schema": "vedette-net-info/1", "networks": networks}))
}

fn as_json(name: &str, network: &AnyNetwork, label: &Label) -> Value {
    let survey = Survey::of(network);
    let layer = |layer: &Layer| {
        let (min, max) = layer.range;
        json!({"min": min, "max": max, "mean_magnitude": layer.mean_size, "at_limit": layer.at_limit})
    };
    json!({
        "file": name, "shape": network.shape().to_string(), "numbers": network.numbers().to_string(),
        "hash": format!("{:016x}", label.hash), "features": layer(&survey.features),
        "biases": layer(&survey.bias), "first_layer": survey.layers.as_ref().map(|[first, _]| layer(first)),
        "second_layer": survey.layers.as_ref().map(|[_, second]| layer(second)),
        "outputs": layer(&survey.outputs), "idle_units": survey.idle_units, "head": network.shape().head().to_string(),
        "startpos": network.evaluate(&Position::startpos()), "description": label.description.trim_end(),
    })
}

fn print(out: &mut impl Write, name: &str, network: &AnyNetwork, label: &Label) -> io::Result<()> {
    let survey = Survey::of(network);
    writeln!(out, "{name}")?;
    writeln!(out, "  shape         {}", network.shape())?;
    writeln!(out, "  numbers       {}", network.numbers())?;
    writeln!(out, "  hash          {:016x}", label.hash)?;
    writeln!(out, "  features      {}", layer(&survey.features))?;
    writeln!(out, "  biases        {}", layer(&survey.bias))?;
    if let Some([first, second]) = &survey.layers {
        writeln!(out, "  first layer   {}", layer(first))?;
        writeln!(out, "  second layer  {}", layer(second))?;
    }
    writeln!(out, "  outputs       {}", layer(&survey.outputs))?;
    writeln!(out, "  idle units    {}", survey.idle_units)?;
    writeln!(out, "  startpos      {:+.0} centipawns", network.evaluate(&Position::startpos()))?;
    if label.description.trim().is_empty() {
        return writeln!(out, "  no description");
    }
    writeln!(out, "  description")?;
    label.description.trim_end().lines().try_for_each(|line| writeln!(out, "    {line}"))
}

fn layer(layer: &Layer) -> String {
    let (least, greatest) = layer.range;
    format!(
        "{least:+.3} to {greatest:+.3}, mean magnitude {:.4}, {} at the limit of {:.3}",
        layer.mean_size, layer.at_limit, layer.limit
    )
}
