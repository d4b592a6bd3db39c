//! `vedette match`: engines against engines, with the command line of fastchess and cutechess-cli.

mod log;
mod screen;

use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::Ordering;

use arena::cli::{self, DialectError, Request};
use arena::game::{Syzygy, Tablebase};
use arena::openings::OpeningSource;
use arena::output::Recorder;
use arena::players::inspect_engines;
use arena::results::{GameSummary, Tally};
use arena::saved::{Claim, Opened, SaveError, StateFile};
use arena::{Arena, Conclusion, Event};
use support::shell::quoted;

use self::screen::Screen;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::path_error;

/// The words of fastchess and cutechess-cli.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// As fastchess and cutechess-cli take them; -help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<String>,
}

/// Plays the match.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let asks = |names: &[&str]| arguments.words.iter().any(|word| names.contains(&word.as_str()));
    if asks(&["-help", "--help", "-h"]) {
        return Ok(write!(io::stdout(), "{}", cli::HELP)?);
    }
    if asks(&["-version", "--version"]) {
        return Ok(writeln!(io::stdout(), "Vedette {}", env!("CARGO_PKG_VERSION"))?);
    }
    Match::read(&arguments.words)?.play()
}

/// A match as the command line asks for it.
struct Match {
    request: Request,
    finished: Vec<GameSummary>,
    resumed: Option<Claim>,
}

/// What is wrong with the words of a command line, told as clap tells it.
fn refuse<T>(error: &DialectError) -> T {
    clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{error} (vedette match -help)\n")).exit()
}

impl Match {
    fn read(words: &[String]) -> Result<Self, Box<dyn Error>> {
        let here = std::env::current_dir()?;
        let Some(resume) = cli::resume(words).unwrap_or_else(|error| refuse(&error)) else {
            let mut request = cli::parse(words).unwrap_or_else(|error| refuse(&error));
            request.anchor(&here);
            return Ok(Self { request, finished: Vec::new(), resumed: None });
        };
        let file = here.join(&resume.file);
        let (claim, mut saved) = Claim::take(&file)?;
        if !resume.with_games {
            saved.finished.clear();
        }
        let rounds_begun = saved.rounds_begun();
        // A file that the user named stays; it may have been moved since.
        saved.request.saving.file = saved.request.saving.file.map(|_| file);
        let mut request =
            cli::parse_resumed(words, saved.request, rounds_begun).unwrap_or_else(|error| refuse(&error));
        request.anchor(&here);
        // Engines find what their words name where they found it before.
        let folder = &request.saving.folder;
        std::env::set_current_dir(folder).map_err(|error| path_error(folder, &error))?;
        Ok(Self { request, finished: saved.finished, resumed: Some(claim) })
    }

    fn play(mut self) -> Result<(), Box<dyn Error>> {
        let mut screen = Screen::open(&self.request)?;
        let (openings, tables) = self.look_ahead(&screen)?;
        let interrupt = stop_on_signal()?;
        let config = &self.request.config;
        let mut arena = Arena::new(config, openings, &interrupt);
        arena.tablebase = tables.as_ref().map(|tables| tables as &dyn Tablebase);
        arena.seating.eavesdropper = screen.eavesdropper();
        let mut remark = None;
        let mut recorder = Recorder::open(config, || {
            let (state, about_name) = self.state_file()?;
            remark = about_name;
            Ok(state)
        })?;
        if let Some(remark) = remark {
            screen.warn(&remark).map_err(unheard)?;
        }
        screen.begin(config, self.finished.len() as u64);
        let mut failure: Option<String> = None;
        let (tally, conclusion) = arena.run(&self.finished, |event| {
            let told = match event {
                Event::Started(job) => screen.started(job).map_err(unheard),
                Event::Finished(game, tally) => {
                    let recorded = recorder.record(game).map_err(|error| error.to_string());
                    recorded.and_then(|reports| screen.finished(game, tally, &reports).map_err(unheard))
                }
                Event::Pause(tally) => screen.refresh(tally).map_err(unheard),
            };
            // The disk is full or nobody reads: no use in playing on.
            if let Err(error) = told {
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        match failure {
            // A new match that could not write its first game leaves nothing behind.
            Some(error) if recorder.games() == 0 && self.resumed.is_none() => {
                recorder.forget();
                Err(error.into())
            }
            Some(error) => Err(format!("{error}. {}", how_to_go_on(&recorder)).into()),
            None => self.close(&mut screen, recorder, &tally, conclusion),
        }
    }

    /// Finds out before the first game what would spoil the match in the middle, and warns of what looks like a mistake.
    fn look_ahead(&mut self, screen: &Screen) -> Result<(OpeningSource, Option<Syzygy>), Box<dyn Error>> {
        let config = &mut self.request.config;
        let openings = OpeningSource::from_config(config)?;
        let tables = config.tablebases.as_ref().map(Syzygy::open).transpose()?;
        let mut warnings = std::mem::take(&mut self.request.remarks);
        let cores = std::thread::available_parallelism().map_or(usize::MAX, std::num::NonZero::get);
        if config.concurrency > cores {
            let games = config.concurrency;
            warnings.push(format!("{games} games at once on {cores} cores: engines may lose on time"));
        }
        let (held, rounds) = (openings.len(), config.schedule.rounds);
        if config.openings.is_some() && (held as u64) < rounds && config.sprt.is_none() {
            warnings.push(format!("{held} openings for {rounds} rounds: some will be used again"));
        }
        let decided = tables.as_ref().map_or(0, |tables| openings.decided_by(tables));
        if decided > 0 {
            warnings.push(format!(
                "-tb knows the result of {decided} of {held} openings, and ends games from them at the first move that \
                 takes or moves a pawn"
            ));
        }
        warnings.extend(inspect_engines(config, screen.eavesdropper().as_ref())?);
        warnings.iter().try_for_each(|warning| screen.warn(warning)).map_err(unheard)?;
        Ok((openings, tables))
    }

    /// The last report, and what becomes of the saved match.
    fn close(
        &self,
        screen: &mut Screen,
        recorder: Recorder,
        tally: &Tally,
        conclusion: Conclusion,
    ) -> Result<(), Box<dyn Error>> {
        let written = screen.write_result(tally);
        let shown = screen.closing(tally, &conclusion).map_err(unheard);
        if matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_)) {
            if self.request.saving.file.is_none() {
                recorder.forget();
            }
            written.and(shown)?;
            return Ok(());
        }
        let go_on = how_to_go_on(&recorder);
        written.and(shown).map_err(|error| format!("{error}. {go_on}"))?;
        screen.say(&go_on).map_err(unheard)?;
        match conclusion {
            Conclusion::Fault(reason) => Err(reason.into()),
            _ => Ok(unless_interrupted()?),
        }
    }

    /// Where the match is saved: where it was before, or in a file of its own.
    fn state_file(&self) -> Result<Opened, SaveError> {
        match &self.resumed {
            Some(claim) => Ok((claim.resume(&self.request, &self.finished)?, None)),
            None => StateFile::create(&self.request),
        }
    }
}

/// The words that take a saved match up again.
fn how_to_go_on(recorder: &Recorder) -> String {
    let file = recorder.state_file().to_string_lossy();
    format!("Saved. To go on: vedette match -config file={}", quoted(&file))
}

/// Why nothing can be told any more. It is an error here: who started a match counts on its end.
#[allow(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn unheard(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::BrokenPipe => "nobody reads the output of the match any more".to_owned(),
        _ => format!("standard output: {error}"),
    }
}
