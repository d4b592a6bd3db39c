//! CPU emulation: the device code compiled for the CPU with one lane. It tests rules, network and search without a GPU, and
//! replays any game of a GPU bit for bit.
#![allow(unsafe_code)]

mod ffi;

use chess::{Move, MoveList, Position};
use nnue::Network;
use nnue::shape::Shape;

use crate::abi::{
    self, Control, Counters, DevicePosition, EvaluateLaunch, GameHeader, Layout, MAX_PLIES, NodeLimits,
    PerftLaunch, PlayLaunch, PlaySettings, RECORD_BYTES,
};
use crate::backend::list_of;
use crate::context::{MAX_PERFT_DEPTH, TOO_MANY_MOVES};
use crate::error::GpuError;
use crate::player::NetworkPlayer;
use ffi::EmulationLibrary;

/// A legal move as the device generates it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceMove {
    pub mv: Move,
    pub gives_check: bool,
    /// Whether its static exchange evaluation reaches the threshold.
    pub see_ge: bool,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmulatedSearch {
    /// [`Move::NONE`] in mate and stalemate.
    pub best: Move,
    /// For the side to move, in the scale of [`engine::Score`].
    pub score: i32,
    /// Of the last completed iteration.
    pub depth: i32,
    pub nodes: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmulatedGame {
    pub header: GameHeader,
    /// In the format of `record::packed`.
    pub packed: Vec<u8>,
    /// The trainer's examples.
    pub records: Vec<[u8; RECORD_BYTES]>,
    /// Half points of the first player.
    pub half_points: u8,
}

/// Finished games in the order of their indices, with totals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmulatedGames {
    pub games: Vec<EmulatedGame>,
    pub counters: Counters,
}

/// The device code on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct CpuEmulation {
    library: EmulationLibrary,
}

/// Bytes of the longest game with its header.
const GAME_BYTES: usize = size_of::<GameHeader>() + 32 + 4 * (MAX_PLIES as usize + 2);

/// Hidden units and king buckets.
fn dimensions(shape: Shape) -> (u32, u32) {
    (shape.hidden() as u32, shape.king_buckets() as u32)
}

fn is_complete(player: &NetworkPlayer) -> bool {
    player.parameters.len() == abi::parameters().len()
}

impl CpuEmulation {
    /// # Errors
    /// If the program was built without a C++ compiler.
    pub fn new() -> Result<CpuEmulation, GpuError> {
        EmulationLibrary::load().map(|library| CpuEmulation { library }).ok_or(GpuError::NoEmulation)
    }

    /// Leaves of the tree of legal moves, at most [`MAX_PERFT_DEPTH`] plies deep; `None` if a line has more moves than the
    /// device's lists hold.
    pub fn perft(self, position: &Position, depth: u32) -> Option<u64> {
        let start = DevicePosition::from(position);
        // SAFETY: the position lives during the call; the depth is within the search stack.
        let leaves = unsafe { self.library.perft(&raw const start, depth.min(MAX_PERFT_DEPTH)) };
        (leaves != TOO_MANY_MOVES).then_some(leaves)
    }

    /// The legal moves in the device's order, and whether the SEE of each reaches `threshold`.
    pub fn legal_moves(self, position: &Position, threshold: i32) -> Vec<DeviceMove> {
        let start = DevicePosition::from(position);
        let mut moves = [0; MoveList::CAPACITY];
        // SAFETY: there is space for as many moves as any position has.
        let count = unsafe { self.library.moves(&raw const start, threshold, moves.as_mut_ptr()) };
        let decode = |bits: u32| DeviceMove {
            mv: Move::from_bits(bits as u16),
            gives_check: bits >> 16 & 1 != 0,
            see_ge: bits >> 17 & 1 != 0,
        };
        moves[..count as usize].iter().map(|&bits| decode(bits)).collect()
    }

    /// The position after legal moves, and whether the incremental hash key is that of the position.
    ///
    /// # Panics
    /// If a move is not legal.
    pub fn after(self, position: &Position, moves: &[Move]) -> (DevicePosition, bool) {
        let start = DevicePosition::from(position);
        let bits = legal_bits(position, moves);
        let mut end = DevicePosition::default();
        // SAFETY: all live during the call, and the moves are legal.
        let same =
            unsafe { self.library.make(&raw const start, bits.as_ptr(), bits.len() as u32, &raw mut end) };
        (end, same != 0)
    }

    /// A network's evaluations of a position and of those after each of some legal moves, played one after the other.
    ///
    /// # Panics
    /// If a move is not legal.
    pub fn evaluate(self, network: &Network, position: &Position, moves: &[Move]) -> Vec<i32> {
        let start = DevicePosition::from(position);
        let bits = legal_bits(position, moves);
        let words = abi::network_words(network);
        let (hidden, king_buckets) = dimensions(network.shape());
        let mut values = vec![0; moves.len() + 1];
        // SAFETY: the network has the words of its shape, the moves are legal, and there is space for all values.
        unsafe {
            self.library.evaluate(
                &raw const start,
                bits.as_ptr(),
                bits.len() as u32,
                words.as_ptr(),
                hidden,
                king_buckets,
                values.as_mut_ptr(),
            );
        }
        values
    }

