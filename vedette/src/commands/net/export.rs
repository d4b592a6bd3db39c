//! `vedette net export`.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use nnue::{AnyNetwork, Label};
use support::files::replace;

use crate::cli::network_file;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read this network, quantised or float
    file: PathBuf,
    /// Write this format
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// Scale the output by this factor
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    scale: Option<f32>,
    /// Write to this file [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// One JSON object with all weights
    Json,
    /// One line per row of weights
    Text,
    /// The quantised network file that the engine reads
    Nnue,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (mut network, mut label) = network_file::load_any(&arguments.file)?;
    if let Some(factor) = arguments.scale {
        let scaled = network.into_floats().scaled(factor);
        let beyond = scaled.beyond_limits();
        if beyond > 0 && matches!(arguments.format, Format::Nnue) {
            return Err(format!("invalid --scale {factor}: {beyond} weights would be clipped").into());
        }
        network = AnyNetwork::Float(scaled);
        label.description = format!("{}\nscaled: {factor}", label.description);
    }
    let Some(path) = &arguments.output else {
        return Ok(arguments.write(network, &label, &mut BufWriter::new(io::stdout().lock()))?);
    };
    let named = |error: io::Error| format!("{}: {error}", path.display());
    let mut content = Vec::new();
    arguments.write(network, &label, &mut content).map_err(named)?;
    Ok(replace(path, &content).map_err(named)?)
}

fn factor(text: &str) -> Result<f32, String> {
    let factor = text.parse().ok().filter(|factor| (0.01..=100.0).contains(factor));
    factor.ok_or_else(|| "expected 0.01..=100".to_owned())
}

impl Arguments {
    fn write(&self, network: AnyNetwork, label: &Label, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Json => network.write_json(label, out)?,
            Format::Text => network.write_text(out)?,
            Format::Nnue => out.write_all(&network.into_integers().write(&label.description))?,
        }
        out.flush()
    }
}
