//! `vedette doctor`: tests a UCI engine and diagnoses what is wrong with it.

mod revisions;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use doctor::catalogue::{CheckId, FindingId, check_of, is_finding};
use doctor::check::Thoroughness;
use doctor::compare::compare;
use doctor::examine::{CheckStarted, ExaminationPlan};
use doctor::report::{MIN_SCHEMA, Report, SCHEMA};
use doctor::{EngineError, Subject, render};
use support::files;
use support::suggest::nearest;

use crate::cli::format::duration_text;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::{OutputFile, path_error};
use crate::cli::progress::ProgressLine;
use crate::cli::values::{parse_option, parse_time};
use crate::identity;

/// Options of `vedette doctor`.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Exit code: 0 = nothing failed; 1 = a finding failed (with --compare or --baseline: a new one); 2 = invalid arguments, or a file or engine \
    that cannot be opened. Ctrl-C stops the run and reports what was measured so far (exit code 130 if nothing failed). See docs/doctor.md and \
    docs/doctor-reference.md."
)]
pub struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,
    /// Test this UCI engine, with its arguments [default: Vedette itself]
    #[arg(long, value_name = "COMMAND", value_parser = parse_command)]
    engine: Option<String>,
    /// Set a UCI option; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// Run the quick checks, about two minutes (default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run all checks with more samples, self-play and strength, six to ten minutes
    #[arg(long)]
    full: bool,
    /// Run only these checks (comma-separated, see --list)
    #[arg(long, value_name = "CHECKS", value_delimiter = ',', value_parser = parse_check)]
    only: Vec<CheckId>,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// Stop after about this time, such as 60s or 5m; checks then take fewer samples
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,
    /// Fail only for what did not fail in this JSON report, and print what changed
    #[arg(long, value_name = "FILE.json")]
    baseline: Option<PathBuf>,
    /// Compare two JSON reports
    #[arg(long, num_args = 2, value_names = ["OLD.json", "NEW.json"], conflicts_with_all = RUN_OPTIONS)]
    compare: Option<Vec<PathBuf>>,
    /// Print the UCI commands that reproduce a finding, or all findings of a check
    #[arg(long, value_name = "FINDING", value_parser = parse_finding)]
    repro: Option<Selection>,
    /// Read a JSON report instead of running checks
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["engine", "option", "quick", "full", "only", "budget"])]
    report: Option<PathBuf>,
    /// Print the documentation of a check or finding
    #[arg(long, value_name = "FINDING", value_parser = parse_finding, conflicts_with_all = RUN_OPTIONS)]
    explain: Option<Selection>,
    /// List the checks and their time limits
    #[arg(long, conflicts_with_all = RUN_OPTIONS)]
    list: bool,
}

#[derive(clap::Subcommand)]
enum Tool {
    /// Find the commit that introduced or fixed a failure
    Bisect(Box<revisions::BisectArguments>),
    /// Print key measures of a range of revisions
    History(Box<revisions::HistoryArguments>),
}

/// What is printed, and other forms of the report.
#[derive(clap::Args)]
struct OutputArguments {
    /// Print all findings and causes, not only the most important ones
    #[arg(short, long)]
    verbose: bool,
    /// Write the report as HTML to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a short report as Markdown to this file, for an issue or the summary of a CI job
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the findings as JUnit XML to this file, for CI services
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write failures and warnings as SARIF to this file, for code scanning
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Attach SARIF alerts to this file of your repository
    #[arg(long, value_name = "PATH", default_value = "README.md", requires = "sarif")]
    sarif_source: String,
}

/// Opened output files: a path that cannot be written fails before the run.
struct OutputFiles {
    html: Option<OutputFile>,
    markdown: Option<OutputFile>,
    junit: Option<OutputFile>,
    sarif: Option<OutputFile>,
    sarif_source: String,
}

impl OutputArguments {
    fn open(&self) -> Result<OutputFiles, String> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
        Ok(OutputFiles {
            html: open(&self.html)?,
            markdown: open(&self.markdown)?,
            junit: open(&self.junit)?,
            sarif: open(&self.sarif)?,
            sarif_source: self.sarif_source.clone(),
        })
    }
}

impl OutputFiles {
    fn finish(self, report: &Report) -> Result<(), String> {
        if let Some(file) = self.html {
            file.finish(&render::html(report))?;
        }
        if let Some(file) = self.markdown {
            file.finish(&render::markdown(report))?;
        }
        if let Some(file) = self.junit {
            file.finish(&render::junit(report))?;
        }
        if let Some(file) = self.sarif {
            file.finish(&format!("{:#}\n", render::sarif(report, &self.sarif_source)))?;
        }
        Ok(())
    }
}

/// Options that need a run or a report.
const RUN_OPTIONS: [&str; 15] = [
    "engine", "option", "quick", "full", "only", "json", "html", "markdown", "junit", "sarif", "budget",
    "baseline", "verbose", "repro", "report",
];

fn parse_command(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("missing engine command".to_owned()) } else { Ok(text.to_owned()) }
}

fn parse_check(text: &str) -> Result<CheckId, String> {
    let unknown = || {
        let names = CheckId::ALL.iter().map(|check| check.name());
        let hint = nearest(text, names).map_or(String::new(), |name| format!("; did you mean '{name}'?"));
        format!("unknown check '{text}'{hint} (see --list)")
    };
    CheckId::parse(text).ok_or_else(unknown)
}

/// A finding, or a check for all of its findings.
#[derive(Clone)]
struct Selection {
    check: CheckId,
    id: String,
}

