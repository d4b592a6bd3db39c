//! The options, declared once: name, kind, range, default, and what each sets. `uci` prints from the table,
//! `setoption` is checked against it, and the session only ever sees a typed [`Setting`].

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use engine::evaluation::EvaluationKind;

use crate::remark::Excerpt;

/// A checked value on its way to what it sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the transposition table in MiB.
    Hash(usize),
    /// Search threads.
    Threads(usize),
    /// Lines to show.
    MultiPv(usize),
    /// The GUI may ponder. Nothing depends on it: `go ponder` says it again.
    Ponder(bool),
    /// Time kept back for every move.
    MoveOverhead(Duration),
    /// Empty the transposition table.
    ClearHash,
    /// Write castling as king takes rook.
    Chess960(bool),
    /// Add win, draw and loss to the score.
    ShowWdl(bool),
    /// The position is analysed, not played. Nothing depends on it: the search is the same.
    AnalyseMode(bool),
    /// Count what happens in the search, and show it.
    ShowPvsStats(bool),
    /// What judges positions.
    Evaluation(EvaluationKind),
    /// Play below full strength.
    LimitStrength(bool),
    /// How strong to play then.
    Elo(u32),
    /// Judge by the network in this file, or by the one inside the program.
    EvalFile(Option<PathBuf>),
    /// Copy the conversation to this file, or to none.
    DebugLogFile(Option<PathBuf>),
    /// Another value for a number of the search.
    #[cfg(feature = "tune")]
    Parameter(&'static engine::params::Parameter, i32),
}

/// What a number sets.
type SetNumber = Box<dyn Fn(i64) -> Setting + Send + Sync>;

/// What values an option takes, which is its default, and what a value sets.
pub enum Kind {
    /// True or false.
    Check {
        /// The value before any `setoption`.
        default: bool,
        /// What a value sets.
        set: fn(bool) -> Setting,
    },
    /// A whole number.
    Spin {
        /// The value before any `setoption`.
        default: i64,
        /// The values allowed.
        range: RangeInclusive<i64>,
        /// What a value sets.
        set: SetNumber,
    },
    /// One of several words.
    Combo {
        /// The value before any `setoption`.
        default: &'static str,
        /// The values allowed, and what each sets.
        values: Vec<(&'static str, Setting)>,
    },
    /// No value, an action.
    Button {
        /// What pressing sets off.
        press: fn() -> Setting,
    },
    /// Any text; empty is written `<empty>`.
    Text {
        /// The value before any `setoption`.
        default: &'static str,
        /// What a value sets.
        set: fn(&str) -> Setting,
    },
}

/// One option.
pub struct UciOption {
    /// The name as GUIs show it.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind,
}

/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// All options, in the order in which `uci` shows them. Where numbers of the search can be tuned, they are options as well.
pub static OPTIONS: LazyLock<Vec<UciOption>> = LazyLock::new(|| {
    let default = engine::Options::default();
    let overhead_ms = *engine::MOVE_OVERHEAD_MS.start() as usize..=*engine::MOVE_OVERHEAD_MS.end() as usize;
    let mut options = vec![
        spin("Hash", default.hash_mb, engine::HASH_MB, Setting::Hash),
        spin("Threads", default.threads, engine::THREADS, Setting::Threads),
        spin("MultiPV", default.multi_pv, engine::MULTI_PV, Setting::MultiPv),
        spin("Move Overhead", default.move_overhead.as_millis() as usize, overhead_ms, |ms| {
            Setting::MoveOverhead(Duration::from_millis(ms as u64))
        }),
        check("Ponder", false, Setting::Ponder),
        button("Clear Hash", || Setting::ClearHash),
        check("UCI_Chess960", false, Setting::Chess960),
        check("UCI_ShowWDL", false, Setting::ShowWdl),
        check("UCI_AnalyseMode", false, Setting::AnalyseMode),
        check("UCI_LimitStrength", default.limit_strength, Setting::LimitStrength),
        spin("UCI_Elo", default.elo as usize, engine::ELO, |elo| Setting::Elo(elo as u32)),
        check("ShowPVSStats", default.collect_statistics, Setting::ShowPvsStats),
        combo(
            "Evaluation",
            default.evaluation.name(),
            EvaluationKind::ALL.map(|kind| (kind.name(), Setting::Evaluation(kind))).to_vec(),
        ),
        text("EvalFile", "", |path| Setting::EvalFile((!path.is_empty()).then(|| path.into()))),
        text("Debug Log File", "", |path| Setting::DebugLogFile((!path.is_empty()).then(|| path.into()))),
    ];
    options.extend(parameters());
    options
});

/// A spin for each number of the search, as OpenBench's SPSA sets them.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = UciOption> {
    engine::params::ALL.iter().map(|parameter| {
        let set: SetNumber = Box::new(|value| Setting::Parameter(parameter, value as i32));
        let range = parameter.min.into()..=parameter.max.into();
        UciOption { name: parameter.name, kind: Kind::Spin { default: parameter.default.into(), range, set } }
    })
}

