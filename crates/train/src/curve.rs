//! How the loss fell: points on the way, and their picture as SVG.

use serde::{Deserialize, Serialize};

use crate::chart::{Chart, Line};

/// Where a training stood.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Positions seen.
    pub positions: u64,
    /// Mean loss of the steps since the point before, as they were taken.
    pub training_loss: f64,
    /// Mean loss over the data kept validation, if there is any.
    pub validation_loss: Option<f64>,
    /// The learning rate.
    pub learning_rate: f64,
}

/// The picture of a curve. The title is written above it.
pub fn draw(title: &str, points: &[Point]) -> String {
    let millions = |point: &Point| point.positions as f64 / 1e6;
    let training = points.iter().map(|point| (millions(point), point.training_loss)).collect();
    let validation =
        points.iter().filter_map(|point| Some((millions(point), point.validation_loss?))).collect();
    let chart = Chart {
        title,
        below: "million positions",
        digits: 5,
        lines: vec![
            Line { name: "training", color: "#7a9cc6", points: training },
            Line { name: "kept validation", color: "#c0392b", points: validation },
        ],
    };
    chart.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(positions: u64, loss: f64) -> Point {
        Point { positions, training_loss: loss, validation_loss: Some(loss), learning_rate: 0.001 }
    }

    #[test]
    fn a_falling_loss_is_a_falling_line() {
        let points = [point(100, 0.1), point(200, 0.05), point(300, 0.04)];
        let svg = draw("a <net>", &points);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("a &lt;net&gt;") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn nothing_and_sameness_can_be_drawn() {
        assert!(draw("none", &[]).ends_with("</svg>\n"));
        let svg = draw("one", &[point(0, 0.0)]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!draw("bad", &[point(1, f64::NAN)]).contains("NaN"));
    }
}
