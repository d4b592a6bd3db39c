// What a warp keeps: the frames of its search, its game, and the block of memory that outlives a launch.
#pragma once
#include "board.h"

// Facts about a node.
enum Flag {
    IS_PV = 1,           // its window is open
    IS_CUT = 2,          // it is expected to fail high
    IN_CHECK = 4,
    IS_QUIESCENCE = 8,
    IS_EVALUATED = 16,   // `raw` is known and the hidden units are computed
    IS_IMPROVING = 32,   // the side to move stands better than two plies before
    SKIPS_QUIETS = 64,   // no more quiet moves
    AFTER_NULL = 128,    // the last move was a null move
    AWAITS_NULL = 256,   // the frame above searches a null move
    AWAITS_SCOUT = 512,  // the frame above has a closed window although this one's is open
};

struct Frame {
    Board board;
    i32 depth;      // of the node, in 1024ths
    i32 new_depth;  // of the move being searched, without its reduction
    i16 alpha, beta, best, evaluation;
    i16 raw;          // evaluation without experience
    i16 first_alpha;  // before any move
    u16 best_move, move, table_move, killer;
    u16 flags;
    u16 list;       // where its moves begin
    u8 moves;       // in the list
    u8 number;      // of the move being searched, from 1
    u8 slot;        // of its hidden units
    u8 reach;       // plies since the last capture, pawn move or null move
    u8 is_reduced;  // the move being searched
    u8 ply;         // from the root
    u8 unused[2];
};

static_assert(sizeof(Frame) == 88, "the size that shared memory is counted with");

enum GamePhase { NO_GAME = 0, CHOOSING, JUDGING, PLAYING, FINISHED };

// A game on its way. It is read and written only between moves.
struct Game {
    Start start;
    Board board;
    u64 number, index, random, nodes, unused;
    u32 phase, in_check, plies, start_ply;
    u32 quiet_plies, losing[2], winning[2];
    u32 result, ending, emitted;
};

// Scores of a game's moves and the moves themselves: move 15 bits | becomes a record 1 | White's score 16.
const u32 BECOMES_RECORD = 1 << 15;

struct Block {
    Game game;
    u64 keys[MOST_PLIES + FRAMES + 8];
    u32 played[MOST_PLIES + 8];
    u32 moves[MOVE_CAPACITY];
    Brain brains[2];
    // Hidden units of FRAMES + 1 positions follow: two perspectives, a word for two units.
};

static_assert(sizeof(Block) % 16 == 0, "hidden units are read by words of 16 bytes");

DEVICE u64 block_bytes(u32 hidden_units) { return ALIGNED(sizeof(Block) + (u64)(FRAMES + 1) * hidden_units * 4, 128); }

// The words of a network: rows of features (MEN of them for each king bucket), biases, output weights, output biases.
const u32 MEN = 768, BUCKETS = 8;

// What is seldom looked at while a warp thinks about a move. It lies below the frames.
struct Task {
    const u32 *network;  // of the side that thinks
    u32 hard_nodes;
    u32 game_ply;                     // of the root
    u32 completed_depth, first_move;  // of the iterations so far: how many, and their best move
    u32 root_move;                    // best of this iteration
    i32 root_score;
    u32 is_aborted;
    i32 reduction_by_history;  // 1024ths of a half move that 1024 points of history take from a reduction
};

// All frames of a search.
struct Stack {
    Task task;
    Frame frames[FRAMES];
};

// Everything that code which runs on a warp is given. On a GPU it is in registers, which are scarce.
struct Warp {
    Block *block;
    int side;  // 0 or 1: whose network, parameters and brain
    u32 nodes;
#ifndef __CUDACC__
    const i32 *parameters[2];
    Frame *frames;
    u32 hidden_units, king_buckets;
#endif
};

#ifdef __CUDACC__

const u32 SHARED_OUTPUTS = SHARED_FRAMES + WARPS * sizeof(Stack);
const u32 OUTPUT_BYTES = BUCKETS * 2 * HIDDEN * 2 + BUCKETS * 4;

static_assert(SHARED_OUTPUTS % 16 == 0 && OUTPUT_BYTES % 16 == 0, "output weights are read by words of 16 bytes");

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
    return task_of(warp).network + (warp.king_buckets * MEN + 1) * (warp.hidden_units / 2);
}

#endif

#define PARAMETER(name) parameter(warp, PARAMETER_##name)

DEVICE Brain &brain_of(const Warp &warp) { return warp.block->brains[warp.side]; }
DEVICE u32 *units_of(const Warp &warp, int slot) { return (u32 *)(warp.block + 1) + (u32)slot * hidden_of(warp); }
