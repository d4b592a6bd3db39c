//! The device code on one lane of the CPU: it proves rules, network and search without a GPU, and plays any game of
//! a GPU again, bit for bit. It is absent where the crate was built without a C++ compiler.
#![cfg_attr(lane, allow(unsafe_code))]

use std::fmt;

use chess::{Move, Position};
use nnue::Network;
use nnue::shape::Shape;

use crate::abi::{Counters, GameHeader, Launch, Limits, Start, network_words};

/// Vedette was built without a C++ compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent;

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the device code is not in this program: it was built without a C++ compiler")
    }
}

impl std::error::Error for Absent {}

/// A network and parameters as the device reads them.
#[derive(Clone, Debug)]
pub struct Player {
    /// The words of [`network_words`].
    pub network: Vec<u32>,
    /// The network's shape.
    pub shape: Shape,
    /// Values in the order of [`parameters`](crate::abi::parameters).
    pub parameters: Vec<i32>,
}

impl Player {
    /// A network with the engine's parameters.
    pub fn new(network: &Network) -> Player {
        Player {
            network: network_words(network),
            shape: network.shape(),
            parameters: crate::abi::parameter_values(),
        }
    }
}

/// A legal move as the device sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenMove {
    /// The move.
    pub mv: Move,
    /// Whether it gives check.
    pub gives_check: bool,
    /// Whether its exchange wins at least what was asked for.
    pub wins: bool,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The best move; [`Move::NONE`] if there is none.
    pub best: Move,
    /// Its score for the side to move, as [`engine::Score`] counts.
    pub score: i32,
    /// The last depth that was finished.
    pub depth: i32,
    /// Nodes.
    pub nodes: u32,
}

/// A finished game as the device wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneGame {
    /// Number, nodes, ending.
    pub header: GameHeader,
    /// The packed game, as `record::packed` reads it.
    pub packed: Vec<u8>,
    /// Its records, 32 bytes each, as the trainer reads them.
    pub records: Vec<[u8; 32]>,
    /// Half points of side 0.
    pub half_points: u8,
}

/// What was played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The games in the order of their indices.
    pub games: Vec<LaneGame>,
    /// Counts over all of them.
    pub counters: Counters,
}

/// The lane.
#[derive(Clone, Copy, Debug)]
pub struct Lane(());

#[cfg(not(lane))]
mod absent {
    use super::{
        Absent, Lane, LaneGame, Launch, Limits, Move, Network, Played, Player, Position, SeenMove, Start,
        Thought,
    };

    // Without the library no `Lane` can be had, so nothing of this is ever called.
    #[allow(clippy::missing_errors_doc, clippy::unused_self, missing_docs)]
    impl Lane {
        pub fn open() -> Result<Lane, Absent> {
            Err(Absent)
        }

        pub fn perft(self, _: &Position, _: u32) -> u64 {
            0
        }

        pub fn legal_moves(self, _: &Position, _: i32) -> Vec<SeenMove> {
            Vec::new()
        }

        pub fn after(self, position: &Position, _: &[Move]) -> (Start, bool) {
            (Start::from(position), false)
        }

        pub fn evaluate(self, _: &Network, _: &Position, _: &[Move]) -> Vec<i32> {
            Vec::new()
        }

        pub fn think(self, _: &Player, _: &Position, _: Limits) -> Thought {
            Thought { best: Move::NONE, score: 0, depth: 0, nodes: 0 }
        }

        pub fn play(self, _: &Launch, _: [&Player; 2], _: &[Start]) -> Played {
            Played { games: Vec::<LaneGame>::new(), ..Played::default() }
        }
    }
}

#[cfg(lane)]
mod library {
    use std::sync::Once;

    use super::{
        Absent, GameHeader, Lane, LaneGame, Launch, Limits, Move, Network, Played, Player, Position,
        SeenMove, Start, Thought,
    };
    use crate::abi::{Control, Layout, MOST_PLIES, RECORD_BYTES, Tables, count_words, parameters};
    use crate::venue::MOST_PERFT;

