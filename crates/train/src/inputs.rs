//! Active inputs of an example: a table built with the network's own feature function, so that neither
//! backend depends on the shape.

use chess::{Color, Piece, Role, Square};
use nnue::shape::{KING_BUCKETS, OUTPUT_BUCKETS, PIECE_SQUARES, Shape, output_bucket};

use crate::example::{Example, MAX_PIECES, PlacedPiece};

/// The side to move comes first, as in the network.
pub const PERSPECTIVES: usize = 2;

/// Six piece types of either side.
const KINDS: usize = 12;

/// Table entries per king square.
const KING_ENTRIES: usize = KINDS * Square::COUNT;

const PERSPECTIVE_ENTRIES: usize = Square::COUNT * KING_ENTRIES;

const _: () =
    assert!(KING_BUCKETS[1] * PIECE_SQUARES <= u16::MAX as usize && OUTPUT_BUCKETS <= u8::MAX as usize);

/// The active inputs of one example.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    lists: [[u16; MAX_PIECES]; PERSPECTIVES],
    count: usize,
    pub bucket: usize,
}

impl Active {
    pub const NONE: Active = Active { lists: [[0; MAX_PIECES]; PERSPECTIVES], count: 0, bucket: 0 };

    /// By perspective; 0 is the side to move.
    #[inline(always)]
    pub fn inputs(&self, perspective: usize) -> &[u16] {
        &self.lists[perspective][..self.count]
    }
}

/// Maps pieces to inputs, and the number of pieces to the output bucket.
#[derive(Clone, Debug)]
pub struct InputTable {
    features: Vec<u16>,
    buckets: [u8; MAX_PIECES + 1],
}

impl InputTable {
    pub fn new(shape: Shape) -> Self {
        let mut features = Vec::with_capacity(PERSPECTIVES * PERSPECTIVE_ENTRIES);
        // The side to move is White in an example.
        for perspective in [Color::White, Color::Black] {
            for king in Square::all() {
                let view = shape.view(perspective, king);
                for color in [Color::White, Color::Black] {
                    for role in Role::ALL {
                        let piece = Piece::new(color, role);
                        features.extend(
                            Square::all().map(|square| view.feature(perspective, piece, square) as u16),
                        );
                    }
                }
            }
        }
        Self { features, buckets: std::array::from_fn(|pieces| output_bucket(pieces as u32) as u8) }
    }

    /// By perspective, king square, piece (ours before theirs) and square.
    pub fn features(&self) -> &[u16] {
        &self.features
    }

    /// By the number of pieces.
    pub fn buckets(&self) -> &[u8] {
        &self.buckets
    }

    #[inline]
    pub fn active(&self, example: &Example) -> Active {
        let mut active = Active::NONE;
        let kings = example.kings();
        let rows: [&[u16]; PERSPECTIVES] = std::array::from_fn(|perspective| {
            &self.features[perspective * PERSPECTIVE_ENTRIES + kings[perspective] * KING_ENTRIES..]
                [..KING_ENTRIES]
        });
        for (index, piece) in example.pieces().take(MAX_PIECES).enumerate() {
            let entry = entry(piece);
            active.lists[0][index] = rows[0][entry];
            active.lists[1][index] = rows[1][entry];
            active.count = index + 1;
        }
        active.bucket = self.buckets[active.count].into();
        active
    }
}

#[inline(always)]
fn entry(piece: PlacedPiece) -> usize {
    (usize::from(piece.theirs) * Role::ALL.len() + piece.role) * Square::COUNT + piece.square
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use record::packed::{PackedResult, Sample};

    #[test]
    fn table_equals_network_features() {
        let plain = Shape::new(64).unwrap();
        for shape in [plain, plain.with_king_buckets(4).unwrap()] {
            let table = InputTable::new(shape);
            for fen in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                "8/2k5/3p4/KP5r/1R3p2/8/4P1P1/8 b - - 0 1",
                "8/6k1/3p4/KP5r/1R3p2/8/4P1P1/8 w - - 0 1",
            ] {
                let position = Position::from_fen(fen).unwrap();
                let mv = position.legal_moves()[0];
                let sample =
                    Sample { position, mv: Some(mv), score: 0, result: PackedResult::Draw, index: 0 };
                let active = table.active(&Example::new(&sample));
                for (perspective, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
                    let mut expected: Vec<usize> = shape.active(&position, color).collect();
                    let mut found: Vec<usize> =
                        active.inputs(perspective).iter().map(|&input| input.into()).collect();
                    expected.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{shape}: {fen} {color:?}");
                }
                assert_eq!(active.bucket, output_bucket(position.occupied().count()));
            }
        }
    }
}
