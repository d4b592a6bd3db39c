//! The command line of fastchess and cutechess-cli.
//!
//! An argument that begins with a minus is an option; the arguments after it belong to it. Unknown options and keys are
//! errors with a suggestion, since a misspelt option that is silently ignored can spoil days of testing.

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

/// The release of fastchess whose options and output are followed.
pub const FASTCHESS_VERSION: &str = "1.8.2";

/// What `-help` prints.
pub const HELP: &str = include_str!("help.txt");

/// A match as the command line defines it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchOptions {
    pub config: MatchConfig,
    pub output: OutputConfig,
    pub saving: SaveConfig,
    pub log: Option<LogConfig>,
    /// Warnings about options that are ignored, or interpreted in an unexpected way.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

impl MatchOptions {
    /// Makes all paths absolute, relative to `here`, so that a match can be resumed from another directory.
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
            // Component by component, which drops `./`.
            *path = here.join(&*path).components().collect();
        }
        if self.saving.folder.as_os_str().is_empty() {
            here.clone_into(&mut self.saving.folder);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputConfig {
    pub style: ReportStyle,
    /// JSON Lines instead of text.
    pub json: bool,
    /// The file for the final results in JSON.
    pub json_file: Option<PathBuf>,
    /// Game pairs between reports, or games without pentanomial statistics; 0 = only at the end.
    pub rating_interval: u64,
    /// Games between lines with the score, in the style of cutechess-cli.
    #[serde(default = "one")]
    pub score_interval: u64,
    /// Nothing but results and warnings, for fishtest and `OpenBench`.
    #[serde(default)]
    pub test_env: bool,
    /// No live view on a terminal.
    pub plain: bool,
}

impl Default for OutputConfig {
    fn default() -> Self {
        Self {
            style: ReportStyle::Fastchess,
            json: false,
            json_file: None,
            rating_interval: 10,
            score_interval: one(),
            test_env: false,
            plain: false,
        }
    }
}

fn one() -> u64 {
    1
}

/// Where a match is saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveConfig {
    /// The file that the user chose, which is kept after the last game; `None`: a default name.
    pub file: Option<PathBuf>,
    /// The directory in which the match was started, and in which the engines run.
    #[serde(default)]
    pub folder: PathBuf,
    /// Overwrite another match.
    #[serde(skip)]
    pub discard: bool,
}

/// A saved match to resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeRequest {
    pub file: PathBuf,
    /// Keep its games; otherwise the match is played again from the first game.
    pub with_games: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What ended the match.
    Error,
    /// Also misbehaving engines.
    Warn,
    /// Also the start and end of every game.
    Info,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogConfig {
    /// `None`: stderr.
    pub file: Option<PathBuf>,
    pub append: bool,
    pub level: LogLevel,
    /// Also log engine communication.
    pub conversations: bool,
}

