//! A match without engines that crashes at every step of its files, and is resumed.

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::time::Duration;

use chess::{Game, Position};
use record::game_end::{GameEnd, Termination};
use record::pgn::{GameResult, PgnReader};
use support::files::faults::{Survival, every_crash, every_fault};
use support::shell::split_arguments;

use super::*;
use crate::cli;
use crate::game::PlayedGame;
use crate::output::MatchRecorder;
use crate::runner::FinishedGame;
use crate::schedule::Job;

const GAMES: u64 = 4;

/// What others have in the PGN file.
const FOREIGN: &str = "[Event \"Another\"]\n[Round \"1\"]\n\n1. d4 *\n\n";

fn request(folder: &Path) -> MatchOptions {
    let line = format!(
        "-engine cmd=A name=A -engine cmd=B name=B -each tc=inf nodes=1 -rounds {} -event 'a \" b' \
         -pgnout file={1}/games.pgn append=true -epdout file={1}/ends.epd append=false -config outname={1}/state",
        GAMES / 2,
        folder.display()
    );
    cli::parse(&split_arguments(&line)).expect("a valid command line")
}

/// A short game whose moves depend on its number.
fn game(job: Job) -> FinishedGame {
    let mut game = Game::new(Position::startpos());
    for mv in
        [["e2e4", "d2d4"][job.index as usize % 2], "e7e5", "g1f3"].iter().take(2 + job.index as usize % 2)
    {
        game.play(game.position().parse_uci(mv).expect("legal"));
    }
    let ending = GameEnd {
        result: GameResult::Draw,
        termination: Termination::DrawAdjudication,
        text: "agreed".to_owned(),
    };
    let played = PlayedGame {
        started: std::time::UNIX_EPOCH,
        game,
        book_plies: 0,
        records: Vec::new(),
        ending,
        warnings: Vec::new(),
        culprit: None,
        broken: false,
        faults: Vec::new(),
        position_command: String::new(),
    };
    let summary = GameSummary::new(&job, 0, &played, Duration::ZERO).expect("finished");
    FinishedGame { job, played, summary }
}

/// A match in a folder.
struct Trial<'a> {
    folder: &'a Path,
    sync_always: bool,
    /// Games whose record was acknowledged.
    recorded: &'a Cell<usize>,
}

impl Trial<'_> {
    /// Starts or resumes the match as the command does; gives the saved games to `begun`.
    fn play(&self, begun: impl FnOnce(&[GameSummary])) -> Result<(), SaveError> {
        let state = self.folder.join("state");
        let is_begun = fs::metadata(&state).is_ok_and(|metadata| metadata.len() > 0);
        let (resumed, request, finished) = if is_begun {
            let (lock, mut saved) = SavedMatch::lock(&state)?;
            saved.repair()?;
            (Some(lock), saved.request, saved.finished)
        } else {
            (None, request(self.folder), Vec::new())
        };
        let config = &request.config;
        let mut recorder = MatchRecorder::open(config, finished.len(), |output| match &resumed {
            Some(lock) => StateFile::resume_locked(lock, &request, &finished, output),
            None => Ok(StateFile::create(&request, output)?.0),
        })?;
        if self.sync_always {
            recorder.sync_always();
        }
        begun(&finished);
        let jobs = (0..config.schedule.len()).filter_map(|index| config.schedule.job(index));
        for job in jobs.filter(|job| finished.iter().all(|game| game.index != job.index)) {
            recorder.record(&game(job))?;
            self.recorded.set(self.recorded.get() + 1);
        }
        recorder.sync()
    }

    /// The games of the PGN file behind those of others; all must be complete.
    fn check_files(&self, games: &[GameSummary], point: &dyn fmt::Display) {
        let text = fs::read_to_string(self.folder.join("games.pgn")).expect("text");
        let ours =
            text.strip_prefix(FOREIGN).unwrap_or_else(|| panic!("{point}: games of others are lost: {text}"));
        let found: Vec<_> = PgnReader::new(ours)
            .map(|game| (game.tag("Round").map(str::to_owned), game.moves.len()))
            .collect();
        let round = |game: &GameSummary| Some((game.index / 2 + 1).to_string());
        let expected: Vec<_> = games.iter().map(|game| (round(game), game.plies)).collect();
        assert_eq!(found, expected, "{point}: {text}");
        assert!(ours.is_empty() || ours.ends_with("1/2-1/2\n\n"), "{point}: {text}");
        let ends = fs::read_to_string(self.folder.join("ends.epd")).expect("text");
        assert_eq!(ends.lines().count(), games.len(), "{point}: {ends}");
        assert!(ends.is_empty() || ends.ends_with('\n'), "{point}");
    }

    /// Resumes after this many interruptions, and checks that nothing is lost or there twice. Each may have come between the
    /// saving of a game and its acknowledgement.
    fn check(&self, loses_nothing: bool, interruptions: usize, point: &dyn fmt::Display) {
        let recorded = self.recorded.get();
        let resumed = self.play(|finished| {
            assert!(
                !loses_nothing || finished.len() >= recorded,
                "{point}: {recorded} games recorded, {} there",
                finished.len()
            );
            assert!(finished.len() <= recorded + interruptions, "{point}");
            self.check_files(finished, point);
        });
        resumed.unwrap_or_else(|error| panic!("{point}: {error}"));
        let saved = SavedMatch::load(&self.folder.join("state")).expect("a saved match");
        assert_eq!(saved.finished.len() as u64, GAMES, "{point}");
        self.check_files(&saved.finished, point);
        let names: Vec<_> =
            fs::read_dir(self.folder).expect("ours").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 3, "{point}: {names:?}");
    }
}

