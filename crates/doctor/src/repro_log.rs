//! The commands that led to the current state of the engine: options, the last `ucinewgame` and the searches since. They
//! go into every finding, so that it can be reproduced.

use std::time::Duration;

/// Between a `go` and the next command.
pub const WAIT: &str = "# wait for bestmove";

/// Older searches are dropped.
const MAX_SEARCHES: usize = 20;

/// Ends the comment that replaces dropped searches.
const OMITTED: &str = "earlier searches omitted";

#[derive(Clone, Debug, Default)]
pub struct ReproLog {
    lines: Vec<String>,
    before: Vec<String>,
    omitted: usize,
}

impl ReproLog {
    pub fn new(opening: Vec<String>) -> Self {
        Self { lines: opening, ..Self::default() }
    }

    /// `ucinewgame`; `opening` sets the options of the process.
    pub fn new_game(&mut self, opening: Vec<String>) {
        self.before = std::mem::replace(&mut self.lines, opening);
        self.omitted = 0;
        self.push("ucinewgame");
    }

    pub fn push(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    pub fn search(&mut self, position: &str, go: &str) {
        if self.lines.iter().filter(|line| line.starts_with("go")).count() >= MAX_SEARCHES {
            self.drop_oldest_search();
        }
        self.lines.extend([position.to_owned(), go.to_owned()]);
    }

    pub fn stopped(&mut self, after: Duration) {
        self.lines.extend([format!("# after {} ms", after.as_millis()), "stop".to_owned()]);
    }

    pub fn answered(&mut self) {
        self.push(WAIT);
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The commands of the game before.
    pub fn before(&self) -> &[String] {
        &self.before
    }

    /// Drops a search with its position and leaves a comment.
    fn drop_oldest_search(&mut self) {
        let Some(start) = self.lines.iter().position(|line| line.starts_with("position")) else { return };
        let is_next =
            |line: &String| ["position", "setoption", "ucinewgame"].iter().any(|word| line.starts_with(word));
        let length = self.lines[start + 1..].iter().position(is_next).map_or(0, |next| next + 1);
        self.lines.drain(start..start + length);
        self.omitted += 1;
        let comment = format!("# {} {OMITTED}", self.omitted);
        // Options and new games after a dropped search stay.
        match self.lines.iter_mut().find(|line| line.ends_with(OMITTED)) {
            Some(old) => *old = comment,
            None => self.lines.insert(start, comment),
        }
    }
}

/// Joins two logs of one process; common opening lines are not repeated.
pub fn concat_repro(first: &[String], second: &[String]) -> Vec<String> {
    let opens = |line: &str| line == "uci" || line.starts_with("setoption");
    let same = first.iter().zip(second).take_while(|(a, b)| a == b && opens(a)).count();
    [first, &second[same..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening() -> Vec<String> {
        ["uci", "setoption name Hash value 8"].map(str::to_owned).into()
    }

    #[test]
    fn stopped_search_is_logged() {
        let mut repro = ReproLog::new(opening());
        repro.search("position startpos", "go infinite");
        repro.stopped(Duration::from_millis(300));
        repro.answered();
        let expected = ["position startpos", "go infinite", "# after 300 ms", "stop", WAIT];
        assert_eq!(repro.lines()[2..], expected);
        repro.new_game(opening());
        assert_eq!(repro.lines().last().map(String::as_str), Some("ucinewgame"));
        assert_eq!(repro.before()[2..], expected);
    }

    #[test]
    fn old_searches_are_dropped() {
        let mut repro = ReproLog::new(opening());
        repro.new_game(opening());
        repro.push("setoption name Clear Hash");
        for number in 0..MAX_SEARCHES + 3 {
            repro.search(&format!("position fen {number}"), "go depth 1");
            repro.answered();
        }
        let lines = repro.lines();
        let kept = [
            "uci",
            "setoption name Hash value 8",
            "ucinewgame",
            "setoption name Clear Hash",
            "# 3 earlier searches omitted",
            "position fen 3",
            "go depth 1",
            WAIT,
        ];
        assert_eq!(lines[..8], kept);
        assert_eq!(lines.len(), 5 + 3 * MAX_SEARCHES);
    }

    #[test]
    fn options_between_dropped_searches_stay() {
        let mut repro = ReproLog::new(opening());
        for number in 0..MAX_SEARCHES + 4 {
            repro.search(&format!("position fen {number}"), "go depth 1");
            repro.answered();
            if number < 2 {
                repro.push(["ucinewgame", "setoption name X value 1"][number]);
            }
        }
        let kept =
            ["# 4 earlier searches omitted", "ucinewgame", "setoption name X value 1", "position fen 4"];
        assert_eq!(repro.lines()[2..6], kept);
        assert_eq!(repro.lines().len(), 5 + 3 * MAX_SEARCHES);
    }

    #[test]
    fn common_opening_is_not_repeated() {
        let piece = |last: &str| [opening(), vec!["ucinewgame".to_owned(), last.to_owned()]].concat();
        let both = concat_repro(&piece("go depth 1"), &piece("go depth 2"));
        let expected = ["ucinewgame", "go depth 1", "ucinewgame", "go depth 2"];
        assert_eq!(both[..2], opening());
        assert_eq!(both[2..], expected);
    }
}
