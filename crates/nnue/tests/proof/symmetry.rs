//! A position, its colour mirror and its left-right mirror have the same evaluation.

use std::sync::Arc;

use chess::{Piece, Position, Square};
use nnue::shape::{Head, KING_BUCKETS, Shape};
use nnue::{FloatNetwork, NetworkEvaluator};

use crate::Effort;
use crate::games::positions;

proof!(mirrored_positions_evaluate_equally);

/// The position mirrored left to right, without castling rights, which the network does not use.
fn file_mirrored(position: &Position) -> Position {
    let mut board = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let piece = position.piece_at(Square::from_index(8 * rank + file).flip_file());
            board.push(piece.map_or('1', Piece::letter));
        }
        board.push('/');
    }
    board.pop();
    Position::from_fen(&format!("{board} {} - - 0 1", position.turn().letter())).unwrap()
}

fn mirrored_positions_evaluate_equally(effort: Effort) {
    let [one, four] = KING_BUCKETS;
    for (king_buckets, head) in [(one, Head::Single), (four, Head::Single), (four, Head::Layered)] {
        let shape = Shape::new(256).unwrap().with_king_buckets(king_buckets).unwrap();
        let shape = shape.with_head(head).unwrap();
        let network = Arc::new(FloatNetwork::random(shape, 21).quantise());
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
        let mut value = |position: &Position| {
            evaluator.reset(position);
            evaluator.evaluate(position)
        };
        let mut different = 0;
        for position in positions(effort.pick(2000, 100_000), 77) {
            let own = value(&position);
            assert_eq!(value(&position.color_mirrored()), own, "{position:?}");
            assert_eq!(value(&file_mirrored(&position)), own, "{position:?}");
            // The other side to move changes the evaluation, otherwise the test would be trivial.
            if !position.in_check() {
                different += usize::from(value(&position.after_null()) != own);
            }
        }
        assert!(different > 1000);
    }
}

#[test]
fn piece_value_is_difference_without_piece() {
    let network = FloatNetwork::random(Shape::new(64).unwrap(), 5).quantise();
    let with = Position::from_fen("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1").unwrap();
    let without = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let gain = network.evaluate_slow(&with) - network.evaluate_slow(&without);
    assert_ne!(gain, 0);
    assert_eq!(network.piece_value(&with, Square::D2), Some(gain));
    assert_eq!(network.piece_value(&with.color_mirrored(), Square::D7), Some(gain));
    assert_eq!(network.piece_value(&with, Square::E1), None);
    assert_eq!(network.piece_value(&with, Square::A1), None);
}
