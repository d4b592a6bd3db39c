//! A game of a human against the engine: moves, clock and result. It knows neither engine nor time of day; the
//! [task](super::task) calls it when something happens.

use std::time::Duration;

use chess::{Color, Game, Move, Position};
use record::eco::add_tags;
use record::pgn::{GameResult, PgnGame, PgnMove};

use crate::error::RequestError;
use crate::protocol::{ClockSetting, GameOver, NewGame, SavedGame, Side, parse_fen};
use crate::store::Id;
use uci::Score;

/// The longest time for a game, in seconds.
const MAX_SECONDS: u32 = 24 * 60 * 60;
/// The longest increment, in seconds.
const MAX_INCREMENT: u32 = 60 * 60;
/// The plies of a game with all pieces before the engine accepts a draw: an opening says little about who is better.
const FIRST_DRAW: usize = 20;

#[derive(Clone, Debug)]
pub struct HumanGame {
    id: Id,
    game: Game,
    chess960: bool,
    side: Color,
    elo: Option<u32>,
    /// The name of an external engine.
    opponent: Option<String>,
    clock: Option<ClockSetting>,
    left: [Duration; 2],
    /// The mover's time after each move, if it is known of all.
    clocks: Vec<Duration>,
    date: String,
    ending: Option<GameOver>,
}

impl HumanGame {
    pub fn new(id: Id, request: &NewGame) -> Result<HumanGame, RequestError> {
        let start = match (&request.fen, request.chess960) {
            (Some(fen), _) => parse_fen(fen)?,
            (None, Some(number)) => Position::chess960(number)
                .ok_or_else(|| format!("invalid Chess960 position {number}: expected 0..=959"))?,
            (None, None) => Position::startpos(),
        };
        if let Some(outcome) = start.outcome() {
            return Err(format!("the game is already over: {outcome}").into());
        }
        if let Some(clock) = request.clock
            && (clock.seconds == 0 || clock.seconds > MAX_SECONDS || clock.increment > MAX_INCREMENT)
        {
            return Err("invalid clock: expected 1 s to 24 h, and an increment of at most 1 h".into());
        }
        let full = Duration::from_secs(request.clock.map_or(0, |clock| clock.seconds.into()));
        let chess960 = request.chess960.is_some() || !start.has_standard_castling();
        Ok(HumanGame {
            id,
            game: Game::new(start),
            chess960,
            side: request.side.into(),
            elo: request.elo,
            opponent: request.opponent.clone(),
            clock: request.clock,
            left: [full; 2],
            clocks: Vec::new(),
            date: if is_date(&request.date) { request.date.clone() } else { "????.??.??".to_owned() },
            ending: None,
        })
    }

    /// The game of a file; `None` if it is not a legal game.
    pub fn from_saved(saved: SavedGame) -> Option<HumanGame> {
        let mut game = Game::new(Position::from_fen(&saved.start).ok()?);
        for text in &saved.moves {
            let mv = game.position().parse_uci(text).ok()?;
            game.play(mv);
        }
        Some(HumanGame {
            id: saved.id,
            game,
            chess960: saved.chess960,
            side: saved.side.into(),
            elo: saved.elo,
            opponent: saved.opponent,
            clock: saved.clock,
            left: saved.left_ms.map(Duration::from_millis),
            clocks: saved.clocks_ms.into_iter().map(Duration::from_millis).collect(),
            date: if is_date(&saved.date) { saved.date } else { "????.??.??".to_owned() },
            ending: saved.ending,
        })
    }

    pub fn to_saved(&self) -> SavedGame {
        SavedGame {
            id: self.id.clone(),
            start: self.game.start().to_shredder_fen_if(self.chess960),
            chess960: self.chess960,
            moves: self.game.moves().iter().map(|mv| mv.uci(true).to_string()).collect(),
            side: Side::from(self.side),
            elo: self.elo,
            opponent: self.opponent.clone(),
            clock: self.clock,
            left_ms: self.left.map(|left| left.as_millis() as u64),
            clocks_ms: self.clocks.iter().map(|left| left.as_millis() as u64).collect(),
            date: self.date.clone(),
            ending: self.ending.clone(),
        }
    }

    pub fn id(&self) -> &Id {
        &self.id
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The engine's Elo; none for full strength.
    pub fn elo(&self) -> Option<u32> {
        self.elo
    }

    /// The name of the external engine that plays, if Vedette does not.
    pub fn opponent(&self) -> Option<&str> {
        self.opponent.as_deref()
    }

    /// The human's time left.
    pub fn humans_time(&self) -> Duration {
        self.left[self.side.index()]
    }

    pub fn ending(&self) -> Option<&GameOver> {
        self.ending.as_ref()
    }

    pub fn is_humans_turn(&self) -> bool {
        self.ending.is_none() && self.game.position().turn() == self.side
    }

    pub fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.game.position().turn() != self.side
    }

    /// The time left of the side to move, if its clock runs: not before both sides have moved once.
    pub fn time_left(&self) -> Option<Duration> {
        let runs = self.clock.is_some() && self.ending.is_none() && self.game.moves().len() >= 2;
        runs.then(|| self.left[self.game.position().turn().index()])
    }

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

