//! `vedette match`: engines against engines, with the command line of fastchess and cutechess-cli.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use lab::arena::config::MatchConfig;
use lab::arena::dialect::{self, Log, Output, Request};
use lab::arena::opening_source::OpeningSource;
use lab::arena::ready::inspect_engines;
use lab::arena::recorder::Recorder;
use lab::arena::report::Report;
use lab::arena::runner::{Arena, Conclusion, Event, FinishedGame};
use lab::arena::saved::SavedMatch;
use lab::arena::seat::Seating;
use lab::arena::tablebase::Tablebase;
use lab::arena::tally::Tally;
use lab::arena::view::live_lines;
use lab::openings::default_book;
use lab::statistics::Decision;
use lab::syzygy::Syzygy;
use uci::client_transcript::{Eavesdropper, Spoken};

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
    if arguments.words.iter().any(|word| matches!(word.as_str(), "-help" | "--help" | "-h")) {
        write!(io::stdout(), "{}", include_str!("match_help.txt"))?;
        return Ok(());
    }
    let request = dialect::parse(&arguments.words).unwrap_or_else(|error| {
        clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{error} (vedette match -help)\n"))
            .exit()
    });
    Match::prepare(request)?.play()
}

/// A match ready to be played.
struct Match {
    request: Request,
    openings: OpeningSource,
    tablebase: Option<Syzygy>,
    eavesdropper: Option<Eavesdropper>,
    finished: Vec<lab::arena::summary::GameSummary>,
}

impl Match {
    fn prepare(mut request: Request) -> Result<Self, Box<dyn Error>> {
        let mut finished = Vec::new();
        if let Some(path) = &request.saving.resume {
            let saved = SavedMatch::load(path)?;
            request.saving.file.clone_from(path);
            finished = saved.finished;
            let given = std::mem::replace(&mut request.config, saved.config);
            if !given.engines.is_empty() {
                return Err(
                    "a saved match has its engines already: give -config file= without -engine".into()
                );
            }
        }
        let config = &mut request.config;
        for word in &request.ignored {
            note(&request.output, &format!("{word} has no effect here"))?;
        }
        let cores = std::thread::available_parallelism().map_or(usize::MAX, std::num::NonZero::get);
        if config.concurrency > cores {
            let text =
                format!("{} games at once on {cores} cores: engines may lose on time", config.concurrency);
            note(&request.output, &text)?;
        }
        let eavesdropper = request.log.as_ref().map(open_log).transpose()?;
        for warning in inspect_engines(config, eavesdropper.as_ref())? {
            note(&request.output, &warning)?;
        }
        let openings = OpeningSource::from_config(config.openings.as_ref(), config.seed, default_book)?;
        if config.openings.is_some()
            && (openings.len() as u64) < config.schedule.rounds
            && config.sprt.is_none()
        {
            let text = format!(
                "{} openings for {} rounds: some will be used again",
                openings.len(),
                config.schedule.rounds
            );
            note(&request.output, &text)?;
        }
        let tablebase = request.tablebases.as_ref().map(Syzygy::open).transpose()?;
        Ok(Self { request, openings, tablebase, eavesdropper, finished })
    }

    fn play(self) -> Result<(), Box<dyn Error>> {
        let config = &self.request.config;
        let output = &self.request.output;
        let saving = &self.request.saving;
        let mut recorder =
            Recorder::open(config, self.finished.clone(), saving.file.clone(), saving.interval)?;
        let seating = Seating {
            chess960: config.chess960,
            patience: config.patience,
            eavesdropper: self.eavesdropper.clone(),
        };
        let interrupt = stop_on_signal()?;
        let arena = Arena {
            config,
            openings: &self.openings,
            tablebase: self.tablebase.as_ref().map(|tables| tables as &dyn Tablebase),
            seating: &seating,
            interrupt: &interrupt,
        };
        let mut screen = Screen::new(config, output, self.finished.len() as u64);
        let mut failure: Option<io::Error> = None;
        let (tally, conclusion) = arena.run(&self.finished, |event| {
            let told = match event {
                Event::Started(job) => screen.started(job.index, job.white, job.black),
                Event::Finished(game, tally) => {
                    recorder.record(game).and_then(|report| screen.finished(game, tally, report.as_deref()))
                }
            };
            // The disk is full or nobody reads: no use in playing on.
            if let Err(error) = told {
                failure.get_or_insert(error);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        let over = matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_));
        if over && !saving.keep {
            recorder.forget();
        } else {
            recorder.save()?;
        }
        if let Some(error) = failure {
            return Err(error.into());
        }
        screen.closing(&tally, &conclusion)?;
        if !over {
            let file = saving.file.display();
            screen.say(&format!("Saved. To go on: vedette match -config file={file}"))?;
        }
        match conclusion {
            Conclusion::Fault(reason) => Err(reason.into()),
            _ => Ok(()),
        }
    }
}

/// A flag that Ctrl-C and the end of the terminal set; the second time they end the program.
pub fn stop_on_signal() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(flag)
}

/// A remark that is not part of the results.
fn note(output: &Output, text: &str) -> io::Result<()> {
    if output.json {
        writeln!(io::stderr(), "Warning: {text}")
    } else {
        writeln!(io::stdout(), "Warning: {text}")
    }
}

