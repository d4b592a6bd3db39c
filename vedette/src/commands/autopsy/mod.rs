//! `vedette autopsy`: where an engine lost its games, and why.

mod report;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::EngineConfig;
use arena::game::{EngineLimits, TimeControl};
use autopsy::{
    Autopsy, AutopsyError, AutopsyEvent, AutopsyPlan, Case, EngineProber, SCHEMA, journal_header, lost_games,
    page, suite,
};
use review::{Journal, SourceGame, read};
use support::files;
use support::text::printable;

use self::report::{ReportDetail, notes, print};
use super::match_;
use crate::cli::analysis::{engine_or_vedette, without_clock};
use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::{self, path_error};
use crate::cli::paths::check_outputs;
use crate::cli::progress::ProgressLine;
use crate::cli::stderr::stderr;
use crate::cli::values::{parse_option, parse_positive};

#[derive(clap::Args)]
#[command(
    after_help = "docs/autopsy.md explains the causes. After Ctrl-C the output files have the games examined so far; the same command \
    resumes."
)]
pub struct Arguments {
    /// Examine the lost games in this PGN file; with --opponent, play them into it first
    #[arg(value_name = "FILE.pgn")]
    file: PathBuf,
    /// Examine this UCI engine, with its arguments
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// Set a UCI option of the engine; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// Name of the engine in the games [default: the name that it reports]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    opponent: OpponentArguments,
    /// Find the lost games with this UCI engine [default: Vedette]
    #[arg(long, value_name = "COMMAND")]
    reference: Option<String>,
    /// Set a UCI option of the reference; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    reference_option: Vec<(String, String)>,
    /// Nodes per position of the reference; four times as many where a game may have been lost
    #[arg(long, value_name = "N", value_parser = parse_positive, default_value = "100k")]
    reference_nodes: u64,
    /// Examine the first N lost games only
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    games: Option<u64>,
    /// Do not replay games: faster, but finds no hash or state bugs
    #[arg(long)]
    no_replay: bool,
    /// Seconds after which a search without a time limit is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Examine this many games in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Number of positions that are shown and written to the test suite
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    positions: u16,
    #[command(flatten)]
    output: OutputArguments,
}

/// The limit of the games.
#[derive(clap::Args)]
struct LimitArguments {
    /// Time control of the games [default: that of the PGN]
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Milliseconds per move in the games
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=604_800_000))]
    movetime: Option<u64>,
    /// Nodes per move in the games
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    nodes: Option<u64>,
    /// Depth of each move in the games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
}

impl LimitArguments {
    fn limits(&self) -> Option<EngineLimits> {
        let limits = EngineLimits {
            clock: self.tc,
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..EngineLimits::default()
        };
        limits.is_limited().then_some(limits)
    }
}

/// A match that is played first.
#[derive(clap::Args)]
struct OpponentArguments {
    /// Play a match against this UCI engine first, with the same limits
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,
    /// Set a UCI option of the opponent; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, requires = "opponent")]
    opponent_option: Vec<(String, String)>,
    /// Game pairs of that match
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..), requires = "opponent")]
    rounds: u32,
    /// Opening book of that match, PGN or EPD [default: the built-in book]
    #[arg(long, value_name = "FILE", requires = "opponent")]
    book: Option<PathBuf>,
}

