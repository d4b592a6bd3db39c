//! What each command does to a session.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use chess::{Game, Position};
use engine::evaluation::EvaluationKind;
use engine::{Event, OptionError};
use uci::options::{self, Setting};
use uci::print;
use uci::{Command, Go, PositionCommand};

use super::conversation::{Session, Waiting};
use super::messages::Message;
use super::phase::Phase;
use super::{End, board, help};
use crate::cli::network_file;
use crate::{identity, jobs};

impl Session {
    /// Does what the command asks, at once or when the search has answered.
    pub fn obey(&mut self, command: Command, received: Instant) -> Result<(), End> {
        if self.must_wait(&command) {
            self.waiting.push_back(Waiting { command, received });
            return Ok(());
        }
        match command {
            Command::Uci => self.output.say(&print::introduction(identity::NAME, identity::AUTHOR)),
            Command::IsReady => self.output.say("readyok"),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => self.remark_in_debug("register: nothing to register"),
            Command::SetOption { name, value } => match options::read(&name, value.as_deref()) {
                Ok(setting) => self.apply(setting),
                Err(error) => self.remark(&error),
            },
            Command::UciNewGame => {
                self.game = Game::new(Position::startpos());
                self.engine.new_game().or_else(|busy| self.remark(&busy))
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go, received),
            Command::Stop => match self.phase {
                Phase::Thinking { .. } | Phase::Pondering { .. } => {
                    self.stop();
                    Ok(())
                }
                Phase::Counting => {
                    self.remark(&"stop: bench and perft cannot be stopped, only 'quit' ends them")
                }
                Phase::Idle | Phase::Stopping => self.remark_in_debug("stop: not thinking"),
            },
            Command::PonderHit => match self.phase {
                Phase::Pondering { ends_by_itself } => {
                    self.phase = Phase::Thinking { ends_by_itself };
                    self.engine.ponderhit();
                    Ok(())
                }
                _ => self.remark_in_debug("ponderhit: not pondering"),
            },
            Command::Quit => Err(End::Quit),
            Command::Perft(depth) => {
                let position = *self.game.position();
                let chess960 = self.style.chess960;
                let perft = jobs::Perft { depth, divide: true, chess960, threads: 1, hash: 0 };
                self.run_errand("go perft", move |tell| perft.run(&position, tell))
            }
            Command::Bench(depth) => {
                let depth = depth.unwrap_or(engine::BENCH_DEPTH).clamp(1, engine::MAX_DEPTH);
                let evaluation = self.engine.evaluation();
                self.run_errand("bench", move |tell| jobs::bench(depth, evaluation, tell))
            }
            Command::Display => self.output.say(&board::describe(&self.game)),
            Command::Evaluate => {
                let explanation = self.engine.evaluate(self.game.position()).to_string();
                self.output.say(explanation.trim_end())
            }
            Command::Flip => {
                self.game = Game::new(self.game.position().color_mirrored());
                Ok(())
            }
            Command::Compiler => self.output.say(&identity::compiler()),
            Command::License => self.output.say(identity::LICENSE),
            Command::Help => self.output.say(&help::help()),
        }
    }

