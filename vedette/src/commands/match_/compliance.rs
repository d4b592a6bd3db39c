//! `vedette match --compliance ENGINE [ARGUMENTS]`: the checks of fastchess's option of this name. `vedette doctor` looks
//! deeper.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chess::Position;
use support::shell::split_arguments;
use support::sync::lock;
use uci::client::{Client, ClientError, Direction, Launch, Tap, TranscriptLine};

const MIDDLEGAME: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// For an answer; the searches last a tenth of a second.
const LIMIT: Duration = Duration::from_mins(1);

/// The arguments after `--compliance`: program, and its arguments in one string or several.
pub fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let Some((program, rest)) = arguments.split_first() else {
        return Err("--compliance: missing engine command".into());
    };
    let arguments = rest.iter().flat_map(|argument| split_arguments(argument)).collect();
    let launch = Launch { program: PathBuf::from(program), arguments, directory: None };
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&lines);
    let tap: Tap = Arc::new(move |line: &TranscriptLine| {
        if line.direction == Direction::FromEngine {
            lock(&kept).push(line.text.clone());
        }
    });
    let mut steps = Steps::default();
    let mut client = steps.step("start the engine", || {
        let mut client = Client::start_with_tap(&launch, Some(tap)).map_err(|error| error.to_string())?;
        client.handshake(LIMIT).map_err(|error| error.to_string())?;
        Ok(client)
    })?;
    let checked = check(&mut steps, &mut client, &lines);
    if let Err(error) = checked {
        let mut err = io::stderr().lock();
        writeln!(err, "Output of the engine:")?;
        for line in client.transcript().all() {
            writeln!(err, "  {line}")?;
        }
        return Err(error);
    }
    client.quit(Duration::from_secs(2));
    Ok(writeln!(io::stdout(), "Engine passed all compliance checks.")?)
}

fn check(steps: &mut Steps, client: &mut Client, lines: &Mutex<Vec<String>>) -> Result<(), Box<dyn Error>> {
    let ready = |client: &mut Client| client.ready(LIMIT).map(drop).map_err(|error| error.to_string());
    let text = |error: ClientError| error.to_string();
    steps.step("answer isready", || ready(client))?;
    let identity = client.identity().clone();
    let given = |value: &str, name: &str| if value.is_empty() { Err(format!("no {name}")) } else { Ok(()) };
    steps.step("print id name", || given(&identity.name, "id name"))?;
    steps.step("print id author", || given(&identity.author, "id author"))?;
    steps.step("take ucinewgame", || client.send("ucinewgame").map_err(text))?;
    steps.step("take position startpos", || client.send("position startpos").map_err(text))?;
    steps.step("answer isready after position startpos", || ready(client))?;
    let searches = [
        (format!("position fen {MIDDLEGAME}"), "go wtime 100"),
        (format!("position fen {AFTER_E4}"), "go btime 100"),
        (format!("position fen {AFTER_E4}"), "go wtime 100 winc 100 btime 100 binc 100"),
        (format!("position fen {AFTER_E4}"), "go btime 100 binc 100 wtime 100 winc 100"),
        ("position startpos".to_owned(), "go wtime 100 btime 100"),
        ("position startpos moves e2e4 e7e5".to_owned(), "go wtime 100 btime 100"),
    ];
    for (number, (position, go)) in searches.iter().enumerate() {
        if number == 4 {
            steps.step("take ucinewgame between games", || client.send("ucinewgame").map_err(text))?;
        }
        steps.step(&format!("answer isready after {position}"), || {
            client.send(position).map_err(text)?;
            ready(client)
        })?;
        lock(lines).clear();
        let found = steps.step(&format!("print bestmove after {go}"), || {
            client.search(position, go, LIMIT, |_| {}).map_err(text)
        })?;
        let legal = || {
            let played = position_of(position)?;
            let best = found.best.best.as_deref().unwrap_or("(none)");
            played.parse_uci(best).map(drop).map_err(|error| format!("bestmove {best}: {error}"))
        };
        steps.step(&format!("play a legal move after {go}"), legal)?;
        let printed = lock(lines).clone();
        let last = last_info(&printed);
        let last = steps
            .step(&format!("print an info line after {go}"), || last.ok_or("no info line".to_owned()))?;
        steps.step("print integers for time, nps and score", || well_formed(last))?;
        steps.step("print the score", || {
            if last.split_whitespace().any(|token| token == "score") {
                Ok(())
            } else {
                Err(format!("no score in '{last}'"))
            }
        })?;
    }
    Ok(())
}

/// The position of a `position` command.
fn position_of(command: &str) -> Result<Position, String> {
    let (start, moves) = command.split_once(" moves ").unwrap_or((command, ""));
    let start = match start.strip_prefix("position fen ") {
        Some(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
        None => Position::startpos(),
    };
    moves.split_whitespace().try_fold(start, |position, mv| {
        let mv = position.parse_uci(mv).map_err(|error| error.to_string())?;
        Ok(position.after(mv))
    })
}

/// The last line about the search; one with a score is preferred, as some engines end with statistics.
fn last_info(lines: &[String]) -> Option<&String> {
    let mut infos =
        lines.iter().rev().filter(|line| line.starts_with("info ") && !line.starts_with("info string"));
    let has_score = |line: &&String| line.split_whitespace().any(|token| token == "score");
    infos.clone().find(has_score).or_else(|| infos.next())
}

/// After each of these there must be a value without a decimal point.
fn well_formed(line: &str) -> Result<(), String> {
    let mut tokens = line.split_whitespace();
    while let Some(token) = tokens.next() {
        if !matches!(token, "time" | "nps" | "score") {
            continue;
        }
        match tokens.next() {
            None => return Err(format!("no value after '{token}' in '{line}'")),
            Some(value) if value.contains('.') => return Err(format!("{token} {value} is not an integer")),
            Some(_) => {}
        }
    }
    Ok(())
}

#[derive(Default)]
struct Steps {
    number: u32,
}

impl Steps {
    fn step<T>(
        &mut self,
        what: &str,
        check: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, Box<dyn Error>> {
        self.number += 1;
        let number = self.number;
        match check() {
            Ok(value) => {
                writeln!(io::stdout(), "Passed Step {number}: {what}")?;
                Ok(value)
            }
            Err(reason) => {
                writeln!(io::stdout(), "Failed Step {number}: {what}")?;
                Err(format!("compliance: step {number}: {what}: {reason}").into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_after_the_score_are_skipped() {
        let lines = ["info depth 1 score cp 3", "info string x", "info hashfull 0"].map(str::to_owned);
        assert_eq!(last_info(&lines), Some(&lines[0]));
        assert_eq!(last_info(&lines[1..]), Some(&lines[2]));
        assert_eq!(last_info(&lines[1..2]), None);
    }

    #[test]
    fn info_lines_have_integers() {
        assert!(well_formed("info depth 3 score cp 5 time 12 nps 100 pv e2e4").is_ok());
        assert!(well_formed("info depth 3 time 1.5").is_err());
        assert!(well_formed("info depth 3 nps").is_err());
    }
}