    unsafe extern "C" {
        fn vedette_lane_begin(tables: *const Tables);
        fn vedette_lane_layout(layout: *mut Layout, hidden: u32, king_buckets: u32);
        fn vedette_lane_play(launch: *const Launch, hidden: u32, king_buckets: u32);
        fn vedette_lane_perft(start: *const Start, depth: u32) -> u64;
        fn vedette_lane_moves(start: *const Start, threshold: i32, moves: *mut u32) -> u32;
        fn vedette_lane_make(start: *const Start, moves: *const u16, count: u32, end: *mut Start) -> u32;
        fn vedette_lane_evaluate(
            start: *const Start,
            moves: *const u16,
            count: u32,
            network: *const u32,
            hidden: u32,
            king_buckets: u32,
            values: *mut i32,
        );
        fn vedette_lane_think(
            start: *const Start,
            launch: *const Launch,
            hidden: u32,
            king_buckets: u32,
            answer: *mut i32,
        );
    }

    /// The most moves a position can have in the device's lists.
    const MOST_MOVES: usize = 256;

    /// Bytes of the longest game with its header.
    const GAME_BYTES: usize = size_of::<GameHeader>() + 32 + 4 * (MOST_PLIES as usize + 2);

    impl Player {
        /// Whether the lengths are right.
        fn is_whole(&self) -> bool {
            self.network.len() == count_words(self.shape) && self.parameters.len() == parameters().len()
        }
    }

    impl Lane {
        /// The lane, where the program has it.
        ///
        /// # Errors
        /// [`Absent`] if it was built without a C++ compiler.
        #[allow(clippy::unnecessary_wraps, reason = "elsewhere the lane is absent")]
        pub fn open() -> Result<Lane, Absent> {
            static BEGIN: Once = Once::new();
            // SAFETY: the tables live as long as the program, and nothing was called before.
            BEGIN.call_once(|| unsafe { vedette_lane_begin(Box::leak(Tables::new())) });
            Ok(Lane(()))
        }

        /// Leaves of the tree of legal moves, at most 16 half moves deep.
        pub fn perft(self, position: &Position, depth: u32) -> u64 {
            // SAFETY: the position is read during the call; the depth is within the frames.
            unsafe { vedette_lane_perft(&raw const *Box::new(Start::from(position)), depth.min(MOST_PERFT)) }
        }

        /// The legal moves in the device's order, and whether each wins at least `threshold` by exchanges.
        pub fn legal_moves(self, position: &Position, threshold: i32) -> Vec<SeenMove> {
            let start = Start::from(position);
            let mut moves = [0; MOST_MOVES];
            // SAFETY: there is room for as many moves as any position has.
            let count = unsafe { vedette_lane_moves(&raw const start, threshold, moves.as_mut_ptr()) };
            let seen = |bits: u32| SeenMove {
                mv: Move::from_bits(bits as u16),
                gives_check: bits >> 16 & 1 != 0,
                wins: bits >> 17 & 1 != 0,
            };
            moves[..count as usize].iter().map(|&bits| seen(bits)).collect()
        }

        /// Where legal moves lead, and whether the hash key that was kept on the way is that of the position.
        pub fn after(self, position: &Position, moves: &[Move]) -> (Start, bool) {
            let start = Start::from(position);
            let bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
            let mut end = Start::default();
            // SAFETY: the moves are read during the call.
            let right = unsafe {
                vedette_lane_make(&raw const start, bits.as_ptr(), bits.len() as u32, &raw mut end)
            };
            (end, right != 0)
        }

        /// What a network says of a position and of all those that legal moves lead to, one after the other.
        pub fn evaluate(self, network: &Network, position: &Position, moves: &[Move]) -> Vec<i32> {
            let start = Start::from(position);
            let bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
            let words = crate::abi::network_words(network);
            let mut values = vec![0; moves.len() + 1];
            // SAFETY: the network has the words of its width, and there is room for a value of each position.
            unsafe {
                vedette_lane_evaluate(
                    &raw const start,
                    bits.as_ptr(),
                    bits.len() as u32,
                    words.as_ptr(),
                    network.shape().hidden() as u32,
                    network.shape().king_buckets() as u32,
                    values.as_mut_ptr(),
                );
            }
            values
        }

