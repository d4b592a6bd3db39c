//! Matches against a zoo of broken engines: every match survives and reports the fault.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::cli::{self, MatchOptions};
use arena::openings::OpeningSource;
use arena::output::MatchRecorder;
use arena::players::inspect_engines;
use arena::results::{GameSummary, Tally};
use arena::saved::{OutputLengths, SavedMatch, StateFile};
use arena::{Arena, Conclusion, MatchConfig, MatchEvent};
use record::game_end::Termination;
use support::shell::split_arguments;
use tempfile::{TempDir, tempdir};

/// Timeout: long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(2);

const ZOO: &str = env!("CARGO_BIN_EXE_engine-zoo");

/// A match between a sound engine and one of the given kind; `options` are added to the command line.
fn request(kind: &str, options: &str, folder: &TempDir) -> MatchOptions {
    let line = format!(
        "-engine cmd={ZOO} name=Sound args=sound -engine cmd={ZOO} name=Wild \"args={kind}\" \
         -each tc=20 timemargin=150 -rounds 2 -recover -maxmoves 20 -srand 3 \
         -faults {} -config outname={} discard=true {options}",
        folder.path().join("faults").display(),
        folder.path().join("state.json").display()
    );
    let mut request = cli::parse(&split_arguments(&line)).expect("a valid command line");
    // The machine may be busy.
    request.config.timeouts.start = TIMEOUT;
    request.config.timeouts.late = TIMEOUT;
    request
}

fn config(kind: &str, options: &str, folder: &TempDir) -> MatchConfig {
    request(kind, options, folder).config
}

struct Played {
    tally: Tally,
    conclusion: Conclusion,
    games: Vec<GameSummary>,
    endings: Vec<String>,
    warnings: Vec<String>,
    reports: Vec<PathBuf>,
}

fn play(config: &MatchConfig, folder: &TempDir, finished: &[GameSummary]) -> Played {
    let request = MatchOptions { config: config.clone(), ..request("sound", "", folder) };
    let state = |output| {
        if finished.is_empty() {
            return StateFile::create(&request, output).map(|opened| opened.0);
        }
        StateFile::resume(&folder.path().join("state.json"), &request, finished, output)
    };
    let interrupt = AtomicBool::new(false);
    let arena = Arena::new(config, OpeningSource::from_config(config).expect("the book"), &interrupt);
    let mut recorder = MatchRecorder::open(config, finished.len(), state).expect("a writable folder");
    let (mut games, mut endings, mut warnings, mut reports) = (vec![], vec![], vec![], vec![]);
    let (tally, conclusion) = arena.run(finished, |event| {
        if let MatchEvent::Finished(game, _) = event {
            reports.extend(recorder.record(game).expect("a writable folder"));
            endings.push(game.played.ending.text.clone());
            warnings.extend(game.played.warnings.iter().map(|warning| warning.text.clone()));
            games.push(game.summary.clone());
        }
    });
    Played { tally, conclusion, games, endings, warnings, reports }
}

fn play_kind(kind: &str) -> (Played, TempDir) {
    let folder = tempdir().expect("a temporary folder");
    let mut config = config(kind, "", &folder);
    // Only engines that exceed their clock have little time, and they do so with their first move.
    if matches!(kind, "hangs 0" | "late 0" | "floods-lines 0") {
        config.engines[1].limits = self::config(kind, "-each tc=0.3", &folder).engines[1].limits;
    }
    if matches!(kind, "hangs 0" | "floods-lines 0") {
        config.timeouts.late = Duration::from_millis(300);
    }
    let result = play(&config, &folder, &[]);
    assert_eq!(result.conclusion, Conclusion::Complete, "{kind}");
    assert_eq!(result.games.len(), 4, "{kind}: {:?}", result.endings);
    (result, folder)
}

/// The wild engine loses all games in this way, and each leaves a fault report.
fn assert_fault(kind: &str, termination: Termination, text: &str) {
    let (result, _folder) = play_kind(kind);
    for (game, ending) in result.games.iter().zip(&result.endings) {
        assert_eq!((game.termination, game.culprit), (termination, Some(1)), "{kind}: {ending}");
        assert!(ending.contains(text), "{kind}: {ending}");
    }
    assert_eq!(result.tally.encounter(0, 1).games().wins, 4);
    assert_eq!(result.reports.len(), 4);
    let read = |name: &str| std::fs::read_to_string(result.reports[0].join(name)).expect("a report");
    assert!(read("what.txt").contains(text), "{kind}");
    assert!(read("replay.uci").contains("ucinewgame"), "{kind}");
}

