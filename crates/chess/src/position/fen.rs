//! Positions as text: FEN, X-FEN and Shredder-FEN in both directions.

use super::Position;
use crate::castling::back_rank;
use crate::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks};
use std::fmt;

/// Why a FEN is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// A field with this name is missing.
    Missing(&'static str),
    /// The board does not have eight ranks.
    RankCount(usize),
    /// A rank does not have eight squares.
    RankLength {
        /// The rank.
        rank: Rank,
        /// The number of its squares.
        squares: usize,
    },
    /// Invalid character in the board field.
    UnknownPiece {
        /// The character.
        letter: char,
        /// Its rank.
        rank: Rank,
    },
    /// A side does not have exactly one king.
    Kings {
        /// The side.
        color: Color,
        /// The number of its kings.
        count: u32,
    },
    /// A side has more than sixteen pieces.
    TooManyPieces(Color),
    /// A side has more than eight pawns.
    TooManyPawns(Color),
    /// A pawn is on the first or last rank.
    PawnOnBackRank(Square),
    /// The side that is not to move is in check: its king could be taken.
    KingCanBeTaken(Color),
    /// The side to move is neither `w` nor `b`.
    SideToMove(String),
    /// The castling field has an invalid character, or a duplicate right.
    Castling(String),
    /// The en passant field is neither `-` nor a square.
    EnPassant(String),
    /// A clock is not a number.
    Clock {
        /// The field's name.
        field: &'static str,
        /// What was found.
        text: String,
    },
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Missing(field) => write!(f, "missing {field}"),
            FenError::RankCount(count) => write!(f, "invalid board: {count} ranks, expected 8"),
            FenError::RankLength { rank, squares } => {
                write!(f, "invalid board: {squares} squares in rank {rank}, expected 8")
            }
            FenError::UnknownPiece { letter, rank } => {
                write!(f, "invalid character {letter:?} in rank {rank}: expected a piece or 1..=8")
            }
            FenError::Kings { color, count: 0 } => write!(f, "{color} has no king"),
            FenError::Kings { color, count } => write!(f, "{color} has {count} kings"),
            FenError::TooManyPieces(color) => write!(f, "{color} has more than 16 pieces"),
            FenError::TooManyPawns(color) => write!(f, "{color} has more than 8 pawns"),
            FenError::PawnOnBackRank(square) => write!(f, "pawn on {square}"),
            FenError::KingCanBeTaken(color) => {
                write!(f, "{color} is in check, but not to move")
            }
            FenError::SideToMove(text) => write!(f, "invalid side to move {text:?}: expected w or b"),
            FenError::Castling(text) => write!(f, "invalid castling field {text:?}"),
            FenError::EnPassant(text) => {
                write!(f, "invalid en passant field {text:?}: expected - or a square")
            }
            FenError::Clock { field, text } => write!(f, "invalid {field} {text:?}: expected a number"),
        }
    }
}

impl std::error::Error for FenError {}

/// What [`Position::from_fen_with_repairs`] repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FenRepairs {
    /// A castling right without its king or rook in place was dropped.
    pub castling: bool,
    /// An en passant square without a legal capture was dropped.
    pub en_passant: bool,
}

impl fmt::Display for FenRepairs {
    /// What was dropped, as text; empty if nothing was.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let castling = self.castling.then_some("castling rights without king and rook in place");
        let en_passant = self.en_passant.then_some("an en passant square on which no capture is legal");
        let dropped: Vec<&str> = castling.into_iter().chain(en_passant).collect();
        match dropped.as_slice() {
            [] => Ok(()),
            dropped => write!(f, "dropped {}", dropped.join(" and ")),
        }
    }
}

