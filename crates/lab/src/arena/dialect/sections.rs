//! Every option of the command line but those of engines, and the checks on the whole.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::engine::EngineWords;
use super::section::Section;
use super::{DialectError, Log, Output, Request, Saving, TablebaseRequest};
use crate::arena::adjudication::{DrawRule, ResignRule, Rules};
use crate::arena::config::{
    CommentItems, MatchConfig, Notation, OpeningConfig, OpeningOrder, Patience, PgnConfig,
};
use crate::arena::report::Style;
use crate::arena::schedule::{Schedule, Tournament};
use crate::statistics::{EloModel, Sprt};
use crate::words::nearest;

/// Where the state of a match goes unless told otherwise.
const STATE_FILE: &str = "vedette-match.json";

/// Where reports on engine faults go unless told otherwise.
const FAULT_FOLDER: &str = "vedette-faults";

/// All options, for the nearest one to a misspelt word.
const OPTIONS: &[&str] = &[
    "autosaveinterval",
    "check-mate-pvs",
    "concurrency",
    "config",
    "crc32",
    "debug",
    "draw",
    "each",
    "engine",
    "epdout",
    "event",
    "faults",
    "force-concurrency",
    "games",
    "log",
    "maxmoves",
    "noswap",
    "openings",
    "outcomeinterval",
    "output",
    "pgnout",
    "ping-ms",
    "plain",
    "ratinginterval",
    "recover",
    "repeat",
    "report",
    "resign",
    "reverse",
    "rounds",
    "scoreinterval",
    "seeds",
    "show-latency",
    "search-ms",
    "site",
    "sprt",
    "srand",
    "startup-ms",
    "strict",
    "tb",
    "tbadjudicate",
    "tbignore50",
    "tbpieces",
    "testEnv",
    "tournament",
    "ucinewgame-ms",
    "use-affinity",
    "variant",
    "wait",
];

/// Reads all sections.
pub fn read(sections: &[Section]) -> Result<Request, DialectError> {
    let mut reader = Reader::default();
    for section in sections {
        reader.section(section)?;
    }
    reader.finish()
}

/// A request in the making.
struct Reader {
    request: Request,
    engines: Vec<EngineWords>,
    each: EngineWords,
    seeds: usize,
    gauntlet: bool,
    seed: Option<u64>,
    tablebases: TablebaseRequest,
}

impl Default for Reader {
    fn default() -> Self {
        let config = MatchConfig {
            engines: Vec::new(),
            schedule: Schedule {
                engines: 0,
                tournament: Tournament::RoundRobin,
                rounds: 2,
                games: 2,
                swap: true,
                reverse: false,
            },
            concurrency: 1,
            chess960: false,
            openings: Some(built_in_book()),
            seed: 0,
            sprt: None,
            by_pairs: true,
            rules: Rules::default(),
            recover: false,
            wait: Duration::ZERO,
            patience: Patience::default(),
            pgn: None,
            epd: None,
            event: "Vedette match".to_owned(),
            site: "?".to_owned(),
            fault_reports: Some(PathBuf::from(FAULT_FOLDER)),
            strict: false,
            check_mate_lines: false,
        };
        let saving = Saving { resume: None, file: PathBuf::from(STATE_FILE), keep: false, interval: 20 };
        let request = Request {
            config,
            output: Output::default(),
            saving,
            tablebases: None,
            log: None,
            ignored: Vec::new(),
        };
        let tablebases = TablebaseRequest {
            paths: Vec::new(),
            pieces: None,
            ignore_fifty: false,
            wins: true,
            draws: true,
        };
        Self {
            request,
            engines: Vec::new(),
            each: EngineWords::default(),
            seeds: 1,
            gauntlet: false,
            seed: None,
            tablebases,
        }
    }
}

fn built_in_book() -> OpeningConfig {
    OpeningConfig { file: None, pgn: false, order: OpeningOrder::Random, plies: None, start: 1 }
}

