//! Input that no GUI should send, and some do: the engine must stay alive and answer.

use std::time::{Duration, Instant};

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::Trouble;
use crate::process_time;
use crate::talk::excerpt;

/// The check.
pub const CHECK: Check = Check {
    name: "robustness",
    group: Group::Protocol,
    title: "survives garbage and the end of input",
    method: "Sends empty lines, unknown words, broken commands, a line of 20,000 letters, stop without a search and \
             commands during a search, each followed by isready; then closes the input, once while idle and once during \
             a search, and watches whether the process ends or burns computing time.",
    seconds: (14, 30),
    run,
};

const NONSENSE: [&str; 14] = [
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

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let before = exam.patient.breakdowns();
    let findings = vec![garbage(exam), end_of_input(exam, false), end_of_input(exam, true)];
    exam.patient.forgive_beyond(before);
    Ok(findings)
}

fn garbage(exam: &mut Examination) -> Finding {
    let long = "x".repeat(20_000);
    let (mut bad, mut sent) = (Vec::new(), 0);
    for line in NONSENSE.iter().copied().chain([long.as_str()]) {
        sent += 1;
        let survived = exam.patient.attempt(|client| {
            client.send(line)?;
            if line.starts_with("go") {
                // Whatever it starts is ended.
                client.send("stop")?;
            }
            client.ready(Duration::from_secs(5))
        });
        match survived {
            Err(Trouble::Interrupted | Trouble::GivenUp) => break,
            Err(trouble) => bad.push((line, trouble)),
            Ok(_) => {}
        }
    }
    let repro = bad.first().map(|(line, _)| lines_with(line)).unwrap_or_default();
    let summary = match bad.first() {
        None => format!("{sent} pieces of nonsense survived"),
        Some((line, trouble)) => {
            format!("{} of {sent} pieces of nonsense: after '{}' {trouble}", bad.len(), excerpt(line))
        }
    };
    // A crash by an illegal move or an absurd line is the author's choice to mend, not a fault in play.
    let verdict = if bad.is_empty() { Verdict::Sound } else { Verdict::Notice };
    Finding::new("robustness", "garbage", verdict, summary)
        .effect("pieces of nonsense not survived", bad.len() as f64, "")
        .sure_by_hand(0.95, "each sent once")
        .threshold("a crash or a hang is a notice: GUIs seldom send such lines")
        .samples(sent)
        .repro(repro)
}

/// The lines that show how a piece of nonsense is taken; one that is too long to be read is described.
fn lines_with(nonsense: &str) -> Vec<String> {
    let line = if nonsense.len() > 1000 {
        format!("# a line of {} times the letter x", nonsense.len())
    } else {
        nonsense.to_owned()
    };
    let stop = nonsense.starts_with("go").then(|| "stop".to_owned());
    ["uci".to_owned(), line].into_iter().chain(stop).chain(["isready".to_owned()]).collect()
}

fn end_of_input(exam: &mut Examination, searching: bool) -> Finding {
    let what = if searching { "eof-searching" } else { "eof-idle" };
    if exam.patient.restart().is_err() {
        return Finding::unmeasured("robustness", what, "the engine does not start");
    }
    let outcome = exam.patient.attempt(|client| {
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
        let burnt =
            before.zip(after).map_or(0.0, |(before, after)| after.saturating_sub(before).as_secs_f64());
        client.kill();
        Ok((ended, started.elapsed(), burnt))
    });
    exam.patient.rest();
    let state = if searching { "during a search" } else { "while idle" };
    match outcome {
        Ok((true, after, _)) => Finding::new(
            "robustness",
            what,
            Verdict::Sound,
            format!("the process ends {} ms after its input is closed {state}", after.as_millis()),
        )
        .effect("computing time after the end of input", 0.0, "%"),
        Ok((false, _, burnt)) => Finding::new(
            "robustness",
            what,
            // A process that burns the machine for ever is a fault; one that sleeps or thinks on is only untidy.
            alarm_if(burnt > 0.3 && !searching).max(Verdict::Notice),
            format!(
                "the process lives on after its input is closed {state}, computing {:.0} % of the time",
                burnt * 200.0
            ),
        )
        .effect("computing time after the end of input", burnt * 200.0, "%"),
        Err(trouble) => Finding::unmeasured("robustness", what, trouble.to_string()),
    }
    .sure_by_hand(0.9, "one process")
    .threshold("alive after 3 s is a notice; an idle process that burns computing time is an alarm")
    .samples(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_those_that_were_sent() {
        assert_eq!(lines_with("setoption"), ["uci", "setoption", "isready"]);
        assert_eq!(lines_with("go nowhere depth 1"), ["uci", "go nowhere depth 1", "stop", "isready"]);
        let long = lines_with(&"x".repeat(20_000));
        assert_eq!(long[1], "# a line of 20000 times the letter x");
    }
}
