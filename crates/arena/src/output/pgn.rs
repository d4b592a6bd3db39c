//! A game as PGN, and its final position as EPD.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chess::Epd;
use record::pgn::{PgnGame, PgnMove};
use uci::{Info, Score};

use crate::config::{CommentItems, MatchConfig, Notation, PgnConfig};
use crate::game::{MoveRecord, PlayedGame};
use crate::schedule::Job;

pub fn pgn_of(played: &PlayedGame, job: &Job, config: &MatchConfig, duration: Duration) -> PgnGame {
    let default = PgnConfig {
        file: std::path::PathBuf::new(),
        append: true,
        notation: Notation::San,
        minimal: false,
        items: CommentItems::default(),
    };
    let style = config.pgn.as_ref().unwrap_or(&default);
    let mut game = PgnGame { result: played.ending.result, ..PgnGame::default() };
    set_tags(&mut game, played, job, config, duration);
    let mut position = *played.game.start();
    for (ply, &mv) in played.game.moves().iter().enumerate() {
        let san = match style.notation {
            Notation::San => position.san(mv).to_string(),
            Notation::Uci => mv.uci(config.chess960).to_string(),
        };
        let comment = match ply.checked_sub(played.book_plies).and_then(|i| played.records.get(i)) {
            _ if style.minimal => String::new(),
            None => "book".to_owned(),
            Some(record) => comment_of(record, style.items),
        };
        game.moves.push(PgnMove { san, comment, ..PgnMove::default() });
        position = position.after(mv);
    }
    if !style.minimal {
        let last = game.moves.last_mut().map_or(&mut game.comment, |mv| &mut mv.comment);
        if !last.is_empty() {
            last.push_str(", ");
        }
        last.push_str(&played.ending.text);
    }
    game
}

fn set_tags(game: &mut PgnGame, played: &PlayedGame, job: &Job, config: &MatchConfig, duration: Duration) {
    let (white, black) = (&config.engines[job.white], &config.engines[job.black]);
    game.set_tag("Event", config.event.as_str());
    game.set_tag("Site", config.site.as_str());
    game.set_tag("Date", today());
    game.set_tag("Round", (job.round + 1).to_string());
    game.set_tag("White", white.name.as_str());
    game.set_tag("Black", black.name.as_str());
    game.set_tag("Result", played.ending.result.to_string());
    let start = played.game.start();
    if *start != chess::Position::startpos() {
        let fen = if config.chess960 { start.to_shredder_fen() } else { start.to_fen() };
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", fen);
    }
    if config.chess960 {
        game.set_tag("Variant", "Chess960");
    }
    let limits = [white.limits, black.limits].map(|limits| limits.to_string());
    if limits[0] == limits[1] {
        game.set_tag("TimeControl", limits[0].as_str());
    } else {
        game.set_tag("WhiteTimeControl", limits[0].as_str());
        game.set_tag("BlackTimeControl", limits[1].as_str());
    }
    game.set_tag("PlyCount", played.game.moves().len().to_string());
    game.set_tag("GameDuration", clock_text(duration));
    game.set_tag("Termination", played.ending.termination.tag());
}

/// `+0.31/18 0.42s`, and the items of `-pgnout`.
fn comment_of(record: &MoveRecord, items: CommentItems) -> String {
    let mut text = String::new();
    if let Some(info) = &record.info {
        if let Some(score) = info.score {
            text.push_str(&score_text(score));
        }
        let _ = write!(text, "/{} ", info.depth.unwrap_or(0));
    }
    let _ = write!(text, "{:.3}s", record.elapsed.as_secs_f64());
    if items.time_left
        && let Some(left) = record.left
    {
        let _ = write!(text, ", tl={:.3}s", left.as_secs_f64());
    }
    if let Some(info) = &record.info {
        text.push_str(&item_text(info, record, items));
    }
    text
}

fn item_text(info: &Info, record: &MoveRecord, items: CommentItems) -> String {
    let latency = info.time.map(|time| record.elapsed.as_millis() as i64 - time.as_millis() as i64);
    let all = [
        (items.latency, "lat", latency.map(|ms| format!("{ms}ms"))),
        (items.nodes, "n", info.nodes.map(|n| n.to_string())),
        (items.seldepth, "sd", info.seldepth.map(|n| n.to_string())),
        (items.nps, "nps", info.nps.map(|n| n.to_string())),
        (items.hashfull, "hashfull", info.hashfull.map(|n| n.to_string())),
        (items.tbhits, "tbhits", info.tbhits.map(|n| n.to_string())),
        (items.pv && !info.pv.is_empty(), "pv", Some(format!("\"{}\"", info.pv.join(" ")))),
    ];
    all.into_iter()
        .filter(|item| item.0)
        .filter_map(|(_, name, value)| value.map(|value| format!(", {name}={value}")))
        .collect()
}

/// `+0.31` or `-M5`.
pub fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Score::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

/// The final position as an EPD line.
pub fn epd_of(played: &PlayedGame) -> String {
    Epd { position: *played.game.position(), operations: Vec::new() }.to_string()
}

/// `hh:mm:ss`
pub fn clock_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Today's date (UTC) in PGN format.
fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (year, month, day) = civil_date(days);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day from the days since 1970-01-01.
fn civil_date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(20_772), (2026, 11, 15));
    }

    #[test]
    fn comment_has_score_depth_and_time() {
        let info = Info {
            score: Some(Score::Centipawns(-31)),
            depth: Some(18),
            nodes: Some(5000),
            ..Info::default()
        };
        let record = MoveRecord { elapsed: Duration::from_millis(420), left: None, info: Some(info) };
        assert_eq!(comment_of(&record, CommentItems::default()), "-0.31/18 0.420s");
        let items = CommentItems { nodes: true, seldepth: true, ..CommentItems::default() };
        assert_eq!(comment_of(&record, items), "-0.31/18 0.420s, n=5000");
        assert_eq!(score_text(Score::Mate(-3)), "-M3");
    }
}