/// The command of a fault report reproduces the fault in a shell.
#[cfg(unix)]
#[test]
fn fault_report_reproduces() {
    let (result, folder) = play_kind("illegal 0");
    let what = std::fs::read_to_string(result.reports[0].join("what.txt")).expect("a report");
    let command = what.lines().last().expect("the last line").replace("; sleep ", "; sleep 0.");
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("bestmove e2e5"), "{command}: {stdout}");
}

#[test]
fn sound_engines_finish_their_games() {
    let (result, folder) = play_kind("sound");
    assert!(result.games.iter().all(|game| !game.termination.is_fault()), "{:?}", result.endings);
    assert!(result.warnings.is_empty(), "{:?}", result.warnings);
    assert!(!folder.path().join("faults").exists());
    assert_eq!(result.tally.distinct().distinct, 4);
}

#[test]
fn hanging_engine_is_restarted() {
    assert_fault("hangs 0", Termination::Stall, "stalls");
}

/// There is always another line to read, but the clock runs.
#[test]
fn endless_output_does_not_stop_the_clock() {
    assert_fault("floods-lines 0", Termination::Stall, "stalls");
}

#[test]
fn crashed_engine_is_restarted() {
    assert_fault("dies", Termination::Disconnect, "exit status: 3");
}

#[test]
fn stderr_of_a_panic_is_kept() {
    let (result, _folder) = play_kind("panics");
    let stderr = std::fs::read_to_string(result.reports[0].join("stderr.txt")).expect("a report");
    assert!(stderr.contains("index out of bounds"), "{stderr}");
}

#[test]
fn ignored_node_limit_times_out() {
    let folder = tempdir().expect("a temporary folder");
    let mut config = config("babbles 0", "-each tc=inf nodes=10", &folder);
    config.timeouts.search = Duration::from_millis(300);
    let result = play(&config, &folder, &[]);
    assert!(result.games.iter().all(|game| game.termination == Termination::Stall), "{:?}", result.endings);
}

#[test]
fn late_move_loses_on_time() {
    assert_fault("late 0", Termination::Time, "loses on time");
}

#[test]
fn illegal_moves_lose() {
    assert_fault("illegal", Termination::IllegalMove, "illegal move: e2e5");
    assert_fault("nonsense-move", Termination::IllegalMove, "illegal move: castle");
    assert_fault("no-move", Termination::IllegalMove, "illegal move: (none)");
    assert_fault("empty-move", Termination::IllegalMove, "illegal move: (none)");
}

#[test]
fn garbage_huge_lines_and_floods() {
    for kind in ["garbage", "huge-lines", "huge-pv 0", "flood 0"] {
        let folder = tempdir().expect("a temporary folder");
        // No clock: reading a flood may take long on a busy machine.
        let result = play(&config(kind, "-each tc=inf nodes=1 -maxmoves 6", &folder), &folder, &[]);
        assert!(result.games.iter().all(|game| !game.termination.is_fault()), "{kind}: {:?}", result.endings);
        assert_eq!(result.games.len(), 4);
    }
}

#[test]
fn second_bestmove_is_not_the_next_reply() {
    for kind in ["two-moves", "second-move-later"] {
        let (result, _folder) = play_kind(kind);
        assert!(result.games.iter().all(|game| !game.termination.is_fault()), "{kind}: {:?}", result.endings);
        // The engine behaves for three moves, and the last reply of a game is followed by a new game.
        let moves = |game: &GameSummary| game.time[usize::from(game.white == 0)].moves as usize;
        let doubled = result.games.iter().map(moves).sum::<usize>() - 3 - result.games.len();
        let reported =
            result.warnings.iter().filter(|warning| warning.contains("1 unexpected bestmove")).count();
        assert_eq!(reported, doubled, "{kind}: {:?}", result.warnings);
    }
}

