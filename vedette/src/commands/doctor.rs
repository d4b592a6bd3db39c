//! `vedette doctor`: examines a UCI engine from outside and says what is wrong with it.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use doctor::check::Thoroughness;
use doctor::checks;
use doctor::compare::compare;
use doctor::examine::{Plan, Progress};
use doctor::names::{FINDINGS, check_of, is_finding};
use doctor::report::{Report, SCHEMA};
use doctor::{Subject, Trouble, pages, render};
use support::suggest::nearest;

use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::output_file::{OutputFile, path_error};
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_option;
use crate::identity;

/// Whom to examine, and how.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code: 0 when there is no alarm, or what was asked for is shown; 1 when there is an alarm (with --compare: a new one); 2 when it \
    could not be done: words, names, files or programs. Ctrl-C ends the examination with a report on what was measured (exit code 130 when \
    nothing was wrong so far). docs/doctor.md explains findings, confidence and the JSON file."
)]
pub struct Arguments {
    /// Program of a UCI engine, with its arguments [default: Vedette itself]
    #[arg(long, value_name = "COMMAND", value_parser = parse_command)]
    engine: Option<String>,
    /// UCI option for the engine, as NAME=VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// About two minutes (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Six to ten minutes: more samples, self-play, strength
    #[arg(long)]
    full: bool,
    /// Make only these checks, by name, with commas between (info, legality and mating-lines are seen in every search, and make
    /// all checks where no other is named)
    #[arg(long, value_name = "CHECKS", value_delimiter = ',', value_parser = parse_check)]
    only: Vec<String>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the report as one HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Tell what changed between two reports in JSON, and examine nothing
    #[arg(long, num_args = 2, value_names = ["OLD.json", "NEW.json"], conflicts_with_all = EXAMINES)]
    compare: Option<Vec<PathBuf>>,
    /// Print the UCI lines that show the findings of a check; of a saved report with --report
    #[arg(long, value_name = "CHECK", value_parser = parse_finding)]
    repro: Option<String>,
    /// A report in JSON, read instead of examining
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["engine", "option", "quick", "full", "only"])]
    report: Option<PathBuf>,
    /// Print the page about a check or a finding, and examine nothing
    #[arg(long, value_name = "CHECK", value_parser = parse_finding, conflicts_with_all = EXAMINES)]
    explain: Option<String>,
    /// List the checks with their time, and examine nothing
    #[arg(long, conflicts_with_all = EXAMINES)]
    list: bool,
}

/// What has no meaning where nothing is examined.
const EXAMINES: [&str; 8] = ["engine", "option", "quick", "full", "only", "json", "html", "repro"];

fn parse_command(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a program is wanted".to_owned()) } else { Ok(text.to_owned()) }
}

fn parse_check(text: &str) -> Result<String, String> {
    if checks::page_names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    let hint =
        nearest(text, checks::page_names()).map_or(String::new(), |name| format!("; is '{name}' meant?"));
    Err(format!("there is no check '{text}'{hint} (--list names them)"))
}

/// The name of a check, or of one of its findings, which begins with it.
fn parse_finding(text: &str) -> Result<String, String> {
    let check = parse_check(check_of(text))?;
    if text == check || is_finding(text) {
        return Ok(text.to_owned());
    }
    let own = || FINDINGS.iter().copied().filter(|id| check_of(id) == check);
    let hint = nearest(text, own()).map_or(String::new(), |name| format!("; is '{name}' meant?"));
    Err(format!("'{check}' has no finding '{text}'{hint} ({})", own().collect::<Vec<_>>().join(", ")))
}

/// What the exit code tells a script, where all was done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// No alarm, or nothing that could be one.
    NoAlarm,
    /// An alarm; with two reports, a new one.
    Alarm,
}

/// The exit codes of an alarm, and of what could not be done: a script must be able to tell them apart.
const ALARM: i32 = 1;
pub const NOT_DONE: u8 = 2;

/// Examines the engine, or does what else is asked for, and tells by the exit code how it went.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match answer(arguments)? {
        // What was not measured is not known to be sound.
        Told::NoAlarm => Ok(unless_interrupted()?),
        Told::Alarm => std::process::exit(ALARM),
    }
}

fn answer(arguments: &Arguments) -> Result<Told, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let mut shown = |text: &str, told| -> Result<Told, Box<dyn Error>> {
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(told)
    };
    if arguments.list {
        return shown(&render::list(), Told::NoAlarm);
    }
    if let Some(name) = &arguments.explain {
        return shown(pages::page(check_of(name)).unwrap_or_default(), Told::NoAlarm);
    }
    if let Some([old, new]) = arguments.compare.as_deref() {
        let (old, new) = (read(old)?, read(new)?);
        let changes = compare(&old, &new);
        let told = if changes.worse.is_empty() { Told::NoAlarm } else { Told::Alarm };
        return shown(&render::comparison(&old, &new, &changes), told);
    }
    let wanted = arguments.repro.as_deref().map(|name| check_of(name).to_owned());
    let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
    let (json, html) = (open(&arguments.json)?, open(&arguments.html)?);
    let report = match &arguments.report {
        Some(path) => read(path)?,
        None => examine(arguments, wanted)?,
    };
    if let Some(file) = json {
        file.finish(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    }
    if let Some(file) = html {
        file.finish(&render::html(&report))?;
    }
    if let Some(name) = &arguments.repro {
        let lines =
            render::repro(&report, name).ok_or_else(|| format!("'{name}' has found nothing to show"))?;
        return shown(&lines, Told::NoAlarm);
    }
    let told = if report.is_healthy() { Told::NoAlarm } else { Told::Alarm };
    shown(&render::terminal(&report), told)
}

/// Examines the engine; `wanted` is the check whose lines are asked for.
fn examine(arguments: &Arguments, wanted: Option<String>) -> Result<Report, Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let command = match &arguments.engine {
        Some(command) => command.clone(),
        // Quoted, since the path may contain blanks.
        None => format!("\"{}\"", std::env::current_exe()?.display()),
    };
    let only = arguments.only.iter().cloned().chain(wanted).collect();
    let plan = Plan {
        subject: Subject { command, options: arguments.option.clone() },
        thoroughness: if arguments.full { Thoroughness::Full } else { Thoroughness::Quick },
        only,
        doctor: identity::NAME.to_owned(),
    };
    let mut progress_line = ProgressLine::new();
    let report = plan.run(&interrupt, |progress| progress_line.update(|| line(progress)));
    progress_line.finish(None);
    // A name that no program has says nothing of an engine.
    match report.incidents.first() {
        Some(incident) if incident.trouble == Trouble::Start && report.starts <= 1 => {
            Err(incident.words.clone().into())
        }
        _ => Ok(report),
    }
}

fn line(progress: &Progress) -> String {
    let Progress { check, title, number, of, left } = progress;
    format!("{number}/{of}  {check}: {title}  (up to about {} left)", duration_text(*left))
}

fn read(path: &Path) -> Result<Report, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| path_error(path, &error))?;
    let no_report = |error: serde_json::Error| format!("{}: no report: {error}", path.display());
    let data: serde_json::Value = serde_json::from_str(&text).map_err(no_report)?;
    // The schema first: what another one means by its fields is not known.
    match data.get("schema").and_then(serde_json::Value::as_u64) {
        Some(schema) if schema != u64::from(SCHEMA) => Err(format!(
            "{}: a report of schema {schema}; this program reads schema {SCHEMA}",
            path.display()
        )
        .into()),
        _ => Ok(serde_json::from_value(data).map_err(no_report)?),
    }
}
