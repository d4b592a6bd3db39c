//! A player that is a UCI engine in its own process.

use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::Color;
use uci::client::{Client, ClientError, Identity, Tap, TranscriptLine};
use uci::{Info, InfoLog};

use crate::config::{EngineConfig, Timeouts};
use crate::game::GameClock;
use crate::players::{MoveReply, MoveRequest, Player, PlayerError, ReplyMove};

#[derive(Debug)]
pub struct ProcessPlayer {
    client: Client,
    timeouts: Timeouts,
    white_pov: bool,
}

impl ProcessPlayer {
    /// Starts the engine and sets its options.
    ///
    /// # Errors
    /// The engine does not start or does not respond.
    pub fn start(
        engine: &EngineConfig,
        chess960: bool,
        timeouts: Timeouts,
        interrupt: Arc<AtomicBool>,
        tap: Option<Tap>,
    ) -> Result<Self, PlayerError> {
        let mut client = Client::start_with_tap(&engine.launch(), tap).map_err(fault)?;
        client.interrupt_by(interrupt);
        client.limit_writes(timeouts.start);
        let start_fault = |error: ClientError| match error {
            ClientError::Interrupted => PlayerError::Interrupted,
            other => PlayerError::Start(format!("{}: {other}", engine.command)),
        };
        for line in &engine.init_commands {
            client.send(line).map_err(start_fault)?;
        }
        client.handshake(timeouts.start).map_err(start_fault)?;
        for (name, value) in &engine.options {
            client.set_option(name, value).map_err(start_fault)?;
        }
        if chess960 {
            client.set_option("UCI_Chess960", "true").map_err(start_fault)?;
        }
        client.ready(timeouts.start).map_err(start_fault)?;
        client.limit_writes(timeouts.ready);
        Ok(Self { client, timeouts, white_pov: engine.white_pov })
    }

    /// The engine's name, author and options.
    pub fn identity(&self) -> &Identity {
        self.client.identity()
    }

    /// Ends the process.
    pub fn quit(mut self) {
        self.client.quit(Duration::from_secs(2));
    }

    fn late_or_stalled(&mut self, waited: Duration) -> Result<MoveReply, PlayerError> {
        // The game is lost on time; an engine that still responds may play the next one.
        let extra = std::time::Instant::now();
        match self.client.abandon_search(self.timeouts.late) {
            Ok(info) => Ok(MoveReply {
                elapsed: waited.saturating_add(extra.elapsed()),
                info,
                ..MoveReply::default()
            }),
            Err(ClientError::Timeout { .. }) => Err(PlayerError::Stalled(format!(
                "no move {} ms after its time was up",
                extra.elapsed().as_millis()
            ))),
            Err(error) => Err(fault(error)),
        }
    }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.client.send("ucinewgame").map_err(fault)?;
        self.client.ready(self.timeouts.ready).map(drop).map_err(fault)
    }

    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        // Synchronize before the clock starts: output of the last search may still arrive.
        let stray_answers = self.client.ready(self.timeouts.ready).map_err(fault)?;
        let mut log = InfoLog::default();
        let answer = self.client.search(
            request.position,
            &go_command(request.clocks, request.clock()),
            request.clock().deadline().unwrap_or(self.timeouts.search),
            |info| {
                if !info.pv.is_empty() {
                    log.push(info.clone());
                }
            },
        );
        match answer {
            Ok(answer) => {
                let (mut info, mut lines) = (answer.last_info, log.into_lines());
                if self.white_pov && request.game.position().turn() == Color::Black {
                    lines.iter_mut().chain(&mut info).for_each(Info::negate_score);
                }
                let best = ReplyMove::parse(request.game.position(), answer.best.best);
                let ponder = answer.best.ponder;
                Ok(MoveReply { best, ponder, elapsed: answer.elapsed, info, lines, stray_answers })
            }
            Err(ClientError::Timeout { .. }) if request.clock().deadline().is_some() => {
                self.late_or_stalled(request.clock().deadline().unwrap_or_default())
            }
            Err(error) => Err(fault(error)),
        }
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        self.client.transcript().all()
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is the function handed to map_err")]
fn fault(error: ClientError) -> PlayerError {
    let text = error.to_string();
    match error {
        ClientError::Start(_, error) if is_exhausted(&error) => PlayerError::NoResources(text),
        ClientError::Start(..) => PlayerError::Start(text),
        ClientError::Disconnected(_) => PlayerError::Disconnected(text),
        ClientError::Timeout { .. } | ClientError::NotReading(_) => PlayerError::Stalled(text),
        ClientError::Interrupted => PlayerError::Interrupted,
    }
}

/// Whether the system has no memory, threads, processes or open files left: another program would not start either.
fn is_exhausted(error: &io::Error) -> bool {
    /// "Too many open files": of the system, and of this process.
    const FILE_LIMITS: [i32; 2] = [23, 24];
    matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::WouldBlock)
        || cfg!(unix) && error.raw_os_error().is_some_and(|code| FILE_LIMITS.contains(&code))
}

/// `go` with the clocks and the mover's other limits.
fn go_command(clocks: &[GameClock; 2], own: &GameClock) -> String {
    let mut go = "go".to_owned();
    if own.left().is_some() {
        for (side, clock) in ["w", "b"].into_iter().zip(clocks) {
            if let Some(left) = clock.left() {
                // Engines may do anything with 0 ms.
                let _ = write!(go, " {side}time {}", left.as_millis().max(1));
            }
        }
        for (side, clock) in ["w", "b"].into_iter().zip(clocks) {
            if let Some(increment) = clock.increment().filter(|increment| !increment.is_zero()) {
                let _ = write!(go, " {side}inc {}", increment.as_millis());
            }
        }
        if let Some(moves) = own.moves_to_go() {
            let _ = write!(go, " movestogo {moves}");
        }
    }
    go.push_str(&own.limits().go_suffix());
    go
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::EngineLimits;

    #[test]
    fn go_has_both_clocks_and_the_movers_limits() {
        let clock =
            |text: &str| GameClock::new(EngineLimits { clock: text.parse().ok(), ..EngineLimits::default() });
        let clocks = [clock("10+0.1"), clock("40/5")];
        assert_eq!(go_command(&clocks, &clocks[0]), "go wtime 10100 btime 5000 winc 100");
        assert_eq!(go_command(&clocks, &clocks[1]), "go wtime 10100 btime 5000 winc 100 movestogo 40");
        let fixed =
            GameClock::new(EngineLimits { nodes: Some(1000), depth: Some(9), ..EngineLimits::default() });
        assert_eq!(go_command(&[fixed, clocks[0]], &fixed), "go nodes 1000 depth 9");
    }
}
