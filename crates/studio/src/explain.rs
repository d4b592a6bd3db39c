//! The static evaluation of a position: what every piece is worth, and what every move changes.

use chess::{Color, Position, Role, Square};
use engine::evaluation::{Evaluator, Explanation as Evaluated};

use crate::analysis::AnalysisEngine;
use crate::protocol::Explanation;

pub fn explain(engine: &AnalysisEngine, position: &Position) -> Explanation {
    let evaluated = engine.explain(position);
    let value = value_of(&evaluated, position);
    let moves = position.legal_moves().into_iter().map(|mv| {
        let after = position.after(mv);
        (mv.uci(true).to_string(), value_of(&engine.explain(&after), &after) - value)
    });
    let pieces = Square::all().filter_map(|square| {
        let worth = match &evaluated {
            Evaluated::Network(board) => board.piece_value(square),
            Evaluated::Classical(_) => classical_worth(position, square),
        };
        Some((square.to_string(), worth?))
    });
    let terms = match &evaluated {
        Evaluated::Network(_) => None,
        Evaluated::Classical(table) => Some(table.to_string()),
    };
    Explanation { value, moves: moves.collect(), pieces: pieces.collect(), terms }
}

/// The evaluation from White's point of view.
fn value_of(evaluated: &Evaluated, position: &Position) -> i32 {
    match evaluated {
        Evaluated::Network(board) => board.value(),
        Evaluated::Classical(_) => classical(position),
    }
}

fn classical(position: &Position) -> i32 {
    let value = Evaluator::new().evaluate(position);
    if position.turn() == Color::White { value } else { -value }
}

/// The classical evaluation minus the evaluation without the piece. `None` for kings and empty squares, and where the
/// position without the piece is illegal.
fn classical_worth(position: &Position, square: Square) -> Option<i32> {
    position.role_at(square).filter(|&role| role != Role::King)?;
    let without = Position::from_fen(&fen_without(position, square)).ok()?;
    Some(classical(position) - classical(&without))
}

/// The FEN of the position with an empty square, without castling rights and en passant square.
fn fen_without(position: &Position, empty: Square) -> String {
    let rows = chess::Rank::ALL.into_iter().rev().map(|rank| {
        let pieces = chess::File::ALL.map(|file| {
            let square = Square::new(file, rank);
            position.piece_at(square).filter(|_| square != empty).map_or('1', chess::Piece::letter)
        });
        pieces.iter().collect::<String>()
    });
    let board = rows.collect::<Vec<_>>().join("/");
    let turn = if position.turn() == Color::White { 'w' } else { 'b' };
    format!("{board} {turn} - - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;
    use engine::evaluation::Evaluation;
    use std::sync::Arc;

    #[test]
    fn pieces_and_moves_have_values() {
        let engine = AnalysisEngine::new(Evaluation::Classical, Arc::new(Clients::new()));
        let explanation = explain(&engine, &Position::startpos());
        assert_eq!((explanation.pieces.len(), explanation.moves.len()), (30, 20));
        let worth = |square: &str| explanation.pieces[square];
        assert!(worth("d1") > 500 && worth("d8") < -500 && worth("e2") > 0);
        assert!(explanation.terms.expect("a table").contains("Material"));
    }
}
