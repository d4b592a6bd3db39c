//! Which pieces become better or worse in a line, by the network.

use chess::{Color, Move, Position, Role, Square};
use engine::evaluation::{Evaluation, NetworkBoard};
use serde::{Deserialize, Serialize};

use crate::motif::{destination, role_name};

/// Smaller changes, in centipawns, are left out.
const SMALLEST: i32 = 50;
const MOST: usize = 6;

/// A piece whose worth changes in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceChange {
    /// Whether it is White's.
    pub white: bool,
    pub piece: String,
    /// Its squares at both ends of the line.
    pub from: String,
    pub to: String,
    /// What it is worth to its side at both ends, in centipawns: the network's evaluation minus the evaluation without
    /// it.
    pub before: i32,
    pub after: i32,
}

impl PieceChange {
    pub fn change(&self) -> i32 {
        self.after - self.before
    }
}

/// The pieces that survive a line, and become better or worse in it. None without a network.
pub fn changes(evaluation: &Evaluation, start: &Position, line: &[Move]) -> Vec<PieceChange> {
    let Evaluation::Network(network) = evaluation else { return Vec::new() };
    let end = line.iter().fold(*start, |position, &mv| position.after(mv));
    let (before, after) = (NetworkBoard::new(network, start), NetworkBoard::new(network, &end));
    let mut changes: Vec<PieceChange> = Square::all()
        .filter_map(|from| {
            let piece = start.piece_at(from).filter(|piece| piece.role() != Role::King)?;
            let to = follow(start, line, from)?;
            let own = |value: i32| if piece.color() == Color::White { value } else { -value };
            Some(PieceChange {
                white: piece.color() == Color::White,
                piece: role_name(piece.role()).to_owned(),
                from: from.to_string(),
                to: to.to_string(),
                before: own(before.piece_value(from)?),
                after: own(after.piece_value(to)?),
            })
        })
        .filter(|change| change.change().abs() >= SMALLEST)
        .collect();
    changes.sort_by_key(|change| -change.change().abs());
    changes.truncate(MOST);
    changes
}

/// Where a piece stands after a line; `None` if it was captured or promoted.
fn follow(start: &Position, line: &[Move], from: Square) -> Option<Square> {
    let (mut position, mut square) = (*start, from);
    for &mv in line {
        let after = position.after(mv);
        if mv.from() == square {
            if mv.promotion().is_some() {
                return None;
            }
            square = destination(&position, mv);
        } else if mv.is_castle() && mv.to() == square {
            // The rook stands beside the king, on the inner side.
            let king = destination(&position, mv);
            let inner = if mv.to().file() > mv.from().file() { king.index() - 1 } else { king.index() + 1 };
            square = Square::from_index(inner);
        } else if after.piece_at(square) != position.piece_at(square) {
            return None;
        }
        position = after;
    }
    Some(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::read_line;

    #[test]
    fn pieces_are_followed() {
        let fen = "r3k2r/ppq2ppp/8/3pP3/8/8/PPP2PPP/R2QK2R w KQkq d6 0 1";
        let start = Position::from_fen(fen).expect("a position");
        let line = read_line(&start, "exd6 O-O-O O-O Qxd6 Qxd6").expect("legal moves");
        let at = |square: &str| {
            let square = Square::all().find(|one| one.to_string() == square).expect("a square");
            follow(&start, &line, square).map(|square| square.to_string())
        };
        let ends = ["e5", "d5", "a8", "h1", "a1", "d1", "c7"].map(at);
        let expected = [None, None, Some("d8"), Some("f1"), Some("a1"), Some("d6"), None];
        assert_eq!(ends, expected.map(|square| square.map(str::to_owned)));
    }
}
