//! `vedette data audit`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use datagen::data::audit::{self, Audit};
use datagen::data::source;
use record::dataset::{DataEntry, DataFormat};
use serde_json::{Value, json};

use super::{PositionArguments, format_parser, with_progress};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::OutputFile;

#[derive(clap::Args)]
pub struct Arguments {
    /// Read games or positions from these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write charts to this file, .html or .svg
    #[arg(long, alias = "picture", value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Exit with code 1 if there are anomalies
    #[arg(long)]
    strict: bool,
    /// Read files of this format instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<DataFormat>,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    positions: PositionArguments,
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let json = self.json.open()?;
        let chart = self.chart.as_deref().map(OutputFile::open).transpose()?;
        let mut audit = Audit::new(self.positions.filter());
        let reading = with_progress(|progress| {
            source::read_entries(&self.files, self.from, |entry, origin, done| {
                progress(done);
                match entry {
                    DataEntry::Game(game) => audit.add(&game),
                    DataEntry::Position(sample) => audit.add_single(&sample, origin.format),
                }
                Ok(())
            })
        })?;
        audit.add_reading(reading);
        write!(self.json.text(), "{audit}")?;
        json.finish(|| as_json(&audit))?;
        if let (Some(file), Some(path)) = (chart, &self.chart) {
            file.finish(&if is_html(path) { audit::html(&audit) } else { audit::svg(&audit) })?;
        }
        match audit.findings().len() {
            findings if self.strict && findings > 0 => Err(format!("{findings} anomalies").into()),
            _ => Ok(()),
        }
    }
}

fn as_json(audit: &Audit) -> Value {
    let [black, draw, white] = audit.results;
    let calibration = audit.calibration(None).map(|fit| json!({"scale": fit.scale(), "shift": fit.shift()}));
    let files = audit.files.iter().map(|(path, games)| json!({"path": path, "games": games}));
    let damage = audit.damage.iter().map(|(path, damage)| {
        json!({
            "path": path, "offset": damage.offset, "bytes": damage.bytes, "fault": damage.fault.to_string(),
        })
    });
    let anomalies = audit.findings().iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "schema": "vedette-audit/1",
        "files": files.collect::<Vec<_>>(), "bytes": audit.bytes, "damage": damage.collect::<Vec<_>>(),
        "games": audit.games, "single_positions": audit.single_positions, "chess960_games": audit.chess960_games, "empty_games": audit.empty_games,
        "results": {"white": white, "draw": draw, "black": black}, "longest": audit.longest,
        "wrong_results": audit.wrong_results, "contradictions": audit.contradictions,
        "positions": audit.positions, "kept": audit.kept, "checks": audit.checks, "noisy": audit.noisy,
        "decided": audit.beyond,
        "duplicates": {
            "games": audit.distinct_games.duplicate_share(),
            "starts": audit.distinct_starts.duplicate_share(),
            "positions": audit.distinct_positions.duplicate_share(),
        },
        "calibration": calibration, "anomalies": anomalies,
    })
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"))
}
