//! The game: whose turn it is, what is shown, and what the commands do.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use arena::EngineConfig;
use arena::game::{EngineLimits, GameClock, append_move, start_command};
use arena::output::pgn_today;
use arena::players::{InProcessPlayer, MoveRequest, Player, PlayerError};
use chess::{Color, Game, Move};
use record::eco::opening_at;
use record::game_end::{GameEnd, Termination, side_name};
use record::pgn::GameResult;
use record::polyglot::PolyglotBook;
use support::text::printable;
use uci::{Line, Score};

use super::board::{BoardStyle, spoken};
use super::events::InputEvent;
use super::input::{HELP, Input, parse};
use super::saved::{Clocks, Heading, clock_text, pgn};
use crate::cli::interrupt::unless_interrupted;
use crate::cli::output_file;
use crate::cli::stderr::stderr;

/// Nodes of a hint.
const HINT_NODES: u64 = 200_000;

/// Moves before which the opponent accepts no draw.
const EARLIEST_DRAW: usize = 20;

pub struct Opponent {
    pub player: Box<dyn Player>,
    pub name: String,
    pub book: Option<PolyglotBook>,
    /// Its score of its last move, from its point of view.
    pub score: Option<Score>,
}

pub struct PlaySession {
    game: Game,
    human: Color,
    clocks: Clocks,
    opponent: Opponent,
    /// Gives hints.
    adviser: Option<InProcessPlayer>,
    style: BoardStyle,
    chess960: bool,
    events: Receiver<InputEvent>,
    stop: Arc<AtomicBool>,
    end: Option<GameEnd>,
    /// When the human's turn began.
    since: Instant,
    /// The human's name.
    pub name: String,
    /// Where the game is saved after every move.
    pub output: Option<PathBuf>,
}

/// What comes after a command.
enum Next {
    Continue,
    Quit,
}

impl PlaySession {
    pub fn new(
        game: Game,
        human: Color,
        clocks: Clocks,
        opponent: Opponent,
        style: BoardStyle,
        chess960: bool,
        (events, stop): (Receiver<InputEvent>, Arc<AtomicBool>),
    ) -> PlaySession {
        PlaySession {
            game,
            human,
            clocks,
            opponent,
            adviser: None,
            style,
            chess960,
            events,
            stop,
            end: None,
            since: Instant::now(),
            name: String::new(),
            output: None,
        }
    }

    /// Plays until the human leaves.
    pub fn play(&mut self) -> Result<(), Box<dyn Error>> {
        let opponent = printable(&self.opponent.name).into_owned();
        say(&format!(
            "You play {} against {opponent}. Type a move such as e4 or g1f3, or help.",
            side_name(self.human)
        ))?;
        self.show_board()?;
        self.opponent.player.new_game()?;
        self.since = Instant::now();
        loop {
            self.check_end()?;
            if self.end.is_none() && self.turn() != self.human {
                match self.answer() {
                    Ok(()) => self.since = Instant::now(),
                    Err(Failed::Stopped) => return self.leave_by_signal(),
                    Err(Failed::Other(error)) => {
                        self.save();
                        return Err(error);
                    }
                }
                continue;
            }
            self.prompt()?;
            match self.wait() {
                Some(InputEvent::Line(Line::Text(line))) => match self.handle(&line) {
                    Ok(Next::Continue) => {}
                    Ok(Next::Quit) => return self.leave(),
                    Err(Failed::Stopped) => return self.leave_by_signal(),
                    Err(Failed::Other(error)) => return Err(error),
                },
                Some(InputEvent::Line(_)) => say("invalid input: not UTF-8, or too long")?,
                Some(InputEvent::Closed) => return self.leave(),
                Some(InputEvent::Signal) => return self.leave_by_signal(),
                None => {
                    self.end = Some(GameEnd::lost(self.human, Termination::Time, "loses on time"));
                    self.announce()?;
                }
            }
            if self.stop.load(Ordering::SeqCst) {
                return self.leave_by_signal();
            }
        }
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    fn clock(&self) -> &GameClock {
        &self.clocks[self.clocks.len() - 1][self.turn().index()]
    }

    fn show_board(&self) -> io::Result<()> {
        let last = self.game.moves().last().copied();
        say(&format!("\n{}\n", self.style.show(self.game.position(), self.human, last)))
    }

    /// Asks for input, on a terminal.
    fn prompt(&self) -> io::Result<()> {
        if !io::stdin().is_terminal() {
            return Ok(());
        }
        let mut out = io::stdout();
        match (&self.end, self.time_left()) {
            (Some(_), _) => write!(out, "Game over (undo, save FILE, quit)> ")?,
            (None, Some(left)) => write!(out, "{} ({})> ", side_name(self.human), clock_text(left))?,
            (None, None) => write!(out, "{}> ", side_name(self.human))?,
        }
        out.flush()
    }

    /// The human's time left now.
    fn time_left(&self) -> Option<Duration> {
        let clock = &self.clocks[self.clocks.len() - 1][self.human.index()];
        let used = if self.turn() == self.human { self.since.elapsed() } else { Duration::ZERO };
        clock.left().map(|left| left.saturating_sub(used))
    }

    /// The next event; none if the human's time is up.
    fn wait(&self) -> Option<InputEvent> {
        // The limits of a single search are not the human's.
        let left = self.time_left().filter(|_| self.end.is_none());
        match left {
            None => Some(self.events.recv().unwrap_or(InputEvent::Closed)),
            Some(left) => match self.events.recv_timeout(left) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(InputEvent::Closed),
            },
        }
    }

