//! A game as PGN, with the time left after each move, so that it can be continued.

use std::path::Path;
use std::time::Duration;

use arena::game::{EngineLimits, GameClock, TimeControl};
use chess::{Color, Game};
use record::eco::add_tags;
use record::game_end::GameEnd;
use record::pgn::{GameResult, PgnGame, PgnMove, PgnReader};
use support::files::read_limited;

/// The clocks of White and Black, before each ply and after the last.
pub type Clocks = Vec<[GameClock; 2]>;

/// What a PGN file needs to know beside the moves.
pub struct Heading<'a> {
    pub white: &'a str,
    pub black: &'a str,
    pub chess960: bool,
    pub end: Option<&'a GameEnd>,
}

pub fn pgn(game: &Game, clocks: &[[GameClock; 2]], heading: &Heading, date: String) -> PgnGame {
    let mut pgn = PgnGame::default();
    let result = heading.end.map_or(GameResult::Unknown, |end| end.result);
    for (name, value) in [
        ("Event", "Casual game".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date),
        ("Round", "-".to_owned()),
        ("White", heading.white.to_owned()),
        ("Black", heading.black.to_owned()),
        ("Result", result.to_string()),
    ] {
        pgn.set_tag(name, value);
    }
    let control = clocks.first().and_then(|clocks| clocks[0].limits().clock);
    if let Some(control) = control {
        pgn.set_tag("TimeControl", control.to_string());
    }
    if *game.start() != chess::Position::startpos() {
        pgn.set_tag("SetUp", "1");
        let start = game.start();
        pgn.set_tag("FEN", if heading.chess960 { start.to_shredder_fen() } else { start.to_fen() });
    }
    if heading.chess960 {
        pgn.set_tag("Variant", "Chess960");
    }
    if let Some(end) = heading.end {
        pgn.set_tag("Termination", end.termination.tag());
    }
    add_tags(&mut pgn, game.start(), game.moves());
    let mut position = *game.start();
    for (ply, &mv) in game.moves().iter().enumerate() {
        let left = clocks.get(ply + 1).and_then(|clocks| clocks[position.turn().index()].left());
        let comment = left.map_or(String::new(), |left| format!("[%clk {}]", clock_text(left)));
        pgn.moves.push(PgnMove { san: position.san(mv).to_string(), comment, ..PgnMove::default() });
        position = position.after(mv);
    }
    if let (Some(end), Some(last)) = (heading.end, pgn.moves.last_mut()) {
        let space = if last.comment.is_empty() { "" } else { " " };
        last.comment = format!("{}{space}{}", last.comment, end.text);
    }
    pgn.result = result;
    pgn
}

