//! Comma-separated values: a header, and a line per position. The columns may be in any order, others are ignored.

use super::text::{parse_position, parse_result, parse_score, points};
use crate::packed::Sample;

pub const HEADER: &str = "fen,move,score,result\n";

/// More columns are not read.
const MAX_COLUMNS: usize = 64;

const FEN: [&str; 2] = ["fen", "position"];
const MOVE: [&str; 5] = ["move", "best_move", "bestmove", "best", "uci"];
const SCORE: [&str; 5] = ["score", "cp", "eval", "evaluation", "centipawns"];
const RESULT: [&str; 4] = ["result", "wdl", "points", "outcome"];

pub fn write(sample: &Sample) -> String {
    let position = &sample.position;
    let mv = sample.mv.map(|mv| mv.uci(!position.has_standard_castling()).to_string()).unwrap_or_default();
    format!("{},{mv},{},{}\n", position.to_fen(), sample.score, points(sample.result))
}

/// Where the columns are.
#[derive(Clone, Copy, Debug)]
pub struct CsvColumns {
    pub fen: usize,
    pub mv: Option<usize>,
    pub score: usize,
    pub result: usize,
}

impl CsvColumns {
    pub fn read(header: &str) -> Result<CsvColumns, String> {
        CsvColumns::of_names(split(header).iter().map(String::as_str))
    }

    pub fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<CsvColumns, String> {
        let names: Vec<String> = names.map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let need = |known: &[&str]| {
            find(known)
                .ok_or_else(|| format!("no column '{}': the header is '{}'", known[0], names.join(",")))
        };
        Ok(CsvColumns { fen: need(&FEN)?, mv: find(&MOVE), score: need(&SCORE)?, result: need(&RESULT)? })
    }

    /// Whether a line looks like a header.
    pub fn is_header(line: &str) -> bool {
        split(line).iter().any(|name| FEN.contains(&name.trim().to_ascii_lowercase().as_str()))
    }

    pub fn sample(&self, line: &str) -> Result<Sample, String> {
        let fields = split(line);
        let field = |index: usize, name: &str| {
            fields.get(index).map(|field| field.trim()).ok_or_else(|| format!("no field '{name}'"))
        };
        let mv = self.mv.map(|index| field(index, "move")).transpose()?;
        sample(field(self.fen, "fen")?, mv, field(self.score, "score")?, field(self.result, "result")?)
    }
}

/// The position of a row.
pub fn sample(fen: &str, mv: Option<&str>, score: &str, result: &str) -> Result<Sample, String> {
    let position = parse_position(fen)?;
    let mv = match mv {
        None | Some("") => None,
        Some(text) => Some(position.parse_uci(text).map_err(|error| format!("move '{text}': {error}"))?),
    };
    Ok(Sample { position, mv, score: parse_score(score)?, result: parse_result(result)?, index: 0 })
}

/// The fields of a line. Quotes may enclose a field; two of them in it stand for one.
fn split(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => {
                fields.push(std::mem::take(&mut field));
                if fields.len() == MAX_COLUMNS {
                    return fields;
                }
            }
            other => field.push(other),
        }
    }
    fields.push(field);
    fields
}
