//! `vedette data info`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use datagen::data::DataError;
use record::dataset::{self, DataFormat, DatasetReader};
use record::packed::PackedResult;
use serde_json::{Value, json};

use super::format_parser;
use crate::cli::format::grouped;
use crate::cli::json::JsonArguments;

#[derive(clap::Args)]
pub struct Arguments {
    /// Describe these files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read files of this format instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<DataFormat>,
    #[command(flatten)]
    json: JsonArguments,
}

/// What a file holds.
#[derive(Default)]
struct Content {
    games: u64,
    positions: u64,
    results: [u64; 3],
    chess960: u64,
    damaged: usize,
}

impl Content {
    fn read(reader: &mut DatasetReader) -> std::io::Result<Content> {
        let mut content = Content::default();
        while let Some(entry) = reader.next_entry()? {
            let (start, result): (_, PackedResult) = match &entry {
                dataset::DataEntry::Game(game) => (&game.start, game.result),
                dataset::DataEntry::Position(sample) => (&sample.position, sample.result),
            };
            content.games += 1;
            content.positions += entry.positions() as u64;
            content.results[result as usize] += 1;
            content.chess960 += u64::from(!start.has_standard_castling());
        }
        content.damaged = reader.damage().len();
        Ok(content)
    }
}

impl Arguments {
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let json = self.json.open()?;
        let mut files = Vec::new();
        for path in &self.files {
            let named = DataError::at(path);
            let format = self.from.map_or_else(|| dataset::recognise(path), Ok).map_err(&named)?;
            let mut reader = dataset::open_as(path, format).map_err(&named)?;
            let content = Content::read(&mut reader).map_err(&named)?;
            let bytes = path.metadata().map_err(&named)?.len();
            write!(self.json.text(), "{}", text(path, format, bytes, &content))?;
            files.push(as_json(path, format, bytes, &content));
        }
        json.finish(|| json!({"schema": "vedette-data-info/1", "files": files}))
    }
}

fn text(path: &Path, format: DataFormat, bytes: u64, content: &Content) -> String {
    let [black, draws, white] = content.results.map(grouped);
    let unit = if format.has_moves() { "games" } else { "positions without moves" };
    let per_position = bytes as f64 / content.positions.max(1) as f64;
    let mut text = format!(
        "{}: {format}\n  {} bytes, {per_position:.1} per position\n  {} {unit}, {} positions\n  White wins \
         {white}, draws {draws}, Black wins {black}\n",
        path.display(),
        grouped(bytes),
        grouped(content.games),
        grouped(content.positions),
    );
    if content.chess960 > 0 {
        text.push_str(&["  ", &grouped(content.chess960), " with Chess960 castling rights\n"].concat());
    }
    if content.damaged > 0 {
        let damaged = content.damaged.to_string();
        text.push_str(&["  ", &damaged, " damaged sections: `vedette data stats` lists them\n"].concat());
    }
    text
}

fn as_json(path: &Path, format: DataFormat, bytes: u64, content: &Content) -> Value {
    let [black, draws, white] = content.results;
    json!({
        "path": path, "format": format.name(), "bytes": bytes, "games": content.games, "positions": content.positions,
        "results": {"white": white, "draw": draws, "black": black}, "chess960": content.chess960,
        "damaged_sections": content.damaged,
    })
}