/// Writes every line of every conversation.
fn open_log(log: &Log) -> io::Result<Eavesdropper> {
    let sink: Box<dyn Write + Send> = match log {
        Log::Stderr => Box::new(io::stderr()),
        Log::File(path, append) => Box::new(
            OpenOptions::new().create(true).write(true).append(*append).truncate(!append).open(path)?,
        ),
    };
    let sink = Mutex::new(sink);
    Ok(Arc::new(move |spoken: &Spoken| {
        let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end a match for the sake of its log.
        let _ = writeln!(sink, "{spoken}");
    }))
}

/// What the user sees.
struct Screen<'a> {
    config: &'a MatchConfig,
    output: &'a Output,
    live: bool,
    drawn: usize,
    started: Instant,
    earlier: u64,
    running: usize,
}

impl<'a> Screen<'a> {
    fn new(config: &'a MatchConfig, output: &'a Output, earlier: u64) -> Self {
        let live = !output.json && !output.plain && io::stdout().is_terminal();
        Self { config, output, live, drawn: 0, started: Instant::now(), earlier, running: 0 }
    }

    /// A line that is not part of the results.
    fn say(&self, text: &str) -> io::Result<()> {
        if self.output.json { writeln!(io::stderr(), "{text}") } else { writeln!(io::stdout(), "{text}") }
    }

    fn name(&self, engine: usize) -> &str {
        &self.config.engines[engine].name
    }

    fn started(&mut self, index: u64, white: usize, black: usize) -> io::Result<()> {
        self.running += 1;
        if self.live || self.output.json {
            return Ok(());
        }
        let total = self.config.schedule.len();
        writeln!(
            io::stdout(),
            "Started game {} of {total} ({} vs {})",
            index + 1,
            self.name(white),
            self.name(black)
        )
    }

    fn finished(
        &mut self,
        game: &FinishedGame,
        tally: &Tally,
        report: Option<&std::path::Path>,
    ) -> io::Result<()> {
        self.running = self.running.saturating_sub(1);
        if self.output.json {
            return self.finished_json(game);
        }
        self.clear()?;
        let mut out = io::stdout().lock();
        let ending = &game.played.ending;
        if !self.live || game.summary.termination.is_fault() {
            writeln!(
                out,
                "Finished game {} ({} vs {}): {} {{{}}}",
                game.job.index + 1,
                self.name(game.job.white),
                self.name(game.job.black),
                ending.result,
                ending.text
            )?;
        }
        for remark in &game.played.remarks {
            writeln!(out, "Warning: game {}, {remark}", game.job.index + 1)?;
        }
        if let Some(folder) = report {
            for spoken in game.transcript.iter().rev().take(6).rev() {
                writeln!(out, "    {spoken}")?;
            }
            writeln!(out, "    all of it: {}", folder.display())?;
        }
        drop(out);
        self.show(tally)
    }

    fn finished_json(&self, game: &FinishedGame) -> io::Result<()> {
        let line = serde_json::json!({
            "event": "game", "game": game.job.index + 1, "white": self.name(game.job.white),
            "black": self.name(game.job.black), "result": game.played.ending.result.to_string(),
            "reason": game.played.ending.text, "plies": game.summary.plies,
            "seconds": game.summary.duration.as_secs_f64(),
        });
        writeln!(io::stdout(), "{line}")
    }

    fn show(&mut self, tally: &Tally) -> io::Result<()> {
        let report = Report { config: self.config, tally };
        let lines = if self.live {
            let played = tally.games() - self.earlier;
            live_lines(&report, self.output.style, played, self.started.elapsed(), self.running)
        } else if self.output.rating_interval > 0 && tally.games().is_multiple_of(self.output.rating_interval)
        {
            report.lines(self.output.style)
        } else {
            Vec::new()
        };
        self.drawn = if self.live { lines.len() } else { 0 };
        let mut out = io::stdout().lock();
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        out.flush()
    }

    /// Takes the live view off the screen.
    fn clear(&mut self) -> io::Result<()> {
        let drawn = std::mem::take(&mut self.drawn);
        if drawn > 0 { write!(io::stdout(), "\x1b[{drawn}A\x1b[J") } else { Ok(()) }
    }

    fn closing(&mut self, tally: &Tally, conclusion: &Conclusion) -> io::Result<()> {
        self.clear()?;
        let report = Report { config: self.config, tally };
        let mut out = io::stdout().lock();
        if let Some(file) = &self.output.json_file {
            std::fs::write(file, format!("{:#}\n", report.json()))?;
        }
        if self.output.json {
            let mut value = report.json();
            value["event"] = "end".into();
            return writeln!(out, "{value}");
        }
        for line in report.lines(self.output.style).iter().chain(&report.closing()) {
            writeln!(out, "{line}")?;
        }
        match conclusion {
            Conclusion::Decided(Decision::AcceptH1) => writeln!(out, "SPRT: H1 was accepted"),
            Conclusion::Decided(_) => writeln!(out, "SPRT: H0 was accepted"),
            Conclusion::Complete => writeln!(out, "Finished match"),
            Conclusion::Interrupted => writeln!(out, "Interrupted"),
            Conclusion::Fault(_) => Ok(()),
        }
    }
}