    fn lost_on_time(&self, loser: Color) -> GameOver {
        let position = self.game.position();
        // A bare king cannot mate.
        if !position.colored(!loser).more_than_one() {
            return GameOver {
                result: "1/2-1/2".to_owned(),
                reason: "timeout vs insufficient material".to_owned(),
            };
        }
        let reason = match loser {
            Color::White => "White ran out of time",
            Color::Black => "Black ran out of time",
        };
        GameOver { result: win_of(!loser).to_owned(), reason: reason.to_owned() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let mover = self.game.position().turn();
        let counts = self.game.moves().len() >= 2;
        self.game.play(mv);
        if let (true, Some(clock)) = (counts, self.clock) {
            self.left[mover.index()] += Duration::from_secs(clock.increment.into());
        }
        if self.clock.is_some() {
            self.clocks.push(self.left[mover.index()]);
        }
        self.ending = self.game.outcome().map(|outcome| {
            let text = outcome.to_string();
            let reason =
                text.split_once('(').map_or(text.as_str(), |(_, reason)| reason.trim_end_matches(')'));
            GameOver { result: outcome.result().to_owned(), reason: reason.to_owned() }
        });
    }

    /// Takes back until it is the human's turn again; false if there is nothing to take back.
    pub fn take_back(&mut self) -> bool {
        let start_turn = self.game.start().turn();
        let least = if start_turn == self.side { 1 } else { 2 };
        if self.game.moves().len() < least {
            return false;
        }
        self.ending = None;
        self.game.undo();
        while self.game.position().turn() != self.side {
            self.game.undo();
        }
        self.clocks.truncate(self.game.moves().len());
        true
    }

    pub fn resign(&mut self) {
        if self.ending.is_none() {
            self.ending = Some(GameOver {
                result: win_of(!self.side).to_owned(),
                reason: match self.side {
                    Color::White => "White resigned",
                    Color::Black => "Black resigned",
                }
                .to_owned(),
            });
        }
    }

    /// Whether the engine accepts a draw; the score is the human's, who is to move.
    pub fn accepts_draw(&self, score: Score) -> bool {
        let is_opening = self.game.start().occupied().count() == 32 && self.game.moves().len() < FIRST_DRAW;
        self.is_humans_turn() && !is_opening && score.centipawns() >= 0
    }

    pub fn agree_to_draw(&mut self) {
        if self.ending.is_none() {
            let (result, reason) = ("1/2-1/2".to_owned(), "draw by agreement".to_owned());
            self.ending = Some(GameOver { result, reason });
        }
    }

    pub fn to_pgn(&self) -> PgnGame {
        let mut pgn = PgnGame::default();
        let engine = match (&self.opponent, self.elo) {
            (Some(name), _) => name.clone(),
            (None, Some(elo)) => format!("Vedette ({elo})"),
            (None, None) => "Vedette".to_owned(),
        };
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
        add_tags(&mut pgn, self.game.start(), self.game.moves());
        let mut position = *self.game.start();
        for (ply, &mv) in self.game.moves().iter().enumerate() {
            let clock = self.clocks.get(ply).filter(|_| self.clocks.len() == self.game.moves().len());
            let comment = clock.map_or(String::new(), |&left| clock_command(left));
            pgn.moves.push(PgnMove { san: position.san(mv).to_string(), comment, ..PgnMove::default() });
            position = position.after(mv);
        }
        pgn.result = GameResult::from_token(result).unwrap_or_default();
        pgn
    }
}

/// Time left as PGN writes it.
fn clock_command(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Shredder-FEN in Chess960.
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

/// `2026.11.15`, with question marks for unknown digits.
fn is_date(text: &str) -> bool {
    let fits = |at: usize, byte: u8| {
        if at == 4 || at == 7 { byte == b'.' } else { byte.is_ascii_digit() || byte == b'?' }
    };
    text.len() == 10 && text.bytes().enumerate().all(|(at, byte)| fits(at, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> NewGame {
        NewGame {
            side: Side::White,
            elo: Some(1200),
            opponent: None,
            clock: Some(ClockSetting { seconds: 60, increment: 2 }),
            chess960: None,
            fen: None,
            date: "2026.11.15".to_owned(),
        }
    }

    fn begin(asked: &NewGame) -> HumanGame {
        HumanGame::new(Id::parse("test").expect("a name"), asked).expect("a game")
    }

    fn play(game: &mut HumanGame, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = game.game().position().parse_san(text).expect(text);
            game.play(mv);
        }
    }

    #[test]
    fn mate_ends_the_game() {
        let mut game = begin(&asked());
        play(&mut game, "f3 e5 g4 Qh4#");
        let ending = GameOver { result: "0-1".to_owned(), reason: "checkmate".to_owned() };
        assert_eq!(game.ending(), Some(&ending));
        assert!(!game.is_humans_turn() && !game.is_engines_turn());
        let pgn = game.to_pgn();
        assert_eq!((pgn.tag("Black"), pgn.tag("Result")), (Some("Vedette (1200)"), Some("0-1")));
    }

    #[test]
    fn takeback_gives_the_turn_to_the_human() {
        let mut game = begin(&asked());
        assert!(!game.take_back());
        play(&mut game, "e4");
        assert!(game.take_back() && game.game().moves().is_empty());
        play(&mut game, "e4 e5");
        assert!(game.take_back() && game.game().moves().is_empty());
        play(&mut game, "f3 e5 g4 Qh4#");
        assert!(game.take_back() && game.is_humans_turn() && game.ending().is_none());
        let mut black = begin(&NewGame { side: Side::Black, ..asked() });
        play(&mut black, "e4");
        assert!(!black.take_back(), "the first move is the engine's");
        play(&mut black, "e5 d4");
        assert!(black.take_back());
        assert_eq!(black.game().moves().len(), 1);
    }

    #[test]
    fn clock_starts_after_both_have_moved() {
        let mut game = begin(&asked());
        assert!(game.spend(Duration::from_secs(100)) && game.time_left().is_none());
        play(&mut game, "e4 e5");
        assert_eq!(game.time_left(), Some(Duration::from_mins(1)));
        assert!(game.spend(Duration::from_secs(10)));
        play(&mut game, "d4 d5");
        assert_eq!(game.time_left(), Some(Duration::from_secs(52)));
        let pgn = game.to_pgn().to_string();
        assert!(pgn.contains("e4 {[%clk 0:01:00]}") && pgn.contains("d4 {[%clk 0:00:52]}"), "{pgn}");
        assert!(game.take_back());
        assert_eq!(game.to_saved().clocks_ms, [60_000, 60_000]);
        play(&mut game, "d4 d5");
        assert!(!game.spend(Duration::from_secs(54)));
        let ending = game.ending().expect("over");
        assert_eq!((ending.result.as_str(), ending.reason.as_str()), ("0-1", "White ran out of time"));
    }

    #[test]
    fn engine_accepts_a_draw_that_is_no_loss_for_it() {
        let mut game = begin(&asked());
        assert!(!game.accepts_draw(Score::Centipawns(500)), "too early");
        for _ in 0..5 {
            play(&mut game, "Nf3 Nf6 Ng1 Ng8");
            // The repetition is a draw already.
            game.ending = None;
        }
        assert!(game.accepts_draw(Score::Centipawns(0)) && game.accepts_draw(Score::Mate(3)));
        assert!(!game.accepts_draw(Score::Centipawns(-1)) && !game.accepts_draw(Score::Mate(-3)));
        game.agree_to_draw();
        assert!(!game.accepts_draw(Score::Centipawns(0)));
        assert_eq!(game.ending().expect("over").reason, "draw by agreement");
    }

    #[test]
    fn timeout_against_a_bare_king_is_draw() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned();
        let mut game = begin(&NewGame { fen: Some(fen), ..asked() });
        play(&mut game, "e4 Kd7 e5 Ke8");
        assert!(!game.spend(Duration::from_secs(100)));
        assert_eq!(game.ending().expect("over").result, "1/2-1/2");
    }

    /// The page translates how games end by these words.
    #[test]
    fn endings_are_in_the_string_table() {
        let strings = include_str!("../../../../web/src/strings/en.ts");
        let ends = |color: Color| {
            let mut game = begin(&NewGame { side: color.into(), ..asked() });
            game.resign();
            let resigned = game.ending().expect("over").reason.clone();
            [resigned, game.lost_on_time(color).reason]
        };
        let mut reasons = [ends(Color::White), ends(Color::Black)].concat();
        let mut game = begin(&asked());
        game.agree_to_draw();
        reasons.push(game.ending().expect("over").reason.clone());
        for reason in reasons {
            assert!(strings.contains(&format!("'{reason}': '")), "{reason}");
        }
    }

    #[test]
    fn saved_game_is_restored() {
        let number = NewGame { chess960: Some(7), opponent: Some("Rival".to_owned()), ..asked() };
        let mut game = begin(&number);
        let mv = game.game().position().legal_moves()[0];
        game.play(mv);
        game.spend(Duration::from_secs(1));
        let again = HumanGame::from_saved(game.to_saved()).expect("a game");
        assert_eq!(again.to_saved(), game.to_saved());
        let broken = SavedGame { moves: vec!["e2e9".to_owned()], ..game.to_saved() };
        assert!(HumanGame::from_saved(broken).is_none());
    }

    #[test]
    fn invalid_requests_are_refused() {
        let refused = |asked: NewGame| HumanGame::new(Id::parse("test").expect("a name"), &asked).is_err();
        assert!(refused(NewGame { chess960: Some(960), ..asked() }));
        assert!(refused(NewGame { fen: Some("nonsense".to_owned()), ..asked() }));
        assert!(refused(NewGame { fen: Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".to_owned()), ..asked() }));
        assert!(refused(NewGame { clock: Some(ClockSetting { seconds: 0, increment: 0 }), ..asked() }));
    }
}
