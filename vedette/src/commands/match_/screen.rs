//! The output of a match: lines, a live view on a terminal, or JSON; and its log.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use arena::cli::{LogLevel, MatchOptions, OutputConfig};
use arena::game::PlayWarning;
use arena::output::{MatchReport, ReportStyle, clock_text, live_lines};
use arena::results::Tally;
use arena::schedule::Job;
use arena::{Conclusion, FinishedGame, MatchConfig};
use chess::Color;
use stats::Decision;
use uci::client::Tap;

use super::log::MatchLog;
use crate::cli::output_file::OutputFile;

/// Lines of engine communication printed for a game that ended by a fault.
const LAST_LINES: usize = 6;

pub struct Screen {
    config: MatchConfig,
    output: OutputConfig,
    log: Option<MatchLog>,
    /// The file for the final results in JSON.
    result: Option<OutputFile>,
    live: bool,
    drawn: usize,
    started: Instant,
    earlier: u64,
    running: usize,
    /// The number of counted games in the last report.
    reported: Option<u64>,
}

impl Screen {
    pub fn open(request: &MatchOptions) -> Result<Self, String> {
        let output = request.output.clone();
        let live = !output.json && !output.plain && io::stdout().is_terminal();
        Ok(Self {
            config: request.config.clone(),
            output,
            log: request.log.as_ref().map(MatchLog::open).transpose()?,
            result: request.output.json_file.as_deref().map(OutputFile::open).transpose()?,
            live,
            drawn: 0,
            started: Instant::now(),
            earlier: 0,
            running: 0,
            reported: None,
        })
    }

    /// Starts the clock, with the engines' final names; `earlier` games were played before.
    pub fn begin(&mut self, config: &MatchConfig, earlier: u64) {
        self.config = config.clone();
        self.earlier = earlier;
        self.started = Instant::now();
    }

    /// Logs engine communication, if enabled.
    pub fn tap(&self) -> Option<Tap> {
        self.log.as_ref().and_then(MatchLog::tap)
    }

    /// Prints a line that is not part of the results.
    pub fn print(&self, text: &str) -> io::Result<()> {
        if self.output.json { writeln!(io::stderr(), "{text}") } else { writeln!(io::stdout(), "{text}") }
    }

    pub fn warn(&self, text: &str) -> io::Result<()> {
        self.log(LogLevel::Warn, text);
        self.print(&format!("Warning; {text}"))
    }

    fn log(&self, level: LogLevel, text: &str) {
        if let Some(log) = &self.log {
            log.note(level, text);
        }
    }

    fn name(&self, engine: usize) -> &str {
        &self.config.engines[engine].name
    }

    fn players(&self, job: &Job) -> String {
        format!("{} vs {}", self.name(job.white), self.name(job.black))
    }

    pub fn started(&mut self, job: &Job) -> io::Result<()> {
        self.running += 1;
        let total = self.config.schedule.len();
        // Not so for tie-breaks of a knockout.
        let is_planned = job.index < total;
        let of = if is_planned { format!(" of {total}") } else { String::new() };
        let text = format!("Started game {}{of} ({})", job.index + 1, self.players(job));
        self.log(LogLevel::Info, &text);
        if self.live || self.output.json { Ok(()) } else { writeln!(io::stdout(), "{text}") }
    }

    /// Prints the result of a game; `reports` are the folders about its faults.
    pub fn finished(&mut self, game: &FinishedGame, tally: &Tally, reports: &[PathBuf]) -> io::Result<()> {
        self.running = self.running.saturating_sub(1);
        let is_fault = game.summary.termination.is_fault();
        let number = game.job.index + 1;
        let ending = &game.played.ending;
        let result = format!(
            "Finished game {number} ({}): {} {{{}}}",
            self.players(&game.job),
            ending.result,
            ending.text
        );
        self.log(if is_fault { LogLevel::Warn } else { LogLevel::Info }, &result);
        let named = |warning: &PlayWarning| {
            let (white, black) = (self.name(game.job.white), self.name(game.job.black));
            let names = if warning.side == Color::White { [white, black] } else { [black, white] };
            format!("{} (game {number}, {})", warning.about(names), warning.fen)
        };
        let warnings: Vec<String> = game.played.warnings.iter().map(named).collect();
        for warning in &warnings {
            self.log(LogLevel::Warn, warning);
        }
        if self.output.json {
            return self.finished_json(game, reports);
        }
        self.clear()?;
        let mut out = io::stdout().lock();
        for warning in warnings {
            writeln!(out, "Warning; {warning}")?;
        }
        if !self.live || is_fault {
            writeln!(out, "{result}")?;
        }
        // A test environment counts faults by the words in these lines.
        if !self.output.test_env {
            let fault = game.played.faults.iter().find(|fault| fault.ended_the_game);
            for line in fault.iter().flat_map(|fault| fault.transcript.iter().rev().take(LAST_LINES).rev()) {
                writeln!(out, "    {line}")?;
            }
            for folder in reports {
                writeln!(out, "    full report: {}", folder.display())?;
            }
        }
        drop(out);
        self.show(tally)?;
        self.report(tally)
    }

