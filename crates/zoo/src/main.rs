//! Broken UCI engines for the tests of the arena and the doctor.
//!
//! `engine-zoo KIND [N] [FILE]` behaves for `N` searches (default 3), then misbehaves according to its kind. `FILE` is
//! where a kind that leaves a process behind writes the process ID.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use chess::{Color, Game, Position};

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_mins(10);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_else(|| "sound".to_owned());
    let good_searches = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(3);
    match kind.as_str() {
        "daemon" => leave_a_daemon(&arguments.next().unwrap_or_default()),
        // Between the engine and its daemon: it exits at once, so that the daemon has no parent.
        "daemon-parent" => return start_self("daemon-child", &arguments.next().unwrap_or_default()),
        "daemon-child" => return be_a_daemon(&arguments.next().unwrap_or_default()),
        _ => {}
    }
    let mut engine = Engine { kind, good_searches, searches: 0, game: Game::default(), seed: 1 };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if !engine.handle(&line) {
            break;
        }
    }
    if engine.kind == "ignores-quit" {
        sleep(FOREVER);
    }
}

struct Engine {
    kind: String,
    good_searches: u32,
    searches: u32,
    game: Game,
    seed: u64,
}

impl Engine {
    fn handle(&mut self, line: &str) -> bool {
        match line.split_whitespace().next() {
            Some("uci") => self.handshake(),
            Some("isready") if self.kind == "dies-unready" => exit(4),
            Some("isready") => send("readyok"),
            Some("ucinewgame") if self.kind == "dies-between-games" && self.searches > 0 => exit(7),
            Some("position") if self.kind == "moves-unplayed" && line.contains(" fen ") => {
                self.game = read_position(line.split(" moves ").next().unwrap_or(line));
            }
            Some("position") => self.game = read_position(line),
            Some("go") if self.kind == "paced" => self.paced_search(line),
            Some("go") => self.go(),
            Some("quit") => return false,
            _ => {}
        }
        true
    }

    fn handshake(&self) {
        match self.kind.as_str() {
            "silent-start" => sleep(FOREVER),
            "dies-at-start" => {
                eprintln!("cannot find my network");
                exit(1);
            }
            "floods-options" => loop {
                send(&format!("option name {} type string default <empty>", "x".repeat(200_000)));
            },
            "escapes" => {
                send("id name Zoo \x1b]0;owned\x07\x1b[31m\u{202e}red");
                send("option name Ha\x1b[7msh type spin default 16 min 1 max 1024");
                send("uciok");
                return;
            }
            _ => {}
        }
        let name = if self.kind.starts_with("endless") { "Zoo".repeat(10_000) } else { "Zoo".to_owned() };
        send(&format!("id name {name} {}", self.kind));
        send("id author Vedette");
        send("option name Hash type spin default 16 min 1 max 1024");
        send("option name UCI_Chess960 type check default false");
        send("uciok");
        if self.kind == "stops-reading" {
            sleep(FOREVER);
        }
    }

    fn go(&mut self) {
        self.searches += 1;
        let best = self.random_move();
        if self.searches <= self.good_searches {
            answer(&best);
        } else {
            self.misbehave(&best);
        }
    }

    /// Uses 1/40 of its clock and reports its own time in microseconds as nodes.
    fn paced_search(&mut self, line: &str) {
        let started = Instant::now();
        let clock = if self.game.position().turn() == Color::White { "wtime" } else { "btime" };
        let mut tokens = line.split_whitespace().skip_while(|&token| token != clock);
        let left: u64 = tokens.nth(1).and_then(|token| token.parse().ok()).unwrap_or(1000);
        for depth in 1..10 {
            send(&format!("info depth {depth} score cp 12 nodes 1 nps 1 hashfull 1 time 1 pv e2e4 e7e5"));
        }
        let best = self.random_move();
        sleep(Duration::from_millis(left / 40));
        let micros = started.elapsed().as_micros();
        send(&format!("info depth 10 score cp 12 nodes {micros} time {} pv {best}", micros / 1000));
        send(&format!("bestmove {best}"));
    }

