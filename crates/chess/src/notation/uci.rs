//! Moves as UCI writes them: `e2e4`, `e7e8q`, and castling as `e1g1` or, in Chess960, `e1h1`.

use super::MoveError;
use crate::{CastlingSide, Color, Move, MoveKind, Position, Role, Square};
use std::fmt;

/// A move that displays as UCI text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

impl Move {
    /// The move as UCI text. Castling is written as the king's two steps in standard chess, and as the
    /// king taking its rook in Chess960.
    pub fn uci(self, chess960: bool) -> UciMove {
        let (from, mut to) = (self.from(), self.to());
        if self.is_castle() && !chess960 {
            to = castling_target(from, to);
        }
        UciMove { from, to, promotion: self.promotion() }
    }
}

/// The king's target square of a castling move.
fn castling_target(king: Square, rook: Square) -> Square {
    let side = CastlingSide::of(king, rook);
    let color = if king < Square::A2 { Color::White } else { Color::Black };
    side.king_target(color)
}

impl Position {
    /// The legal move that UCI text means here.
    ///
    /// Castling is accepted in both forms, except that a king move which is legal by itself (possible in
    /// Chess960) is that move. The promotion letter is required, in either case.
    ///
    /// ```
    /// use chess::{MoveError, Position};
    /// let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    /// let castle = position.parse_uci("e1g1")?;
    /// assert_eq!(position.parse_uci("e1h1"), Ok(castle));
    /// assert_eq!(castle.uci(false).to_string(), "e1g1");
    /// assert_eq!(castle.uci(true).to_string(), "e1h1");
    /// # Ok::<(), MoveError>(())
    /// ```
    ///
    /// # Errors
    /// [`MoveError`] if no legal move matches.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let (from, to, promotion) = split(text).ok_or(MoveError::Syntax)?;
        let mover =
            self.piece_at(from).filter(|piece| piece.color() == self.turn()).ok_or(MoveError::Illegal)?;
        let kind = match (mover.role(), promotion) {
            (Role::Pawn, Some(role)) => MoveKind::Promotion(role),
            (Role::Pawn, None) if self.en_passant() == Some(to) && from.file() != to.file() => {
                MoveKind::EnPassant
            }
            (Role::Pawn, None) if from.index().abs_diff(to.index()) == 16 => MoveKind::DoublePush,
            (_, Some(_)) => return Err(MoveError::Illegal),
            (Role::King, None) if self.castling().any(self.turn()) => {
                if let Some(castle) = self.castling_move(from, to) {
                    return Ok(castle);
                }
                MoveKind::Normal
            }
            _ => MoveKind::Normal,
        };
        let mv = Move::new(from, to, kind);
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let with_queen = Move::new(from, to, MoveKind::Promotion(Role::Queen));
        let incomplete = promotion.is_none() && self.is_legal(with_queen);
        Err(if incomplete { MoveError::MissingPromotion } else { MoveError::Illegal })
    }

    /// The castling move of a king move in either notation, if it is legal and unambiguous.
    fn castling_move(&self, king: Square, to: Square) -> Option<Move> {
        CastlingSide::ALL
            .into_iter()
            .filter_map(|side| Some((side, self.castling().rook(self.turn(), side)?)))
            .filter(|&(side, rook)| {
                let step = side.king_target(self.turn()) == to && !self.is_legal(Move::normal(king, to));
                rook == to || step && self.castling().rook(self.turn(), side.opposite()) != Some(to)
            })
            .map(|(_, rook)| Move::new(king, rook, MoveKind::Castle))
            .find(|&mv| self.is_legal(mv))
    }
}

/// Two squares and an optional promotion piece, if the text has that form.
fn split(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?.chars();
    let promotion = match rest.next() {
        None => None,
        Some(letter) => Some(Role::from_letter(letter).filter(|role| Role::PROMOTIONS.contains(role))?),
    };
    if rest.next().is_some() { None } else { Some((from, to, promotion)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fen: &str, text: &str) -> Result<String, MoveError> {
        let position = Position::from_fen(fen).unwrap();
        position.parse_uci(text).map(|mv| format!("{mv:?}"))
    }

    #[test]
    fn castling_in_both_notations() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, standard, chess960) in [
            ("e1g1", "e1g1", "e1h1"),
            ("e1h1", "e1g1", "e1h1"),
            ("e1c1", "e1c1", "e1a1"),
            ("e1a1", "e1c1", "e1a1"),
        ] {
            let mv = Position::from_fen(fen).unwrap().parse_uci(text).unwrap();
            assert!(mv.is_castle());
            assert_eq!(
                (mv.uci(false).to_string().as_str(), mv.uci(true).to_string().as_str()),
                (standard, chess960)
            );
        }
    }

    #[test]
    fn king_move_wins_over_castling() {
        let fen = "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1";
        assert_eq!(parse(fen, "f1g1"), Ok("f1g1".into()));
        assert_eq!(parse(fen, "f1h1"), Ok("f1h1".into()));
        // The king move is illegal, and so is castling through the same attack.
        assert_eq!(parse("5kr1/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1"), Err(MoveError::Illegal));
    }

    #[test]
    fn errors_are_distinguished() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for text in ["", "e2", "e9e4", "e2e4qq", "0000", "e2e4x", "é2e4", "e2-e4"] {
            assert_eq!(parse(start, text), Err(MoveError::Syntax), "{text}");
        }
        for text in ["e2e5", "e7e5", "e3e4", "e2e4q", "e1g1", "e1h1"] {
            assert_eq!(parse(start, text), Err(MoveError::Illegal), "{text}");
        }
        let promoting = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(parse(promoting, "e7e8"), Err(MoveError::MissingPromotion));
        assert_eq!(parse(promoting, "e7e8Q"), Ok("e7e8q".into()));
        assert_eq!(parse(promoting, "e7e8k"), Err(MoveError::Syntax));
    }
}
