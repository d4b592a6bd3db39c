//! Positions as text: lines of `FEN | centipawns | points`, and Stockfish's `plain`.

use chess::{Color, Position};

use crate::packed::{PackedResult, Sample};

/// A score that fits into every format.
pub fn parse_score(text: &str) -> Result<i16, String> {
    let score = text.parse::<i32>().ok().filter(|score| score.abs() <= i32::from(i16::MAX));
    score
        .map(|score| score as i16)
        .ok_or_else(|| format!("invalid score '{text}': expected -{max}..={max}", max = i16::MAX))
}

/// A result from White's point of view, as points or as in PGN.
pub fn parse_result(text: &str) -> Result<PackedResult, String> {
    match text.trim_start_matches('[').trim_end_matches(']') {
        "1.0" | "1" | "1-0" => Ok(PackedResult::WhiteWins),
        "0.5" | "1/2-1/2" | "1/2" => Ok(PackedResult::Draw),
        "0.0" | "0" | "0-1" => Ok(PackedResult::BlackWins),
        _ => Err(format!("invalid result '{text}': expected 1.0, 0.5 or 0.0")),
    }
}

pub fn parse_position(fen: &str) -> Result<Position, String> {
    Position::from_fen(fen).map_err(|error| format!("invalid FEN '{fen}': {error}"))
}

pub fn points(result: PackedResult) -> &'static str {
    ["0.0", "0.5", "1.0"][result as usize]
}

pub fn write_line(sample: &Sample) -> String {
    format!("{} | {} | {}\n", sample.position.to_fen(), sample.score, points(sample.result))
}

pub fn read_line(line: &str) -> Result<Sample, String> {
    let mut parts = line.split('|').map(str::trim);
    let (Some(fen), Some(score), Some(result), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err("expected FEN | centipawns | points".to_owned());
    };
    let position = parse_position(fen)?;
    Ok(Sample { position, mv: None, score: parse_score(score)?, result: parse_result(result)?, index: 0 })
}

/// `None` without a move.
pub fn write_plain(sample: &Sample) -> Option<String> {
    let (position, mv) = (&sample.position, sample.mv?);
    let result = (2.0 * sample.mover_points()) as i32 - 1;
    Some(format!(
        "fen {}\nmove {}\nscore {}\nply {}\nresult {result}\ne\n",
        position.to_fen(),
        mv.uci(!position.has_standard_castling()),
        sample.stored_mover_score(),
        position.ply(),
    ))
}

/// The fields of a record of `plain`, up to its `e`.
#[derive(Default)]
pub struct PlainRecord {
    fen: Option<String>,
    mv: Option<String>,
    score: Option<String>,
    result: Option<String>,
}

impl PlainRecord {
    pub fn add(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        let field = match name {
            "fen" => &mut self.fen,
            "move" => &mut self.mv,
            "score" => &mut self.score,
            "result" => &mut self.result,
            "ply" => return Ok(()),
            _ => return Err(format!("unknown field '{name}': expected fen, move, score, ply, result or e")),
        };
        *field = Some(value.trim().to_owned());
        Ok(())
    }

    pub fn finish(self) -> Result<Sample, String> {
        let missing = |field: &str| format!("no field '{field}'");
        let position = parse_position(&self.fen.ok_or_else(|| missing("fen"))?)?;
        let mv = self.mv.ok_or_else(|| missing("move"))?;
        let mv = position.parse_uci(&mv).map_err(|error| format!("move '{mv}': {error}"))?;
        let white = position.turn() == Color::White;
        let score = parse_score(&self.score.ok_or_else(|| missing("score"))?)?;
        let result = self.result.ok_or_else(|| missing("result"))?;
        let result = match (result.as_str(), white) {
            ("0", _) => PackedResult::Draw,
            ("1", true) | ("-1", false) => PackedResult::WhiteWins,
            ("-1", true) | ("1", false) => PackedResult::BlackWins,
            _ => return Err(format!("invalid result '{result}': expected 1, 0 or -1")),
        };
        Ok(Sample { position, mv: Some(mv), score: if white { score } else { -score }, result, index: 0 })
    }
}
