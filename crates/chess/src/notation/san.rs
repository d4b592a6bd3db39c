//! Standard algebraic notation: `Nf3`, `exd8=Q+`, `O-O#`.

use super::MoveError;
use crate::{Bitboard, CastlingSide, File, Move, Position, Rank, Role, Square};
use std::fmt;

/// A move that displays as standard algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    body: Body,
    threat: Threat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Body {
    Castle(CastlingSide),
    Move {
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Threat {
    None,
    Check,
    Mate,
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.body {
            Body::Castle(CastlingSide::Short) => f.write_str("O-O")?,
            Body::Castle(CastlingSide::Long) => f.write_str("O-O-O")?,
            Body::Move { role, file, rank, capture, to, promotion } => {
                if role != Role::Pawn {
                    write!(f, "{}", role.letter().to_ascii_uppercase())?;
                }
                file.map_or(Ok(()), |file| write!(f, "{file}"))?;
                rank.map_or(Ok(()), |rank| write!(f, "{rank}"))?;
                f.write_str(if capture { "x" } else { "" })?;
                write!(f, "{to}")?;
                promotion.map_or(Ok(()), |role| write!(f, "={}", role.letter().to_ascii_uppercase()))?;
            }
        }
        f.write_str(match self.threat {
            Threat::None => "",
            Threat::Check => "+",
            Threat::Mate => "#",
        })
    }
}

impl Position {
    /// A legal move in standard algebraic notation, with as much of the origin as is needed.
    pub fn san(&self, mv: Move) -> San {
        let after = self.after(mv);
        let threat = match (after.in_check(), after.has_legal_move()) {
            (false, _) => Threat::None,
            (true, true) => Threat::Check,
            (true, false) => Threat::Mate,
        };
        San { body: self.san_body(mv), threat }
    }

    fn san_body(&self, mv: Move) -> Body {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return Body::Castle(CastlingSide::of(from, to));
        }
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let capture = self.captured(mv).is_some();
        let (file, rank) = if role == Role::Pawn {
            (capture.then(|| from.file()), None)
        } else {
            let rivals: Bitboard = self
                .legal_moves()
                .into_iter()
                .filter(|other| {
                    other.to() == to && !other.is_castle() && self.role_at(other.from()) == Some(role)
                })
                .map(Move::from)
                .filter(|&square| square != from)
                .collect();
            let same_file = (rivals & Bitboard::file(from.file())).any();
            let same_rank = (rivals & Bitboard::rank(from.rank())).any();
            let by_file = rivals.any() && (!same_file || same_rank);
            (by_file.then(|| from.file()), same_file.then(|| from.rank()))
        };
        Body::Move { role, file, rank, capture, to, promotion: mv.promotion() }
    }

    /// The legal move that standard algebraic notation means here.
    ///
    /// Lenient where the meaning is clear: check and annotation marks may be missing or wrong (`+ # ! ?`),
    /// more of the origin than needed may be given (`Ng1-f3`), the `=` of a promotion may be missing, and
    /// castling may be written with zeros.
    ///
    /// ```
    /// use chess::{MoveError, Position};
    /// let position = Position::startpos();
    /// assert_eq!(position.parse_san("Nf3"), position.parse_uci("g1f3"));
    /// assert_eq!(position.parse_san("Nf4"), Err(MoveError::Illegal));
    /// ```
    ///
    /// # Errors
    /// [`MoveError`] if no legal move matches.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let castle = match text {
            "O-O" | "0-0" | "o-o" => Some(CastlingSide::Short),
            "O-O-O" | "0-0-0" | "o-o-o" => Some(CastlingSide::Long),
            _ => None,
        };
        if let Some(side) = castle {
            let rook = self.castling().rook(self.turn(), side).ok_or(MoveError::Illegal)?;
            let mv = Move::new(self.king(self.turn()), rook, crate::MoveKind::Castle);
            return if self.is_legal(mv) { Ok(mv) } else { Err(MoveError::Illegal) };
        }
        let pattern = Pattern::parse(text).ok_or(MoveError::Syntax)?;
        let moves = self.legal_moves();
        let mut fitting = moves.iter().filter(|&&mv| pattern.fits(self, mv));
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(MoveError::Ambiguous),
            (None, _) => {
                let promoting = Pattern { promotion: Some(Role::Queen), ..pattern };
                let incomplete =
                    pattern.promotion.is_none() && moves.iter().any(|&mv| promoting.fits(self, mv));
                Err(if incomplete { MoveError::MissingPromotion } else { MoveError::Illegal })
            }
        }
    }
}

