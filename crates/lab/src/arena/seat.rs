//! Seats an engine at the board: a process, or Vedette itself in this one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use uci::client_transcript::Eavesdropper;

use super::config::{EngineConfig, EngineKind, Patience};
use super::own_player::OwnPlayer;
use super::player::{Fault, Player};
use super::process_player::ProcessPlayer;

/// What all engines of a match are seated with.
#[derive(Clone)]
pub struct Seating {
    /// Chess960 notation.
    pub chess960: bool,
    /// How long to wait for engines.
    pub patience: Patience,
    /// Hears every conversation.
    pub eavesdropper: Option<Eavesdropper>,
}

impl Seating {
    /// The player for an engine; `interrupt` ends its waiting.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn seat(&self, engine: &EngineConfig, interrupt: Arc<AtomicBool>) -> Result<Box<dyn Player>, Fault> {
        Ok(match engine.kind {
            EngineKind::Own => {
                let mut player = OwnPlayer::new(engine, self.chess960)?;
                player.interrupt_by(interrupt);
                Box::new(player)
            }
            EngineKind::Process => {
                let eavesdropper = self.eavesdropper.clone();
                Box::new(ProcessPlayer::start(engine, self.chess960, self.patience, interrupt, eavesdropper)?)
            }
        })
    }
}
