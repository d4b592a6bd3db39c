//! One game of a person against the engine: moves, clock and result. It knows no engine and no time of day;
//! the [table](super::table) tells it what happens and when.

use std::time::Duration;

use chess::{Color, Game, Move, Position};
use record::pgn::{GameResult, PgnGame, PgnMove};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::protocol::{ClockSetting, NewGame, Side, position};
use crate::store::Id;

/// The longest time for a game, in seconds.
const MAX_SECONDS: u32 = 24 * 60 * 60;
/// The longest increment, in seconds.
const MAX_INCREMENT: u32 = 60 * 60;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why, in words.
    pub reason: String,
}

/// A game as its file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Saved {
    id: String,
    start: String,
    chess960: bool,
    moves: Vec<String>,
    side: Side,
    elo: Option<u32>,
    clock: Option<ClockSetting>,
    left_ms: [u64; 2],
    date: String,
    ending: Option<Ending>,
}

/// A game of a person against the engine.
#[derive(Clone, Debug)]
pub struct PersonGame {
    id: Id,
    game: Game,
    chess960: bool,
    side: Color,
    elo: Option<u32>,
    clock: Option<ClockSetting>,
    left: [Duration; 2],
    date: String,
    ending: Option<Ending>,
}

impl PersonGame {
    /// A game before its first move.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub fn new(id: Id, asked: &NewGame) -> Result<PersonGame, String> {
        let start = match (&asked.fen, asked.chess960) {
            (Some(fen), _) => position(fen)?,
            (None, Some(number)) => Position::chess960(number)
                .ok_or_else(|| format!("invalid Chess960 position {number}: expected 0..=959"))?,
            (None, None) => Position::startpos(),
        };
        if let Some(outcome) = start.outcome() {
            return Err(format!("the game is already over: {outcome}"));
        }
        if let Some(clock) = asked.clock
            && (clock.seconds == 0 || clock.seconds > MAX_SECONDS || clock.increment > MAX_INCREMENT)
        {
            return Err("invalid clock: expected 1 s to 24 h, and an increment of at most 1 h".to_owned());
        }
        let full = Duration::from_secs(asked.clock.map_or(0, |clock| clock.seconds.into()));
        let chess960 = asked.chess960.is_some() || !start.has_standard_castling();
        Ok(PersonGame {
            id,
            game: Game::new(start),
            chess960,
            side: asked.side.into(),
            elo: asked.elo,
            clock: asked.clock,
            left: [full; 2],
            date: if is_date(&asked.date) { asked.date.clone() } else { "????.??.??".to_owned() },
            ending: None,
        })
    }

    /// The game that a file holds; `None` if it holds none.
    pub fn from_saved(value: Value) -> Option<PersonGame> {
        let saved: Saved = serde_json::from_value(value).ok()?;
        let mut game = Game::new(Position::from_fen(&saved.start).ok()?);
        for text in &saved.moves {
            let mv = game.position().parse_uci(text).ok()?;
            game.play(mv);
        }
        Some(PersonGame {
            id: Id::parse(&saved.id)?,
            game,
            chess960: saved.chess960,
            side: saved.side.into(),
            elo: saved.elo,
            clock: saved.clock,
            left: saved.left_ms.map(Duration::from_millis),
            date: if is_date(&saved.date) { saved.date } else { "????.??.??".to_owned() },
            ending: saved.ending,
        })
    }

    /// The game as its file holds it, and as the page sees it.
    pub fn to_json(&self) -> Value {
        json!(Saved {
            id: self.id.to_string(),
            start: self.game.start().to_shredder_fen_if(self.chess960),
            chess960: self.chess960,
            moves: self.game.moves().iter().map(|mv| mv.uci(true).to_string()).collect(),
            side: self.side.into(),
            elo: self.elo,
            clock: self.clock,
            left_ms: self.left.map(|left| left.as_millis() as u64),
            date: self.date.clone(),
            ending: self.ending.clone(),
        })
    }

    /// The name under which it is kept.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The moves so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The engine's Elo; none for all it can do.
    pub fn elo(&self) -> Option<u32> {
        self.elo
    }

    /// How it ended, if it did.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the person is to move.
    pub fn is_persons_turn(&self) -> bool {
        self.ending.is_none() && self.game.position().turn() == self.side
    }

    /// Whether the engine is to move.
    pub fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.game.position().turn() != self.side
    }

    /// The time that the side to move has left, if there is a clock and it runs: not before both sides have
    /// moved once.
    pub fn time_left(&self) -> Option<Duration> {
        let runs = self.clock.is_some() && self.ending.is_none() && self.game.moves().len() >= 2;
        runs.then(|| self.left[self.game.position().turn().index()])
    }

    /// The clock as the engine reads it, if there is one.
    pub fn engine_clock(&self) -> Option<engine::Clock> {
        self.clock.map(|clock| engine::Clock {
            remaining: self.left[(!self.side).index()].max(Duration::from_millis(1)),
            increment: Duration::from_secs(clock.increment.into()),
            moves_to_go: None,
        })
    }

    /// Takes time off the clock of the side to move, if it runs; false if none is left.
    pub fn spend(&mut self, time: Duration) -> bool {
        let Some(left) = self.time_left() else { return true };
        let left = left.saturating_sub(time);
        self.left[self.game.position().turn().index()] = left;
        if left.is_zero() {
            let loser = self.game.position().turn();
            self.ending = Some(self.lost_on_time(loser));
        }
        !left.is_zero()
    }

    fn lost_on_time(&self, loser: Color) -> Ending {
        let position = self.game.position();
        // A king alone cannot mate.
        if !position.colored(!loser).more_than_one() {
            return Ending {
                result: "1/2-1/2".to_owned(),
                reason: "timeout vs insufficient material".to_owned(),
            };
        }
        Ending { result: win_of(!loser).to_owned(), reason: format!("{loser} ran out of time") }
    }

    /// Plays a move that is legal in the position.
    pub fn play(&mut self, mv: Move) {
        let mover = self.game.position().turn();
        let counts = self.game.moves().len() >= 2;
        self.game.play(mv);
        if let (true, Some(clock)) = (counts, self.clock) {
            self.left[mover.index()] += Duration::from_secs(clock.increment.into());
        }
        self.ending = self.game.outcome().map(|outcome| {
            let text = outcome.to_string();
            let reason =
                text.split_once('(').map_or(text.as_str(), |(_, reason)| reason.trim_end_matches(')'));
            Ending { result: outcome.result().to_owned(), reason: reason.to_owned() }
        });
    }

    /// Takes back until the person is to move again; false if there is nothing to take back.
    pub fn take_back(&mut self) -> bool {
        let start_turn = self.game.start().turn();
        // The person has moved if the game is long enough for it.
        let least = if start_turn == self.side { 1 } else { 2 };
        if self.game.moves().len() < least {
            return false;
        }
        self.ending = None;
        self.game.undo();
        while self.game.position().turn() != self.side {
            self.game.undo();
        }
        true
    }

    /// The person gives up.
    pub fn resign(&mut self) {
        if self.ending.is_none() {
            self.ending = Some(Ending {
                result: win_of(!self.side).to_owned(),
                reason: match self.side {
                    Color::White => "White resigned",
                    Color::Black => "Black resigned",
                }
                .to_owned(),
            });
        }
    }

    /// The game as PGN.
    pub fn to_pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::default();
        let engine = self.elo.map_or("Vedette".to_owned(), |elo| format!("Vedette ({elo})"));
        let names = if self.side == Color::White { ["You", &engine] } else { [engine.as_str(), "You"] };
        let result = self.ending.as_ref().map_or("*", |ending| ending.result.as_str());
        for (name, value) in [
            ("Event", "Vedette studio"),
            ("Site", "?"),
            ("Date", &self.date),
            ("Round", "-"),
            ("White", names[0]),
            ("Black", names[1]),
            ("Result", result),
        ] {
            pgn.set_tag(name, value);
        }
        if let Some(clock) = self.clock {
            pgn.set_tag("TimeControl", format!("{}+{}", clock.seconds, clock.increment));
        }
        if let Some(ending) = &self.ending {
            pgn.set_tag("Termination", ending.reason.as_str());
        }
        if self.chess960 {
            pgn.set_tag("Variant", "Chess960");
        }
        if *self.game.start() != Position::startpos() {
            pgn.set_tag("SetUp", "1");
            pgn.set_tag("FEN", self.game.start().to_shredder_fen_if(self.chess960));
        }
        let mut position = *self.game.start();
        for &mv in self.game.moves() {
            pgn.moves.push(PgnMove { san: position.san(mv).to_string(), ..PgnMove::default() });
            position = position.after(mv);
        }
        pgn.result = GameResult::from_word(result).unwrap_or_default();
        pgn
    }
}

