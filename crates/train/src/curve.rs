//! How the loss fell: points on the way, and their picture as SVG.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// Where a training stood.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Positions seen.
    pub positions: u64,
    /// Mean loss of the steps since the point before, as they were taken.
    pub training_loss: f64,
    /// Mean loss over the data kept aside, if there is any.
    pub validation_loss: Option<f64>,
    /// The learning rate.
    pub learning_rate: f64,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 50.0;
/// Lines across the picture, with their numbers.
const TICKS: u32 = 5;
const TRAINING_COLOR: &str = "#7a9cc6";
const VALIDATION_COLOR: &str = "#c0392b";

/// The scales of a picture.
struct Frame {
    most_positions: f64,
    least: f64,
    most: f64,
}

impl Frame {
    fn around(points: &[Point]) -> Self {
        let losses =
            || points.iter().flat_map(|point| [Some(point.training_loss), point.validation_loss]).flatten();
        let least = losses().fold(f64::INFINITY, f64::min);
        let most = losses().fold(f64::NEG_INFINITY, f64::max);
        let margin = ((most - least) * 0.05).max(most.abs() * 0.001).max(f64::MIN_POSITIVE);
        let most_positions = points.iter().map(|point| point.positions).max().unwrap_or(0).max(1) as f64;
        Self { most_positions, least: least - margin, most: most + margin }
    }

    fn x(&self, positions: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * positions / self.most_positions
    }

    fn y(&self, loss: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (self.most - loss) / (self.most - self.least)
    }

    fn line(&self, color: &str, points: impl Iterator<Item = (u64, f64)>) -> String {
        let places: Vec<String> = points
            .map(|(positions, loss)| format!("{:.1},{:.1}", self.x(positions as f64), self.y(loss)))
            .collect();
        format!("<polyline fill='none' stroke='{color}' stroke-width='2' points='{}'/>\n", places.join(" "))
    }
}

/// The picture of a curve. The title is written above it.
pub fn draw(title: &str, points: &[Point]) -> String {
    let points: Vec<Point> = points.iter().filter(|point| point.training_loss.is_finite()).copied().collect();
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' font-family='sans-serif' \
         font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n\
         <text x='{LEFT}' y='20' font-size='15'>{}</text>\n",
        escape(title)
    );
    if points.is_empty() {
        return svg + "</svg>\n";
    }
    let frame = Frame::around(&points);
    for tick in 0..=TICKS {
        let share = f64::from(tick) / f64::from(TICKS);
        let loss = frame.least + (frame.most - frame.least) * share;
        let (x, y) = (frame.x(frame.most_positions * share), frame.y(loss));
        let positions = frame.most_positions * share / 1e6;
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<line x1='{LEFT}' x2='{:.0}' y1='{y:.1}' y2='{y:.1}' stroke='#ddd'/>\n\
             <text x='{:.0}' y='{:.1}' text-anchor='end'>{loss:.5}</text>\n\
             <text x='{x:.1}' y='{:.0}' text-anchor='middle'>{positions:.2}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            HEIGHT - BOTTOM + 18.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text x='{:.0}' y='{:.0}' text-anchor='middle'>million positions</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 12.0
    );
    svg += &frame.line(TRAINING_COLOR, points.iter().map(|point| (point.positions, point.training_loss)));
    svg += &frame.line(
        VALIDATION_COLOR,
        points.iter().filter_map(|point| Some((point.positions, point.validation_loss?))),
    );
    for (place, color, word) in [(0.0, TRAINING_COLOR, "training"), (100.0, VALIDATION_COLOR, "kept aside")] {
        let x = WIDTH - RIGHT - 190.0 + place;
        let _ = write!(
            svg,
            "<line x1='{x}' x2='{}' y1='36' y2='36' stroke='{color}' stroke-width='3'/>\n\
             <text x='{}' y='40'>{word}</text>\n",
            x + 20.0,
            x + 26.0
        );
    }
    svg + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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
        let frame = Frame::around(&points);
        assert!(frame.x(100.0) < frame.x(300.0));
        assert!(frame.y(0.1) < frame.y(0.04), "down is a larger y");
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
