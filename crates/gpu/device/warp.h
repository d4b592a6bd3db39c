// Where a warp finds its things. On a GPU a warp has a block of global memory (addressed from one pointer, which
// saves registers) and a share of its multiprocessor's shared memory: tables, parameters, output weights, and the
// frames of the search. The CPU's one lane has ordinary memory for all of it.
#pragma once
#include "lanes.h"
#include "parameters.h"

// Frames of a search: it never goes deeper, quiescence included.
#ifndef FRAMES
#define FRAMES 32
#endif

// Room for the moves of all frames together. A frame that finds less than MOST_MOVES left is not searched.
const u32 MOVE_CAPACITY = 2048, MOST_MOVES = 256;

const u32 TABLE_ENTRIES = 1 << 14;
const u32 MOVES = 64 * 64;  // by origin and target
const u32 CORRECTION_ENTRIES = 1 << 12;
const u32 CORRECTION_KINDS = 3;
const u32 MOST_PLIES = 512;

// What one side knows: its hash table, histories, corrections. Cleared before each game.
struct Brain {
    u64 table[TABLE_ENTRIES];
    i16 quiet[2 * MOVES];   // by side and move
    i16 reply[64 * MOVES];  // by the target of the move before and the move itself
    i16 corrections[CORRECTION_KINDS * 2 * CORRECTION_ENTRIES];
};

static_assert(sizeof(Brain) % 16 == 0, "cleared by words of 16 bytes");

#define ALIGNED(bytes, to) (((bytes) + (to)-1) / (to) * (to))

#ifdef __CUDACC__

#ifndef HIDDEN
#define HIDDEN 256
#endif
#ifndef KING_BUCKETS
#define KING_BUCKETS 1
#endif
// Below 1024 units 64 registers do, and 32 warps fit on a multiprocessor; from there on, fewer warps with more are
// faster. Where a block may not have so much shared memory, the host compiles with fewer.
#ifndef WARPS
#define WARPS (HIDDEN < 1024 ? 32 : 16)
#endif

extern __shared__ __align__(16) u8 shared_memory[];

DEVICE const Tables &tables() { return *(const Tables *)shared_memory; }
DEVICE int warp_number() { return threadIdx.x >> 5; }

const u32 SHARED_PARAMETERS = ALIGNED(sizeof(Tables), 128);
const u32 SHARED_SCRATCH = SHARED_PARAMETERS + ALIGNED(2 * PARAMETER_COUNT * 4, 128);
const u32 SCRATCH_BYTES = 16;
const u32 SHARED_FRAMES = SHARED_SCRATCH + WARPS * SCRATCH_BYTES;

#else

extern const Tables *lane_tables;

DEVICE const Tables &tables() { return *lane_tables; }

#endif
