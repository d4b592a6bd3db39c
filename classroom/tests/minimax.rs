//! Checks of exercise 3: `cargo test --test minimax`.

use chess::Position;
use classroom::minimax::{best_move, minimax};
use classroom::toolbox::{DRAW, evaluate, mate_in, mated_in};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn score(fen: &str, depth: u32) -> i32 {
    minimax(&position(fen), 0, depth, &mut 0)
}

const MATED: &str = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MATE_IN_1: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
const MATE_IN_2: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

#[test]
fn depth_0_is_the_evaluation() {
    let start = Position::startpos();
    assert_eq!(minimax(&start, 0, 0, &mut 0), evaluate(&start));
}

#[test]
fn no_move_in_check_is_mate() {
    assert_eq!(score(MATED, 0), mated_in(0), "also at depth 0");
    assert_eq!(score(MATED, 3), mated_in(0));
    assert_eq!(minimax(&position(MATED), 5, 2, &mut 0), mated_in(5), "plies are counted from the root");
}

#[test]
fn no_move_without_check_is_stalemate() {
    assert_eq!(score(STALEMATED, 0), DRAW, "also at depth 0");
    assert_eq!(score(STALEMATED, 3), DRAW);
}

#[test]
fn mate_on_the_last_ply_is_seen() {
    assert_eq!(score(MATE_IN_1, 1), mate_in(1));
    assert_eq!(score(MATE_IN_2, 3), mate_in(3));
}

#[test]
fn shorter_mate_is_better() {
    assert_eq!(score(MATE_IN_1, 3), mate_in(1), "there are mates in 3 plies as well");
    let (mv, score) = best_move(&position(MATE_IN_1), 3).unwrap();
    assert_eq!((position(MATE_IN_1).san(mv).to_string().as_str(), score), ("Ra8#", mate_in(1)));
}

#[test]
fn draws_are_draws() {
    assert_eq!(score("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 2), DRAW, "a knight cannot mate");
    assert_eq!(score("8/8/4k3/8/8/3QK3/8/8 w - - 100 90", 2), DRAW, "fifty moves");
    assert_eq!(score("8/8/4k3/8/8/3QK3/8/8 w - - 98 90", 2), DRAW, "fifty moves at the horizon");
}

#[test]
fn every_leaf_is_visited() {
    let mut nodes = 0;
    minimax(&Position::startpos(), 0, 3, &mut nodes);
    assert_eq!(nodes, 1 + 20 + 400 + 8_902);
}

#[test]
fn colours_are_equal() {
    for fen in [MATE_IN_2, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"] {
        let position = position(fen);
        assert_eq!(minimax(&position, 0, 2, &mut 0), minimax(&position.color_mirrored(), 0, 2, &mut 0));
    }
}

#[test]
fn best_move_of_a_finished_game_is_none() {
    assert_eq!(best_move(&position(MATED), 2), None);
}
