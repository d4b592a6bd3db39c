//! Matches that finish, are stopped, are killed, and are resumed.

use super::run::STATE;
use super::*;
use std::path::{Path, PathBuf};

use support::files::faults::{Survival, every_crash};
use tempfile::{TempDir, tempdir};
use tokio::sync::mpsc::error::TryRecvError;

use crate::clients::MessageQueue;
use crate::engines::ExternalEngine;
use crate::protocol::{EngineOptions, GameCounts};

/// Enough games to be stopped in the middle, few enough to be played to the end.
const PAIRS: u64 = 50;

fn matches(folder: &TempDir, engines: Vec<ExternalEngine>) -> Matches {
    matches_of(Store::open(folder.path().to_owned()).expect("a folder"), engines)
}

fn matches_of(store: Store, engines: Vec<ExternalEngine>) -> Matches {
    let store = Arc::new(store);
    let options = vec![("Evaluation".to_owned(), "classical".to_owned())];
    let engines = Engines::new(engines, PathBuf::from("/no/such/folder"), Vec::new());
    Matches::new(options, Arc::new(engines), store, Arc::default())
}

fn asked(pairs: u64) -> MatchStart {
    let own = MatchEngine::Vedette { elo: None, classical: true };
    MatchStart {
        engines: vec![entrant(own.clone()), entrant(own)],
        gauntlet: false,
        pairs,
        clock: None,
        nodes: Some(50),
        concurrency: 1,
        sprt: None,
        openings: MatchOpenings::BuiltIn,
        draw: Some(DrawAdjudication { from_move: 40, moves: 8, score: 10 }),
        resign: Some(ResignAdjudication { moves: 3, score: 600 }),
        max_moves: Some(300),
    }
}

fn entrant(engine: MatchEngine) -> Entrant {
    Entrant { engine, options: EngineOptions::default() }
}

fn begin(matches: &Matches, pairs: u64) -> Id {
    matches.start(&asked(pairs)).expect("free")
}

