//! A long session: two threads, changing hash sizes, pondering, stops at random times. Memory must not grow.
//!
//! `cargo test` plays a few games; `make proof` a thousand. `SOAK_GAMES` sets another number, `SOAK_CHART=path` writes a chart of
//! the resident memory.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use chess::{Game, Position};
use report::{Chart, Series, svg_file};
use support::random::Random;

/// Plies per game that the engine plays, for both sides.
const PLIES: usize = 40;

/// The hash size at which memory is measured.
const MEASURED_HASH: usize = 16;

struct Session {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Session {
    fn start() -> Session {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vedette"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Session { child, stdin, stdout }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the program reads");
    }

    /// The first line that begins with a word.
    fn until(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).expect("text") > 0, "the program ended before '{word}'");
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
    }

    fn is_ready(&mut self) {
        self.send("isready");
        self.until("readyok");
    }

    fn set_hash(&mut self, megabytes: usize) {
        self.send(&format!("setoption name Hash value {megabytes}"));
    }

    /// Resident memory in KiB.
    fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line VmRSS");
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
    }

    /// Requests a move in one of five ways.
    fn search(&mut self, random: &mut Random) -> String {
        let pause = Duration::from_micros(random.below(3000) as u64);
        match random.below(5) {
            0 => self.send("go nodes 1500"),
            1 => self.send("go wtime 50 btime 50 winc 2 binc 2"),
            2 => self.send("go depth 6"),
            3 => {
                self.send("go infinite");
                std::thread::sleep(pause);
                self.send("stop");
            }
            _ => {
                self.send("go ponder wtime 60 btime 60");
                std::thread::sleep(pause);
                self.send(if random.below(2) == 0 { "ponderhit" } else { "stop" });
            }
        }
        let line = self.until("bestmove");
        line.split_whitespace().nth(1).expect("a move").to_owned()
    }

    fn play_game(&mut self, random: &mut Random) {
        self.set_hash(1 + random.below(64));
        self.send("ucinewgame");
        let mut game = Game::new(Position::startpos());
        let mut moves = String::new();
        for ply in 0..PLIES {
            if game.outcome().is_some() {
                return;
            }
            self.send(&format!("position startpos moves {moves}"));
            let best = self.search(random);
            let legal = game.position().legal_moves();
            // A few random moves, so that games differ.
            let mv = if ply < 6 {
                legal[random.below(legal.len())]
            } else {
                game.position()
                    .parse_uci(&best)
                    .unwrap_or_else(|error| panic!("{best} after {moves}: {error}"))
            };
            let _ = write!(moves, "{} ", mv.uci(false));
            game.play(mv);
        }
    }
}

/// Resident memory in KiB after each `every`-th game, always with the same hash size.
fn soak(games: usize, every: usize) -> Vec<(usize, u64)> {
    let mut session = Session::start();
    session.send("setoption name Threads value 2");
    session.send("setoption name Ponder value true");
    let mut random = Random::new(19);
    let mut samples = Vec::new();
    for number in 1..=games {
        session.play_game(&mut random);
        if number % every == 0 {
            session.set_hash(MEASURED_HASH);
            session.is_ready();
            samples.push((number, session.resident()));
        }
    }
    session.send("quit");
    assert!(session.child.wait().expect("a child").success());
    samples
}

fn write_chart(samples: &[(usize, u64)]) {
    let Ok(path) = std::env::var("SOAK_CHART") else { return };
    let points = samples.iter().map(|&(games, kib)| (games as f64, kib as f64 / 1024.0)).collect();
    let highest = samples.iter().map(|&(_, kib)| kib).max().unwrap_or(0) as f64 / 1024.0;
    let chart = Chart::new("Resident memory, MiB")
        .x_label("games")
        .y_range(0.0, highest * 1.2)
        .series(Series::line("resident", points));
    std::fs::write(path, svg_file(&chart.svg())).expect("the chart can be written");
}

/// The largest sample of the second half is at most a twentieth above the largest of the first.
fn assert_flat(samples: &[(usize, u64)]) {
    let (first, second) = samples.split_at(samples.len() / 2);
    let largest = |list: &[(usize, u64)]| list.iter().map(|&(_, kib)| kib).max().expect("samples");
    let (before, after) = (largest(first), largest(second));
    println!("{} samples, {} to {} MiB", samples.len(), before / 1024, after / 1024);
    assert!(after <= before + before / 20, "memory grew from {before} to {after} KiB");
}

#[test]
fn memory_is_flat_in_a_few_games() {
    assert_flat(&soak(12, 2));
}

#[test]
#[ignore = "a thousand games"]
fn memory_is_flat_in_many_games() {
    let games = std::env::var("SOAK_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let samples = soak(games, (games / 100).max(1));
    write_chart(&samples);
    assert_flat(&samples);
}