fn parse_finding(text: &str) -> Result<Selection, String> {
    let check = match check_of(text) {
        Some(check) => check,
        None => parse_check(text.split('.').next().unwrap_or_default())?,
    };
    let id = FindingId::parse(text).map_or(text, |finding| finding.name());
    if id == check.name() || is_finding(id) {
        return Ok(Selection { check, id: id.to_owned() });
    }
    let names = || check.findings().map(FindingId::name);
    let hint = nearest(text, names()).map_or(String::new(), |name| format!("; did you mean '{name}'?"));
    Err(format!("unknown finding '{text}'{hint}: expected one of {}", names().collect::<Vec<_>>().join(", ")))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// A finding failed; with a report to compare with, a new one.
    Failed,
}

/// Exit codes of a failure and of an error.
const FAILED: i32 = 1;
pub const NOT_DONE: u8 = 2;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match outcome(arguments)? {
        // An interrupted run has not passed.
        Outcome::Passed => Ok(unless_interrupted()?),
        Outcome::Failed => std::process::exit(FAILED),
    }
}

fn outcome(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    match &arguments.tool {
        Some(Tool::Bisect(bisect)) => {
            let is_found = revisions::run_bisect(bisect)?;
            return Ok(if is_found { Outcome::Passed } else { Outcome::Failed });
        }
        Some(Tool::History(history)) => {
            return revisions::run_history(history).map(|()| Outcome::Passed);
        }
        None => {}
    }
    let mut out = io::stdout().lock();
    let mut print = |text: &str, outcome| -> Result<Outcome, Box<dyn Error>> {
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(outcome)
    };
    if arguments.list {
        return print(&render::list(), Outcome::Passed);
    }
    if let Some(selection) = &arguments.explain {
        return print(selection.check.page(), Outcome::Passed);
    }
    if let Some([old, new]) = arguments.compare.as_deref() {
        let (old, new) = (read(old)?, read(new)?);
        let changes = compare(&old, &new);
        let outcome = if changes.worse.is_empty() { Outcome::Passed } else { Outcome::Failed };
        return print(&render::comparison(&old, &new, &changes), outcome);
    }
    let wanted = arguments.repro.as_ref().map(|selection| selection.check);
    let json = arguments.json.open()?;
    let files = arguments.output.open()?;
    let baseline = arguments.baseline.as_deref().map(read).transpose()?;
    let has_text = !arguments.json.is_stdout();
    let report = match &arguments.report {
        Some(path) => read(path)?,
        None => run_checks(arguments, wanted)?,
    };
    let value = serde_json::to_value(&report)?;
    json.finish(|| value)?;
    files.finish(&report)?;
    if let Some(Selection { id, .. }) = &arguments.repro {
        let lines = render::repro(&report, id).ok_or_else(|| format!("nothing to reproduce for '{id}'"))?;
        return print(&lines, Outcome::Passed);
    }
    let mut text = if arguments.output.verbose { render::details(&report) } else { render::summary(&report) };
    let mut is_healthy = report.is_healthy();
    if let Some(baseline) = baseline {
        let changes = compare(&baseline, &report);
        is_healthy = changes.worse.is_empty();
        text = format!(
            "{text}\nCompared with the baseline\n{}",
            render::comparison(&baseline, &report, &changes)
        );
    }
    let outcome = if is_healthy { Outcome::Passed } else { Outcome::Failed };
    print(if has_text { &text } else { "" }, outcome)
}

/// Runs the checks; `wanted` is the check of `--repro`.
fn run_checks(arguments: &Arguments, wanted: Option<CheckId>) -> Result<Report, Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let command = match &arguments.engine {
        Some(command) => command.clone(),
        // The path may contain spaces.
        None => format!("\"{}\"", std::env::current_exe()?.display()),
    };
    let only = arguments.only.iter().copied().chain(wanted).collect();
    let plan = ExaminationPlan {
        subject: Subject { command, options: arguments.option.clone() },
        thoroughness: if arguments.full { Thoroughness::Full } else { Thoroughness::Quick },
        only,
        time_limit: arguments.budget,
        doctor: identity::NAME.to_owned(),
    };
    let mut progress_line = ProgressLine::new();
    let report = plan.run(&interrupt, |progress| progress_line.update(|| line(progress)));
    progress_line.finish(None);
    // A command that cannot be started is not a finding.
    match report.incidents.first() {
        Some(incident) if incident.error == EngineError::Start && report.starts <= 1 => {
            Err(incident.message.clone().into())
        }
        _ => Ok(report),
    }
}

fn line(started: &CheckStarted) -> String {
    let CheckStarted { check, number, of, left, .. } = started;
    format!("{number}/{of}  {}: {}  (at most {} left)", check.name(), check.title(), duration_text(*left))
}

fn read(path: &Path) -> Result<Report, Box<dyn Error>> {
    let text = files::read_text(path, files::CONTENT_LIMIT).map_err(|error| path_error(path, &error))?;
    let invalid = |error: serde_json::Error| format!("{}: invalid report: {error}", path.display());
    let data: serde_json::Value = serde_json::from_str(&text).map_err(invalid)?;
    // The schema first: fields of another one may mean something else.
    match data.get("schema").and_then(serde_json::Value::as_u64) {
        Some(schema) if !(u64::from(MIN_SCHEMA)..=u64::from(SCHEMA)).contains(&schema) => {
            let path = path.display();
            Err(format!("{path}: unsupported schema {schema}: expected {MIN_SCHEMA}..={SCHEMA}").into())
        }
        _ => Ok(serde_json::from_value(data).map_err(invalid)?),
    }
}
