//! The command line of fastchess and cutechess-cli, as people have it in their scripts.
//!
//! Words that begin with a minus open a section; what follows belongs to it. Anything unknown is an error that names
//! the nearest known word: a misspelt option that is silently ignored costs days of testing.

mod engine;
mod options;
mod section;
mod sections;
mod values;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::output::ReportStyle;

/// What `-help` prints.
pub const HELP: &str = include_str!("help.txt");

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRequest {
    /// The match.
    pub config: MatchConfig,
    /// How it is shown.
    pub output: OutputConfig,
    /// Where it is saved.
    pub saving: SaveConfig,
    /// Where the story of the match goes.
    pub log: Option<LogConfig>,
    /// What is said about words that are accepted but do nothing here, or not quite what was asked.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

impl MatchRequest {
    /// Makes every file and folder independent of where the program runs; relative ones are meant from `here`. A match
    /// that goes on elsewhere goes on with the same files.
    pub fn anchor(&mut self, here: &Path) {
        let config = &mut self.config;
        let files = [
            config.openings.as_mut().and_then(|openings| openings.file.as_mut()),
            config.pgn.as_mut().map(|pgn| &mut pgn.file),
            config.epd.as_mut().map(|epd| &mut epd.file),
            config.fault_reports.as_mut(),
            self.output.json_file.as_mut(),
            self.log.as_mut().and_then(|log| log.file.as_mut()),
            self.saving.file.as_mut(),
        ];
        let tables = config.tablebases.iter_mut().flat_map(|tables| &mut tables.paths);
        let folders = config.engines.iter_mut().filter_map(|engine| engine.directory.as_mut());
        for path in files.into_iter().flatten().chain(tables).chain(folders) {
            // By its parts, which leaves `./` out.
            *path = here.join(&*path).components().collect();
        }
        if self.saving.folder.as_os_str().is_empty() {
            here.clone_into(&mut self.saving.folder);
        }
    }
}

/// How a match is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputConfig {
    /// The look of reports.
    pub style: ReportStyle,
    /// JSON lines instead of words.
    pub json: bool,
    /// A file for the final JSON.
    pub json_file: Option<PathBuf>,
    /// Games between reports; 0 = only at the end.
    pub rating_interval: u64,
    /// Words line by line even on a terminal.
    pub plain: bool,
}

impl Default for OutputConfig {
    fn default() -> Self {
        Self {
            style: ReportStyle::Fastchess,
            json: false,
            json_file: None,
            rating_interval: 10,
            plain: false,
        }
    }
}

/// Where a match is saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveConfig {
    /// The file that the user named, which stays after the last game; `None` = one of the program's choice.
    pub file: Option<PathBuf>,
    /// The folder in which the match began: engines run there, and find there what their words name.
    #[serde(default)]
    pub folder: PathBuf,
    /// Overwrite another match there.
    #[serde(skip)]
    pub discard: bool,
}

/// A saved match that is wanted back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeRequest {
    /// Its file.
    pub file: PathBuf,
    /// Its games count; otherwise the same match is played again from the first game on.
    pub with_games: bool,
}

/// What is written into a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What ends a match.
    Error,
    /// Also misbehaving engines.
    Warn,
    /// Also the beginning and end of every game.
    Info,
}

/// Where the story of a match goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogConfig {
    /// The file; `None` = standard error.
    pub file: Option<PathBuf>,
    /// Add to what is there.
    pub append: bool,
    /// How much of the match is told.
    pub level: LogLevel,
    /// Every line of the conversation with every engine, too.
    pub conversations: bool,
}

