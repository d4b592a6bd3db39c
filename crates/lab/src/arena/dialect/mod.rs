//! The command line of fastchess and cutechess-cli, as people have it in their scripts.
//!
//! Words that begin with a minus open a section; what follows belongs to it. Anything unknown is an error that names
//! the nearest known word: a misspelt option that is silently ignored costs days of testing.

mod engine;
mod section;
mod sections;

use std::fmt;
use std::path::PathBuf;

use super::config::MatchConfig;
use super::report::Style;

/// What a command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The match.
    pub config: MatchConfig,
    /// How it is shown.
    pub output: Output,
    /// How it is saved and resumed.
    pub saving: Saving,
    /// Tablebases to end games with.
    pub tablebases: Option<TablebaseRequest>,
    /// Where the conversation with engines goes.
    pub log: Option<Log>,
    /// What is accepted but does nothing here.
    pub ignored: Vec<String>,
}

/// How a match is shown.
#[derive(Clone, Debug)]
pub struct Output {
    /// The look of reports.
    pub style: Style,
    /// JSON lines instead of words.
    pub json: bool,
    /// A file for the final JSON.
    pub json_file: Option<PathBuf>,
    /// Games between reports; 0 = only at the end.
    pub rating_interval: u64,
    /// Words line by line even on a terminal.
    pub plain: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self { style: Style::Fastchess, json: false, json_file: None, rating_interval: 10, plain: false }
    }
}

/// How a match is saved.
#[derive(Clone, Debug)]
pub struct Saving {
    /// A saved match to go on with.
    pub resume: Option<PathBuf>,
    /// Where the state goes.
    pub file: PathBuf,
    /// Keep the file after the last game.
    pub keep: bool,
    /// Games between two savings; 0 = only on interruption.
    pub interval: u64,
}

/// Which tablebases end games, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablebaseRequest {
    /// Folders.
    pub paths: Vec<PathBuf>,
    /// Most men.
    pub pieces: Option<u32>,
    /// Wins that the fifty-move rule spoils count as wins.
    pub ignore_fifty: bool,
    /// Ends won games.
    pub wins: bool,
    /// Ends drawn games.
    pub draws: bool,
}

/// Where the conversation with engines goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Log {
    /// Into a file, added to what is there or from its beginning.
    File(PathBuf, bool),
    /// To standard error.
    Stderr,
}

