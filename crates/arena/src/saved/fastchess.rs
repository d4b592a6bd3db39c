//! Reads the `config.json` in which fastchess saves a match. Its settings become a command line, and its statistics games of
//! which nothing but the result is known.

use std::fmt::Write;
use std::time::Duration;

use record::game_end::Termination;
use serde_json::Value;
use support::hash::fnv1a;

use crate::cli;
use crate::cli::MatchOptions;
use crate::results::GameSummary;

/// A match of fastchess.
#[derive(Clone, Debug, PartialEq)]
pub struct FastchessMatch {
    pub request: MatchOptions,
    pub finished: Vec<GameSummary>,
}

/// Whether a file is a configuration of fastchess, and not one of ours.
pub fn is_fastchess(text: &str) -> bool {
    parse(text).is_some()
}

fn parse(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.get("engines").is_some_and(Value::is_array) && value.get("report_penta").is_some())
        .then_some(value)
}

impl FastchessMatch {
    /// Reads a file of fastchess.
    ///
    /// # Errors
    /// It is not one, or its settings are invalid.
    pub fn read(text: &str) -> Result<Self, String> {
        let value = parse(text).ok_or("not a configuration of fastchess")?;
        let request = cli::parse(&command_line(&value)).map_err(|error| error.to_string())?;
        let mut finished = Vec::new();
        if let [first, second] = &request.config.engines[..] {
            let of = |a: &str, b: &str| value.get("stats").and_then(|stats| stats.get(format!("{a} vs {b}")));
            let (direct, reversed) = (of(&first.name, &second.name), of(&second.name, &first.name));
            for (stats, is_reversed) in [(direct, false), (reversed, true)] {
                if let Some(stats) = stats {
                    add_games(&request, stats, is_reversed, &mut finished)?;
                }
            }
        }
        Ok(Self { request, finished })
    }
}

/// Adds games with these results, in any order: fastchess does not save it.
fn add_games(
    request: &MatchOptions,
    stats: &Value,
    is_reversed: bool,
    finished: &mut Vec<GameSummary>,
) -> Result<(), String> {
    let count = |name: &str| stats.get(name).and_then(Value::as_u64).unwrap_or(0);
    // Twice the points of the first engine in each game.
    let mut results: Vec<u8> = Vec::new();
    let kinds: Vec<(u64, Vec<u8>)> = if request.config.by_pairs {
        let pairs = [
            ("penta_WW", [2, 2]),
            ("penta_WD", [2, 1]),
            ("penta_WL", [2, 0]),
            ("penta_DD", [1, 1]),
            ("penta_LD", [0, 1]),
            ("penta_LL", [0, 0]),
        ];
        pairs.iter().map(|(name, points)| (count(name), points.to_vec())).collect()
    } else {
        vec![(count("wins"), vec![2]), (count("draws"), vec![1]), (count("losses"), vec![0])]
    };
    let schedule = &request.config.schedule;
    let total = kinds
        .iter()
        .map(|(number, points)| number.saturating_mul(points.len() as u64))
        .fold(0, u64::saturating_add);
    if total.saturating_add(finished.len() as u64) > schedule.len() {
        return Err(format!("{total} games played of {}", schedule.len()));
    }
    for (number, points) in kinds {
        for _ in 0..number {
            results.extend(&points);
        }
    }
    for half_points in results {
        let half_points = if is_reversed { 2 - half_points } else { half_points };
        let index = finished.len() as u64;
        let job = schedule.job(index).ok_or("more games than planned")?;
        finished.push(GameSummary {
            index,
            meeting: job.meeting,
            opening: 0,
            white: job.white,
            black: job.black,
            white_half_points: if job.white == 0 { half_points } else { 2 - half_points },
            termination: Termination::Unknown,
            culprit: None,
            plies: 0,
            digest: fnv1a(b"fastchess".iter().copied().chain(index.to_le_bytes())),
            time: Default::default(),
            duration: Duration::ZERO,
            warnings: 0,
        });
    }
    Ok(())
}

/// The settings as options of `vedette match`.
fn command_line(config: &Value) -> Vec<String> {
    let mut line = CommandLine(Vec::new());
    for engine in config["engines"].as_array().into_iter().flatten() {
        line.option("-engine");
        line.engine(engine);
    }
    line.schedule(config);
    line.adjudication(config);
    line.output(config);
    line.0
}

struct CommandLine(Vec<String>);

impl CommandLine {
    fn option(&mut self, name: &str) {
        self.0.push(name.to_owned());
    }

    fn pair(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{key}={value}"));
    }

    /// An option with one value; one that would be read as another option is left out.
    fn single(&mut self, name: &str, value: &Value) {
        let text = match value {
            Value::String(text) if !text.is_empty() && !text.starts_with('-') => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return,
        };
        self.option(name);
        self.0.push(text);
    }

    fn flag(&mut self, name: &str, value: &Value) {
        if value.as_bool() == Some(true) {
            self.option(name);
        }
    }

