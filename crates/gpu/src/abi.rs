//! What host and device tell each other: the layouts of device/abi.h, the device's tables, networks and
//! parameters in the order it wants them.

use chess::{CastlingSide, Color, Position, Role, Square, attacks};
use engine::params::Parameter;
use nnue::Network;
use nnue::shape::{OUTPUT_BUCKETS, Shape};

/// A position as it goes to the device.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Start {
    planes: [u64; 4],
    state: u32,
    move_number: u32,
}

// Places in `Start::state`, as board.h reads them.
const RIGHTS_SHIFT: u32 = 1;
const EN_PASSANT_SHIFT: u32 = 5;
const CLOCK_SHIFT: u32 = 11;
const MOST_CLOCK: u32 = 127;
const ROOKS_SHIFT: u32 = 18;

impl Start {
    /// Turn, rights, square of capture in passing, clock and rook files in their bits.
    pub fn state(&self) -> u32 {
        self.state
    }

    /// The same with another state.
    #[must_use]
    pub fn with_state(self, state: u32) -> Start {
        Start { state, ..self }
    }
}

impl From<&Position> for Start {
    fn from(position: &Position) -> Start {
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
        state |= position.halfmove_clock().min(MOST_CLOCK) << CLOCK_SHIFT;
        Start { planes, state, move_number: position.fullmove_number() }
    }
}

/// Numbers that are computed once: lines and steps from each square, hash keys, logarithms.
#[repr(C)]
#[derive(Clone)]
pub struct Tables {
    lines: [[u64; 8]; 64],
    men: [[u64; 64]; 12],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
    unused: u64,
    logarithms: [u16; 256],
}

impl Tables {
    /// The only tables there are.
    pub fn new() -> Box<Tables> {
        let mut random = split_mix(0x7665_6465_7474_6532);
        let mut tables = Box::new(Tables {
            lines: std::array::from_fn(|square| lines(Square::from_index(square))),
            men: [[0; 64]; 12],
            castling: [0; 16],
            en_passant: [0; 8],
            black_to_move: random(),
            unused: 0,
            logarithms: std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0) as u16),
        });
        tables.men.as_flattened_mut().fill_with(&mut random);
        tables.castling.fill_with(&mut random);
        tables.en_passant.fill_with(&mut random);
        tables
    }
}

/// `SplitMix64`.
fn split_mix(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Diagonal, antidiagonal, file and rank through a square without the square itself; the steps of knight and
/// king; the captures of a white and of a black pawn.
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

/// Nodes of a search.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// After so many no new iteration begins.
    pub soft: u32,
    /// After so many the search ends, though not before its first iteration has.
    pub hard: u32,
}

/// How games begin.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// So many in 2^53 games begin with a position of double Chess960; see [`Opening::share`].
    pub shuffled: u64,
    /// Fewest random half moves.
    pub fewest_plies: u32,
    /// Most random half moves.
    pub most_plies: u32,
    /// The search that judges an opening.
    pub limits: Limits,
    /// An opening is played if neither side is ahead by more than this, in centipawns.
    pub most_score: i32,
    /// Nothing.
    pub unused: u32,
}

impl Opening {
    /// A share from 0 to 1 as [`Opening::shuffled`] counts it.
    pub fn share(share: f64) -> u64 {
        (share.clamp(0.0, 1.0) * (1u64 << 53) as f64) as u64
    }
}

/// When games end before the rules of chess end them. A count of 0 switches a rule off.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// First move number at which a draw may be agreed.
    pub draw_move_number: u32,
    /// Moves in a row by each side.
    pub draw_move_count: u32,
    /// Largest score that counts as little, in centipawns.
    pub draw_score: i32,
    /// Moves in a row after which a side resigns.
    pub resign_move_count: u32,
    /// How far behind, in centipawns.
    pub resign_score: i32,
    /// The winner must agree, if not 0.
    pub resign_two_sided: u32,
    /// Moves of both sides after which a game is drawn; at most [`MOST_PLIES`]` / 2`, which also stands for 0.
    pub most_moves: u32,
    /// Nothing.
    pub unused: u32,
}

/// No game is longer, its opening not counted.
pub const MOST_PLIES: u32 = 512;

/// Which positions become records.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Least number of half moves since a game's move 1.
    pub least_ply: u32,
    /// Least number of men on the board.
    pub least_men: u32,
    /// Scores above this, for either side, are left out.
    pub most_score: i32,
    /// Positions in check are kept, if not 0.
    pub checks: u32,
    /// Positions whose best move captures or promotes are kept, if not 0.
    pub noisy: u32,
    /// Nothing.
    pub unused: u32,
}