/// A move as written in SAN.
#[derive(Clone, Copy)]
struct Pattern {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let (role, mut rest) = match text.chars().next()? {
            letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => (Role::from_letter(letter)?, &text[1..]),
            'P' => (Role::Pawn, &text[1..]),
            _ => (Role::Pawn, text),
        };
        let mut promotion = None;
        if let Some(letter @ ('N' | 'B' | 'R' | 'Q')) = rest.chars().last() {
            promotion = Role::from_letter(letter);
            rest = rest[..rest.len() - 1].trim_end_matches('=');
        }
        // Every remaining character has one byte, or the target is not a square.
        let split = rest.len().checked_sub(2)?;
        let to = rest.get(split..)?.parse().ok()?;
        let mut pattern = Pattern { role, file: None, rank: None, to, promotion };
        for letter in rest[..split].chars() {
            if let Some(file) =
                File::from_letter(letter).filter(|_| pattern.file.is_none() && pattern.rank.is_none())
            {
                pattern.file = Some(file);
            } else if let Some(rank) = Rank::from_letter(letter).filter(|_| pattern.rank.is_none()) {
                pattern.rank = Some(rank);
            } else if !matches!(letter, 'x' | '-' | ':') {
                return None;
            }
        }
        Some(pattern)
    }

    fn fits(self, position: &Position, mv: Move) -> bool {
        mv.to() == self.to
            && !mv.is_castle()
            && mv.promotion() == self.promotion
            && position.role_at(mv.from()) == Some(self.role)
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, uci: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        position.san(position.parse_uci(uci).unwrap()).to_string()
    }

    #[test]
    fn origins_are_given_only_as_far_as_needed() {
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1");
        assert_eq!(san("R3k3/8/8/8/8/8/4K3/R7 b - - 0 1", "e8e7"), "Ke7");
        assert_eq!(san("R7/4k3/8/8/8/8/4K3/R7 w - - 0 1", "a1a4"), "R1a4");
        // One rival on the same file and one on the same rank: neither alone is enough.
        assert_eq!(san("6k1/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4d1"), "Qa4d1");
        assert_eq!(san("6k1/8/8/8/Q2Q4/8/8/4K3 w - - 0 1", "a4d1"), "Qad1");
        // The other knight is pinned, so no disambiguation is needed.
        assert_eq!(san("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2"), "Ne2");
    }

    #[test]
    fn san_of_captures_promotions_checks_castling() {
        assert_eq!(san("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"), "exd8=Q+");
        assert_eq!(san("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3"), "dxe3");
        assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
        assert_eq!(san("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8#");
    }

    #[test]
    fn unambiguous_sloppy_san_is_accepted() {
        let position = Position::startpos();
        let knight = position.parse_uci("g1f3").unwrap();
        for text in ["Nf3", "Nf3!?", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+"] {
            assert_eq!(position.parse_san(text), Ok(knight), "{text}");
        }
        assert_eq!(position.parse_san("e2-e4"), position.parse_uci("e2e4"));
        let promoting = Position::from_fen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(promoting.parse_san("e8Q"), promoting.parse_uci("e7e8q"));
        assert_eq!(promoting.parse_san("e8"), Err(MoveError::MissingPromotion));
    }

    #[test]
    fn invalid_san_is_rejected() {
        let position = Position::startpos();
        for text in ["", "N", "Nf9", "é4", "Nxx", "e4e4e4", "--", "O-O-O-O", "=Q", "Q", "♘f3"] {
            assert_eq!(position.parse_san(text), Err(MoveError::Syntax), "{text}");
        }
        assert_eq!(position.parse_san("O-O"), Err(MoveError::Illegal));
        assert_eq!(position.parse_san("e5"), Err(MoveError::Illegal));
        let two_rooks = Position::from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").unwrap();
        assert_eq!(two_rooks.parse_san("Rd1"), Err(MoveError::Ambiguous));
    }
}
