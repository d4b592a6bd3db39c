//! Games between two sets of parameter values inside one process. Only with the `tune` feature.

use std::time::Instant;

use engine::params::{Parameter, Params};
use engine::{Limits, OptionError, Searcher};
use record::book::Opening;
use uci::Info;
use uci::client::TranscriptLine;

use super::{points, rules};
use crate::game::{EngineLimits, GameConfig, play};
use crate::players::{MoveReply, MoveRequest, Player, PlayerError};

/// The default parameters but for these, by name.
///
/// # Errors
/// An unknown name, or a value out of range.
pub fn tuned_params(names: &[String], values: &[f64]) -> Result<Params, String> {
    let mut params = Params::default();
    for (name, &value) in names.iter().zip(values) {
        let parameter = Parameter::named(name).ok_or_else(|| format!("unknown parameter '{name}'"))?;
        let (value, Parameter { min, max, .. }) = (value.round() as i32, parameter);
        if !params.set(parameter, value) {
            return Err(format!("invalid {name} {value}: expected {min}..={max}"));
        }
    }
    Ok(params)
}

/// Vedette with parameters of its own.
struct TunedPlayer {
    searcher: Searcher,
    nodes: u64,
}

impl Player for TunedPlayer {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.searcher.new_game();
        Ok(())
    }

    fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        let started = Instant::now();
        let found = self.searcher.search_silent(request.game, Limits::nodes(self.nodes));
        let (depth, score) = (Some(found.depth), Some(found.score.to_uci()));
        let info = found.best.map(|_| Info { depth, score, ..Info::default() });
        Ok(MoveReply { best: found.best.into(), elapsed: started.elapsed(), info, ..MoveReply::default() })
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        Vec::new()
    }
}

/// Plays both games from an opening and returns wins minus losses of the first set of values.
///
/// # Errors
/// The hash tables cannot be allocated.
pub fn play_pair(plus: &Params, minus: &Params, opening: &Opening, nodes: u64) -> Result<i32, OptionError> {
    /// Enough for short searches, and quickly cleared.
    const HASH_MB: usize = 2;
    let player = |params: &Params| -> Result<TunedPlayer, OptionError> {
        Ok(TunedPlayer { searcher: Searcher::new(HASH_MB)?.with_params(params.clone()), nodes })
    };
    let (mut first, mut second) = (player(plus)?, player(minus)?);
    let rules = rules();
    let limits = EngineLimits { nodes: Some(nodes), ..EngineLimits::default() };
    let settings = GameConfig {
        opening,
        chess960: true,
        rules: &rules,
        tablebase: None,
        limits: [limits; 2],
        check_mate_lines: false,
    };
    let as_white = play([&mut first, &mut second], &settings).ending.result;
    let as_black = play([&mut second, &mut first], &settings).ending.result;
    Ok(points(as_white) - points(as_black))
}