    fn finished_json(&self, game: &FinishedGame, reports: &[PathBuf]) -> io::Result<()> {
        let summary = &game.summary;
        let warnings: Vec<String> = game.played.warnings.iter().map(ToString::to_string).collect();
        let line = serde_json::json!({
            "event": "game", "game": game.job.index + 1, "round": game.job.round + 1,
            "opening": summary.opening + 1, "white": self.name(game.job.white),
            "black": self.name(game.job.black), "result": game.played.ending.result.to_string(),
            "reason": game.played.ending.text, "termination": summary.termination,
            "culprit": summary.culprit.map(|engine| self.name(engine)), "warnings": warnings,
            "reports": reports, "plies": summary.plies, "seconds": summary.duration.as_secs_f64(),
        });
        writeln!(io::stdout(), "{line}")
    }

    /// Updates the live view between games.
    pub fn refresh(&mut self, tally: &Tally) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        self.clear()?;
        self.show(tally)
    }

    fn show(&mut self, tally: &Tally) -> io::Result<()> {
        let report = MatchReport { config: &self.config, tally };
        let mut out = io::stdout().lock();
        if self.live {
            let played = tally.games() - self.earlier;
            let lines = live_lines(&report, self.output.style, played, self.started.elapsed(), self.running);
            self.drawn = lines.len();
            // No line wrap: the number of lines is needed to clear them.
            return write!(out, "\x1b[?7l{}\n\x1b[?7h", lines.join("\n")).and_then(|()| out.flush());
        }
        out.flush()
    }

    /// Prints the report after every interval of games, or of pairs, and the score of cutechess-cli between them.
    fn report(&mut self, tally: &Tally) -> io::Result<()> {
        if self.live {
            return Ok(());
        }
        let report = MatchReport { config: &self.config, tally };
        let mut out = io::stdout().lock();
        let is_due = |interval: u64, count: u64| interval > 0 && count > 0 && count.is_multiple_of(interval);
        let counted = self.counted(tally);
        let count = if self.config.by_pairs { counted / 2 } else { counted };
        if is_due(self.output.rating_interval, count) && self.reported != Some(counted) {
            self.reported = Some(counted);
            report.lines(self.output.style).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        } else if self.output.style == ReportStyle::Cutechess
            && self.config.engines.len() == 2
            && is_due(self.output.score_interval, tally.games())
        {
            writeln!(out, "{}", report.score_line())?;
        }
        out.flush()
    }

    /// The games that a report counts: with pentanomial statistics those of complete pairs.
    fn counted(&self, tally: &Tally) -> u64 {
        if self.config.by_pairs { 2 * tally.opening_pairs().len() as u64 } else { tally.games() }
    }

    /// Clears the live view.
    fn clear(&mut self) -> io::Result<()> {
        let drawn = std::mem::take(&mut self.drawn);
        if drawn > 0 { write!(io::stdout(), "\x1b[{drawn}A\x1b[J") } else { Ok(()) }
    }

    /// Writes the final results in JSON, if enabled.
    pub fn write_result(&mut self, tally: &Tally) -> Result<(), String> {
        let report = MatchReport { config: &self.config, tally };
        self.result.take().map_or(Ok(()), |file| file.finish(&format!("{:#}\n", report.json())))
    }

    /// Prints the final report.
    pub fn closing(&mut self, tally: &Tally, conclusion: &Conclusion) -> io::Result<()> {
        self.clear()?;
        let last = match conclusion {
            Conclusion::Decided(decision) => &self.decided(*decision),
            Conclusion::Complete => "Finished match",
            Conclusion::Interrupted => "Interrupted",
            Conclusion::Fault(reason) => reason,
        };
        let is_fault = matches!(conclusion, Conclusion::Fault(_));
        self.log(if is_fault { LogLevel::Error } else { LogLevel::Info }, last);
        let report = MatchReport { config: &self.config, tally };
        let mut out = io::stdout().lock();
        if self.output.json {
            let mut value = report.json();
            value["event"] = "end".into();
            value["conclusion"] = last.into();
            return writeln!(out, "{value}");
        }
        let is_new = self.live || self.reported != Some(self.counted(tally));
        let results = if is_new { report.lines(self.output.style) } else { Vec::new() };
        let mut lines: Vec<String> = results.into_iter().chain(report.closing()).collect();
        // A fault is printed as the error that ends the program.
        if !is_fault {
            lines.push(last.to_owned());
        }
        if matches!(conclusion, Conclusion::Decided(_)) {
            lines.push("Finished match".to_owned());
        }
        lines.push(format!("Total Time: {} (hours:minutes:seconds)", clock_text(self.started.elapsed())));
        for line in lines {
            self.log(LogLevel::Info, &line);
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// How the SPRT ended, as fastchess prints it.
    fn decided(&self, decision: Decision) -> String {
        let (elo0, elo1) = self.config.sprt.map_or((0.0, 0.0), |test| test.hypotheses());
        let accepted = if decision == Decision::AcceptH1 { "H1" } else { "H0" };
        format!("SPRT ([{elo0:.2}, {elo1:.2}]) completed - {accepted} was accepted")
    }
}
