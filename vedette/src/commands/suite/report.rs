//! The results of a suite as text, CSV and JSON.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};

use arena::config::EngineConfig;
use arena::suite::{Attempt, SuiteTotal};

pub fn progress(engine: &EngineConfig, answers: &[Option<Attempt>]) -> String {
    let done = answers.iter().flatten().count();
    let solved = answers.iter().flatten().filter(|attempt| attempt.solved).count();
    format!("{}: {done} of {} positions, {solved} solved", engine.name, answers.len())
}

pub fn print_positions(
    out: &mut impl Write,
    engines: &[EngineConfig],
    answers: &[Vec<Attempt>],
) -> io::Result<()> {
    let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
    writeln!(out, "{:<32} {}", "position", names.join(" | "))?;
    let longest = answers.iter().max_by_key(|list| list.len());
    for (index, answer) in longest.into_iter().flatten().enumerate() {
        let cells: Vec<String> =
            answers.iter().map(|list| list.get(index).map_or("no answer".to_owned(), cell)).collect();
        writeln!(out, "{:<32} {}", answer.id, cells.join(" | "))?;
    }
    Ok(())
}

fn cell(attempt: &Attempt) -> String {
    let mut text = format!("{} {:<5}", if attempt.solved { "+" } else { "-" }, attempt.best);
    if let Some(after) = attempt.solved_after {
        let _ = write!(text, " {:>8.3}s", after.as_secs_f64());
    }
    if attempt.most_points > 0 {
        let _ = write!(text, " {}/{}", attempt.points, attempt.most_points);
    }
    text
}

pub fn print_totals(
    out: &mut impl Write,
    engines: &[EngineConfig],
    answers: &[Vec<Attempt>],
) -> io::Result<()> {
    let width = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<width$} {:>13} {:>8} {:>14} {:>12} {:>10}",
        "engine", "solved", "%", "points", "mean time", "knps"
    )?;
    for (engine, attempts) in engines.iter().zip(answers) {
        let total = SuiteTotal::of(attempts);
        let share = 100.0 * f64::from(total.solved) / f64::from(total.tasks.max(1));
        let points = if total.most_points > 0 {
            format!("{}/{}", total.points, total.most_points)
        } else {
            "-".to_owned()
        };
        let speed = total.nodes as f64 / total.elapsed.as_secs_f64().max(1e-9) / 1000.0;
        writeln!(
            out,
            "{:<width$} {:>13} {share:>8.1} {points:>14} {:>11.3}s {speed:>10.0}",
            engine.name,
            format!("{}/{}", total.solved, total.tasks),
            total.mean_solution.as_secs_f64(),
        )?;
    }
    Ok(())
}

pub fn csv(engines: &[EngineConfig], answers: &[Vec<Attempt>]) -> Result<String, Box<dyn Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "engine",
        "position",
        "move",
        "solved",
        "points",
        "most_points",
        "solved_ms",
        "ms",
        "depth",
        "nodes",
    ])?;
    for (engine, attempts) in engines.iter().zip(answers) {
        for attempt in attempts {
            let solved = attempt.solved_after.map_or(String::new(), |after| after.as_millis().to_string());
            writer.write_record([
                &engine.name,
                &attempt.id,
                &attempt.best,
                &attempt.solved.to_string(),
                &attempt.points.to_string(),
                &attempt.most_points.to_string(),
                &solved,
                &attempt.elapsed.as_millis().to_string(),
                &attempt.depth.to_string(),
                &attempt.nodes.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

pub fn json(engines: &[EngineConfig], answers: &[Vec<Attempt>]) -> serde_json::Value {
    let engine = |(engine, attempts): (&EngineConfig, &Vec<Attempt>)| serde_json::json!({"engine": engine.name, "total": SuiteTotal::of(attempts), "positions": attempts});
    engines.iter().zip(answers).map(engine).collect()
}
