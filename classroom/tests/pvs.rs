//! Checks of exercise 5: `cargo test --test pvs`. They use your answers to exercises 3 and 4.

use chess::Position;
use classroom::alpha_beta::alpha_beta;
use classroom::minimax::minimax;
use classroom::pvs::{Stats, pvs};
use classroom::toolbox::{DRAW, INFINITY, mate_in, mated_in, random_positions};

/// The positions with which the errors were found in real engines.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8",
];

fn search(position: &Position, depth: u32) -> (i32, Stats) {
    let mut stats = Stats::default();
    (pvs(position, 0, depth, -INFINITY, INFINITY, true, &mut stats), stats)
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn score_is_that_of_minimax() {
    for position in random_positions(40, 5) {
        for depth in 0..=2 {
            let expected = minimax(&position, 0, depth, &mut 0);
            assert_eq!(search(&position, depth).0, expected, "{} at depth {depth}", position.to_fen());
        }
    }
}

#[test]
fn score_is_that_of_alpha_beta_at_depth_4() {
    for fen in POSITIONS {
        let expected = alpha_beta(&position(fen), 0, 4, -INFINITY, INFINITY, &mut 0);
        assert_eq!(search(&position(fen), 4).0, expected, "{fen}");
    }
}

#[test]
fn mate_and_stalemate_are_not_exchanged() {
    assert_eq!(search(&position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), 2).0, mated_in(0));
    assert_eq!(search(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 2).0, DRAW);
}

#[test]
fn mate_on_the_last_ply_is_seen() {
    let position = position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    assert_eq!(search(&position, 1).0, mate_in(1), "Qxf7 is mate in 1");
}

#[test]
fn fewer_nodes_than_alpha_beta_allows() {
    for fen in POSITIONS {
        let mut nodes = 0;
        alpha_beta(&position(fen), 0, 4, -INFINITY, INFINITY, &mut nodes);
        let stats = search(&position(fen), 4).1;
        let limit = nodes + nodes / 4;
        assert!(stats.nodes <= limit, "{fen}: {} nodes, alpha-beta {nodes}; see errors 2 and 3", stats.nodes);
    }
}

#[test]
fn no_re_search_at_a_node_with_a_zero_window() {
    for fen in POSITIONS {
        let mut stats = Stats::default();
        pvs(&position(fen), 0, 3, 0, 1, false, &mut stats);
        assert_eq!((stats.zero_window_at_pv, stats.re_searches), (0, 0), "{fen}");
        assert!(stats.nodes > 1);
    }
}

#[test]
fn re_searches_are_counted() {
    let (mut zero_window, mut re_searches) = (0, 0);
    for fen in POSITIONS {
        let stats = search(&position(fen), 4).1;
        zero_window += stats.zero_window_at_pv;
        re_searches += stats.re_searches;
    }
    let rate = 100.0 * re_searches as f64 / zero_window as f64;
    assert!(
        (0.5..=20.0).contains(&rate),
        "{re_searches} re-searches, {zero_window} zero-window searches: {rate:.1} %"
    );
}