/// The numbers of the search are constants.
#[cfg(not(feature = "tune"))]
fn parameters() -> impl Iterator<Item = UciOption> {
    std::iter::empty()
}

fn check(name: &'static str, default: bool, set: fn(bool) -> Setting) -> UciOption {
    UciOption { name, kind: Kind::Check { default, set } }
}

fn spin(
    name: &'static str,
    default: usize,
    range: RangeInclusive<usize>,
    set: fn(usize) -> Setting,
) -> UciOption {
    let range = *range.start() as i64..=*range.end() as i64;
    let set: SetNumber = Box::new(move |value| set(value as usize));
    UciOption { name, kind: Kind::Spin { default: default as i64, range, set } }
}

fn combo(name: &'static str, default: &'static str, values: Vec<(&'static str, Setting)>) -> UciOption {
    UciOption { name, kind: Kind::Combo { default, values } }
}

fn button(name: &'static str, press: fn() -> Setting) -> UciOption {
    UciOption { name, kind: Kind::Button { press } }
}

fn text(name: &'static str, default: &'static str, set: fn(&str) -> Setting) -> UciOption {
    UciOption { name, kind: Kind::Text { default, set } }
}

/// Why a `setoption` was refused; the old value is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option of this name.
    Unknown(Excerpt),
    /// `value` is missing.
    NoValue(&'static str),
    /// Neither true nor false.
    NotABool(&'static str, Excerpt),
    /// None of the words, which are named.
    NotAChoice(&'static str, Excerpt, String),
    /// No number, or one out of range.
    OutOfRange(&'static str, Excerpt, RangeInclusive<i64>),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "setoption: no option {name}"),
            OptionError::NoValue(name) => write!(f, "setoption: {name} needs a value; unchanged"),
            OptionError::NotABool(name, value) => {
                write!(f, "setoption: {name} is true or false, not {value}; unchanged")
            }
            OptionError::NotAChoice(name, value, values) => {
                write!(f, "setoption: {name} is {values}, not {value}; unchanged")
            }
            OptionError::OutOfRange(name, value, range) => {
                write!(f, "setoption: {name} is {} to {}, not {value}; unchanged", range.start(), range.end())
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// Looks the option up, case aside, and checks the value.
///
/// # Errors
/// When there is no such option, or the value is not one of its values.
pub fn read(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(name.into()))?;
    option.read(value)
}

impl UciOption {
    fn read(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let value_or_error =
            || value.filter(|value| !value.is_empty()).ok_or(OptionError::NoValue(self.name));
        match &self.kind {
            Kind::Check { set, .. } => {
                let value = value_or_error()?;
                if value.eq_ignore_ascii_case("true") {
                    Ok(set(true))
                } else if value.eq_ignore_ascii_case("false") {
                    Ok(set(false))
                } else {
                    Err(OptionError::NotABool(self.name, value.into()))
                }
            }
            Kind::Spin { range, set, .. } => {
                let value = value_or_error()?;
                let number = value.parse().ok().filter(|number| range.contains(number));
                number.map(set).ok_or_else(|| OptionError::OutOfRange(self.name, value.into(), range.clone()))
            }
            Kind::Combo { values, .. } => {
                let value = value_or_error()?;
                let choice = values.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
                choice.map(|(_, setting)| setting.clone()).ok_or_else(|| {
                    let words: Vec<&str> = values.iter().map(|&(word, _)| word).collect();
                    OptionError::NotAChoice(self.name, value.into(), words.join(" or "))
                })
            }
            Kind::Button { press } => Ok(press()),
            Kind::Text { set, .. } => {
                let value = value.ok_or(OptionError::NoValue(self.name))?;
                Ok(set(if value == EMPTY { "" } else { value }))
            }
        }
    }
}

impl fmt::Display for UciOption {
    /// The option as `uci` declares it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, range, .. } => {
                write!(f, "spin default {default} min {} max {}", range.start(), range.end())
            }
            Kind::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|(word, _)| write!(f, " var {word}"))
            }
            Kind::Button { .. } => f.write_str("button"),
            Kind::Text { default, .. } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_names_differ() {
        for (index, option) in OPTIONS.iter().enumerate() {
            if let Kind::Spin { default, range, .. } = &option.kind {
                assert!(range.contains(default), "{option}");
            }
            let twin = OPTIONS[..index].iter().find(|other| other.name.eq_ignore_ascii_case(option.name));
            assert!(twin.is_none(), "{option}");
        }
    }

    #[test]
    fn every_option_takes_what_it_declares() {
        for option in OPTIONS.iter() {
            let declaration = option.to_string();
            let after = |word: &str| {
                let (_, rest) = declaration.split_once(&format!(" {word} "))?;
                Some(rest.split(' ').next().unwrap_or_default())
            };
            assert_eq!(
                after("default").is_none(),
                matches!(option.kind, Kind::Button { .. }),
                "{declaration}"
            );
            for value in [after("default"), after("min"), after("max")].into_iter().flatten() {
                assert!(read(option.name, Some(value)).is_ok(), "{declaration}: {value}");
            }
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn every_number_of_the_search_is_an_option_where_it_can_be_tuned() {
        let declarations: Vec<String> = OPTIONS.iter().map(ToString::to_string).collect();
        for parameter in engine::params::ALL {
            let (name, least) = (parameter.name, parameter.min);
            let expected = format!(
                "option name {name} type spin default {} min {least} max {}",
                parameter.default, parameter.max
            );
            assert!(declarations.contains(&expected), "{expected}");
            assert_eq!(read(name, Some(&least.to_string())), Ok(Setting::Parameter(parameter, least)));
            assert!(matches!(read(name, Some(&(least - 1).to_string())), Err(OptionError::OutOfRange(..))));
        }
    }

    #[cfg(not(feature = "tune"))]
    #[test]
    fn numbers_of_the_search_are_no_options_where_they_are_constants() {
        let is_option = |name: &str| OPTIONS.iter().any(|option| option.name == name);
        assert!(!engine::params::ALL.iter().any(|parameter| is_option(parameter.name)));
    }

    #[test]
    fn names_and_booleans_are_read_without_regard_to_case() {
        assert_eq!(read("hash", Some("32")), Ok(Setting::Hash(32)));
        assert_eq!(read("MOVE OVERHEAD", Some("5")), Ok(Setting::MoveOverhead(Duration::from_millis(5))));
        assert_eq!(read("uci_chess960", Some("TRUE")), Ok(Setting::Chess960(true)));
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        for value in ["0", "-5", "abc", "99999999999999999999", "1.5", "16 MB"] {
            assert!(matches!(read("Hash", Some(value)), Err(OptionError::OutOfRange(..))), "{value}");
        }
        assert_eq!(read("Hash", None), Err(OptionError::NoValue("Hash")));
        assert_eq!(read("Hash", Some("")), Err(OptionError::NoValue("Hash")));
        assert!(matches!(read("Ponder", Some("1")), Err(OptionError::NotABool(..))));
        assert!(matches!(read("Hush", Some("1")), Err(OptionError::Unknown(_))));
    }

    #[test]
    fn a_combo_takes_its_words_and_no_other() {
        for kind in EvaluationKind::ALL {
            assert_eq!(read("Evaluation", Some(kind.name())), Ok(Setting::Evaluation(kind)));
        }
        let refusal = read("evaluation", Some("guess")).unwrap_err().to_string();
        assert_eq!(refusal, "setoption: Evaluation is network or classical, not 'guess'; unchanged");
    }

    #[test]
    fn a_button_needs_no_value_and_ignores_one() {
        assert_eq!(read("Clear Hash", None), Ok(Setting::ClearHash));
        assert_eq!(read("Clear Hash", Some("7")), Ok(Setting::ClearHash));
    }

    #[test]
    fn a_text_may_hold_blanks_and_empty_has_its_own_word() {
        let path = |path: &str| Setting::DebugLogFile(Some(path.into()));
        assert_eq!(read("Debug Log File", Some("/tmp/a b.log")), Ok(path("/tmp/a b.log")));
        assert_eq!(read("Debug Log File", Some("<empty>")), Ok(Setting::DebugLogFile(None)));
        assert_eq!(read("Debug Log File", Some("")), Ok(Setting::DebugLogFile(None)));
    }
}