#[test]
fn illegal_pv_is_reported() {
    let (result, _folder) = play_kind("illegal-line");
    assert!(
        result.warnings.iter().any(|warning| warning.contains("Illegal PV move - move a1a1")),
        "{:?}",
        result.warnings
    );
    // One report per game.
    assert_eq!(result.reports.len(), 4);
    let read = |name: &str| std::fs::read_to_string(result.reports[0].join(name)).expect("a report");
    assert!(read("what.txt").contains("Illegal PV move - move a1a1"));
    assert!(read("transcript.txt").contains(" a1a1"));
    assert!(read("replay.uci").contains("\ngo "));
    let folder = tempdir().expect("a temporary folder");
    let strict = play(&config("illegal-line", "-strict", &folder), &folder, &[]);
    assert!(matches!(strict.conclusion, Conclusion::Fault(_)), "{:?}", strict.conclusion);
}

#[test]
fn inspection_reports_engines_that_do_not_start() {
    let folder = tempdir().expect("a temporary folder");
    for (kind, text) in [("dies-at-start", "engine exited (exit status: 1)"), ("silent-start", "uciok")] {
        let mut config = config(kind, "", &folder);
        if kind == "silent-start" {
            config.timeouts.start = Duration::from_millis(300);
        }
        let fault = inspect_engines(&mut config, None, &Arc::default()).expect_err(kind).to_string();
        assert!(fault.contains(text), "{fault}");
    }
    let mut missing = config("sound", "-engine cmd=/no/such/engine tc=1", &folder);
    let fault = inspect_engines(&mut missing, None, &Arc::default()).expect_err("no such file").to_string();
    assert!(fault.contains("/no/such/engine"), "{fault}");
}

#[test]
fn engine_that_does_not_start_loses() {
    assert_fault("dies-at-start", Termination::Disconnect, "disconnects");
}

#[test]
fn crash_between_games_loses_the_next() {
    let (result, _folder) = play_kind("dies-between-games 1000");
    assert!(
        result.games.iter().any(|game| game.termination == Termination::Disconnect),
        "{:?}",
        result.endings
    );
}

#[test]
fn ignored_quit_does_not_block() {
    let (result, _folder) = play_kind("ignores-quit 1000");
    assert!(result.games.iter().all(|game| !game.termination.is_fault()));
}

#[cfg(unix)]
#[test]
fn closed_stdout_loses() {
    let folder = tempdir().expect("a temporary folder");
    let script = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) exec >&-; sleep 5;; esac; done";
    let mut config = config("sound", "", &folder);
    config.engines[1].command = "/bin/sh".to_owned();
    config.engines[1].arguments = vec!["-c".to_owned(), script.to_owned()];
    let result = play(&config, &folder, &[]);
    assert!(
        result
            .games
            .iter()
            .all(|game| (game.termination, game.culprit) == (Termination::Disconnect, Some(1))),
        "{:?}",
        result.endings
    );
}

#[test]
fn crash_without_recover_ends_the_match() {
    let folder = tempdir().expect("a temporary folder");
    let mut config = config("dies", "", &folder);
    config.recover = false;
    let result = play(&config, &folder, &[]);
    assert!(matches!(&result.conclusion, Conclusion::Fault(reason) if reason.contains("disconnects")));
    assert_eq!(result.games.len(), 1);
}

#[test]
fn resumed_match_equals_uninterrupted() {
    let folder = tempdir().expect("a temporary folder");
    let mut config = config("sound", "-each tc=inf nodes=10 -rounds 3", &folder);
    config.pgn = Some(arena::config::PgnConfig {
        file: folder.path().join("games.pgn"),
        append: false,
        ..arena::config::PgnConfig::default()
    });
    config.engines.iter_mut().for_each(|engine| engine.restart = true);
    let whole = play(&config, &folder, &[]);
    let saved = SavedMatch::load(&folder.path().join("state.json")).expect("saved after every game");
    assert_eq!(saved.finished, whole.games);
    let rest = play(&saved.request.config, &folder, &saved.finished[..3]);
    assert_eq!(rest.games.len(), 3);
    assert_eq!(rest.tally.encounter(0, 1), whole.tally.encounter(0, 1));
    let digests = |games: &[GameSummary]| games.iter().map(|game| game.digest).collect::<Vec<_>>();
    assert_eq!(digests(&rest.games), digests(&whole.games[3..]));
    let pgn = std::fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    let games: Vec<_> = record::pgn::PgnReader::new(&pgn).collect();
    assert_eq!(games.len(), 9);
    assert!(games.iter().all(|game| game.replay(usize::MAX).is_ok()));
}

#[test]
fn identical_games_invalidate_the_match() {
    let folder = tempdir().expect("a temporary folder");
    let options = "-each tc=inf nodes=10 restart=on -openings file=startpos -rounds 3";
    let result = play(&config("sound", options, &folder), &folder, &[]);
    assert_eq!(result.tally.distinct().distinct, 1);
    assert!(!result.tally.distinct().is_valid());
}

