// What a warp keeps: the frames of its search, its game, and the block of memory that outlives a launch.
#pragma once
#include "board.h"

// Facts about a node.
enum Flag {
    IS_PV = 1,             // its window is open
    IS_CUT = 2,            // it is expected to fail high
    IN_CHECK = 4,
    IS_QUIESCENCE = 8,
    IS_EVALUATED = 16,     // `raw` is known and the hidden units are computed
    IS_IMPROVING = 32,     // the side to move stands better than two plies before
    TABLE_PV = 64,         // the position was once part of a principal variation
    TABLE_NOISY = 128,     // the table's move is a capture or promotion
    SKIPS_QUIETS = 256,    // no more quiet moves
    AFTER_NULL = 512,      // the last move was a null move
    CLOCK_RAN_OUT = 1024,  // in check on the hundredth half move: a draw, unless it is mate
    IS_COPY = 2048,        // the same position as the frame below: a question that a node asks about itself
    HAS_ENTRY = 4096,      // the table knows the position
};

// What a node waits for while the frame above it is searched.
enum Phase { QUIESCENCE_MOVE, SCOUT, FULL_DEPTH, SCOUT_AGAIN, OPEN_WINDOW, NULL_MOVE, RAZORING, SINGULAR };

struct Frame {
    Board board;
    u64 threats;     // squares that the enemy attacks
    i32 depth;       // of the node, in 1024ths
    i32 move_depth;  // of the moves that are still to come
    i32 new_depth;   // of the move being searched
    i32 reduction;   // of the move being searched
    i16 alpha, beta, best, evaluation;
    i16 raw;          // evaluation without experience
    i16 previous;     // evaluation one ply before
    i16 first_alpha;  // before any move
    i16 table_score;
    u16 best_move, move, table_move, excluded;
    u16 flags;
    u16 structure;  // of the pawns
    u16 moved;  // man and target of the move being searched
    u16 list;   // where its moves begin
    u8 moves;   // in the list
    u8 number;  // of the move being searched, from 1
    u8 index;   // of that move in the list
    u8 phase;
    u8 slot;   // of its hidden units
    u8 ply;    // from the root
    u8 reach;  // plies since the last capture, pawn move or null move
    u8 cutoffs;
    u8 known;  // depth and bound of the table's entry, as `Known`
    u8 double_extensions;
};

static_assert(sizeof(Frame) == 120, "the size that shared memory is counted with");

enum GamePhase { NO_GAME = 0, CHOOSING, JUDGING, PLAYING, FINISHED };

// A game on its way. It is read and written only between moves.
struct Game {
    Start start;
    Board board;
    u64 number, index, random, nodes, depths;
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

// The words of a network: rows of features, biases, output weights, output biases.
const u32 FEATURES = 768, BUCKETS = 8;

// Everything that code which runs on a warp is given.
struct Warp {
    Block *block;
    const u32 *network;  // of the side that thinks
    int side;            // 0 or 1: whose network, parameters and brain
    u32 nodes, hard_nodes;
    u32 game_ply;  // of the root
    u32 completed_depth, first_move;  // of the iterations so far: how many, and their best move
    u32 root_move;                    // best of this iteration
    i32 root_score;
    bool is_aborted;
#ifndef __CUDACC__
    const i32 *parameters[2];
    Frame *frames;
    u32 hidden_units;
#endif
};

#ifdef __CUDACC__

const u32 SHARED_OUTPUTS = SHARED_FRAMES + WARPS * FRAMES * sizeof(Frame);
const u32 OUTPUT_BYTES = BUCKETS * 2 * HIDDEN * 2 + BUCKETS * 4;

DEVICE Frame *frames(const Warp &) { return (Frame *)(shared_memory + SHARED_FRAMES) + warp_number() * FRAMES; }
DEVICE i32 parameter(const Warp &warp, int index) {
    return ((const i32 *)(shared_memory + SHARED_PARAMETERS))[warp.side * PARAMETER_COUNT + index];
}
DEVICE u32 hidden_of(const Warp &) { return HIDDEN; }
DEVICE const u32 *output_words(const Warp &warp) {
    return (const u32 *)(shared_memory + SHARED_OUTPUTS + warp.side * OUTPUT_BYTES);
}

#else

DEVICE Frame *frames(const Warp &warp) { return warp.frames; }
DEVICE i32 parameter(const Warp &warp, int index) { return warp.parameters[warp.side][index]; }
DEVICE u32 hidden_of(const Warp &warp) { return warp.hidden_units; }
DEVICE const u32 *output_words(const Warp &warp) { return warp.network + (FEATURES + 1) * (warp.hidden_units / 2); }

#endif

#define PARAMETER(name) parameter(warp, PARAMETER_##name)

DEVICE Brain &brain_of(const Warp &warp) { return warp.block->brains[warp.side]; }
DEVICE u32 *units_of(const Warp &warp, int slot) { return (u32 *)(warp.block + 1) + (u32)slot * hidden_of(warp); }
