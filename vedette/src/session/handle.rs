//! What each command does to a session.

use std::error::Error;
use std::io;
use std::thread;
use std::time::Instant;

use chess::{Game, Position};
use engine::{Event, Limits};
use uci::{Command, Go, PositionCommand, info_string};

use super::messages::Message;
use super::phase::Phase;
use super::session_loop::{Deferred, Session, Style};
use super::{End, board, help, options};
use crate::{identity, jobs};

impl Session {
    /// Handles a command, at once or when the search has ended.
    pub fn handle(&mut self, command: Command, received: Instant) -> Result<(), End> {
        if self.must_wait(&command) {
            self.deferred.push_back(Deferred { command, received });
            return Ok(());
        }
        match command {
            Command::Uci => self.output.print(&introduction()),
            Command::IsReady => self.output.print("readyok"),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => self.debug_info("register: nothing to register"),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.game = Game::new(Position::startpos());
                self.engine.new_game().or_else(|busy| self.info(&busy))
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, received),
            Command::Stop => match self.phase {
                Phase::Searching { .. } | Phase::Pondering { .. } => {
                    self.stop();
                    Ok(())
                }
                Phase::Job => self.info(&"stop: bench and perft cannot be stopped, send 'quit' to end them"),
                Phase::Idle | Phase::Stopping => self.debug_info("stop: not searching"),
            },
            Command::PonderHit => match self.phase {
                Phase::Pondering { ends_by_itself } => {
                    self.phase = Phase::Searching { ends_by_itself };
                    self.engine.ponderhit();
                    Ok(())
                }
                _ => self.debug_info("ponderhit: not pondering"),
            },
            Command::Quit => Err(End::Quit),
            Command::Perft(depth) => {
                let position = *self.game.position();
                let chess960 = self.style.chess960;
                let perft = jobs::Perft { depth, divide: true, chess960, threads: 1, hash: 0 };
                self.run_job("go perft", move |print| perft.run(&position, print))
            }
            Command::Bench(depth) => {
                let depth = depth.unwrap_or(engine::BENCH_DEPTH).clamp(1, engine::MAX_DEPTH);
                let evaluation = self.engine.evaluation();
                self.run_job("bench", move |print| jobs::bench(depth, evaluation, print))
            }
            Command::Display => self.output.print(&board::describe(&self.game)),
            Command::Evaluate => {
                let explanation = self.engine.evaluate(self.game.position()).to_string();
                self.output.print(explanation.trim_end())
            }
            Command::Flip => {
                self.game = Game::new(self.game.position().color_mirrored());
                Ok(())
            }
            Command::Compiler => self.output.print(&identity::compiler()),
            Command::License => self.output.print(identity::LICENSE),
            Command::Help => self.output.print(&help::help()),
        }
    }

    /// Whether the command would disturb what is running.
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Position(_) | Command::SetOption { .. } | Command::UciNewGame | Command::Flip => {
                self.phase != Phase::Idle
            }
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) => {
                matches!(self.phase, Phase::Stopping | Phase::Job)
            }
            // Meant for a search that has yet to start.
            Command::Stop | Command::PonderHit => {
                self.deferred.iter().any(|deferred| matches!(deferred.command, Command::Go(_)))
            }
            _ => false,
        }
    }

    fn set_position(&mut self, command: &PositionCommand) -> Result<(), End> {
        let mut warnings = Vec::new();
        if let Some(game) = command.set_up(&mut warnings) {
            self.game = game;
        }
        self.warn(&warnings)
    }

    fn go(&mut self, go: &Go, received: Instant) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_busy("go");
        }
        let mut warnings = Vec::new();
        let limits = Limits::from_go(go, self.game.position(), received, &mut warnings);
        self.warn(&warnings)?;
        self.phase = if limits.ponder {
            Phase::Pondering { ends_by_itself: !limits.infinite }
        } else {
            Phase::Searching { ends_by_itself: !limits.infinite }
        };
        let style = self.style;
        let messages = self.messages.clone();
        let listener = move |event: &Event| {
            let last = matches!(event, Event::BestMove(_));
            // Fails only when the session has ended.
            let _ = messages.send(Message::Report { text: event_lines(event, style), last });
        };
        match self.engine.go(&self.game, limits, listener) {
            Ok(()) => Ok(()),
            Err(busy) => {
                self.phase = Phase::Idle;
                self.info(&busy)
            }
        }
    }

    /// Stops the search; `bestmove` follows.
    pub fn stop(&mut self) {
        self.engine.stop();
        self.phase = Phase::Stopping;
    }

    /// Runs `work` beside the session, which stays able to answer; its lines come back as reports.
    fn run_job(
        &mut self,
        name: &str,
        work: impl FnOnce(jobs::Print) -> Result<(), Box<dyn Error>> + Send + 'static,
    ) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_busy(name);
        }
        let messages = self.messages.clone();
        let builder = thread::Builder::new().name("job".to_owned()).stack_size(crate::STACK_BYTES);
        let spawned = builder.spawn(move || {
            let report = |text, last| {
                messages.send(Message::Report { text, last }).map_err(|_| io::ErrorKind::BrokenPipe.into())
            };
            // One line behind, so that the last one can be marked.
            let mut previous: Option<String> = None;
            let done = work(&mut |text| previous.replace(text).map_or(Ok(()), |text| report(text, false)));
            let last_words = done.err().map(info_string);
            let _ = report(previous.into_iter().chain(last_words).collect::<Vec<_>>().join("\n"), true);
        });
        match spawned {
            Ok(_) => {
                self.phase = Phase::Job;
                Ok(())
            }
            Err(error) => self.info(&error),
        }
    }

    fn refuse_while_busy(&mut self, what: &str) -> Result<(), End> {
        self.info(&format_args!("{what}: already searching, send 'stop' first"))
    }
}

/// The answer to `uci`.
fn introduction() -> String {
    let options: Vec<String> = options::declarations().map(ToString::to_string).collect();
    format!("id name {}\nid author {}\n{}\nuciok", identity::NAME, identity::AUTHOR, options.join("\n"))
}

/// What a search reports, as one or more lines of UCI.
fn event_lines(event: &Event, style: Style) -> String {
    match event {
        Event::Info(info) => {
            let mut info = info.clone().uci(style.chess960);
            if !style.show_wdl {
                info.wdl = None;
            }
            info.to_string()
        }
        Event::Statistics(statistics) => info_string(statistics),
        Event::BestMove(answer) => answer.uci(style.chess960).to_string(),
    }
}