/// Stops a match during its first game.
fn assert_stops(config: &MatchConfig) {
    let interrupt = AtomicBool::new(false);
    let arena = Arena::new(config, OpeningSource::from_config(config).expect("the book"), &interrupt);
    let (tally, conclusion) = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            interrupt.store(true, Ordering::Relaxed);
        });
        arena.run(&[], |_| {})
    });
    assert_eq!((tally.games(), conclusion), (0, Conclusion::Interrupted));
}

#[test]
fn interrupt_during_search() {
    let folder = tempdir().expect("a temporary folder");
    assert_stops(&config("hangs 1", "-each tc=60", &folder));
}

#[test]
fn interrupt_in_process_search() {
    let folder = tempdir().expect("a temporary folder");
    assert_stops(&config("sound", "-each proto=inprocess tc=600 option.Hash=1", &folder));
}

#[test]
fn concurrent_games_count_once() {
    let folder = tempdir().expect("a temporary folder");
    let result =
        play(&config("sound", "-rounds 10 -concurrency 3 -each tc=inf nodes=1", &folder), &folder, &[]);
    let mut indices: Vec<u64> = result.games.iter().map(|game| game.index).collect();
    indices.sort_unstable();
    assert_eq!(indices, (0..20).collect::<Vec<_>>());
    assert_eq!(result.tally.encounter(0, 1).pairs.pairs(), 10);
}

/// The lines of a saved match of one game.
fn saved_lines(folder: &TempDir) -> (PathBuf, Vec<String>) {
    let path = folder.path().join("state.json");
    play(&config("sound", "-each tc=inf nodes=1 -rounds 1 -maxmoves 4", folder), folder, &[]);
    let text = std::fs::read_to_string(&path).expect("saved after every game");
    (path, text.lines().map(str::to_owned).collect())
}

#[test]
fn broken_saved_match_is_rejected() {
    let folder = tempdir().expect("a temporary folder");
    let (path, lines) = saved_lines(&folder);
    assert_eq!(lines.len(), 3);
    let refused = |lines: &[String]| {
        std::fs::write(&path, lines.join("\n") + "\n").expect("a writable folder");
        SavedMatch::load(&path).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&lines), None);
    for (line, from, to, why) in [
        (0, "\"version\":2", "\"version\":1", "version 1"),
        (0, "\"engines\":2", "\"engines\":3", "does not match"),
        (0, "\"rounds\":1", "\"rounds\":0", "does not match"),
        (0, "{", "", "expected"),
        (1, "\"white_half_points\":", "\"white_half_points\":1", "more than one point"),
        (1, "\"culprit\":null", "\"culprit\":7", "did not play"),
        (1, "\"white\":0", "\"white\":5", "players differ"),
        (1, "\"index\":0", "\"index\":9", "not in the schedule"),
        (2, "\"index\":1", "\"index\":0", "players differ"),
        (1, "{", "", "line 2"),
    ] {
        let mut broken = lines.clone();
        broken[line] = broken[line].replacen(from, to, 1);
        assert_ne!(broken, lines, "{from}");
        let error = refused(&broken).unwrap_or_else(|| panic!("{to} was accepted"));
        assert!(error.contains(why), "{to}: {error}");
    }
    let twice = [&lines[..], &lines[1..2]].concat();
    assert!(refused(&twice).is_some_and(|error| error.contains("duplicate")));
    std::fs::write(&path, "{\"version\": 2}").expect("a writable folder");
    assert!(SavedMatch::load(&path).is_err());
    assert!(SavedMatch::load(Path::new("/no/such/file")).is_err());
}

#[test]
fn truncated_line_loses_one_game() {
    let folder = tempdir().expect("a temporary folder");
    let (path, lines) = saved_lines(&folder);
    let cut = format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..lines[2].len() / 2]);
    std::fs::write(&path, cut).expect("a writable folder");
    assert_eq!(SavedMatch::load(&path).expect("a saved match").finished.len(), 1);
}

