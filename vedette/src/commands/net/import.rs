//! `vedette net import`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use nnue::{BulletFormat, FloatNetwork};
use support::files::replace;

use crate::cli::network_file;
use crate::cli::stderr::stderr;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read this network, the quantised.bin of a checkpoint
    file: PathBuf,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write floating-point weights for further training instead of a network for the engine
    #[arg(long)]
    float: bool,
    /// Set QA: the integer that stands for 1.0 in a weight of the first layer
    #[arg(long, value_name = "N", default_value_t = 255, value_parser = clap::value_parser!(i16).range(1..))]
    qa: i16,
    /// Set QB: the integer that stands for 1.0 in an output weight
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(i16).range(1..))]
    qb: i16,
    /// Set the evaluation scale: centipawns of an output of 1.0
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    eval_scale: u16,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let format = BulletFormat {
        feature_one: arguments.qa,
        output_one: arguments.qb,
        scale: f32::from(arguments.eval_scale),
    };
    let path = &arguments.file;
    let named = |error: &dyn Error| format!("{}: {error}", path.display());
    let network =
        FloatNetwork::read_bullet(&network_file::bytes(path)?, format).map_err(|error| named(&error))?;
    let description = format!("imported from bullet: {}", path.file_name().unwrap_or_default().display());
    let clipped = network.beyond_limits();
    if clipped > 0 && !arguments.float {
        stderr!("Warning: {clipped} weights are too large for the engine and were clipped");
    }
    let bytes =
        if arguments.float { network.write(&description) } else { network.quantise().write(&description) };
    let output = &arguments.output;
    replace(output, &bytes).map_err(|error| format!("{}: {error}", output.display()))?;
    Ok(writeln!(io::stdout(), "{}: {}", output.display(), network.shape)?)
}
