//! A command line cut into sections, and reading the values of one.

use std::str::FromStr;
use std::time::Duration;

use super::CliError;
use super::options::{BARE_KEYS, OPTIONS, OptionSpec, find};
use support::suggest::nearest;

/// An option and the words after it.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The option with its minus.
    pub name: &'a str,
    /// Its words.
    pub words: Vec<&'a str>,
}

/// Cuts a command line. A minus before a letter opens a section; a minus before a digit is a number.
pub fn split(words: &[String]) -> Result<Vec<Section<'_>>, CliError> {
    let mut sections: Vec<Section> = Vec::new();
    for word in words {
        let letters = word.trim_start_matches('-');
        let opens = word.starts_with('-') && letters.starts_with(|sign: char| sign.is_ascii_alphabetic());
        match sections.last_mut() {
            _ if opens => sections.push(Section { name: word, words: Vec::new() }),
            Some(section) => section.words.push(word),
            None => return Err(CliError::Stray(word.clone())),
        }
    }
    Ok(sections)
}

impl<'a> Section<'a> {
    /// The option without its minus.
    pub fn option(&self) -> &'a str {
        self.name.trim_start_matches('-')
    }

    /// An error about a value.
    pub fn wrong(&self, value: &str, expected: &str) -> CliError {
        CliError::Value(self.name.to_owned(), value.to_owned(), expected.to_owned())
    }

    /// No words may follow.
    pub fn flag(&self) -> Result<(), CliError> {
        self.words.first().map_or(Ok(()), |word| Err(self.wrong(word, "expected here")))
    }

    /// Exactly one word.
    pub fn word(&self) -> Result<&'a str, CliError> {
        match self.words[..] {
            [word] => Ok(word),
            [] => Err(CliError::Missing(format!("{} needs a value", self.name))),
            [_, second, ..] => Err(self.wrong(second, "expected here")),
        }
    }

    /// All words as one text.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Exactly one number above zero.
    pub fn positive(&self) -> Result<u64, CliError> {
        let number: u64 = self.number()?;
        if number == 0 { Err(self.wrong("0", "a number above zero")) } else { Ok(number) }
    }

    /// Exactly one number.
    pub fn number<T: FromStr>(&self) -> Result<T, CliError> {
        self.parse(self.word()?, "a number")
    }

    /// A value as whatever is wanted.
    pub fn parse<T: FromStr>(&self, value: &str, expected: &str) -> Result<T, CliError> {
        value.parse().map_err(|_| self.wrong(value, expected))
    }

    /// A yes or no.
    pub fn truth(&self, value: &str) -> Result<bool, CliError> {
        match value {
            "true" | "on" | "yes" | "1" => Ok(true),
            "false" | "off" | "no" | "0" => Ok(false),
            _ => Err(self.wrong(value, "true or false")),
        }
    }

    /// Milliseconds.
    pub fn millis(&self, value: &str) -> Result<Duration, CliError> {
        self.parse(value, "a number of milliseconds").map(Duration::from_millis)
    }

    /// What is known of the option.
    pub fn known(&self) -> Result<&'static OptionSpec, CliError> {
        find(self.option()).ok_or_else(|| {
            let near = nearest(self.option(), OPTIONS.iter().map(|option| option.name));
            CliError::UnknownOption(self.name.to_owned(), near.map(|near| format!("-{near}")))
        })
    }

    /// The words as `key=value`; every key must be one of the option's, or begin with one that ends in a dot.
    pub fn pairs(&self) -> Result<Vec<(&'a str, &'a str)>, CliError> {
        let keys = self.known()?.keys;
        let pair = |word: &&'a str| {
            let (key, value) = match word.split_once('=') {
                Some(pair) => pair,
                None if keys.contains(word) && BARE_KEYS.contains(word) => (*word, "true"),
                None => return Err(self.wrong(word, "key=value")),
            };
            if keys.iter().any(|&known| known == key || (known.ends_with('.') && key.starts_with(known))) {
                return Ok((key, value));
            }
            let near = nearest(key, keys.iter().copied()).map(str::to_owned);
            Err(CliError::UnknownKey(self.name.to_owned(), key.to_owned(), near))
        };
        self.words.iter().map(pair).collect()
    }
}
