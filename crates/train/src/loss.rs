//! What is minimised: how far the network's expectation is from what the search and the game's result say.

use nnue::shape::SCALE;

use crate::example::Example;

/// The expectation of a value: 0 for lost, 1 for won.
fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// A loss for one step of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Centipawns in which the expectation goes from 50 % to 73 %.
    pub scale: f32,
    /// The power of the distance that is summed; 2 is the squared error.
    pub power: f32,
    /// Share of the game's result in what is to be predicted; the rest is the search's score.
    pub wdl_weight: f32,
}

/// A loss and its derivative by the network's output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Graded {
    /// The loss.
    pub loss: f32,
    /// How it grows with the output.
    pub slope: f32,
}

impl Loss {
    /// How much steeper the expectation is than the network's own unit of output.
    pub fn steepness(&self) -> f32 {
        SCALE as f32 / self.scale
    }

    /// The expectation that an example demands.
    pub fn target(&self, example: &Example) -> f32 {
        self.wdl_weight * example.points() + (1.0 - self.wdl_weight) * sigmoid(example.score() / self.scale)
    }

    /// Judges an output (1.0 stands for the network's scale in centipawns) by what was to be predicted.
    pub fn grade(&self, output: f32, target: f32) -> Graded {
        let steepness = self.steepness();
        let expected = sigmoid(output * steepness);
        let error = expected - target;
        let distance = error.abs();
        // The power below the loss's own, which the slope needs; the usual power has no need for `powf`.
        let squared = (self.power - 2.0).abs() < f32::EPSILON;
        let lower = if squared { distance } else { distance.powf(self.power - 1.0) };
        Graded {
            loss: lower * distance,
            slope: self.power * lower.copysign(error) * expected * (1.0 - expected) * steepness,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_the_derivative() {
        for power in [2.0, 2.5] {
            let loss = Loss { scale: 300.0, power, wdl_weight: 0.5 };
            for (output, target) in [(0.3, 0.9), (-1.2, 0.1), (2.0, 0.4), (0.0, 0.5)] {
                let step = 1e-2;
                let numeric = (loss.grade(output + step, target).loss
                    - loss.grade(output - step, target).loss)
                    / (2.0 * step);
                let slope = loss.grade(output, target).slope;
                assert!((slope - numeric).abs() < 1e-3, "{power} {output} {target}: {slope} {numeric}");
            }
        }
    }

    #[test]
    fn a_perfect_prediction_costs_nothing() {
        let loss = Loss { scale: SCALE as f32, power: 2.5, wdl_weight: 0.0 };
        let graded = loss.grade(0.75, sigmoid(0.75));
        assert_eq!(graded, Graded { loss: 0.0, slope: 0.0 });
    }
}