#[test]
fn interrupted_match_is_not_overwritten() {
    let folder = tempdir().expect("a temporary folder");
    let (path, lines) = saved_lines(&folder);
    let again = cli::parse(&split_arguments(&format!(
        "-engine cmd=A -engine cmd=B -each tc=1 -config outname={}",
        path.display()
    )));
    let again = again.expect("a valid command line");
    // A finished match may be replaced, an unfinished one may not.
    let half = format!("{}\n{}\n", lines[0], lines[1]);
    std::fs::write(&path, &half).expect("a writable folder");
    let error = StateFile::create(&again, OutputLengths::default()).expect_err("another match").to_string();
    assert!(error.contains("1 of 2 games") && error.contains("discard=true"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), half);
    std::fs::write(&path, lines.join("\n") + "\n").expect("a writable folder");
    assert!(StateFile::create(&again, OutputLengths::default()).is_ok());
}

#[test]
fn match_in_progress_is_locked() {
    let folder = tempdir().expect("a temporary folder");
    let request = request("sound", "", &folder);
    let path = folder.path().join("state.json");
    let (state, _) = StateFile::create(&request, OutputLengths::default()).expect("a writable folder");
    let before = std::fs::read_to_string(&path).expect("a state");
    let number = format!("process {}", std::process::id());
    // It can be neither resumed nor overwritten, not even with discard=true.
    assert!(request.saving.discard);
    let refusals = [
        SavedMatch::lock(&path).map(drop).expect_err("taken"),
        StateFile::create(&request, OutputLengths::default()).expect_err("taken"),
    ];
    for refusal in refusals.map(|refusal| refusal.to_string()) {
        assert!(refusal.contains("match in progress (Sound - Wild, 0 of 4 games"), "{refusal}");
        assert!(refusal.contains(&number), "{refusal}");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("a state"), before);
    assert_eq!(std::fs::read_dir(folder.path()).expect("ours").count(), 1, "no draft is left");
    // A process that exits releases its lock, and its draft does not block others.
    drop(state);
    std::fs::write(folder.path().join("state.json.1-1.part"), "half of a").expect("a writable folder");
    let (lock, saved) = SavedMatch::lock(&path).expect("no other process plays it");
    assert_eq!((saved.process, saved.rounds_begun()), (Some(std::process::id()), 0));
    let resumed = StateFile::resume_locked(&lock, &request, &saved.finished, OutputLengths::default());
    let resumed = resumed.expect("a writable folder");
    drop(lock);
    assert!(SavedMatch::lock(&path).is_err(), "it is played again");
    drop(resumed);
    assert_eq!(std::fs::read_to_string(&path).expect("a state"), before);
}

#[test]
fn invalid_opening_is_reported_before_the_first_game() {
    let folder = tempdir().expect("a temporary folder");
    let book = folder.path().join("book.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let options = |more: &str| format!("-openings file={} {more}", book.display());
    let load = |text: &str, more: &str| {
        std::fs::write(&book, text).expect("a writable folder");
        let source = OpeningSource::from_config(&config("sound", &options(more), &folder));
        source.map(|source| source.len()).map_err(|error| error.to_string())
    };
    assert_eq!(load(&start.repeat(3), "start=3"), Ok(3));
    let error = load(&format!("{start}nonsense\n{start}"), "").expect_err("nonsense");
    assert!(error.starts_with(&format!("{}, line 2: ", book.display())), "{error}");
    let error = load(&start.repeat(3), "start=4").expect_err("there are three");
    assert!(error.ends_with("has no opening 4, only 3"), "{error}");
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n";
    let error = load(&format!("{start}{start}{stalemate}"), "").expect_err("nothing to play");
    assert!(error.contains("line 3: ") && error.contains("stalemate"), "{error}");
}

/// The engine is a child of a shell, as with wrapper scripts.
#[cfg(unix)]
#[test]
fn kill_reaches_engines_behind_wrapper_scripts() {
    use uci::client::{Client, Launch};
    let folder = tempdir().expect("a temporary folder");
    let pid_file = folder.path().join("pid");
    let script = format!("exec 3<&0; {ZOO} ignores-quit <&3 & echo $! > {}; wait", pid_file.display());
    let launch = Launch { program: "/bin/sh".into(), arguments: vec!["-c".into(), script], directory: None };
    let mut client = Client::start(&launch).expect("a shell");
    let pid = loop {
        match std::fs::read_to_string(&pid_file) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let is_alive = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // A zombie is dead.
        !state.is_empty() && !state.contains(") Z ")
    };
    assert!(is_alive() || !Path::new("/proc").exists());
    client.kill();
    for _ in 0..12_000 {
        if !is_alive() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the engine lives on");
}
