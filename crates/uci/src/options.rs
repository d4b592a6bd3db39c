//! UCI options: how an engine declares them, which values they take, and a table that connects each with what
//! it sets.
//!
//! A [`Client`](crate::client::Client) reads declarations from foreign engines. Vedette builds an
//! [`OptionTable`], prints its declarations after `uci` and hands `setoption` to it.

use std::fmt;
use std::ops::RangeInclusive;

use crate::warning::Excerpt;

/// How UCI writes an empty string.
const EMPTY: &str = "<empty>";

/// An option as `option name …` declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name; case does not matter when it is set.
    pub name: String,
    /// Type, default and range.
    pub kind: OptionKind,
}

/// Type, default and range of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// Value at start.
        default: bool,
    },
    /// An integer.
    Spin {
        /// Value at start.
        default: i64,
        /// Lowest value accepted.
        min: i64,
        /// Highest value accepted.
        max: i64,
    },
    /// One of several strings.
    Combo {
        /// Value at start.
        default: String,
        /// The strings.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    String {
        /// Value at start.
        default: String,
    },
}

/// A value that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a check.
    Check(bool),
    /// Of a spin, in its range.
    Spin(i64),
    /// Of a combo, as the declaration spells it.
    Combo(String),
    /// A button was pressed.
    Button,
    /// Of a string option.
    String(String),
}

/// Keywords of an option line; a name or value runs until the next of them.
const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl OptionDeclaration {
    /// Reads what follows `option`.
    pub(crate) fn parse(rest: &str) -> Option<OptionDeclaration> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for token in rest.split_whitespace() {
            match KEYWORDS.iter().find(|&&keyword| keyword == token) {
                // A name may contain such a token ("name" only opens once; others wait for "type").
                Some(&keyword) if keyword == "name" && !fields.is_empty() => fields.last_mut()?.1.push(token),
                Some(&keyword)
                    if keyword == "name"
                        || keyword == "type"
                        || fields.iter().any(|field| field.0 == "type") =>
                {
                    fields.push((keyword, Vec::new()));
                }
                _ => fields.last_mut()?.1.push(token),
            }
        }
        let text = |key: &str| fields.iter().find(|field| field.0 == key).map(|field| field.1.join(" "));
        let integer = |key: &str| text(key).and_then(|value| value.parse::<i64>().ok());
        let name = text("name").filter(|name| !name.is_empty())?;
        let default = || text("default").filter(|value| value != EMPTY).unwrap_or_default();
        let choices = || fields.iter().filter(|field| field.0 == "var").map(|field| field.1.join(" "));
        let kind = match text("type")?.as_str() {
            "check" => OptionKind::Check { default: default() == "true" },
            "spin" => OptionKind::Spin {
                default: integer("default").unwrap_or(0),
                min: integer("min").unwrap_or(i64::MIN),
                max: integer("max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo { default: default(), choices: choices().collect() },
            "button" => OptionKind::Button,
            "string" => OptionKind::String { default: default() },
            _ => return None,
        };
        Some(OptionDeclaration { name, kind })
    }

    /// Checks the value of a `setoption`.
    ///
    /// # Errors
    /// The value is missing or not one that the option takes.
    pub fn value(&self, value: Option<&str>) -> Result<OptionValue, InvalidOption> {
        let given = || value.filter(|value| !value.is_empty()).ok_or_else(|| self.missing_value());
        let invalid = |expected: Expected| InvalidOption::Value {
            name: self.name.clone(),
            value: value.unwrap_or_default().into(),
            expected,
        };
        match &self.kind {
            OptionKind::Check { .. } => match given()? {
                text if text.eq_ignore_ascii_case("true") => Ok(OptionValue::Check(true)),
                text if text.eq_ignore_ascii_case("false") => Ok(OptionValue::Check(false)),
                _ => Err(invalid(Expected::Bool)),
            },
            &OptionKind::Spin { min, max, .. } => {
                let number = given()?.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(OptionValue::Spin).ok_or_else(|| invalid(Expected::Range(min..=max)))
            }
            OptionKind::Combo { choices, .. } => {
                let text = given()?;
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                let choice = choice.map(|choice| OptionValue::Combo(choice.clone()));
                choice.ok_or_else(|| invalid(Expected::OneOf(choices.clone())))
            }
            OptionKind::Button => Ok(OptionValue::Button),
            OptionKind::String { .. } => {
                let text = value.ok_or_else(|| self.missing_value())?;
                Ok(OptionValue::String(if text == EMPTY { String::new() } else { text.to_owned() }))
            }
        }
    }

    fn missing_value(&self) -> InvalidOption {
        InvalidOption::MissingValue(self.name.clone())
    }
}

impl fmt::Display for OptionDeclaration {
    /// The line that declares the option.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

/// Why a `setoption` cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidOption {
    /// There is no option of this name.
    Unknown(Excerpt),
    /// The option needs a value.
    MissingValue(String),
    /// The option does not take this value.
    Value {
        /// The option.
        name: String,
        /// The value.
        value: Excerpt,
        /// What it takes.
        expected: Expected,
    },
}

/// Which values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// True or false.
    Bool,
    /// An integer of this range.
    Range(RangeInclusive<i64>),
    /// One of these.
    OneOf(Vec<String>),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Bool => f.write_str("true or false"),
            Expected::Range(range) => write!(f, "{}..={}", range.start(), range.end()),
            Expected::OneOf(choices) => f.write_str(&choices.join(" or ")),
        }
    }
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidOption::Unknown(name) => write!(f, "no such option {name}"),
            InvalidOption::MissingValue(name) => write!(f, "missing value for {name}"),
            InvalidOption::Value { name, value, expected } => {
                write!(f, "invalid value {value} for {name}: expected {expected}")
            }
        }
    }
}

