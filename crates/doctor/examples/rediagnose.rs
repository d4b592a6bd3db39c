//! Diagnoses the saved reports of a directory again, to see what a change of the causes does:
//! `cargo run --package doctor --example rediagnose -- DIRECTORY`.

use std::error::Error;
use std::path::{Path, PathBuf};

use doctor::diagnosis::diagnose;
use doctor::report::Report;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("missing directory of JSON reports")?;
    let entries = std::fs::read_dir(&directory)?.collect::<Result<Vec<_>, _>>()?;
    let mut reports: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    reports.retain(|path| path.extension().is_some_and(|end| end == "json"));
    reports.sort();
    for path in reports {
        println!("{}: {}", path.file_stem().unwrap_or_default().display(), ranking(&path)?);
    }
    Ok(())
}

/// The causes with their weights, and how many claims are ruled out.
fn ranking(path: &Path) -> Result<String, Box<dyn Error>> {
    let report: Report = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let diagnosis = diagnose(&report.findings);
    let causes: Vec<String> =
        diagnosis.explanations.iter().map(|ranked| format!("{} {:.1}", ranked.id, ranked.weight)).collect();
    Ok(format!("{} | excluded {}", causes.join(", "), diagnosis.excluded.len()))
}
