//! Builds a match from the parsed command line.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::engine::EngineArguments;
use super::section::Section;
use super::{CliError, LogConfig, LogLevel, MatchOptions, OutputConfig, SaveConfig, values};
use crate::config::{EngineKind, MatchConfig, OpeningOrder, TablebaseConfig, Timeouts};
use crate::output::ReportStyle;
use crate::schedule::{Schedule, Tournament};
use record::adjudication::{AdjudicationRules, DrawRule};

const FAULT_FOLDER: &str = "vedette-faults";

/// Default number of rounds, without and with `-sprt`.
const ROUNDS: u64 = 2;
const SPRT_ROUNDS: u64 = 500_000;

/// Reads the options of a new match.
pub fn read(sections: &[Section]) -> Result<MatchOptions, CliError> {
    let mut reader = Reader::new(new_request());
    for section in sections {
        section.spec()?;
        reader.section(section)?;
    }
    reader.finish()
}

/// Applies options to a saved match of which `rounds_begun` rounds have begun.
pub fn read_resumed(
    sections: &[Section],
    saved: MatchOptions,
    rounds_begun: u64,
) -> Result<MatchOptions, CliError> {
    let is_knockout = matches!(saved.config.schedule.tournament, Tournament::Knockout { .. });
    let mut reader = Reader::new(saved);
    for section in sections {
        if !section.spec()?.free {
            return Err(CliError::Fixed(section.name.to_owned()));
        }
        reader.section(section)?;
        if section.option() == "rounds" && is_knockout {
            return Err(CliError::Fixed("-rounds of a knockout".to_owned()));
        }
        if let Some(rounds) = reader.rounds.filter(|&rounds| rounds < rounds_begun) {
            let expected = format!("at least {rounds_begun} (rounds already played)");
            return Err(section.invalid(&rounds.to_string(), &expected));
        }
    }
    Ok(reader.resumed())
}

/// The tournaments that are not a round robin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TournamentKind {
    Gauntlet,
    Knockout,
    Pyramid,
}

struct Reader {
    request: MatchOptions,
    engines: Vec<EngineArguments>,
    each: EngineArguments,
    rounds: Option<u64>,
    games: Option<u64>,
    repeat: Option<u64>,
    seeds: Option<usize>,
    tournament: Option<TournamentKind>,
    seed: Option<u64>,
    crc32: bool,
    tablebases: TablebaseConfig,
}

/// The defaults.
fn new_request() -> MatchOptions {
    let config = MatchConfig {
        engines: Vec::new(),
        schedule: Schedule {
            engines: 0,
            tournament: Tournament::RoundRobin,
            rounds: ROUNDS,
            games: 2,
            swap: true,
            reverse: false,
        },
        concurrency: 1,
        chess960: false,
        openings: Some(values::built_in_book()),
        seed: 0,
        sprt: None,
        by_pairs: true,
        rules: AdjudicationRules::default(),
        tablebases: None,
        recover: false,
        wait: Duration::ZERO,
        timeouts: Timeouts::default(),
        pgn: None,
        epd: None,
        event: "Vedette match".to_owned(),
        site: "?".to_owned(),
        fault_reports: Some(PathBuf::from(FAULT_FOLDER)),
        strict: false,
        check_mate_lines: false,
        affinity: None,
    };
    MatchOptions {
        config,
        output: OutputConfig::default(),
        saving: SaveConfig::default(),
        log: None,
        warnings: Vec::new(),
    }
}

impl Reader {
    fn new(request: MatchOptions) -> Self {
        let tablebases =
            TablebaseConfig { paths: Vec::new(), pieces: None, ignore_fifty: false, wins: true, draws: true };
        Self {
            request,
            engines: Vec::new(),
            each: EngineArguments::default(),
            rounds: None,
            games: None,
            repeat: None,
            seeds: None,
            tournament: None,
            seed: None,
            crc32: false,
            tablebases,
        }
    }