/// Stands before each finished game in the buffer of games. A packed game of `bytes` bytes follows, as
/// `record::packed` reads it, then zeros up to a multiple of 8.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameHeader {
    /// The game's number.
    pub number: u64,
    /// Nodes of all its searches, those for the opening among them.
    pub nodes: u64,
    /// Length of the packed game.
    pub bytes: u32,
    /// Moves that were searched.
    pub plies: u32,
    /// Why it ended: [`Ending`].
    pub ending: u8,
    /// White's half points.
    pub result: u8,
    /// Nothing.
    pub unused: [u8; 6],
}

impl GameHeader {
    /// The header that these bytes begin with, if there are enough.
    pub fn read(bytes: &[u8]) -> Option<GameHeader> {
        let (number, rest) = bytes.split_first_chunk()?;
        let (nodes, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (plies, rest) = rest.split_first_chunk()?;
        let &[ending, result, ..] = rest.first_chunk::<8>()?;
        Some(GameHeader {
            number: u64::from_le_bytes(*number),
            nodes: u64::from_le_bytes(*nodes),
            bytes: u32::from_le_bytes(*length),
            plies: u32::from_le_bytes(*plies),
            ending,
            result,
            unused: [0; 6],
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// By the rules of chess.
    Rules = 0,
    /// The search saw a forced mate.
    MateSeen = 1,
    /// Both sides saw nothing for long.
    DrawAgreed = 2,
    /// The losing side resigned.
    Resigned = 3,
    /// It was drawn by its length.
    TooLong = 4,
}

/// Counts since the host set them to zero.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Searches of moves.
    pub moves: u64,
    /// Finished games.
    pub games: u64,
    /// Sum of the depths that the moves' searches reached.
    pub depths: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Moves of finished games.
    pub plies: u64,
    /// Records that were written.
    pub records: u64,
    /// Openings that were judged, played or not.
    pub openings: u64,
}

/// What warps share. All is zero before the first launch; the host sets the cursors back when it has taken what
/// lies before them, and `running` and `waiting` to zero before each launch.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// Index of the next game to begin.
    pub next_game: u64,
    /// Warps that ended this launch in the middle of a game.
    pub running: u64,
    /// Warps that wait with a finished game for room in a buffer.
    pub waiting: u64,
    /// Bytes written to the buffer of games.
    pub games_cursor: u64,
    /// Records written to the two buffers.
    pub records_cursor: [u64; 2],
    /// Nothing.
    pub unused: [u64; 2],
    /// What happened.
    pub counters: Counters,
}

/// A launch of the kernel `play`. Addresses are those of the device.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// [`Tables`].
    pub tables: u64,
    /// [`network_words`] of either side; the same twice in self-play.
    pub networks: [u64; 2],
    /// [`parameter_values`] of either side.
    pub parameters: [u64; 2],
    /// [`Layout::block_bytes`] for each warp, zero before the first launch.
    pub memory: u64,
    /// [`Control`].
    pub control: u64,
    /// Bytes for finished games, or 0 for none.
    pub games: u64,
    /// How many bytes.
    pub games_capacity: u64,
    /// Records for training and for validation, or 0 for none.
    pub records: [u64; 2],
    /// How many of each.
    pub records_capacity: [u64; 2],
    /// A byte for each game by its index: half points of side 0. Or 0 for none.
    pub results: u64,
    /// [`Start`]s that are used instead of random openings, if there are any.
    pub openings: u64,
    /// How many.
    pub opening_count: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of the game with index 0.
    pub first_game: u64,
    /// From one game's number to the next one's.
    pub game_step: u64,
    /// Games to begin in all launches together.
    pub game_count: u64,
    /// After so many nanoseconds no move is begun.
    pub duration_ns: u64,
    /// Two sides, and each pair of games from one opening, if not 0.
    pub is_match: u32,
    /// Begin no game, if not 0.
    pub finish: u32,
    /// The records of each game whose number is a multiple of this go to the second buffer; 0 for none.
    pub validation_every: u32,
    /// Nothing.
    pub unused: u32,
    /// Of either side.
    pub limits: [Limits; 2],
    /// How games begin.
    pub opening: Opening,
    /// When they end.
    pub rules: Rules,
    /// Which positions become records.
    pub filter: Filter,
}

/// A launch of the kernel `perft`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerftLaunch {
    /// [`Tables`].
    pub tables: u64,
    /// [`Layout::block_bytes`] for each warp.
    pub memory: u64,
    /// A `u64` that is zero before the launch.
    pub next_task: u64,
    /// [`Start`]s.
    pub tasks: u64,
    /// A `u64` for each.
    pub counts: u64,
    /// How many.
    pub task_count: u64,
    /// How deep.
    pub depth: u64,
}