#[derive(clap::Args)]
struct OutputArguments {
    /// Print all games, not only the clearest positions
    #[arg(short, long)]
    verbose: bool,
    /// Write the clearest positions as a test suite to this file
    #[arg(long, value_name = "FILE.epd")]
    epd: Option<PathBuf>,
    /// Write an HTML report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArguments,
    /// Save progress to this file, and resume from it [default: FILE.pgn.autopsy]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Minimum time between two rewrites of the output files.
const WRITE_EVERY: Duration = Duration::from_secs(5);

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let journal = arguments.journal();
    arguments.check_paths(&journal)?;
    let stop = stop_on_signal()?;
    let name = arguments.reported_name(&stop)?;
    arguments.play_match()?;
    let bytes = files::read_limited(&arguments.file, files::CONTENT_LIMIT)
        .map_err(|error| path_error(&arguments.file, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let (games, broken) = read(&text);
    for fault in &broken {
        let skipped = if fault.skipped { "; game skipped" } else { "" };
        let place = format!("{}:{}: game {}", arguments.file.display(), fault.line, fault.game);
        stderr!("{}", printable(&format!("{place}: {}{skipped}", fault.what)));
    }
    let player = player_of(&games, arguments.player.as_deref(), &name)
        .map_err(|error| format!("{}: {error}", arguments.file.display()))?;
    let lost = lost_games(&games, &player);
    let most = arguments.games.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let chosen = &lost[..lost.len().min(most)];
    let chess960 = games.iter().any(SourceGame::is_chess960);
    let plan = arguments.plan(&player, chess960, &stop);
    let result = Autopsy {
        schema: SCHEMA.to_owned(),
        engine: if name.is_empty() { arguments.engine.clone() } else { name },
        reference: plan.reference.name.clone(),
        reference_limits: plan.reference_limits.to_string(),
        player,
        games: games.len(),
        lost: lost.len(),
        causes: Vec::new(),
        cases: Vec::new(),
        clearest: Vec::new(),
        notes: Vec::new(),
        broken,
    };
    let mut journal = Journal::open(&journal, &journal_header(&plan, &text))?;
    let mut work = Work::new(arguments, result, chosen.len());
    let done = plan.run(&games, chosen, &mut journal, &mut |event| work.handle(event));
    work.progress.finish(None);
    work.write()?;
    match done {
        Ok(()) => {
            work.show()?;
            journal.remove()?;
            work.failure.map_or(Ok(()), |failure| Err(failure.into()))
        }
        Err(AutopsyError::Interrupted) => {
            work.show()?;
            let (finished, all) = (work.cases.len(), chosen.len());
            let rest =
                format!("interrupted after {finished} of {all} lost games; run the same command to resume");
            writeln!(arguments.output.json.text(), "{rest}")?;
            Ok(unless_interrupted()?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The name of the engine in the games.
fn player_of(games: &[SourceGame], given: Option<&str>, reported: &str) -> Result<String, String> {
    let names = |game: &SourceGame| ["White", "Black"].map(|tag| game.pgn.tag(tag).unwrap_or("?").to_owned());
    let all: std::collections::BTreeSet<String> = games.iter().flat_map(names).collect();
    if all.is_empty() {
        return Err("no games".to_owned());
    }
    let list = || all.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    if let Some(player) = given {
        return if all.contains(player) {
            Ok(player.to_owned())
        } else {
            Err(format!("no games of '{player}'; the players are {}", list()))
        };
    }
    if all.contains(reported) {
        return Ok(reported.to_owned());
    }
    let in_all: Vec<&String> =
        all.iter().filter(|name| games.iter().all(|game| names(game).contains(name))).collect();
    match in_all[..] {
        [player] => Ok(player.clone()),
        _ => Err(format!(
            "no games of '{reported}', as the engine reports its name; choose one with --player: {}",
            list()
        )),
    }
}

/// An autopsy in progress.
struct Work<'a> {
    arguments: &'a Arguments,
    result: Autopsy,
    cases: Vec<Case>,
    progress: ProgressLine,
    started: Instant,
    written: Instant,
    /// Games examined in this run.
    examined: usize,
    all: usize,
    /// The first output file that could not be written.
    failure: Option<String>,
}

impl<'a> Work<'a> {
    fn new(arguments: &'a Arguments, result: Autopsy, all: usize) -> Work<'a> {
        Work {
            arguments,
            result,
            cases: Vec::new(),
            progress: ProgressLine::new(),
            started: Instant::now(),
            written: Instant::now(),
            examined: 0,
            all,
            failure: None,
        }
    }

    fn handle(&mut self, event: AutopsyEvent) {
        let doing = match event {
            AutopsyEvent::Analysed { game, ply } => {
                format!("game {}: ply {ply} of {}", game.number, game.moves.len())
            }
            AutopsyEvent::Asking { game, question } => format!("game {}: {}", game.number, question.text()),
            AutopsyEvent::Finished { case, remembered } => {
                self.cases.push(case.clone());
                self.examined += usize::from(!remembered);
                if self.written.elapsed() >= WRITE_EVERY
                    && let Err(error) = self.write()
                {
                    self.failure.get_or_insert(error);
                }
                return;
            }
        };
        let (done, all, examined, started) = (self.cases.len(), self.all, self.examined, self.started);
        self.progress.update(|| {
            let left = if examined == 0 {
                String::new()
            } else {
                let time = started.elapsed().mul_f64((all - done) as f64 / examined as f64);
                format!("  {} left", duration_text(time))
            };
            format!("{done} of {all} lost games  {doing}{left}")
        });
    }

    /// Writes the output files.
    fn write(&mut self) -> Result<(), String> {
        self.result.set_cases(self.cases.clone(), usize::from(self.arguments.positions));
        self.result.notes = notes(&self.result.cases);
        let output = &self.arguments.output;
        if let Some(path) = &output.epd {
            output_file::write(path, &suite(&self.result))?;
        }
        if let Some(path) = &output.html {
            output_file::write(path, &page(&self.result))?;
        }
        if let Some(path) = output.json.file() {
            output_file::write(path, &format!("{}\n", self.json()?))?;
        }
        self.written = Instant::now();
        Ok(())
    }

    fn json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(&self.result).map_err(|error| error.to_string())
    }

    /// Prints the result.
    fn show(&self) -> Result<(), Box<dyn Error>> {
        let output = &self.arguments.output;
        if output.json.is_stdout() {
            return Ok(writeln!(io::stdout(), "{}", self.json()?)?);
        }
        let columns = if output.verbose { ReportDetail::All } else { ReportDetail::Clearest };
        Ok(write!(io::stdout(), "{}", printable(&print(&self.result, columns)))?)
    }
}

impl Arguments {
    fn journal(&self) -> PathBuf {
        self.output.journal.clone().unwrap_or_else(|| self.beside(".autopsy"))
    }

    /// The path of the PGN file with an ending.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.file.clone().into_os_string();
        path.push(ending);
        path.into()
    }

    /// Checks files and options that belong together, before work begins.
    fn check_paths(&self, journal: &Path) -> Result<(), String> {
        let output = &self.output;
        let outputs = [
            (output.epd.as_deref(), "--epd"),
            (output.html.as_deref(), "--html"),
            (output.json.file(), "--json"),
        ];
        check_outputs((&self.file, "the games"), &outputs, journal)?;
        if output.json.is_stdout() && self.opponent.opponent.is_some() {
            return Err("--opponent prints the match on stdout; give --json a file".to_owned());
        }
        if self.opponent.opponent.is_none() && !self.file.exists() {
            return Err(format!("{}: not found; --opponent plays a match into it", self.file.display()));
        }
        Ok(())
    }

    fn plan(&self, player: &str, chess960: bool, stop: &Arc<AtomicBool>) -> AutopsyPlan {
        AutopsyPlan {
            prober: self.prober(chess960, stop),
            reference: engine_or_vedette(self.reference.as_deref(), &self.reference_option),
            reference_limits: EngineLimits { nodes: Some(self.reference_nodes), ..without_clock() },
            player: player.to_owned(),
            limits: self.limits.limits(),
            replay: !self.no_replay,
            concurrency: usize::from(self.concurrency),
        }
    }

    fn prober(&self, chess960: bool, stop: &Arc<AtomicBool>) -> EngineProber {
        EngineProber {
            engine: EngineConfig { options: self.option.clone(), ..EngineConfig::of_command(&self.engine) },
            chess960,
            timeout: Duration::from_secs(self.timeout),
            stop: Arc::clone(stop),
        }
    }

    /// Starts the engine once, to find out whether it works before anything else is done.
    fn reported_name(&self, stop: &Arc<AtomicBool>) -> Result<String, Box<dyn Error>> {
        let prober = self.prober(false, stop);
        match prober.start() {
            Ok(process) => Ok(printable(process.name()).into_owned()),
            Err(error) => {
                unless_interrupted()?;
                Err(format!("{}: {error}", self.engine).into())
            }
        }
    }

    /// Plays the match that is asked for, or the rest of it.
    fn play_match(&self) -> Result<(), Box<dyn Error>> {
        let Some(opponent) = &self.opponent.opponent else { return Ok(()) };
        let state = self.beside(".match");
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let options = if state.exists() {
            vec!["-config".to_owned(), format!("file={}", text(&state))]
        } else if self.file.exists() {
            return Ok(());
        } else {
            let Some(limits) = self.limits.limits() else {
                return Err("--opponent needs a limit: --tc, --movetime, --nodes or --depth".into());
            };
            let mut options = engine_section(&self.engine, self.player.as_deref(), &self.option);
            options.extend(engine_section(opponent, None, &self.opponent.opponent_option));
            options.push("-each".to_owned());
            options.extend(limit_keys(&limits));
            options.extend(["-rounds".to_owned(), self.opponent.rounds.to_string(), "-repeat".to_owned()]);
            // The rest of a decided game is of no use.
            let rules = "-resign movecount=4 score=900 twosided=true -maxmoves 200 -recover -openings";
            options.extend(rules.split(' ').map(str::to_owned));
            match &self.opponent.book {
                Some(book) => options.push(format!("file={}", text(book))),
                None => options.truncate(options.len() - 1),
            }
            options.extend(["-pgnout".to_owned(), format!("file={}", text(&self.file))]);
            options.extend(["-config".to_owned(), format!("outname={}", text(&state))]);
            options.extend(["-concurrency".to_owned(), self.concurrency.to_string()]);
            options
        };
        match_::run(&match_::Arguments::of(options))?;
        // It stays where the user chose its name; here nobody needs it any more.
        if state.exists() {
            files::remove_file(&state).map_err(|error| path_error(&state, &error))?;
        }
        Ok(())
    }
}

/// The options of an engine of a match.
fn engine_section(command: &str, name: Option<&str>, options: &[(String, String)]) -> Vec<String> {
    let engine = EngineConfig::of_command(command);
    let mut section = vec!["-engine".to_owned(), format!("cmd={}", engine.command)];
    if !engine.arguments.is_empty() {
        let words: Vec<String> = engine.arguments.iter().map(|word| support::shell::quoted(word)).collect();
        section.push(format!("args={}", words.join(" ")));
    }
    section.extend(name.map(|name| format!("name={name}")));
    section.extend(options.iter().map(|(name, value)| format!("option.{name}={value}")));
    section
}

/// Limits as keys of an engine of a match.
fn limit_keys(limits: &EngineLimits) -> Vec<String> {
    let mut keys = Vec::new();
    keys.extend(limits.clock.map(|clock| format!("tc={clock}")));
    keys.extend(limits.move_time.map(|time| format!("st={}", time.as_secs_f64())));
    keys.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    keys.extend(limits.depth.map(|depth| format!("depth={depth}")));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(names: &[(&str, &str)]) -> Vec<SourceGame> {
        let game = |(white, black): &(&str, &str)| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n\n")
        };
        read(&names.iter().map(game).collect::<Vec<_>>().concat()).0
    }

    #[test]
    fn player_is_the_engine_or_in_all_games() {
        let two = games(&[("A", "B"), ("C", "A")]);
        assert_eq!(player_of(&two, None, "B").as_deref(), Ok("B"), "the name that it reports");
        assert_eq!(player_of(&two, None, "X").as_deref(), Ok("A"), "the only one in all games");
        assert_eq!(player_of(&two, Some("C"), "B").as_deref(), Ok("C"));
        assert!(player_of(&two, Some("D"), "B").is_err_and(|error| error.contains("A, B, C")));
        assert!(player_of(&games(&[("A", "B")]), None, "X").is_err(), "both are in all games");
        assert!(player_of(&[], None, "X").is_err());
    }

    #[test]
    fn match_has_the_engines_and_limits() {
        let option = [("Hash".to_owned(), "4".to_owned())];
        let section = engine_section("./a b 'c d'", Some("N"), &option);
        assert_eq!(section, ["-engine", "cmd=./a", "args=b 'c d'", "name=N", "option.Hash=4"]);
        let limits = EngineLimits { clock: "10+0.1".parse().ok(), nodes: Some(7), ..EngineLimits::default() };
        assert_eq!(limit_keys(&limits), ["tc=10+0.1", "nodes=7"]);
    }
}