fn wait(matches: &Matches) {
    while matches.slot.is_busy() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until this many games are on the disk; the match must not be over by then.
fn wait_for_games(matches: &Matches, id: &Id, games: usize) {
    let lines = || matches.store.read(Collection::Matches, id, STATE).unwrap_or_default();
    // One line is for the match itself.
    while lines().split(|&byte| byte == b'\n').count() < games + 2 {
        assert!(matches.slot.is_busy(), "over too soon");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn stopped_match_resumes_and_plays_every_game_once() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let id = begin(&matches, PAIRS);
    wait_for_games(&matches, &id, 1);
    assert!(matches.remove(&id).is_err(), "not while it is running");
    matches.stop();
    wait(&matches);
    let stopped = matches.open(&id).expect("there");
    assert_eq!((stopped.summary.over.as_deref(), stopped.summary.resumable), (Some("stopped"), true));
    let played = stopped.summary.report.games;
    assert!((1..2 * PAIRS).contains(&played), "{played}");

    // The machine went down after a game was written, and before it was counted.
    let pgn = matches.store.path(Collection::Matches, &id, "pgn");
    let text = std::fs::read_to_string(&pgn).expect("there");
    std::fs::write(&pgn, format!("{text}[White \"half a game\"]\n\n1. e4 *\n\n")).expect("writable");
    let again = self::matches(&folder, Vec::new());
    again.resume(id.clone()).expect("something to resume");
    wait(&again);
    let done = again.open(&id).expect("there");
    assert_eq!((done.summary.over.as_deref(), done.summary.resumable), (Some("finished"), false));
    assert_eq!((done.summary.report.games, done.games.len()), (2 * PAIRS, 100));
    let text = std::fs::read_to_string(&pgn).expect("there");
    assert_eq!(PgnReader::new(&text).count() as u64, 2 * PAIRS);
    assert!(!text.contains("half a game"));
    let first = &done.games[0];
    assert!(!first.reason.is_empty() && !first.reason.contains('/'), "{first:?}");
    assert!(again.resume(id.clone()).is_err(), "nothing is left");
    again.remove(&id).expect("removed");
    assert!(again.open(&id).is_none());
}

#[test]
fn killed_match_is_shown_as_interrupted() {
    let (folder, other) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let matches = matches(&folder, Vec::new());
    let id = begin(&matches, PAIRS);
    wait_for_games(&matches, &id, 2);
    // What a killed studio leaves behind: copied while the match is running.
    let left = self::matches(&other, Vec::new());
    for ending in ["json", "pgn", STATE] {
        let bytes = matches.store.read(Collection::Matches, &id, ending).expect("there");
        left.store.write(Collection::Matches, &id, ending, &bytes).expect("writable");
    }
    let shown = &left.list()[0];
    assert_eq!((shown.over.as_deref(), shown.resumable), (Some("interrupted"), true));
    // The same, before the match was saved.
    left.store.write(Collection::Matches, &id, STATE, b"").expect("writable");
    assert!(!left.list()[0].resumable);
    matches.stop();
    wait(&matches);
}

#[test]
fn only_known_engines_are_started_on_resume() {
    let rival = ExternalEngine { name: "Rival".to_owned(), command: "/no/such/engine --uci".to_owned() };
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, vec![rival]);
    let config = matches
        .config(&MatchStart {
            engines: [(); 2].map(|()| entrant(MatchEngine::External("Rival".to_owned()))).to_vec(),
            ..asked(2)
        })
        .expect("a plan");
    let id = matches.store.new_id();
    let request = serde_json::json!({"version": 2, "request": {
        "config": config, "output": arena::cli::OutputConfig::default(),
        "saving": arena::cli::SaveConfig::default(), "log": null,
    }});
    matches
        .store
        .write(Collection::Matches, &id, STATE, format!("{request}\n").as_bytes())
        .expect("writable");
    let other = self::matches(&folder, Vec::new());
    let refused = other.resume(id.clone()).expect_err("not among the engines").to_string();
    assert!(refused.contains("engine add \"Rival\" /no/such/engine --uci"), "{refused}");
    matches.resume(id.clone()).expect("known");
    wait(&matches);
    let over = matches.open(&id).expect("there").summary.over;
    assert!(over.as_ref().is_some_and(|reason| reason.contains("/no/such/engine")), "{over:?}");
}

/// A UCI engine as a script, with its response to `go`.
#[cfg(unix)]
fn script(folder: &TempDir, name: &str, go: &str) -> ExternalEngine {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.path().join(name);
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do\n  case \"$word\" in\n    uci) echo uciok;;\n    isready) echo readyok;;\n    \
         go) {go};;\n    quit) exit;;\n  esac\ndone\n"
    );
    std::fs::write(&path, text).expect("writable");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    ExternalEngine { name: name.to_owned(), command: path.display().to_string() }
}

#[cfg(unix)]
#[test]
fn missing_node_limit_support_is_reported_before_the_first_game() {
    let folder = tempdir().expect("a folder");
    let engines = [("Deaf", ":"), ("Quick", "echo bestmove e2a6")];
    let matches = matches(&folder, engines.map(|(name, go)| script(&folder, name, go)).to_vec());
    let check = |engine: &str, asked: MatchStart, wait: Duration| {
        let own = MatchEngine::Vedette { elo: None, classical: true };
        let engines = [own, MatchEngine::External(engine.to_owned())].map(entrant).to_vec();
        let config = matches.config(&MatchStart { engines, ..asked }).expect("a plan");
        node_limit::check(&config, wait, &Arc::default())
    };
    let said = check("Deaf", asked(1), Duration::from_millis(300)).expect_err("it never answers");
    assert!(said.contains("Deaf did not answer \"go nodes 50\"") && said.contains("clock"), "{said}");
    assert_eq!(check("Quick", asked(1), Duration::from_mins(2)), Ok(()));
    let clock = MatchStart { clock: Some("1+0.1".to_owned()), ..asked(1) };
    assert_eq!(
        check("Deaf", clock, Duration::ZERO),
        Ok(()),
        "where a clock runs there is nothing to find out"
    );
    // The match can still be stopped.
    let engines =
        [MatchEngine::Vedette { elo: None, classical: true }, MatchEngine::External("Deaf".to_owned())]
            .map(entrant)
            .to_vec();
    let (_, mut queue) = matches.clients.connect().expect("room");
    let id = matches.start(&MatchStart { engines, ..asked(1) }).expect("free");
    while !matches.current().is_some_and(|state| state.summary.preparing) {
        std::thread::sleep(Duration::from_millis(5));
    }
    matches.stop();
    self::wait(&matches);
    assert_eq!(reason(&mut queue).as_deref(), Some("stopped"));
    assert!(matches.open(&id).is_none(), "nothing was played");
}