/// What is wrong with a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CliError {
    /// A word that is no option.
    UnknownOption(String, Option<String>),
    /// A word without an option before it.
    Stray(String),
    /// A key that the option does not know.
    UnknownKey(String, String, Option<String>),
    /// A value that cannot be read.
    Value(String, String, String),
    /// An option that would change games which are already played.
    Fixed(String),
    /// Something is missing.
    Missing(String),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meant = |near: &Option<String>| {
            near.as_ref().map_or(String::new(), |near| format!("; did you mean {near}?"))
        };
        match self {
            Self::UnknownOption(word, near) => write!(f, "unknown option {word}{}", meant(near)),
            Self::Stray(word) => write!(f, "'{word}' belongs to no option"),
            Self::UnknownKey(option, key, near) => write!(f, "{option} knows no {key}={}", meant(near)),
            Self::Value(option, value, expected) => write!(f, "{option}: '{value}' is not {expected}"),
            Self::Fixed(option) => {
                write!(
                    f,
                    "{option} cannot be changed in a match that has begun: give -config file= without it"
                )
            }
            Self::Missing(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for CliError {}

/// Reads a command line (without the program and command names).
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(words: &[String]) -> Result<MatchRequest, CliError> {
    sections::read(&section::split(words)?)
}

/// Reads a command line on top of what a saved match was started with, of which so many rounds have begun.
///
/// # Errors
/// The first thing that is wrong with it, or that a match which has begun does not take.
pub fn parse_resumed(
    words: &[String],
    saved: MatchRequest,
    rounds_begun: u64,
) -> Result<MatchRequest, CliError> {
    sections::read_resumed(&section::split(words)?, saved, rounds_begun)
}

/// The saved match that a command line wants back; `None` when it begins a new one.
///
/// # Errors
/// What is wrong with `-config`.
pub fn resume(words: &[String]) -> Result<Option<ResumeRequest>, CliError> {
    let (mut file, mut with_games, mut discard) = (None, true, false);
    for section in section::split(words)?.iter().filter(|section| section.option() == "config") {
        for (key, value) in section.pairs()? {
            match key {
                "file" => file = Some(PathBuf::from(value)),
                "stats" => with_games = section.truth(value)?,
                "discard" => discard = section.truth(value)?,
                _ => {}
            }
        }
    }
    Ok(file.filter(|_| !discard).map(|file| ResumeRequest { file, with_games }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::{EngineKind, OpeningOrder};
    use crate::schedule::Tournament;
    use stats::EloModel;
    use support::shell::split_arguments;

    fn read(line: &str) -> Result<MatchRequest, CliError> {
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

    /// Words of both programs that have no meaning here, or another one, are told once and do no harm.
    #[test]
    fn words_without_effect_are_accepted_and_told() {
        let request = read(
            "-engine cmd=A ponder whitepov stderr=a.log trust -engine cmd=B initstr=one\\ntwo -each tc=1 ponder tscale=2 \
             -bookmode disk -resultformat per-color -outcomeinterval 5 -scoreinterval 1 -autosaveinterval 0 \
             -crc32 pgn=true -use-affinity 1,2 -testEnv -show-latency -force-concurrency \
             -pgnout file=a.pgn match_line=x -openings file=b.pgn policy=encounter -maxmoves 0",
        )
        .expect("everything is known");
        assert!(request.config.engines[0].white_pov && !request.config.engines[1].white_pov);
        assert_eq!(request.config.engines[1].init_commands, ["one", "two"]);
        assert_eq!(request.config.rules.max_moves, None);
        let told = |word: &str| request.warnings.iter().filter(|warning| warning.starts_with(word)).count();
        for word in ["ponder", "stderr=", "trust", "tscale=", "-bookmode", "-resultformat", "match_line="] {
            assert_eq!(told(word), 1, "{word}: {:?}", request.warnings);
        }
        for line in ["-engine cmd=C conf=x", "-engine cmd=C book=x.bin", "-engine cmd=C proto=xboard"] {
            assert!(read(&format!("{TWO} {line}")).is_err(), "{line}");
        }
    }

    #[test]
    fn games_and_repeat_mean_what_they_mean_in_both_programs() {
        let plan = |line: &str| {
            let schedule = config(&format!("{TWO} {line}")).schedule;
            (schedule.rounds, schedule.games)
        };
        assert_eq!(plan("-rounds 20 -repeat"), (20, 2));
        assert_eq!(plan("-rounds 20 -games 2 -repeat"), (20, 2));
        assert_eq!(plan("-rounds 20 -games 1"), (20, 1));
        assert_eq!(plan("-games 10 -repeat"), (5, 2));
        assert_eq!(plan("-repeat -games 10 -rounds 3"), (15, 2));
        assert_eq!(plan("-games 7"), (7, 1));
        assert_eq!(plan(""), (2, 2));
        assert!(plan("-sprt elo0=0 elo1=5").0 > 100_000);
    }

    #[test]
    fn a_quick_match_needs_two_programs_only() {
        let config = config("-quick cmd=A cmd=B book=b.pgn");
        assert_eq!((config.engines.len(), config.schedule.rounds), (2, 25_000));
        assert!(config.recover && config.openings.expect("book").pgn);
    }

    #[test]
    fn every_option_of_the_list_is_understood() {
        for option in options::OPTIONS {
            let answer = read(&format!("{TWO} -{}", option.name));
            assert!(!matches!(answer, Err(CliError::UnknownOption(..))), "-{}", option.name);
        }
    }

    #[test]
    fn chess960_without_a_book_is_told_where_it_begins() {
        let request = read(&format!("{TWO} -variant fischerandom")).expect("known");
        assert!(request.warnings[0].contains("960"), "{:?}", request.warnings);
        assert!(
            read(&format!("{TWO} -variant fischerandom -openings file=a.epd"))
                .expect("known")
                .warnings
                .is_empty()
        );
    }

    #[test]
    fn a_log_without_more_words_tells_the_games() {
        let log = |line: &str| read(&format!("{TWO} {line}")).expect(line).log.expect(line);
        assert_eq!((log("-log file=a").level, log("-log file=a").conversations), (LogLevel::Info, false));
        assert!(log("-log file=a engine=true").conversations && log("-log file=a level=trace").conversations);
        assert_eq!(log("-log file=a level=warn append=false").level, LogLevel::Warn);
        assert_eq!(log("-debug all").file, None);
    }

    fn words(line: &str) -> Vec<String> {
        split_arguments(line)
    }

    #[test]
    fn a_resumed_match_keeps_what_it_was_started_with() {
        let line = "-tb /tables -tbpieces 5 -log file=a engine=true -output format=cutechess -ratinginterval 3 \
                    -config outname=x.json -pgnout g.pgn -epdout file=e.epd append=false";
        let saved = read(&format!("{TWO} {line}")).expect("valid");
        let text = serde_json::to_string(&saved).expect("plain data");
        let mut again: MatchRequest = serde_json::from_str(&text).expect("plain data");
        assert_eq!(again, saved);
        let resumed = words("-config file=x.json");
        assert_eq!(
            resume(&resumed).expect("known"),
            Some(ResumeRequest { file: PathBuf::from("x.json"), with_games: true })
        );
        again = parse_resumed(&resumed, again, 0).expect("nothing else is said");
        assert_eq!(again, saved);
    }

    #[test]
    fn words_beside_a_resumed_match_count_unless_they_change_its_games() {
        let saved = || read(TWO).expect("valid");
        let line = "-config file=x.json -concurrency 7 -rounds 90 -recover -ratinginterval 1 -pgnout g.pgn";
        let resumed = parse_resumed(&words(line), saved(), 0).expect("these may change");
        assert_eq!((resumed.config.concurrency, resumed.config.schedule.rounds), (7, 90));
        assert!(resumed.config.recover && resumed.config.pgn.is_some());
        assert_eq!(resumed.output.rating_interval, 1);
        for line in ["-engine cmd=C", "-each tc=2", "-openings file=a.epd", "-srand 4", "-games 1", "-tb /x"]
        {
            let answer = parse_resumed(&words(&format!("-config file=x.json {line}")), saved(), 0);
            assert!(matches!(answer, Err(CliError::Fixed(_))), "{line}");
        }
    }

    #[test]
    fn a_resumed_match_cannot_be_made_shorter_than_it_is() {
        let of = |rounds: &str| {
            let words = words(&format!("-config file=x.json -rounds {rounds}"));
            parse_resumed(&words, read(TWO).expect("valid"), 5).map(|request| request.config.schedule.rounds)
        };
        let said = of("4").expect_err("five have begun").to_string();
        assert_eq!(said, "-rounds: '4' is not enough: games of 5 rounds are already played");
        assert_eq!((of("5"), of("6")), (Ok(5), Ok(6)));
    }

    #[test]
    fn files_are_found_again_from_another_folder() {
        let line = "-engine cmd=C dir=d -pgnout ./g.pgn -epdout e.epd -openings file=b.epd -tb t -log file=l \
                    -output file=/else/o.json -faults f";
        let mut request = read(&format!("{TWO} {line}")).expect("known");
        request.anchor(Path::new("/here"));
        let text = serde_json::to_string(&request).expect("plain data");
        for path in ["d", "g.pgn", "e.epd", "b.epd", "t", "l", "f"] {
            assert!(text.contains(&format!("\"/here/{path}\"")), "{path}: {text}");
        }
        assert!(text.contains("\"/else/o.json\"") && !text.contains("/./"), "{text}");
        request.anchor(Path::new("/there"));
        assert_eq!(serde_json::to_string(&request).expect("plain data"), text);
        assert_eq!(request.saving.folder, Path::new("/here"));
    }

    #[test]
    fn a_saved_match_can_be_begun_again_or_left_alone() {
        let of = |line: &str| resume(&words(line)).expect(line);
        assert_eq!(of("-config file=x stats=false").map(|resume| resume.with_games), Some(false));
        assert_eq!(of("-config file=x discard=true"), None);
        assert_eq!(of("-config outname=x"), None);
    }

    #[test]
    fn vedette_can_play_without_a_process() {
        let config = config("-engine proto=inprocess name=V option.Hash=4 -engine cmd=B -each nodes=1000");
        assert_eq!(config.engines[0].kind, EngineKind::InProcess);
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
            "-sprt elo0=0 elo1=inf",
            "-concurrency 99999999",
            "-draw score=-5",
            "-log level=info",
            "-log file=a level=loud",
            "-engine cmd",
            "-engine cmd=C option.=5",
            "-openings file=a start=0",
        ] {
            assert!(read(&format!("{TWO} {line}")).is_err(), "{line}");
        }
        assert_eq!(error("-engine cmd=A -each tc=1"), "a match needs two engines (-engine cmd=...)");
        assert_eq!(
            error("-engine cmd=A name=A -engine cmd=B"),
            "nothing limits the thinking of A (tc=, st=, nodes= or depth=)"
        );
        assert!(error(&format!("{TWO} -engine cmd=C -sprt elo0=0 elo1=5")).contains("two engines"));
        assert_eq!(
            error(&format!("{TWO} -tournament gauntlet -seeds 5")),
            "-seeds 5 leaves nobody of 2 engines to challenge them: at most 1"
        );
        assert!(read(&format!("{TWO} -seeds 1")).expect("harmless").warnings[0].starts_with("-seeds"));
    }
}
