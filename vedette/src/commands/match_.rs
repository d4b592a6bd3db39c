//! `vedette match`: engines against engines, with the command line of fastchess and cutechess-cli.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use lab::arena::dialect::{self, DialectError, Request};
use lab::arena::ready::inspect_engines;
use lab::arena::recorder::Recorder;
use lab::arena::runner::{Arena, Conclusion, Event};
use lab::arena::saved::{SavedMatch, StateFile};
use lab::arena::summary::GameSummary;
use lab::arena::tablebase::Tablebase;
use lab::syzygy::Syzygy;

use super::interrupt::stop_on_signal;
use super::match_screen::Screen;

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
        return Ok(write!(io::stdout(), "{}", dialect::HELP)?);
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
    resumed: Option<PathBuf>,
}

/// What is wrong with the words of a command line, told as clap tells it.
fn refuse<T>(error: &DialectError) -> T {
    clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{error} (vedette match -help)\n")).exit()
}

impl Match {
    fn read(words: &[String]) -> Result<Self, Box<dyn Error>> {
        let Some(resume) = dialect::resume(words).unwrap_or_else(|error| refuse(&error)) else {
            let request = dialect::parse(words).unwrap_or_else(|error| refuse(&error));
            return Ok(Self { request, finished: Vec::new(), resumed: None });
        };
        let mut saved = SavedMatch::load(&resume.file)?;
        // A file that the user named stays; it may have been moved since.
        saved.request.saving.file = saved.request.saving.file.map(|_| resume.file.clone());
        let request = dialect::parse_resumed(words, saved.request).unwrap_or_else(|error| refuse(&error));
        let finished = if resume.with_games { saved.finished } else { Vec::new() };
        Ok(Self { request, finished, resumed: Some(resume.file) })
    }

    fn play(mut self) -> Result<(), Box<dyn Error>> {
        let mut screen = Screen::open(&self.request)?;
        for remark in &self.request.remarks {
            screen.warn(remark)?;
        }
        let cores = std::thread::available_parallelism().map_or(usize::MAX, std::num::NonZero::get);
        let config = &mut self.request.config;
        if config.concurrency > cores {
            let games = config.concurrency;
            screen.warn(&format!("{games} games at once on {cores} cores: engines may lose on time"))?;
        }
        for warning in inspect_engines(config, screen.eavesdropper().as_ref())? {
            screen.warn(&warning)?;
        }
        let interrupt = stop_on_signal()?;
        let config = &self.request.config;
        let tablebase = config.tablebases.as_ref().map(Syzygy::open).transpose()?;
        let mut arena = Arena::new(config, &interrupt)?;
        arena.tablebase = tablebase.as_ref().map(|tables| tables as &dyn Tablebase);
        arena.seating.eavesdropper = screen.eavesdropper();
        let (openings, rounds) = (arena.openings.len(), config.schedule.rounds);
        if config.openings.is_some() && (openings as u64) < rounds && config.sprt.is_none() {
            screen.warn(&format!("{openings} openings for {rounds} rounds: some will be used again"))?;
        }
        let state = self.state_file(&screen)?;
        let mut recorder = Recorder::open(config, state)?;
        screen.begin(config, self.finished.len() as u64);
        let mut failure: Option<io::Error> = None;
        let (tally, conclusion) = arena.run(&self.finished, |event| {
            let told = match event {
                Event::Started(job) => screen.started(job),
                Event::Finished(game, tally) => {
                    recorder.record(game).and_then(|reports| screen.finished(game, tally, &reports))
                }
                Event::Pause(tally) => screen.refresh(tally),
            };
            // The disk is full or nobody reads: no use in playing on.
            if let Err(error) = told {
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        screen.closing(&tally, &conclusion)?;
        if matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_)) {
            if self.request.saving.file.is_none() {
                recorder.forget();
            }
        } else {
            let file = recorder.state_file().display();
            screen.say(&format!("Saved. To go on: vedette match -config file={file}"))?;
        }
        match conclusion {
            Conclusion::Fault(reason) => Err(reason.into()),
            _ => Ok(()),
        }
    }

    /// Where the match is saved: where it was before, or in a file of its own.
    fn state_file(&self, screen: &Screen) -> Result<StateFile, Box<dyn Error>> {
        if let Some(path) = &self.resumed {
            return Ok(StateFile::resume(path, &self.request, &self.finished)?);
        }
        let (state, remark) = StateFile::create(&self.request)?;
        if let Some(remark) = remark {
            screen.warn(&remark)?;
        }
        Ok(state)
    }
}
