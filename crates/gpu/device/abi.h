// The structures that host and device share, as src/abi/layout.rs declares them. Both compilers check every field's offset
// and size: static_asserts generated from layout.rs follow this file (see src/source.rs and build.rs).
// Pointers travel as 64-bit integers, so that layouts are the same for every compiler.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;

// A position from the host. `planes`: three bits of the piece type by square (pawn 1 ... king 6), then Black's pieces.
// `state`: see Board in board.h.
struct DevicePosition {
    u64 planes[4];
    u32 state;
    u32 move_number;
};

// Tables computed once by the host.
struct LookupTables {
    u64 lines[64][8];  // diagonal, antidiagonal, file, rank, knight, king, white pawn, black pawn
    // Zobrist keys: white pawn to king by square, then black; castling rights; en passant files; Black to move. The last
    // word is padding to 16 bytes.
    u64 keys[12 * 64 + 16 + 8 + 2];
    u16 logarithms[256];  // natural, in 1024ths
};

// Node limits of a search: no new iteration after `soft`, abort at `hard`.
struct NodeLimits {
    u32 soft;
    u32 hard;
};

// Random openings.
struct OpeningSettings {
    u64 shuffled;  // out of 2^53 games, how many start from a DFRC position
    u32 min_plies;
    u32 max_plies;
    NodeLimits limits;  // of the search that verifies an opening
    i32 max_score;
    u32 unused;
};

// Adjudication. A count of 0 disables a rule.
struct Rules {
    u32 draw_move_number;
    u32 draw_move_count;
    i32 draw_score;
    u32 resign_move_count;
    i32 resign_score;
    u32 resign_two_sided;
    u32 max_moves;  // full moves
    u32 unused;
};

// Which positions are recorded for training.
struct Filter {
    u32 min_ply;
    u32 min_pieces;
    i32 max_score;
    u32 checks;  // keep positions in check
    u32 noisy;   // keep positions whose best move is a capture or promotion
    u32 unused;
};

// A training position: `Example` of the trainer.
struct Record {
    u64 occupied;
    u8 pieces[16];
    i16 score;
    u8 half_points;
    u8 our_king;
    u8 their_king;
    u8 unused[3];
};

// Precedes each finished game; `bytes` bytes of a packed game follow, zero-padded to a multiple of 8.
struct GameHeader {
    u64 number;
    u64 nodes;
    u32 bytes;
    u32 plies;  // after the opening
    u8 ending;  // enum Ending
    u8 result;  // White's half points
    u8 unused[6];
};

enum Ending { ENDED_BY_RULES = 0, MATE_FOUND = 1, DRAW_ADJUDICATED = 2, RESIGNED = 3, TOO_LONG = 4 };

// Totals since the host last cleared them.
struct Counters {
    u64 nodes;
    u64 moves;
    u64 games;
    u64 depths;  // sum over the searches of all moves
    u64 white_wins;
    u64 draws;
    u64 black_wins;
    u64 plies;
    u64 records;
    u64 openings;  // verified, played or not
};

// Shared by all warps. The host clears it before the first launch, resets the cursors after reading the buffers, and
// clears `running` and `waiting` before each launch.
struct Control {
    u64 next_game;     // index of the next game to start
    u64 running;       // warps that ended this launch in the middle of a game
    u64 waiting;       // warps with a finished game and no buffer space for it
    u64 games_cursor;  // bytes written to `games`
    u64 records_cursor[2];
    u64 unused[2];
    Counters counters;
};

// What is played in a launch of `play`.
struct PlaySettings {
    u64 seed;
    u64 first_game;        // number of the game with index 0
    u64 game_step;         // difference of successive game numbers
    u64 game_count;        // games to start in all launches together
    u64 duration_ns;       // no move is started after that
    u32 is_match;          // two players; each opening is played twice with colours reversed
    u32 finish;            // start no game
    u32 validation_every;  // records of each such game go to the second buffer; 0 for none
    u32 unused;
    NodeLimits limits[2];  // by player
    OpeningSettings opening;
    Rules rules;
    Filter filter;
    NodeLimits unrecorded;  // of searches whose position cannot be recorded; hard is 0 if they are those of the player
};

// A launch of `play`: device addresses and settings.
struct PlayLaunch {
    u64 lookup;         // LookupTables
    u64 networks[2];    // by player; twice the same in self-play
    u64 parameters[2];  // i32 of parameters.h, by player
    u64 memory;         // Layout.block_bytes for each warp, zero before the first launch
    u64 control;        // Control
    u64 games;          // bytes, or 0 for none
    u64 games_capacity;
    u64 records[2];  // Record for training and for validation, or 0 for none
    u64 records_capacity[2];
    u64 results;   // u8 by game index: half points of player 0; or 0 for none
    u64 openings;  // DevicePosition; replace random openings if there are any
    u64 opening_count;
    PlaySettings settings;
};

// A launch of `perft`: each warp takes tasks until none are left.
struct PerftLaunch {
    u64 lookup;
    u64 memory;
    u64 next_task;  // u64, zero before the launch
    u64 tasks;      // DevicePosition
    u64 counts;     // u64 by task
    u64 task_count;
    u64 depth;
};

// A launch of `evaluate`: static evaluations, one warp per position.
struct EvaluateLaunch {
    u64 lookup;
    u64 memory;
    u64 network;
    u64 positions;  // DevicePosition
    u64 values;     // i32
    u64 count;
};

// Written by the kernel `layout`: what the code was compiled for, and the memory it needs.
struct Layout {
    u64 block_bytes;  // global memory of one warp, for any kernel
    u32 play_shared_bytes;
    u32 match_shared_bytes;
    u32 other_shared_bytes;  // of `perft` and `evaluate`
    u32 warps;               // per thread block
    u32 hidden;
    u32 king_buckets;
    u32 parameters;
    u32 unused;
};
