//! The interface between host and device: shared structures (`layout`), lookup tables, and networks and parameters in the
//! order in which the device reads them.

pub(crate) mod layout;

use chess::{CastlingSide, Color, Position, Role, Square, attacks};
use engine::params::Parameter;
use nnue::Network;
use nnue::shape::{Head, OUTPUT_BUCKETS, Shape};
use support::random::Random;

pub use layout::{
    Control, Counters, DevicePosition, Ending, Filter, GameHeader, MAX_PLIES, NodeLimits, OpeningSettings,
    PlaySettings, Record, Rules,
};
pub(crate) use layout::{EvaluateLaunch, Layout, LookupTables, PerftLaunch, PlayLaunch};

use layout::KEYS;

// Bits of `DevicePosition::state`, as board.h reads them.
const RIGHTS_SHIFT: u32 = 1;
const EN_PASSANT_SHIFT: u32 = 5;
const CLOCK_SHIFT: u32 = 11;
const MAX_CLOCK: u32 = 127;
const ROOKS_SHIFT: u32 = 18;

impl DevicePosition {
    /// Side to move, castling rights, en passant square, halfmove clock and rook files.
    pub fn state(&self) -> u32 {
        self.state
    }

    #[must_use]
    pub fn with_state(self, state: u32) -> DevicePosition {
        DevicePosition { state, ..self }
    }
}

impl From<&Position> for DevicePosition {
    fn from(position: &Position) -> DevicePosition {
        let mut planes = [0; 4];
        for square in position.occupied() {
            let Some(piece) = position.piece_at(square) else { continue };
            let code = piece.role().index() + 1;
            for (bit, plane) in planes.iter_mut().take(3).enumerate() {
                *plane |= ((code >> bit & 1) as u64) << square.index();
            }
            planes[3] |= u64::from(piece.color() == Color::Black) << square.index();
        }
        let mut state = position.turn().index() as u32;
        let sides = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        for (index, (color, side)) in sides.enumerate() {
            if let Some(rook) = position.castling().rook(color, side) {
                state |= 1 << (RIGHTS_SHIFT + index as u32);
                state |= (rook.file().index() as u32) << (ROOKS_SHIFT + 3 * index as u32);
            }
        }
        state |= position.en_passant().map_or(0, |square| square.index() as u32) << EN_PASSANT_SHIFT;
        state |= position.halfmove_clock().min(MAX_CLOCK) << CLOCK_SHIFT;
        DevicePosition { planes, state, move_number: position.fullmove_number() }
    }
}

impl LookupTables {
    pub fn new() -> Box<LookupTables> {
        let mut random = Random::new(0x7665_6465_7474_6532);
        // Rows of the keys: pieces by square, then castling rights, en passant files, Black to move and padding.
        const BLACK_TO_MOVE: usize = KEYS - 2;
        let mut tables = Box::new(LookupTables {
            lines: std::array::from_fn(|square| lines(Square::from_index(square))),
            keys: [0; KEYS],
            logarithms: std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0) as u16),
        });
        tables.keys[BLACK_TO_MOVE] = random.bits();
        tables.keys[..BLACK_TO_MOVE].fill_with(|| random.bits());
        tables
    }
}

/// Diagonal, antidiagonal, file and rank through a square without the square itself; knight and king moves; captures of a
/// white and of a black pawn.
fn lines(from: Square) -> [u64; 8] {
    let on = |belongs: fn(i32, i32) -> bool| {
        let (file, rank) = (from.file().index() as i32, from.rank().index() as i32);
        Square::all()
            .filter(|&to| to != from)
            .filter(|to| belongs(to.file().index() as i32 - file, to.rank().index() as i32 - rank))
            .fold(0, |set, to| set | 1u64 << to.index())
    };
    [
        on(|files, ranks| files == ranks),
        on(|files, ranks| files == -ranks),
        on(|files, _| files == 0),
        on(|_, ranks| ranks == 0),
        attacks::knight(from).0,
        attacks::king(from).0,
        attacks::pawn(Color::White, from).0,
        attacks::pawn(Color::Black, from).0,
    ]
}

impl OpeningSettings {
    /// A fraction from 0 to 1 in the unit of [`OpeningSettings::shuffled`].
    pub fn fraction(fraction: f64) -> u64 {
        (fraction.clamp(0.0, 1.0) * (1u64 << 53) as f64) as u64
    }
}

