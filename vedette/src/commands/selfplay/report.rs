//! Progress and summary of self-play, on the CPU or a GPU.

use std::error::Error;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use datagen::selfplay::{GameFile, SelfPlayProgress};
use serde_json::json;

use crate::cli::format::{duration_text, grouped, nps_text};
use crate::cli::interrupt::unless_interrupted;
use crate::cli::json::JsonOutput;

pub fn line(progress: &SelfPlayProgress) -> String {
    let left = progress.time_left().map_or_else(|| "?".to_owned(), duration_text);
    format!(
        "{:5.1} %  {} games  {} positions  {} positions/s  {}  {left} left",
        100.0 * progress.done(),
        grouped(progress.games),
        grouped(progress.positions),
        grouped(progress.positions_per_second() as u64),
        nps_text(progress.nodes_per_second()),
    )
}

/// Closes the file and reports a summary, as JSON and as text; `played` has what only this player can add.
pub fn close(
    file: GameFile,
    path: &Path,
    (json, mut out): (JsonOutput, Box<dyn Write>),
    played: Result<(SelfPlayProgress, String), impl Display>,
) -> Result<(), Box<dyn Error>> {
    // Keep what was played before a failure.
    let kept = file.finish();
    let (progress, more) = played.map_err(|error| format!("{}: {error}", path.display()))?;
    kept?;
    writeln!(
        out,
        "{} games with {} positions; this run: {} games, {} positions, {} nodes in {} ({} positions/s, {}, {more})",
        grouped(progress.games),
        grouped(progress.positions),
        grouped(progress.new_games),
        grouped(progress.new_positions),
        grouped(progress.nodes),
        duration_text(progress.elapsed),
        grouped(progress.positions_per_second() as u64),
        nps_text(progress.nodes_per_second()),
    )?;
    json.finish(|| {
        json!({
            "schema": "vedette-selfplay/1", "file": path, "complete": progress.is_complete(),
            "games": progress.games, "positions": progress.positions,
            "new_games": progress.new_games, "new_positions": progress.new_positions,
            "nodes": progress.nodes, "seconds": progress.elapsed.as_secs_f64(),
            "positions_per_second": progress.positions_per_second(), "nps": progress.nodes_per_second(),
        })
    })?;
    if !progress.is_complete() {
        writeln!(out, "interrupted; run the same command with --resume to continue")?;
        unless_interrupted()?;
    }
    Ok(())
}
