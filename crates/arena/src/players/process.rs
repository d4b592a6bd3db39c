//! A player that is a UCI engine in its own process.

use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::Color;
use uci::client::{Client, ClientError, Identity, Tap, TranscriptLine};
use uci::{Info, InfoLog};

use super::line_matcher::LineMatcher;
use crate::config::{EngineConfig, Timeouts};
use crate::game::{GameClock, append_move};
use crate::players::{MoveReply, MoveRequest, Player, PlayerError, ReplyMove};

#[derive(Debug)]
pub struct ProcessPlayer {
    client: Client,
    timeouts: Timeouts,
    chess960: bool,
    white_pov: bool,
    matcher: Option<LineMatcher>,
    ponders: bool,
    /// The `position` command that it ponders on.
    pondering: Option<String>,
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
        if engine.ponder && client.identity().option("Ponder").is_some() {
            client.set_option("Ponder", "true").map_err(start_fault)?;
        }
        if chess960 {
            client.set_option("UCI_Chess960", "true").map_err(start_fault)?;
        }
        client.ready(timeouts.start).map_err(start_fault)?;
        client.limit_writes(timeouts.ready);
        let (white_pov, ponders) = (engine.white_pov, engine.ponder);
        Ok(Self { client, timeouts, chess960, white_pov, matcher: None, ponders, pondering: None })
    }

    /// Reports the lines that `matcher` finds with every move.
    #[must_use]
    pub(super) fn with_matcher(mut self, matcher: Option<LineMatcher>) -> Self {
        self.matcher = matcher;
        self
    }

    /// The engine's name, author and options.
    pub fn identity(&self) -> &Identity {
        self.client.identity()
    }

    /// Sets an option between two games.
    ///
    /// # Errors
    /// The engine is gone.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        self.stop_pondering()?;
        self.client.set_option(name, value).map_err(fault)
    }

    /// Ends the process.
    pub fn quit(mut self) {
        self.client.quit(Duration::from_secs(2));
    }

    /// Lets the engine think about the answer that it expects, with the clocks after its move.
    fn ponder(&mut self, request: &MoveRequest, reply: &MoveReply) -> Result<(), PlayerError> {
        let (Some(best), Some(ponder)) = (reply.best.legal(), &reply.ponder) else { return Ok(()) };
        let mut game = request.game.clone();
        game.play(best);
        let (None, Ok(expected)) = (game.outcome(), game.position().parse_uci(ponder)) else { return Ok(()) };
        let mut clocks = *request.clocks;
        let own = request.game.position().turn().index();
        if clocks[own].press(reply.elapsed).is_err() {
            return Ok(());
        }
        let mut position = request.position.to_owned();
        for mv in [best, expected] {
            append_move(&mut position, &mv.uci(self.chess960).to_string());
        }
        let go = go_command(&clocks, &clocks[own]).replacen("go", "go ponder", 1);
        self.client.send(&position).and_then(|()| self.client.send(&go)).map_err(fault)?;
        self.pondering = Some(position);
        Ok(())
    }

    /// Ends pondering on a move that was not played.
    fn stop_pondering(&mut self) -> Result<(), PlayerError> {
        match self.pondering.take() {
            Some(_) => self.client.abandon_search(self.timeouts.ready).map(drop).map_err(fault),
            None => Ok(()),
        }
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
        self.stop_pondering()?;
        self.client.send("ucinewgame").map_err(fault)?;
        self.client.ready(self.timeouts.ready).map(drop).map_err(fault)
    }

    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        let is_hit = self.pondering.as_deref() == Some(request.position);
        let mut stray_answers = 0;
        if is_hit {
            self.pondering = None;
        } else {
            self.stop_pondering()?;
            // Synchronize before the clock starts: output of the last search may still arrive.
            stray_answers = self.client.ready(self.timeouts.ready).map_err(fault)?;
        }
        let mut log = InfoLog::default();
        let mut infos = 0;
        // What was printed before this search does not belong to it.
        if let Some(matcher) = self.matcher.as_ref().filter(|_| !is_hit) {
            matcher.take();
        }
        let limit = request.clock().deadline().unwrap_or(self.timeouts.search);
        let on_info = |info: &Info| {
            infos += u32::from(info.text.is_none());
            if !info.pv.is_empty() {
                log.push(info.clone());
            }
        };
        let answer = if is_hit {
            self.client.ponder_hit(limit, on_info)
        } else {
            let go = go_command(request.clocks, request.clock());
            self.client.search(request.position, &go, limit, on_info)
        };
        match answer {
            Ok(answer) => {
                let (mut info, mut lines) = (answer.last_info, log.into_lines());
                if self.white_pov && request.game.position().turn() == Color::Black {
                    lines.iter_mut().chain(&mut info).for_each(Info::negate_score);
                }
                let best = ReplyMove::parse(request.game.position(), answer.best.best);
                let ponder = answer.best.ponder;
                let matched = self.matcher.as_ref().map(LineMatcher::take).unwrap_or_default();
                let elapsed = answer.elapsed;
                let reply = MoveReply { best, ponder, elapsed, info, lines, infos, matched, stray_answers };
                if self.ponders {
                    self.ponder(request, &reply)?;
                }
                Ok(reply)
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

    fn reported_name(&self) -> Option<&str> {
        Some(self.client.identity().name.as_str()).filter(|name| !name.is_empty())
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
