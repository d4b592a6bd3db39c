//! Matches that end, are stopped, are killed, and go on.

use super::*;
use tempfile::{TempDir, tempdir};

/// Enough games to be stopped in the middle, few enough to be played to the end.
const PAIRS: u64 = 50;

/// The matches of a studio that begins to serve this folder.
fn matches(folder: &TempDir, engines: Vec<NamedEngine>) -> Matches {
    let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
    let options = vec![("Evaluation".to_owned(), "classical".to_owned())];
    Matches::new(options, engines, store, Arc::default())
}

fn asked(pairs: u64) -> MatchStart {
    let own = Contender::Own { elo: None, classical: true };
    MatchStart {
        engines: [own.clone(), own],
        pairs,
        clock: None,
        nodes: Some(50),
        concurrency: 1,
        sprt: None,
    }
}

fn begin(matches: &Matches, pairs: u64) -> Id {
    let begun = matches.start(&asked(pairs)).expect("free");
    Id::parse(begun["id"].as_str().expect("a name")).expect("a name")
}

fn wait(matches: &Matches) {
    while matches.bench.is_busy() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until so many games are on the disk; the match must not be over by then.
fn wait_for_games(matches: &Matches, id: &Id, games: usize) {
    let lines = || matches.store.read(Shelf::Matches, id, STATE).unwrap_or_default();
    // One line is for the match itself.
    while lines().split(|&byte| byte == b'\n').count() < games + 2 {
        assert!(matches.bench.is_busy(), "over too soon");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_match_that_was_stopped_goes_on_and_ends_with_every_game_once() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let id = begin(&matches, PAIRS);
    wait_for_games(&matches, &id, 1);
    assert!(matches.remove(&id).is_err(), "not while it is played");
    matches.stop();
    wait(&matches);
    let stopped = matches.open(&id).expect("there");
    assert_eq!((&stopped["over"], &stopped["resumable"]), (&json!("stopped"), &json!(true)));
    let played = stopped["report"]["games"].as_u64().expect("a number");
    assert!((1..2 * PAIRS).contains(&played), "{played}");

    // The machine went down after a game was written, and before it was counted.
    let pgn = matches.store.path(Shelf::Matches, &id, "pgn");
    let text = std::fs::read_to_string(&pgn).expect("there");
    std::fs::write(&pgn, format!("{text}[White \"half a game\"]\n\n1. e4 *\n\n")).expect("writable");
    let again = self::matches(&folder, Vec::new());
    again.resume(&id).expect("something to go on with");
    wait(&again);
    let done = again.open(&id).expect("there");
    assert_eq!((&done["over"], &done["resumable"]), (&json!("finished"), &json!(false)));
    assert_eq!(
        (&done["report"]["games"], done["games"].as_array().map(Vec::len)),
        (&json!(2 * PAIRS), Some(100))
    );
    let text = std::fs::read_to_string(&pgn).expect("there");
    assert_eq!(PgnReader::new(&text).count() as u64, 2 * PAIRS);
    assert!(!text.contains("half a game"));
    let first = &done["games"][0];
    assert!(
        first["reason"].as_str().is_some_and(|words| !words.is_empty() && !words.contains('/')),
        "{first}"
    );
    assert!(again.resume(&id).is_err(), "nothing is left");
    again.remove(&id).expect("removed");
    assert!(again.open(&id).is_none());
}

#[test]
fn a_match_whose_studio_was_killed_is_shown_as_interrupted() {
    let (folder, other) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let matches = matches(&folder, Vec::new());
    let id = begin(&matches, PAIRS);
    wait_for_games(&matches, &id, 2);
    // What a killed studio leaves behind: copied while the match goes on.
    let left = self::matches(&other, Vec::new());
    for ending in ["json", "pgn", STATE] {
        let bytes = matches.store.read(Shelf::Matches, &id, ending).expect("there");
        left.store.write(Shelf::Matches, &id, ending, &bytes).expect("writable");
    }
    let shown = &left.list()[0];
    assert_eq!((&shown["over"], &shown["resumable"]), (&json!("interrupted"), &json!(true)));
    matches.stop();
    wait(&matches);
}

#[test]
fn only_engines_that_the_user_named_are_started_again() {
    let rival = NamedEngine { name: "Rival".to_owned(), command: "/no/such/engine --uci".to_owned() };
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, vec![rival]);
    let config = matches
        .config(&MatchStart { engines: [Contender::Named(0), Contender::Named(0)], ..asked(2) })
        .expect("a plan");
    let id = matches.store.new_id();
    let request = serde_json::json!({"version": 2, "request": {
        "config": config, "output": arena::cli::OutputConfig::default(),
        "saving": arena::cli::SaveConfig::default(), "log": null,
    }});
    matches.store.write(Shelf::Matches, &id, STATE, format!("{request}\n").as_bytes()).expect("writable");
    let other = self::matches(&folder, Vec::new());
    let refused = other.resume(&id).expect_err("nobody named it");
    assert!(refused.contains("--engine \"Rival=/no/such/engine --uci\""), "{refused}");
    matches.resume(&id).expect("named");
    wait(&matches);
    let over = matches.open(&id).expect("there");
    assert!(over["over"].as_str().is_some_and(|words| words.contains("/no/such/engine")), "{over}");
}

/// A script that speaks UCI, and does this when it is told to go.
#[cfg(unix)]
fn script(folder: &TempDir, name: &str, go: &str) -> NamedEngine {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.path().join(name);
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do\n  case \"$word\" in\n    uci) echo uciok;;\n    isready) echo readyok;;\n    \
         go) {go};;\n    quit) exit;;\n  esac\ndone\n"
    );
    std::fs::write(&path, text).expect("writable");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    NamedEngine { name: name.to_owned(), command: path.display().to_string() }
}

