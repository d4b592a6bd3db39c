//! Training games as PGN. A comment after a move has the score of the search that chose it, as in the PGN of matches:
//! `{+0.35/12 0.1s}`, for the side that moved. `{[%eval 0.35]}` of lichess, White's score of the position after the move, is read too.

use chess::{Color, Position};

use crate::packed::{PackedError, PackedGame, PackedResult};
use crate::pgn::{GameResult, PgnGame, PgnMove};

/// The score of a mate, in centipawns, less the moves up to it.
const MATE: i32 = 32_000;

pub fn write(game: &PackedGame, number: u64) -> PgnGame {
    let mut pgn = PgnGame { result: game.result.into(), ..PgnGame::default() };
    let tags = [("Event", "Training data"), ("Site", "?"), ("Date", "????.??.??")];
    for (name, value) in tags {
        pgn.set_tag(name, value);
    }
    pgn.set_tag("Round", number.to_string());
    pgn.set_tag("White", "?");
    pgn.set_tag("Black", "?");
    pgn.set_tag("Result", game.result.word());
    if game.start != Position::startpos() {
        let is_standard = game.start.has_standard_castling();
        pgn.set_tag("SetUp", "1");
        pgn.set_tag("FEN", if is_standard { game.start.to_fen() } else { game.start.to_shredder_fen() });
        if !is_standard {
            pgn.set_tag("Variant", "Chess960");
        }
    }
    for sample in game.positions() {
        let Some(mv) = sample.mv else { continue };
        let score = sample.mover_score();
        let sign = if score < 0 { '-' } else { '+' };
        let comment = format!("{sign}{}.{:02}/0 0.000s", score.abs() / 100, score.abs() % 100);
        pgn.moves.push(PgnMove { san: sample.position.san(mv).to_string(), comment, ..PgnMove::default() });
    }
    pgn
}

/// The parts of a game in which every position has a score.
pub fn read(pgn: &PgnGame) -> Result<Vec<PackedGame>, PackedError> {
    let result = match pgn.result {
        GameResult::WhiteWins => PackedResult::WhiteWins,
        GameResult::Draw => PackedResult::Draw,
        GameResult::BlackWins => PackedResult::BlackWins,
        GameResult::Unknown => return Err(PackedError::Record("game without a result".to_owned())),
    };
    let (start, moves) = pgn.replay(usize::MAX).map_err(|error| PackedError::Record(error.to_string()))?;
    let mut parts: Vec<PackedGame> = Vec::new();
    let mut position = start;
    // White's score of the position, from the comment on the move before it.
    let mut before = eval_tag(&pgn.comment);
    let mut is_open = false;
    for (mv, written) in moves.into_iter().zip(&pgn.moves) {
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        let score = search_score(&written.comment).map(|score| sign * score).or(before);
        before = eval_tag(&written.comment);
        match score {
            Some(score) => {
                if !is_open {
                    parts.push(PackedGame { start: position, result, moves: Vec::new() });
                }
                if let Some(part) = parts.last_mut() {
                    part.moves.push((mv, score.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16));
                }
                is_open = true;
            }
            None => is_open = false,
        }
        position = position.after(mv);
    }
    if parts.is_empty() {
        return Err(PackedError::Record("game without scores".to_owned()));
    }
    Ok(parts)
}

/// `+0.35/12 …` or `-M5/20 …`.
fn search_score(comment: &str) -> Option<i32> {
    let (score, _) = comment.split_once('/')?;
    let score = score.trim();
    let (sign, size) = match score.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, score.strip_prefix('+').unwrap_or(score)),
    };
    let centipawns = match size.strip_prefix(['M', '#']) {
        Some(plies) => MATE - plies.parse::<u16>().ok().map(i32::from)?.min(1000),
        None => pawns(size)?,
    };
    Some(sign * centipawns)
}

/// `[%eval 0.35]` or `[%eval #-5]`, from White's point of view.
fn eval_tag(comment: &str) -> Option<i32> {
    let (_, tail) = comment.split_once("[%eval ")?;
    let (text, _) = tail.split_once(']')?;
    let text = text.split(',').next()?.trim();
    if let Some(mate) = text.strip_prefix('#') {
        let moves = i32::from(mate.parse::<i16>().ok()?).clamp(-1000, 1000);
        return Some(if moves < 0 { -MATE - moves } else { MATE - moves });
    }
    match text.strip_prefix('-') {
        Some(size) => pawns(size).map(|score| -score),
        None => pawns(text),
    }
}

/// Digits with at most one point, in centipawns.
fn pawns(text: &str) -> Option<i32> {
    let is_number = text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = is_number.then(|| text.parse::<f64>().ok()).flatten()?;
    Some((100.0 * value).round() as i32)
}