    /// Ends the game where the rules do.
    fn check_end(&mut self) -> io::Result<()> {
        if self.end.is_none()
            && let Some(outcome) = self.game.outcome()
        {
            self.end = Some(GameEnd::by_rules(outcome));
            self.announce()?;
        }
        Ok(())
    }

    fn handle(&mut self, line: &str) -> Result<Next, Failed> {
        let input = match parse(self.game.position(), line) {
            Ok(input) => input,
            Err(message) => {
                let over = "The game is over: undo takes back the last move";
                say(if self.end.is_some() { over } else { &message })?;
                return Ok(Next::Continue);
            }
        };
        match input {
            Input::Nothing => {}
            Input::Move(_) | Input::Draw | Input::Resign | Input::Hint if self.end.is_some() => {
                say("The game is over: undo takes back the last move")?;
            }
            Input::Move(mv) => self.human_move(mv)?,
            Input::Board => self.show_board()?,
            Input::Clock => say(&self.clock_line())?,
            Input::Draw => self.offer_draw()?,
            Input::Fen => say(&self.game.position().to_fen())?,
            Input::Help => say(HELP)?,
            Input::Hint => self.hint()?,
            Input::Moves => {
                let position = self.game.position();
                let moves: Vec<String> =
                    position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
                say(&moves.join(" "))?;
            }
            Input::Pgn => write!(io::stdout(), "{}", self.pgn())?,
            Input::Quit => return Ok(Next::Quit),
            Input::Resign => {
                self.end = Some(GameEnd::lost(self.human, Termination::Unknown, "resigns"));
                self.announce()?;
            }
            Input::Save(path) => match output_file::write(&path, &self.pgn()) {
                Ok(()) => say(&format!("written to {}", printable(&path.display().to_string())))?,
                Err(error) => say(&printable(&error))?,
            },
            Input::Undo => self.undo()?,
        }
        Ok(Next::Continue)
    }

    fn announce(&mut self) -> io::Result<()> {
        if let Some(end) = &self.end {
            say(&format!("{} {}", end.result, end.text))?;
        }
        self.save();
        Ok(())
    }

    /// Plays a move and stops the mover's clock.
    fn play_move(&mut self, mv: Move, used: Duration) {
        let mut clocks = self.clocks[self.clocks.len() - 1];
        let mover = self.turn();
        if clocks[mover.index()].press(used).is_err() {
            self.end = Some(GameEnd::lost(mover, Termination::Time, "loses on time"));
            return;
        }
        self.clocks.push(clocks);
        self.game.play(mv);
        self.save();
    }

    fn human_move(&mut self, mv: Move) -> io::Result<()> {
        if self.style == BoardStyle::Words {
            say(&format!("{}: {}", side_name(self.human), spoken(self.game.position(), mv)))?;
        }
        self.play_move(mv, self.since.elapsed());
        if self.end.is_some() { self.announce() } else { Ok(()) }
    }

    /// The opponent's move.
    fn answer(&mut self) -> Result<(), Failed> {
        let position = *self.game.position();
        let from_book = self.opponent.book.as_ref().and_then(|book| {
            let random = support::random::unit(position.key() ^ u64::from(std::process::id()));
            book.choose(&position, Some(random))
        });
        let (mv, used) = if let Some(chosen) = from_book {
            (chosen.mv, Duration::ZERO)
        } else {
            let clocks = self.clocks[self.clocks.len() - 1];
            let command = self.position_command();
            let request = MoveRequest { game: &self.game, position: &command, clocks: &clocks };
            let reply = self.opponent.player.think(&request)?;
            let Some(mv) = reply.best.legal() else {
                let did = format!("makes an illegal move: {}", reply.best.uci(self.chess960));
                self.end = Some(GameEnd::lost(!self.human, Termination::IllegalMove, &printable(&did)));
                return Ok(self.announce()?);
            };
            self.opponent.score = reply.info.and_then(|info| info.score);
            // Without a clock nobody loses on time.
            (mv, if self.clock().left().is_some() { reply.elapsed } else { Duration::ZERO })
        };
        let number = position.fullmove_number();
        let dots = if position.turn() == Color::White { "." } else { "..." };
        let words = match self.style {
            BoardStyle::Words => format!(" ({})", spoken(&position, mv)),
            _ => String::new(),
        };
        let text = format!("{number}{dots} {}{words}", position.san(mv));
        self.play_move(mv, used);
        if self.end.is_none() {
            let opening =
                opening_at(self.game.position()).map_or(String::new(), |name| format!("  [{name}]"));
            say(&format!("{} plays {text}{opening}", printable(&self.opponent.name)))?;
            if self.style != BoardStyle::Words {
                self.show_board()?;
            }
        } else {
            self.announce()?;
        }
        Ok(())
    }

