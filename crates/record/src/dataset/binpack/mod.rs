//! Stockfish's `.binpack`: chunks of chains of positions that follow each other by their moves, as nnue-pytorch reads
//! them. Numbers are big-endian, bits begin with the highest of a byte.
//!
//! | part | content |
//! |---|---|
//! | chunk | `BINP`, size (4 bytes, little-endian), chains |
//! | chain | a first position, the number of those that follow (2 bytes), and their moves and scores as bits, up to a whole byte |
//! | first position | occupied squares (8 bytes), four bits per piece from a1 on (16), move (2), score of the side to move (2, folded), ply (14 bits) and result of the side to move (2 bits, folded), fifty-move counter (2 bytes) |
//! | piece | twice its role and its colour; 12 is a pawn that may be captured en passant, 13 and 14 are a white and a black rook with castling rights, 15 is the black king if Black is to move |
//! | move | kind (2 bits: normal, promotion, castling, en passant), origin (6), target (6, for castling the rook), promotion (2) |
//! | following position | number of the piece among those of its side, and of the target among the piece's pseudo-legal ones, in as many bits as the largest number takes; a promotion counts four times, castling follows the king's targets, queenside first; then the change of the score, folded, in blocks of a continuation bit and four bits |
//!
//! A folded number has its sign in the lowest bit. Scores are Stockfish's internal units where Stockfish wrote them.

mod chain;
mod first;
mod read;
mod write;

pub use read::Chunks;
pub use write::ChunkWriter;

pub const MAGIC: [u8; 4] = *b"BINP";

/// Bytes of the first position of a chain, and of its length.
const FIRST_BYTES: usize = 32;
const HEAD_BYTES: usize = FIRST_BYTES + 2;

/// Whether a file with these first bytes is one.
pub fn fits(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
        && head[MAGIC.len()..]
            .get(4..)
            .and_then(|chunk| chunk.first_chunk())
            .is_none_or(|bytes| first::read(bytes).is_ok())
}

/// The sign becomes the lowest bit.
const fn fold(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unfold(bits: u16) -> i16 {
    (bits >> 1) as i16 ^ -((bits & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_folded() {
        assert_eq!([0, -1, 1, -2, i16::MAX, i16::MIN].map(fold), [0, 1, 2, 3, 65534, 65535]);
        for value in i16::MIN..=i16::MAX {
            assert_eq!(unfold(fold(value)), value);
        }
    }
}
