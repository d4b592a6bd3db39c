//! The chart writer.

use maud::{Markup, html};

use crate::PALETTE;
use crate::axis::{Axis, range};

/// Room around the plot area: title above, tick labels to the left and below, legend to the right.
const LEFT: f64 = 64.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 44.0;
const RIGHT: f64 = 16.0;
const LEGEND: f64 = 150.0;

/// The vertical axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Begins at zero where all values are positive, unless [`Chart::y_range`] says otherwise.
    #[default]
    Linear,
    Logarithmic,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesStyle {
    Line,
    /// A line with a dot at every point.
    LineAndDots,
    /// A line, and everything below it filled.
    Area,
    Bars,
    Dots,
}

/// One series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub style: SeriesStyle,
    /// A CSS colour; the palette's next one where there is none.
    pub color: Option<String>,
    /// Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(style: SeriesStyle, name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), style, color: None, points }
    }

    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::new(SeriesStyle::Line, name, points)
    }

    #[must_use]
    pub fn color(mut self, color: impl Into<String>) -> Self {
        self.color = Some(color.into());
        self
    }
}

/// A single point with a tooltip, drawn above all series.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub x: f64,
    pub y: f64,
    pub color: String,
    pub tooltip: String,
}

/// A chart with one horizontal and one vertical axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    title: String,
    x_label: String,
    y_label: String,
    scale: Scale,
    size: Option<(f64, f64)>,
    x_range: Option<(f64, f64)>,
    y_range: Option<(f64, f64)>,
    x_ticks: Option<Vec<(f64, String)>>,
    y_ticks: Option<Vec<(f64, String)>>,
    background: Option<String>,
    rules: Vec<f64>,
    series: Vec<Series>,
    marks: Vec<Mark>,
}

impl Chart {
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    #[must_use]
    pub fn x_label(mut self, label: impl Into<String>) -> Self {
        self.x_label = label.into();
        self
    }

    #[must_use]
    pub fn y_label(mut self, label: impl Into<String>) -> Self {
        self.y_label = label.into();
        self
    }

    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Width and height in pixels; 640 by 260 unless set.
    #[must_use]
    pub fn size(mut self, width: f64, height: f64) -> Self {
        self.size = Some((width, height));
        self
    }

    #[must_use]
    pub fn x_range(mut self, low: f64, high: f64) -> Self {
        self.x_range = Some((low, high));
        self
    }