    /// Searches a position without game history.
    ///
    /// # Panics
    /// If the player has not as many parameters as the search.
    pub fn search(self, player: &NetworkPlayer, position: &Position, limits: NodeLimits) -> EmulatedSearch {
        assert!(is_complete(player), "a value for each parameter");
        let start = DevicePosition::from(position);
        let words = abi::network_words(&player.network);
        let (hidden, king_buckets) = dimensions(player.network.shape());
        let mut result = [0; 4];
        // SAFETY: the network has the words of its shape, there is a value for each parameter, and all live during the call.
        unsafe {
            self.library.search(
                &raw const start,
                words.as_ptr(),
                player.parameters.as_ptr(),
                &raw const limits,
                hidden,
                king_buckets,
                result.as_mut_ptr(),
            );
        }
        let [best, score, depth, nodes] = result;
        EmulatedSearch { best: Move::from_bits(best as u16), score, depth, nodes: nodes as u32 }
    }

    /// Plays games one after the other. The settings' duration and `finish` are ignored.
    ///
    /// # Panics
    /// If a player has not as many parameters as the search, or the networks' shapes differ.
    pub fn play(
        self,
        settings: &PlaySettings,
        players: [&NetworkPlayer; 2],
        openings: &[DevicePosition],
    ) -> EmulatedGames {
        let shape = players[0].network.shape();
        assert!(players.iter().all(|player| is_complete(player)), "a value for each parameter");
        assert!(players[1].network.shape() == shape, "networks of one shape");
        let networks = players.map(|player| abi::network_words(&player.network));
        let (hidden, king_buckets) = dimensions(shape);
        let mut memory = vec![0u64; self.layout(shape).block_bytes as usize / 8];
        let mut bytes = vec![0u64; GAME_BYTES.div_ceil(8)];
        let mut records = vec![[0u8; RECORD_BYTES]; MAX_PLIES as usize];
        let mut results = vec![0u8; settings.game_count as usize];
        let mut control = Control::default();
        let mut launch = PlayLaunch {
            lookup: 0,
            networks: networks.each_ref().map(|words| words.as_ptr() as u64),
            parameters: players.map(|player| player.parameters.as_ptr() as u64),
            memory: memory.as_mut_ptr() as u64,
            control: 0,
            games: bytes.as_mut_ptr() as u64,
            games_capacity: 8 * bytes.len() as u64,
            records: [records.as_mut_ptr() as u64; 2],
            records_capacity: [records.len() as u64; 2],
            results: results.as_mut_ptr() as u64,
            openings: openings.as_ptr() as u64,
            opening_count: openings.len() as u64,
            settings: PlaySettings { duration_ns: u64::MAX, finish: 0, ..*settings },
        };
        let mut games = Vec::new();
        for index in 0..settings.game_count {
            control.next_game = index;
            control.games_cursor = 0;
            control.records_cursor = [0; 2];
            launch.control = &raw mut control as u64;
            launch.settings.game_count = index + 1;
            // SAFETY: every address is that of a buffer of the given length, and all outlive the call.
            unsafe { self.library.play(&raw const launch, hidden, king_buckets) };
            let written = bytes.iter().flat_map(|word| word.to_le_bytes());
            let written: Vec<u8> = written.take(control.games_cursor as usize).collect();
            let header = list_of::<GameHeader>(&written).first().copied().unwrap_or_default();
            let kept = (control.records_cursor[0] + control.records_cursor[1]) as usize;
            games.push(EmulatedGame {
                header,
                packed: written[size_of::<GameHeader>()..][..header.bytes as usize].to_vec(),
                records: records[..kept].to_vec(),
                half_points: results[index as usize],
            });
        }
        EmulatedGames { games, counters: control.counters }
    }

    pub(crate) fn layout(self, shape: Shape) -> Layout {
        let (hidden, king_buckets) = dimensions(shape);
        let mut layout = Layout::default();
        // SAFETY: it writes one layout.
        unsafe { self.library.layout(&raw mut layout, hidden, king_buckets) };
        layout
    }

    /// The kernel `play`.
    ///
    /// # Safety
    /// As [`Backend::play`](crate::backend::Backend::play).
    pub(crate) unsafe fn launch_play(self, shape: Shape, launch: &PlayLaunch) {
        let (hidden, king_buckets) = dimensions(shape);
        // SAFETY: as the caller promises.
        unsafe { self.library.play(std::ptr::from_ref(launch), hidden, king_buckets) };
    }

    /// The kernel `perft`.
    ///
    /// # Safety
    /// As [`Backend::perft`](crate::backend::Backend::perft).
    pub(crate) unsafe fn launch_perft(self, launch: &PerftLaunch) {
        for task in 0..launch.task_count {
            // SAFETY: there are as many tasks and counts, as the caller promises.
            unsafe {
                let leaves = self.library.perft(element(launch.tasks, task), launch.depth as u32);
                element::<u64>(launch.counts, task).write(leaves);
            }
        }
    }

    /// The kernel `evaluate`.
    ///
    /// # Safety
    /// As [`Backend::evaluate`](crate::backend::Backend::evaluate).
    pub(crate) unsafe fn launch_evaluate(self, shape: Shape, launch: &EvaluateLaunch) {
        let (hidden, king_buckets) = dimensions(shape);
        for index in 0..launch.count {
            // SAFETY: there are as many positions and values, and the network has this shape, as the caller promises.
            unsafe {
                self.library.evaluate(
                    element(launch.positions, index),
                    std::ptr::null(),
                    0,
                    element(launch.network, 0),
                    hidden,
                    king_buckets,
                    element(launch.values, index),
                );
            }
        }
    }
}

/// The moves' bits, once all are known to be legal one after the other.
fn legal_bits(position: &Position, moves: &[Move]) -> Vec<u16> {
    let mut position = *position;
    moves
        .iter()
        .map(|&mv| {
            assert!(position.is_legal(mv), "{mv:?} is not legal in {}", position.to_fen());
            position.play(mv);
            mv.bits()
        })
        .collect()
}

fn element<T>(address: u64, index: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut::<T>(address as usize).wrapping_add(index as usize)
}
