//! The charts of an audit: one self-contained SVG, or an HTML page with the text below it.

use report::{Chart, Panel, Series, SeriesStyle, board_heatmap, figure, stacked_bar, svg_file};

use super::{Audit, LENGTH_STEP, SCORE_CLASSES, SCORE_STEP, class_score};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 900.0;
const BAR: &str = "#7a9cc6";
const CURVE: &str = "#c0504d";
/// Score bins with fewer positions are not plotted.
const MIN_POSITIONS: u64 = 30;

/// The charts as SVG.
pub fn svg(audit: &Audit) -> String {
    svg_file(&picture(audit))
}

/// Charts and text as one HTML page.
pub fn html(audit: &Audit) -> String {
    let body = maud::html! { (picture(audit)) pre { (audit) } };
    report::page("Training data", "", &body).into_string()
}

fn picture(audit: &Audit) -> maud::Markup {
    let headline =
        format!("{} games, {} positions, {} findings", audit.games, audit.positions, audit.findings().len());
    let share = |result: usize| audit.results[result] as f64 / audit.records().max(1) as f64;
    let results = [
        ("White wins", share(2), "#e8e2d4"),
        ("draws", share(1), "#b9c0c7"),
        ("Black wins", share(0), "#6b7684"),
    ];
    let (wide, tall) = (460.0, 250.0);
    let panel = |x: f64, y: f64, chart: Chart| Panel {
        x,
        y,
        width: wide,
        height: tall,
        content: chart.size(wide, tall).svg(),
    };
    let kings = |side: usize, name| Panel {
        x: 60.0 + 240.0 * side as f64,
        y: 630.0,
        width: 200.0,
        height: 240.0,
        content: board_heatmap(name, &audit.coverage.kings[side], 200.0, CURVE),
    };
    let panels = [
        Panel {
            x: 60.0,
            y: 50.0,
            width: WIDTH - 120.0,
            height: 22.0,
            content: stacked_bar(&results, (WIDTH - 120.0, 22.0)),
        },
        panel(20.0, 90.0, calibration(audit)),
        panel(510.0, 90.0, scores(audit)),
        panel(20.0, 360.0, pieces(audit)),
        panel(510.0, 360.0, lengths(audit)),
        kings(0, "White king"),
        kings(1, "Black king, from Black's side"),
    ];
    figure(&headline, (WIDTH, HEIGHT), &panels)
}

/// Points by score, as played and as fitted.
fn calibration(audit: &Audit) -> Chart {
    let range = f64::from(SCORE_STEP) * SCORE_CLASSES as f64;
    let classes = audit.scores.iter().enumerate().filter(|(_, group)| group.positions >= MIN_POSITIONS);
    let played = classes
        .map(|(class, group)| (f64::from(class_score(class)), group.white_points / group.positions as f64));
    let mut chart = Chart::new("White's points by score (cp)")
        .x_range(-range, range)
        .y_range(0.0, 1.0)
        .series(Series::new(SeriesStyle::Dots, "", played.collect()).color(BAR));
    if let Some(fit) = audit.calibration(None) {
        let scores = (0..=100).map(|step| range * (f64::from(step) / 50.0 - 1.0));
        let fitted = scores.map(|score| (score, fit.points(score))).collect();
        chart = chart.series(Series::line("", fitted).color(CURVE));
    }
    chart
}

fn scores(audit: &Audit) -> Chart {
    let bars = audit.scores.iter().enumerate();
    let bars = bars.map(|(class, group)| (f64::from(class_score(class)), group.positions as f64));
    histogram("Positions by score, White's point of view (cp)", bars.collect())
}

fn pieces(audit: &Audit) -> Chart {
    let bars = audit.coverage.pieces.iter().enumerate().skip(2);
    histogram(
        "Positions by number of pieces",
        bars.map(|(pieces, &count)| (pieces as f64, count as f64)).collect(),
    )
}

/// The last bin has all longer games.
fn lengths(audit: &Audit) -> Chart {
    let bars = audit.lengths.iter().enumerate();
    let bars = bars.map(|(class, &count)| ((class * LENGTH_STEP) as f64, count as f64));
    histogram("Games by length (plies)", bars.collect())
}

fn histogram(title: &str, bars: Vec<(f64, f64)>) -> Chart {
    Chart::new(title).series(Series::new(SeriesStyle::Bars, "", bars).color(BAR))
}