#[test]
fn chess960_book_is_refused() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let book = folder.path().join("960.epd");
    std::fs::write(&book, "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\n").expect("writable");
    let mut config = matches.config(&asked(1)).expect("a plan");
    config.openings = Some(OpeningConfig { file: Some(book), ..builtin_book() });
    let (_, mut queue) = matches.clients.connect().expect("room");
    matches.begin(matches.store.new_id(), config, None).expect("free");
    wait(&matches);
    let over = reason(&mut queue);
    assert!(over.as_ref().is_some_and(|reason| reason.contains("Chess960")), "{over:?}");
    assert!(matches.list().is_empty(), "nothing was played");
}

/// Why the last match ended, as a page learns it.
fn reason(queue: &mut MessageQueue) -> Option<String> {
    loop {
        match queue.try_recv() {
            Ok(message) => {
                let event: serde_json::Value = serde_json::from_str(&message).expect("JSON");
                if let Some(over) = event["content"]["over"].as_str() {
                    return Some(over.to_owned());
                }
            }
            // The last event comes after the slot is free.
            Err(TryRecvError::Empty) => std::thread::sleep(Duration::from_millis(5)),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
}

/// Plays a match of two games to the end, from the start or from where it was interrupted.
fn play(folder: &Path) -> Result<(), String> {
    let store = Store::open(folder.join("data")).map_err(|error| error.to_string())?;
    let matches = matches_of(store, Vec::new());
    let listed = matches.list();
    let mut id = listed.first().map(|summary| summary.id.clone());
    match &listed[..] {
        [known] if known.resumable => {
            matches.resume(known.id.clone()).map_err(|error| error.to_string())?;
        }
        [known] if known.over.as_deref() == Some("finished") => {}
        // Interrupted before the first game could be saved.
        [known] => {
            assert_eq!(known.report.games, 0);
            matches.remove(&known.id).map_err(|error| error.to_string())?;
            id = None;
        }
        _ => assert!(listed.is_empty()),
    }
    let id = match id {
        Some(id) => id,
        None => matches.start(&asked(1)).map_err(|error| error.to_string())?,
    };
    wait(&matches);
    let state = matches.open(&id).ok_or("not saved")?;
    if (state.summary.over.as_deref(), state.summary.resumable) != (Some("finished"), false) {
        return Err(format!("{:?}", state.summary));
    }
    let pgn = matches.store.read(Collection::Matches, &id, "pgn").map_err(|error| error.to_string())?;
    let games = PgnReader::new(&String::from_utf8_lossy(&pgn)).count();
    assert_eq!((state.summary.report.games, state.games.len(), games), (2, 2, 2));
    Ok(())
}

#[test]
#[ignore = "hundreds of matches"]
fn crash_costs_no_match() {
    let root = tempdir().expect("a folder");
    let count = every_crash(
        root.path(),
        &[Survival::KILLED, Survival::SYNCED],
        |_| (),
        play,
        |folder, point| play(folder).unwrap_or_else(|error| panic!("{point}: {error}")),
    );
    println!("studio, matches: {count} crashes");
}

/// The words of a command line as a shell reads them.
fn words(command: &str) -> Vec<String> {
    support::shell::split_arguments(command)
}

#[test]
fn command_line_plays_the_same_match() {
    let folder = tempdir().expect("a folder");
    let rival = ExternalEngine { name: "Old one".to_owned(), command: "/opt/old --uci \"a b\"".to_owned() };
    let matches = matches(&folder, vec![rival]);
    let clock = MatchStart {
        engines: vec![
            Entrant {
                engine: MatchEngine::Vedette { elo: Some(1200), classical: false },
                options: EngineOptions(vec![("Hash".to_owned(), "32".to_owned())]),
            },
            Entrant {
                engine: MatchEngine::External("Old one".to_owned()),
                options: EngineOptions(vec![("Own Book".to_owned(), "false".to_owned())]),
            },
        ],
        nodes: None,
        clock: Some("10+0.1".to_owned()),
        sprt: Some([-2.5, 5.0]),
        concurrency: 1,
        ..asked(300)
    };
    let id = matches.store.new_id();
    matches.store.write(Collection::Imported, &id, "pgn", b"1. e4 e5 2. Nf3 *\n").expect("written");
    let three = || (0..3).map(|_| entrant(MatchEngine::Vedette { elo: None, classical: true })).collect();
    for start in [
        asked(5),
        MatchStart { draw: None, resign: None, max_moves: None, ..asked(7) },
        MatchStart { openings: MatchOpenings::Standard, ..asked(1) },
        MatchStart { openings: MatchOpenings::Chess960, ..asked(1) },
        MatchStart { openings: MatchOpenings::Imported { id, plies: 3 }, ..asked(1) },
        MatchStart { engines: three(), ..asked(1) },
        MatchStart { engines: three(), gauntlet: true, ..asked(1) },
        clock,
    ] {
        let config = matches.config(&start).expect("valid");
        let command = command_of(&config);
        let words = words(&command);
        assert_eq!(words[..2], ["vedette", "match"], "{command}");
        let mut read =
            arena::cli::parse(&words[2..]).unwrap_or_else(|error| panic!("{command}: {error}")).config;
        read.seed = config.seed;
        read.fault_reports = None;
        read.event.clone_from(&config.event);
        read.site.clone_from(&config.site);
        assert_eq!(read, config, "{command}");
    }
}

#[test]
fn options_are_numbers_or_switches() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let with = |name: &str, value: &str| MatchStart {
        engines: vec![
            Entrant {
                options: EngineOptions(vec![(name.to_owned(), value.to_owned())]),
                ..asked(1).engines[0].clone()
            },
            asked(1).engines[1].clone(),
        ],
        ..asked(1)
    };
    let config = matches.config(&with(" Hash ", "16")).expect("valid");
    assert!(config.engines[0].options.contains(&("Hash".to_owned(), "16".to_owned())));
    for (name, value) in
        [("", "1"), ("a\nquit", "1"), ("Debug Log File", "/etc/x"), ("Hash", "16\nquit"), ("x=y", "1")]
    {
        assert!(matches.config(&with(name, value)).is_err(), "{name:?} {value:?}");
    }
}

#[test]
fn pages_see_the_boards() {
    let folder = tempdir().expect("a folder");
    let clients = Arc::new(Clients::default());
    let (_, mut queue) = clients.connect().expect("room");
    let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
    let engines = Engines::new(Vec::new(), PathBuf::from("/no/such/folder"), Vec::new());
    let options = vec![("Evaluation".to_owned(), "classical".to_owned())];
    let matches = Matches::new(options, Arc::new(engines), store, clients);
    begin(&matches, 1);
    let (mut boards, mut last) = (0, None);
    loop {
        let Ok(text) = queue.try_recv() else {
            std::thread::sleep(Duration::from_millis(2));
            continue;
        };
        let event: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        match event["event"].as_str() {
            Some("live-games") => {
                let games = event["content"].as_array().expect("a list");
                boards += games.len();
                assert!(games.iter().all(|game| game["plies"].as_u64() > Some(0)), "{event}");
                last = Some(games.len());
            }
            Some("match") if event["content"]["over"].is_string() => {
                let pairs = event["content"]["report"]["encounters"][0]["pairs"].clone();
                assert_eq!(
                    pairs.as_array().expect("five").iter().filter_map(serde_json::Value::as_u64).sum::<u64>(),
                    1
                );
                break;
            }
            _ => {}
        }
    }
    assert!(boards > 0 && last == Some(0), "{boards} {last:?}");
}

#[test]
fn more_than_two_engines_play_each_other() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let engines: Vec<Entrant> =
        (0..3).map(|_| entrant(MatchEngine::Vedette { elo: None, classical: true })).collect();
    let sprt = MatchStart { engines: engines.clone(), sprt: Some([0.0, 5.0]), ..asked(1) };
    assert!(matches.start(&sprt).is_err(), "a test compares two");
    assert!(matches.start(&MatchStart { engines: engines[..1].to_vec(), ..asked(1) }).is_err());
    let mut reports = Vec::new();
    for gauntlet in [false, true] {
        let id = matches.start(&MatchStart { engines: engines.clone(), gauntlet, ..asked(1) }).expect("free");
        wait(&matches);
        reports.push(matches.open(&id).expect("saved").summary.report);
    }
    let names: Vec<&str> = reports[0].engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["Vedette classical", "Vedette classical (2)", "Vedette classical (3)"]);
    let meetings = |report: &crate::protocol::MatchReport| -> Vec<[usize; 2]> {
        report.encounters.iter().map(|encounter| encounter.players).collect()
    };
    assert_eq!(meetings(&reports[0]), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(meetings(&reports[1]), [[0, 1], [0, 2]]);
    assert_eq!((reports[0].games, reports[1].games), (6, 4));
    for report in &reports {
        let games = |index: usize| {
            let GameCounts { wins, draws, losses } = report.engines[index].games;
            wins + draws + losses
        };
        assert_eq!((0..3).map(games).sum::<u64>(), 2 * report.games);
        assert!(report.engines.iter().all(|engine| engine.elo.is_some() && engine.elo_error.is_some()));
    }
}