/// An error in the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CliError {
    /// The option and a suggestion.
    UnknownOption(String, Option<String>),
    /// An argument before the first option.
    Stray(String),
    /// Option, key and a suggestion.
    UnknownKey(String, String, Option<String>),
    /// Option, value and what is accepted.
    Value(String, String, String),
    /// Option and the argument that is too many.
    Unexpected(String, String),
    /// Option, argument of fastchess or cutechess-cli, and what to use instead.
    Unsupported(String, String, String),
    /// An option that would change games already played.
    Fixed(String),
    /// Something is missing or inconsistent.
    Missing(String),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meant = |near: &Option<String>| {
            near.as_ref().map_or(String::new(), |near| format!("; did you mean {near}?"))
        };
        match self {
            Self::UnknownOption(option, near) => write!(f, "unknown option {option}{}", meant(near)),
            Self::Stray(argument) => write!(f, "unexpected argument '{argument}': options begin with '-'"),
            Self::UnknownKey(option, key, near) => write!(f, "{option}: unknown key {key}={}", meant(near)),
            Self::Value(option, value, expected) => {
                write!(f, "{option}: invalid value '{value}': expected {expected}")
            }
            Self::Unexpected(option, argument) => write!(f, "{option}: unexpected argument '{argument}'"),
            Self::Unsupported(option, argument, reason) => {
                write!(f, "{option}: {argument} is not supported: {reason}")
            }
            Self::Fixed(option) => write!(f, "{option} cannot be changed when a match is resumed"),
            Self::Missing(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for CliError {}

/// Parses a command line (without the names of program and command).
///
/// # Errors
/// The first error in it.
pub fn parse(arguments: &[String]) -> Result<MatchOptions, CliError> {
    sections::read(&section::split(arguments)?)
}

/// Parses a command line that resumes a saved match of which `rounds_begun` rounds have begun.
///
/// # Errors
/// The first error in it, or an option that would change games already played.
pub fn parse_resumed(
    arguments: &[String],
    saved: MatchOptions,
    rounds_begun: u64,
) -> Result<MatchOptions, CliError> {
    sections::read_resumed(&section::split(arguments)?, saved, rounds_begun)
}

/// The saved match that a command line resumes; `None` for a new match.
///
/// # Errors
/// An error in `-config`.
pub fn resume(arguments: &[String]) -> Result<Option<ResumeRequest>, CliError> {
    let (mut file, mut with_games, mut discard) = (None, true, false);
    for section in section::split(arguments)?.iter().filter(|section| section.option() == "config") {
        for (key, value) in section.pairs()? {
            match key {
                "file" => file = Some(PathBuf::from(value)),
                "stats" => with_games = section.boolean(value)?,
                "discard" => discard = section.boolean(value)?,
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

    fn read(line: &str) -> Result<MatchOptions, CliError> {
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
    fn minimal_script() {
        let config = config("-engine cmd=A -engine cmd=B -each tc=10+0.1 -rounds 20 -repeat -concurrency 1");
        assert_eq!((config.engines.len(), config.schedule.len(), config.concurrency), (2, 40, 1));
        assert_eq!(config.engines[1].limits.to_string(), "10+0.1");
        assert!(config.by_pairs);
    }

    #[test]
    fn fastchess_script() {
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
    fn cutechess_script() {
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
    fn ignored_options_warn_once() {
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
        let count =
            |argument: &str| request.warnings.iter().filter(|warning| warning.starts_with(argument)).count();
        for argument in ["stderr=", "trust", "tscale=", "-bookmode", "-resultformat"] {
            assert_eq!(count(argument), 1, "{argument}: {:?}", request.warnings);
        }
        for line in ["-engine cmd=C conf=x", "-engine cmd=C book=x.bin", "-engine cmd=C proto=xboard"] {
            assert!(read(&format!("{TWO} {line}")).is_err(), "{line}");
        }
    }

    #[test]
    fn fastchess_options_have_an_effect() {
        let line = "-use-affinity 1,3-5 -testEnv -scoreinterval 7 -crc32 pgn=true \
                    -pgnout notation=lan match_line='^info string a.*' match_line=b -each ponder";
        let request = read(&format!("{TWO} {line}")).expect(line);
        assert_eq!(request.warnings, Vec::<String>::new());
        assert_eq!(request.config.affinity, Some(vec![1, 3, 4, 5]));
        let pgn = request.config.pgn.expect("games");
        assert!(pgn.crc32 && pgn.notation == crate::config::Notation::Lan);
        assert_eq!(pgn.match_lines, ["^info string a.*", "b"]);
        assert!(request.output.test_env && request.output.score_interval == 7);
        assert!(request.config.engines.iter().all(|engine| engine.ponder));
        assert_eq!(config(&format!("{TWO} -use-affinity")).affinity, Some(Vec::new()));
        for line in ["-use-affinity 5-3", "-use-affinity x", "-use-affinity 1,", "-pgnout match_line=("] {
            assert!(read(&format!("{TWO} {line}")).is_err(), "{line}");
        }
    }

    /// As in fastchess: 0 and less leave so many CPUs free.
    #[test]
    fn concurrency_may_count_from_the_number_of_cpus() {
        let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        assert_eq!(config(&format!("{TWO} -concurrency 0")).concurrency, cpus);
        assert_eq!(config(&format!("{TWO} -concurrency {}", 1 - cpus as i64)).concurrency, 1);
        assert!(read(&format!("{TWO} -concurrency -{cpus}")).is_err());
    }

    #[test]
    fn pyramid_tournament() {
        let config = config(&format!("{TWO} -engine cmd=C -tournament pyramid -rounds 1"));
        assert_eq!((config.schedule.tournament, config.schedule.len()), (Tournament::Pyramid, 6));
    }

    #[test]
    fn knockout_tournament() {
        let four = format!("{TWO} -engine cmd=C -engine cmd=D -tournament knockout -srand 7");
        let schedule = config(&format!("{four} -games 10 -repeat")).schedule;
        assert_eq!(schedule.tournament, Tournament::Knockout { seeds: 0, draw: 7 });
        assert_eq!((schedule.rounds, schedule.games, schedule.len()), (5, 2, 30));
        let schedule = config(&format!("{four} -seeds 4")).schedule;
        assert_eq!(schedule.tournament, Tournament::Knockout { seeds: 4, draw: 7 });
        assert_eq!(
            error(&format!("{four} -seeds 5")),
            "-seeds: invalid value '5': expected at most 4 with 4 engines"
        );
        assert_eq!(
            error(&format!("{TWO} -tournament knockout -sprt elo0=0 elo1=5")),
            "-sprt cannot be combined with -tournament knockout"
        );
        let saved = read(&four).expect("valid");
        let resumed = parse_resumed(&arguments("-config file=x -rounds 9"), saved.clone(), 1);
        assert!(matches!(resumed, Err(CliError::Fixed(_))), "{resumed:?}");
        assert!(parse_resumed(&arguments("-config file=x -concurrency 2"), saved, 1).is_ok());
    }

    #[test]
    fn cutechess_reports_count_games() {
        assert!(config(TWO).by_pairs && !config(&format!("{TWO} -output format=cutechess")).by_pairs);
    }

    #[test]
    fn games_and_repeat_as_in_fastchess_and_cutechess() {
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
    fn quick_needs_only_two_engines() {
        let config = config("-quick cmd=A cmd=B book=b.pgn");
        assert_eq!((config.engines.len(), config.schedule.rounds), (2, 25_000));
        assert!(config.recover && config.openings.expect("book").pgn);
    }

    #[test]
    fn every_listed_option_is_known() {
        for option in options::OPTIONS {
            let answer = read(&format!("{TWO} -{}", option.name));
            assert!(!matches!(answer, Err(CliError::UnknownOption(..))), "-{}", option.name);
        }
    }

    #[test]
    fn chess960_without_book_warns() {
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
    fn log_levels() {
        let log = |line: &str| read(&format!("{TWO} {line}")).expect(line).log.expect(line);
        assert_eq!((log("-log file=a").level, log("-log file=a").conversations), (LogLevel::Info, false));
        assert!(log("-log file=a engine=true").conversations && log("-log file=a level=trace").conversations);
        assert_eq!(log("-log file=a level=warn append=false").level, LogLevel::Warn);
        assert_eq!(log("-debug all").file, None);
    }

    fn arguments(line: &str) -> Vec<String> {
        split_arguments(line)
    }

    #[test]
    fn resume_keeps_the_request() {
        let line = "-tb /tables -tbpieces 5 -log file=a engine=true -output format=cutechess -ratinginterval 3 \
                    -config outname=x.json -pgnout g.pgn -epdout file=e.epd append=false";
        let saved = read(&format!("{TWO} {line}")).expect("valid");
        let text = serde_json::to_string(&saved).expect("plain data");
        let mut again: MatchOptions = serde_json::from_str(&text).expect("plain data");
        assert_eq!(again, saved);
        let resumed = arguments("-config file=x.json");
        assert_eq!(
            resume(&resumed).expect("known"),
            Some(ResumeRequest { file: PathBuf::from("x.json"), with_games: true })
        );
        again = parse_resumed(&resumed, again, 0).expect("no other option");
        assert_eq!(again, saved);
    }

    #[test]
    fn resume_rejects_options_that_change_games() {
        let saved = || read(TWO).expect("valid");
        let line = "-config file=x.json -concurrency 7 -rounds 90 -recover -ratinginterval 1 -pgnout g.pgn";
        let resumed = parse_resumed(&arguments(line), saved(), 0).expect("these may change");
        assert_eq!((resumed.config.concurrency, resumed.config.schedule.rounds), (7, 90));
        assert!(resumed.config.recover && resumed.config.pgn.is_some());
        assert_eq!(resumed.output.rating_interval, 1);
        for line in ["-engine cmd=C", "-each tc=2", "-openings file=a.epd", "-srand 4", "-games 1", "-tb /x"]
        {
            let answer = parse_resumed(&arguments(&format!("-config file=x.json {line}")), saved(), 0);
            assert!(matches!(answer, Err(CliError::Fixed(_))), "{line}");
        }
    }

    #[test]
    fn resume_rejects_fewer_rounds_than_begun() {
        let of = |rounds: &str| {
            let arguments = arguments(&format!("-config file=x.json -rounds {rounds}"));
            parse_resumed(&arguments, read(TWO).expect("valid"), 5)
                .map(|request| request.config.schedule.rounds)
        };
        let error = of("4").expect_err("five have begun").to_string();
        assert_eq!(error, "-rounds: invalid value '4': expected at least 5 (rounds already played)");
        assert_eq!((of("5"), of("6")), (Ok(5), Ok(6)));
    }

    #[test]
    fn anchored_paths_are_absolute() {
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
    fn resume_without_games_or_discard() {
        let of = |line: &str| resume(&arguments(line)).expect(line);
        assert_eq!(of("-config file=x stats=false").map(|resume| resume.with_games), Some(false));
        assert_eq!(of("-config file=x discard=true"), None);
        assert_eq!(of("-config outname=x"), None);
    }

    #[test]
    fn in_process_engine() {
        let config = config("-engine proto=inprocess name=V option.Hash=4 -engine cmd=B -each nodes=1000");
        assert_eq!(config.engines[0].kind, EngineKind::InProcess);
        assert_eq!(config.engines[1].kind, EngineKind::Process);
    }

    #[test]
    fn engine_overrides_each() {
        let config = config("-each tc=1 option.Hash=1 -engine cmd=A tc=2 option.Hash=8 -engine cmd=B");
        assert_eq!(config.engines[0].limits.to_string(), "2");
        assert_eq!(config.engines[0].options, [("Hash".to_owned(), "8".to_owned())]);
        assert_eq!(config.engines[1].options, [("Hash".to_owned(), "1".to_owned())]);
    }

    #[test]
    fn misspelt_options_get_a_suggestion() {
        assert_eq!(
            error(&format!("{TWO} -concurency 4")),
            "unknown option -concurency; did you mean -concurrency?"
        );
        assert_eq!(
            error("-engine cmd=A -engine cmd=B nods=5"),
            "-engine: unknown key nods=; did you mean nodes?"
        );
        assert_eq!(
            error(&format!("{TWO} -sprt elo0=0 elo=2")),
            "-sprt: unknown key elo=; did you mean elo0?"
        );
        assert_eq!(
            error(&format!("{TWO} -tournament robin")),
            "-tournament: invalid value 'robin': expected roundrobin, gauntlet, knockout or pyramid"
        );
        assert_eq!(error("rounds 5"), "unexpected argument 'rounds': options begin with '-'");
    }

    #[test]
    fn invalid_values_are_rejected() {
        for line in [
            "-rounds x",
            "-rounds",
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
        assert_eq!(error("-engine cmd=A -each tc=1"), "at least two engines are required (-engine cmd=...)");
        assert_eq!(
            error("-engine cmd=A name=A -engine cmd=B"),
            "A has no time control (tc=, st=, nodes= or depth=)"
        );
        assert!(error(&format!("{TWO} -engine cmd=C -sprt elo0=0 elo1=5")).contains("two engines"));
        assert_eq!(
            error(&format!("{TWO} -tournament gauntlet -seeds 5")),
            "-seeds: invalid value '5': expected at most 1 with 2 engines"
        );
        assert!(read(&format!("{TWO} -seeds 1")).expect("harmless").warnings[0].starts_with("-seeds"));
    }
}
