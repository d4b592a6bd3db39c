//! The live view of a match: score, SPRT bar, speed, time left.

use std::time::Duration;

use super::pgn::clock_text;
use super::report::{MatchReport, ReportStyle, SprtState};

/// Width of the SPRT bar.
const BAR: usize = 40;

/// The lines of the view. `played` games were finished in `elapsed`; `running` games are in progress.
pub fn live_lines(
    report: &MatchReport,
    style: ReportStyle,
    played: u64,
    elapsed: Duration,
    running: usize,
) -> Vec<String> {
    let mut lines = report.lines(style);
    if let Some(state) = report.sprt_state() {
        lines.push(test_bar(&state));
        if let Some(forecast) = state.forecast {
            lines.push(format!(
                "Forecast: {:.0} more games, {:.0} % chance of accepting H1",
                forecast.games,
                forecast.pass * 100.0
            ));
        }
    }
    let rate = played as f64 / elapsed.as_secs_f64().max(1e-3) * 60.0;
    lines.push(format!(
        "{}, {rate:.1} games/min, {running} running, {} elapsed",
        report.progress(),
        clock_text(elapsed)
    ));
    lines
}

/// `H0 [......|===#......] H1`: the LLR between its bounds.
fn test_bar(state: &SprtState) -> String {
    let width = state.bounds.upper - state.bounds.lower;
    let place = |value: f64| {
        (((value - state.bounds.lower) / width).clamp(0.0, 1.0) * (BAR - 1) as f64).round() as usize
    };
    let (zero, now) = (place(0.0), place(state.llr));
    let bar: String = (0..BAR)
        .map(|i| match i {
            _ if i == now => '#',
            _ if i == zero => '|',
            _ if i > zero.min(now) && i < zero.max(now) => '=',
            _ => '.',
        })
        .collect();
    format!("H0 [{bar}] H1  LLR {:+.2}", state.llr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{EloModel, Sprt};

    #[test]
    fn bar_shows_the_llr() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).expect("valid");
        let bar = |llr| test_bar(&SprtState { test, llr, bounds: test.bounds(), forecast: None });
        assert!(bar(2.9).contains("=#"), "{}", bar(2.9));
        assert!(bar(-2.9).contains("#="), "{}", bar(-2.9));
        assert!(bar(-99.0).starts_with("H0 [#"), "{}", bar(-99.0));
        assert!(bar(99.0).contains("#] H1"), "{}", bar(99.0));
    }
}
