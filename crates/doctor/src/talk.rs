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
    oddities: BTreeMap<&'static str, Oddity>,
    statistics: Vec<String>,
}

/// A kind of malformed lines.
#[derive(Clone, Debug, Default)]
pub struct Oddity {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub example: String,
    /// The lines that lead to the first; none until somebody has told them.
    pub repro: Vec<String>,
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

    /// What was malformed, by kind.
    pub fn oddities(&self) -> Vec<(&'static str, Oddity)> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.oddities.iter().map(|(&kind, oddity)| (kind, oddity.clone())).collect()
    }

    /// Tells by which lines everything malformed came that was heard since the last time.
    pub fn came_by(&self, lines: &[String]) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for oddity in heard.oddities.values_mut().filter(|oddity| oddity.repro.is_empty()) {
            oddity.repro = lines.to_vec();
        }
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
        for kind in odd {
            let first = || Oddity { example: excerpt(line), ..Oddity::default() };
            self.oddities.entry(kind).or_insert_with(first).count += 1;
        }
    }
}

/// Words of an engine as they are quoted: their beginning, where they are long. They may be as long as it likes, and a report is
/// for people.
pub fn excerpt(words: &str) -> String {
    /// Signs that are quoted.
    const MOST: usize = 200;
    let beginning: String = words.chars().take(MOST).collect();
    if beginning.len() < words.len() { format!("{beginning}…") } else { beginning }
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
    fn a_quotation_has_a_bound_and_shows_that_it_was_cut() {
        assert_eq!(excerpt("bestmove e2e4"), "bestmove e2e4");
        let cut = excerpt(&"é".repeat(5000));
        assert!(cut.chars().count() == 201 && cut.ends_with('…'), "{cut}");
    }

    #[test]
    fn each_kind_keeps_its_first_line_and_what_led_to_it() {
        let talk = Talk::default();
        let hear = |line: &str| talk.0.lock().expect("no panic").hear(line);
        let lines = |go: &str| ["position startpos".to_owned(), go.to_owned()];
        hear("info nps inf");
        talk.came_by(&lines("go depth 1"));
        hear("info nps nan");
        hear("info depth 2 pv");
        talk.came_by(&lines("go depth 2"));
        let oddities = talk.oddities();
        let [(_, number), (_, line)] = &oddities[..] else { panic!("{oddities:?}") };
        assert_eq!((number.count, number.example.as_str()), (2, "info nps inf"));
        assert_eq!((number.repro[1].as_str(), line.repro[1].as_str()), ("go depth 1", "go depth 2"));
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
