//! The results of a suite as text, CSV and JSON.

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

pub fn csv(engines: &[EngineConfig], answers: &[Vec<Attempt>]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = "engine,position,move,solved,points,most_points,solved_ms,ms,depth,nodes\n".to_owned();
    for (engine, attempts) in engines.iter().zip(answers) {
        for attempt in attempts {
            let solved = attempt.solved_after.map_or(String::new(), |after| after.as_millis().to_string());
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{solved},{},{},{}",
                quoted(&engine.name),
                quoted(&attempt.id),
                attempt.best,
                attempt.solved,
                attempt.points,
                attempt.most_points,
                attempt.elapsed.as_millis(),
                attempt.depth,
                attempt.nodes
            );
        }
    }
    text
}

pub fn json(engines: &[EngineConfig], answers: &[Vec<Attempt>]) -> serde_json::Value {
    let engine = |(engine, attempts): (&EngineConfig, &Vec<Attempt>)| serde_json::json!({"engine": engine.name, "total": SuiteTotal::of(attempts), "positions": attempts});
    engines.iter().zip(answers).map(engine).collect()
}
