//! The options that take `key=value` arguments.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use record::book::BookFormat;
use regex::Regex;

use super::section::Section;
use super::{CliError, LogConfig, LogLevel};
use crate::config::{EpdConfig, Notation, OpeningConfig, OpeningOrder, PgnConfig, TablebaseConfig};
use record::adjudication::{DrawRule, ResignRule};
use stats::{EloModel, Sprt};

/// More threads than an operating system provides.
const MAX_CONCURRENCY: i64 = 4096;

/// `-concurrency`; as in fastchess, 0 and less leave so many CPUs free.
pub fn concurrency(section: &Section) -> Result<usize, CliError> {
    let games: i64 = section.number()?;
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as i64;
    let games = if games > 0 { games } else { cpus.saturating_add(games) };
    if !(1..=MAX_CONCURRENCY).contains(&games) {
        let expected = format!("{}..={MAX_CONCURRENCY}; 0 and less leave CPUs free", 1 - cpus);
        return Err(section.invalid(section.value()?, &expected));
    }
    Ok(games as usize)
}

/// `-use-affinity [3,5,7-11]`; an empty list: all CPUs.
pub fn cpus(section: &Section) -> Result<Vec<usize>, CliError> {
    if section.arguments.is_empty() {
        return Ok(Vec::new());
    }
    let text = section.value()?;
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.parse::<usize>(), last.parse::<usize>()) {
            (Ok(first), Ok(last)) if first <= last && last < MAX_CPUS => cpus.extend(first..=last),
            _ => return Err(section.invalid(text, "a list of CPUs such as 3,5,7-11")),
        }
    }
    Ok(cpus)
}

/// CPUs in a mask of the operating system.
const MAX_CPUS: usize = 1024;

/// The book inside the program, in random order.
pub fn built_in_book() -> OpeningConfig {
    OpeningConfig { file: None, pgn: false, order: OpeningOrder::Random, plies: None, start: 1 }
}

/// A book by its file, in the format that its name suggests.
pub fn book(file: &str, order: OpeningOrder) -> OpeningConfig {
    let pgn = BookFormat::of_path(Path::new(file)) == Some(BookFormat::Pgn);
    OpeningConfig { file: Some(PathBuf::from(file)), pgn, order, ..built_in_book() }
}

/// `-openings`; `None` = every game from the standard position.
pub fn openings(section: &Section) -> Result<Option<OpeningConfig>, CliError> {
    let mut openings = OpeningConfig { order: OpeningOrder::Sequential, ..built_in_book() };
    let mut format = None;
    for (key, value) in section.pairs()? {
        match key {
            "file" => {
                openings = OpeningConfig {
                    plies: openings.plies,
                    start: openings.start,
                    ..book(value, openings.order)
                }
            }
            "format" => {
                format = Some(match value {
                    "epd" => false,
                    "pgn" => true,
                    _ => return Err(section.invalid(value, "epd or pgn")),
                });
            }
            "order" => {
                openings.order = match value {
                    "sequential" => OpeningOrder::Sequential,
                    "random" => OpeningOrder::Random,
                    _ => return Err(section.invalid(value, "random or sequential")),
                }
            }
            "plies" => openings.plies = Some(section.parse(value, "a number of plies")?),
            "start" => {
                let start: NonZeroUsize = section.parse(value, "an opening number, from 1")?;
                openings.start = start.get();
            }
            _ if matches!(value, "default" | "round" | "encounter") => {}
            _ => return Err(section.invalid(value, "round")),
        }
    }
    if openings.file.as_deref().is_some_and(|file| file.as_os_str() == "startpos") {
        return Ok(None);
    }
    openings.pgn = format.unwrap_or(openings.pgn);
    Ok(Some(openings))
}

/// `-sprt`
pub fn sprt(section: &Section) -> Result<Sprt, CliError> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = EloModel::default();
    for (key, value) in section.pairs()? {
        match key {
            "elo0" => elo0 = Some(section.parse(value, "a number")?),
            "elo1" => elo1 = Some(section.parse(value, "a number")?),
            "alpha" => alpha = section.parse(value, "a number")?,
            "beta" => beta = section.parse(value, "a number")?,
            _ => model = section.parse(value, "normalized, logistic or bayesian")?,
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err(CliError::Missing("-sprt: missing elo0= or elo1=".to_owned()));
    };
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| CliError::Missing(format!("-sprt: {error}")))
}

fn centipawns(section: &Section, value: &str) -> Result<i32, CliError> {
    let score: u16 = section.parse(value, "centipawns (0..=65535)")?;
    Ok(i32::from(score))
}

/// `-draw`
pub fn draw(section: &Section) -> Result<DrawRule, CliError> {
    let mut rule = DrawRule { move_number: 0, move_count: 1, score: 0 };
    for (key, value) in section.pairs()? {
        match key {
            "movenumber" => rule.move_number = section.parse(value, "a number")?,
            "movecount" => rule.move_count = section.parse(value, "a number")?,
            _ => rule.score = centipawns(section, value)?,
        }
    }
    Ok(rule)
}

