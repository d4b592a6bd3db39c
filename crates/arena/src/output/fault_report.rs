//! A directory for each fault of an engine, with all that is needed to reproduce it.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use chess::Color;
use uci::client::{Direction, TranscriptLine};

use super::pgn::pgn_of;
use crate::config::{EngineConfig, EngineKind, MatchConfig};
use crate::game::EngineFault;
use crate::runner::FinishedGame;
use support::files;
use support::shell::quoted;

/// Seconds that a replay waits without a clock, and beyond the clock.
const TIMEOUT: u64 = 30;
const GRACE: u64 = 5;

/// Writes a report on a fault in `game`. Returns its directory.
///
/// # Errors
/// The directory or a file in it cannot be written.
pub fn write_fault_report(
    folder: &Path,
    fault: &EngineFault,
    game: &FinishedGame,
    config: &MatchConfig,
) -> io::Result<PathBuf> {
    let engine = &config.engines[if fault.side == Color::White { game.job.white } else { game.job.black }];
    let safe_name: String =
        engine.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let kind = if fault.ended_the_game { "" } else { "-warning" };
    let target =
        std::path::absolute(folder)?.join(format!("game-{:05}-{safe_name}{kind}", game.job.index + 1));
    files::create_dir_all(&target)?;
    let replay_file = target.join("replay.uci");
    let options: String = engine.options.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = write!(text, " {name}={value}");
        text
    });
    let what = format!(
        "{}\n\nengine    {}\ncommand   {} {}\noptions  {options}\nlimits    {}\nposition  {}\nsent      {}\n\n\
         To reproduce:\n{}\n",
        fault.text,
        engine.name,
        engine.command,
        engine.arguments.join(" "),
        engine.limits,
        fault.fen,
        fault.position_command,
        replay_command(engine, &replay_file, fault),
    );
    files::replace(&target.join("what.txt"), what.as_bytes())?;
    let pgn = pgn_of(&game.played, &game.job, config, game.summary.duration).to_string();
    let stderr = lines(&fault.transcript, |line| line.direction == Direction::Stderr);
    files::replace(&target.join("game.pgn"), pgn.as_bytes())?;
    files::replace(&target.join("transcript.txt"), lines(&fault.transcript, |_| true).as_bytes())?;
    files::replace(&target.join("stderr.txt"), stderr.as_bytes())?;
    files::replace(&replay_file, replay(fault, engine, config.chess960).as_bytes())?;
    Ok(target)
}

fn lines(transcript: &[TranscriptLine], filter: impl Fn(&TranscriptLine) -> bool) -> String {
    transcript.iter().filter(|line| filter(line)).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

/// A shell command that sends the commands, and keeps stdin open until the engine must have replied.
fn replay_command(engine: &EngineConfig, replay: &Path, fault: &EngineFault) -> String {
    let seconds = fault.allowed.map_or(TIMEOUT, |allowed| allowed.as_secs().saturating_add(1 + GRACE));
    let mut line = format!("(cat {}; sleep {seconds}) | ", quoted(&replay.to_string_lossy()));
    let program = match engine.kind {
        EngineKind::Process => engine.launch().path(),
        EngineKind::InProcess => std::env::current_exe().unwrap_or_else(|_| PathBuf::from("vedette")),
    };
    let arguments =
        std::iter::once(program.to_string_lossy().into_owned()).chain(engine.arguments.iter().cloned());
    let call = arguments.map(|argument| quoted(&argument)).collect::<Vec<_>>().join(" ");
    match &engine.directory {
        Some(directory) => {
            let _ = write!(line, "(cd {} && {call})", quoted(&directory.to_string_lossy()));
        }
        None => line.push_str(&call),
    }
    line
}

/// The UCI commands that reproduce the fault.
fn replay(fault: &EngineFault, engine: &EngineConfig, chess960: bool) -> String {
    let mut text = String::new();
    for line in &engine.init_commands {
        let _ = writeln!(text, "{line}");
    }
    text.push_str("uci\n");
    for (name, value) in &engine.options {
        let _ = writeln!(text, "setoption name {name} value {value}");
    }
    if chess960 {
        text.push_str("setoption name UCI_Chess960 value true\n");
    }
    let last_go = fault
        .transcript
        .iter()
        .rev()
        .find(|line| line.direction == Direction::ToEngine && line.text.starts_with("go"));
    let fallback = format!("go{}", engine.limits.go_suffix());
    let go = last_go.map_or(fallback.as_str(), |line| line.text.as_str());
    let go = if go == "go" { "go movetime 1000" } else { go };
    let _ = write!(text, "ucinewgame\nisready\n{}\n{go}\n", fault.position_command);
    text
}
