//! The forty steps of `fastchess --compliance`, all of them, also after a failure.

use std::time::Duration;

use chess::{Game, Position};

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Finding, Group, alarm_if};
use crate::doctor::patient::{Thinking, Trouble};

/// The check.
pub const CHECK: Check = Check {
    name: "compliance",
    group: Group::Protocol,
    title: "the forty steps of fastchess",
    method: "Does the forty steps of fastchess --compliance: start, names, ready, positions by startpos, by FEN and \
             with moves, go with one clock, with both, with increments in either order; after each search a move, a \
             well-formed info line and a score.",
    seconds: (12, 15),
    run,
};

/// A middlegame, and the position after 1.e4.
const WHITE: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const BLACK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// The longest that a search with 100 ms on the clock may take, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(5);

/// Failed steps that are named.
const SHOWN: usize = 5;

#[derive(Default)]
struct Steps {
    done: usize,
    failed: Vec<String>,
    repro: Vec<String>,
}

impl Steps {
    fn step(&mut self, what: &str, passed: bool) {
        self.done += 1;
        if !passed {
            self.failed.push(format!("{} {what}", self.done));
        }
    }

    /// The steps after a `go`: move, info, its form, its score.
    fn search(&mut self, go: &str, thinking: &Result<Thinking, Trouble>, steps: &[&str]) {
        for step in steps {
            let passed = thinking.as_ref().is_ok_and(|thinking| match *step {
                "bestmove" => thinking.best.is_some() && !thinking.cut_short,
                "info" => !thinking.lines.is_empty(),
                "form" => thinking.lines.iter().any(|info| info.depth.is_some()),
                _ => thinking.score().is_some(),
            });
            self.step(&format!("{step} after '{go}'"), passed);
            if !passed && self.repro.is_empty() {
                self.repro = thinking.as_ref().map_or_else(|_| vec![go.to_owned()], Thinking::repro);
            }
        }
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let mut steps = Steps::default();
    let patient = &mut exam.patient;
    let odd_before = patient.talk().oddities().len();
    steps.step("start", true);
    let ready = |patient: &mut crate::doctor::patient::Patient| {
        patient.attempt(|client| client.ready(PATIENCE)).is_ok()
    };
    steps.step("isready", ready(patient));
    steps.step("id name", !patient.identity().name.is_empty());
    steps.step("id author", !patient.identity().author.is_empty());
    steps.step("ucinewgame", patient.only_new_game().is_ok());
    for position in ["position startpos".to_owned(), format!("position fen {WHITE}")] {
        steps.step("position", patient.attempt(|client| client.send(&position)).is_ok());
        steps.step("isready", ready(patient));
    }
    let white = Position::from_fen(WHITE).unwrap_or_else(|_| Position::startpos());
    let black = Position::from_fen(BLACK).unwrap_or_else(|_| Position::startpos());
    const ALL: [&str; 4] = ["bestmove", "info", "form", "score"];
    let mut ask = |position: &Position, go: &str, wanted: &[&str], steps: &mut Steps, counted: bool| {
        let thinking = patient.search(position, go, PATIENCE);
        if counted {
            steps.step(go, !matches!(thinking, Err(Trouble::Start | Trouble::GivenUp)));
        }
        steps.search(go, &thinking, wanted);
        thinking
    };
    let _ = ask(&white, "go wtime 100", &ALL, &mut steps, true);
    steps.step("position fen, Black to move", true);
    let _ = ask(&black, "go btime 100", &ALL, &mut steps, true);
    let _ = ask(&black, "go wtime 100 winc 100 btime 100 binc 100", &ALL, &mut steps, true);
    let _ = ask(&black, "go btime 100 binc 100 wtime 100 winc 100", &ALL, &mut steps, true);
    steps.step("form of all info lines", patient.talk().oddities().len() == odd_before);
    steps.step("ucinewgame", patient.only_new_game().is_ok());
    steps.step("position startpos", true);
    let go = "go wtime 100 btime 100";
    let thinking = patient.search(&Position::startpos(), go, PATIENCE);
    steps.step(go, thinking.is_ok());
    steps.search(go, &thinking, &["bestmove", "form"]);
    let mut game = Game::default();
    for word in ["e2e4", "e7e5"] {
        if let Ok(mv) = game.position().parse_uci(word) {
            game.play(mv);
        }
    }
    steps.step("position startpos moves e2e4 e7e5", true);
    let thinking = patient.search_game(&game, go, PATIENCE);
    steps.step(go, thinking.is_ok());
    steps.search(go, &thinking, &["bestmove", "form"]);
    let failed = steps.failed.len();
    let summary = if failed == 0 {
        format!("all {} steps passed", steps.done)
    } else {
        let shown = &steps.failed[..failed.min(SHOWN)];
        let more = if failed > SHOWN { format!("; and {} more", failed - SHOWN) } else { String::new() };
        format!("{failed} of {} steps failed: {}{more}", steps.done, shown.join("; "))
    };
    let finding = Finding::new("compliance", "steps", alarm_if(failed > 0), summary)
        .effect("failed steps", failed as f64, "")
        .confidence(1.0, format!("{} steps, each seen once", steps.done))
        .threshold("any failed step: match runners refuse such an engine")
        .samples(steps.done)
        .repro(steps.repro);
    Ok(vec![finding])
}
