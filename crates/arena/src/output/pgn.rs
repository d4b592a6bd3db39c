//! A game as PGN, and its final position as EPD.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chess::{Epd, Move, Position};
use record::eco;
use record::pgn::{PgnGame, PgnMove};
use uci::{Info, Score};

use crate::config::{CommentItems, EngineIdentity, MatchConfig, Notation, PgnConfig};
use crate::game::{EngineLimits, MoveRecord, PlayedGame};
use crate::schedule::Job;

pub fn pgn_of(played: &PlayedGame, job: &Job, config: &MatchConfig, duration: Duration) -> PgnGame {
    let default = PgnConfig::default();
    let style = config.pgn.as_ref().unwrap_or(&default);
    let mut game = PgnGame { result: played.ending.result, ..PgnGame::default() };
    set_tags(&mut game, played, job, config);
    if !style.minimal {
        set_more_tags(&mut game, played, job, config, duration);
    }
    let mut position = *played.game.start();
    for (ply, &mv) in played.game.moves().iter().enumerate() {
        let san = match style.notation {
            Notation::San => position.san(mv).to_string(),
            Notation::Lan => lan(&position, mv),
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

/// Long algebraic notation as fastchess writes it.
fn lan(position: &Position, mv: Move) -> String {
    let san = position.san(mv).to_string();
    if san.starts_with('O') {
        return san;
    }
    let piece: String = san.chars().take(1).filter(char::is_ascii_uppercase).collect();
    let capture = if san.contains('x') { "x" } else { "" };
    // Promotion and check.
    let target = mv.to().to_string();
    let tail = san.rsplit_once(&target).map_or("", |(_, tail)| tail);
    format!("{piece}{}{capture}{target}{tail}", mv.from())
}

/// The tags of a minimal PGN.
fn set_tags(game: &mut PgnGame, played: &PlayedGame, job: &Job, config: &MatchConfig) {
    let (white, black) = (&config.engines[job.white], &config.engines[job.black]);
    game.set_tag("Event", config.event.as_str());
    game.set_tag("Site", config.site.as_str());
    game.set_tag("Date", date_text(played.started));
    game.set_tag("Round", (job.round + 1).to_string());
    game.set_tag("White", white.name.as_str());
    game.set_tag("Black", black.name.as_str());
    game.set_tag("Result", played.ending.result.to_string());
    let start = played.game.start();
    if *start != Position::startpos() || config.chess960 {
        let fen = if config.chess960 { start.to_shredder_fen() } else { start.to_fen() };
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", fen);
    }
    if config.chess960 {
        game.set_tag("Variant", "Chess960");
    }
}

fn set_more_tags(
    game: &mut PgnGame,
    played: &PlayedGame,
    job: &Job,
    config: &MatchConfig,
    duration: Duration,
) {
    let (white, black) = (&config.engines[job.white], &config.engines[job.black]);
    for (side, EngineIdentity { name, author, .. }) in
        [("White", &white.identity), ("Black", &black.identity)]
    {
        for (what, value) in [("Name", name), ("Author", author)] {
            if !value.is_empty() {
                game.set_tag(&format!("Engine{side}{what}"), value.as_str());
            }
        }
    }
    game.set_tag("GameDuration", clock_text(duration));
    game.set_tag("GameStartTime", iso_text(played.started));
    game.set_tag("GameEndTime", iso_text(played.started + duration));
    game.set_tag("PlyCount", played.game.moves().len().to_string());
    game.set_tag("Termination", played.ending.termination.tag());
    let (start, moves) = (played.game.start(), played.game.moves());
    let opening =
        eco::opening_of(start, moves).map(|(opening, _)| opening).or_else(|| eco::opening_at(start));
    if let Some(opening) = opening.filter(|_| !config.chess960) {
        game.set_tag("ECO", opening.eco);
        game.set_tag("Opening", opening.name);
    }
    let controls = [white.limits, black.limits].map(|limits| time_control(&limits));
    if controls[0] == controls[1] {
        game.set_tag("TimeControl", controls[0].as_str());
    } else {
        game.set_tag("WhiteTimeControl", controls[0].as_str());
        game.set_tag("BlackTimeControl", controls[1].as_str());
    }
}

/// The value of the tag `TimeControl`; PGN has none for nodes or depth.
fn time_control(limits: &EngineLimits) -> String {
    match (limits.clock, limits.move_time) {
        (Some(control), _) => control.to_string(),
        (None, Some(time)) => format!("{}/move", time.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
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
    for line in &record.matched {
        let _ = write!(text, ", line=\"{line}\"");
    }
    text
}

fn item_text(info: &Info, record: &MoveRecord, items: CommentItems) -> String {
    let latency = info.time.map(|time| {
        let milliseconds = record.elapsed.as_millis() as i64 - time.as_millis() as i64;
        format!("{:.3}s", milliseconds as f64 / 1000.0)
    });
    let all = [
        (items.latency, "latency", latency),
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

/// `+0.31`, or plies to mate: `-M10`.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(0) => "0.00".to_owned(),
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * u64::from(moves.unsigned_abs()) - 1),
        Score::Mate(moves) => format!("-M{}", 2 * u64::from(moves.unsigned_abs())),
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
pub fn pgn_today() -> String {
    date_text(SystemTime::now())
}

/// The date (UTC) in PGN format.
fn date_text(time: SystemTime) -> String {
    let (year, month, day) = civil_date(unix_seconds(time) / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// `2026-11-18T08:30:59 +0000`
fn iso_text(time: SystemTime) -> String {
    let seconds = unix_seconds(time);
    let (year, month, day) = civil_date(seconds / 86_400);
    let of_day = clock_text(Duration::from_secs(seconds % 86_400));
    format!("{year:04}-{month:02}-{day:02}T{of_day} +0000")
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
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
        let mut record =
            MoveRecord { elapsed: Duration::from_millis(420), info: Some(info), ..MoveRecord::default() };
        assert_eq!(comment_of(&record, CommentItems::default()), "-0.31/18 0.420s");
        let items = CommentItems { nodes: true, seldepth: true, ..CommentItems::default() };
        assert_eq!(comment_of(&record, items), "-0.31/18 0.420s, n=5000");
        record.matched.push("info string pgncomment x".to_owned());
        let comment = comment_of(&record, CommentItems::default());
        assert_eq!(comment, "-0.31/18 0.420s, line=\"info string pgncomment x\"");
        let info = record.info.as_mut().expect("set above");
        (info.time, info.score) = (Some(Duration::from_millis(416)), Some(Score::Centipawns(0)));
        let items = CommentItems { latency: true, ..CommentItems::default() };
        assert!(comment_of(&record, items).starts_with("0.00/18 0.420s, latency=0.004s, "));
    }

    /// As fastchess: plies, not moves.
    #[test]
    fn mate_scores_are_in_plies() {
        assert_eq!([3, 1, -3].map(|moves| score_text(Score::Mate(moves))), ["+M5", "+M1", "-M6"]);
    }

    #[test]
    fn long_algebraic_notation() {
        let lan = |fen: &str, uci: &str| {
            let position = Position::from_fen(fen).expect(fen);
            lan(&position, position.parse_uci(uci).expect(uci))
        };
        let start = Position::startpos().to_fen();
        assert_eq!(lan(&start, "g1f3"), "Ng1f3");
        assert_eq!(lan(&start, "e2e4"), "e2e4");
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!((lan(castling, "e1g1"), lan(castling, "e1c1")), ("O-O".into(), "O-O-O".into()));
        assert_eq!(lan(castling, "a1a8"), "Ra1xa8+");
        assert_eq!(lan("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q"), "e7xd8=Q+");
        assert_eq!(lan("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"), "e5xd6");
        assert_eq!(lan("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"), "Re1e8#");
    }

    #[test]
    fn times_of_games() {
        let time = UNIX_EPOCH + Duration::from_secs(20_772 * 86_400 + 3_725);
        assert_eq!(
            (date_text(time), iso_text(time)),
            ("2026.11.15".into(), "2026-11-15T01:02:05 +0000".into())
        );
        let limits = |tc: Option<&str>, st: Option<u64>| EngineLimits {
            clock: tc.map(|text| text.parse().expect(text)),
            move_time: st.map(Duration::from_millis),
            nodes: Some(100),
            ..EngineLimits::default()
        };
        let controls = [limits(Some("40/60+0.6"), None), limits(None, Some(500)), limits(None, None)];
        assert_eq!(controls.map(|limits| time_control(&limits)), ["40/60+0.6", "0.5/move", "-"]);
    }
}
