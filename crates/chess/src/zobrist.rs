//! The random numbers of the hash keys. They are computed at compile time from a fixed seed, so keys are the
//! same in every build.
//!
//! The numbers are colour-symmetric: a number of Black is that of White on the mirrored square with its
//! halves exchanged. A mirrored position has the key of the original with its halves exchanged (apart from
//! the side to move), and a search can behave exactly alike for both colours, down to collisions in its
//! tables. See [`Position::relative_key`](crate::Position::relative_key).

use crate::{CastlingRights, CastlingSide, Color, File, Piece, Square};

/// The mailbox codes: twelve pieces and "empty", whose numbers are zero, so that moving nothing changes no
/// key.
pub(crate) const CELLS: usize = Piece::COUNT + 1;

pub(crate) struct Zobrist {
    pub cells: [[u64; 64]; CELLS + 3],
    /// White's short and long castling, then Black's. The rook's file is not part of it: in a game at most
    /// one rook on each side of the king has the right.
    castling: [u64; 4],
    pub en_passant: [u64; 8],
    pub black_to_move: u64,
}

pub(crate) static ZOBRIST: Zobrist = {
    let mut random = SplitMix(0x7665_6465_7474_6531);
    let mut zobrist = Zobrist {
        cells: [[0; 64]; CELLS + 3],
        castling: [0; 4],
        en_passant: [0; 8],
        black_to_move: random.next(),
    };
    let mut role = 0;
    while role < Piece::COUNT / 2 {
        let mut square = 0;
        while square < 64 {
            let number = random.next();
            zobrist.cells[2 * role][square] = number;
            zobrist.cells[2 * role + 1][square ^ 0o70] = mirrored(number);
            square += 1;
        }
        role += 1;
    }
    let (short, long) = (random.next(), random.next());
    zobrist.castling = [short, long, mirrored(short), mirrored(long)];
    let mut file = 0;
    while file < 8 {
        // The same for both sides, so it must be its own mirror image.
        let half = random.next() >> 32;
        zobrist.en_passant[file] = half << 32 | half;
        file += 1;
    }
    zobrist
};

/// The number or key of the colour mirror.
pub(crate) const fn mirrored(number: u64) -> u64 {
    number.rotate_left(32)
}

impl Zobrist {
    #[inline(always)]
    pub(crate) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.cells[piece.index()][square.index()]
    }

    /// The xor of the numbers of these rights.
    #[inline(always)]
    pub(crate) fn castling(&self, rights: CastlingRights) -> u64 {
        let number = |color, side| {
            let granted = rights.rook(color, side).is_some();
            self.castling[2 * color as usize + side as usize] & u64::from(granted).wrapping_neg()
        };
        number(Color::White, CastlingSide::Short)
            ^ number(Color::White, CastlingSide::Long)
            ^ number(Color::Black, CastlingSide::Short)
            ^ number(Color::Black, CastlingSide::Long)
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self, file: File) -> u64 {
        self.en_passant[file.index()]
    }
}

/// Sebastiano Vigna's `SplitMix64`, as a constant function.
struct SplitMix(u64);

impl SplitMix {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}
