//! The network's evaluation piece by piece, on a board. The `eval` command prints it.

use std::fmt;

use chess::{Color, File, Piece, Position, Rank, Square};
use nnue::Network;

use super::table::EvaluationTable;

/// An evaluation and its parts.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// Term by term.
    Classical(EvaluationTable),
    /// Piece by piece.
    Network(Box<NetworkBoard>),
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Explanation::Classical(table) => table.fmt(f),
            Explanation::Network(board) => board.fmt(f),
        }
    }
}

/// A network's evaluation of a position, and the contribution of every piece: the evaluation minus the
/// evaluation without that piece. All from White's point of view, in centipawns.
#[derive(Clone, Debug)]
pub struct NetworkBoard {
    squares: [Option<(Piece, Option<i32>)>; Square::COUNT],
    value: i32,
    turn: Color,
}

impl NetworkBoard {
    /// Evaluates the position, and the position without each piece that is not a king.
    pub fn new(network: &Network, position: &Position) -> NetworkBoard {
        let seen_by_white = |color: Color, value: i32| if color == Color::White { value } else { -value };
        let squares = std::array::from_fn(|index| {
            let square = Square::from_index(index);
            let piece = position.piece_at(square)?;
            let value = network.piece_value(position, square);
            Some((piece, value.map(|value| seen_by_white(piece.color(), value))))
        });
        let value = seen_by_white(position.turn(), network.evaluate_slow(position));
        NetworkBoard { squares, value, turn: position.turn() }
    }

    /// The evaluation from White's point of view.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// What the piece on a square adds for White; `None` for kings and empty squares.
    pub fn piece_value(&self, square: Square) -> Option<i32> {
        self.squares[square.index()].and_then(|(_, value)| value)
    }
}

impl fmt::Display for NetworkBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| format!("{:+.2}", f64::from(centipawns) / 100.0);
        let line = format!("  +{}", "-------+".repeat(8));
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f, "{line}")?;
            let row = File::ALL.map(|file| self.squares[Square::new(file, rank).index()]);
            write!(f, "{rank} |")?;
            for cell in row {
                write!(f, "   {}   |", cell.map_or(' ', |(piece, _)| piece.letter()))?;
            }
            write!(f, "\n  |")?;
            for cell in row {
                write!(f, "{:^7}|", cell.and_then(|(_, value)| value).map_or(String::new(), pawns))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{line}")?;
        writeln!(f, "  {}", File::ALL.map(|file| format!("    {file}   ")).concat())?;
        writeln!(
            f,
            "Each number: the evaluation minus the evaluation without that piece, from White's point of view."
        )?;
        writeln!(f, "Network evaluation {} for White, {} to move", pawns(self.value), self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::FloatNetwork;
    use nnue::shape::Shape;

    #[test]
    fn both_colours_see_the_same_board() {
        let network = FloatNetwork::random(Shape::new(64).unwrap(), 4).quantise();
        let position = Position::from_fen("r3k3/8/8/3N4/8/8/5P2/4K3 w - - 0 1").unwrap();
        let board = NetworkBoard::new(&network, &position);
        let mirrored = NetworkBoard::new(&network, &position.color_mirrored());
        assert_eq!(board.value(), -mirrored.value());
        assert_eq!(board.value(), network.evaluate_slow(&position));
        for square in Square::all() {
            assert_eq!(
                board.piece_value(square),
                mirrored.piece_value(square.flip_rank()).map(|value| -value)
            );
            let is_counted = [Square::A8, Square::D5, Square::F2].contains(&square);
            assert_eq!(board.piece_value(square).is_some(), is_counted, "{square}");
        }
    }

    #[test]
    fn board_shows_every_piece_with_its_value() {
        let network = FloatNetwork::random(Shape::new(64).unwrap(), 4).quantise();
        let text = NetworkBoard::new(&network, &Position::startpos()).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8 * 3 + 4);
        assert!(lines[1].starts_with("8 |   r   |   n   |"), "{text}");
        // Thirty pieces other than kings.
        assert_eq!(lines[..24].iter().map(|line| line.matches('.').count()).sum::<usize>(), 30, "{text}");
    }
}
