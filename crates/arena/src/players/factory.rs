//! Seats an engine at the board: a process, or Vedette itself in this one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use uci::client::{Tap, TranscriptLine};

use crate::config::{EngineConfig, EngineKind, Timeouts};
use crate::players::{InProcessPlayer, Player, PlayerError, ProcessPlayer};

/// What all engines of a match are seated with.
#[derive(Clone)]
pub struct PlayerFactory {
    /// Chess960 notation.
    pub chess960: bool,
    /// How long to wait for engines.
    pub timeouts: Timeouts,
    /// Hears every conversation.
    pub tap: Option<Tap>,
}

impl PlayerFactory {
    /// The player for an engine; `interrupt` ends its waiting.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn create(
        &self,
        engine: &EngineConfig,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match engine.kind {
            EngineKind::InProcess => {
                let mut player = InProcessPlayer::new(engine, self.chess960)?;
                player.interrupt_by(interrupt);
                Box::new(player)
            }
            EngineKind::Process => {
                let tap = self.tap.as_ref().map(|listener| named(listener, engine));
                Box::new(ProcessPlayer::start(engine, self.chess960, self.timeouts, interrupt, tap)?)
            }
        })
    }
}

/// A listener who is told which engine speaks, and which of several copies of it.
pub fn named(listener: &Tap, engine: &EngineConfig) -> Tap {
    static COPIES: AtomicU32 = AtomicU32::new(1);
    let listener = Arc::clone(listener);
    let name = if engine.name.is_empty() { &engine.command } else { &engine.name };
    let name = format!("{name}#{}", COPIES.fetch_add(1, Ordering::Relaxed));
    Arc::new(move |line: &TranscriptLine| {
        listener(&TranscriptLine { text: format!("{name}: {}", line.text), ..line.clone() });
    })
}