impl std::error::Error for InvalidOption {}

type SpinSetter<T, R> = Box<dyn Fn(&mut T, i64) -> R + Send + Sync>;

/// What a value does to a `T`.
enum Setter<T, R> {
    Check(fn(&mut T, bool) -> R),
    Spin(SpinSetter<T, R>),
    Combo(fn(&mut T, &str) -> R),
    Button(fn(&mut T) -> R),
    String(fn(&mut T, &str) -> R),
}

/// The options of a `T`, each declared once together with what it sets; setting one returns an `R`.
///
/// ```
/// use uci::OptionTable;
/// let mut table: OptionTable<u64, ()> = OptionTable::default();
/// table.spin("Hash", 16, 1..=1024, |size, value| *size = value as u64);
/// table.button("Clear Hash", |size| *size = 0);
/// let mut size = 16;
/// table.set(&mut size, "hash", Some("64"))?;
/// assert_eq!(size, 64);
/// assert!(table.set(&mut size, "Hash", Some("0")).is_err());
/// let lines: Vec<String> = table.declarations().map(ToString::to_string).collect();
/// assert_eq!(lines[0], "option name Hash type spin default 16 min 1 max 1024");
/// # Ok::<(), uci::InvalidOption>(())
/// ```
pub struct OptionTable<T, R>(Vec<(OptionDeclaration, Setter<T, R>)>);

impl<T, R> Default for OptionTable<T, R> {
    fn default() -> Self {
        OptionTable(Vec::new())
    }
}

impl<T, R> OptionTable<T, R> {
    fn add(&mut self, name: &str, kind: OptionKind, setter: Setter<T, R>) {
        self.0.push((OptionDeclaration { name: name.to_owned(), kind }, setter));
    }

    /// Adds a check.
    pub fn check(&mut self, name: &str, default: bool, set: fn(&mut T, bool) -> R) {
        self.add(name, OptionKind::Check { default }, Setter::Check(set));
    }

    /// Adds a spin.
    pub fn spin(
        &mut self,
        name: &str,
        default: i64,
        range: RangeInclusive<i64>,
        set: impl Fn(&mut T, i64) -> R + Send + Sync + 'static,
    ) {
        let kind = OptionKind::Spin { default, min: *range.start(), max: *range.end() };
        self.add(name, kind, Setter::Spin(Box::new(set)));
    }

    /// Adds a combo.
    pub fn combo(&mut self, name: &str, default: &str, choices: &[&str], set: fn(&mut T, &str) -> R) {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        self.add(name, OptionKind::Combo { default: default.to_owned(), choices }, Setter::Combo(set));
    }

    /// Adds a button.
    pub fn button(&mut self, name: &str, press: fn(&mut T) -> R) {
        self.add(name, OptionKind::Button, Setter::Button(press));
    }

    /// Adds a string option.
    pub fn string(&mut self, name: &str, default: &str, set: fn(&mut T, &str) -> R) {
        self.add(name, OptionKind::String { default: default.to_owned() }, Setter::String(set));
    }

