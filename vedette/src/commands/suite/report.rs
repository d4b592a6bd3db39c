//! The results of a suite as text, CSV and JSON.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use arena::config::EngineConfig;
use arena::suite::{Attempt, SuiteTotal};
use serde_json::{Value, json};
use uci::Score;

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
    let shown = if attempt.san.is_empty() { &attempt.best } else { &attempt.san };
    let mut text = format!("{} {shown:<6}", if attempt.solved { "+" } else { "-" });
    if let Some(score) = attempt.score {
        let _ = write!(text, " {score:>6}");
    }
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
        "fen",
        "expected",
        "move",
        "san",
        "score",
        "solved",
        "points",
        "most_points",
        "solved_seconds",
        "seconds",
        "depth",
        "nodes",
    ])?;
    for (engine, attempts) in engines.iter().zip(answers) {
        for attempt in attempts {
            let seconds = |time: Duration| time.as_secs_f64().to_string();
            let solved = attempt.solved_after.map_or(String::new(), seconds);
            let score = attempt.score.map_or(String::new(), |score| score.to_string());
            writer.write_record([
                &engine.name,
                &attempt.id,
                &attempt.fen,
                &attempt.expected,
                &attempt.best,
                &attempt.san,
                &score,
                &attempt.solved.to_string(),
                &attempt.points.to_string(),
                &attempt.most_points.to_string(),
                &solved,
                &seconds(attempt.elapsed),
                &attempt.depth.to_string(),
                &attempt.nodes.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Times are in seconds.
pub fn json(engines: &[EngineConfig], answers: &[Vec<Attempt>]) -> Value {
    let engine = |(engine, attempts): (&EngineConfig, &Vec<Attempt>)| {
        let positions: Vec<Value> = attempts.iter().map(attempt_json).collect();
        json!({"engine": engine.name, "command": super::command_line(engine),
               "total": total_json(&SuiteTotal::of(attempts)), "positions": positions})
    };
    let engines: Vec<Value> = engines.iter().zip(answers).map(engine).collect();
    json!({"schema": "vedette-suite/1", "engines": engines})
}

fn attempt_json(attempt: &Attempt) -> Value {
    let score = attempt.score.map(|score| match score {
        Score::Centipawns(value) => json!({"cp": value}),
        Score::Mate(moves) => json!({"mate": moves}),
    });
    json!({
        "id": attempt.id, "fen": attempt.fen, "expected": attempt.expected, "move": attempt.best, "san": attempt.san,
        "legal": attempt.legal, "solved": attempt.solved, "score": score, "points": attempt.points,
        "most_points": attempt.most_points, "solved_seconds": attempt.solved_after.map(|time| time.as_secs_f64()),
        "seconds": attempt.elapsed.as_secs_f64(), "depth": attempt.depth, "nodes": attempt.nodes,
    })
}

fn total_json(total: &SuiteTotal) -> Value {
    json!({
        "positions": total.tasks, "solved": total.solved, "illegal": total.illegal, "points": total.points,
        "most_points": total.most_points, "mean_solution_seconds": total.mean_solution.as_secs_f64(),
        "seconds": total.elapsed.as_secs_f64(), "nodes": total.nodes,
    })
}