/// Bytes of a [`Record`].
pub const RECORD_BYTES: usize = size_of::<Record>();

/// A network of one layer as the device reads it: a row of 16-bit pairs for each feature, a row of biases, output weights in pairs,
/// output biases.
///
/// # Panics
/// If the network is layered.
pub fn network_words(network: &Network) -> Vec<u32> {
    assert_eq!(network.shape().head(), Head::Single, "the device code has one layer");
    let [weights, biases, .., outputs, output_biases] = network.lists();
    let mut words = Vec::with_capacity(count_words(network.shape()));
    // A pair is one integer, upper * 65536 + lower with its sign, so that pairs are added as whole words.
    let linear = |pair: &[i32]| (pair[1] * 65536).wrapping_add(pair[0]) as u32;
    words.extend(weights.chunks_exact(2).map(linear));
    // The lower half is biased by 32768: it stays positive and never borrows from the upper one.
    words.extend(biases.chunks_exact(2).map(|pair| linear(pair).wrapping_add(1 << 15)));
    words.extend(
        outputs.chunks_exact(2).map(|pair| u32::from(pair[0] as u16) | u32::from(pair[1] as u16) << 16),
    );
    words.extend(output_biases.into_iter().map(|bias| bias as u32));
    words
}

/// Number of words of a network.
pub fn count_words(shape: Shape) -> usize {
    (shape.feature_weights() + shape.hidden() + shape.output_weights()) / 2 + OUTPUT_BUCKETS
}

const PARAMETERS: &str = include_str!("../../device/parameters.h");

/// The engine's parameters that the device search reads, in its order.
pub fn parameters() -> Vec<&'static Parameter> {
    parameter_names().filter_map(Parameter::named).collect()
}

/// The default values of [`parameters`].
pub fn parameter_values() -> Vec<i32> {
    parameters().iter().map(|parameter| parameter.default).collect()
}

fn parameter_names() -> impl Iterator<Item = &'static str> {
    PARAMETERS.lines().filter_map(|line| line.trim().strip_prefix("PARAMETER(")?.split(')').next())
}

// A piece type on the device is the role's index plus one.
const _: () = assert!(Role::Pawn as usize == 0 && Role::King as usize == 5);

#[cfg(test)]
mod tests {
    use super::layout::{FIELDS, SIZES, assertions};
    use super::*;

    #[test]
    fn engine_has_every_device_parameter() {
        let names: Vec<&str> = parameter_names().collect();
        assert!(names.len() > 20);
        let found: Vec<&str> = parameters().iter().map(|parameter| parameter.name).collect();
        assert_eq!(found, names);
    }

    /// What `Plain` relies on, and what makes the assertions complete: a field that only C++ has would leave a gap.
    #[test]
    fn shared_structures_have_no_padding() {
        for &(structure, size) in SIZES {
            let mut end = 0;
            for field in FIELDS.iter().filter(|field| field.structure == structure) {
                assert_eq!(field.offset, end, "{structure}::{}", field.name);
                end = field.offset + field.size;
            }
            assert_eq!(end, size, "{structure}");
        }
    }

    #[test]
    fn every_shared_field_is_asserted() {
        let text = assertions();
        assert!(
            text.contains(
                "static_assert(OFFSET_OF(PlayLaunch, settings) == 128 && sizeof(PlayLaunch::settings) == 168"
            ),
            "{text}"
        );
        assert!(text.contains("sizeof(GameHeader) == 32,"), "{text}");
    }

    #[test]
    fn device_position_has_every_piece_and_right() {
        let fen = "1r2k1r1/8/8/8/3pP3/8/8/RR2K1R1 b BGbg e3 7 20";
        let start = DevicePosition::from(&Position::from_fen(fen).unwrap());
        let [low, middle, high, black] = start.planes;
        assert_eq!((low | middle | high).count_ones(), 9);
        assert_eq!(black.count_ones(), 4);
        assert_eq!(start.state & 1, 1);
        assert_eq!(start.state >> RIGHTS_SHIFT & 15, 15);
        assert_eq!(start.state >> EN_PASSANT_SHIFT & 63, 20);
        assert_eq!(start.state >> CLOCK_SHIFT & 127, 7);
        assert_eq!(start.state >> ROOKS_SHIFT, 6 | 1 << 3 | 6 << 6 | 1 << 9);
        assert_eq!(start.move_number, 20);
    }
}
