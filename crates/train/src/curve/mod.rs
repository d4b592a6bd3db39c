//! The loss curve: its chart as SVG, and the files that grow with it.

mod log;
mod tensorboard;

pub use log::CurveLog;

use report::{Chart, Series, svg_file};
use serde::{Deserialize, Serialize};

/// A point of the loss curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LossPoint {
    /// Training positions so far.
    pub positions: u64,
    /// Mean over the steps since the previous point.
    pub training_loss: f64,
    /// Mean over the validation set, if there is one.
    pub validation_loss: Option<f64>,
    pub learning_rate: f64,
}

/// As SVG.
pub fn draw(title: &str, points: &[LossPoint]) -> String {
    let millions = |point: &LossPoint| point.positions as f64 / 1e6;
    let training: Vec<_> = points.iter().map(|point| (millions(point), point.training_loss)).collect();
    let validation: Vec<_> =
        points.iter().filter_map(|point| Some((millions(point), point.validation_loss?))).collect();
    let losses = training.iter().chain(&validation).map(|&(_, loss)| loss);
    let Some((low, high)) = range(losses) else {
        // A training may be interrupted before its first point.
        return "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n".to_owned();
    };
    let chart = Chart::new(title)
        .x_label("million positions")
        .y_label("loss")
        .y_range(low, high)
        .series(Series::line("training", training))
        .series(Series::line("validation", validation));
    svg_file(&chart.svg())
}

/// Of finite losses, with a margin.
fn range(losses: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = losses
        .filter(|loss| loss.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)));
    let margin = ((high - low) * 0.05).max(high.abs() * 0.001).max(1e-9);
    (low <= high).then_some((low - margin, high + margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(positions: u64, loss: f64) -> LossPoint {
        LossPoint { positions, training_loss: loss, validation_loss: Some(loss), learning_rate: 0.001 }
    }

    #[test]
    fn falling_loss_falls() {
        let points = [point(100, 0.1), point(200, 0.05), point(300, 0.04)];
        let svg = draw("a <net>", &points);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("a &lt;net&gt;") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn empty_and_constant_curves_are_drawn() {
        assert!(draw("none", &[]).ends_with("</svg>\n"));
        let svg = draw("one", &[point(0, 0.0)]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!draw("bad", &[point(1, f64::NAN)]).contains("NaN"));
    }
}