impl Position {
    /// Reads a FEN, X-FEN or Shredder-FEN.
    ///
    /// The board and the side to move are required; castling and en passant default to `-`, the clocks to
    /// `0 1`. Text after the sixth field is ignored.
    ///
    /// Rejected: a board that is not 8 by 8, a side without exactly one king, with more than 16 pieces or
    /// more than 8 pawns, pawns on the first or last rank, the side not to move in check, and fields that
    /// cannot be parsed. Repaired: castling rights without king and rook in place and en passant squares on
    /// which no capture is legal are dropped, clocks are clamped (255 plies, moves from 1 to 65535).
    ///
    /// ```
    /// use chess::{FenError, Position, Color};
    /// let position = Position::from_fen("1r2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1")?;
    /// assert_eq!(position.to_fen(), "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w KBkq - 0 1");
    /// let mistake = Position::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
    /// assert_eq!(mistake, FenError::Kings { color: Color::Black, count: 0 });
    /// assert_eq!(mistake.to_string(), "black has no king");
    /// # Ok::<(), FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenError`] describes the problem.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Position::from_fen_with_repairs(fen).map(|(position, _)| position)
    }

    /// Like [`from_fen`](Self::from_fen), and returns what was repaired.
    ///
    /// # Errors
    /// [`FenError`] describes the problem.
    pub fn from_fen_with_repairs(fen: &str) -> Result<(Position, FenRepairs), FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Missing("the board"))?;
        let turn = match fields.next().ok_or(FenError::Missing("the side to move"))? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::SideToMove(other.to_string())),
        };
        let mut position = Position::empty(turn);
        let mut repairs = FenRepairs::default();
        position.read_board(board)?;
        position.check_men()?;
        position.read_castling(fields.next().unwrap_or("-"), &mut repairs)?;
        let en_passant = match fields.next().unwrap_or("-") {
            "-" => None,
            text => Some(text.parse().map_err(|_| FenError::EnPassant(text.to_string()))?),
        };
        position.set_clocks(fields.next(), fields.next())?;
        position.refresh();
        if let Some(square) = en_passant {
            position.en_passant = position.capturable_in_passing(square);
            repairs.en_passant = position.en_passant.is_none();
            position.refresh();
        }
        Ok((position, repairs))
    }

    /// Reads both clocks, each of which may be missing.
    pub(crate) fn set_clocks(
        &mut self,
        halfmove: Option<&str>,
        fullmove: Option<&str>,
    ) -> Result<(), FenError> {
        self.halfmove_clock = read_clock(halfmove, "halfmove clock", 0, u8::MAX.into())? as u8;
        self.fullmove_number = read_clock(fullmove, "move number", 1, u16::MAX.into())?.max(1) as u16;
        Ok(())
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        let count = board.split('/').count();
        if count != 8 {
            return Err(FenError::RankCount(count));
        }
        for (row, rank) in board.split('/').zip(Rank::ALL.into_iter().rev()) {
            let mut squares = 0;
            for letter in row.chars() {
                if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    squares += empty as usize;
                } else if let Some(piece) = Piece::from_letter(letter) {
                    if squares < 8 {
                        self.put(piece, Square::new(File::new(squares), rank));
                    }
                    squares += 1;
                } else {
                    return Err(FenError::UnknownPiece { letter, rank });
                }
            }
            if squares != 8 {
                return Err(FenError::RankLength { rank, squares });
            }
        }
        Ok(())
    }

    /// The rules on pieces that every position satisfies.
    fn check_men(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let kings = self.count(color, Role::King);
            if kings != 1 {
                return Err(FenError::Kings { color, count: kings });
            }
            if self.colored(color).count() > 16 {
                return Err(FenError::TooManyPieces(color));
            }
            if self.count(color, Role::Pawn) > 8 {
                return Err(FenError::TooManyPawns(color));
            }
        }
        if let Some(square) = (self.role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
            return Err(FenError::PawnOnBackRank(square));
        }
        let waiting = !self.turn();
        if self.is_attacked(self.king(waiting), self.turn(), self.occupied()) {
            return Err(FenError::KingCanBeTaken(waiting));
        }
        Ok(())
    }

    /// Reads `KQkq` (the outermost rook on that side, as X-FEN has it) and file letters alike.
    fn read_castling(&mut self, text: &str, repairs: &mut FenRepairs) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let refuse = || FenError::Castling(text.to_string());
        let mut seen = String::new();
        for letter in text.chars() {
            if seen.contains(letter) {
                return Err(refuse());
            }
            seen.push(letter);
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let king = self.king(color);
            let rooks = self.pieces(color, Role::Rook) & Bitboard::rank(back_rank(color));
            let rook = match letter.to_ascii_lowercase() {
                'k' => rooks.last().filter(|&rook| rook > king),
                'q' => rooks.first().filter(|&rook| rook < king),
                letter => {
                    let file = File::from_letter(letter).ok_or_else(refuse)?;
                    Some(Square::new(file, back_rank(color))).filter(|&square| rooks.has(square))
                }
            };
            match rook.filter(|_| king.rank() == back_rank(color)) {
                Some(rook) => {
                    let side = CastlingSide::of(king, rook);
                    if self.castling.rook(color, side).is_some() {
                        return Err(refuse());
                    }
                    self.castling.set(color, side, Some(rook.file()));
                }
                None => repairs.castling = true,
            }
        }
        Ok(())
    }

    /// The en passant square, if the last move can have been a double step over it and a capture is legal.
    fn capturable_in_passing(&self, square: Square) -> Option<Square> {
        let us = self.turn();
        let pawn = square.forward(!us)?;
        let origin = square.forward(us)?;
        let possible = square.rank() == Square::from_index(40).relative_to(us).rank()
            && self.pieces(!us, Role::Pawn).has(pawn)
            && !self.occupied().has(square)
            && !self.occupied().has(origin);
        let capturers = attacks::pawn(!us, square) & self.pieces(us, Role::Pawn);
        (possible && capturers.into_iter().any(|from| self.en_passant_is_legal(from, square)))
            .then_some(square)
    }

    /// The position as X-FEN, which is plain FEN wherever the rook that may castle is the outermost one. The
    /// en passant square is written only if a capture is legal.
    pub fn to_fen(&self) -> String {
        self.write_fen(|color, side, rook| {
            let outer = match side {
                CastlingSide::Short => self.back_rank_rooks(color).last(),
                CastlingSide::Long => self.back_rank_rooks(color).first(),
            };
            match (outer == Some(rook), side) {
                (true, CastlingSide::Short) => 'k',
                (true, CastlingSide::Long) => 'q',
                (false, _) => rook.file().letter(),
            }
        })
    }

    /// The position as Shredder-FEN: castling rights by the rook's file.
    pub fn to_shredder_fen(&self) -> String {
        self.write_fen(|_, _, rook| rook.file().letter())
    }

    fn back_rank_rooks(&self, color: Color) -> Bitboard {
        self.pieces(color, Role::Rook) & Bitboard::rank(back_rank(color))
    }

    fn write_fen(&self, castling_letter: impl Fn(Color, CastlingSide, Square) -> char) -> String {
        let mut fen = piece_placement(|square| self.piece_at(square));
        fen.push(' ');
        fen.push(self.turn().letter());
        fen.push(' ');
        if self.castling.is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook(color, side) {
                    let letter = castling_letter(color, side, rook);
                    fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        let en_passant = self.en_passant.map_or_else(|| "-".to_string(), |square| square.to_string());
        fen + &format!(" {en_passant} {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

/// The first field of a FEN: the pieces by rank from the eighth, with a number for adjacent empty squares.
pub fn piece_placement(piece_at: impl Fn(Square) -> Option<Piece>) -> String {
    let mut text = String::with_capacity(90);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

/// A number that may be missing; one that is too large is clamped.
fn read_clock(text: Option<&str>, field: &'static str, default: u64, max: u64) -> Result<u64, FenError> {
    let Some(text) = text else { return Ok(default) };
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Clock { field, text: text.to_string() });
    }
    Ok(text.parse().unwrap_or(u64::MAX).min(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str) -> FenError {
        Position::from_fen(fen).expect_err(fen)
    }

    #[test]
    fn errors_are_specific() {
        use FenError as E;
        let cases = [
            ("", E::Missing("the board")),
            ("8/8/8/8/8/8/8/8", E::Missing("the side to move")),
            ("8/8/8/8/8/8/8 w - -", E::RankCount(7)),
            ("4k3/8/8/8/8/8/8/4K3/8 w - -", E::RankCount(9)),
            ("4k3/7/8/8/8/8/8/4K3 w - -", E::RankLength { rank: Rank::Seventh, squares: 7 }),
            ("4k3/8/8/8/8/8/pppppppp1/4K3 w - -", E::RankLength { rank: Rank::Second, squares: 9 }),
            ("4k3/0/8/8/8/8/8/4K3 w - -", E::UnknownPiece { letter: '0', rank: Rank::Seventh }),
            ("4k3/9/8/8/8/8/8/4K3 w - -", E::UnknownPiece { letter: '9', rank: Rank::Seventh }),
            ("4k3/8/8/4é3/8/8/8/4K3 w - -", E::UnknownPiece { letter: 'é', rank: Rank::Fifth }),
            ("8/8/8/8/8/8/8/4K3 w - -", E::Kings { color: Color::Black, count: 0 }),
            ("4k3/8/8/8/8/8/8/4KK2 w - -", E::Kings { color: Color::White, count: 2 }),
            ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR/ w - -", E::RankCount(9)),
            ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - -", E::TooManyPieces(Color::White)),
            ("4k3/p7/pppppppp/8/8/8/8/4K3 w - -", E::TooManyPawns(Color::Black)),
            ("4k2P/8/8/8/8/8/8/4K3 w - -", E::PawnOnBackRank(Square::H8)),
            ("4k3/8/8/8/8/8/8/4K2p w - -", E::PawnOnBackRank(Square::H1)),
            ("4k3/4R3/8/8/8/8/8/4K3 w - -", E::KingCanBeTaken(Color::Black)),
            ("8/8/8/3kK3/8/8/8/8 b - -", E::KingCanBeTaken(Color::White)),
            ("4k3/8/8/8/8/8/8/4K3 x - -", E::SideToMove("x".into())),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQkq -", E::Castling("KQkqKQkq".into())),
            ("r3k2r/8/8/8/8/8/8/R3K2R w -KQ -", E::Castling("-KQ".into())),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KH -", E::Castling("KH".into())),
            ("r3k2r/8/8/8/8/8/8/R3K2R w x -", E::Castling("x".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", E::EnPassant("e9".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", E::Clock { field: "halfmove clock", text: "-1".into() }),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", E::Clock { field: "move number", text: "x".into() }),
        ];
        for (fen, expected) in cases {
            assert_eq!(error(fen), expected, "{fen}");
            assert!(!error(fen).to_string().is_empty());
        }
    }

    #[test]
    fn impossible_castling_rights_are_dropped() {
        for (fen, kept) in [
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"),
            ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq"),
            ("1r2k3/8/8/8/8/8/8/R3K3 w KQq - 0 1", "Qq"),
            ("4k3/8/8/8/8/8/8/R3K3 w H - 0 1", "-"),
        ] {
            let (position, repairs) = Position::from_fen_with_repairs(fen).unwrap();
            assert_eq!(position.to_fen().split(' ').nth(2), Some(kept), "{fen}");
            assert_eq!(repairs.castling, fen.split(' ').nth(2) != Some(kept), "{fen}");
        }
    }

    #[test]
    fn en_passant_square_needs_legal_capture() {
        for (fen, kept) in [
            ("4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1", "-"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "-"),
            // Both pawns leave the rank, which exposes the black king to the rook.
            ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "-"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", "-"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6"),
            ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
        ] {
            let (position, repairs) = Position::from_fen_with_repairs(fen).unwrap();
            assert_eq!(position.to_fen().split(' ').nth(3), Some(kept), "{fen}");
            assert_eq!(repairs.en_passant, kept == "-", "{fen}");
        }
    }

    #[test]
    fn missing_fields_have_defaults() {
        let full = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/4K3 w -",
            "4k3/8/8/8/8/8/8/4K3 w - - 0",
            " 4k3/8/8/8/8/8/8/4K3  w - - 0 0 tail e2e4",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), full, "{fen}");
        }
        let clamped = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999999 70000").unwrap();
        assert_eq!((clamped.halfmove_clock(), clamped.fullmove_number()), (255, 65535));
    }

    #[test]
    fn inner_castling_rooks_are_written_by_file() {
        let fen = "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.to_fen(), "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w KBkq - 0 1");
        assert_eq!(position.to_shredder_fen(), fen);
        assert_eq!(Position::from_fen(&position.to_fen()).unwrap(), position);
    }
}
