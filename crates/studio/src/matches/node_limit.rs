//! Checks before a match by nodes that its engines support `go nodes`. One that does not searches until `stop`, and the
//! first game would never end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::config::{EngineConfig, EngineKind, MatchConfig, Timeouts};
use arena::game::{EngineLimits, GameClock, start_command};
use arena::players::{MoveRequest, PlayerError, PlayerFactory};
use chess::{Game, Position};

/// A position that is in no opening book.
const OUT_OF_BOOK: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Nodes per second that a slow engine on a busy machine still reaches.
const SLOWEST_NPS: f64 = 20_000.0;

/// How long a move limited by nodes alone may take; `least` allows for engines that are slow to start.
pub fn longest_move(limits: &EngineLimits, least: Duration) -> Option<Duration> {
    let by_nodes_alone = limits.clock.is_none() && limits.move_time.is_none() && limits.depth.is_none();
    let nodes = limits.nodes.filter(|_| by_nodes_alone)?;
    Some(least + Duration::try_from_secs_f64(nodes as f64 / SLOWEST_NPS).unwrap_or(Duration::MAX / 2))
}

/// Asks every external engine that is limited by nodes alone for one move.
pub fn check(config: &MatchConfig, least: Duration, interrupt: &Arc<AtomicBool>) -> Result<(), String> {
    let external = config.engines.iter().filter(|engine| engine.kind == EngineKind::Process);
    for engine in external {
        let Some(longest) = longest_move(&engine.limits, least) else { continue };
        match first_move(engine, config.timeouts, longest, interrupt) {
            Ok(()) => {}
            Err(PlayerError::Stalled(_)) => {
                let (name, nodes) = (&engine.name, engine.limits.nodes.unwrap_or_default());
                let seconds = longest.as_secs_f64().ceil();
                return Err(format!(
                    "{name} did not answer \"go nodes {nodes}\" within {seconds} s: it does not seem to support node \
                     limits. Use a time control (clock) instead"
                ));
            }
            Err(fault) => return Err(fault.to_string()),
        }
    }
    Ok(())
}

fn first_move(
    engine: &EngineConfig,
    timeouts: Timeouts,
    longest: Duration,
    interrupt: &Arc<AtomicBool>,
) -> Result<(), PlayerError> {
    let timeouts = Timeouts { search: longest, ..timeouts };
    let factory = PlayerFactory { chess960: false, timeouts, ..PlayerFactory::default() };
    let mut player = factory.create(engine, Arc::clone(interrupt))?;
    player.new_game()?;
    let position = Position::from_fen(OUT_OF_BOOK).unwrap_or_else(|_| Position::startpos());
    let (game, text) = (Game::new(position), start_command(&position, false));
    let clocks = [GameClock::new(engine.limits); 2];
    player.think(&MoveRequest { game: &game, position: &text, clocks: &clocks }).map(drop)
}
