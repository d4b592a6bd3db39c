//! The output of a training: the quantised network, its floating-point weights and the loss curve.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use nnue::{FloatNetwork, Network};
use support::files::replace;

use crate::curve::{self, LossPoint};
use crate::example::Example;
use crate::recipe::Recipe;

/// The files of a training.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// Quantised, for the engine.
    pub network: PathBuf,
    /// Floating-point weights, for further training.
    pub floats: PathBuf,
    /// The loss curve as a chart.
    pub curve: PathBuf,
    /// The loss curve as CSV.
    pub points: PathBuf,
    /// To resume the training.
    pub checkpoint: PathBuf,
    /// Locked while it runs.
    pub lock: PathBuf,
}

impl Files {
    pub fn new(folder: &Path, name: &str) -> Self {
        let file = |ending: &str| folder.join(format!("{name}{ending}"));
        Self {
            network: file(".nnue"),
            floats: file(".float.nnue"),
            curve: file(".svg"),
            points: file(".csv"),
            checkpoint: file(".checkpoint"),
            lock: file(".lock"),
        }
    }
}

/// The difference between the quantised and the floating-point network, in centipawns.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct QuantisationError {
    pub positions: usize,
    pub mean: f64,
    pub max: f64,
    /// Mean absolute evaluation, to compare with.
    pub mean_value: f64,
}

/// Enough for a mean, and done in a moment.
const COMPARED: usize = 4096;

impl QuantisationError {
    /// On positions spread over the examples.
    pub fn measure(float: &FloatNetwork, network: &Network, examples: &[Example]) -> Self {
        let stride = (examples.len() / COMPARED).max(1);
        let mut quantisation = QuantisationError::default();
        let (mut distances, mut values) = (0.0, 0.0);
        for example in examples.iter().step_by(stride).take(COMPARED) {
            let Ok(position) = example.position() else { continue };
            let exact = f64::from(float.evaluate(&position));
            let distance = (exact - f64::from(network.evaluate_slow(&position))).abs();
            distances += distance;
            values += exact.abs();
            quantisation.max = quantisation.max.max(distance);
            quantisation.positions += 1;
        }
        let count = quantisation.positions.max(1) as f64;
        QuantisationError { mean: distances / count, mean_value: values / count, ..quantisation }
    }
}

/// How a network was made.
pub struct NetworkReport<'a> {
    pub recipe: &'a Recipe,
    /// The parent's hash; none for random weights.
    pub parent: Option<u64>,
    /// If it is not 1.
    pub output_scale: Option<f32>,
    pub games: u64,
    pub positions: usize,
    pub steps: u64,
    pub points: &'a [LossPoint],
}

impl NetworkReport<'_> {
    /// The description in the network file.
    pub fn describe(&self) -> String {
        let mut text = format!("{} positions of {} games, {} steps", self.positions, self.games, self.steps);
        if let Some(last) = self.points.last() {
            // Writing to a string cannot fail.
            let _ = write!(text, ", loss {:.6}", last.training_loss);
            if let Some(validation) = last.validation_loss {
                let _ = write!(text, ", validation {validation:.6}");
            }
        }
        if let Some(parent) = self.parent {
            let _ = write!(text, ", parent {parent:016x}");
        }
        if let Some(scale) = self.output_scale {
            let _ = write!(text, ", output scale {scale}");
        }
        text + "\n" + &self.recipe.write()
    }

    /// Writes all files, and returns the hash of the quantised network.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, files: &Files, float: &FloatNetwork, network: &Network) -> io::Result<u64> {
        let description = self.describe();
        let bytes = network.write(&description);
        let (_, label) = Network::read(&bytes).map_err(io::Error::other)?;
        replace(&files.floats, &float.write(&description))?;
        replace(&files.network, &bytes)?;
        self.draw(files)?;
        Ok(label.hash)
    }

    /// Writes the loss curve.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn draw(&self, files: &Files) -> io::Result<()> {
        replace(&files.curve, curve::draw(&format!("{}: loss", self.recipe.name), self.points).as_bytes())
    }
}