    fn misbehave(&self, best: &str) {
        match self.kind.as_str() {
            "hangs" => sleep(FOREVER),
            "babbles" => loop {
                send("info depth 1 nodes 1");
                sleep(Duration::from_millis(20));
            },
            "dies" => exit(3),
            "panics" => panic!("index out of bounds: the len is 64 but the index is 64"),
            "late" => {
                sleep(Duration::from_millis(600));
                answer(best);
            }
            "illegal" => answer("e2e5"),
            "nonsense-move" => answer("castle"),
            "no-move" => send("bestmove (none)"),
            "empty-move" => send("bestmove"),
            // In one write, so that the second arrives with the first.
            "two-moves" => send(&format!("bestmove {best}\nbestmove {best}")),
            "second-move-later" => {
                answer(best);
                sleep(Duration::from_millis(20));
                answer(best);
            }
            "garbage" => {
                let mut out = io::stdout().lock();
                let _ = out.write_all(b"\x00\xff\xfe\x1b[31m bestmov e2e4\r\ninfo depth x score cp y\n\n\n");
                let _ = out.flush();
                drop(out);
                answer(best);
            }
            "huge-lines" => {
                send(&format!("info string {}", "x".repeat(3_000_000)));
                answer(best);
            }
            "flood" => {
                for i in 0..200_000 {
                    send(&format!("info depth 1 nodes {i}"));
                }
                answer(best);
            }
            // Until it is killed.
            "floods-lines" => loop {
                send("info depth 9 score cp 3 nodes 5 nps 5 time 1 pv e2e4 e7e5 g1f3");
            },
            // 50 MB.
            "flood-of-pvs" => {
                let line = format!("info depth 9 score cp 3 nodes 5 pv {}", "e2e4 e7e5 ".repeat(25_000));
                (0..200).for_each(|_| send(&line));
                answer(best);
            }
            "huge-pv" => {
                send(&format!("info depth 9 score cp 3 nodes 5 pv {best} {}", "a1a1 ".repeat(40_000)));
                answer(best);
            }
            "escapes" => answer("e2\x1b[31me5"),
            "endless-lines" => {
                let line = "a1a1 ".repeat(100_000);
                send(&format!("info depth 2 score mate 3 nodes inf pv {best} {line}"));
                send(&format!("bestmove {line}{}", "x".repeat(10_000)));
            }
            "endless-words" => send(&format!("bestmove {}", "x".repeat(100_000))),
            "illegal-line" => {
                send(&format!("info depth 2 score cp 10 pv {best} a1a1"));
                send(&format!("info depth 2 score cp 10 pv {best} {best}"));
                answer(best);
            }
            "other-move" => {
                send("info depth 1 score cp 0 pv a2a3");
                answer(best);
            }
            _ => answer(best),
        }
    }

    /// Depends on the position and the number of searches only, so that games are reproducible.
    fn random_move(&mut self) -> String {
        let moves = self.game.position().legal_moves();
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let pick = (self.seed >> 33) ^ self.game.position().key();
        moves
            .get(pick as usize % moves.len().max(1))
            .map_or("0000".to_owned(), |mv| mv.uci(false).to_string())
    }
}

/// Starts a process of another session whose parent exits: neither its group nor its parent leads to it.
fn leave_a_daemon(file: &str) {
    start_self("daemon-parent", file);
}

fn start_self(kind: &str, file: &str) {
    let myself = std::env::current_exe().unwrap_or_default();
    let (input, output) = (Stdio::null(), Stdio::null());
    let started = Command::new(myself).args([kind, "0", file]).stdin(input).stdout(output).spawn();
    if let (Ok(mut child), "daemon-parent") = (started, kind) {
        let _ = child.wait();
    }
}

fn be_a_daemon(file: &str) {
    #[cfg(unix)]
    let _ = rustix::process::setsid();
    let _ = support::files::replace(Path::new(file), std::process::id().to_string().as_bytes());
    sleep(FOREVER);
}

fn answer(best: &str) {
    send(&format!("info depth 1 seldepth 1 score cp 12 nodes 20 time 0 pv {best}"));
    send(&format!("bestmove {best}"));
}

fn send(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn read_position(line: &str) -> Game {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fen = start.strip_prefix("position fen ").and_then(|fen| Position::from_fen(fen).ok());
    let mut game = Game::new(fen.unwrap_or_else(Position::startpos));
    for text in moves.split_whitespace() {
        if let Ok(mv) = game.position().parse_uci(text) {
            game.play(mv);
        }
    }
    game
}
