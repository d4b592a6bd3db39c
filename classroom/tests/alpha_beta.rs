//! Checks of exercise 4: `cargo test --test alpha_beta`. They use your answer to exercise 3.

use chess::Position;
use classroom::alpha_beta::{alpha_beta, best_first};
use classroom::minimax::minimax;
use classroom::toolbox::{INFINITY, candidacy, random_positions};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn moves_are_sorted_best_first() {
    for position in random_positions(50, 2) {
        let moves = best_first(&position);
        assert_eq!(moves.len(), position.legal_moves().len(), "all of them");
        let values: Vec<i32> = moves.iter().map(|&mv| candidacy(&position, mv)).collect();
        assert!(values.windows(2).all(|pair| pair[0] >= pair[1]), "{}: {values:?}", position.to_fen());
    }
}

#[test]
fn score_is_that_of_minimax() {
    for position in random_positions(40, 3) {
        for depth in 0..=2 {
            let expected = minimax(&position, 0, depth, &mut 0);
            let found = alpha_beta(&position, 0, depth, -INFINITY, INFINITY, &mut 0);
            assert_eq!(found, expected, "{} at depth {depth}", position.to_fen());
        }
    }
}

#[test]
fn result_outside_of_the_window_is_a_bound() {
    for position in random_positions(40, 4) {
        let exact = minimax(&position, 0, 2, &mut 0);
        for (alpha, beta) in
            [(exact + 10, exact + 60), (exact, exact + 1), (exact - 1, exact), (exact - 60, exact - 10)]
        {
            let found = alpha_beta(&position, 0, 2, alpha, beta, &mut 0);
            let fen = position.to_fen();
            if exact >= beta {
                assert!(
                    beta <= found && found <= exact,
                    "{fen}: window ({alpha}, {beta}), score {exact}, found {found}"
                );
            } else {
                assert!(
                    exact <= found && found <= alpha,
                    "{fen}: window ({alpha}, {beta}), score {exact}, found {found}"
                );
            }
        }
    }
}

#[test]
fn score_equal_to_beta_cuts_off() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let exact = minimax(&position, 0, 3, &mut 0);
    let mut nodes = 0;
    alpha_beta(&position, 0, 3, exact - 1, exact, &mut nodes);
    assert!(nodes < 200, "{nodes} nodes to find out that the score is at least {exact}");
}

#[test]
fn most_nodes_are_pruned() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let (mut all, mut visited) = (0, 0);
    minimax(&position, 0, 3, &mut all);
    alpha_beta(&position, 0, 3, -INFINITY, INFINITY, &mut visited);
    assert!(
        visited < all / 10,
        "{visited} of {all} nodes; is the best move searched first, and does score == beta cut off?"
    );
}
