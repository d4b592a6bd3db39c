//! An audit as a picture: one SVG without any outside part, or the same in a page with the text below it.

use std::fmt::Write as _;

use super::{Audit, LENGTH_STEP, SCORE_CLASSES, SCORE_STEP, class_score};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 900.0;
const INK: &str = "#2b3a4a";
const BAR: &str = "#7a9cc6";
const CURVE: &str = "#c0504d";
/// Classes of scores with fewer positions jump about too much to be drawn.
const FEWEST: u64 = 30;

/// A place for a diagram.
struct Panel {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Panel {
    fn x(&self, part: f64) -> f64 {
        self.left + part * self.width
    }

    /// Upwards from the bottom.
    fn y(&self, part: f64) -> f64 {
        self.top + (1.0 - part) * self.height
    }

    fn frame(&self, out: &mut String, title: &str, left: &str, right: &str) {
        let (top, bottom, middle) = (self.top - 8.0, self.y(0.0) + 16.0, self.x(0.5));
        label(out, middle, top, "middle", title);
        label(out, self.left, bottom, "start", left);
        label(out, self.x(1.0), bottom, "end", right);
        let Panel { left, top, width, height } = self;
        let _ = write!(
            out,
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" fill="none" stroke="{INK}" stroke-opacity="0.3"/>"#
        );
    }

    fn bars(&self, out: &mut String, counts: &[u64]) {
        let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let step = 1.0 / counts.len().max(1) as f64;
        for (index, &count) in counts.iter().enumerate() {
            let part = count as f64 / most;
            let (x, y) = (self.x(index as f64 * step), self.y(part));
            let (width, height) = (step * self.width * 0.9, part * self.height);
            let _ = write!(
                out,
                r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{BAR}"/>"#
            );
        }
    }
}

fn label(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = write!(out, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="{INK}">{text}</text>"#);
}

/// The picture as SVG.
pub fn svg(audit: &Audit) -> String {
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>"#
    );
    let headline = format!(
        "{} games, {} positions, {} suspicious things",
        audit.games,
        audit.positions,
        audit.findings().len()
    );
    label(&mut out, WIDTH / 2.0, 24.0, "middle", &headline);
    results(&mut out, audit);
    calibration(&mut out, audit);
    histograms(&mut out, audit);
    for (side, name) in ["White's king", "Black's king, seen from Black"].into_iter().enumerate() {
        let panel = Panel { left: 60.0 + 240.0 * side as f64, top: 650.0, width: 200.0, height: 200.0 };
        kings(&mut out, &panel, name, &audit.coverage.kings[side]);
    }
    out + "</svg>\n"
}

/// The picture and the text as one page.
pub fn html(audit: &Audit) -> String {
    let text = audit.to_string().replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!doctype html>\n<meta charset=\"utf-8\"><title>Training games</title>\n{}<pre>{text}</pre>\n",
        svg(audit)
    )
}

/// A bar in three parts.
fn results(out: &mut String, audit: &Audit) {
    let panel = Panel { left: 60.0, top: 50.0, width: WIDTH - 120.0, height: 22.0 };
    let mut begin = 0.0;
    for (result, color, name) in
        [(2, "#e8e2d4", "White wins"), (1, "#b9c0c7", "drawn"), (0, "#6b7684", "Black wins")]
    {
        let part = audit.results[result] as f64 / audit.games.max(1) as f64;
        let (x, y, width, height) = (panel.x(begin), panel.top, part * panel.width, panel.height);
        let _ = write!(
            out,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{color}" stroke="{INK}"/>"#
        );
        if part > 0.08 {
            let text = format!("{name} {:.1} %", 100.0 * part);
            label(out, panel.x(begin + part / 2.0), panel.top + 16.0, "middle", &text);
        }
        begin += part;
    }
}

/// Points by score, as they are and as the fitted curve has them.
fn calibration(out: &mut String, audit: &Audit) {
    let panel = Panel { left: 60.0, top: 110.0, width: 420.0, height: 220.0 };
    let range = f64::from(SCORE_STEP) * SCORE_CLASSES as f64;
    panel.frame(out, "White's points by score", &format!("{:.0}", -range), &format!("{range:.0} cp"));
    label(out, panel.left - 6.0, panel.y(0.0), "end", "0");
    label(out, panel.left - 6.0, panel.y(1.0) + 10.0, "end", "1");
    let part = |score: f64| f64::midpoint(score / range, 1.0);
    for (class, group) in audit.scores.iter().enumerate().filter(|(_, group)| group.positions >= FEWEST) {
        let points = group.white_points / group.positions as f64;
        let (x, y) = (panel.x(part(f64::from(class_score(class)))), panel.y(points));
        let _ = write!(out, r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.5" fill="{BAR}"/>"#);
    }
    if let Some(fit) = audit.calibration(None) {
        let mut path = String::new();
        for step in 0..=100 {
            let score = range * (f64::from(step) / 50.0 - 1.0);
            let _ = write!(path, " {:.1},{:.1}", panel.x(part(score)), panel.y(fit.points(score)));
        }
        let _ = write!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{CURVE}" stroke-width="1.5"/>"#,
            path.trim_start()
        );
    }
}

fn histograms(out: &mut String, audit: &Audit) {
    let scores: Vec<u64> = audit.scores.iter().map(|group| group.positions).collect();
    let range = SCORE_STEP * SCORE_CLASSES as i32;
    let panel = Panel { left: 540.0, top: 110.0, width: 400.0, height: 220.0 };
    panel.bars(out, &scores);
    panel.frame(out, "Positions by score (White's view)", &format!("{}", -range), &format!("{range} cp"));

    let panel = Panel { left: 60.0, top: 380.0, width: 420.0, height: 200.0 };
    panel.bars(out, &audit.coverage.pieces[2..]);
    panel.frame(out, "Positions by number of pieces", "2", "32");

    let panel = Panel { left: 540.0, top: 380.0, width: 400.0, height: 200.0 };
    panel.bars(out, &audit.lengths);
    let longest = format!("{} plies and more", LENGTH_STEP * (audit.lengths.len() - 1));
    panel.frame(out, "Games by length", "0", &longest);
}

/// A board whose squares are the darker the more often the king stood there. The scale is logarithmic, for
/// nearly all kings stand on a few squares.
fn kings(out: &mut String, panel: &Panel, title: &str, counts: &[u64; 64]) {
    let most = counts.iter().copied().max().unwrap_or(0);
    let scale = (most as f64 + 1.0).ln().max(1e-9);
    let size = panel.width / 8.0;
    for (square, &count) in counts.iter().enumerate() {
        let (x, y) = (panel.left + (square % 8) as f64 * size, panel.top + (7 - square / 8) as f64 * size);
        let part = (count as f64 + 1.0).ln() / scale;
        let _ = write!(
            out,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{size:.1}" height="{size:.1}" fill="{CURVE}" fill-opacity="{part:.3}"><title>{count}</title></rect>"#
        );
    }
    panel.frame(out, title, "a", "h");
}