fn prepare(folder: &Path) {
    fs::write(folder.join("games.pgn"), FOREIGN).expect("writable");
    fs::write(folder.join("ends.epd"), "of an earlier match\n").expect("writable");
}

fn crashes(sync_always: bool, survivals: &[Survival]) -> usize {
    let root = tempfile::tempdir().expect("a folder");
    let recorded = Cell::new(0);
    every_crash(
        root.path(),
        survivals,
        |folder| {
            recorded.set(0);
            prepare(folder);
        },
        |folder| Trial { folder, sync_always, recorded: &recorded }.play(|_| ()),
        |folder, point| {
            let loses_nothing = sync_always || point.survival() == Some(Survival::KILLED);
            Trial { folder, sync_always, recorded: &recorded }.check(loses_nothing, 1, point);
        },
    )
}

/// A killed process, or a power failure when everything is synced: no game that was recorded is lost.
#[test]
fn crash_loses_no_recorded_game() {
    assert!(crashes(true, &[Survival::KILLED, Survival::SYNCED]) > 100);
}

/// A power failure may lose the games of the last second, in any of the files: those that are left agree.
#[test]
fn files_agree_after_a_power_failure() {
    let survivals: Vec<_> =
        Survival::ALL.into_iter().filter(|survival| *survival != Survival::KILLED).collect();
    assert!(crashes(false, &survivals) > 150);
}

#[test]
#[ignore = "every crash with every survival"]
fn every_crash_loses_nothing() {
    println!("match: {} crashes", crashes(true, &Survival::ALL) + crashes(false, &Survival::ALL));
}

/// The repair crashes as well, at each of its steps after each crash of the match.
#[test]
#[ignore = "thousands of matches"]
fn crash_of_the_repair_loses_nothing() {
    let root = tempfile::tempdir().expect("a folder");
    let (outer, inner) = (root.path().join("outer"), root.path().join("inner"));
    for folder in [&outer, &inner] {
        fs::create_dir(folder).expect("writable");
    }
    let (recorded, count) = (Cell::new(0), Cell::new(0));
    every_crash(
        &outer,
        &[Survival::KILLED, Survival::SYNCED],
        |folder| {
            recorded.set(0);
            prepare(folder);
        },
        |folder| Trial { folder, sync_always: true, recorded: &recorded }.play(|_| ()),
        |crashed, first| {
            let before = recorded.get();
            let repaired = every_crash(
                &inner,
                &[Survival::KILLED, Survival::SYNCED],
                |folder| {
                    recorded.set(before);
                    for entry in fs::read_dir(crashed).expect("ours").flatten() {
                        fs::copy(entry.path(), folder.join(entry.file_name())).expect("writable");
                    }
                    // The paths in the saved match are those of the other folder, of the same length.
                    let state = folder.join("state");
                    let text = fs::read_to_string(&state).unwrap_or_default();
                    fs::write(&state, text.replace("/outer/", "/inner/")).expect("writable");
                },
                |folder| Trial { folder, sync_always: true, recorded: &recorded }.play(|_| ()),
                |folder, second| {
                    let point = format!("{first}, then {second}");
                    Trial { folder, sync_always: true, recorded: &recorded }.check(true, 2, &point);
                },
            );
            count.set(count.get() + repaired);
        },
    );
    println!("match: {} crashes of the repair", count.get());
}

