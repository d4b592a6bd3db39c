//! `vedette match`: engine matches, with the command line of fastchess and cutechess-cli.

mod compliance;
mod log;
mod screen;

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::cli::{self, CliError, MatchOptions, ResumeRequest};
use arena::config::EngineKind;
use arena::game::{Syzygy, Tablebase};
use arena::openings::OpeningSource;
use arena::output::MatchRecorder;
use arena::players::inspect_engines;
use arena::results::{GameSummary, Tally};
use arena::saved::{FastchessMatch, OutputLengths, SaveError, SavedMatch, StateFile, rounds_begun};
use arena::{Arena, Conclusion, MatchEvent};
use support::files::FileLock;
use support::shell::quoted;
use support::text::printable;

use self::screen::Screen;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::path_error;

#[derive(clap::Args)]
#[command(disable_help_flag = true, override_usage = "vedette match [OPTIONS]...")]
pub struct Arguments {
    /// Options of fastchess and cutechess-cli; -help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

impl Arguments {
    /// For a command that plays a match as part of its work.
    pub fn of(options: Vec<String>) -> Arguments {
        Arguments { options }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let has = |names: &[&str]| arguments.options.iter().any(|option| names.contains(&option.as_str()));
    if let Some(("--compliance" | "-compliance", engine)) =
        arguments.options.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return compliance::run(engine);
    }
    if has(&["-help", "--help", "-h"]) {
        return Ok(write!(io::stdout(), "{}", cli::HELP)?);
    }
    if has(&["-version", "--version", "-v", "--v"]) {
        return Ok(writeln!(io::stdout(), "{}", version())?);
    }
    Match::read(&arguments.options)?.play()
}

/// The first number is that of fastchess: OpenBench's client reads it, and builds a fastchess where it is too old.
fn version() -> String {
    format!("Vedette match, as fastchess {}; version {}", cli::FASTCHESS_VERSION, env!("CARGO_PKG_VERSION"))
}

struct Match {
    request: MatchOptions,
    finished: Vec<GameSummary>,
    resumed: Option<FileLock>,
    /// Its settings come from a file.
    is_saved: bool,
}

fn refuse<T>(error: &CliError) -> T {
    crate::cli::refuse(&format!("{error} (vedette match -help)"))
}

impl Match {
    fn read(options: &[String]) -> Result<Self, Box<dyn Error>> {
        let here = std::env::current_dir()?;
        let Some(resume) = cli::resume(options).unwrap_or_else(|error| refuse(&error)) else {
            let mut request = cli::parse(options).unwrap_or_else(|error| refuse(&error));
            request.anchor(&here);
            return Ok(Self { request, finished: Vec::new(), resumed: None, is_saved: false });
        };
        let file = here.join(&resume.file);
        if let Some(begun) = SavedMatch::of_fastchess(&file)? {
            return Ok(Self::continue_fastchess(options, begun, &resume));
        }
        let (lock, mut saved) = SavedMatch::lock(&file)?;
        let lost = saved.repair()?;
        if !resume.with_games {
            saved.finished.clear();
        }
        let rounds_begun = saved.rounds_begun();
        // Keep saving to a file that the user chose; it may have been moved since.
        saved.request.saving.file = saved.request.saving.file.map(|_| file);
        let mut request =
            cli::parse_resumed(options, saved.request, rounds_begun).unwrap_or_else(|error| refuse(&error));
        request.anchor(&here);
        if lost > 0 {
            request.warnings.push(format!("the records of {lost} games were lost: they are played again"));
        }
        // Relative paths of engines refer to the directory of the first run.
        let folder = &request.saving.folder;
        std::env::set_current_dir(folder).map_err(|error| path_error(folder, &error))?;
        Ok(Self { request, finished: saved.finished, resumed: Some(lock), is_saved: true })
    }

    /// A match that fastchess has begun: its results count, and it is saved in a file of our own from now on.
    fn continue_fastchess(options: &[String], begun: FastchessMatch, resume: &ResumeRequest) -> Self {
        let finished = if resume.with_games { begun.finished } else { Vec::new() };
        let rounds = rounds_begun(&begun.request, &finished);
        let mut request =
            cli::parse_resumed(options, begun.request, rounds).unwrap_or_else(|error| refuse(&error));
        if let Ok(here) = std::env::current_dir() {
            request.anchor(&here);
        }
        let (file, games) = (resume.file.display(), finished.len());
        request.warnings.push(format!("{file} was written by fastchess: continuing after {games} games"));
        Self { request, finished, resumed: None, is_saved: true }
    }

