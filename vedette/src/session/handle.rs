//! What each command does to a session.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use chess::{Game, Position};
use engine::{Limits, SearchEvent};
use uci::{BestMove, Command, Excerpt, Go, PositionCommand, info_string};

use super::phase::Phase;
use super::session_loop::{OutputStyle, Session};
use super::waiting::Waiting;
use super::{End, board, help, options};
use crate::{identity, jobs};

impl Session {
    /// Handles a command, at once or when its turn comes.
    pub(super) fn handle(&mut self, command: Waiting) -> Result<(), End> {
        if self.must_wait(&command.command) { self.defer(command) } else { self.execute(command) }
    }

    /// Whether a command has to wait for what is running, or is meant for a search that waits itself.
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Position(_)
            | Command::SetOption { .. }
            | Command::UciNewGame
            | Command::Flip
            | Command::Go(_)
            | Command::Perft(_)
            | Command::Bench(_)
            | Command::SpeedTest(_)
            | Command::GenFens(_)
            | Command::ExportNetwork(_) => self.phase != Phase::Idle,
            // A search that would not end takes them itself: otherwise nothing behind it would ever run.
            Command::Stop => self.waiting.has_search() && !self.phase.is_endless(),
            Command::PonderHit => self.waiting.has_search() && !matches!(self.phase, Phase::Pondering { .. }),
            _ => false,
        }
    }

    /// Queues a command. Of several positions in a row only the last one is kept.
    fn defer(&mut self, mut command: Waiting) -> Result<(), End> {
        if let Command::Position(position) = &command.command
            && position.set_up(&mut Vec::new()).is_some()
            && let Some(replaced) = self.waiting.take_last_position()
        {
            let mut warnings = Vec::new();
            replaced.set_up(&mut warnings);
            self.warn(&warnings)?;
        }
        if self.waiting.is_full() {
            let ignored = Excerpt::from(command.command.to_string().as_str());
            return self
                .info(&format_args!("too many commands wait for the end of the search, ignored {ignored}"));
        }
        let is_first = !self.waiting.has_search();
        if is_first && self.phase.is_endless() && matches!(command.command, Command::Go(_)) {
            self.info(&"go: waits for the end of the search, send 'stop' to end it")?;
        }
        // After `stop` the GUI is ahead of the engine, and its clock is running. Otherwise it runs from the turn on.
        command.received = command.received.filter(|_| is_first && self.phase == Phase::Stopping);
        self.waiting.push(command);
        Ok(())
    }

    /// Executes a command whose turn has come.
    pub(super) fn execute(&mut self, command: Waiting) -> Result<(), End> {
        match command.command {
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
            Command::Go(go) => self.go(&go, command.received.unwrap_or_else(Instant::now)),
            Command::Stop => match self.phase {
                Phase::Searching { .. } | Phase::Pondering { .. } => {
                    self.stop();
                    Ok(())
                }
                Phase::Job => {
                    self.info(&"stop: bench, speedtest, perft and genfens run to their end; Ctrl-C quits")
                }
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
            Command::Quit if self.phase == Phase::Job || self.waiting.has_search() => {
                (self.quitting, self.input_ended) = (true, true);
                Ok(())
            }
            Command::Quit => Err(End::Quit),
            Command::Perft(depth) => {
                let position = *self.game.position();
                let chess960 = self.style.chess960;
                let perft = jobs::PerftJob { depth, divide: true, chess960, threads: 1, hash: 0 };
                self.run_job(move |print| perft.run(&position, print).map(drop))
            }
            Command::Bench(bench) => {
                let (evaluation, current) = (self.engine.evaluation(), self.game.clone());
                self.run_job(move |print| jobs::bench(&bench, evaluation, &current, print).map(drop))
            }
            Command::SpeedTest(test) => {
                let evaluation = self.engine.evaluation();
                self.run_job(move |print| jobs::speed_test(&test, evaluation, print))
            }
            Command::GenFens(genfens) => {
                let evaluation = self.engine.evaluation();
                self.run_job(move |print| jobs::generate_openings(&genfens, evaluation, print))
            }
            Command::ExportNetwork(path) => {
                let exported = jobs::export_network(&self.engine, path.as_deref().map(Path::new));
                match exported {
                    Ok(written) => self.info(&written),
                    Err(error) => self.info(&format_args!("export_net: {error}")),
                }
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

    fn set_position(&mut self, command: &PositionCommand) -> Result<(), End> {
        let mut warnings = Vec::new();
        if let Some(game) = command.set_up(&mut warnings) {
            self.game = game;
        }
        self.warn(&warnings)
    }

    fn go(&mut self, go: &Go, received: Instant) -> Result<(), End> {
        let mut warnings = Vec::new();
        let limits = Limits::from_go(go, self.game.position(), received, &mut warnings);
        self.warn(&warnings)?;
        if let Some((mv, weight)) = self.book.choose(&self.game, &limits) {
            let best = BestMove { best: Some(mv), ponder: None }.uci(self.style.chess960);
            self.info(&format_args!("book move, weight {weight}"))?;
            return self.output.print(&best.to_string());
        }
        let phase = if limits.ponder {
            Phase::Pondering { ends_by_itself: !limits.infinite }
        } else {
            Phase::Searching { ends_by_itself: !limits.infinite }
        };
        let style = self.style;
        let mailbox = Arc::clone(&self.mailbox);
        let listener = move |event: &SearchEvent| {
            let last = matches!(event, SearchEvent::BestMove(_));
            // Fails only when the session has ended.
            let _ = mailbox.put_report(event_lines(event, style), last);
        };
        match self.engine.go(&self.game, limits, listener) {
            Ok(()) => {
                self.phase = phase;
                Ok(())
            }
            Err(busy) => self.info(&busy),
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
        work: impl FnOnce(jobs::Print) -> Result<(), Box<dyn Error>> + Send + 'static,
    ) -> Result<(), End> {
        let mailbox = Arc::clone(&self.mailbox);
        let builder = thread::Builder::new().name("job".to_owned()).stack_size(crate::STACK_BYTES);
        let spawned = builder.spawn(move || {
            let report =
                |text, last| mailbox.put_report(text, last).map_err(|_| io::ErrorKind::BrokenPipe.into());
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
}

/// The answer to `uci`.
fn introduction() -> String {
    let options: Vec<String> = options::declarations().map(ToString::to_string).collect();
    format!("id name {}\nid author {}\n{}\nuciok", identity::NAME, identity::AUTHOR, options.join("\n"))
}

/// What a search reports, as one or more lines of UCI.
fn event_lines(event: &SearchEvent, style: OutputStyle) -> String {
    match event {
        SearchEvent::Info(info) => {
            let mut info = info.clone().uci(style.chess960);
            if !style.show_wdl {
                info.wdl = None;
            }
            info.to_string()
        }
        SearchEvent::Statistics(statistics) => info_string(statistics),
        SearchEvent::BestMove(answer) => answer.uci(style.chess960).to_string(),
    }
}
