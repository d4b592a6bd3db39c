//! Games between two sets of parameter values inside one process. Only with the `tune` feature.
//!
//! The parameters of the search are global to the process, so they are set before each move, and a process plays one
//! game at a time; several processes play several games.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use engine::{Limits as SearchLimits, OptionError, Reading, Solo, params};
use record::book::Opening;
use record::pgn::GameResult;
use uci::client_transcript::Spoken;
use uci::info::{Info, Score};

use crate::arena::adjudication::{DrawRule, ResignRule, Rules};
use crate::arena::game::{Setting, play};
use crate::arena::limits::Limits;
use crate::arena::player::{Fault, Player, Question, Thought};

/// One game at a time uses the process's parameters.
static PARAMETERS: Mutex<()> = Mutex::new(());

/// Vedette with parameter values of its own.
struct TunedPlayer {
    solo: Solo,
    values: Vec<(&'static params::Parameter, i32)>,
    nodes: u64,
}

impl Player for TunedPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.solo.new_game();
        Ok(())
    }

    fn think(&mut self, question: &Question) -> Result<Thought, Fault> {
        for (parameter, value) in &self.values {
            parameter.set(*value);
        }
        let started = Instant::now();
        let found = self.solo.think(question.game, SearchLimits::nodes(self.nodes));
        let info = found.as_ref().map(|found| Info {
            depth: Some(found.depth),
            score: Some(match found.score.reading() {
                Reading::Centipawns(value) => Score::Centipawns(value),
                Reading::Mate(moves) => Score::Mate(moves),
            }),
            ..Info::default()
        });
        let best = found.map(|found| found.best.uci(true).to_string());
        Ok(Thought { best, elapsed: started.elapsed(), info, ..Thought::default() })
    }

    fn transcript(&self) -> Vec<Spoken> {
        Vec::new()
    }
}

/// Values for the parameters of the search by name.
///
/// # Errors
/// A name that is no parameter, or a value outside its range.
pub fn bind(names: &[String], values: &[f64]) -> Result<Vec<(&'static params::Parameter, i32)>, String> {
    names
        .iter()
        .zip(values)
        .map(|(name, &value)| {
            let parameter = params::ALL.iter().find(|parameter| parameter.name == name);
            let parameter = parameter.ok_or_else(|| format!("the search has no parameter {name}"))?;
            let value = value.round() as i32;
            if (parameter.min..=parameter.max).contains(&value) {
                Ok((parameter, value))
            } else {
                Err(format!("{name} = {value} is outside {} to {}", parameter.min, parameter.max))
            }
        })
        .collect()
}

/// Plays both games from an opening and returns wins minus losses of the first set of values.
///
/// # Errors
/// There is no memory for the engines.
pub fn play_pair(
    plus: &[(&'static params::Parameter, i32)],
    minus: &[(&'static params::Parameter, i32)],
    opening: &Opening,
    nodes: u64,
) -> Result<i32, OptionError> {
    /// Mebibytes of table: enough for short searches, and quickly cleared.
    const HASH_MB: usize = 2;
    let _alone = PARAMETERS.lock().unwrap_or_else(PoisonError::into_inner);
    let player = |values: &[(&'static params::Parameter, i32)]| -> Result<TunedPlayer, OptionError> {
        Ok(TunedPlayer { solo: Solo::new(HASH_MB)?, values: values.to_vec(), nodes })
    };
    let (mut first, mut second) = (player(plus)?, player(minus)?);
    let rules = Rules {
        draw: Some(DrawRule { move_number: 40, move_count: 6, score: 10 }),
        resign: Some(ResignRule { move_count: 3, score: 700, two_sided: true }),
        max_moves: Some(200),
    };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let setting = Setting {
        opening,
        chess960: true,
        rules: &rules,
        tablebase: None,
        limits: [limits; 2],
        check_mate_lines: false,
    };
    let points = |result: GameResult| match result {
        GameResult::WhiteWins => 1,
        GameResult::BlackWins => -1,
        _ => 0,
    };
    let as_white = play([&mut first, &mut second], &setting).ending.result;
    let as_black = play([&mut second, &mut first], &setting).ending.result;
    for parameter in params::ALL {
        parameter.set(parameter.default);
    }
    Ok(points(as_white) - points(as_black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_score_zero_and_crippled_ones_lose() {
        let opening = Opening::standard();
        assert_eq!(play_pair(&[], &[], &opening, 300).expect("memory"), 0);
        let names = ["reduction_quiet_base", "reduction_quiet_factor"].map(str::to_owned);
        let wild = bind(&names, &[2048.0, 900.0]).expect("in range");
        let results: i32 = (0..4)
            .map(|number| {
                let opening = crate::openings::default_book().opening(number).expect("valid");
                play_pair(&[], &wild, &opening, 2000).expect("memory")
            })
            .sum();
        assert!(results > 0, "{results}");
        assert!(params::ALL.iter().all(|parameter| parameter.get() == parameter.default));
    }

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        assert!(bind(&["nonsense".to_owned()], &[1.0]).is_err());
        assert!(bind(&["aspiration_delta".to_owned()], &[1e6]).is_err());
    }
}
