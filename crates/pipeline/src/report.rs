//! The results of a pipeline: a table and a chart of its generations.

use std::fmt::Write;
use std::io;
use std::path::Path;

use report::{Chart, Series, SeriesStyle, svg_file};
use support::files::replace;

use crate::recipe::learner_name;
use crate::state::{PipelineState, StageResult};

/// Writes `table.md` and `elo.svg`.
pub fn write(state: &PipelineState, folder: &Path) -> io::Result<()> {
    replace(&folder.join("table.md"), table(state).as_bytes())?;
    replace(&folder.join("elo.svg"), elo_chart(state).as_bytes())
}

fn millions(count: u64) -> String {
    if count < 1_000_000 { count.to_string() } else { format!("{:.1} M", count as f64 / 1e6) }
}

/// The error is infinite if all pairs have the same score.
fn elo_text((elo, error): (f64, f64)) -> String {
    if error.is_finite() { format!("{elo:+.1} ± {error:.1}") } else { format!("{elo:+.1}") }
}

/// As Markdown.
pub fn table(state: &PipelineState) -> String {
    let mut text = format!(
        "# {}\n\n| network | hash | hidden | scale | played by | nodes | games | positions | window | samples | WDL weight | \
         loss scale of the games | loss | validation | Elo vs. parent | other matches | seconds (play, train, match) | kept |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        state.recipe.name
    );
    for result in &state.results {
        let loss = |loss: Option<f64>| loss.map_or_else(String::new, |loss| format!("{loss:.6}"));
        let elo = |elo: Option<(f64, f64)>| elo.map_or_else(String::new, elo_text);
        let also: Vec<String> = (result.matches.iter().skip(1))
            .map(|other| {
                let estimate = other.score.estimate().map(|found| (found.elo, found.elo_error));
                format!("{}: {}", other.against.as_deref().unwrap_or("random weights"), elo(estimate))
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            result.stage,
            result.hash,
            result.units(),
            result.output_scale,
            result.parent.as_deref().unwrap_or("random weights"),
            result.nodes,
            result.games,
            millions(result.positions),
            millions(result.window),
            millions(result.seen),
            result.wdl_weight,
            scale_text(result.loss_scale),
            loss(result.loss),
            loss(result.validation_loss),
            elo(result.elo()),
            also.join(", "),
            result.seconds.map(|seconds| format!("{seconds:.1}")).join(", "),
            if result.kept { "yes" } else { "no" },
        );
    }
    text += &learners(state);
    let positions: u64 = state.results.iter().map(|result| result.positions).sum();
    let _ = writeln!(text, "\n{} positions in total.", millions(positions));
    text
}

/// The table of the learners; empty if there are none.
fn learners(state: &PipelineState) -> String {
    let found: Vec<_> =
        state.results.iter().filter_map(|result| Some((result, result.learner.as_ref()?))).collect();
    if found.is_empty() {
        return String::new();
    }
    let mut text = "\n| learner | hash | hidden | scale | continued from | window | samples | WDL weight | loss | validation \
                    | seconds |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (result, learner) in found {
        let loss = |loss: Option<f64>| loss.map_or_else(String::new, |loss| format!("{loss:.6}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} |",
            learner_name(&result.stage),
            learner.hash,
            learner.units(),
            learner.output_scale,
            learner.parent.as_deref().map_or_else(|| "random weights".to_owned(), learner_name),
            millions(result.window),
            millions(learner.seen),
            learner.wdl_weight,
            loss(learner.loss),
            loss(learner.validation_loss),
            learner.seconds,
        );
    }
    text
}

fn scale_text(scale: Option<f64>) -> String {
    scale.map_or_else(String::new, |scale| format!("{scale:.0}"))
}

/// Cumulative Elo by generation; rejected networks are separate points.
fn elo_chart(state: &PipelineState) -> String {
    let (mut kept, mut rejected) = (vec![(0.0, 0.0)], Vec::new());
    let mut level = 0.0;
    for (index, result) in state.results.iter().enumerate() {
        // A match won outright has infinite Elo.
        let there = level + result.elo().map_or(0.0, |(elo, _)| elo.clamp(-1000.0, 1000.0));
        let point = ((index + 1) as f64, there);
        if result.kept {
            level = there;
            kept.push(point);
        } else {
            rejected.push(point);
        }
    }
    let chart = Chart::new(format!("{}: cumulative Elo", state.recipe.name))
        .x_label("generation")
        .y_label("Elo")
        .series(Series::new(SeriesStyle::LineAndDots, "kept", kept))
        .series(Series::new(SeriesStyle::Dots, "rejected", rejected));
    svg_file(&chart.svg())
}

/// A summary in one line.
pub fn line(result: &StageResult) -> String {
    let elo = result.elo().map_or_else(String::new, |elo| format!(", {} Elo", elo_text(elo)));
    let verdict = if result.kept { "kept" } else { "rejected" };
    let learner = result.learner.as_ref().map_or_else(String::new, |learner| {
        format!("; learner ({} hidden) {}", learner.units(), learner.hash)
    });
    format!("{} ({} hidden){elo}: {verdict}{learner}", result.stage, result.units())
}
