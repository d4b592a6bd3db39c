//! Splits the command line into options with their arguments, and parses these.

use std::str::FromStr;
use std::time::Duration;

use super::CliError;
use super::options::{BARE_KEYS, OPTIONS, OptionSpec, find};
use support::suggest::nearest;

/// An option and its arguments.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The option with its minus.
    pub name: &'a str,
    pub arguments: Vec<&'a str>,
}

/// Splits a command line at its options. A minus before a letter begins an option; a minus before a digit is a number.
pub fn split(arguments: &[String]) -> Result<Vec<Section<'_>>, CliError> {
    let mut sections: Vec<Section> = Vec::new();
    for argument in arguments {
        let name = argument.trim_start_matches('-');
        let is_option = argument.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic());
        match sections.last_mut() {
            _ if is_option => sections.push(Section { name: argument, arguments: Vec::new() }),
            Some(section) => section.arguments.push(argument),
            None => return Err(CliError::Stray(argument.clone())),
        }
    }
    Ok(sections)
}

impl<'a> Section<'a> {
    /// The option without its minus.
    pub fn option(&self) -> &'a str {
        self.name.trim_start_matches('-')
    }

    pub fn invalid(&self, value: &str, expected: &str) -> CliError {
        CliError::Value(self.name.to_owned(), value.to_owned(), expected.to_owned())
    }

    pub fn unsupported(&self, argument: &str, reason: &str) -> CliError {
        CliError::Unsupported(self.name.to_owned(), argument.to_owned(), reason.to_owned())
    }

    fn unexpected(&self, argument: &str) -> CliError {
        CliError::Unexpected(self.name.to_owned(), argument.to_owned())
    }

    /// Checks that there are no arguments.
    pub fn flag(&self) -> Result<(), CliError> {
        self.arguments.first().map_or(Ok(()), |argument| Err(self.unexpected(argument)))
    }

    /// The only argument.
    pub fn value(&self) -> Result<&'a str, CliError> {
        match self.arguments[..] {
            [value] => Ok(value),
            [] => Err(CliError::Missing(format!("{}: missing value", self.name))),
            [_, second, ..] => Err(self.unexpected(second)),
        }
    }

    /// All arguments, joined by spaces.
    pub fn text(&self) -> String {
        self.arguments.join(" ")
    }

    pub fn positive(&self) -> Result<u64, CliError> {
        let number: u64 = self.number()?;
        if number == 0 { Err(self.invalid("0", "a positive number")) } else { Ok(number) }
    }

    pub fn number<T: FromStr>(&self) -> Result<T, CliError> {
        self.parse(self.value()?, "a number")
    }

    pub fn parse<T: FromStr>(&self, value: &str, expected: &str) -> Result<T, CliError> {
        value.parse().map_err(|_| self.invalid(value, expected))
    }

    pub fn boolean(&self, value: &str) -> Result<bool, CliError> {
        match value {
            "true" | "on" | "yes" | "1" => Ok(true),
            "false" | "off" | "no" | "0" => Ok(false),
            _ => Err(self.invalid(value, "true or false")),
        }
    }

    pub fn millis(&self, value: &str) -> Result<Duration, CliError> {
        self.parse(value, "a number of milliseconds").map(Duration::from_millis)
    }

    /// The option's specification.
    pub fn spec(&self) -> Result<&'static OptionSpec, CliError> {
        find(self.option()).ok_or_else(|| {
            let near = nearest(self.option(), OPTIONS.iter().map(|option| option.name));
            CliError::UnknownOption(self.name.to_owned(), near.map(|near| format!("-{near}")))
        })
    }

    /// The arguments as `key=value`; every key must be one of the option's, or begin with one that ends in a dot.
    pub fn pairs(&self) -> Result<Vec<(&'a str, &'a str)>, CliError> {
        let keys = self.spec()?.keys;
        let pair = |argument: &&'a str| {
            let (key, value) = match argument.split_once('=') {
                Some(pair) => pair,
                None if keys.contains(argument) && BARE_KEYS.contains(argument) => (*argument, "true"),
                None => return Err(self.invalid(argument, "key=value")),
            };
            if keys.iter().any(|&known| known == key || (known.ends_with('.') && key.starts_with(known))) {
                return Ok((key, value));
            }
            let near = nearest(key, keys.iter().copied()).map(str::to_owned);
            Err(CliError::UnknownKey(self.name.to_owned(), key.to_owned(), near))
        };
        self.arguments.iter().map(pair).collect()
    }
}
