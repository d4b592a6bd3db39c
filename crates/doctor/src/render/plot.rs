//! Plots as SVG, without anything from outside.

use std::fmt::Write;

use crate::finding::{Plot, PlotKind};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 44.0;

/// Colours that can be told apart, also by those who do not see red and green.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"];

/// Draws a plot.
pub fn svg(plot: &Plot) -> String {
    let logarithmic = plot.kind == PlotKind::Logarithmic;
    let height_of = |y: f64| if logarithmic { y.max(1.0).log10() } else { y };
    let points = || plot.curves.iter().flat_map(|curve| curve.points.iter());
    if points().next().is_none() {
        return String::new();
    }
    let (mut x_low, mut x_high) = range(points().map(|point| point.0));
    let (mut y_low, mut y_high) = range(points().map(|point| height_of(point.1)));
    if plot.kind == PlotKind::Bars {
        (x_low, x_high, y_low) = (x_low - 5.0, x_high + 5.0, 0.0);
    }
    if !logarithmic && y_low > 0.0 {
        y_low = 0.0;
    }
    if x_high - x_low < 1e-9 {
        x_high = x_low + 1.0;
    }
    if y_high - y_low < 1e-9 {
        y_high = y_low + 1.0;
    }
    let x_of = |x: f64| LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
    let y_of = |y: f64| HEIGHT - BOTTOM - (height_of(y) - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM);
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">", escape(&plot.title));
    let _ = write!(out, "<text class=\"title\" x=\"{LEFT}\" y=\"18\">{}</text>", escape(&plot.title));
    for y in ticks(y_low, y_high) {
        let shown = if logarithmic { 10f64.powf(y) } else { y };
        let at = y_of(shown);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>",
            WIDTH - RIGHT
        );
        let _ = write!(
            out,
            "<text class=\"tick\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            short(shown)
        );
    }
    for x in ticks(x_low, x_high) {
        let _ = write!(
            out,
            "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x_of(x),
            HEIGHT - BOTTOM + 16.0,
            short(x)
        );
    }
    let _ = write!(
        out,
        "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 8.0,
        escape(&plot.x)
    );
    let _ = write!(
        out,
        "<text class=\"tick\" text-anchor=\"middle\" transform=\"translate(14 {:.1}) rotate(-90)\">{}</text>",
        f64::midpoint(TOP, HEIGHT - BOTTOM),
        escape(&plot.y)
    );
    for (index, curve) in plot.curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        if plot.kind == PlotKind::Bars {
            for &(x, y) in &curve.points {
                let (top, base) = (y_of(y), y_of(0.0));
                let width = (x_of(x_low + 8.0) - x_of(x_low)).clamp(2.0, 40.0);
                let _ = write!(
                    out,
                    "<rect fill=\"{colour}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                    x_of(x) - width / 2.0,
                    base - top
                );
            }
        } else {
            let path: Vec<String> =
                curve.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", x_of(x), y_of(y))).collect();
            let width = if index == 0 { 2.5 } else { 1.3 };
            let _ = write!(
                out,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{}\"/>",
                path.join(" ")
            );
            for &(x, y) in &curve.points {
                let _ = write!(
                    out,
                    "<circle fill=\"{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{width}\"/>",
                    x_of(x),
                    y_of(y)
                );
            }
        }
        if !curve.name.is_empty() && plot.curves.len() > 1 {
            let y = TOP + 14.0 * (index as f64 + 1.0);
            let x = WIDTH - RIGHT + 10.0;
            // Names in the ink of the page are read more easily than in the curve's colour, which a stroke before them shows.
            let (end, beside, middle, name) = (x + 12.0, x + 17.0, y - 3.5, escape(&curve.name));
            let _ = write!(
                out,
                "<line stroke=\"{colour}\" stroke-width=\"3\" x1=\"{x}\" x2=\"{end}\" y1=\"{middle}\" y2=\"{middle}\"/>\
                 <text class=\"tick\" x=\"{beside}\" y=\"{y}\">{name}</text>"
            );
        }
    }
    out.push_str("</svg>");
    out
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Round numbers from `low` to `high`, five or so.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|count| count as f64 * step).collect()
}

/// A number for a tick.
fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        format!("{:.1} M", value / 1e6)
    } else if size >= 1e4 {
        format!("{:.0} k", value / 1e3)
    } else if size >= 10.0 || value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

/// Text inside HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Curve;

    fn plot(kind: PlotKind, points: Vec<(f64, f64)>) -> Plot {
        let text = |text: &str| text.to_owned();
        Plot {
            title: text("a <b>"),
            x: text("x"),
            y: text("y"),
            kind,
            curves: vec![Curve { name: text("c"), points }],
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(-24.0, 97.0), [0.0, 50.0]);
        assert_eq!(ticks(1.0, 9.0), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(0.0, 200.0), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!((short(6.0), short(0.25), short(12_345.0)), ("6".into(), "0.25".into(), "12 k".into()));
    }

    #[test]
    fn every_kind_is_drawn_without_nonsense() {
        for kind in [PlotKind::Lines, PlotKind::Logarithmic, PlotKind::Bars] {
            for points in [vec![(1.0, 5.0)], vec![(0.0, 0.0), (1.0, 1e6)], vec![(-3.0, -2.0), (4.0, 9.0)]] {
                let svg = svg(&plot(kind, points));
                assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
                assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt;b&gt;"), "{svg}");
            }
        }
        assert!(svg(&plot(PlotKind::Lines, Vec::new())).is_empty());
    }
}