    fn section(&mut self, section: &Section) -> Result<(), CliError> {
        let config = &mut self.request.config;
        match section.option() {
            "engine" => self.engines.push(EngineArguments::read(section)?),
            "each" => self.each.add(section)?,
            "quick" => self.quick(section)?,
            "rounds" => self.rounds = Some(section.positive()?),
            "games" => self.games = Some(section.positive()?),
            "repeat" => {
                self.repeat = Some(if section.arguments.is_empty() { 2 } else { section.positive()? });
            }
            "noswap" => config.schedule.swap = section.flag().map(|()| false)?,
            "reverse" => config.schedule.reverse = section.flag().map(|()| true)?,
            "concurrency" => {
                config.concurrency = values::concurrency(section)?;
            }
            "tournament" => {
                self.tournament = match section.value()? {
                    "roundrobin" | "round-robin" => None,
                    "gauntlet" => Some(TournamentKind::Gauntlet),
                    "knockout" => Some(TournamentKind::Knockout),
                    "pyramid" => Some(TournamentKind::Pyramid),
                    other => {
                        return Err(section.invalid(other, "roundrobin, gauntlet, knockout or pyramid"));
                    }
                };
            }
            "seeds" => self.seeds = Some(section.positive()? as usize),
            "variant" => {
                config.chess960 = match section.value()? {
                    "standard" => false,
                    "fischerandom" | "chess960" => true,
                    other => return Err(section.invalid(other, "standard or fischerandom")),
                }
            }
            "srand" => self.seed = Some(section.number()?),
            "openings" => config.openings = values::openings(section)?,
            "sprt" => config.sprt = Some(values::sprt(section)?),
            "draw" => config.rules.draw = Some(values::draw(section)?),
            "resign" => config.rules.resign = Some(values::resign(section)?),
            "maxmoves" => config.rules.max_moves = Some(section.number()?).filter(|&moves| moves > 0),
            "tb" | "tbpieces" | "tbignore50" | "tbadjudicate" => {
                values::tablebase(section, &mut self.tablebases)?;
            }
            "report" => {
                for (_, value) in section.pairs()? {
                    config.by_pairs = section.boolean(value)?;
                }
            }
            "recover" => config.recover = section.flag().map(|()| true)?,
            "strict" => config.strict = section.flag().map(|()| true)?,
            "check-mate-pvs" => config.check_mate_lines = section.flag().map(|()| true)?,
            "wait" => config.wait = section.millis(section.value()?)?,
            "event" => config.event = section.text(),
            "site" => config.site = section.text(),
            "startup-ms" => config.timeouts.start = section.millis(section.value()?)?,
            "ucinewgame-ms" | "ping-ms" => config.timeouts.ready = section.millis(section.value()?)?,
            "search-ms" => config.timeouts.search = section.millis(section.value()?)?,
            "pgnout" => config.pgn = Some(values::pgn_out(section)?),
            "crc32" => {
                for (_, value) in section.pairs()? {
                    self.crc32 = section.boolean(value)?;
                }
            }
            "use-affinity" => config.affinity = Some(values::cpus(section)?),
            "epdout" => config.epd = Some(values::epd_out(section)?),
            "faults" => {
                let folder = section.value()?;
                config.fault_reports = (folder != "none").then(|| PathBuf::from(folder));
            }
            _ => self.output_section(section)?,
        }
        Ok(())
    }

