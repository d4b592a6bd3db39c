//! `vedette doctor bisect` and `vedette doctor history`: revisions of an engine's repository, built and tested.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use doctor::catalogue::{CheckId, FindingId};
use doctor::check::Thoroughness;
use doctor::revisions::{
    BisectResult, Bisection, BuildPlan, CommitTitle, Examined, FindingState, HistoryRow, RevisionError,
    RevisionHistory, RevisionStep, Revisions, bisect,
};
use serde_json::{Value, json};
use support::text::printable;

use super::{parse_command, parse_finding};
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::output_file::OutputFile;
use crate::cli::progress::ProgressLine;
use crate::cli::values::{parse_option, parse_time};
use crate::identity;

/// How revisions are built and tested.
#[derive(clap::Args)]
struct BuildArguments {
    /// Examine revisions of the Git repository in this folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Build each revision with this shell command, in the root of a work tree
    #[arg(long, value_name = "COMMAND", value_parser = parse_command)]
    build: String,
    /// Test this engine: its path in the work tree, and its arguments
    #[arg(long, value_name = "COMMAND", value_parser = parse_command)]
    engine: String,
    /// Set a UCI option; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// Run all checks with more samples, as doctor --full
    #[arg(long)]
    full: bool,
    /// Stop a build after this time, such as 10m, and skip the revision
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30m")]
    build_time: Duration,
    /// Test all revisions again, even those with a result from an earlier run
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    json: JsonArguments,
}

/// Options of `vedette doctor bisect`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code: 0 = the commit was found; 1 = it was not, because no revision differs or because commits do not build; 2 = invalid \
    arguments, or a finding that does not differ between --good and --bad. After Ctrl-C the same command continues. See docs/doctor-revisions.md."
)]
pub struct BisectArguments {
    #[command(flatten)]
    job: BuildArguments,
    /// Find the commit that introduced or fixed a failure of this finding, such as draws.fifty
    #[arg(long, value_name = "FINDING", value_parser = parse_one)]
    finding: FindingId,
    /// A revision in which the finding does not fail [default: searched among the ancestors]
    #[arg(long, value_name = "REV")]
    good: Option<String>,
    /// A revision in which it fails
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    bad: String,
}

/// Options of `vedette doctor history`.
#[derive(clap::Args)]
#[command(after_help = "After Ctrl-C the same command continues. See docs/doctor-revisions.md.")]
pub struct HistoryArguments {
    #[command(flatten)]
    job: BuildArguments,
    /// Revisions, and ranges such as v1..HEAD, the oldest first
    #[arg(value_name = "REV", required = true)]
    revisions: Vec<String>,
    /// Measure these findings (comma-separated)
    #[arg(
        long,
        value_name = "FINDING",
        value_delimiter = ',',
        value_parser = parse_one,
        default_value = "nodes.counted,growth.factor,mirror.evaluation,tactics.nodes"
    )]
    finding: Vec<FindingId>,
    /// Test at most this many revisions, evenly spread
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    max: u16,
    /// Write a chart of the measures as SVG to this file
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
}

fn parse_one(text: &str) -> Result<FindingId, String> {
    let selection = parse_finding(text)?;
    FindingId::parse(&selection.id)
        .ok_or_else(|| format!("'{text}' is a check: expected one of its findings"))
}

impl BuildArguments {
    fn open(&self, findings: &[FindingId]) -> Result<Revisions, Box<dyn Error>> {
        let mut checks: Vec<CheckId> = findings.iter().map(|finding| finding.check()).collect();
        checks.sort_unstable();
        checks.dedup();
        let job = BuildPlan {
            repository: self.repo.clone(),
            build: self.build.clone(),
            build_limit: self.build_time,
            engine: self.engine.clone(),
            options: self.option.clone(),
            checks,
            thoroughness: if self.full { Thoroughness::Full } else { Thoroughness::Quick },
            doctor: identity::NAME.to_owned(),
        };
        Ok(Revisions::open(job, self.fresh)?)
    }
}

/// Examines revisions, with a line of progress.
struct Examiner {
    interrupt: Arc<AtomicBool>,
    progress: ProgressLine,
}

impl Examiner {
    fn new() -> io::Result<Self> {
        Ok(Self { interrupt: stop_on_signal()?, progress: ProgressLine::new() })
    }

    /// `left` is what the line ends with, such as how many follow.
    fn examine<'a>(
        &mut self,
        revisions: &'a mut Revisions,
        title: &CommitTitle,
        left: &str,
    ) -> Result<&'a Examined, RevisionError> {
        let Self { interrupt, progress } = self;
        let examined = revisions.examine(&title.commit, interrupt, |step| {
            progress.update(|| match step {
                RevisionStep::Building => format!("{}: building  ({left})", title.short),
                RevisionStep::Examining(now) => {
                    format!("{}: {}/{} {}  ({left})", title.short, now.number, now.of, now.check.name())
                }
            });
        });
        progress.finish(None);
        examined
    }
}

/// Ctrl-C is not an error of its own.
fn or_interrupted<T>(result: Result<T, RevisionError>) -> Result<T, Box<dyn Error>> {
    if matches!(result, Err(RevisionError::Interrupted)) {
        unless_interrupted()?;
    }
    Ok(result?)
}

