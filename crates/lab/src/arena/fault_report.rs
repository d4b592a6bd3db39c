//! A folder for each misbehaviour of an engine, with all that is needed to see it again.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chess::Color;
use uci::client_transcript::{Direction, Spoken};

use super::config::MatchConfig;
use super::game_text::pgn_of;
use super::runner::FinishedGame;

/// Writes a report on the engine that ended `game` by its fault. Returns the folder; `None` when nobody is to blame.
///
/// # Errors
/// The folder or a file in it cannot be written.
pub fn write_fault_report(
    folder: &Path,
    game: &FinishedGame,
    config: &MatchConfig,
) -> io::Result<Option<PathBuf>> {
    let Some(side) = game.played.culprit else { return Ok(None) };
    let engine = &config.engines[if side == Color::White { game.job.white } else { game.job.black }];
    let safe_name: String =
        engine.name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '-' }).collect();
    let target = folder.join(format!("game-{:05}-{safe_name}", game.job.index + 1));
    fs::create_dir_all(&target)?;
    let position = game.played.game.position();
    let options: String = engine.options.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = write!(text, " {name}={value}");
        text
    });
    let what = format!(
        "{}\n\nengine    {}\ncommand   {} {}\noptions  {options}\nlimits    {}\nposition  {}\nquestion  {}\n\n\
         To see it again: {} < replay.uci\n",
        game.played.ending.text,
        engine.name,
        engine.command,
        engine.arguments.join(" "),
        engine.limits,
        if config.chess960 { position.to_shredder_fen() } else { position.to_fen() },
        game.played.position_command,
        engine.command,
    );
    fs::write(target.join("what.txt"), what)?;
    fs::write(
        target.join("game.pgn"),
        pgn_of(&game.played, &game.job, config, game.summary.duration).to_string(),
    )?;
    fs::write(target.join("transcript.txt"), lines(&game.transcript, |_| true))?;
    fs::write(
        target.join("stderr.txt"),
        lines(&game.transcript, |spoken| spoken.direction == Direction::Stderr),
    )?;
    fs::write(target.join("replay.uci"), replay(game, &engine.options, config.chess960))?;
    Ok(Some(target))
}

fn lines(transcript: &[Spoken], wanted: impl Fn(&Spoken) -> bool) -> String {
    transcript.iter().filter(|spoken| wanted(spoken)).fold(String::new(), |mut text, spoken| {
        let _ = writeln!(text, "{spoken}");
        text
    })
}

/// The commands that bring a fresh engine to the fault.
fn replay(game: &FinishedGame, options: &[(String, String)], chess960: bool) -> String {
    let mut text = "uci\n".to_owned();
    for (name, value) in options {
        let _ = writeln!(text, "setoption name {name} value {value}");
    }
    if chess960 {
        text.push_str("setoption name UCI_Chess960 value true\n");
    }
    let last_go = game
        .transcript
        .iter()
        .rev()
        .find(|spoken| spoken.direction == Direction::ToEngine && spoken.text.starts_with("go"));
    let go = last_go.map_or("go movetime 1000", |spoken| spoken.text.as_str());
    let _ = write!(text, "ucinewgame\nisready\n{}\n{go}\n", game.played.position_command);
    text
}
