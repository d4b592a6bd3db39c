//! Figures of several charts, and two graphics that are not charts.

use maud::{Markup, html};

use crate::chart::px;

/// A graphic inside a figure, and its position.
pub struct Panel {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub content: Markup,
}

/// Several graphics in one, on white.
pub fn figure(title: &str, (width, height): (f64, f64), panels: &[Panel]) -> Markup {
    html! {
        svg viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(title)
            font-family="system-ui, sans-serif" font-size="13" color="#222" fill="currentColor" {
            rect width="100%" height="100%" fill="white" {}
            text x=(px(width / 2.0)) y="24" text-anchor="middle" { (title) }
            @for panel in panels {
                svg x=(px(panel.x)) y=(px(panel.y)) width=(px(panel.width)) height=(px(panel.height)) { (panel.content) }
            }
        }
    }
}

/// One bar divided into parts of a whole: name, share and colour of each. Shares below 8 % get no label.
pub fn stacked_bar(parts: &[(&str, f64, &str)], (width, height): (f64, f64)) -> Markup {
    let starts = parts.iter().scan(0.0, |sum, part| {
        let start = *sum;
        *sum += part.1;
        Some(start)
    });
    html! {
        svg viewBox={ "0 0 " (width) " " (height) } font-size="13" fill="currentColor" {
            @for ((name, share, color), start) in parts.iter().zip(starts) {
                rect x=(px(start * width)) y="0" width=(px(share * width)) height=(px(height)) fill=(color) stroke="currentColor" {}
                @if *share > 0.08 {
                    text x=(px((start + share / 2.0) * width)) y=(px(height / 2.0 + 4.5)) text-anchor="middle" {
                        (name) " " (px(100.0 * share)) " %"
                    }
                }
            }
        }
    }
}

/// A chess board, a1 at the bottom left, whose squares are the more opaque the greater the count. The scale
/// is logarithmic: kings are on a few squares nearly all the time.
pub fn board_heatmap(title: &str, counts: &[u64; 64], size: f64, color: &str) -> Markup {
    let scale = (counts.iter().copied().max().unwrap_or(0) as f64 + 1.0).ln().max(1e-9);
    let square = size / 8.0;
    html! {
        svg viewBox={ "0 0 " (size) " " (size + 40.0) } role="img" aria-label=(title) font-size="13"
            fill="currentColor" {
            text x=(px(size / 2.0)) y="14" text-anchor="middle" { (title) }
            @for (index, &count) in counts.iter().enumerate() {
                rect x=(px((index % 8) as f64 * square)) y=(px(20.0 + (7 - index / 8) as f64 * square)) width=(px(square))
                    height=(px(square)) fill=(color) fill-opacity=(format!("{:.3}", (count as f64 + 1.0).ln() / scale)) {
                    title { (count) }
                }
            }
            rect x="0" y="20" width=(px(size)) height=(px(size)) fill="none" stroke="currentColor" stroke-opacity="0.3" {}
            text x="0" y=(px(size + 35.0)) { "a" }
            text x=(px(size)) y=(px(size + 35.0)) text-anchor="end" { "h" }
        }
    }
}

/// A picture as the content of an `.svg` file: with its name space, which HTML does not need, and on white whatever the
/// viewer's theme is.
pub fn svg_file(chart: &Markup) -> String {
    let svg = chart.0.replacen(
        "<svg ",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:white;color:#222\" ",
        1,
    );
    format!("{svg}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chart, Series};

    #[test]
    fn panels_are_nested() {
        let content = Chart::new("inner").series(Series::line("", vec![(0.0, 1.0), (1.0, 3.0)])).svg();
        let panel = Panel { x: 10.0, y: 40.0, width: 320.0, height: 130.0, content };
        let svg = figure("outer", (400.0, 200.0), &[panel]).into_string();
        assert_eq!(svg.matches("<svg").count(), 3);
        assert!(svg.contains(">outer<") && svg.contains(">inner<"), "{svg}");
    }

    #[test]
    fn stacked_bar_labels_only_wide_parts() {
        let svg = stacked_bar(
            &[("won", 0.55, "#eee"), ("drawn", 0.4, "#bbb"), ("lost", 0.05, "#666")],
            (800.0, 22.0),
        );
        let svg = svg.into_string();
        assert!(svg.contains("won 55.0 %") && !svg.contains("lost"), "{svg}");
    }

    #[test]
    fn board_heatmap_puts_a1_bottom_left() {
        let mut counts = [0; 64];
        counts[0] = 7;
        let svg = board_heatmap("kings", &counts, 80.0, "red").into_string();
        let a1 =
            "<rect x=\"0.0\" y=\"90.0\" width=\"10.0\" height=\"10.0\" fill=\"red\" fill-opacity=\"1.000\">";
        assert!(svg.contains(a1), "{svg}");
    }

    #[test]
    fn svg_files_are_on_white() {
        let chart = Chart::new("t").series(Series::line("", vec![(0.0, 1.0)])).svg();
        assert!(
            svg_file(&chart)
                .starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:white")
        );
    }
}
