//! Vedette as a player inside this process, without pipes: many times faster at fixed nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use engine::{Engine, Limits, OptionError};
use uci::Info;
use uci::client::TranscriptLine;

use crate::config::EngineConfig;
use crate::game::GameClock;
use crate::players::{MoveReply, MoveRequest, Player, PlayerError};

/// Vedette's engine as a player.
pub struct InProcessPlayer {
    engine: Engine,
    chess960: bool,
    interrupt: Arc<AtomicBool>,
}

impl InProcessPlayer {
    /// An engine with the options of the match.
    ///
    /// # Errors
    /// There is no such option, it does not take the value, or there is no memory or no thread.
    pub fn new(config: &EngineConfig, chess960: bool) -> Result<Self, PlayerError> {
        let mut engine = Engine::try_new()
            .map_err(|error| PlayerError::NoResources(format!("{}: {error}", config.name)))?;
        for (name, value) in &config.options {
            engine.set_option(name, Some(value)).map_err(|error| {
                let reason = format!("{}: option {name}: {error}", config.name);
                match error {
                    OptionError::NoMemory(_) | OptionError::NoThreads(_) => PlayerError::NoResources(reason),
                    _ => PlayerError::Start(reason),
                }
            })?;
        }
        Ok(Self { engine, chess960, interrupt: Arc::default() })
    }

    /// Lets another thread end every search by setting `flag`.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }
}

impl Player for InProcessPlayer {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.engine.new_game().map_err(|busy| PlayerError::Stalled(busy.to_string()))
    }

    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(PlayerError::Interrupted);
        }
        let notation = |mv: chess::Move| mv.uci(self.chess960).to_string();
        let mut lines: Vec<Info> = Vec::new();
        let started = Instant::now();
        let answer = self.engine.search(request.game, limits_of(request.clock()), &self.interrupt, |info| {
            if info.multipv == Some(1) {
                lines.push(info.clone().map_moves(notation));
            }
        });
        let elapsed = started.elapsed();
        let answer = answer.map_err(|busy| PlayerError::Stalled(busy.to_string()))?;
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(PlayerError::Interrupted);
        }
        let (best, ponder) = (answer.best.into(), answer.ponder.map(notation));
        Ok(MoveReply { best, ponder, elapsed, info: lines.last().cloned(), lines, ..MoveReply::default() })
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        Vec::new()
    }
}

fn limits_of(clock: &GameClock) -> Limits {
    let limits = clock.limits();
    Limits {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.move_time,
        clock: clock.left().map(|remaining| engine::Clock {
            remaining,
            increment: clock.increment().unwrap_or_default(),
            moves_to_go: clock.moves_to_go(),
        }),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn player(name: &str, value: &str) -> Result<InProcessPlayer, PlayerError> {
        let options = vec![(name.to_owned(), value.to_owned())];
        InProcessPlayer::new(&EngineConfig { options, ..EngineConfig::default() }, false)
    }

    #[test]
    fn search_can_be_interrupted() {
        let mut player = player("Hash", "1").expect("a known option");
        let flag = Arc::new(AtomicBool::new(false));
        player.interrupt_by(Arc::clone(&flag));
        let game = chess::Game::default();
        let clocks =
            [GameClock::new(crate::game::EngineLimits { depth: Some(200), ..Default::default() }); 2];
        let request = MoveRequest { game: &game, position: "position startpos", clocks: &clocks };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                flag.store(true, Ordering::Relaxed);
            });
            player.think(&request)
        });
        assert_eq!(answer.map(drop), Err(PlayerError::Interrupted));
        assert_eq!(player.think(&request).map(drop), Err(PlayerError::Interrupted));
    }

    #[test]
    fn options_as_in_uci() {
        for (name, value) in [("Hash", "2"), ("threads", "1"), ("Evaluation", "classical"), ("EvalFile", "")]
        {
            assert!(player(name, value).is_ok(), "{name}");
        }
        for (name, value) in [("Hash", "0"), ("EvalFile", "/no/such/net"), ("Hsh", "1"), ("Ponder", "true")] {
            assert!(matches!(player(name, value), Err(PlayerError::Start(_))), "{name}");
        }
    }

    /// Read to its end it would fill the memory.
    #[cfg(target_os = "linux")]
    #[test]
    fn endless_network_file_is_refused() {
        assert!(matches!(player("EvalFile", "/dev/zero"), Err(PlayerError::Start(_))));
    }
}
