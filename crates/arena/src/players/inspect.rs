//! Checks the engines before a match: do they start, what are their names, do they accept their options.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::Engine;
use uci::OptionKind;
use uci::client::{Identity, Tap};

use super::factory::named;
use crate::config::{EngineConfig, EngineIdentity, EngineKind, MatchConfig};
use crate::players::{InProcessPlayer, PlayerError, ProcessPlayer};
use support::suggest::nearest;

/// Starts every engine once, names those without a name, and returns warnings about options. Setting `interrupt` ends it.
///
/// # Errors
/// An engine does not start.
pub fn inspect_engines(
    config: &mut MatchConfig,
    tap: Option<&Tap>,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<String>, PlayerError> {
    let mut warnings = Vec::new();
    for engine in &mut config.engines {
        if engine.kind == EngineKind::InProcess {
            if engine.name.is_empty() {
                engine.name.push_str("Vedette");
            }
            InProcessPlayer::new(engine, config.chess960)?;
            let mut identity = Identity { name: "Vedette".to_owned(), ..Identity::default() };
            identity.options = Engine::option_declarations().cloned().collect();
            engine.identity = identity_of(engine, &identity);
            continue;
        }
        let listener = tap.map(|listener| named(listener, engine));
        let flag = Arc::clone(interrupt);
        let player = ProcessPlayer::start(engine, config.chess960, config.timeouts, flag, listener)?;
        let identity = player.identity();
        if engine.name.is_empty() {
            engine.name = name_of(engine, identity);
        }
        engine.identity = identity_of(engine, identity);
        warnings.extend(option_warnings(engine, identity));
        if config.chess960 && identity.option("UCI_Chess960").is_none() {
            warnings.push(format!("{} does not declare UCI_Chess960", engine.name));
        }
        player.quit();
    }
    disambiguate(&mut config.engines);
    Ok(warnings)
}

fn name_of(engine: &EngineConfig, identity: &Identity) -> String {
    if !identity.name.is_empty() {
        return identity.name.clone();
    }
    let stem = std::path::Path::new(&engine.command).file_stem();
    stem.map_or_else(|| engine.command.clone(), |stem| stem.to_string_lossy().into_owned())
}

fn identity_of(engine: &EngineConfig, reported: &Identity) -> EngineIdentity {
    let value = |name: &str| {
        let declared = reported.option(name)?;
        let set = engine.options.iter().rev().find(|option| option.0.eq_ignore_ascii_case(name));
        let at_start = || match &declared.kind {
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
            OptionKind::Check { .. } | OptionKind::Button => None,
        };
        set.map(|option| option.1.clone()).or_else(at_start)
    };
    EngineIdentity {
        name: reported.name.clone(),
        author: reported.author.clone(),
        threads: value("Threads"),
        hash: value("Hash"),
    }
}

/// Options that the engine does not have or does not accept: a test of them would test nothing.
pub fn option_warnings(engine: &EngineConfig, identity: &Identity) -> Vec<String> {
    let warning = |(name, value): &(String, String)| match identity.option(name) {
        None => {
            let known = identity.options.iter().map(|option| option.name.as_str());
            let meant = nearest(name, known).map_or(String::new(), |near| format!("; did you mean {near}?"));
            Some(format!("{} doesn't have option {name}{meant}", engine.name))
        }
        Some(option) => {
            let error = option.value(Some(value)).err()?;
            Some(format!("Invalid value for option {}; {value} ({}: {error})", option.name, engine.name))
        }
    };
    engine.options.iter().filter_map(warning).collect()
}

/// Numbers engines with equal names as fastchess does: the second is `NAME_2`.
fn disambiguate(engines: &mut [EngineConfig]) {
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for (i, engine) in engines.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == engine.name).count() > 1 {
            let rank = names[..=i].iter().filter(|name| **name == names[i]).count();
            if rank > 1 {
                engine.name = format!("{}_{rank}", names[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{EngineLine, parse_engine_line};

    #[test]
    fn equal_names_get_numbers() {
        let mut engines =
            ["A", "B", "A"].map(|name| EngineConfig { name: name.into(), ..EngineConfig::default() });
        disambiguate(&mut engines);
        assert_eq!(engines.map(|engine| engine.name), ["A", "B", "A_2"]);
    }

    #[test]
    fn unknown_and_invalid_options_warn() {
        let EngineLine::Option(hash) =
            parse_engine_line("option name Hash type spin default 16 min 1 max 1024")
        else {
            panic!("no option");
        };
        let identity = Identity { options: vec![hash], ..Identity::default() };
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let engine = EngineConfig {
            name: "E".into(),
            options: vec![set("hash", "64"), set("Hsh", "1"), set("Hash", "0")],
            ..EngineConfig::default()
        };
        let warnings = option_warnings(&engine, &identity);
        assert_eq!(warnings.len(), 2);
        assert_eq!(warnings[0], "E doesn't have option Hsh; did you mean Hash?");
        assert!(warnings[1].starts_with("Invalid value for option Hash; 0"), "{warnings:?}");
        assert!(warnings[1].contains("1..=1024"), "{warnings:?}");
    }
}