/// FEN in the notation that the variant needs.
trait FenFor {
    fn to_shredder_fen_if(&self, chess960: bool) -> String;
}

impl FenFor for Position {
    fn to_shredder_fen_if(&self, chess960: bool) -> String {
        if chess960 { self.to_shredder_fen() } else { self.to_fen() }
    }
}

const fn win_of(winner: Color) -> &'static str {
    match winner {
        Color::White => "1-0",
        Color::Black => "0-1",
    }
}

/// `2026.11.15`; the question mark stands for what is not known.
fn is_date(text: &str) -> bool {
    let shape = |at: usize, sign: u8| {
        if at == 4 || at == 7 { sign == b'.' } else { sign.is_ascii_digit() || sign == b'?' }
    };
    text.len() == 10 && text.bytes().enumerate().all(|(at, sign)| shape(at, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> NewGame {
        NewGame {
            side: Side::White,
            elo: Some(1200),
            clock: Some(ClockSetting { seconds: 60, increment: 2 }),
            chess960: None,
            fen: None,
            date: "2026.11.15".to_owned(),
        }
    }

    fn begin(asked: &NewGame) -> PersonGame {
        PersonGame::new(Id::parse("test").expect("a name"), asked).expect("a game")
    }

    fn play(game: &mut PersonGame, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = game.game().position().parse_san(text).expect(text);
            game.play(mv);
        }
    }

    #[test]
    fn mate_ends_the_game() {
        let mut game = begin(&asked());
        play(&mut game, "f3 e5 g4 Qh4#");
        let ending = Ending { result: "0-1".to_owned(), reason: "checkmate".to_owned() };
        assert_eq!(game.ending(), Some(&ending));
        assert!(!game.is_persons_turn() && !game.is_engines_turn());
        let pgn = game.to_pgn();
        assert_eq!((pgn.tag("Black"), pgn.tag("Result")), (Some("Vedette (1200)"), Some("0-1")));
    }

    #[test]
    fn a_takeback_gives_the_move_to_the_person_again() {
        let mut game = begin(&asked());
        assert!(!game.take_back());
        play(&mut game, "e4");
        assert!(game.take_back() && game.game().moves().is_empty());
        play(&mut game, "e4 e5");
        assert!(game.take_back() && game.game().moves().is_empty());
        play(&mut game, "f3 e5 g4 Qh4#");
        assert!(game.take_back() && game.is_persons_turn() && game.ending().is_none());
        let mut black = begin(&NewGame { side: Side::Black, ..asked() });
        play(&mut black, "e4");
        assert!(!black.take_back(), "the first move is the engine's");
        play(&mut black, "e5 d4");
        assert!(black.take_back());
        assert_eq!(black.game().moves().len(), 1);
    }

    #[test]
    fn the_clock_runs_after_both_have_moved() {
        let mut game = begin(&asked());
        assert!(game.spend(Duration::from_secs(100)) && game.time_left().is_none());
        play(&mut game, "e4 e5");
        assert_eq!(game.time_left(), Some(Duration::from_mins(1)));
        assert!(game.spend(Duration::from_secs(10)));
        play(&mut game, "d4 d5");
        assert_eq!(game.time_left(), Some(Duration::from_secs(52)));
        assert!(!game.spend(Duration::from_secs(52)));
        assert_eq!(game.ending().expect("over").result, "0-1");
    }

    #[test]
    fn time_against_a_bare_king_is_a_draw() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned();
        let mut game = begin(&NewGame { fen: Some(fen), ..asked() });
        play(&mut game, "e4 Kd7 e5 Ke8");
        assert!(!game.spend(Duration::from_secs(100)));
        assert_eq!(game.ending().expect("over").result, "1/2-1/2");
    }

    #[test]
    fn a_saved_game_goes_on_where_it_was() {
        let number = NewGame { chess960: Some(7), ..asked() };
        let mut game = begin(&number);
        let mv = game.game().position().legal_moves()[0];
        game.play(mv);
        game.spend(Duration::from_secs(1));
        let again = PersonGame::from_saved(game.to_json()).expect("a game");
        assert_eq!(again.to_json(), game.to_json());
        assert!(PersonGame::from_saved(json!({"id": "x"})).is_none());
        let mut broken = game.to_json();
        broken["moves"] = json!(["e2e9"]);
        assert!(PersonGame::from_saved(broken).is_none());
    }

    #[test]
    fn requests_that_make_no_sense_are_refused() {
        let refused = |asked: NewGame| PersonGame::new(Id::parse("test").expect("a name"), &asked).is_err();
        assert!(refused(NewGame { chess960: Some(960), ..asked() }));
        assert!(refused(NewGame { fen: Some("nonsense".to_owned()), ..asked() }));
        assert!(refused(NewGame { fen: Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".to_owned()), ..asked() }));
        assert!(refused(NewGame { clock: Some(ClockSetting { seconds: 0, increment: 0 }), ..asked() }));
    }
}
