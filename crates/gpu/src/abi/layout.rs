//! The structures of `device/abi.h`, and the assertions with which both C++ compilers check them field by field.
//!
//! This file depends on nothing, since the build script includes it as well.

use std::fmt::Write;
use std::mem::offset_of;

/// A field of a shared structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    pub structure: &'static str,
    pub name: &'static str,
    pub offset: usize,
    pub size: usize,
}

/// Declares `#[repr(C)]` structures and lists their fields and sizes.
macro_rules! shared {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* $visibility:vis $field:ident: $type:ty,)* })*) => {
        $(
            #[repr(C)]
            $(#[$meta])*
            pub struct $name { $($(#[$field_meta])* $visibility $field: $type,)* }
        )*

        /// All fields of all structures, in their order.
        pub const FIELDS: &[Field] = &[$($(Field {
            structure: stringify!($name),
            name: stringify!($field),
            offset: offset_of!($name, $field),
            size: size_of::<$type>(),
        },)*)*];

        /// The size of each structure.
        pub const SIZES: &[(&str, usize)] = &[$((stringify!($name), size_of::<$name>()),)*];
    };
}

shared! {
    /// A position as the device reads it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct DevicePosition {
        pub(super) planes: [u64; 4],
        pub(super) state: u32,
        pub(super) move_number: u32,
    }

    /// Tables that are computed once: lines and steps from each square, Zobrist keys, logarithms.
    #[derive(Clone)]
    pub struct LookupTables {
        pub(super) lines: [[u64; 8]; 64],
        pub(super) keys: [u64; KEYS],
        pub(super) logarithms: [u16; 256],
    }

    /// Node limits of a search.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct NodeLimits {
        /// No new iteration begins after this many.
        pub soft: u32,
        /// The search is aborted after this many, though not before its first iteration is complete.
        pub hard: u32,
    }

    /// Random openings.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct OpeningSettings {
        /// Games out of 2^53 that start from a DFRC position; see [`OpeningSettings::fraction`].
        pub shuffled: u64,
        pub min_plies: u32,
        pub max_plies: u32,
        /// Of the search that verifies an opening.
        pub limits: NodeLimits,
        /// Openings with a larger score for either side are rejected, in centipawns.
        pub max_score: i32,
        pub unused: u32,
    }

    /// Adjudication. A count of 0 disables a rule.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Rules {
        /// First move number at which a draw may be adjudicated.
        pub draw_move_number: u32,
        /// Consecutive moves of each side.
        pub draw_move_count: u32,
        /// Largest absolute score that counts towards a draw, in centipawns.
        pub draw_score: i32,
        /// Consecutive moves after which a side resigns.
        pub resign_move_count: u32,
        pub resign_score: i32,
        /// Both sides must agree, if not 0.
        pub resign_two_sided: u32,
        /// Full moves after which a game is drawn; at most [`MAX_PLIES`]` / 2`, which 0 stands for as well.
        pub max_moves: u32,
        pub unused: u32,
    }

    /// Which positions are recorded for training.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Filter {
        /// Plies since the game's move 1.
        pub min_ply: u32,
        pub min_pieces: u32,
        /// Positions with a larger score, for either side, are dropped.
        pub max_score: i32,
        /// Keep positions in check, if not 0.
        pub checks: u32,
        /// Keep positions whose best move is a capture or promotion, if not 0.
        pub noisy: u32,
        pub unused: u32,
    }

    /// A training position: `Example` of the trainer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Record {
        pub occupied: u64,
        pub pieces: [u8; 16],
        pub score: i16,
        pub half_points: u8,
        pub our_king: u8,
        pub their_king: u8,
        pub unused: [u8; 3],
    }

    /// Precedes each finished game in the game buffer. A packed game of `bytes` bytes follows (`record::packed`),
    /// zero-padded to a multiple of 8.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct GameHeader {
        pub number: u64,
        /// Of all its searches, including those that verified the opening.
        pub nodes: u64,
        pub bytes: u32,
        /// Plies after the opening.
        pub plies: u32,
        /// An [`Ending`].
        pub ending: u8,
        /// White's half points.
        pub result: u8,
        pub unused: [u8; 6],
    }

    /// Totals since the host last cleared them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Counters {
        pub nodes: u64,
        pub moves: u64,
        pub games: u64,
        /// Sum of the depths over the searches of all moves.
        pub depths: u64,
        pub white_wins: u64,
        pub draws: u64,
        pub black_wins: u64,
        /// Of finished games.
        pub plies: u64,
        pub records: u64,
        /// Verified openings, played or not.
        pub openings: u64,
    }

    /// Shared by all warps. Zero before the first launch; the host resets the cursors after reading the buffers, and
    /// clears `running` and `waiting` before each launch.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Control {
        /// Index of the next game to start.
        pub next_game: u64,
        /// Warps that ended this launch in the middle of a game.
        pub running: u64,
        /// Warps with a finished game and no buffer space for it.
        pub waiting: u64,
        /// Bytes written to the game buffer.
        pub games_cursor: u64,
        /// Records written to the two record buffers.
        pub records_cursor: [u64; 2],
        pub unused: [u64; 2],
        pub counters: Counters,
    }

    /// What is played in launches of the kernel `play`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct PlaySettings {
        pub seed: u64,
        /// Number of the game with index 0.
        pub first_game: u64,
        /// Difference of successive game numbers.
        pub game_step: u64,
        /// Games to start in all launches together.
        pub game_count: u64,
        /// No move is started after this many nanoseconds of a launch.
        pub duration_ns: u64,
        /// Two players; each opening is played twice with colours reversed, if not 0.
        pub is_match: u32,
        /// Start no game, if not 0.
        pub finish: u32,
        /// Records of each game whose number is a multiple of this go to the second buffer; 0 for none.
        pub validation_every: u32,
        pub unused: u32,
        /// By player.
        pub limits: [NodeLimits; 2],
        pub opening: OpeningSettings,
        pub rules: Rules,
        pub filter: Filter,
        /// Of searches whose position cannot be recorded; those of the player if `hard` is 0.
        pub unrecorded: NodeLimits,
    }

    /// A launch of the kernel `play`. All `u64` before `settings` are device addresses, or lengths of what they point to.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct PlayLaunch {
        pub lookup: u64,
        pub networks: [u64; 2],
        pub parameters: [u64; 2],
        pub memory: u64,
        pub control: u64,
        pub games: u64,
        pub games_capacity: u64,
        pub records: [u64; 2],
        pub records_capacity: [u64; 2],
        pub results: u64,
        pub openings: u64,
        pub opening_count: u64,
        pub settings: PlaySettings,
    }

    /// A launch of the kernel `perft`.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct PerftLaunch {
        pub lookup: u64,
        pub memory: u64,
        pub next_task: u64,
        pub tasks: u64,
        pub counts: u64,
        pub task_count: u64,
        pub depth: u64,
    }

    /// A launch of the kernel `evaluate`.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct EvaluateLaunch {
        pub lookup: u64,
        pub memory: u64,
        pub network: u64,
        pub positions: u64,
        pub values: u64,
        pub count: u64,
    }

    /// Written by the kernel `layout`: what the code was compiled for, and the memory it needs.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Layout {
        /// Global memory of one warp, for any kernel.
        pub block_bytes: u64,
        /// Shared memory of `play` in self-play.
        pub play_shared_bytes: u32,
        /// Shared memory of `play` in a match.
        pub match_shared_bytes: u32,
        /// Shared memory of `perft` and `evaluate`.
        pub other_shared_bytes: u32,
        /// Warps per thread block.
        pub warps: u32,
        pub hidden: u32,
        pub king_buckets: u32,
        pub parameters: u32,
        pub unused: u32,
    }
}

