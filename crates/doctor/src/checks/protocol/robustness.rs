//! Invalid input and end of input.

use std::time::{Duration, Instant};

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::process_time;
use crate::stream_audit::excerpt;

pub const CHECK: Check = Check {
    id: CheckId::Robustness,
    method: "Sends empty lines, unknown commands, invalid arguments, a line of 20,000 characters and stop without a search, \
             each followed by isready; then closes stdin, once while idle and once during a search, and watches whether the \
             process exits or keeps using CPU time.",
    seconds: (14, 30),
    run,
};

const INVALID: [&str; 14] = [
    "",
    "   ",
    "xyzzy",
    "go nowhere depth 1",
    "stop",
    "ponderhit",
    "setoption",
    "setoption name Nonexistent Option value 7",
    "setoption name Hash value abc",
    "position startpos moves e2e5",
    "position startpos moves",
    "debug off",
    "register later",
    "\u{feff}\u{1}\u{2}é漢",
];

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let before = exam.engine.incident_count();
    let findings = vec![garbage(exam), end_of_input(exam, false), end_of_input(exam, true)];
    exam.engine.discard_incidents_after(before);
    Ok(findings)
}

fn garbage(exam: &mut Examination) -> Finding {
    let long = "x".repeat(20_000);
    let (mut bad, mut sent) = (Vec::new(), 0);
    for line in INVALID.iter().copied().chain([long.as_str()]) {
        sent += 1;
        let survived = exam.engine.with_client(|client| {
            client.send(line)?;
            if line.starts_with("go") {
                client.send("stop")?;
            }
            client.ready(Duration::from_secs(5))
        });
        match survived {
            Err(EngineError::Interrupted | EngineError::GivenUp) => break,
            Err(error) => bad.push((line, error)),
            Ok(_) => {}
        }
    }
    let repro = bad.first().map(|(line, _)| lines_with(line)).unwrap_or_default();
    let summary = match bad.first() {
        None => format!("survived all {sent} invalid inputs"),
        Some((line, error)) => {
            format!("{} of {sent} invalid inputs: {error} after '{}'", bad.len(), excerpt(line))
        }
    };
    // Not a fault in play.
    let verdict = if bad.is_empty() { Verdict::Pass } else { Verdict::Warning };
    Finding::new(FindingId::RobustnessGarbage, verdict, summary)
        .effect(bad.len() as f64)
        .fixed_confidence(0.95, "once each")
        .threshold("a crash or a hang is a warning: GUIs seldom send such input")
        .samples(sent)
        .repro(repro)
}

fn lines_with(input: &str) -> Vec<String> {
    let line = if input.len() > 1000 { format!("# a line of {} x", input.len()) } else { input.to_owned() };
    let stop = input.starts_with("go").then(|| "stop".to_owned());
    ["uci".to_owned(), line].into_iter().chain(stop).chain(["isready".to_owned()]).collect()
}

fn end_of_input(exam: &mut Examination, searching: bool) -> Finding {
    let id = if searching { FindingId::RobustnessEofSearching } else { FindingId::RobustnessEofIdle };
    if exam.engine.restart().is_err() {
        return Finding::skipped(id, "engine failed to start");
    }
    let outcome = exam.engine.with_client(|client| {
        client.ready(Duration::from_secs(5))?;
        if searching {
            client.send("position startpos")?;
            client.send("go infinite")?;
            std::thread::sleep(Duration::from_millis(100));
        }
        let process = client.process_id();
        let started = Instant::now();
        let ended = client.close_input(Duration::from_secs(3)).is_some();
        let before = process_time::cpu_time(process);
        if !ended {
            std::thread::sleep(Duration::from_millis(500));
        }
        let after = process_time::cpu_time(process);
        let cpu = before.zip(after).map_or(0.0, |(before, after)| after.saturating_sub(before).as_secs_f64());
        client.kill();
        Ok((ended, started.elapsed(), cpu))
    });
    exam.engine.quit();
    let state = if searching { "while searching" } else { "while idle" };
    match outcome {
        Ok((true, after, _)) => Finding::new(
            id,
            Verdict::Pass,
            format!("exits {} ms after end of input {state}", after.as_millis()),
        )
        .effect(0.0),
        Ok((false, _, cpu)) => Finding::new(
            id,
            // Only a process that keeps using the CPU is a fault.
            Verdict::fail_if(cpu > 0.3 && !searching).max(Verdict::Warning),
            format!("still running after end of input {state}, with {:.0} % CPU usage", cpu * 200.0),
        )
        .effect(cpu * 200.0),
        Err(error) => Finding::skipped(id, error.to_string()),
    }
    .fixed_confidence(0.9, "one process")
    .threshold("an idle process that uses the CPU; still running after 3 s is a warning")
    .samples(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repro_has_the_sent_lines() {
        assert_eq!(lines_with("setoption"), ["uci", "setoption", "isready"]);
        assert_eq!(lines_with("go nowhere depth 1"), ["uci", "go nowhere depth 1", "stop", "isready"]);
        let long = lines_with(&"x".repeat(20_000));
        assert_eq!(long[1], "# a line of 20000 x");
    }
}