    fn play(mut self) -> Result<(), Box<dyn Error>> {
        // Before the first engine starts: a signal must end the engines as well.
        let interrupt = stop_on_signal()?;
        let mut screen = Screen::open(&self.request)?;
        let (openings, tables) = self.prepare(&screen, &interrupt)?;
        let config = &self.request.config;
        let mut arena = Arena::new(config, openings, &interrupt);
        arena.tablebase = tables.as_ref().map(|tables| tables as &dyn Tablebase);
        arena.factory.tap = screen.tap();
        let mut warning = None;
        let mut recorder = MatchRecorder::open(config, self.finished.len(), |output| {
            let (state, about_path) = self.state_file(output)?;
            warning = about_path;
            Ok(state)
        })?;
        if let Some(warning) = warning {
            screen.warn(&warning).map_err(stdout_error)?;
        }
        screen.begin(config, self.finished.len() as u64);
        let mut failure: Option<String> = None;
        let (tally, conclusion) = arena.run(&self.finished, |event| {
            let handled = match event {
                MatchEvent::Started(job) => screen.started(job).map_err(stdout_error),
                MatchEvent::Finished(game, tally) => {
                    let recorded = recorder.record(game).map_err(|error| error.to_string());
                    recorded.and_then(|reports| {
                        if let Some((file, checksum)) = recorder.pgn_checksum() {
                            let line = format!("File {} has CRC32: {checksum:#x}", file.display());
                            screen.print(&line).map_err(stdout_error)?;
                        }
                        screen.finished(game, tally, &reports).map_err(stdout_error)
                    })
                }
                MatchEvent::Pause(tally) => screen.refresh(tally).map_err(stdout_error),
            };
            // The disk is full or stdout closed: stop.
            if let Err(error) = handled {
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        if let Some(damaged) = tables.as_ref().and_then(Syzygy::failure) {
            screen
                .warn(&format!("-tb: {damaged}; games were no longer adjudicated"))
                .map_err(stdout_error)?;
        }
        match failure {
            // A new match that could not write its first game leaves nothing behind.
            Some(error) if recorder.games() == 0 && self.resumed.is_none() => {
                recorder.forget();
                Err(error.into())
            }
            Some(error) => Err(format!("{error}. {}", how_to_resume(&recorder)).into()),
            None => self.close(&mut screen, recorder, &tally, conclusion),
        }
    }

    /// Checks everything that could fail in the middle of the match, and warns of likely mistakes.
    fn prepare(
        &mut self,
        screen: &Screen,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<(OpeningSource, Option<Syzygy>), Box<dyn Error>> {
        if self.is_saved {
            self.list_commands(screen).map_err(stdout_error)?;
        }
        let config = &mut self.request.config;
        let openings = OpeningSource::from_config(config)?;
        let tables = config.tablebases.as_ref().map(Syzygy::open).transpose()?;
        let mut warnings = std::mem::take(&mut self.request.warnings);
        let cores = std::thread::available_parallelism().map_or(usize::MAX, std::num::NonZero::get);
        if config.concurrency > cores {
            let games = config.concurrency;
            warnings.push(format!(
                "{games} concurrent games on {cores} cores: engines will be short of CPU time"
            ));
        }
        let (available, rounds) = (openings.len(), config.schedule.openings());
        if config.openings.is_some() && (available as u64) < rounds && config.sprt.is_none() {
            warnings.push(format!("{available} openings for {rounds} rounds: openings will repeat"));
        }
        let skipped = tables.iter().flat_map(|tables| &tables.skipped);
        warnings.extend(skipped.map(|skipped| format!("-tb skips {skipped}")));
        let decided = tables.as_ref().map_or(0, |tables| openings.decided_by(tables));
        if decided > 0 {
            warnings.push(format!(
                "-tb adjudicates {decided} of {available} openings at the first capture or pawn move"
            ));
        }
        let inspected = inspect_engines(config, screen.tap().as_ref(), interrupt);
        unless_interrupted()?;
        warnings.extend(inspected?);
        warnings.iter().try_for_each(|warning| screen.warn(warning)).map_err(stdout_error)?;
        Ok((openings, tables))
    }

    /// Lists the programs that a saved match starts: the user who resumes it has not typed them.
    fn list_commands(&self, screen: &Screen) -> io::Result<()> {
        for engine in &self.request.config.engines {
            let options =
                engine.options.iter().map(|(name, value)| format!(" option.{name}={}", quoted(value)));
            let options: String = options.collect();
            if engine.kind == EngineKind::InProcess {
                screen.print(&format!("Resuming {}: Vedette in this process{options}", engine.name))?;
                continue;
            }
            let launch = engine.launch();
            let program = launch.path();
            let words = std::iter::once(program.to_string_lossy().into_owned()).chain(launch.arguments);
            let command = words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ");
            let place = launch.directory.map_or(String::new(), |path| format!(" in {}", path.display()));
            screen.print(&printable(&format!("Resuming {}: runs {command}{place}{options}", engine.name)))?;
        }
        Ok(())
    }

    /// Prints the final report, and removes the state file of a complete match.
    fn close(
        &self,
        screen: &mut Screen,
        recorder: MatchRecorder,
        tally: &Tally,
        conclusion: Conclusion,
    ) -> Result<(), Box<dyn Error>> {
        recorder.sync()?;
        let written = screen.write_result(tally);
        let shown = screen.closing(tally, &conclusion).map_err(stdout_error);
        if matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_)) {
            if self.request.saving.file.is_none() {
                recorder.forget();
            }
            written.and(shown)?;
            return Ok(());
        }
        let resume = how_to_resume(&recorder);
        written.and(shown).map_err(|error| format!("{error}. {resume}"))?;
        screen.print(&resume).map_err(stdout_error)?;
        match conclusion {
            Conclusion::Fault(reason) => Err(reason.into()),
            _ => Ok(unless_interrupted()?),
        }
    }

    /// The state file of a resumed match, or a new one.
    fn state_file(&self, output: OutputLengths) -> Result<(StateFile, Option<String>), SaveError> {
        match &self.resumed {
            Some(lock) => Ok((StateFile::resume_locked(lock, &self.request, &self.finished, output)?, None)),
            None => StateFile::create_with(&self.request, &self.finished, output),
        }
    }
}

fn how_to_resume(recorder: &MatchRecorder) -> String {
    let file = recorder.state_file().to_string_lossy();
    format!("Saved. To resume: vedette match -config file={}", quoted(&file))
}

/// A closed stdout is an error here: a match is expected to reach its end.
#[allow(clippy::needless_pass_by_value, reason = "the signature of map_err")]
fn stdout_error(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::BrokenPipe => "stdout closed".to_owned(),
        _ => format!("stdout: {error}"),
    }
}
