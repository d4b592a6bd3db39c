//! What a loop shows: a table of its generations, and their strength as a picture.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use train::chart::{Chart, Line};

use super::state::{Row, State};

/// Writes `table.md` and `elo.svg`.
pub fn write(state: &State, folder: &Path) -> io::Result<()> {
    fs::write(folder.join("table.md"), table(state))?;
    fs::write(folder.join("elo.svg"), picture(state))
}

/// In millions, where it is one.
fn millions(count: u64) -> String {
    if count < 1_000_000 { count.to_string() } else { format!("{:.1} M", count as f64 / 1e6) }
}

/// Elo with its error. A match whose pairs all ended alike tells no error.
fn elo_text((elo, error): (f64, f64)) -> String {
    if error.is_finite() { format!("{elo:+.1} ± {error:.1}") } else { format!("{elo:+.1}") }
}

/// The generations as a table in Markdown.
pub fn table(state: &State) -> String {
    let mut text = format!(
        "# {}\n\n| network | hash | units | size | played by | nodes | games | positions | learned from | seen | results | \
         loss | kept aside | Elo against its parent | also | seconds (play, train, match) | kept |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        state.recipe.name
    );
    for row in &state.rows {
        let loss = |loss: Option<f64>| loss.map_or_else(String::new, |loss| format!("{loss:.6}"));
        let elo = |elo: Option<(f64, f64)>| elo.map_or_else(String::new, elo_text);
        let also: Vec<String> = (row.meetings.iter().skip(1))
            .map(|meeting| {
                let estimate = meeting.score.estimate().map(|found| (found.elo, found.elo_error));
                format!("{}: {}", meeting.against.as_deref().unwrap_or("random weights"), elo(estimate))
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.stage,
            row.hash,
            row.units(),
            row.size,
            row.parent.as_deref().unwrap_or("random weights"),
            row.nodes,
            row.games,
            millions(row.positions),
            millions(row.window),
            millions(row.seen),
            row.result_share,
            loss(row.loss),
            loss(row.aside),
            elo(row.elo()),
            also.join(", "),
            row.seconds.map(|seconds| format!("{seconds:.1}")).join(", "),
            if row.kept { "yes" } else { "no" },
        );
    }
    let positions: u64 = state.rows.iter().map(|row| row.positions).sum();
    let _ = writeln!(text, "\n{} positions were played in all.", millions(positions));
    text
}

/// Elo over the generations, added up from match to match; networks that were not kept stand beside the line.
fn picture(state: &State) -> String {
    let (mut kept, mut refused) = (vec![(0.0, 0.0)], Vec::new());
    let mut level = 0.0;
    for (index, row) in state.rows.iter().enumerate() {
        // A match that was won altogether has no end.
        let there = level + row.elo().map_or(0.0, |(elo, _)| elo.clamp(-1000.0, 1000.0));
        let point = ((index + 1) as f64, there);
        if row.kept {
            level = there;
            kept.push(point);
        } else {
            refused.push(point);
        }
    }
    let chart = Chart {
        title: &format!("{}: Elo, added up from match to match", state.recipe.name),
        below: "generation",
        digits: 0,
        lines: vec![
            Line { name: "kept", color: "#2c6e49", points: kept },
            Line { name: "refused", color: "#c0392b", points: refused },
        ],
    };
    chart.draw()
}

/// One line about a stage.
pub fn line(row: &Row) -> String {
    let elo = row.elo().map_or_else(String::new, |elo| format!(", {} Elo", elo_text(elo)));
    let word = if row.kept { "kept" } else { "refused" };
    format!("{} ({} units){elo}: {word}", row.stage, row.units())
}