        /// Thinks about a position, without any game before it.
        ///
        /// # Panics
        /// If the player's numbers are not of the lengths they should have.
        pub fn think(self, player: &Player, position: &Position, limits: Limits) -> Thought {
            assert!(player.is_whole());
            let start = Start::from(position);
            let mut launch = Launch { limits: [limits; 2], ..Launch::default() };
            launch.networks[0] = player.network.as_ptr() as u64;
            launch.parameters[0] = player.parameters.as_ptr() as u64;
            let mut answer = [0; 4];
            // SAFETY: the player's numbers have the right lengths and live during the call.
            unsafe {
                vedette_lane_think(
                    &raw const start,
                    &raw const launch,
                    player.shape.hidden() as u32,
                    player.shape.king_buckets() as u32,
                    answer.as_mut_ptr(),
                );
            }
            let [best, score, depth, nodes] = answer;
            Thought { best: Move::from_bits(best as u16), score, depth, nodes: nodes as u32 }
        }

        /// Plays the games of a launch, one after the other. Addresses and time in it are not looked at.
        ///
        /// # Panics
        /// If the players' numbers are not of the lengths they should have, or their shapes differ.
        pub fn play(self, order: &Launch, players: [&Player; 2], openings: &[Start]) -> Played {
            assert!(players.iter().all(|player| player.is_whole()) && players[0].shape == players[1].shape);
            let shape = players[0].shape;
            let (hidden, king_buckets) = (shape.hidden() as u32, shape.king_buckets() as u32);
            let mut layout = Layout::default();
            // SAFETY: it writes the layout.
            unsafe { vedette_lane_layout(&raw mut layout, hidden, king_buckets) };
            let mut memory = vec![0u64; layout.block_bytes as usize / 8];
            let mut bytes = vec![0u64; GAME_BYTES.div_ceil(8)];
            let mut records = vec![[0u8; RECORD_BYTES]; MOST_PLIES as usize];
            let mut results = vec![0u8; order.game_count as usize];
            let mut control = Control::default();
            let mut launch = Launch {
                networks: players.map(|player| player.network.as_ptr() as u64),
                parameters: players.map(|player| player.parameters.as_ptr() as u64),
                memory: memory.as_mut_ptr() as u64,
                control: &raw mut control as u64,
                games: bytes.as_mut_ptr() as u64,
                games_capacity: 8 * bytes.len() as u64,
                records: [records.as_mut_ptr() as u64; 2],
                records_capacity: [records.len() as u64; 2],
                results: results.as_mut_ptr() as u64,
                openings: openings.as_ptr() as u64,
                opening_count: openings.len() as u64,
                duration_ns: u64::MAX,
                finish: 0,
                ..*order
            };
            let mut games = Vec::new();
            for index in 0..order.game_count {
                control.next_game = index;
                control.games_cursor = 0;
                control.records_cursor = [0; 2];
                launch.game_count = index + 1;
                // SAFETY: every address is that of a buffer of the length that is told, and all outlive the call.
                unsafe { vedette_lane_play(&raw const launch, hidden, king_buckets) };
                let whole = bytes.iter().flat_map(|word| word.to_le_bytes());
                let whole: Vec<u8> = whole.take(control.games_cursor as usize).collect();
                let header = GameHeader::read(&whole).unwrap_or_default();
                let kept = (control.records_cursor[0] + control.records_cursor[1]) as usize;
                games.push(LaneGame {
                    header,
                    packed: whole[size_of::<GameHeader>()..][..header.bytes as usize].to_vec(),
                    records: records[..kept].to_vec(),
                    half_points: results[index as usize],
                });
            }
            Played { games, counters: control.counters }
        }
    }
}