impl Reader {
    fn section(&mut self, section: &Section) -> Result<(), DialectError> {
        let config = &mut self.request.config;
        match section.option() {
            "engine" => self.engines.push(EngineWords::read(section)?),
            "each" => self.each.add(section)?,
            "rounds" => config.schedule.rounds = positive(section)?,
            "games" => config.schedule.games = positive(section)?,
            "repeat" => config.schedule.games = if section.words.is_empty() { 2 } else { positive(section)? },
            "noswap" => config.schedule.swap = section.flag().map(|()| false)?,
            "reverse" => config.schedule.reverse = section.flag().map(|()| true)?,
            "concurrency" => config.concurrency = positive(section)? as usize,
            "tournament" => {
                self.gauntlet = match section.word()? {
                    "roundrobin" | "round-robin" => false,
                    "gauntlet" => true,
                    other => return Err(section.wrong(other, "roundrobin or gauntlet")),
                }
            }
            "seeds" => self.seeds = positive(section)? as usize,
            "variant" => {
                config.chess960 = match section.word()? {
                    "standard" => false,
                    "fischerandom" | "chess960" => true,
                    other => return Err(section.wrong(other, "standard or fischerandom")),
                }
            }
            "srand" => self.seed = Some(section.number()?),
            "openings" => config.openings = openings(section)?,
            "sprt" => config.sprt = Some(sprt(section)?),
            "draw" => config.rules.draw = Some(draw(section)?),
            "resign" => config.rules.resign = Some(resign(section)?),
            "maxmoves" => config.rules.max_moves = Some(section.number()?),
            "recover" => config.recover = section.flag().map(|()| true)?,
            "strict" => config.strict = section.flag().map(|()| true)?,
            "check-mate-pvs" => config.check_mate_lines = section.flag().map(|()| true)?,
            "wait" => config.wait = section.millis(section.word()?)?,
            "event" => config.event = section.text(),
            "site" => config.site = section.text(),
            "startup-ms" => config.patience.start = section.millis(section.word()?)?,
            "ucinewgame-ms" | "ping-ms" => config.patience.ready = section.millis(section.word()?)?,
            "search-ms" => config.patience.search = section.millis(section.word()?)?,
            "pgnout" => config.pgn = Some(pgn_out(section)?),
            "epdout" => config.epd = Some(epd_out(section)?),
            "faults" => {
                let folder = section.word()?;
                config.fault_reports = (folder != "none").then(|| PathBuf::from(folder));
            }
            "tb" | "tbpieces" | "tbignore50" | "tbadjudicate" => self.tablebase(section)?,
            _ => self.output_section(section)?,
        }
        Ok(())
    }

    fn tablebase(&mut self, section: &Section) -> Result<(), DialectError> {
        let request = &mut self.tablebases;
        match section.option() {
            "tb" => request.paths.extend(std::env::split_paths(section.word()?)),
            "tbpieces" => request.pieces = Some(section.number()?),
            "tbignore50" => request.ignore_fifty = section.flag().map(|()| true)?,
            _ => {
                (request.wins, request.draws) = match section.word()?.to_ascii_uppercase().as_str() {
                    "BOTH" => (true, true),
                    "WIN_LOSS" => (true, false),
                    "DRAW" => (false, true),
                    _ => return Err(section.wrong(section.word()?, "BOTH, WIN_LOSS or DRAW")),
                }
            }
        }
        Ok(())
    }