/// Whether the commit was found.
pub fn run_bisect(arguments: &BisectArguments) -> Result<bool, Box<dyn Error>> {
    let json = arguments.job.json.open()?;
    let mut out = arguments.job.json.text();
    let mut revisions = arguments.job.open(&[arguments.finding])?;
    let mut examiner = Examiner::new()?;
    let wanted =
        Bisection { finding: arguments.finding, good: arguments.good.clone(), bad: arguments.bad.clone() };
    let mut failed_output = None;
    let conclusion = bisect(&mut revisions, &wanted, |revisions, commit, left| {
        let title = revisions.repository.title(commit)?;
        let examined = examiner.examine(revisions, &title, &format!("about {left} left"))?;
        let answer = examined.answer(wanted.finding);
        let line = format!("{}  {}\n", title.short, answer_text(&answer));
        if let Err(error) = out.write_all(printable(&line).as_bytes()).and_then(|()| out.flush()) {
            failed_output = Some(error);
            return Err(RevisionError::Interrupted);
        }
        Ok(answer)
    });
    if let Some(error) = failed_output {
        return Err(error.into());
    }
    let conclusion = or_interrupted(conclusion)?;
    revisions.remove_tree();
    out.write_all(printable(&conclusion_text(&revisions, wanted.finding, &conclusion)?).as_bytes())?;
    out.flush()?;
    let value = conclusion_json(wanted.finding, &conclusion);
    json.finish(|| value)?;
    Ok(matches!(conclusion, BisectResult::Found { .. }))
}

fn answer_text(answer: &FindingState) -> String {
    match answer {
        FindingState::Fails(summary) => format!("FAILED   {summary}"),
        FindingState::Passes(summary) => format!("passed   {summary}"),
        FindingState::Unknown(reason) => format!("skipped  {reason}"),
    }
}

fn conclusion_text(
    revisions: &Revisions,
    finding: FindingId,
    conclusion: &BisectResult,
) -> Result<String, RevisionError> {
    let id = finding.name();
    let line = |commit: &str| -> Result<String, RevisionError> {
        let title = revisions.repository.title(commit)?;
        Ok(format!("{}  {}  {}  {}\n", title.short, title.date, title.author, title.subject))
    };
    let change = |before: &FindingState, after: &FindingState| {
        format!("before: {}\nafter:  {}\n", answer_text(before), answer_text(after))
    };
    match conclusion {
        BisectResult::Found { commit, before, after } => {
            let verb = if matches!(after, FindingState::Fails(_)) { "introduced" } else { "fixed" };
            Ok(format!("\nThe commit that {verb} {id}:\n{}{}", line(commit)?, change(before, after)))
        }
        BisectResult::Undecided { commits, before, after } => {
            let lines = commits.iter().map(|commit| line(commit)).collect::<Result<String, _>>()?;
            Ok(format!(
                "\nOne of these {} commits changed {id}; the others cannot be built or measured:\n{lines}{}",
                commits.len(),
                change(before, after)
            ))
        }
        BisectResult::Unchanged { oldest, answer } => {
            let times = if matches!(answer, FindingState::Fails(_)) { "every" } else { "no" };
            Ok(format!("\n{id} fails in {times} revision that was tried, back to\n{}", line(oldest)?))
        }
    }
}

fn conclusion_json(finding: FindingId, conclusion: &BisectResult) -> Value {
    let (result, commits, ends) = match conclusion {
        BisectResult::Found { commit, before, after } => {
            ("found", vec![commit.clone()], Some((before, after)))
        }
        BisectResult::Undecided { commits, before, after } => {
            ("undecided", commits.clone(), Some((before, after)))
        }
        BisectResult::Unchanged { oldest, .. } => ("unchanged", vec![oldest.clone()], None),
    };
    json!({
        "schema": "vedette-bisect/1",
        "finding": finding.name(),
        "result": result,
        "commits": commits,
        "before": ends.map(|(before, _)| answer_text(before)),
        "after": ends.map(|(_, after)| answer_text(after)),
    })
}

pub fn run_history(arguments: &HistoryArguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.job.json.open()?;
    let chart = arguments.chart.as_deref().map(OutputFile::open).transpose()?;
    let mut revisions = arguments.job.open(&arguments.finding)?;
    let mut commits = Vec::new();
    for revision in &arguments.revisions {
        if revision.contains("..") {
            commits.extend(revisions.repository.range(revision)?);
        } else {
            commits.push(revisions.repository.commit(revision)?);
        }
    }
    let commits = spread(&commits, usize::from(arguments.max));
    let mut examiner = Examiner::new()?;
    let mut rows = Vec::new();
    for (index, commit) in commits.iter().enumerate() {
        let title = revisions.repository.title(commit)?;
        let left = format!("revision {} of {}", index + 1, commits.len());
        let examined = or_interrupted(examiner.examine(&mut revisions, &title, &left))?.clone();
        rows.push(HistoryRow { title, examined });
    }
    revisions.remove_tree();
    let history = RevisionHistory { findings: arguments.finding.clone(), rows };
    let mut out = arguments.job.json.text();
    out.write_all(printable(&history.table()).as_bytes())?;
    out.flush()?;
    if let Some(file) = chart {
        file.finish(&history.svg())?;
    }
    json.finish(|| history.json())
}

/// At most `most` of a list, evenly spread, with its first and its last.
fn spread(list: &[String], most: usize) -> Vec<String> {
    if list.len() <= most {
        return list.to_vec();
    }
    let place = |index: usize| index * (list.len() - 1) / (most - 1).max(1);
    (0..most).map(|index| list[place(index)].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_keeps_the_ends() {
        let list: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        assert_eq!(spread(&list, 4), ["0", "3", "6", "9"]);
        assert_eq!(spread(&list, 20).len(), 10);
        assert_eq!(spread(&list, 1), ["0"]);
    }
}
