//! A small UCI engine that shares no code with Vedette: its own board, evaluation and search. `small-engine BUG` switches
//! on one of the bugs of `mutants.rs`.

mod board;
mod evaluation;
mod mutants;
mod search;

use std::io::BufRead;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use board::{Board, Move};
use mutants::Mutant;
use search::{Limits, Search};

/// Time for the answer to reach the GUI.
const OVERHEAD: u64 = 20;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "sound".to_owned());
    let Some(mutant) = Mutant::named(&name) else {
        eprintln!("unknown bug '{name}'");
        std::process::exit(2);
    };
    let (sender, input) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let board = Board::start(mutant);
    let mut engine = Engine { mutant, keys: vec![board.key()], board, search: Search::new(mutant) };
    while let Ok(line) = input.recv() {
        let mut lines = vec![line];
        while let Some(line) = (!lines.is_empty()).then(|| lines.remove(0)) {
            if !engine.handle(&line, &input) {
                return;
            }
            lines.splice(0..0, std::mem::take(&mut engine.search.pending));
        }
    }
}

struct Engine {
    mutant: Mutant,
    board: Board,
    /// Of all positions of the game.
    keys: Vec<u64>,
    search: Search,
}

impl Engine {
    fn handle(&mut self, line: &str, input: &Receiver<String>) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") => {
                println!("id name Small engine");
                println!("id author Vedette's tests");
                println!("option name Hash type spin default 16 min 1 max 1024");
                println!("uciok");
            }
            Some("isready") => println!("readyok"),
            Some("ucinewgame") => self.search.new_game(),
            Some("setoption") => {
                if let ["setoption", "name", "Hash", "value", size] = words[..]
                    && let Ok(size) = size.parse::<usize>()
                {
                    self.search.resize(size.clamp(1, 1024));
                }
            }
            Some("position") => self.position(line),
            Some("go") if words.get(1) == Some(&"perft") => {
                let depth = words.get(2).and_then(|text| text.parse().ok()).unwrap_or(1);
                println!("Nodes searched: {}", self.board.perft(depth));
            }
            Some("go") => {
                let limits = self.limits(&words);
                let best = self.search.go(&self.board, &self.keys, limits, input);
                println!("bestmove {}", best.map_or_else(|| "0000".to_owned(), Move::uci));
            }
            Some("quit") => return false,
            _ => {}
        }
        true
    }

    fn position(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let board = match start.trim().strip_prefix("position fen ") {
            Some(fen) => Board::from_fen(fen, self.mutant),
            None => Some(Board::start(self.mutant)),
        };
        let Some(mut board) = board else { return };
        let mut keys = vec![board.key()];
        for text in moves.split_whitespace() {
            let Some(mv) = board.legal_moves().into_iter().find(|mv| mv.uci() == text) else { break };
            board = board.after(mv);
            keys.push(board.key());
        }
        (self.board, self.keys) = (board, keys);
    }

    fn limits(&self, words: &[&str]) -> Limits {
        let after = |name: &str| words.iter().position(|&word| word == name).map(|index| &words[index + 1..]);
        let number = |name: &str| after(name)?.first()?.parse::<u64>().ok();
        let is_move = |word: &&&str| word.len() >= 4 && word.as_bytes()[1].is_ascii_digit();
        let mut limits = Limits {
            depth: number("depth")
                .or_else(|| number("mate").map(|moves| moves * 2))
                .map(|depth| depth as usize),
            nodes: number("nodes"),
            only: after("searchmoves")
                .map(|rest| rest.iter().take_while(is_move).map(|word| (*word).to_owned()).collect())
                .unwrap_or_default(),
            infinite: words.contains(&"infinite"),
            ..Limits::default()
        };
        let millis = Duration::from_millis;
        if let Some(time) = number("movetime") {
            limits.hard = Some(millis(time.saturating_sub(OVERHEAD).max(1)));
        }
        let (clock, increment) = if self.board.white || self.mutant == Mutant::ClockOfWhite {
            ("wtime", "winc")
        } else {
            ("btime", "binc")
        };
        if let Some(left) = number(clock) {
            let left = left.saturating_sub(OVERHEAD).max(1);
            let moves = number("movestogo").unwrap_or(30).clamp(1, 30);
            let share = left / moves + number(increment).unwrap_or(0) * 3 / 4;
            limits.soft = Some(millis(share.min(left / 2) / 2));
            limits.hard = Some(millis((share * 2).min(left / 2)));
        }
        limits
    }
}