    fn engine(&mut self, engine: &Value) {
        for (key, name) in [("cmd", "cmd"), ("name", "name"), ("dir", "dir"), ("args", "args")] {
            if let Some(text) = engine[key].as_str().filter(|text| !text.is_empty()) {
                self.pair(name, text);
            }
        }
        if engine["restart"].as_bool() == Some(true) {
            self.pair("restart", "on");
        }
        for option in engine["options"].as_array().into_iter().flatten() {
            if let (Some(name), Some(value)) = (option[0].as_str(), option[1].as_str()) {
                self.pair(&format!("option.{name}"), value);
            }
        }
        let limit = &engine["limit"];
        let tc = &limit["tc"];
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let seconds = |value: &Value| number(value) as f64 / 1000.0;
        if number(&tc["time"]) + number(&tc["increment"]) > 0 {
            let mut text = String::new();
            if number(&tc["moves"]) > 0 {
                let _ = write!(text, "{}/", number(&tc["moves"]));
            }
            let _ = write!(text, "{}", seconds(&tc["time"]));
            if number(&tc["increment"]) > 0 {
                let _ = write!(text, "+{}", seconds(&tc["increment"]));
            }
            self.pair("tc", text);
        }
        if number(&tc["fixed_time"]) > 0 {
            self.pair("st", seconds(&tc["fixed_time"]));
        }
        self.pair("timemargin", number(&tc["timemargin"]));
        for (key, name) in [("nodes", "nodes"), ("plies", "depth")] {
            if number(&limit[key]) > 0 {
                self.pair(name, number(&limit[key]));
            }
        }
    }

    fn schedule(&mut self, config: &Value) {
        for name in ["rounds", "games", "concurrency", "wait"] {
            self.single(&format!("-{name}"), &config[name]);
        }
        self.single("-srand", &config["seed"]);
        for name in ["noswap", "reverse", "recover"] {
            self.flag(&format!("-{name}"), &config[name]);
        }
        self.flag("-check-mate-pvs", &config["check_mate_pvs"]);
        if config["variant"].as_u64() == Some(1) {
            self.0.extend(["-variant", "fischerandom"].map(str::to_owned));
        }
        if config["type"].as_u64() == Some(1) {
            self.0.extend(["-tournament", "gauntlet"].map(str::to_owned));
            self.single("-seeds", &config["gauntlet_seeds"]);
        }
        let sprt = &config["sprt"];
        if sprt["enabled"].as_bool() == Some(true) {
            self.option("-sprt");
            for key in ["elo0", "elo1", "alpha", "beta"] {
                self.pair(key, &sprt[key]);
            }
            self.pair("model", sprt["model"].as_str().unwrap_or("normalized"));
        }
        let opening = &config["opening"];
        self.option("-openings");
        match opening["file"].as_str().filter(|file| !file.is_empty()) {
            None => self.pair("file", "startpos"),
            Some(file) => {
                self.pair("file", file);
                self.pair("format", if opening["format"].as_u64() == Some(1) { "pgn" } else { "epd" });
                self.pair(
                    "order",
                    if opening["order"].as_u64() == Some(0) { "random" } else { "sequential" },
                );
                self.pair("start", opening["start"].as_u64().unwrap_or(1).max(1));
                if let Some(plies) = opening["plies"].as_u64() {
                    self.pair("plies", plies);
                }
            }
        }
    }

    fn adjudication(&mut self, config: &Value) {
        let is_on = |rule: &Value| rule["enabled"].as_bool() == Some(true);
        let (draw, resign, tables) = (&config["draw"], &config["resign"], &config["tb_adjudication"]);
        if is_on(draw) {
            self.option("-draw");
            for (name, key) in
                [("movenumber", "move_number"), ("movecount", "move_count"), ("score", "score")]
            {
                self.pair(name, &draw[key]);
            }
        }
        if is_on(resign) {
            self.option("-resign");
            self.pair("movecount", &resign["move_count"]);
            self.pair("score", &resign["score"]);
            self.pair("twosided", resign["twosided"].as_bool() == Some(true));
        }
        if is_on(&config["maxmoves"]) {
            self.single("-maxmoves", &config["maxmoves"]["move_count"]);
        }
        if is_on(tables) {
            self.single("-tb", &tables["syzygy_dirs"]);
            if tables["max_pieces"].as_u64().is_some_and(|pieces| pieces > 0) {
                self.single("-tbpieces", &tables["max_pieces"]);
            }
            self.flag("-tbignore50", &tables["ignore_50_move_rule"]);
        }
    }

    fn output(&mut self, config: &Value) {
        let pgn = &config["pgn"];
        if let Some(file) = pgn["file"].as_str().filter(|file| !file.is_empty()) {
            self.option("-pgnout");
            self.pair("file", file);
            let notations = ["san", "lan", "uci"];
            let notation = pgn["notation"].as_u64().and_then(|index| notations.get(index as usize));
            self.pair("notation", notation.unwrap_or(&"san"));
            for name in ["nodes", "seldepth", "nps", "hashfull", "tbhits", "timeleft", "latency", "pv"] {
                self.pair(name, pgn[format!("track_{name}")].as_bool() == Some(true));
            }
            // The games so far stay.
            self.pair("append", true);
            self.pair("min", pgn["min"].as_bool() == Some(true));
            for expression in pgn["additional_lines_rgx"].as_array().into_iter().flatten() {
                self.pair("match_line", expression.as_str().unwrap_or_default());
            }
            self.option("-crc32");
            self.pair("pgn", pgn["crc"].as_bool() == Some(true));
        }
        self.single("-event", &pgn["event_name"]);
        self.single("-site", &pgn["site"]);
        if let Some(file) = config["epd"]["file"].as_str().filter(|file| !file.is_empty()) {
            self.option("-epdout");
            self.pair("file", file);
        }
        // Written as the largest number if it is 0.
        let interval = config["ratinginterval"].as_u64().filter(|&games| games < i32::MAX as u64);
        self.single("-ratinginterval", &interval.unwrap_or(0).into());
        self.option("-report");
        self.pair("penta", config["report_penta"].as_bool() == Some(true));
        self.option("-output");
        self.pair("format", if config["output"].as_u64() == Some(1) { "cutechess" } else { "fastchess" });
        self.flag("-use-affinity", &config["affinity"]);
    }
}