    /// Options about what is shown and saved.
    fn output_section(&mut self, section: &Section) -> Result<(), DialectError> {
        let Request { config, output, saving, log, ignored, .. } = &mut self.request;
        match section.option() {
            "ratinginterval" => output.rating_interval = section.number()?,
            "plain" => output.plain = section.flag().map(|()| true)?,
            "report" => {
                for (_, value) in section.pairs(&["penta"])? {
                    config.by_pairs = section.truth(value)?;
                }
            }
            "output" => {
                for (key, value) in section.pairs(&["format", "file"])? {
                    match (key, value) {
                        ("file", _) => output.json_file = Some(PathBuf::from(value)),
                        (_, "fastchess") => output.style = Style::Fastchess,
                        (_, "cutechess") => output.style = Style::Cutechess,
                        (_, "json") => output.json = true,
                        _ => return Err(section.wrong(value, "fastchess, cutechess or json")),
                    }
                }
            }
            "config" => {
                for (key, value) in section.pairs(&["file", "outname", "discard", "stats"])? {
                    match key {
                        "file" => saving.resume = Some(PathBuf::from(value)),
                        "outname" => {
                            saving.file = PathBuf::from(value);
                            saving.keep = true;
                        }
                        "discard" if section.truth(value)? => saving.resume = None,
                        _ => {
                            section.truth(value)?;
                        }
                    }
                }
            }
            "autosaveinterval" => saving.interval = section.number()?,
            "debug" => *log = Some(Log::Stderr),
            "log" => *log = log_file(section)?.or(log.take()),
            "scoreinterval" | "outcomeinterval" | "crc32" | "testEnv" | "use-affinity" => {
                ignored.push(section.name.to_owned());
            }
            "force-concurrency" | "show-latency" => section.flag()?,
            _ => {
                let near = nearest(section.option(), OPTIONS.iter().copied()).map(|near| format!("-{near}"));
                return Err(DialectError::UnknownOption(section.name.to_owned(), near));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Request, DialectError> {
        let mut request = self.request;
        let config = &mut request.config;
        if !self.tablebases.paths.is_empty() {
            request.tablebases = Some(self.tablebases);
        }
        config.seed = self.seed.unwrap_or_else(seed_of_the_day);
        for engine in self.engines {
            config.engines.push(engine.finish(&self.each)?);
        }
        if request.saving.resume.is_some() && config.engines.is_empty() {
            return Ok(request);
        }
        config.schedule.engines = config.engines.len();
        if self.gauntlet {
            config.schedule.tournament = Tournament::Gauntlet { seeds: self.seeds };
        }
        if config.schedule.is_empty() {
            return Err(DialectError::Missing("a match needs two engines (-engine cmd=...)".to_owned()));
        }
        if let Some(engine) = config.engines.iter().find(|engine| !engine.limits.is_limited()) {
            let name = if engine.name.is_empty() { &engine.command } else { &engine.name };
            return Err(DialectError::Missing(format!(
                "nothing limits the thinking of {name} (tc=, st=, nodes= or depth=)"
            )));
        }
        if config.sprt.is_some() && config.engines.len() != 2 {
            return Err(DialectError::Missing("-sprt tests two engines, not more".to_owned()));
        }
        config.by_pairs &= config.schedule.is_paired();
        Ok(request)
    }
}

/// A seed from the clock, for matches that do not name one.
fn seed_of_the_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64 >> 10)
}

fn positive(section: &Section) -> Result<u64, DialectError> {
    let number: u64 = section.number()?;
    if number == 0 { Err(section.wrong("0", "a number above zero")) } else { Ok(number) }
}

fn openings(section: &Section) -> Result<Option<OpeningConfig>, DialectError> {
    let mut openings = OpeningConfig { order: OpeningOrder::Sequential, ..built_in_book() };
    let mut format = None;
    for (key, value) in section.pairs(&["file", "format", "order", "plies", "start", "policy"])? {
        match key {
            "file" => openings.file = Some(PathBuf::from(value)),
            "format" => {
                format = Some(match value {
                    "epd" => false,
                    "pgn" => true,
                    _ => return Err(section.wrong(value, "epd or pgn")),
                });
            }
            "order" => {
                openings.order = match value {
                    "sequential" => OpeningOrder::Sequential,
                    "random" => OpeningOrder::Random,
                    _ => return Err(section.wrong(value, "random or sequential")),
                }
            }
            "plies" => openings.plies = Some(section.parse(value, "a number of half moves")?),
            "start" => openings.start = section.parse(value, "a number")?,
            _ if matches!(value, "default" | "round" | "encounter") => {}
            _ => return Err(section.wrong(value, "round: every round has its own opening")),
        }
    }
    // `file=startpos`: no book, on purpose.
    if openings.file.as_deref().is_some_and(|file| file.as_os_str() == "startpos") {
        return Ok(None);
    }
    let by_name = || openings.file.as_deref().and_then(record::book::BookFormat::of_path);
    openings.pgn = format.unwrap_or_else(|| by_name() == Some(record::book::BookFormat::Pgn));
    Ok(Some(openings))
}

fn sprt(section: &Section) -> Result<Sprt, DialectError> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = EloModel::default();
    for (key, value) in section.pairs(&["elo0", "elo1", "alpha", "beta", "model"])? {
        match key {
            "elo0" => elo0 = Some(section.parse(value, "a number")?),
            "elo1" => elo1 = Some(section.parse(value, "a number")?),
            "alpha" => alpha = section.parse(value, "a number")?,
            "beta" => beta = section.parse(value, "a number")?,
            _ => model = section.parse(value, "normalized, logistic or bayesian")?,
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err(DialectError::Missing("-sprt needs elo0= and elo1=".to_owned()));
    };
    Sprt::new(elo0, elo1, alpha, beta, model)
        .map_err(|error| DialectError::Missing(format!("-sprt: {error}")))
}

fn draw(section: &Section) -> Result<DrawRule, DialectError> {
    let mut rule = DrawRule { move_number: 0, move_count: 1, score: 0 };
    for (key, value) in section.pairs(&["movenumber", "movecount", "score"])? {
        match key {
            "movenumber" => rule.move_number = section.parse(value, "a number")?,
            "movecount" => rule.move_count = section.parse(value, "a number")?,
            _ => rule.score = section.parse(value, "a number of centipawns")?,
        }
    }
    Ok(rule)
}

fn resign(section: &Section) -> Result<ResignRule, DialectError> {
    let mut rule = ResignRule { move_count: 1, score: 0, two_sided: false };
    for (key, value) in section.pairs(&["movecount", "score", "twosided"])? {
        match key {
            "movecount" => rule.move_count = section.parse(value, "a number")?,
            "score" => rule.score = section.parse(value, "a number of centipawns")?,
            _ => rule.two_sided = section.truth(value)?,
        }
    }
    Ok(rule)
}

/// `file=NAME ...` as fastchess, or `NAME [min] [fi]` as cutechess-cli.
fn pgn_out(section: &Section) -> Result<PgnConfig, DialectError> {
    let mut pgn = PgnConfig {
        file: PathBuf::from("games.pgn"),
        append: true,
        notation: Notation::San,
        minimal: false,
        items: CommentItems::default(),
    };
    if let Some((first, flags)) = section.words.split_first()
        && !first.contains('=')
    {
        pgn.file = PathBuf::from(first);
        for flag in flags {
            match *flag {
                "min" => pgn.minimal = true,
                "fi" => {}
                other => return Err(section.wrong(other, "min or fi")),
            }
        }
        return Ok(pgn);
    }
    let keys = [
        "file", "notation", "append", "min", "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv",
        "timeleft", "latency",
    ];
    for (key, value) in section.pairs(&keys)? {
        let items = &mut pgn.items;
        let switch = match key {
            "file" => {
                pgn.file = PathBuf::from(value);
                continue;
            }
            "notation" => {
                pgn.notation = match value {
                    "san" => Notation::San,
                    "uci" | "lan" => Notation::Uci,
                    _ => return Err(section.wrong(value, "san, lan or uci")),
                };
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
        *switch = section.truth(value)?;
    }
    Ok(pgn)
}

fn epd_out(section: &Section) -> Result<PathBuf, DialectError> {
    match section.words[..] {
        [word] if !word.contains('=') => Ok(PathBuf::from(word)),
        _ => {
            let mut file = PathBuf::from("positions.epd");
            for (key, value) in section.pairs(&["file", "append"])? {
                match key {
                    "file" => file = PathBuf::from(value),
                    _ => {
                        section.truth(value)?;
                    }
                }
            }
            Ok(file)
        }
    }
}

/// The log file, if it is to hold what engines say; other levels have nothing to tell here.
fn log_file(section: &Section) -> Result<Option<Log>, DialectError> {
    let (mut file, mut append, mut engines) = (None, true, false);
    for (key, value) in section.pairs(&["file", "level", "append", "compress", "realtime", "engine"])? {
        match key {
            "file" => file = Some(PathBuf::from(value)),
            "append" => append = section.truth(value)?,
            "engine" => engines |= section.truth(value)?,
            "level" => engines |= value == "trace",
            _ => {
                section.truth(value)?;
            }
        }
    }
    let Some(file) = file else { return Err(DialectError::Missing("-log needs file=".to_owned())) };
    Ok(engines.then_some(Log::File(file, append)))
}
