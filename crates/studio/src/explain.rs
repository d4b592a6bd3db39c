//! What the evaluation says of a position, for the page: the worth of every man, and of every move.

use chess::{Color, Position, Role, Square};
use engine::evaluation::{Evaluator, Explanation};
use serde_json::{Map, Value, json};

use crate::analysis::Analyst;

/// The evaluation, what every man adds to it, and what every legal move changes, from White's view in
/// centipawns. Where rules judge, their terms are told too.
pub fn to_json(analyst: &Analyst, position: &Position) -> Value {
    let explanation = analyst.explain(position);
    let value = value_of(&explanation, position);
    let moves: Map<String, Value> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let after = position.after(mv);
            let change = value_of(&analyst.explain(&after), &after) - value;
            (mv.uci(true).to_string(), change.into())
        })
        .collect();
    let men = Square::all().filter_map(|square| {
        let worth = match &explanation {
            Explanation::Network(board) => board.worth(square),
            Explanation::Classical(_) => worth_by_rules(position, square),
        };
        Some((square.to_string(), worth?.into()))
    });
    let men: Map<String, Value> = men.collect();
    let terms = match &explanation {
        Explanation::Network(_) => Value::Null,
        Explanation::Classical(table) => table.to_string().into(),
    };
    json!({"value": value, "moves": moves, "men": men, "terms": terms})
}

/// The evaluation from White's view.
fn value_of(explanation: &Explanation, position: &Position) -> i32 {
    match explanation {
        Explanation::Network(board) => board.value(),
        Explanation::Classical(_) => {
            let value = Evaluator::new().evaluate(position);
            if position.turn() == Color::White { value } else { -value }
        }
    }
}

/// What a man adds for White: the evaluation less the evaluation without it. `None` for kings and empty
/// squares, and where the position without the man cannot be.
fn worth_by_rules(position: &Position, square: Square) -> Option<i32> {
    position.role_at(square).filter(|&role| role != Role::King)?;
    let without = Position::from_fen(&fen_without(position, square)).ok()?;
    let classical = |position: &Position| {
        let value = Evaluator::new().evaluate(position);
        if position.turn() == Color::White { value } else { -value }
    };
    Some(classical(position) - classical(&without))
}

/// The position's FEN with an empty square, and without rights that it could no longer have.
fn fen_without(position: &Position, empty: Square) -> String {
    let rows = chess::Rank::ALL.into_iter().rev().map(|rank| {
        let men = chess::File::ALL.map(|file| {
            let square = Square::new(file, rank);
            position.piece_at(square).filter(|_| square != empty).map_or('1', chess::Piece::letter)
        });
        men.iter().collect::<String>()
    });
    let board = rows.collect::<Vec<_>>().join("/");
    let turn = if position.turn() == Color::White { 'w' } else { 'b' };
    format!("{board} {turn} - - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::Hub;
    use engine::evaluation::Evaluation;
    use std::sync::Arc;

    #[test]
    fn every_man_but_the_kings_has_a_worth_and_every_move_a_change() {
        let analyst = Analyst::new(Evaluation::Classical, Arc::new(Hub::new()));
        let told = to_json(&analyst, &Position::startpos());
        assert_eq!(told["men"].as_object().expect("men").len(), 30);
        assert_eq!(told["moves"].as_object().expect("moves").len(), 20);
        let worth = |square: &str| told["men"][square].as_i64().expect("a number");
        assert!(worth("d1") > 500 && worth("d8") < -500 && worth("e2") > 0);
        assert!(told["terms"].as_str().expect("a table").contains("Material"));
    }
}