/// `0:04:58.3`
pub fn clock_text(left: Duration) -> String {
    let (seconds, tenths) = (left.as_secs(), left.subsec_millis() / 100);
    format!("{}:{:02}:{:02}.{tenths}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// An unfinished game from a file.
pub struct SavedGame {
    pub game: Game,
    pub control: Option<TimeControl>,
    white: String,
    black: String,
    /// The time left after each move.
    left: Vec<Option<Duration>>,
}

impl SavedGame {
    pub fn read(path: &Path) -> Result<SavedGame, String> {
        const MAX_BYTES: u64 = 1 << 24;
        let named = |what: String| format!("{}: {what}", path.display());
        let bytes = read_limited(path, MAX_BYTES).map_err(|error| named(error.to_string()))?;
        let text = String::from_utf8_lossy(&bytes);
        let pgn = PgnReader::new(&text).next().ok_or_else(|| named("no game to continue".to_owned()))?;
        if pgn.result != GameResult::Unknown {
            return Err(named(format!("the game is over ({})", pgn.result)));
        }
        let (start, moves) = pgn.replay(usize::MAX).map_err(|error| named(error.to_string()))?;
        let mut game = Game::new(start);
        for mv in moves {
            game.play(mv);
        }
        let player = |tag: &str| pgn.tag(tag).unwrap_or("?").to_owned();
        Ok(SavedGame {
            game,
            control: pgn.tag("TimeControl").and_then(|text| text.parse().ok()),
            white: player("White"),
            black: player("Black"),
            left: pgn.moves.iter().map(|mv| parse_clock(&mv.comment)).collect(),
        })
    }

    pub fn side_of(&self, name: &str) -> Option<Color> {
        if self.white == name { Some(Color::White) } else { (self.black == name).then_some(Color::Black) }
    }

    pub fn clocks(&self, limits: [EngineLimits; 2]) -> Clocks {
        let mut clocks = vec![limits.map(GameClock::new)];
        let mut turn = self.game.start().turn();
        for left in &self.left {
            let mut next = clocks[clocks.len() - 1];
            let clock = &mut next[turn.index()];
            // What it would be after a move that takes no time.
            let mut whole = *clock;
            let _ = whole.press(Duration::ZERO);
            let used = whole.left().zip(*left).map(|(whole, left)| whole.saturating_sub(left));
            let _ = clock.press(used.unwrap_or_default());
            clocks.push(next);
            turn = !turn;
        }
        clocks
    }
}

/// The time of `[%clk 0:04:58.3]` in a comment.
fn parse_clock(comment: &str) -> Option<Duration> {
    let (text, _) = comment.split_once("[%clk ")?.1.split_once(']')?;
    let mut parts = text.trim().split(':');
    let mut number = || parts.next()?.parse::<f64>().ok();
    let seconds = number()? * 3600.0 + number()? * 60.0 + number()?;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| *time < Duration::from_hours(24 * 365))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(control: &str) -> EngineLimits {
        EngineLimits { clock: control.parse().ok(), ..EngineLimits::default() }
    }

    #[test]
    fn clocks_survive_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        let mut game = Game::default();
        let mut clocks = vec![[GameClock::new(limits("2/10+0.5")); 2]];
        for (index, text) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].into_iter().enumerate() {
            let mut next = clocks[clocks.len() - 1];
            next[index % 2].press(Duration::from_millis(1200 + 300 * index as u64)).expect("in time");
            clocks.push(next);
            game.play(game.position().parse_uci(text).expect("legal"));
        }
        let heading = Heading { white: "Me", black: "It", chess960: false, end: None };
        let text = pgn(&game, &clocks, &heading, "2026.11.18".to_owned()).to_string();
        std::fs::write(&path, &text).expect("writable");
        let saved = SavedGame::read(&path).expect("our own file");
        assert_eq!((saved.game.moves(), saved.side_of("It")), (game.moves(), Some(Color::Black)));
        assert_eq!(saved.side_of("Other"), None);
        let again = saved.clocks([EngineLimits { clock: saved.control, ..EngineLimits::default() }; 2]);
        let state = |clocks: &Clocks| -> Vec<_> {
            clocks.iter().flatten().map(|clock| (clock.left(), clock.moves_to_go())).collect()
        };
        assert_eq!(state(&again), state(&clocks), "{text}");
    }

    #[test]
    fn clock_comments() {
        for text in ["0:04:58.3", "1:00:00.0", "0:00:00.9"] {
            let time = parse_clock(&format!("x [%clk {text}] y")).expect(text);
            assert_eq!(clock_text(time), text);
        }
        for bad in ["", "[%clk 1]", "[%clk a:b:c]", "[%clk 1:2:-99999]", "[%clk 1:2:1e300]", "[%clk 1:2:3"] {
            assert_eq!(parse_clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_unfinished_games_are_continued() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        for (text, part) in [
            ("", "no game"),
            ("1. e4 e5 1-0", "is over (1-0)"),
            ("1. e4 Ke3 *", "Ke3"),
            ("[FEN \"x\"]\n*", "starting position"),
        ] {
            std::fs::write(&path, text).expect("writable");
            let error = SavedGame::read(&path).err().expect("refused");
            assert!(error.contains("game.pgn: ") && error.contains(part), "{error}");
        }
    }
}