    #[must_use]
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y_range = Some((low, high));
        self
    }

    /// Labels below the chart, instead of round numbers.
    #[must_use]
    pub fn x_ticks(mut self, ticks: Vec<(f64, String)>) -> Self {
        self.x_ticks = Some(ticks);
        self
    }

    /// Labels beside the chart, instead of round numbers.
    #[must_use]
    pub fn y_ticks(mut self, ticks: Vec<(f64, String)>) -> Self {
        self.y_ticks = Some(ticks);
        self
    }

    /// A colour behind the plot area.
    #[must_use]
    pub fn background(mut self, color: impl Into<String>) -> Self {
        self.background = Some(color.into());
        self
    }

    /// A dashed horizontal line.
    #[must_use]
    pub fn rule(mut self, y: f64) -> Self {
        self.rules.push(y);
        self
    }

    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    #[must_use]
    pub fn mark(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// The chart as an `<svg>` element; nothing where no series has a point.
    pub fn svg(&self) -> Markup {
        let Some(frame) = self.frame() else { return html! {} };
        let Frame { width, height, .. } = frame;
        html! {
            svg viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(self.title)
                font-family="system-ui, sans-serif" font-size="11" fill="currentColor" {
                text x=(px(frame.left)) y="18" font-size="13" font-weight="600" { (self.title) }
                @if let Some(color) = &self.background {
                    rect x=(px(frame.left)) y=(px(frame.top)) width=(px(frame.right - frame.left))
                        height=(px(frame.bottom - frame.top)) fill=(color) {}
                }
                (self.grid(&frame))
                @for (index, series) in self.series.iter().enumerate() { (draw(series, self.color_of(index), &frame)) }
                @for &y in &self.rules {
                    line x1=(px(frame.left)) x2=(px(frame.right)) y1=(px(frame.y.pixel(y))) y2=(px(frame.y.pixel(y)))
                        stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="4 4" {}
                }
                @for mark in &self.marks {
                    circle cx=(px(frame.x.pixel(mark.x))) cy=(px(frame.y.pixel(mark.y))) r="4" fill=(mark.color) stroke="white" {
                        title { (mark.tooltip) }
                    }
                }
                @if self.has_legend() { (self.legend(&frame)) }
            }
        }
    }

    fn has_legend(&self) -> bool {
        self.series.len() > 1 && self.series.iter().any(|series| !series.name.is_empty())
    }

    fn color_of(&self, index: usize) -> &str {
        self.series[index].color.as_deref().unwrap_or(PALETTE[index % PALETTE.len()])
    }

    fn frame(&self) -> Option<Frame> {
        let points = || self.series.iter().flat_map(finite);
        let (mut x_low, mut x_high) = range(points().map(|point| point.0))?;
        let (mut y_low, y_high) = range(points().map(|point| point.1))?;
        let step = self
            .series
            .iter()
            .filter(|series| series.style == SeriesStyle::Bars)
            .map(bar_step)
            .reduce(f64::min);
        if let Some(step) = step {
            (x_low, x_high, y_low) = (x_low - step / 2.0, x_high + step / 2.0, y_low.min(0.0));
        }
        let logarithmic = self.scale == Scale::Logarithmic;
        if !logarithmic {
            y_low = y_low.min(0.0);
        }
        let ((x_low, x_high), (y_low, y_high)) =
            (self.x_range.unwrap_or((x_low, x_high)), self.y_range.unwrap_or((y_low, y_high)));
        let (width, height) = self.size.unwrap_or((640.0, 260.0));
        let right = width - if self.has_legend() { LEGEND } else { RIGHT };
        let bottom = height - if self.x_label.is_empty() { BOTTOM - 16.0 } else { BOTTOM };
        Some(Frame {
            width,
            height,
            left: LEFT,
            right,
            top: TOP,
            bottom,
            x: Axis::new(x_low, x_high, false, (LEFT, right)),
            y: Axis::new(y_low, y_high, logarithmic, (bottom, TOP)),
            bar: step.unwrap_or(1.0),
        })
    }

    fn grid(&self, frame: &Frame) -> Markup {
        let middle = f64::midpoint(frame.left, frame.right);
        html! {
            @for (y, text) in self.y_ticks.clone().unwrap_or_else(|| frame.y.ticks()) {
                @let at = frame.y.pixel(y);
                line x1=(px(frame.left)) x2=(px(frame.right)) y1=(px(at)) y2=(px(at)) stroke="currentColor" stroke-opacity="0.15" {}
                text x=(px(frame.left - 6.0)) y=(px(at + 4.0)) text-anchor="end" { (text) }
            }
            @for (x, text) in self.x_ticks.clone().unwrap_or_else(|| frame.x.ticks()) {
                text x=(px(frame.x.pixel(x))) y=(px(frame.bottom + 16.0)) text-anchor="middle" { (text) }
            }
            @if !self.x_label.is_empty() {
                text x=(px(middle)) y=(px(frame.height - 8.0)) text-anchor="middle" { (self.x_label) }
            }
            @if !self.y_label.is_empty() {
                text text-anchor="middle"
                    transform={ "translate(14 " (px(f64::midpoint(frame.top, frame.bottom))) ") rotate(-90)" } { (self.y_label) }
            }
        }
    }

    /// Names stand in the text colour, beside a stroke in the colour of the series.
    fn legend(&self, frame: &Frame) -> Markup {
        let x = frame.right + 10.0;
        html! {
            @for (index, series) in self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
                @let y = frame.top + 14.0 * (index as f64 + 1.0);
                line x1=(px(x)) x2=(px(x + 12.0)) y1=(px(y - 3.5)) y2=(px(y - 3.5)) stroke=(self.color_of(index)) stroke-width="3" {}
                text x=(px(x + 17.0)) y=(px(y)) { (series.name) }
            }
        }
    }
}

struct Frame {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Axis,
    y: Axis,
    /// Distance between two bars.
    bar: f64,
}