#[cfg(unix)]
#[test]
fn an_engine_that_does_not_count_nodes_is_named_before_the_first_game() {
    let folder = tempdir().expect("a folder");
    let engines = [("Deaf", ":"), ("Quick", "echo bestmove e2a6")];
    let matches = matches(&folder, engines.map(|(name, go)| script(&folder, name, go)).to_vec());
    let wait = Duration::from_millis(300);
    let check = |engine: usize, asked: MatchStart| {
        let own = Contender::Own { elo: None, classical: true };
        let engines = [own, Contender::Named(engine)];
        let config = matches.config(&MatchStart { engines, ..asked }).expect("a plan");
        obedience::check(&config, wait, &Arc::default())
    };
    let said = check(0, asked(1)).expect_err("it never answers");
    assert!(said.contains("Deaf did not answer \"go nodes 50\"") && said.contains("clock"), "{said}");
    assert_eq!(check(1, asked(1)), Ok(()));
    let clock = MatchStart { clock: Some("1+0.1".to_owned()), ..asked(1) };
    assert_eq!(check(0, clock), Ok(()), "where a clock runs there is nothing to find out");
    // Whoever does not want to wait for it can stop the match meanwhile.
    let engines = [Contender::Own { elo: None, classical: true }, Contender::Named(0)];
    let begun = matches.start(&MatchStart { engines, ..asked(1) }).expect("free");
    let id = Id::parse(begun["id"].as_str().expect("a name")).expect("a name");
    while matches.current()["preparing"] != true {
        std::thread::sleep(Duration::from_millis(5));
    }
    matches.stop();
    self::wait(&matches);
    assert_eq!(matches.open(&id).expect("kept")["over"], "stopped");
}

#[test]
fn a_book_that_needs_chess960_is_refused_as_it_is_by_the_command_line() {
    let folder = tempdir().expect("a folder");
    let matches = matches(&folder, Vec::new());
    let id = matches.store.new_id();
    let book = folder.path().join("960.epd");
    std::fs::write(&book, "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\n").expect("writable");
    let mut config = matches.config(&asked(1)).expect("a plan");
    config.openings = Some(OpeningConfig { file: Some(book), ..own_book() });
    matches.play(&id, config).run(Vec::new(), &Arc::default());
    let over = matches.open(&id).expect("kept");
    assert!(over["over"].as_str().is_some_and(|words| words.contains("Chess960")), "{over}");
}
