//! Checks the form of every line that the engine sends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use support::sync::lock;
use uci::client::{Direction, Tap, TranscriptLine};
use uci::looks_like_move;

/// Counts malformed lines by kind. Shared with the thread that reads the engine.
#[derive(Clone, Default)]
pub struct LineLint(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    info_lines: u64,
    malformed_lines: u64,
    malformed: BTreeMap<&'static str, Malformed>,
    strings: Vec<String>,
}

/// One kind of malformed lines.
#[derive(Clone, Debug, Default)]
pub struct Malformed {
    pub count: u64,
    pub example: String,
    /// The commands that led to the first; empty until [`LineLint::attribute`].
    pub repro: Vec<String>,
}

/// `info string` lines that are kept for the check `statistics`.
const MAX_STRINGS: usize = 4000;

impl LineLint {
    pub fn tap(&self) -> Tap {
        let counts = Arc::clone(&self.0);
        Arc::new(move |line: &TranscriptLine| {
            if line.direction == Direction::FromEngine {
                lock(&counts).add(&line.text);
            }
        })
    }

    pub fn info_lines(&self) -> u64 {
        lock(&self.0).info_lines
    }

    pub fn malformed_lines(&self) -> u64 {
        lock(&self.0).malformed_lines
    }

    pub fn malformed(&self) -> Vec<(&'static str, Malformed)> {
        let counts = lock(&self.0);
        counts.malformed.iter().map(|(&kind, malformed)| (kind, malformed.clone())).collect()
    }

    pub fn attribute(&self, commands: &[String]) {
        let mut counts = lock(&self.0);
        for malformed in counts.malformed.values_mut().filter(|malformed| malformed.repro.is_empty()) {
            malformed.repro = commands.to_vec();
        }
    }

    pub fn take_strings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.0).strings)
    }
}

impl Counts {
    fn add(&mut self, line: &str) {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        if tokens.first() != Some(&"info") {
            return;
        }
        self.info_lines += 1;
        if tokens.get(1) == Some(&"string") {
            if self.strings.len() < MAX_STRINGS {
                self.strings.push(tokens[2..].join(" "));
            }
            return;
        }
        let faults = faults(&tokens);
        self.malformed_lines += u64::from(!faults.is_empty());
        for kind in faults {
            let first = || Malformed { example: excerpt(line), ..Malformed::default() };
            self.malformed.entry(kind).or_insert_with(first).count += 1;
        }
    }
}

/// Cuts a quote from the engine to 200 characters.
pub fn excerpt(text: &str) -> String {
    const MAX_CHARACTERS: usize = 200;
    let beginning: String = text.chars().take(MAX_CHARACTERS).collect();
    if beginning.len() < text.len() { format!("{beginning}…") } else { beginning }
}

/// A greater depth is an overflow.
const MAX_DEPTH: u64 = 1000;

/// What is wrong with an `info` line.
fn faults(tokens: &[&str]) -> Vec<&'static str> {
    const NUMBERS: [&str; 9] =
        ["depth", "seldepth", "time", "nodes", "nps", "hashfull", "tbhits", "multipv", "currmovenumber"];
    let mut found = Vec::new();
    let end = tokens.iter().position(|&token| token == "string").unwrap_or(tokens.len());
    for (i, &token) in tokens[..end].iter().enumerate() {
        let value = tokens[..end].get(i + 1).copied();
        if NUMBERS.contains(&token) && value.is_none_or(|value| value.parse::<u64>().is_err()) {
            found.push("missing or invalid number");
        }
        if matches!(token, "cp" | "mate") && value.is_none_or(|value| value.parse::<i64>().is_err()) {
            found.push("missing or invalid score");
        }
        if token == "score" && !matches!(value, Some("cp" | "mate" | "lowerbound" | "upperbound" | "wdl")) {
            found.push("score without cp or mate");
        }
        if token == "hashfull" && value.and_then(|value| value.parse::<u64>().ok()).is_some_and(|v| v > 1000)
        {
            found.push("hashfull above 1000");
        }
        if token == "depth"
            && value.and_then(|value| value.parse::<u64>().ok()).is_some_and(|v| v > MAX_DEPTH)
        {
            found.push("depth above 1000");
        }
        if token == "pv" && value.is_none_or(|value| !looks_like_move(value)) {
            found.push("pv without a move");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<&'static str> {
        faults(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn valid_lines_pass() {
        for line in [
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 100 nps 5 hashfull 0 tbhits 0 time 3 pv e2e4 e7e5",
            "info depth 1 currmove e2e4 currmovenumber 1",
            "info score mate -3 upperbound depth 2 nodes 5 pv a7a8q",
            "info depth 2 string pv of nothing",
        ] {
            assert!(of(line).is_empty(), "{line}: {:?}", of(line));
        }
    }

    #[test]
    fn excerpt_is_cut() {
        assert_eq!(excerpt("bestmove e2e4"), "bestmove e2e4");
        let cut = excerpt(&"é".repeat(5000));
        assert!(cut.chars().count() == 201 && cut.ends_with('…'), "{cut}");
    }

    #[test]
    fn first_example_and_repro_are_kept() {
        let lint = LineLint::default();
        let add = |line: &str| lock(&lint.0).add(line);
        let lines = |go: &str| ["position startpos".to_owned(), go.to_owned()];
        add("info nps inf");
        lint.attribute(&lines("go depth 1"));
        add("info nps nan");
        add("info depth 2 pv");
        lint.attribute(&lines("go depth 2"));
        let malformed = lint.malformed();
        let [(_, number), (_, line)] = &malformed[..] else { panic!("{malformed:?}") };
        assert_eq!((number.count, number.example.as_str()), (2, "info nps inf"));
        assert_eq!((number.repro[1].as_str(), line.repro[1].as_str()), ("go depth 1", "go depth 2"));
    }

    #[test]
    fn malformed_lines_are_found() {
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