/// A full disk, a short write, a failing sync: the match stops with an error, and is resumed once the disk works again.
#[test]
fn fault_loses_no_recorded_game() {
    let root = tempfile::tempdir().expect("a folder");
    let recorded = Cell::new(0);
    let reported = RefCell::new(0);
    let faults = every_fault(
        root.path(),
        |folder| {
            recorded.set(0);
            prepare(folder);
        },
        |folder| Trial { folder, sync_always: true, recorded: &recorded }.play(|_| ()),
        |folder, point, result| {
            *reported.borrow_mut() += usize::from(result.is_err());
            Trial { folder, sync_always: true, recorded: &recorded }.check(true, 1, point);
        },
    );
    println!("match: {faults} faults, {} reported", reported.borrow());
    assert!(faults > 80, "{faults}");
}

fn interrupted(folder: &Path, games: usize) -> Vec<GameSummary> {
    prepare(folder);
    let request = request(folder);
    let state = |output| Ok(StateFile::create(&request, output)?.0);
    let mut recorder = MatchRecorder::open(&request.config, 0, state).expect("writable");
    let jobs = (0..games as u64).filter_map(|index| request.config.schedule.job(index));
    jobs.map(|job| {
        let game = game(job);
        recorder.record(&game).expect("writable");
        game.summary
    })
    .collect()
}

fn append(folder: &Path, text: &str) {
    let path = folder.join("games.pgn");
    let before = fs::read_to_string(&path).expect("text");
    fs::write(path, before + text).expect("writable");
}

#[test]
fn torn_game_is_cut_off() {
    let torn = "[Event \"a \\\" b\"]\n[Site \"?\"]\n[Round \"2\"]\n[White \"A\"]\n[Black \"B\"]\n[PlyCount \"3\"]\n\n1. d4 {-1.79/3 0.0";
    for end in [1, 8, 20, 60, torn.len()] {
        let folder = tempfile::tempdir().expect("a folder");
        interrupted(folder.path(), 2);
        append(folder.path(), &torn[..end]);
        Trial { folder: folder.path(), sync_always: false, recorded: &Cell::new(2) }.check(true, 1, &"torn");
    }
}

#[test]
fn games_of_others_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    // Another match has appended, even one of the same engines: its first round is played here.
    for other in [FOREIGN.to_owned(), {
        interrupted(folder.path(), 1);
        fs::read_to_string(&path).expect("text")[FOREIGN.len()..].to_owned()
    }] {
        fs::remove_file(folder.path().join("state")).ok();
        interrupted(folder.path(), 2);
        append(folder.path(), &other);
        let before = fs::read_to_string(&path).expect("text");
        let mut saved = SavedMatch::load(&folder.path().join("state")).expect("saved");
        assert_eq!((saved.repair().expect("readable"), saved.finished.len()), (0, 2));
        assert_eq!(fs::read_to_string(&path).expect("text"), before);
        // Moved away or edited by the user: the games count, and the file is left alone.
        for text in ["", "1. e4 *\n\n", &before.replace("[Event", "\n\n[Event")] {
            fs::write(&path, text).expect("writable");
            let mut saved = SavedMatch::load(&folder.path().join("state")).expect("saved");
            assert_eq!((saved.repair().expect("readable"), saved.finished.len()), (0, 2), "{text}");
            assert_eq!(fs::read_to_string(&path).expect("text"), text);
        }
        fs::remove_file(&path).expect("there");
        let mut saved = SavedMatch::load(&folder.path().join("state")).expect("saved");
        assert_eq!((saved.repair().expect("readable"), saved.finished.len(), path.exists()), (0, 2, false));
    }
}

#[test]
fn old_saved_match_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = interrupted(folder.path(), 2);
    let path = folder.path().join("state");
    let text = fs::read_to_string(&path).expect("text");
    let lines = text.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(line.as_object_mut().and_then(|line| line.remove("output")).is_some());
        format!("{line}\n")
    });
    fs::write(&path, lines.collect::<String>()).expect("writable");
    let mut saved = SavedMatch::load(&path).expect("saved");
    assert_eq!((saved.repair().expect("nothing to do"), &saved.finished), (0, &games));
}

/// A crash right after the file was created leaves an empty one, which is no obstacle.
#[test]
fn empty_file_is_no_match() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("state"), "").expect("writable");
    prepare(folder.path());
    Trial { folder: folder.path(), sync_always: false, recorded: &Cell::new(0) }.check(true, 1, &"empty");
}