/// A launch of the kernel `evaluate`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluateLaunch {
    /// [`Tables`].
    pub tables: u64,
    /// [`Layout::block_bytes`] for each warp.
    pub memory: u64,
    /// [`network_words`].
    pub network: u64,
    /// [`Start`]s.
    pub positions: u64,
    /// An `i32` for each: centipawns for the side to move.
    pub values: u64,
    /// How many.
    pub count: u64,
}

/// What the kernel `layout` tells.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Memory of one warp, for any kernel.
    pub block_bytes: u64,
    /// Shared memory of `play` in self-play.
    pub play_shared_bytes: u32,
    /// Shared memory of `play` in a match.
    pub match_shared_bytes: u32,
    /// Shared memory of `perft` and `evaluate`.
    pub other_shared_bytes: u32,
    /// Warps in a block of threads.
    pub warps: u32,
    /// Hidden units of the networks it was compiled for.
    pub hidden: u32,
    /// Their king buckets.
    pub king_buckets: u32,
    /// Parameters of the search.
    pub parameters: u32,
    /// Sizes of [`Start`], [`Tables`], the trainer's record, [`GameHeader`], [`Control`], [`Launch`],
    /// [`PerftLaunch`] and [`EvaluateLaunch`].
    pub sizes: [u32; 8],
}

const _: () = {
    assert!(size_of::<Start>() == 40);
    assert!(size_of::<Tables>() == 4096 + 6144 + 128 + 64 + 16 + 512);
    assert!(size_of::<GameHeader>() == 32);
    assert!(size_of::<Control>() == 144);
    assert!(size_of::<Launch>() == 288);
    assert!(size_of::<PerftLaunch>() == 56);
    assert!(size_of::<EvaluateLaunch>() == 48);
    assert!(size_of::<Layout>() == 72);
    assert!(RECORD_BYTES == train::example::EXAMPLE_BYTES);
};

/// Bytes of a record: the trainer's `Example`.
pub const RECORD_BYTES: usize = 32;

/// A network as the device reads it: a row of 16-bit pairs for each feature, one for the biases, the output
/// weights in pairs, the output biases.
pub fn network_words(network: &Network) -> Vec<u32> {
    let (weights, biases, outputs, output_biases) = network.numbers();
    let mut words = Vec::with_capacity(count_words(network.shape()));
    // A pair is one number, the upper half times 65536 and the lower half added with its sign, so that pairs
    // are added as whole words.
    let linear = |pair: &[i16]| (i32::from(pair[1]) * 65536).wrapping_add(pair[0].into()) as u32;
    words.extend(weights.chunks_exact(2).map(linear));
    // The lower half of a sum begins at 32768: it stays positive and never borrows from the upper one.
    words.extend(biases.chunks_exact(2).map(|pair| linear(pair).wrapping_add(1 << 15)));
    words.extend(
        outputs.chunks_exact(2).map(|pair| u32::from(pair[0] as u16) | u32::from(pair[1] as u16) << 16),
    );
    words.extend(output_biases.map(|bias| bias as u32));
    words
}

/// How many words a network of a shape has.
pub fn count_words(shape: Shape) -> usize {
    (shape.feature_weights() + shape.hidden() + shape.output_weights()) / 2 + OUTPUT_BUCKETS
}

/// The header that lists the parameters.
const PARAMETERS: &str = include_str!("../device/parameters.h");

/// The engine's parameters that the search on the device reads, in its order.
pub fn parameters() -> Vec<&'static Parameter> {
    parameter_names().filter_map(Parameter::named).collect()
}

/// The default values of [`parameters`].
pub fn parameter_values() -> Vec<i32> {
    parameters().iter().map(|parameter| parameter.default).collect()
}

/// The names in the header.
fn parameter_names() -> impl Iterator<Item = &'static str> {
    PARAMETERS.lines().filter_map(|line| line.trim().strip_prefix("PARAMETER(")?.split(')').next())
}

/// Names as in the engine: they are what a role's code less one means.
const _: () = assert!(Role::Pawn as usize == 0 && Role::King as usize == 5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_has_every_parameter_of_the_device() {
        let names: Vec<&str> = parameter_names().collect();
        assert!(names.len() > 20);
        let found: Vec<&str> = parameters().iter().map(|parameter| parameter.name).collect();
        assert_eq!(found, names);
    }

    #[test]
    fn the_longest_game_is_the_same_here_and_there() {
        let warp = include_str!("../device/warp.h");
        assert!(warp.contains(&format!("const u32 MOST_PLIES = {MOST_PLIES};")));
    }

    #[test]
    fn a_start_names_every_man_and_right() {
        let fen = "1r2k1r1/8/8/8/3pP3/8/8/RR2K1R1 b BGbg e3 7 20";
        let start = Start::from(&Position::from_fen(fen).unwrap());
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