    /// The options, in the order in which they were added.
    pub fn declarations(&self) -> impl Iterator<Item = &OptionDeclaration> {
        self.0.iter().map(|(declaration, _)| declaration)
    }

    /// Whether there is an option of this name; case does not matter.
    pub fn contains(&self, name: &str) -> bool {
        self.declarations().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets the option of this name; case does not matter.
    ///
    /// # Errors
    /// There is no such option, or it does not take the value.
    pub fn set(&self, target: &mut T, name: &str, value: Option<&str>) -> Result<R, InvalidOption> {
        let entry = self.0.iter().find(|(declaration, _)| declaration.name.eq_ignore_ascii_case(name));
        let (declaration, setter) = entry.ok_or_else(|| InvalidOption::Unknown(name.into()))?;
        Ok(match (setter, declaration.value(value)?) {
            (Setter::Check(set), OptionValue::Check(on)) => set(target, on),
            (Setter::Spin(set), OptionValue::Spin(number)) => set(target, number),
            (Setter::Combo(set), OptionValue::Combo(choice)) => set(target, &choice),
            (Setter::Button(press), OptionValue::Button) => press(target),
            (Setter::String(set), OptionValue::String(text)) => set(target, &text),
            _ => unreachable!("an option and its value are of one kind"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> OptionDeclaration {
        OptionDeclaration::parse(line).expect("a declaration")
    }

    #[test]
    fn declarations_are_read_and_printed() {
        for line in [
            "name Hash type spin default 16 min 1 max 33554432",
            "name Clear Hash type button",
            "name Move Overhead type spin default 10 min 0 max 5000",
            "name SyzygyPath type string default <empty>",
            "name Style type combo default Normal var Solid var Normal var Very Risky",
            "name min split depth type check default true",
        ] {
            assert_eq!(option(line).to_string(), format!("option {line}"));
        }
        let hash = option("name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(
            (hash.name.as_str(), hash.kind),
            ("Hash", OptionKind::Spin { default: 16, min: 1, max: 33554432 })
        );
        let path = option("name SyzygyPath type string default <empty>");
        assert_eq!(path.kind, OptionKind::String { default: String::new() });
        let check = option("name min split depth type check default true");
        assert_eq!(
            (check.name.as_str(), check.kind),
            ("min split depth", OptionKind::Check { default: true })
        );
    }

    #[test]
    fn values_are_checked() {
        let hash = option("name Hash type spin default 16 min 1 max 1024");
        assert_eq!(hash.value(Some("64")), Ok(OptionValue::Spin(64)));
        for value in ["0", "-5", "abc", "99999999999999999999", "1.5", "16 MB"] {
            let error = hash.value(Some(value)).unwrap_err().to_string();
            assert_eq!(error, format!("invalid value '{value}' for Hash: expected 1..=1024"));
        }
        for value in [None, Some("")] {
            assert_eq!(hash.value(value), Err(InvalidOption::MissingValue("Hash".to_owned())));
        }
        let check = option("name Ponder type check default false");
        assert_eq!(check.value(Some("TRUE")), Ok(OptionValue::Check(true)));
        let error = check.value(Some("1")).unwrap_err().to_string();
        assert_eq!(error, "invalid value '1' for Ponder: expected true or false");
        let style = option("name Style type combo default Normal var Normal var Very Risky");
        assert_eq!(style.value(Some("very risky")), Ok(OptionValue::Combo("Very Risky".to_owned())));
        let error = style.value(Some("wild")).unwrap_err().to_string();
        assert_eq!(error, "invalid value 'wild' for Style: expected Normal or Very Risky");
    }

    #[test]
    fn button_needs_no_value_and_ignores_one() {
        let clear = option("name Clear Hash type button");
        assert_eq!(
            (clear.value(None), clear.value(Some("7"))),
            (Ok(OptionValue::Button), Ok(OptionValue::Button))
        );
    }

    #[test]
    fn string_may_hold_spaces_or_be_empty() {
        let log = option("name Log type string default <empty>");
        let text = |text: &str| Ok(OptionValue::String(text.to_owned()));
        assert_eq!(log.value(Some("/tmp/a b.log")), text("/tmp/a b.log"));
        assert_eq!((log.value(Some("<empty>")), log.value(Some(""))), (text(""), text("")));
        assert!(log.value(None).is_err());
    }
}