    /// Options of output and saving.
    fn output_section(&mut self, section: &Section) -> Result<(), CliError> {
        let MatchOptions { output, saving, log, .. } = &mut self.request;
        match section.option() {
            "ratinginterval" => output.rating_interval = section.number()?,
            "plain" => output.plain = section.flag().map(|()| true)?,
            "output" => {
                for (key, value) in section.pairs()? {
                    match (key, value) {
                        ("file", _) => output.json_file = Some(PathBuf::from(value)),
                        (_, "fastchess") => output.style = ReportStyle::Fastchess,
                        (_, "cutechess") => output.style = ReportStyle::Cutechess,
                        (_, "json") => output.json = true,
                        _ => return Err(section.invalid(value, "fastchess, cutechess or json")),
                    }
                }
            }
            "config" => {
                for (key, value) in section.pairs()? {
                    match key {
                        "outname" => saving.file = Some(PathBuf::from(value)),
                        "discard" => saving.discard = section.boolean(value)?,
                        // The other keys are read by `resume`.
                        _ => {}
                    }
                }
            }
            "debug" => {
                *log =
                    Some(LogConfig { file: None, append: true, level: LogLevel::Info, conversations: true });
            }
            "log" => *log = Some(values::log(section)?),
            "autosaveinterval" => self.ignore(section.name, "every game is saved as it ends"),
            "scoreinterval" => output.score_interval = section.number()?,
            "outcomeinterval" => self.ignore(section.name, "use -ratinginterval"),
            "resultformat" => self.ignore(section.name, "use -output"),
            "bookmode" => self.ignore(section.name, "books are kept in memory"),
            "testEnv" => output.test_env = section.flag().map(|()| true)?,
            "force-concurrency" | "show-latency" | "help" | "version" | "v" => section.flag()?,
            _ => return Err(CliError::UnknownOption(section.name.to_owned(), None)),
        }
        Ok(())
    }

    fn ignore(&mut self, argument: &str, reason: &str) {
        self.request.warnings.push(format!("{argument} is ignored: {reason}"));
    }

    /// `-quick` of fastchess: two engines at 10+0.1, a book, draw adjudication.
    fn quick(&mut self, section: &Section) -> Result<(), CliError> {
        let config = &mut self.request.config;
        for (key, value) in section.pairs()? {
            match key {
                "cmd" => {
                    let command = format!("cmd={value}");
                    let arguments = vec![command.as_str(), "tc=10+0.1"];
                    self.engines.push(EngineArguments::read(&Section { name: "-engine", arguments })?);
                }
                _ => config.openings = Some(values::book(value, OpeningOrder::Random)),
            }
        }
        config.recover = true;
        config.rules.draw = Some(DrawRule { move_number: 30, move_count: 8, score: 8 });
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        config.concurrency = cores.saturating_sub(2).max(1);
        self.request.output.style = ReportStyle::Cutechess;
        self.rounds.get_or_insert(25_000);
        Ok(())
    }

    /// `-crc32` may stand before `-pgnout`.
    fn set_checksum(&mut self) {
        if let Some(pgn) = &mut self.request.config.pgn {
            pgn.crc32 |= self.crc32;
        }
    }

    fn resumed(mut self) -> MatchOptions {
        self.set_checksum();
        if let Some(rounds) = self.rounds {
            self.request.config.schedule.rounds = rounds;
        }
        self.request
    }