/// What is wrong with a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialectError {
    /// A word that is no option.
    UnknownOption(String, Option<String>),
    /// A word without an option before it.
    Stray(String),
    /// A key that the option does not know.
    UnknownKey(String, String, Option<String>),
    /// A value that cannot be read.
    Value(String, String, String),
    /// Something is missing.
    Missing(String),
}

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meant = |near: &Option<String>| {
            near.as_ref().map_or(String::new(), |near| format!("; did you mean {near}?"))
        };
        match self {
            Self::UnknownOption(word, near) => write!(f, "unknown option {word}{}", meant(near)),
            Self::Stray(word) => write!(f, "'{word}' belongs to no option"),
            Self::UnknownKey(option, key, near) => write!(f, "{option} knows no {key}={}", meant(near)),
            Self::Value(option, value, expected) => write!(f, "{option}: '{value}' is not {expected}"),
            Self::Missing(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for DialectError {}

/// Reads a command line (without the program and command names).
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(words: &[String]) -> Result<Request, DialectError> {
    sections::read(&section::split(words)?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::config::{EngineKind, OpeningOrder};
    use super::super::schedule::Tournament;
    use super::*;
    use crate::statistics::EloModel;
    use crate::words::split_arguments;

    fn read(line: &str) -> Result<Request, DialectError> {
        parse(&split_arguments(line))
    }

    fn config(line: &str) -> MatchConfig {
        read(line).expect(line).config
    }

    fn error(line: &str) -> String {
        read(line).expect_err(line).to_string()
    }

    const TWO: &str = "-engine cmd=A -engine cmd=B -each tc=1";

    #[test]
    fn the_simplest_script_works() {
        let config = config("-engine cmd=A -engine cmd=B -each tc=10+0.1 -rounds 20 -repeat -concurrency 1");
        assert_eq!((config.engines.len(), config.schedule.len(), config.concurrency), (2, 40, 1));
        assert_eq!(config.engines[1].limits.to_string(), "10+0.1");
        assert!(config.by_pairs);
    }

    #[test]
    fn a_fastchess_test_is_understood_word_for_word() {
        let config = config(
            "-engine cmd=./new name=New option.Threads=1 nodes=2000000 -engine cmd=./old name=Old dir=/tmp args='-a \"b c\"' \
             -openings file=UHO.epd format=epd order=random start=5 -each tc=300+5 option.Hash=64 timemargin=20 \
             -resign movecount=3 score=600 twosided=true -draw movenumber=34 movecount=8 score=20 -maxmoves 200 \
             -sprt elo0=-1.75 elo1=0.25 alpha=0.05 beta=0.1 model=logistic -rounds 100000 -concurrency 3 -srand 99 \
             -pgnout notation=uci nodes=true file=./games/sprt.pgn -epdout file=end.epd -recover -ratinginterval 5 \
             -tournament gauntlet -seeds 1 -variant fischerandom -report penta=false -event Test -site Here",
        );
        assert_eq!(config.engines[0].options, [("Threads".into(), "1".into()), ("Hash".into(), "64".into())]);
        assert_eq!(config.engines[0].limits.nodes, Some(2_000_000));
        assert_eq!(config.engines[1].limits.margin, Duration::from_millis(20));
        assert_eq!(config.engines[1].arguments, ["-a", "b c"]);
        let openings = config.openings.expect("book");
        assert_eq!((openings.order, openings.start, openings.pgn), (OpeningOrder::Random, 5, false));
        let sprt = config.sprt.expect("test");
        assert_eq!((sprt.hypotheses(), sprt.model()), ((-1.75, 0.25), EloModel::Logistic));
        assert!(config.rules.resign.expect("rule").two_sided);
        assert_eq!((config.rules.draw.expect("rule").move_number, config.rules.max_moves), (34, Some(200)));
        assert_eq!(config.schedule.tournament, Tournament::Gauntlet { seeds: 1 });
        assert!(config.chess960 && config.recover && !config.by_pairs);
        assert_eq!((config.seed, config.schedule.rounds), (99, 100_000));
        assert!(config.pgn.expect("games").items.nodes);
    }

    #[test]
    fn a_cutechess_script_works_too() {
        let config = config(
            "-engine cmd=A proto=uci name=A st=0.5 -engine cmd=B proto=uci depth=8 -each restart=on -rounds 5 -games 2 \
             -repeat 2 -pgnout out.pgn min -epdout fens.epd -resign movecount=3 score=400 -wait 10 -ratinginterval 10",
        );
        assert_eq!(config.engines[0].limits.move_time, Some(Duration::from_millis(500)));
        assert_eq!(config.engines[1].limits.depth, Some(8));
        assert!(config.engines[0].restart && config.pgn.expect("games").minimal);
        assert_eq!((config.schedule.len(), config.wait), (10, Duration::from_millis(10)));
    }

    #[test]
    fn vedette_can_play_without_a_process() {
        let config = config("-engine proto=inprocess name=V option.Hash=4 -engine cmd=B -each nodes=1000");
        assert_eq!(config.engines[0].kind, EngineKind::Own);
        assert_eq!(config.engines[1].kind, EngineKind::Process);
    }

    #[test]
    fn an_engines_own_word_wins_over_each() {
        let config = config("-each tc=1 option.Hash=1 -engine cmd=A tc=2 option.Hash=8 -engine cmd=B");
        assert_eq!(config.engines[0].limits.to_string(), "2");
        assert_eq!(config.engines[0].options, [("Hash".to_owned(), "8".to_owned())]);
        assert_eq!(config.engines[1].options, [("Hash".to_owned(), "1".to_owned())]);
    }

    #[test]
    fn misspelt_words_are_answered_with_the_right_one() {
        assert_eq!(
            error(&format!("{TWO} -concurency 4")),
            "unknown option -concurency; did you mean -concurrency?"
        );
        assert_eq!(
            error("-engine cmd=A -engine cmd=B nods=5"),
            "-engine knows no nods=; did you mean nodes?"
        );
        assert_eq!(error(&format!("{TWO} -sprt elo0=0 elo=2")), "-sprt knows no elo=; did you mean elo0?");
        assert_eq!(
            error(&format!("{TWO} -tournament robin")),
            "-tournament: 'robin' is not roundrobin or gauntlet"
        );
        assert_eq!(error("rounds 5"), "'rounds' belongs to no option");
    }

    #[test]
    fn senseless_values_are_refused() {
        for line in [
            "-rounds x",
            "-rounds",
            "-concurrency 0",
            "-sprt elo0=5 elo1=1",
            "-sprt elo0=0",
            "-draw movecount=-1",
            "-openings file=a format=zip",
            "-variant suicide",
            "-engine cmd=C tc=abc",
            "-engine name=C",
            "-srand 1 2",
            "-recover yes",
        ] {
            assert!(read(&format!("{TWO} {line}")).is_err(), "{line}");
        }
        assert_eq!(error("-engine cmd=A -each tc=1"), "a match needs two engines (-engine cmd=...)");
        assert_eq!(
            error("-engine cmd=A name=A -engine cmd=B"),
            "nothing limits the thinking of A (tc=, st=, nodes= or depth=)"
        );
        assert!(error(&format!("{TWO} -engine cmd=C -sprt elo0=0 elo1=5")).contains("two engines"));
    }
}
