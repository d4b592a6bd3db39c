//! A position to learn from, packed into 32 bytes: what the trainer keeps in memory, millions of times.

use chess::{Color, FenError, Piece, Position, Role, Square};
use record::packed::Sample;

use crate::random;

/// Most men a position can have.
pub const MAX_MEN: usize = 32;

/// Set in a man's code if it belongs to the side that is not to move.
const THEIRS: u8 = 8;

/// A position with its labels, seen by the side to move: it always moves up the board.
///
/// The layout is fixed, since the GPU reads the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Example {
    /// Occupied squares, a1 in the lowest bit.
    occupied: u64,
    /// Four bits for each occupied square in that order: the role, and whether the man is theirs.
    men: [u8; MAX_MEN / 2],
    /// What the search said, in centipawns.
    score: i16,
    /// What came of the game, in half points.
    half_points: u8,
    our_king: u8,
    their_king: u8,
    unused: [u8; 3],
}

/// Bytes of an example.
pub const EXAMPLE_BYTES: usize = 32;

const _: () = assert!(size_of::<Example>() == EXAMPLE_BYTES);

/// A man on the board of an [`Example`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// Whether it belongs to the side that is not to move.
    pub theirs: bool,
    /// The role's index, from pawn to king.
    pub role: usize,
    /// The square's index, as the side to move counts ranks.
    pub square: usize,
}

impl Example {
    /// Packs a position of a game.
    pub fn new(sample: &Sample) -> Self {
        let position = &sample.position;
        let turn = position.turn();
        let board = position.occupied();
        let occupied = if turn == Color::White { board } else { board.flip_ranks() };
        let mut men = [0; MAX_MEN / 2];
        for (index, square) in occupied.into_iter().enumerate() {
            if let Some(piece) = position.piece_at(square.relative_to(turn)) {
                let theirs = if piece.color() == turn { 0 } else { THEIRS };
                men[index / 2] |= (piece.role().index() as u8 | theirs) << (4 * (index % 2));
            }
        }
        let king = |color| position.king(color).relative_to(turn).index() as u8;
        Self {
            occupied: occupied.0,
            men,
            score: sample.mover_score().clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            half_points: (2.0 * sample.mover_points()) as u8,
            our_king: king(turn),
            their_king: king(!turn),
            unused: [0; 3],
        }
    }

    /// Reads an example as a GPU writes it.
    pub fn from_bytes(bytes: &[u8; EXAMPLE_BYTES]) -> Self {
        Self {
            occupied: u64::from_le_bytes(std::array::from_fn(|at| bytes[at])),
            men: std::array::from_fn(|at| bytes[8 + at]),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            half_points: bytes[26],
            our_king: bytes[27],
            their_king: bytes[28],
            unused: [0; 3],
        }
    }

    /// The bytes of an example, as a GPU reads them.
    pub fn bytes(&self) -> [u8; EXAMPLE_BYTES] {
        let mut bytes = [0; EXAMPLE_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..29].copy_from_slice(&[self.half_points, self.our_king, self.their_king]);
        bytes
    }

    /// The men in the order of their squares.
    pub fn men(&self) -> impl Iterator<Item = Man> {
        let mut squares = self.occupied;
        (0..self.occupied.count_ones() as usize).map(move |index| {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let code = self.men[index / 2] >> (4 * (index % 2)) & 15;
            Man { theirs: code & THEIRS != 0, role: usize::from(code & !THEIRS), square }
        })
    }

    /// How many men there are.
    pub fn count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// What the search said, in centipawns for the side to move.
    pub fn score(&self) -> f32 {
        self.score.into()
    }

    /// What came of the game: 0, ½ or 1 point for the side to move.
    pub fn points(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// A number that other examples practically never have.
    pub fn hash(&self) -> u64 {
        let [low, high] =
            [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| self.men[at + byte])));
        let labels = u64::from(self.score as u16) << 8 | u64::from(self.half_points);
        [low, high, labels].into_iter().fold(self.occupied, |hash, word| random::mix(hash ^ word))
    }

    /// The position, with White to move. Castling rights and the like are forgotten: the network does not see them.
    ///
    /// # Errors
    /// If the rules do not allow such a position, which those of games never are.
    pub fn position(&self) -> Result<Position, FenError> {
        let mut board = [None; Square::COUNT];
        for man in self.men() {
            let color = if man.theirs { Color::Black } else { Color::White };
            board[man.square] = Role::ALL.get(man.role).map(|&role| Piece::new(color, role));
        }
        let ranks: Vec<String> = board.chunks(8).rev().map(rank_text).collect();
        Position::from_fen(&format!("{} w - - 0 1", ranks.join("/")))
    }

    /// Where the kings stand: that of the side to move, then the other.
    pub fn kings(&self) -> [usize; 2] {
        [self.our_king.into(), self.their_king.into()]
    }
}

/// A rank in the words of FEN, where a 1 for every empty square is as good as their sum.
fn rank_text(rank: &[Option<Piece>]) -> String {
    rank.iter().map(|man| man.map_or('1', Piece::letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::packed::Wdl;

    fn example(fen: &str, mv: &str, score: i16, result: Wdl) -> Example {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(mv).unwrap();
        Example::new(&Sample { position, mv, score, result, index: 0 })
    }

    #[test]
    fn black_to_move_is_seen_from_blacks_side() {
        let white = example("4k3/2p5/8/8/8/8/1P3P2/4K3 w - - 0 1", "b2b3", 70, Wdl::WhiteWins);
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, Wdl::BlackWins);
        assert_eq!(white, black);
        assert_eq!((black.score(), black.points(), black.kings()), (70.0, 1.0, [4, 60]));
        assert_eq!(black.men().filter(|man| man.theirs).count(), 2);
    }

    #[test]
    fn a_full_board_keeps_every_man() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let men: Vec<Man> = example(fen, "e2e4", 0, Wdl::Draw).men().collect();
        assert_eq!(men.len(), MAX_MEN);
        assert_eq!(men[3], Man { theirs: false, role: 4, square: 3 });
        assert_eq!(men[31], Man { theirs: true, role: 3, square: 63 });
    }

    #[test]
    fn bytes_are_read_as_they_are_written() {
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, Wdl::BlackWins);
        assert_eq!(Example::from_bytes(&black.bytes()), black);
    }

    #[test]
    fn a_position_comes_out_as_the_mover_sees_it() {
        let black = example("4k3/1p3p2/8/8/8/8/2P5/4K3 b - - 0 1", "b7b6", -70, Wdl::BlackWins);
        assert_eq!(black.position().unwrap().to_fen(), "4k3/2p5/8/8/8/8/1P3P2/4K3 w - - 0 1");
    }
}