    fn position_command(&self) -> String {
        let mut command = start_command(self.game.start(), self.chess960);
        for mv in self.game.moves() {
            append_move(&mut command, &mv.uci(self.chess960).to_string());
        }
        command
    }

    fn hint(&mut self) -> Result<(), Failed> {
        let adviser = match &mut self.adviser {
            Some(adviser) => adviser,
            none => none.insert(super::own_player(&EngineConfig::in_process(), self.chess960, &self.stop)?),
        };
        adviser.new_game()?;
        let limits = EngineLimits { nodes: Some(HINT_NODES), ..EngineLimits::default() };
        let request = MoveRequest { game: &self.game, position: "", clocks: &[GameClock::new(limits); 2] };
        let reply = adviser.think(&request)?;
        let position = self.game.position();
        let Some(best) = reply.best.legal() else { return Ok(say("No hint")?) };
        let score = reply.info.as_ref().and_then(|info| info.score);
        let score = score.map_or(String::new(), |score| format!(", {score} for {}", side_name(self.human)));
        let line: Vec<String> = reply.info.map_or(Vec::new(), |info| info.pv);
        let line = line.iter().take(6).map(String::as_str).collect::<Vec<_>>().join(" ");
        let line = review::trace::read_line(position, &line).unwrap_or_else(|_| vec![best]);
        let mut at = *position;
        let mut text = Vec::new();
        for mv in line {
            text.push(at.san(mv).to_string());
            at = at.after(mv);
        }
        Ok(say(&format!("Hint: {}{score} ({})", position.san(best), text.join(" ")))?)
    }

    /// Takes moves back until it is the human's turn.
    fn undo(&mut self) -> io::Result<()> {
        let has_own = self.game.moves().len() > usize::from(self.game.start().turn() != self.human);
        if !has_own {
            return say("There is no move to take back");
        }
        // A game that ended at the human's turn by mate, resignation or the clock goes back a whole move, too.
        loop {
            self.game.undo();
            self.clocks.pop();
            if self.turn() == self.human {
                break;
            }
        }
        self.end = None;
        self.opponent.score = None;
        self.since = Instant::now();
        self.save();
        say("Taken back.")?;
        self.show_board()
    }

    fn offer_draw(&mut self) -> io::Result<()> {
        let is_late = self.game.moves().len() >= 2 * EARLIEST_DRAW;
        let accepts = match self.opponent.score {
            Some(Score::Centipawns(cp)) => cp <= 0 && is_late,
            Some(Score::Mate(moves)) => moves < 0 && is_late,
            None => false,
        };
        if !accepts {
            return say(&format!("{} declines the draw", printable(&self.opponent.name)));
        }
        let text = "Draw by agreement".to_owned();
        self.end = Some(GameEnd { result: GameResult::Draw, termination: Termination::Unknown, text });
        self.announce()
    }

    fn clock_line(&self) -> String {
        let clocks = &self.clocks[self.clocks.len() - 1];
        let theirs = clocks[(!self.human).index()].left();
        match self.time_left().zip(theirs) {
            Some((own, theirs)) => format!("You {}, opponent {}", clock_text(own), clock_text(theirs)),
            None => "There is no clock: start with --tc".to_owned(),
        }
    }

    fn pgn(&self) -> String {
        let (white, black) = match self.human {
            Color::White => (self.name.as_str(), self.opponent.name.as_str()),
            Color::Black => (self.opponent.name.as_str(), self.name.as_str()),
        };
        let heading = Heading { white, black, chess960: self.chess960, end: self.end.as_ref() };
        pgn(&self.game, &self.clocks, &heading, pgn_today()).to_string()
    }

    /// Saves the game. A failure is reported, and the game goes on.
    fn save(&self) {
        if let Some(path) = &self.output
            && let Err(error) = output_file::write(path, &self.pgn())
        {
            stderr!("{}", printable(&error));
        }
    }

    fn leave(&self) -> Result<(), Box<dyn Error>> {
        if self.end.is_none() {
            self.save();
            if let Some(path) = &self.output {
                say(&unfinished(path))?;
            }
        }
        Ok(())
    }

    fn leave_by_signal(&self) -> Result<(), Box<dyn Error>> {
        self.leave()?;
        Ok(unless_interrupted()?)
    }
}

fn say(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

fn unfinished(path: &Path) -> String {
    format!(
        "game saved to {}; the same command with --resume continues it",
        printable(&path.display().to_string())
    )
}

enum Failed {
    /// By a signal.
    Stopped,
    Other(Box<dyn Error>),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Other(error.into())
    }
}

impl From<PlayerError> for Failed {
    fn from(error: PlayerError) -> Failed {
        match error {
            PlayerError::Interrupted => Failed::Stopped,
            other => Failed::Other(other.into()),
        }
    }
}
