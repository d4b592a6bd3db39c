//! Games between two sets of option values of any UCI engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use record::adjudication::AdjudicationRules;
use record::book::Opening;
use uci::client::Identity;
use uci::{OptionDeclaration, OptionKind};

use super::parameter::TunedParameter;
use super::{points, rules};
use crate::config::{EngineConfig, Timeouts};
use crate::game::{GameConfig, play};
use crate::players::{PlayerError, ProcessPlayer};
use support::suggest::nearest;

/// Two processes of one engine that play each other, with values of their own.
#[derive(Debug)]
pub struct EnginePair {
    players: [ProcessPlayer; 2],
    engine: EngineConfig,
    rules: AdjudicationRules,
}

impl EnginePair {
    /// Starts both processes; setting `interrupt` ends their games.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn start(engine: &EngineConfig, interrupt: &Arc<AtomicBool>) -> Result<Self, PlayerError> {
        let start = || ProcessPlayer::start(engine, false, Timeouts::default(), Arc::clone(interrupt), None);
        Ok(Self { players: [start()?, start()?], engine: engine.clone(), rules: rules() })
    }

    /// What the engine reports about itself.
    pub fn identity(&self) -> &Identity {
        self.players[0].identity()
    }

    /// Sets the values of both.
    ///
    /// # Errors
    /// The engine cannot continue.
    pub fn set(&mut self, parameters: &[TunedParameter], values: [&[f64]; 2]) -> Result<(), PlayerError> {
        for (player, values) in self.players.iter_mut().zip(values) {
            for (parameter, &value) in parameters.iter().zip(values) {
                player.set_option(&parameter.name, &parameter.option_value(value))?;
            }
        }
        Ok(())
    }

    /// Plays both games from an opening and returns wins minus losses of the first set of values.
    ///
    /// # Errors
    /// The engine crashed, or the games were interrupted.
    pub fn play(&mut self, opening: &Opening) -> Result<i32, String> {
        let settings = GameConfig {
            opening,
            chess960: false,
            rules: &self.rules,
            tablebase: None,
            limits: [self.engine.limits; 2],
            check_mate_lines: false,
        };
        let [first, second] = &mut self.players;
        let as_white = play([first, second], &settings);
        if as_white.broken || as_white.is_interrupted() {
            return Err(as_white.ending.text);
        }
        let as_black = play([second, first], &settings);
        if as_black.broken || as_black.is_interrupted() {
            return Err(as_black.ending.text);
        }
        Ok(points(as_white.ending.result) - points(as_black.ending.result))
    }
}

/// Whether an engine takes all values of a parameter: what it does not take would be tuned by chance alone.
///
/// # Errors
/// What is wrong.
pub fn check_option(parameter: &TunedParameter, identity: &Identity) -> Result<(), String> {
    let TunedParameter { name, min, max, is_integer, .. } = parameter;
    let Some(option) = identity.option(name) else {
        let known = identity.options.iter().map(|option| option.name.as_str());
        let hint = nearest(name, known).map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("{} has no option {name}{hint}", identity.name));
    };
    match (&option.kind, is_integer) {
        (&OptionKind::Spin { min: least, max: most, .. }, true) => {
            if *min < least as f64 || *max > most as f64 {
                return Err(format!(
                    "invalid range {min}..={max} of {name}: expected within {least}..={most}"
                ));
            }
            Ok(())
        }
        (OptionKind::String { .. }, false) => Ok(()),
        (OptionKind::Spin { .. }, false) => Err(format!("{name} is a spin option: expected type int")),
        _ => Err(format!("{name} is neither a spin option nor a string option for type float")),
    }
}

/// Options of many engines that are no parameters of the search.
const NOT_TUNED: [&str; 6] =
    ["Hash", "Threads", "MultiPV", "Move Overhead", "SyzygyProbeDepth", "SyzygyProbeLimit"];

/// The spin options of an engine as parameters; the perturbation is a twentieth of the range.
pub fn spin_parameters(identity: &Identity) -> Vec<TunedParameter> {
    let parameter = |option: &OptionDeclaration| {
        let OptionKind::Spin { default, min, max } = option.kind else { return None };
        let is_setting = NOT_TUNED.contains(&option.name.as_str()) || option.name.starts_with("UCI_");
        let (value, min, max) = (default as f64, min as f64, max as f64);
        (!is_setting && min < max).then(|| TunedParameter {
            name: option.name.clone(),
            is_integer: true,
            value,
            min,
            max,
            c_end: ((max - min) / 20.0).max(0.5),
            r_end: 0.002,
        })
    };
    identity.options.iter().filter_map(parameter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{EngineLine, parse_engine_line};

    fn identity(lines: &[&str]) -> Identity {
        let option = |line: &&str| match parse_engine_line(&format!("option name {line}")) {
            EngineLine::Option(option) => option,
            other => panic!("{other:?}"),
        };
        Identity { name: "E".to_owned(), options: lines.iter().map(option).collect(), ..Identity::default() }
    }

    #[test]
    fn parameters_must_be_options() {
        let engine = identity(&["Margin type spin default 5 min 0 max 10", "Scale type string default 0.5"]);
        let check = |line: &str| check_option(&line.parse().expect(line), &engine);
        assert_eq!(check("margin, int, 5, 0, 10, 1, 0.002"), Ok(()));
        assert_eq!(check("Scale, float, 0.5, 0, 1, 0.1, 0.002"), Ok(()));
        for (line, reason) in [
            ("Margin, int, 5, 0, 11, 1, 0.002", "invalid range 0..=11 of Margin: expected within 0..=10"),
            ("Margn, int, 5, 0, 10, 1, 0.002", "E has no option Margn; did you mean Margin?"),
            ("Margin, float, 5, 0, 10, 1, 0.002", "Margin is a spin option: expected type int"),
            ("Scale, int, 0, 0, 1, 1, 0.002", "Scale is neither"),
        ] {
            let error = check(line).expect_err(line);
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn export_lists_spin_options() {
        let engine = identity(&[
            "Hash type spin default 16 min 1 max 1024",
            "UCI_Elo type spin default 1500 min 1000 max 2000",
            "Ponder type check default false",
            "Margin type spin default 5 min 0 max 100",
        ]);
        let lines: Vec<String> = spin_parameters(&engine).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["Margin, int, 5, 0, 100, 5, 0.002"]);
    }
}
