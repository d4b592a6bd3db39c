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

use crate::game::{Limits, Setting, play};
use crate::players::{Fault, Player, Question, Thought};
use record::adjudication::{DrawRule, ResignRule, Rules};

/// One game at a time uses the process's parameters.
static PARAMETERS: Mutex<()> = Mutex::new(());

/// A value for every parameter of the search, in the order of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSet(Vec<i32>);

impl ParameterSet {
    /// The values in the source.
    pub fn defaults() -> Self {
        Self(params::ALL.iter().map(|parameter| parameter.default).collect())
    }

    /// The values in the source but for these, by name.
    ///
    /// # Errors
    /// A name that is no parameter, or a value outside its range.
    pub fn with(names: &[String], values: &[f64]) -> Result<Self, String> {
        let mut set = Self::defaults();
        for (name, &value) in names.iter().zip(values) {
            let index = params::ALL.iter().position(|parameter| parameter.name == name);
            let index = index.ok_or_else(|| format!("the search has no parameter {name}"))?;
            let (parameter, value) = (&params::ALL[index], value.round() as i32);
            if !(parameter.min..=parameter.max).contains(&value) {
                return Err(format!("{name} = {value} is outside {} to {}", parameter.min, parameter.max));
            }
            set.0[index] = value;
        }
        Ok(set)
    }

    /// Makes the search use these values from now on.
    fn apply(&self) {
        for (parameter, &value) in params::ALL.iter().zip(&self.0) {
            parameter.set(value);
        }
    }
}

/// Vedette with parameter values of its own.
struct TunedPlayer {
    solo: Solo,
    values: ParameterSet,
    nodes: u64,
}

impl Player for TunedPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.solo.new_game();
        Ok(())
    }

    fn think(&mut self, question: &Question) -> Result<Thought, Fault> {
        self.values.apply();
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

/// Plays both games from an opening and returns wins minus losses of the first set of values.
///
/// # Errors
/// There is no memory for the engines.
pub fn play_pair(
    plus: &ParameterSet,
    minus: &ParameterSet,
    opening: &Opening,
    nodes: u64,
) -> Result<i32, OptionError> {
    /// Mebibytes of table: enough for short searches, and quickly cleared.
    const HASH_MB: usize = 2;
    let _alone = PARAMETERS.lock().unwrap_or_else(PoisonError::into_inner);
    let player = |values: &ParameterSet| -> Result<TunedPlayer, OptionError> {
        Ok(TunedPlayer { solo: Solo::new(HASH_MB)?, values: values.clone(), nodes })
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
    ParameterSet::defaults().apply();
    Ok(points(as_white) - points(as_black))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Were the values not set for each side before its moves, all pairs would end level.
    #[test]
    fn each_side_plays_with_its_own_values() {
        let names = ["reduction_quiet_base", "reduction_quiet_factor", "null_move_base", "late_move_base"];
        let wild =
            ParameterSet::with(&names.map(str::to_owned), &[2048.0, 900.0, 6144.0, 1.0]).expect("in range");
        let tame = ParameterSet::defaults();
        let book = crate::openings::default_book();
        let mut decided = 0;
        for number in 0..8 {
            let opening = book.opening(number).expect("valid");
            let pair = |plus, minus| play_pair(plus, minus, &opening, 1000).expect("memory");
            assert_eq!(pair(&tame, &tame), 0);
            let result = pair(&tame, &wild);
            assert_eq!(result, -pair(&wild, &tame));
            decided += i32::from(result != 0);
        }
        assert!(decided > 0);
        assert!(params::ALL.iter().all(|parameter| parameter.get() == parameter.default));
    }

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        assert!(ParameterSet::with(&["nonsense".to_owned()], &[1.0]).is_err());
        assert!(ParameterSet::with(&["aspiration_delta".to_owned()], &[1e6]).is_err());
    }
}