    /// Whether the command would disturb what is going on.
    fn must_wait(&self, command: &Command) -> bool {
        match command {
            Command::Position(_) | Command::SetOption { .. } | Command::UciNewGame | Command::Flip => {
                self.phase != Phase::Idle
            }
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) => {
                matches!(self.phase, Phase::Stopping | Phase::Counting)
            }
            // Meant for a search that has yet to start.
            Command::Stop | Command::PonderHit => {
                self.waiting.iter().any(|waiting| matches!(waiting.command, Command::Go(_)))
            }
            _ => false,
        }
    }

    fn set_position(&mut self, command: &PositionCommand) -> Result<(), End> {
        let mut remarks = Vec::new();
        if let Some(game) = command.set_up(&mut remarks) {
            self.game = game;
        }
        self.remark_all(&remarks)
    }

    fn go(&mut self, go: &Go, received: Instant) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_thinking("go");
        }
        let mut remarks = Vec::new();
        let limits = go.limits(self.game.position(), received, &mut remarks);
        self.remark_all(&remarks)?;
        self.phase = if limits.ponder {
            Phase::Pondering { ends_by_itself: !limits.infinite }
        } else {
            Phase::Thinking { ends_by_itself: !limits.infinite }
        };
        let style = self.style;
        let messages = self.messages.clone();
        let listener = move |event: &Event| {
            let last = matches!(event, Event::BestMove { .. });
            // Fails only when the session has ended, and then nobody wants to know.
            let _ = messages.send(Message::Report { text: print::event(event, style), last });
        };
        match self.engine.go(&self.game, limits, listener) {
            Ok(()) => Ok(()),
            Err(busy) => {
                self.phase = Phase::Idle;
                self.remark(&busy)
            }
        }
    }

    /// Asks the search to answer.
    pub fn stop(&mut self) {
        self.engine.stop();
        self.phase = Phase::Stopping;
    }

    /// Runs `work` beside the session, which stays able to answer; its lines come back as reports.
    fn run_errand(
        &mut self,
        name: &str,
        work: impl FnOnce(jobs::Print) -> Result<(), Box<dyn Error>> + Send + 'static,
    ) -> Result<(), End> {
        if self.phase != Phase::Idle {
            return self.refuse_while_thinking(name);
        }
        let messages = self.messages.clone();
        let errand = thread::Builder::new().name("errand".to_owned()).stack_size(crate::STACK_BYTES);
        let spawned = errand.spawn(move || {
            let report = |text, last| {
                messages.send(Message::Report { text, last }).map_err(|_| io::ErrorKind::BrokenPipe.into())
            };
            // One line behind, so that the last one can be marked.
            let mut previous: Option<String> = None;
            let done = work(&mut |text| previous.replace(text).map_or(Ok(()), |text| report(text, false)));
            let last_words = done.err().map(print::info_string);
            let _ = report(previous.into_iter().chain(last_words).collect::<Vec<_>>().join("\n"), true);
        });
        match spawned {
            Ok(_) => {
                self.phase = Phase::Counting;
                Ok(())
            }
            Err(error) => self.remark(&error),
        }
    }

    fn refuse_while_thinking(&mut self, what: &str) -> Result<(), End> {
        self.remark(&format_args!("{what} refused: already thinking, say 'stop' first"))
    }

    /// Judges by the network in a file from now on, if it can be used; the old one stays otherwise.
    fn load_network(&mut self, path: &Path) -> Result<(), End> {
        let (network, label) = match network_file::load(path) {
            Ok(loaded) => loaded,
            Err(error) => return self.remark(&format_args!("EvalFile: {error}; the old network stays")),
        };
        let shape = network.shape();
        if let Err(error) = self.engine.set_network(Some(Arc::new(network))) {
            return self.remark(&error);
        }
        let asleep = match self.engine.options().evaluation {
            EvaluationKind::Network => "",
            EvaluationKind::Classical => "; it judges when Evaluation is network",
        };
        self.remark(&format_args!("network {:016x}, {shape}{asleep}", label.hash))
    }

    fn apply(&mut self, setting: Setting) -> Result<(), End> {
        let done = match setting {
            Setting::Hash(megabytes) => self.engine.set_hash(megabytes),
            Setting::Threads(threads) => self.engine.set_threads(threads),
            Setting::MultiPv(lines) => self.engine.set_multi_pv(lines),
            Setting::MoveOverhead(overhead) => self.engine.set_move_overhead(overhead),
            Setting::ShowPvsStats(on) => self.engine.collect_statistics(on),
            Setting::Chess960(on) => {
                self.style.chess960 = on;
                Ok(())
            }
            Setting::ShowWdl(on) => {
                self.style.show_wdl = on;
                Ok(())
            }
            Setting::Evaluation(kind) => self.engine.set_evaluation(kind),
            Setting::LimitStrength(on) => self.engine.set_limit_strength(on),
            Setting::Elo(elo) => self.engine.set_elo(elo),
            Setting::EvalFile(None) => self.engine.set_network(None),
            Setting::EvalFile(Some(path)) => return self.load_network(&path),
            Setting::ClearHash => self.engine.clear_hash().map_err(OptionError::from),
            Setting::Ponder(_) | Setting::AnalyseMode(_) => Ok(()),
            #[cfg(feature = "tune")]
            Setting::Parameter(parameter, value) => {
                let mut params = self.engine.params().clone();
                // The value is in range: options are checked where they are read.
                let _ = params.set(parameter, value);
                self.engine.set_params(params)
            }
            Setting::DebugLogFile(path) => {
                return self.output.log_to(path.as_deref()).or_else(|error| self.remark(&error));
            }
        };
        done.or_else(|error| self.remark(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::messages;
    use std::sync::mpsc::Receiver;
    use uci::Line;
    use uci::options::{Kind, OPTIONS};

    /// A session, and the messages that it would get.
    fn session() -> (Session, Receiver<Message>) {
        let (sender, receiver) = messages::channel();
        (Session::new(sender), receiver)
    }

    #[test]
    fn a_new_session_has_the_options_that_are_declared() {
        let (session, _receiver) = session();
        assert_eq!(session.engine.options(), &engine::Options::default());
        assert!(!session.style.chess960 && !session.style.show_wdl);
    }

    #[test]
    fn every_default_can_be_set_and_changes_nothing() {
        let (mut session, _receiver) = session();
        for option in OPTIONS.iter() {
            let value = match &option.kind {
                Kind::Check { default, .. } => Some(default.to_string()),
                Kind::Spin { default, .. } => Some(default.to_string()),
                Kind::Text { default, .. } | Kind::Combo { default, .. } => Some((*default).to_owned()),
                Kind::Button { .. } => None,
            };
            let command = Command::SetOption { name: option.name.to_owned(), value };
            assert_eq!(session.obey(command, Instant::now()), Ok(()));
        }
        assert_eq!(session.engine.options(), &engine::Options::default());
    }

    #[test]
    fn spins_set_what_they_name() {
        let (mut session, _receiver) = session();
        for line in [
            "setoption name Hash value 5",
            "setoption name Threads value 2",
            "setoption name MultiPV value 3",
            "setoption name Move Overhead value 77",
            "setoption name ShowPVSStats value true",
            "setoption name UCI_Chess960 value true",
            "setoption name UCI_LimitStrength value true",
            "setoption name UCI_Elo value 1234",
        ] {
            session.handle_line(&Line::Text(line.to_owned()), Instant::now()).unwrap();
        }
        let options = session.engine.options();
        assert_eq!((options.hash_mb, options.threads, options.multi_pv), (5, 2, 3));
        assert_eq!(options.move_overhead.as_millis(), 77);
        assert!(options.collect_statistics && session.style.chess960);
        assert!(options.limit_strength && options.elo == 1234);
    }
}
