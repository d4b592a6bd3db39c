//! What a training leaves behind: the network of integers, its floating-point weights, and the picture of its loss.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use nnue::{FloatNetwork, Network};
use support::files::replace;

use crate::curve::{self, Point};
use crate::example::Example;
use crate::recipe::Recipe;

/// Where a training's files are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The network of integers, as the engine reads it.
    pub network: PathBuf,
    /// The floating-point weights, to train on.
    pub floats: PathBuf,
    /// The picture of the loss.
    pub curve: PathBuf,
    /// The training itself, to go on with.
    pub checkpoint: PathBuf,
}

impl Files {
    /// In a folder, for a network's name.
    pub fn new(folder: &Path, name: &str) -> Self {
        let file = |ending: &str| folder.join(format!("{name}{ending}"));
        Self {
            network: file(".nnue"),
            floats: file(".float.nnue"),
            curve: file(".svg"),
            checkpoint: file(".checkpoint"),
        }
    }
}

/// How far the integers are from the floating-point network, in centipawns.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct QuantisationError {
    /// Positions that were compared.
    pub positions: usize,
    /// Mean distance.
    pub mean: f64,
    /// Largest distance.
    pub max: f64,
    /// Mean size of the values, to compare with.
    pub mean_value: f64,
}

/// Positions that are compared: enough for a mean, and done in a moment.
const COMPARED: usize = 4096;

impl QuantisationError {
    /// Compares two networks on positions spread over the examples.
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

/// What is known about a finished network.
pub struct NetworkReport<'a> {
    /// The recipe.
    pub recipe: &'a Recipe,
    /// The parent's hash, if it did not begin with random weights.
    pub parent: Option<u64>,
    /// What all values were multiplied by after the training, if they were.
    pub output_scale: Option<f32>,
    /// Games that were learned from.
    pub games: u64,
    /// Positions that were learned from.
    pub positions: usize,
    /// Steps that were taken.
    pub steps: u64,
    /// How the loss fell.
    pub points: &'a [Point],
}

impl NetworkReport<'_> {
    /// The words inside the network's file: how it came about, and the recipe.
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

    /// Writes the networks and the picture, and tells the hash of the network of integers.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, files: &Files, float: &FloatNetwork, network: &Network) -> io::Result<u64> {
        let description = self.describe();
        let bytes = network.write(&description);
        let (_, label) = Network::read(&bytes).map_err(io::Error::other)?;
        replace(&files.network, &bytes)?;
        replace(&files.floats, &float.write(&description))?;
        self.draw(files)?;
        Ok(label.hash)
    }

    /// Writes the picture.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn draw(&self, files: &Files) -> io::Result<()> {
        replace(&files.curve, curve::draw(&format!("{}: loss", self.recipe.name), self.points).as_bytes())
    }
}
