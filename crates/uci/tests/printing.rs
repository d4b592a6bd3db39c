//! Events as lines of UCI.

use std::time::Duration;

use chess::{Move, Position};
use engine::{Bound, Event, Iteration, Score};
use uci::print::{self, Style};

/// Moves in UCI notation, played from `fen`.
fn line(fen: &str, text: &str) -> Vec<Move> {
    let mut position = Position::from_fen(fen).unwrap();
    let mut moves = Vec::new();
    for word in text.split(' ') {
        let mv = position.parse_uci(word).unwrap();
        position = position.after(mv);
        moves.push(mv);
    }
    moves
}

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn iteration() -> Iteration {
    Iteration {
        depth: 12,
        selective_depth: 20,
        multi_pv: 1,
        score: Score::evaluation(34),
        bound: Bound::Exact,
        wdl: [200, 700, 100],
        nodes: 1_500_000,
        time: Duration::from_millis(750),
        hashfull: 123,
        tb_hits: 0,
        pv: line(CASTLING, "e1g1 e8c8"),
    }
}

fn told(iteration: Iteration, style: Style) -> String {
    print::event(&Event::Iteration(iteration), style)
}

#[test]
fn an_info_line_has_every_field_and_only_whole_numbers() {
    assert_eq!(
        told(iteration(), Style::default()),
        "info depth 12 seldepth 20 multipv 1 score cp 34 nodes 1500000 nps 2000000 hashfull 123 tbhits 0 time 750 \
         pv e1g1 e8c8"
    );
}

#[test]
fn castling_is_written_as_the_gui_wants_it() {
    let style = Style { chess960: true, ..Style::default() };
    assert!(told(iteration(), style).ends_with(" pv e1h1 e8a8"));
    let moves = line(CASTLING, "e1g1 e8c8");
    let best = Event::BestMove { best: Some(moves[0]), ponder: Some(moves[1]) };
    assert_eq!(print::event(&best, style), "bestmove e1h1 ponder e8a8");
    assert_eq!(print::event(&best, Style::default()), "bestmove e1g1 ponder e8c8");
    let current = Event::CurrentMove { depth: 9, mv: moves[0], number: 2 };
    assert_eq!(print::event(&current, style), "info depth 9 currmove e1h1 currmovenumber 2");
}

#[test]
fn bounds_and_chances_stand_behind_the_score() {
    let style = Style { show_wdl: true, ..Style::default() };
    let with_bound = |bound| told(Iteration { bound, ..iteration() }, style);
    assert!(with_bound(Bound::Exact).contains(" score cp 34 wdl 200 700 100 nodes "));
    assert!(with_bound(Bound::Lower).contains(" score cp 34 lowerbound wdl 200 700 100 nodes "));
    assert!(with_bound(Bound::Upper).contains(" score cp 34 upperbound wdl 200 700 100 nodes "));
}

#[test]
fn mates_are_counted_in_moves_with_the_sign_of_the_winner() {
    let with_score = |score| told(Iteration { score, ..iteration() }, Style::default());
    for (score, text) in [
        (Score::mate_in(1), " score mate 1 "),
        (Score::mate_in(3), " score mate 2 "),
        (Score::mated_in(2), " score mate -1 "),
        (Score::mated_in(4), " score mate -2 "),
        (Score::mated_in(0), " score mate 0 "),
        (Score::ZERO, " score cp 0 "),
    ] {
        assert!(with_score(score).contains(text), "{text}: {}", with_score(score));
    }
}

#[test]
fn a_finished_game_has_no_line_and_no_move() {
    let finished = Iteration { depth: 0, pv: Vec::new(), time: Duration::ZERO, nodes: 0, ..iteration() };
    let text = told(finished, Style::default());
    assert!(text.ends_with(" time 0") && text.contains(" nps 0 "), "{text}");
    let none = Event::BestMove { best: None, ponder: None };
    assert_eq!(print::event(&none, Style::default()), "bestmove (none)");
}

#[test]
fn a_best_move_without_a_reply_names_none() {
    let best = Event::BestMove { best: line(CASTLING, "e1g1").pop(), ponder: None };
    assert_eq!(print::event(&best, Style::default()), "bestmove e1g1");
}

#[test]
fn every_line_of_a_text_is_an_info_string() {
    assert_eq!(print::info_string("a\nb\n"), "info string a\ninfo string b");
}

#[test]
fn the_introduction_names_the_engine_first_and_ends_with_uciok() {
    let text = print::introduction("Vedette 9", "somebody");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(&lines[..2], ["id name Vedette 9", "id author somebody"]);
    assert_eq!(lines.last(), Some(&"uciok"));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
}
