//! A chart of lines as SVG: the loss of a training, the strength of generations.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 50.0;
/// Lines across the picture, with their numbers.
const TICKS: u32 = 5;
/// Between the names of two lines.
const NAME_WIDTH: f64 = 100.0;

/// A chart.
pub struct Chart<'a> {
    /// Written above it.
    pub title: &'a str,
    /// What the numbers below it are.
    pub below: &'a str,
    /// Digits after the point of the numbers beside it.
    pub digits: usize,
    /// The lines.
    pub lines: Vec<Line<'a>>,
}

/// A line of a chart.
pub struct Line<'a> {
    /// What it shows.
    pub name: &'a str,
    /// Its colour in SVG's words.
    pub color: &'a str,
    /// Its points; those that are no numbers are left out.
    pub points: Vec<(f64, f64)>,
}

/// The scales of a chart, which begins at zero to the left.
struct Frame {
    width: f64,
    least: f64,
    most: f64,
}

impl Frame {
    fn around(points: impl Iterator<Item = (f64, f64)> + Clone) -> Frame {
        let least = points.clone().map(|(_, y)| y).fold(f64::INFINITY, f64::min);
        let most = points.clone().map(|(_, y)| y).fold(f64::NEG_INFINITY, f64::max);
        let margin = ((most - least) * 0.05).max(most.abs() * 0.001).max(f64::MIN_POSITIVE);
        let width = points.map(|(x, _)| x).fold(0.0, f64::max).max(1e-6);
        Frame { width, least: least - margin, most: most + margin }
    }

    fn x(&self, x: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * x / self.width
    }

    fn y(&self, y: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (self.most - y) / (self.most - self.least)
    }
}

impl Chart<'_> {
    /// The picture.
    pub fn draw(&self) -> String {
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' font-family='sans-serif' \
             font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n\
             <text x='{LEFT}' y='20' font-size='15'>{}</text>\n",
            escape(self.title)
        );
        let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let points = || self.lines.iter().flat_map(|line| line.points.iter().copied());
        if !points().any(|point| finite(&point)) {
            return svg + "</svg>\n";
        }
        let frame = Frame::around(points().filter(|point| finite(point)));
        // Writing to a string cannot fail.
        for tick in 0..=TICKS {
            let share = f64::from(tick) / f64::from(TICKS);
            let (right, up) = (frame.width * share, frame.least + (frame.most - frame.least) * share);
            let (x, y) = (frame.x(right), frame.y(up));
            let _ = write!(
                svg,
                "<line x1='{LEFT}' x2='{:.0}' y1='{y:.1}' y2='{y:.1}' stroke='#ddd'/>\n\
                 <text x='{:.0}' y='{:.1}' text-anchor='end'>{up:.*}</text>\n\
                 <text x='{x:.1}' y='{:.0}' text-anchor='middle'>{right:.2}</text>\n",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                self.digits,
                HEIGHT - BOTTOM + 18.0,
            );
        }
        let _ = writeln!(
            svg,
            "<text x='{:.0}' y='{:.0}' text-anchor='middle'>{}</text>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 12.0,
            escape(self.below)
        );
        let names_from = WIDTH - RIGHT + 10.0 - NAME_WIDTH * self.lines.len() as f64;
        for (index, line) in self.lines.iter().enumerate() {
            let (name, color) = (escape(line.name), line.color);
            let places: Vec<String> = (line.points.iter().filter(|point| finite(point)))
                .map(|&(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y)))
                .collect();
            let x = names_from + NAME_WIDTH * index as f64;
            let _ = write!(
                svg,
                "<polyline fill='none' stroke='{color}' stroke-width='2' points='{}'/>\n\
                 <line x1='{x}' x2='{}' y1='36' y2='36' stroke='{color}' stroke-width='3'/>\n\
                 <text x='{}' y='40'>{name}</text>\n",
                places.join(" "),
                x + 20.0,
                x + 26.0
            );
        }
        svg + "</svg>\n"
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_is_more_and_down_is_less() {
        let frame = Frame::around([(100.0, 0.1), (300.0, 0.04)].into_iter());
        assert!(frame.x(100.0) < frame.x(300.0));
        assert!(frame.y(0.1) < frame.y(0.04), "down is a larger y");
    }
}