/// Zobrist keys: of twelve pieces by square, of castling rights, of en passant files, of Black to move; one is padding.
pub const KEYS: usize = 12 * 64 + 16 + 8 + 2;

/// No game is longer, its opening not counted.
pub const MAX_PLIES: u32 = 512;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// By the rules of chess.
    Rules = 0,
    /// The search found a forced mate.
    MateFound = 1,
    DrawAdjudicated = 2,
    Resigned = 3,
    /// Drawn after the maximum number of moves.
    TooLong = 4,
}

/// One `static_assert` for each field and each structure, to be compiled after `device/abi.h`.
pub fn assertions() -> String {
    // NVRTC has neither `offsetof` nor the builtin of GCC and Clang.
    let mut text = "#ifdef __CUDACC_RTC__\n\
        #define OFFSET_OF(structure, field) __INTADDR__(&(((structure *)0)->field))\n\
        #else\n\
        #define OFFSET_OF(structure, field) __builtin_offsetof(structure, field)\n\
        #endif\n"
        .to_owned();
    // Writing to a string cannot fail.
    for Field { structure, name, offset, size } in FIELDS {
        let _ = writeln!(
            text,
            "static_assert(OFFSET_OF({structure}, {name}) == {offset} && sizeof({structure}::{name}) == {size}, \
             \"{structure}::{name} as in layout.rs\");"
        );
    }
    for (structure, size) in SIZES {
        let _ =
            writeln!(text, "static_assert(sizeof({structure}) == {size}, \"{structure} as in layout.rs\");");
    }
    let endings = [
        ("ENDED_BY_RULES", Ending::Rules),
        ("MATE_FOUND", Ending::MateFound),
        ("DRAW_ADJUDICATED", Ending::DrawAdjudicated),
        ("RESIGNED", Ending::Resigned),
        ("TOO_LONG", Ending::TooLong),
    ];
    for (name, ending) in endings {
        let _ = writeln!(text, "static_assert({name} == {}, \"{name} as in layout.rs\");", ending as u8);
    }
    let _ = writeln!(text, "static_assert(MAX_PLIES == {MAX_PLIES}, \"MAX_PLIES as in layout.rs\");");
    text
}
