//! What arrives line by line: UCI in both directions, the command line of matches, messages to the studio.

use support::shell::split_arguments;
use uci::{Command, EngineLine, Line, LineReader};

use crate::texts;

/// A UCI session on stdin.
pub fn uci_line(bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    while let Ok(Some(line)) = lines.read_line() {
        let Line::Text(line) = line else { continue };
        let parsed = uci::parse(&line);
        if let Some(Command::Position(position)) = parsed.command
            && let Some(game) = position.set_up(&mut Vec::new())
        {
            assert!(game.position().is_consistent(), "{line}");
        }
    }
}

pub fn uci_line_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5 g1f3\ngo wtime 1000 btime 1000 winc 10 binc 10 movestogo 4\nstop\nquit\n",
        "setoption name Hash value 16\nsetoption name Clear Hash\nsetoption name EvalFile value <empty>\n",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8\ngo searchmoves f1f8 a1a8 depth 12 nodes 500 mate 3 movetime 50\n",
        "go ponder wtime 100 btime -5 infinite\nponderhit\ndebug on\nregister later\ngo perft 3\nbench 16 1 5 default depth\nd\neval\nflip\n",
    ])
}

/// The output of a foreign engine.
pub fn engine_line(bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    while let Ok(Some(line)) = lines.read_line() {
        let Line::Text(line) = line else { continue };
        if let EngineLine::Info(info) = uci::parse_engine_line(&line) {
            // What was understood is understood again when it is printed.
            let printed = info.to_string();
            assert_eq!(uci::parse_engine_line(&printed), EngineLine::Info(info), "{line:?} as {printed:?}");
        }
    }
}

pub fn engine_line_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "id name Engine 1.0\nid author A. Author\noption name Hash type spin default 16 min 1 max 1024\nuciok\nreadyok\n",
        "option name Style type combo default Normal var Solid var Normal var Risky\noption name Clear Hash type button\noption name Path type string default <empty>\n",
        "info depth 12 seldepth 20 multipv 1 score cp -35 lowerbound wdl 300 500 200 nodes 12345 nps 1000000 hashfull 12 tbhits 0 time 12 pv e2e4 e7e5 g1f3\n",
        "info score mate -3 upperbound currmove e2e4 currmovenumber 1 string hello world\nbestmove e2e4 ponder e7e5\nbestmove (none)\n",
    ])
}

pub fn match_arguments(bytes: &[u8]) {
    let arguments = split_arguments(&String::from_utf8_lossy(bytes));
    // Errors are allowed; panics, overflows and endless loops are not.
    let parsed = arena::cli::parse(&arguments);
    if let Ok(request) = parsed {
        assert!(!request.config.engines.is_empty());
    }
    let _ = arena::cli::resume(&arguments);
}

pub fn match_argument_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "-engine cmd=a name=A option.Hash=16 args=\"-x y\" -engine cmd=b dir=/tmp proto=uci -each tc=40/10:30+0.1 timemargin=20 -rounds 10 -games 2 -repeat -concurrency 2",
        "-engine proto=inprocess name=A -engine proto=inprocess name=B st=0.5 depth=8 -each nodes=500 tc=inf -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized -srand 7",
        "-engine cmd=a -engine cmd=b -engine cmd=c -each tc=1+0.01 -openings file=book.epd format=epd order=random start=3 plies=8 -pgnout file=out.pgn notation=san append=true",
        "-engine cmd=a -engine cmd=b -each st=1 -draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=400 twosided=true -maxmoves 200 -tb /x;/y -tbpieces 5 -variant fischerandom",
    ])
}

pub fn studio_message(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    studio::check_message(&text);
}

pub fn studio_message_seeds() -> Vec<Vec<u8>> {
    texts(&[
        r#"{"number": 1, "request": "hello"}"#,
        r#"{"number": 3, "request": {"game": {"move": {"mv": "e2e4", "ply": 0}}}}"#,
        r#"{"number": 4, "request": {"explain": {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}}}"#,
        r#"{"number": 5, "request": {"library": {"search": {"text": "ann", "source": "played", "skip": 0}}}}"#,
        r#"{"number": 6, "request": {"analysis": "stop"}}"#,
        r#"{"number": 7, "request": {"review": {"game": {"id": "20260101-000000-0", "index": 3}}}}"#,
        r#"{"number": 8, "request": {"trace": {"children": {"node": null, "skip": 10}}}}"#,
        r#"{"number": 9, "request": {"trace": {"why-not": {"line": "1. e4 e5"}}}}"#,
        r#"{"number": 10, "request": {"match": {"open": {"id": "20260101-000000-0"}}}}"#,
        r#"{"number": 11, "request": {"doctor": {"remove": {"id": "20260101-000000-0"}}}}"#,
    ])
}
