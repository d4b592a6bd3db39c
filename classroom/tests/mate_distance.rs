//! Checks of exercise 6: `cargo test --test mate_distance`. They use your answer to exercise 5.

use chess::Position;
use classroom::mate_distance::search;
use classroom::pvs::{Stats, pvs};
use classroom::toolbox::{INFINITY, mate_in, mated_in, random_positions};

type Search = fn(&Position, u32, u32, i32, i32, bool, &mut Stats) -> i32;

fn run(search: Search, position: &Position, depth: u32) -> (i32, u64) {
    let mut stats = Stats::default();
    (search(position, 0, depth, -INFINITY, INFINITY, true, &mut stats), stats.nodes)
}

/// Mates with the number of plies.
const MATES: [(&str, u32); 4] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
    ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 3),
    ("6k1/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
];

#[test]
fn mates_have_the_right_distance() {
    for (fen, plies) in MATES {
        let position = Position::from_fen(fen).unwrap();
        for depth in plies..=plies + 2 {
            assert_eq!(run(search, &position, depth).0, mate_in(plies), "{fen} at depth {depth}");
        }
    }
}

#[test]
fn being_mated_has_the_right_distance() {
    let position = Position::from_fen("7k/R7/8/8/8/8/8/1R4K1 b - - 0 1").unwrap();
    assert_eq!(run(search, &position, 4).0, mated_in(2));
}

#[test]
fn scores_do_not_change() {
    for position in random_positions(40, 6) {
        assert_eq!(run(search, &position, 3).0, run(pvs, &position, 3).0, "{}", position.to_fen());
    }
}

#[test]
fn nodes_are_saved_near_a_mate() {
    let (mut with, mut without) = (0, 0);
    for (fen, plies) in MATES {
        let position = Position::from_fen(fen).unwrap();
        with += run(search, &position, plies + 2).1;
        without += run(pvs, &position, plies + 2).1;
    }
    assert!(with < without * 3 / 4, "{with} nodes with pruning, {without} without");
}
