//! The small engine: its sound version follows the rules, and each of its bugs shows.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use chess::{Position, perft};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Castling of all kinds, en passant and promotions; positions of the Chess Programming Wiki.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const PROMOTIONS: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const CHECKS: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
/// Black takes a rook: White cannot castle to that side.
const ROOK_TAKEN: &str = "r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 0 1";
const MATE_IN_THREE: &str = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";

struct Small {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Small {
    fn start(bug: &str) -> Small {
        let mut process = Command::new(env!("CARGO_BIN_EXE_small-engine"))
            .arg(bug)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the small engine");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Small { process, output }
    }

    /// Sends `position` and `go`, with what follows, and returns the answer without what depends on time.
    fn ask(&mut self, fen: &str, go: &str) -> Vec<String> {
        let input = self.process.stdin.as_mut().expect("piped");
        write!(input, "position fen {fen}\ngo {go}\n").expect("it reads");
        let mut answer = Vec::new();
        for line in (&mut self.output).lines() {
            let line = line.expect("text");
            let is_last = line.starts_with("bestmove") || line.starts_with("Nodes");
            let mut words = line.split(' ');
            let mut kept = Vec::new();
            while let Some(word) = words.next() {
                if matches!(word, "time" | "nps") {
                    words.next();
                } else {
                    kept.push(word);
                }
            }
            answer.push(kept.join(" "));
            if is_last {
                return answer;
            }
        }
        panic!("the engine ended: {answer:?}");
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn depths(answer: &[String]) -> usize {
    answer.iter().filter(|line| line.starts_with("info depth")).count()
}

#[test]
fn sound_engine_follows_the_rules() {
    let mut engine = Small::start("sound");
    for (fen, depth) in [(START, 4), (KIWIPETE, 3), (ENDGAME, 5), (PROMOTIONS, 4), (CHECKS, 3)] {
        let position: Position = fen.parse().expect("a position");
        let expected = format!("Nodes searched: {}", perft(&position, depth));
        assert_eq!(engine.ask(fen, &format!("perft {depth}")), [expected], "{fen}");
    }
    let answer = engine.ask(MATE_IN_THREE, "depth 6");
    assert!(answer.iter().any(|line| line.contains("score mate 3 ")), "{answer:?}");
}

#[test]
fn every_bug_shows() {
    let wrong_answers = [
        ("castles-through-check", KIWIPETE, "perft 2"),
        ("en-passant-pawn-stays", ENDGAME, "perft 4"),
        ("rook-capture-keeps-castling", ROOK_TAKEN, "perft 2"),
        ("only-queens", PROMOTIONS, "perft 2"),
        ("key-without-side", ENDGAME, "depth 9"),
        ("key-not-compared", ENDGAME, "depth 7"),
        ("mate-in-plies", MATE_IN_THREE, "depth 6"),
        ("mate-without-ply", MATE_IN_THREE, "depth 6"),
        ("reduced-not-re-searched", ENDGAME, "depth 7"),
        ("zero-window-not-re-searched", ENDGAME, "depth 5"),
        ("aspiration-fail-accepted", ENDGAME, "depth 5"),
        ("aborted-iteration-accepted", KIWIPETE, "nodes 50000"),
        ("quiescence-one-ply", KIWIPETE, "depth 3"),
        ("least-valuable-victim", ENDGAME, "depth 5"),
        ("null-move-in-check", ENDGAME, "depth 5"),
        ("passed-pawns-of-white", ENDGAME, "depth 6"),
        ("rook-typo", ENDGAME, "depth 4"),
        ("phases-exchanged", KIWIPETE, "depth 4"),
    ];
    for (bug, fen, go) in wrong_answers {
        let sound = Small::start("sound").ask(fen, go);
        assert_eq!(Small::start("sound").ask(fen, go), sound, "the same again");
        assert_ne!(Small::start(bug).ask(fen, go), sound, "{bug}");
    }
}

/// White has a millisecond left, Black a day.
#[test]
fn clock_of_white_stops_black() {
    let black = CHECKS.replace(" w KQ", " b KQ");
    let go = "depth 5 wtime 1 btime 86400000";
    assert_eq!(depths(&Small::start("sound").ask(&black, go)), 5);
    assert_eq!(depths(&Small::start("clock-of-white").ask(&black, go)), 1);
}

#[test]
fn stop_is_obeyed_or_ignored() {
    let answer = Small::start("sound").ask(START, "depth 90\nstop");
    assert!(depths(&answer) < 90, "{answer:?}");
    assert_eq!(depths(&Small::start("stop-ignored").ask(START, "depth 7\nstop")), 7);
}

#[test]
fn unknown_bug_is_an_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_small-engine")).arg("no-such").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "unknown bug 'no-such'\n");
}
