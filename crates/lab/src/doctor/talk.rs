//! Listens to the raw words of the engine: what is malformed in them, whatever was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use uci::client_transcript::{Direction, Eavesdropper, Spoken};
use uci::info::looks_like_move;

/// What was odd about the words, each kind counted with its first example.
#[derive(Clone, Default)]
pub struct Talk(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    info_lines: u64,
    odd_lines: u64,
    oddities: BTreeMap<&'static str, (u64, String)>,
    statistics: Vec<String>,
}

/// Lines of `info string` that are kept for the check of an engine's own statistics.
const KEPT_STRINGS: usize = 4000;

impl Talk {
    /// An ear for a conversation.
    pub fn ear(&self) -> Eavesdropper {
        let heard = Arc::clone(&self.0);
        Arc::new(move |spoken: &Spoken| {
            if spoken.direction == Direction::FromEngine {
                heard.lock().unwrap_or_else(PoisonError::into_inner).hear(&spoken.text);
            }
        })
    }

    /// Lines of `info` heard.
    pub fn info_lines(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).info_lines
    }

    /// Those with something malformed.
    pub fn odd_lines(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).odd_lines
    }

    /// Kinds of oddities with their number and first example.
    pub fn oddities(&self) -> Vec<(&'static str, u64, String)> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.oddities.iter().map(|(kind, (count, example))| (*kind, *count, example.clone())).collect()
    }

    /// Takes the free text that the engine has said since the last time.
    pub fn take_strings(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).statistics)
    }
}

impl Heard {
    fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") {
            return;
        }
        self.info_lines += 1;
        if words.get(1) == Some(&"string") {
            if self.statistics.len() < KEPT_STRINGS {
                self.statistics.push(words[2..].join(" "));
            }
            return;
        }
        let odd = oddities(&words);
        self.odd_lines += u64::from(!odd.is_empty());
        for oddity in odd {
            let entry = self.oddities.entry(oddity).or_insert_with(|| (0, example(line)));
            entry.0 += 1;
        }
    }
}

/// A line as an example: its beginning, where it is long.
fn example(line: &str) -> String {
    const MOST: usize = 120;
    let beginning: String = line.chars().take(MOST).collect();
    if beginning.len() < line.len() { format!("{beginning}…") } else { beginning }
}

/// No search goes as deep; a greater number is a counter that overflowed.
const MOST_DEPTH: u64 = 1000;

/// What is wrong with an `info` line.
fn oddities(words: &[&str]) -> Vec<&'static str> {
    const NUMBERS: [&str; 9] =
        ["depth", "seldepth", "time", "nodes", "nps", "hashfull", "tbhits", "multipv", "currmovenumber"];
    let mut found = Vec::new();
    let end = words.iter().position(|&word| word == "string").unwrap_or(words.len());
    for (i, &word) in words[..end].iter().enumerate() {
        let value = words[..end].get(i + 1).copied();
        if NUMBERS.contains(&word) && value.is_none_or(|value| value.parse::<u64>().is_err()) {
            found.push("a number is missing or not whole");
        }
        if matches!(word, "cp" | "mate") && value.is_none_or(|value| value.parse::<i64>().is_err()) {
            found.push("a score is missing or not whole");
        }
        if word == "score" && !matches!(value, Some("cp" | "mate" | "lowerbound" | "upperbound" | "wdl")) {
            found.push("a score is neither cp nor mate");
        }
        if word == "hashfull" && value.and_then(|value| value.parse::<u64>().ok()).is_some_and(|v| v > 1000) {
            found.push("hashfull is above 1000");
        }
        if word == "depth"
            && value.and_then(|value| value.parse::<u64>().ok()).is_some_and(|v| v > MOST_DEPTH)
        {
            found.push("depth is above 1000");
        }
        if word == "pv" && value.is_none_or(|value| !looks_like_move(value)) {
            found.push("pv without a move");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<&'static str> {
        oddities(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn sound_lines_are_not_odd() {
        for line in [
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 100 nps 5 hashfull 0 tbhits 0 time 3 pv e2e4 e7e5",
            "info depth 1 currmove e2e4 currmovenumber 1",
            "info score mate -3 upperbound depth 2 nodes 5 pv a7a8q",
            "info depth 2 string pv of nobody",
        ] {
            assert!(of(line).is_empty(), "{line}: {:?}", of(line));
        }
    }

    #[test]
    fn broken_lines_are_odd() {
        for line in [
            "info depth 3.5 score cp 1",
            "info score 12 depth 2",
            "info nps inf nodes 5",
            "info score cp 1.5",
            "info hashfull 2000",
            "info depth 4294967295 score cp 5",
            "info depth 1 pv",
        ] {
            assert!(!of(line).is_empty(), "{line}");
        }
    }
}