fn finite(series: &Series) -> impl Iterator<Item = (f64, f64)> + '_ {
    series.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// The smallest distance between two bars.
fn bar_step(series: &Series) -> f64 {
    let mut places: Vec<f64> = finite(series).map(|point| point.0).collect();
    places.sort_by(f64::total_cmp);
    places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.0).reduce(f64::min).unwrap_or(1.0)
}

fn draw(series: &Series, color: &str, frame: &Frame) -> Markup {
    let places: Vec<(f64, f64)> = finite(series).map(|(x, y)| (frame.x.pixel(x), frame.y.pixel(y))).collect();
    let path = || places.iter().map(|(x, y)| format!("{},{}", px(*x), px(*y))).collect::<Vec<_>>().join(" ");
    let base = frame.y.pixel(0.0).clamp(frame.top, frame.bottom);
    let width = (0.8 * (frame.x.pixel(frame.bar) - frame.x.pixel(0.0))).max(1.0);
    html! {
        @match series.style {
            SeriesStyle::Line => polyline points=(path()) fill="none" stroke=(color) stroke-width="2" {},
            SeriesStyle::LineAndDots => {
                polyline points=(path()) fill="none" stroke=(color) stroke-width="2" {}
                (dots(&places, color))
            }
            SeriesStyle::Area => {
                @if let (Some(first), Some(last)) = (places.first(), places.last()) {
                    polygon fill=(color)
                        points={ (px(first.0)) "," (px(base)) " " (path()) " " (px(last.0)) "," (px(base)) } {}
                }
                polyline points=(path()) fill="none" stroke="currentColor" stroke-width="1" {}
            }
            SeriesStyle::Bars => @for (x, y) in &places {
                rect x=(px(x - width / 2.0)) y=(px(y.min(base))) width=(px(width)) height=(px((y - base).abs())) fill=(color) {}
            },
            SeriesStyle::Dots => (dots(&places, color)),
        }
    }
}

fn dots(places: &[(f64, f64)], color: &str) -> Markup {
    html! { @for (x, y) in places { circle cx=(px(*x)) cy=(px(*y)) r="2.2" fill=(color) {} } }
}

/// A coordinate with one decimal.
pub(crate) fn px(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_styles_draw_finite_svg() {
        for style in [
            SeriesStyle::Line,
            SeriesStyle::LineAndDots,
            SeriesStyle::Area,
            SeriesStyle::Bars,
            SeriesStyle::Dots,
        ] {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                for points in [vec![(1.0, 5.0)], vec![(0.0, 0.0), (1.0, 1e6)], vec![(-3.0, -2.0), (4.0, 9.0)]]
                {
                    let chart = Chart::new("a <b>").scale(scale).series(Series::new(style, "c", points));
                    let svg = chart.svg().into_string();
                    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                    assert!(svg.contains("a &lt;b&gt;"), "{svg}");
                }
            }
        }
    }

    #[test]
    fn no_points_no_chart() {
        assert!(Chart::new("t").series(Series::line("", Vec::new())).svg().into_string().is_empty());
        assert!(
            Chart::new("t").series(Series::line("", vec![(0.0, f64::NAN)])).svg().into_string().is_empty()
        );
    }

    #[test]
    fn legend_only_for_several_series() {
        let one = Chart::new("t").series(Series::line("first", vec![(0.0, 1.0), (1.0, 2.0)]));
        assert!(!one.svg().into_string().contains(">first<"));
        let two = one.series(Series::line("second", vec![(0.0, 2.0)]));
        let svg = two.svg().into_string();
        assert!(svg.contains(">first<") && svg.contains(">second<"), "{svg}");
    }

    #[test]
    fn marks_have_tooltips() {
        let mark = Mark { x: 1.0, y: 50.0, color: "#c62828".into(), tooltip: "2... f6??".into() };
        let area = Series::new(SeriesStyle::Area, "", vec![(0.0, 50.0), (1.0, 90.0)]).color("#f0ece2");
        let chart =
            Chart::new("t").y_range(0.0, 100.0).rule(50.0).background("#4a4a4a").series(area).mark(mark);
        let svg = chart.svg().into_string();
        assert!(svg.contains("<title>2... f6??</title>") && svg.contains("stroke-dasharray"), "{svg}");
    }
}