#[test]
fn openings_are_chosen() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let id = matches.store.new_id();
    matches.store.write(Collection::Imported, &id, "pgn", b"1. a4 h5 2. Ra3 Rh6 *\n").expect("written");
    let start_of = |openings: MatchOpenings| {
        let id = matches.start(&MatchStart { openings, ..asked(1) }).expect("free");
        wait(&matches);
        let pgn = matches.game(&id, 0).expect("a game");
        PgnReader::new(&pgn).next().expect("a game")
    };
    let book = start_of(MatchOpenings::Imported { id, plies: 3 });
    let moves: Vec<&str> = book.moves.iter().take(3).map(|mv| mv.san.as_str()).collect();
    assert_eq!(moves, ["a4", "h5", "Ra3"]);
    assert_eq!(start_of(MatchOpenings::Standard).tag("FEN"), None);
    assert_eq!(start_of(MatchOpenings::Chess960).tag("Variant"), Some("Chess960"));
    let gone = MatchOpenings::Imported { id: Id::parse("gone").expect("a name"), plies: 8 };
    assert!(matches!(matches.start(&MatchStart { openings: gone, ..asked(1) }), Err(RequestError::NotFound)));
}

#[test]
fn rules_have_bounds() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let draw = |from_move, moves, score| MatchStart {
        draw: Some(DrawAdjudication { from_move, moves, score }),
        ..asked(1)
    };
    for start in [
        draw(u32::MAX, 8, 10),
        draw(40, u32::MAX, 10),
        draw(40, 0, 10),
        draw(40, 8, -1),
        MatchStart { resign: Some(ResignAdjudication { moves: 3, score: i32::MAX }), ..asked(1) },
        MatchStart { max_moves: Some(0), ..asked(1) },
    ] {
        let refused = matches.config(&start).expect_err("out of bounds").to_string();
        assert!(refused.starts_with("invalid"), "{refused}");
    }
}

/// Files of earlier versions have two engines, and say less about them.
#[test]
fn matches_of_earlier_versions_are_read() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let id = matches.store.new_id();
    let old = serde_json::json!({
        "id": id, "over": "finished", "resumable": false, "clock": "nodes=50", "curve": [], "games": [],
        "report": {
            "games": 2, "games_planned": 2, "engines": [{"name": "A"}, {"name": "B"}], "sprt": null,
            "encounters": [{"games": {"wins": 1, "draws": 0, "losses": 1}, "estimate": null}],
        },
    });
    matches.store.write(Collection::Matches, &id, "json", old.to_string().as_bytes()).expect("written");
    let report = matches.open(&id).expect("readable").summary.report;
    assert_eq!((report.engines[1].name.as_str(), report.encounters[0].players), ("B", [0, 1]));
}
