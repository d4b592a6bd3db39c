// A warp's state: the search stack, its game, and the block of memory that outlives a launch.
#pragma once
#include "board.h"

enum Flag {
    IS_PV = 1,   // PV node
    IS_CUT = 2,  // expected to fail high
    IN_CHECK = 4,
    IS_QUIESCENCE = 8,
    IS_EVALUATED = 16,         // `raw` and the accumulator are computed
    IS_IMPROVING = 32,         // the static evaluation is better than two plies ago
    SKIPS_QUIETS = 64,         // no more quiet moves
    AFTER_NULL = 128,          // reached by a null move
    AWAITS_NULL = 256,         // the child searches a null move
    AWAITS_ZERO_WINDOW = 512,  // PV node whose child searches with a zero window
};

struct Frame {
    Board board;
    i32 depth;      // of the node, in 1024ths
    i32 new_depth;  // of the move being searched, without its reduction
    i16 alpha, beta, best, evaluation;
    i16 raw;          // static evaluation without correction history
    i16 first_alpha;  // alpha at entry
    u16 best_move, move, table_move, killer;
    u16 flags;
    u16 list;        // index of its first move
    u16 moves;       // number of moves in the list
    u16 move_count;  // of the move being searched, from 1
    u8 slot;         // of its accumulator
    u8 reach;        // plies since the last irreversible or null move
    u8 is_reduced;   // the move being searched
    u8 ply;          // from the root
};

static_assert(sizeof(Frame) == 88, "shared memory is budgeted with this size");

enum GamePhase { NO_GAME = 0, CHOOSING_OPENING, VERIFYING_OPENING, PLAYING, FINISHED };

// A game in progress. Accessed only between moves.
struct Game {
    DevicePosition start;
    Board board;
    u64 number, index, random, nodes, unused;
    u32 phase, in_check, plies, start_ply;
    u32 quiet_plies, losing[2], winning[2];
    u32 result, ending, emitted;
};

// Bits of `played`: move 15 | recorded 1 | White's score 16.
const u32 IS_RECORDED = 1 << 15;

struct Block {
    Game game;
    u64 keys[MAX_PLIES + FRAMES + 8];
    u32 played[MAX_PLIES + 8];
    u32 moves[MOVE_CAPACITY];
    SearchTables search_tables[2];
    // FRAMES + 1 accumulators follow: two perspectives, a word holds two hidden units.
};

static_assert(sizeof(Block) % 16 == 0, "accumulators are read in 16-byte words");

DEVICE u64 block_bytes(u32 hidden_units) { return ALIGNED(sizeof(Block) + (u64)(FRAMES + 1) * hidden_units * 4, 128); }

// A network in words: feature rows (PIECE_FEATURES for each king bucket), biases, output weights, output biases.
const u32 PIECE_FEATURES = 768, OUTPUT_BUCKETS = 8;

// Rarely used data of a search, stored below the frames.
struct Task {
    const u32 *network;  // of the side to move
    u32 hard_nodes;
    u32 game_ply;                     // of the root
    u32 completed_depth, first_move;  // completed iterations and their best move
    u32 root_move;                    // best of the current iteration
    i32 root_score;
    u32 is_aborted;
    i32 reduction_by_history;  // 1024ths of a ply per 1024 points of history
};

struct Stack {
    Task task;
    Frame frames[FRAMES];
};

// The context of code that runs on a warp. On a GPU it lives in registers, which are scarce.
struct Warp {
    Block *block;
    int side;  // player 0 or 1: selects network, parameters and search tables
    u32 nodes;
#ifndef __CUDACC__
    const i32 *parameters[2];
    Frame *frames;
    u32 hidden_units, king_buckets;
#endif
};

#ifdef __CUDACC__

const u32 SHARED_OUTPUTS = SHARED_FRAMES + WARPS * sizeof(Stack);
const u32 OUTPUT_BYTES = OUTPUT_BUCKETS * 2 * HIDDEN * 2 + OUTPUT_BUCKETS * 4;

static_assert(SHARED_OUTPUTS % 16 == 0 && OUTPUT_BYTES % 16 == 0, "output weights are read in 16-byte words");

DEVICE Frame *frames(const Warp &) { return ((Stack *)(shared_memory + SHARED_FRAMES))[warp_number()].frames; }
DEVICE Task &task_of(const Warp &warp) { return ((Task *)frames(warp))[-1]; }
DEVICE i32 parameter(const Warp &warp, int index) {
    return ((const i32 *)(shared_memory + SHARED_PARAMETERS))[warp.side * PARAMETER_COUNT + index];
}
DEVICE u32 hidden_of(const Warp &) { return HIDDEN; }
DEVICE u32 king_buckets_of(const Warp &) { return KING_BUCKETS; }
DEVICE const u32 *output_words(const Warp &warp) {
    return (const u32 *)(shared_memory + SHARED_OUTPUTS + warp.side * OUTPUT_BYTES);
}

#else

DEVICE Frame *frames(const Warp &warp) { return warp.frames; }
DEVICE Task &task_of(const Warp &warp) { return ((Task *)warp.frames)[-1]; }
DEVICE i32 parameter(const Warp &warp, int index) { return warp.parameters[warp.side][index]; }
DEVICE u32 hidden_of(const Warp &warp) { return warp.hidden_units; }
DEVICE u32 king_buckets_of(const Warp &warp) { return warp.king_buckets; }
DEVICE const u32 *output_words(const Warp &warp) {
    return task_of(warp).network + (warp.king_buckets * PIECE_FEATURES + 1) * (warp.hidden_units / 2);
}

#endif

#define PARAMETER(name) parameter(warp, PARAMETER_##name)

DEVICE SearchTables &search_tables(const Warp &warp) { return warp.block->search_tables[warp.side]; }
DEVICE u32 *accumulator(const Warp &warp, int slot) { return (u32 *)(warp.block + 1) + (u32)slot * hidden_of(warp); }
