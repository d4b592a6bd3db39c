//! The lines that led the engine to where it is: its options, the last `ucinewgame` and the searches since. They go into every
//! finding, so that a person or a script can see it again.

use std::time::Duration;

/// What to do between a `go` and the next line: an engine that is told something new meanwhile does something else.
pub const WAIT: &str = "# wait for bestmove";

/// Searches that are kept. In a long session the first ones say nothing about the last any more.
const MOST_SEARCHES: usize = 20;

/// The end of the remark that takes the place of searches.
const LEFT_OUT: &str = "earlier searches are left out";

/// What was sent since the last `ucinewgame`, and before it.
#[derive(Clone, Debug, Default)]
pub struct Retrace {
    lines: Vec<String>,
    before: Vec<String>,
    left_out: usize,
}

impl Retrace {
    /// A process that was just started with these lines.
    pub fn of_start(opening: Vec<String>) -> Self {
        Self { lines: opening, ..Self::default() }
    }

    /// A new game of the same process, whose options these lines set.
    pub fn new_game(&mut self, opening: Vec<String>) {
        self.before = std::mem::replace(&mut self.lines, opening);
        self.left_out = 0;
        self.note("ucinewgame");
    }

    /// Remembers a line that is no search.
    pub fn note(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Remembers a search that is asked for now.
    pub fn search(&mut self, position: &str, go: &str) {
        if self.lines.iter().filter(|line| line.starts_with("go")).count() >= MOST_SEARCHES {
            self.forget_oldest_search();
        }
        self.lines.extend([position.to_owned(), go.to_owned()]);
    }

    /// It had to be told to stop, after so long.
    pub fn stopped(&mut self, after: Duration) {
        self.lines.extend([format!("# after {} ms", after.as_millis()), "stop".to_owned()]);
    }

    /// Its answer came.
    pub fn answered(&mut self) {
        self.note(WAIT);
    }

    /// The lines.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Those of the game before.
    pub fn before(&self) -> &[String] {
        &self.before
    }

    /// A search goes with all its lines, so that no `go` is left without its position; a remark takes its place.
    fn forget_oldest_search(&mut self) {
        let Some(start) = self.lines.iter().position(|line| line.starts_with("position")) else { return };
        let is_next =
            |line: &String| ["position", "setoption", "ucinewgame"].iter().any(|word| line.starts_with(word));
        let length = self.lines[start + 1..].iter().position(is_next).map_or(0, |next| next + 1);
        self.lines.drain(start..start + length);
        self.left_out += 1;
        let told = format!("# {} {LEFT_OUT}", self.left_out);
        // One remark is enough; options and new games after a search that is left out stay where they are.
        match self.lines.iter_mut().find(|line| line.ends_with(LEFT_OUT)) {
            Some(remark) => *remark = told,
            None => self.lines.insert(start, told),
        }
    }
}

/// Two pieces of one conversation, one after the other; what opens both is not repeated.
pub fn one_after_the_other(first: &[String], second: &[String]) -> Vec<String> {
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
    fn searches_are_told_with_what_to_wait_for_and_when_they_were_stopped() {
        let mut retrace = Retrace::of_start(opening());
        retrace.search("position startpos", "go infinite");
        retrace.stopped(Duration::from_millis(300));
        retrace.answered();
        let told = ["position startpos", "go infinite", "# after 300 ms", "stop", WAIT];
        assert_eq!(retrace.lines()[2..], told);
        retrace.new_game(opening());
        assert_eq!(retrace.lines().last().map(String::as_str), Some("ucinewgame"));
        assert_eq!(retrace.before()[2..], told);
    }

    #[test]
    fn a_search_that_is_forgotten_goes_with_its_position() {
        let mut retrace = Retrace::of_start(opening());
        retrace.new_game(opening());
        retrace.note("setoption name Clear Hash");
        for number in 0..MOST_SEARCHES + 3 {
            retrace.search(&format!("position fen {number}"), "go depth 1");
            retrace.answered();
        }
        let lines = retrace.lines();
        let kept = [
            "uci",
            "setoption name Hash value 8",
            "ucinewgame",
            "setoption name Clear Hash",
            "# 3 earlier searches are left out",
            "position fen 3",
            "go depth 1",
            WAIT,
        ];
        assert_eq!(lines[..8], kept);
        assert_eq!(lines.len(), 5 + 3 * MOST_SEARCHES);
    }

    #[test]
    fn what_was_set_between_searches_stays_when_they_are_forgotten() {
        let mut retrace = Retrace::of_start(opening());
        for number in 0..MOST_SEARCHES + 4 {
            retrace.search(&format!("position fen {number}"), "go depth 1");
            retrace.answered();
            if number < 2 {
                retrace.note(["ucinewgame", "setoption name X value 1"][number]);
            }
        }
        let kept =
            ["# 4 earlier searches are left out", "ucinewgame", "setoption name X value 1", "position fen 4"];
        assert_eq!(retrace.lines()[2..6], kept);
        assert_eq!(retrace.lines().len(), 5 + 3 * MOST_SEARCHES);
    }

    #[test]
    fn what_opens_two_pieces_is_told_once() {
        let piece = |last: &str| [opening(), vec!["ucinewgame".to_owned(), last.to_owned()]].concat();
        let both = one_after_the_other(&piece("go depth 1"), &piece("go depth 2"));
        let told = ["ucinewgame", "go depth 1", "ucinewgame", "go depth 2"];
        assert_eq!(both[..2], opening());
        assert_eq!(both[2..], told);
    }
}