    fn finish(mut self) -> Result<MatchOptions, CliError> {
        self.plan_games();
        self.set_checksum();
        let mut request = self.request;
        let config = &mut request.config;
        if !self.tablebases.paths.is_empty() {
            config.tablebases = Some(self.tablebases);
        }
        config.seed = self.seed.unwrap_or_else(clock_seed);
        for warning in self.engines.iter().chain([&self.each]).flat_map(EngineArguments::warnings) {
            if !request.warnings.contains(warning) {
                request.warnings.push(warning.clone());
            }
        }
        for engine in self.engines {
            config.engines.push(engine.finish(&self.each)?);
        }
        if config.engines.iter().any(|engine| engine.ponder && engine.kind == EngineKind::InProcess) {
            request.warnings.push("ponder is ignored for engines with proto=inprocess".to_owned());
        }
        config.schedule.engines = config.engines.len();
        let engines = config.engines.len();
        config.schedule.tournament = tournament(self.tournament, self.seeds, engines, config.seed)?;
        let uses_seeds = matches!(self.tournament, Some(TournamentKind::Gauntlet | TournamentKind::Knockout));
        if self.seeds.is_some() && !uses_seeds {
            let text = "-seeds is ignored: only used with -tournament gauntlet and knockout";
            request.warnings.push(text.to_owned());
        }
        if config.schedule.is_empty() {
            return Err(CliError::Missing("at least two engines are required (-engine cmd=...)".to_owned()));
        }
        if let Some(engine) = config.engines.iter().find(|engine| !engine.limits.is_limited()) {
            let name = if engine.name.is_empty() { &engine.command } else { &engine.name };
            return Err(CliError::Missing(format!(
                "{name} has no time control (tc=, st=, nodes= or depth=)"
            )));
        }
        if config.sprt.is_some() && config.engines.len() != 2 {
            return Err(CliError::Missing("-sprt requires exactly two engines".to_owned()));
        }
        if config.sprt.is_some() && self.tournament == Some(TournamentKind::Knockout) {
            return Err(CliError::Missing("-sprt cannot be combined with -tournament knockout".to_owned()));
        }
        if config.chess960 && config.openings.as_ref().is_some_and(|book| book.file.is_none()) {
            let text =
                "-variant fischerandom without -openings: games start from the 960 positions in random order";
            request.warnings.push(text.to_owned());
        }
        // As fastchess: cutechess-cli's statistics are of single games.
        let single_games = request.output.style == ReportStyle::Cutechess;
        config.by_pairs &= config.schedule.is_paired() && !single_games;
        Ok(request)
    }

    /// Rounds and games from `-rounds`, `-games` and `-repeat`. In fastchess `-games` is the number of games per opening, 1
    /// or 2; in cutechess-cli it is the number of games per encounter, `-repeat` of them from each opening.
    fn plan_games(&mut self) {
        let schedule = &mut self.request.config.schedule;
        let default = if self.request.config.sprt.is_some() { SPRT_ROUNDS } else { ROUNDS };
        let (of_opening, of_encounter) = match (self.games, self.repeat) {
            (None, repeat) => (repeat.unwrap_or(2), None),
            (Some(games @ ..=2), None) => (games, None),
            (Some(games), None) => (1, Some(games)),
            (Some(games), Some(repeat)) => (repeat, (games > repeat).then_some(games)),
        };
        schedule.games = of_opening;
        schedule.rounds = match of_encounter {
            None => self.rounds.unwrap_or(default),
            Some(games) => {
                let total = self.rounds.unwrap_or(1).saturating_mul(games);
                let rounds = total.div_ceil(of_opening);
                let text = format!(
                    "-games {games} is interpreted as in cutechess-cli: {} games, {of_opening} per opening",
                    rounds.saturating_mul(of_opening)
                );
                self.request.warnings.push(text);
                rounds
            }
        };
    }
}

fn tournament(
    kind: Option<TournamentKind>,
    seeds: Option<usize>,
    engines: usize,
    draw: u64,
) -> Result<Tournament, CliError> {
    let most = match kind {
        Some(TournamentKind::Gauntlet) => engines.saturating_sub(1),
        _ => engines,
    };
    if let Some(seeds) = seeds.filter(|&seeds| kind.is_some() && engines > 1 && seeds > most) {
        let text = format!("-seeds: invalid value '{seeds}': expected at most {most} with {engines} engines");
        return Err(CliError::Missing(text));
    }
    Ok(match kind {
        None => Tournament::RoundRobin,
        Some(TournamentKind::Pyramid) => Tournament::Pyramid,
        Some(TournamentKind::Gauntlet) => Tournament::Gauntlet { seeds: seeds.unwrap_or(1) },
        Some(TournamentKind::Knockout) => Tournament::Knockout { seeds: seeds.unwrap_or(0), draw },
    })
}

/// A seed from the clock, without `-srand`.
fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64 >> 10)
}
