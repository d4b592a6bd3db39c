//! Creates the player of an engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use regex::Regex;
use uci::client::{Tap, TranscriptLine};

use super::line_matcher::LineMatcher;
use crate::config::{EngineConfig, EngineKind, Timeouts};
use crate::players::{InProcessPlayer, Player, PlayerError, ProcessPlayer};

/// Settings shared by all players of a match.
#[derive(Clone, Default)]
pub struct PlayerFactory {
    pub chess960: bool,
    pub timeouts: Timeouts,
    /// Receives all engine communication.
    pub tap: Option<Tap>,
    /// Finds lines of the engines for [`MoveReply::matched`](crate::players::MoveReply::matched).
    pub match_lines: Vec<Regex>,
}

impl PlayerFactory {
    /// Creates a player; setting `interrupt` ends its searches.
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
                let matcher = LineMatcher::new(&self.match_lines);
                let tap = matcher.as_ref().map_or(tap.clone(), |matcher| Some(matcher.tap(tap)));
                let start = ProcessPlayer::start(engine, self.chess960, self.timeouts, interrupt, tap);
                Box::new(start?.with_matcher(matcher))
            }
        })
    }
}

/// A listener that prefixes each line with the engine's name and instance number.
pub fn named(listener: &Tap, engine: &EngineConfig) -> Tap {
    static INSTANCES: AtomicU32 = AtomicU32::new(1);
    let listener = Arc::clone(listener);
    let name = if engine.name.is_empty() { &engine.command } else { &engine.name };
    let name = format!("{name}#{}", INSTANCES.fetch_add(1, Ordering::Relaxed));
    Arc::new(move |line: &TranscriptLine| {
        listener(&TranscriptLine { text: format!("{name}: {}", line.text), ..line.clone() });
    })
}