/// `-resign`
pub fn resign(section: &Section) -> Result<ResignRule, CliError> {
    let mut rule = ResignRule { move_count: 1, score: 0, two_sided: false };
    for (key, value) in section.pairs()? {
        match key {
            "movecount" => rule.move_count = section.parse(value, "a number")?,
            "score" => rule.score = centipawns(section, value)?,
            _ => rule.two_sided = section.boolean(value)?,
        }
    }
    Ok(rule)
}

/// `-tb`, `-tbpieces`, `-tbignore50`, `-tbadjudicate`.
pub fn tablebase(section: &Section, config: &mut TablebaseConfig) -> Result<(), CliError> {
    match section.option() {
        // Semicolons are cutechess-cli's, on every system.
        "tb" => config.paths.extend(section.value()?.split(';').flat_map(std::env::split_paths)),
        "tbpieces" => config.pieces = Some(section.number()?),
        "tbignore50" => config.ignore_fifty = section.flag().map(|()| true)?,
        _ => {
            (config.wins, config.draws) = match section.value()?.to_ascii_uppercase().as_str() {
                "BOTH" => (true, true),
                "WIN_LOSS" => (true, false),
                "DRAW" => (false, true),
                _ => return Err(section.invalid(section.value()?, "BOTH, WIN_LOSS or DRAW")),
            }
        }
    }
    Ok(())
}

/// `-pgnout file=NAME ...` as fastchess, or `-pgnout NAME [min] [fi]` as cutechess-cli.
pub fn pgn_out(section: &Section) -> Result<PgnConfig, CliError> {
    let mut pgn = PgnConfig { file: PathBuf::from("games.pgn"), ..PgnConfig::default() };
    if let Some((first, flags)) = section.arguments.split_first()
        && !first.contains('=')
    {
        pgn.file = PathBuf::from(first);
        for flag in flags {
            match *flag {
                "min" => pgn.minimal = true,
                // Only finished games are written anyway.
                "fi" => {}
                other => return Err(section.invalid(other, "min or fi")),
            }
        }
        return Ok(pgn);
    }
    for (key, value) in section.pairs()? {
        let items = &mut pgn.items;
        let switch = match key {
            "file" => {
                pgn.file = PathBuf::from(value);
                continue;
            }
            "notation" => {
                pgn.notation = match value {
                    "san" => Notation::San,
                    "lan" => Notation::Lan,
                    "uci" => Notation::Uci,
                    _ => return Err(section.invalid(value, "san, lan or uci")),
                };
                continue;
            }
            "match_line" => {
                let expression =
                    Regex::new(value).map_err(|_| section.invalid(value, "a regular expression"));
                pgn.match_lines.push(expression?.to_string());
                continue;
            }
            "append" => &mut pgn.append,
            "min" => &mut pgn.minimal,
            "nodes" => &mut items.nodes,
            "seldepth" => &mut items.seldepth,
            "nps" => &mut items.nps,
            "hashfull" => &mut items.hashfull,
            "tbhits" => &mut items.tbhits,
            "pv" => &mut items.pv,
            "timeleft" => &mut items.time_left,
            _ => &mut items.latency,
        };
        *switch = section.boolean(value)?;
    }
    Ok(pgn)
}

/// `-epdout file=NAME [append=BOOL]`, or `-epdout NAME` as cutechess-cli.
pub fn epd_out(section: &Section) -> Result<EpdConfig, CliError> {
    let mut epd = EpdConfig { file: PathBuf::from("positions.epd"), append: true };
    if let [file] = section.arguments[..]
        && !file.contains('=')
    {
        epd.file = PathBuf::from(file);
        return Ok(epd);
    }
    for (key, value) in section.pairs()? {
        match key {
            "file" => epd.file = PathBuf::from(value),
            _ => epd.append = section.boolean(value)?,
        }
    }
    Ok(epd)
}

/// `-log`
pub fn log(section: &Section) -> Result<LogConfig, CliError> {
    let mut log = LogConfig { file: None, append: true, level: LogLevel::Info, conversations: false };
    for (key, value) in section.pairs()? {
        match key {
            "file" => log.file = Some(PathBuf::from(value)),
            "append" => log.append = section.boolean(value)?,
            "engine" => log.conversations |= section.boolean(value)?,
            "level" => {
                log.level = match value {
                    "trace" | "info" => LogLevel::Info,
                    "warn" => LogLevel::Warn,
                    "err" | "fatal" => LogLevel::Error,
                    _ => return Err(section.invalid(value, "trace, info, warn, err or fatal")),
                };
                log.conversations |= value == "trace";
            }
            "compress" if section.boolean(value)? => {
                return Err(section.unsupported("compress=", "logs are plain text"));
            }
            // realtime=: lines are always flushed.
            _ => {
                section.boolean(value)?;
            }
        }
    }
    if log.file.is_none() {
        return Err(CliError::Missing("-log: missing file=".to_owned()));
    }
    Ok(log)
}
