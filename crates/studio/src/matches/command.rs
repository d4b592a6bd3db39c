//! A match as a command line of `vedette match`.

use arena::config::{EngineConfig, EngineKind, MatchConfig, OpeningConfig};
use arena::schedule::Tournament;
use record::adjudication::{DrawRule, ResignRule};
use support::shell::quoted;

/// The command line. Openings are drawn with another seed, unless the configuration has one that counts.
pub fn command_of(config: &MatchConfig) -> String {
    let mut words = vec!["vedette".to_owned(), "match".to_owned()];
    let mut add = |option: &str, values: &[String]| {
        words.push(option.to_owned());
        words.extend(values.iter().map(|value| quoted(value)));
    };
    for engine in &config.engines {
        add("-engine", &engine_words(engine));
    }
    let schedule = &config.schedule;
    if matches!(schedule.tournament, Tournament::Gauntlet { .. }) {
        add("-tournament", &["gauntlet".to_owned()]);
    }
    if config.chess960 {
        add("-variant", &["fischerandom".to_owned()]);
    }
    match &config.openings {
        None => add("-openings", &["file=startpos".to_owned()]),
        Some(OpeningConfig { file: Some(file), plies, .. }) => {
            let mut words =
                vec![format!("file={}", file.display()), "format=pgn".to_owned(), "order=random".to_owned()];
            words.extend(plies.map(|plies| format!("plies={plies}")));
            add("-openings", &words);
        }
        Some(_) => {}
    }
    add("-rounds", &[schedule.rounds.to_string()]);
    add("-games", &[schedule.games.to_string()]);
    add("-concurrency", &[config.concurrency.to_string()]);
    if let Some(test) = &config.sprt {
        let (elo0, elo1) = test.hypotheses();
        let alpha = super::ALPHA;
        let bounds = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", alpha)];
        let values: Vec<String> = bounds.iter().map(|(name, value)| format!("{name}={value}")).collect();
        add("-sprt", &values);
    }
    if let Some(DrawRule { move_number, move_count, score }) = &config.rules.draw {
        add(
            "-draw",
            &[
                format!("movenumber={move_number}"),
                format!("movecount={move_count}"),
                format!("score={score}"),
            ],
        );
    }
    if let Some(ResignRule { move_count, score, two_sided }) = &config.rules.resign {
        add(
            "-resign",
            &[format!("movecount={move_count}"), format!("score={score}"), format!("twosided={two_sided}")],
        );
    }
    if let Some(moves) = config.rules.max_moves {
        add("-maxmoves", &[moves.to_string()]);
    }
    add("-recover", &[]);
    words.join(" ")
}

fn engine_words(engine: &EngineConfig) -> Vec<String> {
    let mut words = match engine.kind {
        EngineKind::InProcess => vec!["proto=inprocess".to_owned()],
        EngineKind::Process => vec![format!("cmd={}", engine.command)],
    };
    words.push(format!("name={}", engine.name));
    words.extend(engine.arguments.iter().map(|argument| format!("arg={argument}")));
    words.extend(engine.options.iter().map(|(name, value)| format!("option.{name}={value}")));
    if let Some(clock) = engine.limits.clock {
        words.push(format!("tc={clock}"));
    }
    if let Some(nodes) = engine.limits.nodes {
        words.push(format!("nodes={nodes}"));
    }
    words
}
