//! A training position, packed into 32 bytes.

use chess::{Color, FenError, Piece, Position, Role, Square};
use record::packed::Sample;

use crate::random;

pub const MAX_PIECES: usize = 32;

/// Set in a piece's code if it belongs to the side not to move.
const THEIRS: u8 = 8;

/// A position with its labels, from the side to move's point of view.
///
/// The layout is fixed: GPUs read and write the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Example {
    /// Occupied squares, a1 in the lowest bit.
    occupied: u64,
    /// Four bits for each occupied square in that order: the piece type, and whether it is theirs.
    pieces: [u8; MAX_PIECES / 2],
    /// Search score in centipawns.
    score: i16,
    /// Of the side to move.
    half_points: u8,
    our_king: u8,
    their_king: u8,
    unused: [u8; 3],
}

pub const EXAMPLE_BYTES: usize = 32;

const _: () = assert!(size_of::<Example>() == EXAMPLE_BYTES);

/// A piece of an [`Example`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Belongs to the side not to move.
    pub theirs: bool,
    /// From pawn to king.
    pub role: usize,
    /// From the side to move's point of view.
    pub square: usize,
}

impl Example {
    pub fn new(sample: &Sample) -> Self {
        let position = &sample.position;
        let turn = position.turn();
        let board = position.occupied();
        let occupied = if turn == Color::White { board } else { board.flip_ranks() };
        let mut pieces = [0; MAX_PIECES / 2];
        for (index, square) in occupied.into_iter().enumerate() {
            if let Some(piece) = position.piece_at(square.relative_to(turn)) {
                let theirs = if piece.color() == turn { 0 } else { THEIRS };
                pieces[index / 2] |= (piece.role().index() as u8 | theirs) << (4 * (index % 2));
            }
        }
        let king = |color| position.king(color).relative_to(turn).index() as u8;
        Self {
            occupied: occupied.0,
            pieces,
            score: sample.mover_score().clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            half_points: (2.0 * sample.mover_points()) as u8,
            our_king: king(turn),
            their_king: king(!turn),
            unused: [0; 3],
        }
    }

    /// As a GPU writes it.
    pub fn from_bytes(bytes: &[u8; EXAMPLE_BYTES]) -> Self {
        Self {
            occupied: u64::from_le_bytes(std::array::from_fn(|at| bytes[at])),
            pieces: std::array::from_fn(|at| bytes[8 + at]),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            half_points: bytes[26],
            our_king: bytes[27],
            their_king: bytes[28],
            unused: [0; 3],
        }
    }

    /// As a GPU reads it.
    pub fn bytes(&self) -> [u8; EXAMPLE_BYTES] {
        let mut bytes = [0; EXAMPLE_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..29].copy_from_slice(&[self.half_points, self.our_king, self.their_king]);
        bytes
    }

    /// In the order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = PlacedPiece> {
        let mut squares = self.occupied;
        (0..self.occupied.count_ones() as usize).map(move |index| {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let code = self.pieces[index / 2] >> (4 * (index % 2)) & 15;
            PlacedPiece { theirs: code & THEIRS != 0, role: usize::from(code & !THEIRS), square }
        })
    }

    /// Number of pieces.
    pub fn count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Search score in centipawns for the side to move.
    pub fn score(&self) -> f32 {
        self.score.into()
    }

    /// 0, ½ or 1 point for the side to move.
    pub fn points(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    pub fn hash(&self) -> u64 {
        let [low, high] =
            [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| self.pieces[at + byte])));
        let labels = u64::from(self.score as u16) << 8 | u64::from(self.half_points);
        [low, high, labels].into_iter().fold(self.occupied, |hash, word| random::mix(hash ^ word))
    }

    /// The position with White to move, without castling rights and the like, which the network does not see.
    ///
    /// # Errors
    /// If the position is illegal, which those of games never are.
    pub fn position(&self) -> Result<Position, FenError> {
        let mut board = [None; Square::COUNT];
        for piece in self.pieces() {
            let color = if piece.theirs { Color::Black } else { Color::White };
            board[piece.square] = Role::ALL.get(piece.role).map(|&role| Piece::new(color, role));
        }
        let ranks: Vec<String> = board.chunks(8).rev().map(rank_text).collect();
        Position::from_fen(&format!("{} w - - 0 1", ranks.join("/")))
    }

    /// Squares of the kings: ours, then theirs.
    pub fn kings(&self) -> [usize; 2] {
        [self.our_king.into(), self.their_king.into()]
    }
}

/// A rank of a FEN, with a 1 for every empty square.
fn rank_text(rank: &[Option<Piece>]) -> String {
    rank.iter().map(|piece| piece.map_or('1', Piece::letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::packed::PackedResult;

    fn example(fen: &str, mv: &str, score: i16, result: PackedResult) -> Example {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(mv).unwrap();
        Example::new(&Sample { position, mv: Some(mv), score, result, index: 0 })
    }

    #[test]
    fn black_to_move_is_flipped() {
        let white = example("4k3/2p5/8/8/8/8/1P3P2/4K3 w - - 0 1", "b2b3", 70, PackedResult::WhiteWins);
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, PackedResult::BlackWins);
        assert_eq!(white, black);
        assert_eq!((black.score(), black.points(), black.kings()), (70.0, 1.0, [4, 60]));
        assert_eq!(black.pieces().filter(|piece| piece.theirs).count(), 2);
    }

    #[test]
    fn full_board_fits() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let pieces: Vec<PlacedPiece> = example(fen, "e2e4", 0, PackedResult::Draw).pieces().collect();
        assert_eq!(pieces.len(), MAX_PIECES);
        assert_eq!(pieces[3], PlacedPiece { theirs: false, role: 4, square: 3 });
        assert_eq!(pieces[31], PlacedPiece { theirs: true, role: 3, square: 63 });
    }

    #[test]
    fn bytes_round_trip() {
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, PackedResult::BlackWins);
        assert_eq!(Example::from_bytes(&black.bytes()), black);
    }

    #[test]
    fn position_is_from_the_movers_side() {
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, PackedResult::BlackWins);
        assert_eq!(black.position().unwrap().to_fen(), "4k3/2p5/8/8/8/8/1P3P2/4K3 w - - 0 1");
    }
}
