// Memory layout. On a GPU a warp owns a block of global memory (one base pointer, which saves registers) and a slice of its
// multiprocessor's shared memory; a thread block shares lookup tables, parameters and output weights there. The CPU
// emulation uses ordinary memory for all of it.
#pragma once
#include "parameters.h"
#include "warp.h"

// Maximum ply of a search, quiescence included.
#ifndef FRAMES
#define FRAMES 32
#endif

// Capacity for the moves of all plies together. A node that finds less than MAX_MOVES left is not searched. No position
// has more moves: ten of a king, and 27 for each of fifteen queens.
const u32 MOVE_CAPACITY = 2208, MAX_MOVES = 416;

const u32 TABLE_ENTRIES = 1 << 14;
const u32 MOVES = 64 * 64;  // by origin and target
const u32 CORRECTION_ENTRIES = 1 << 12;
const u32 CORRECTION_KINDS = 3;
const u32 MAX_PLIES = 512;

// One player's hash table, history tables and correction history. Cleared before each game.
struct SearchTables {
    u64 table[TABLE_ENTRIES];
    i16 quiet[2 * MOVES];   // butterfly history by side and move
    i16 reply[64 * MOVES];  // reply history by the previous move's target and the move
    i16 corrections[CORRECTION_KINDS * 2 * CORRECTION_ENTRIES];
};

static_assert(sizeof(SearchTables) % 16 == 0, "cleared in 16-byte words");

#define ALIGNED(bytes, to) (((bytes) + (to) - 1) / (to) * (to))

#ifdef __CUDACC__

#ifndef HIDDEN
#define HIDDEN 256
#endif
#ifndef KING_BUCKETS
#define KING_BUCKETS 1
#endif
// Below 1024 hidden units 64 registers suffice, and 32 warps fit on a multiprocessor; above, fewer warps with more registers
// are faster. The host compiles with fewer warps where a block may not have as much shared memory.
#ifndef WARPS
#define WARPS (HIDDEN < 1024 ? 32 : 16)
#endif

extern __shared__ __align__(16) u8 shared_memory[];

DEVICE const LookupTables &lookup() { return *(const LookupTables *)shared_memory; }
DEVICE int warp_number() { return threadIdx.x >> 5; }

const u32 SHARED_PARAMETERS = ALIGNED(sizeof(LookupTables), 128);
const u32 SHARED_SCRATCH = SHARED_PARAMETERS + ALIGNED(2 * PARAMETER_COUNT * 4, 128);
const u32 SCRATCH_BYTES = 16;
const u32 SHARED_FRAMES = SHARED_SCRATCH + WARPS * SCRATCH_BYTES;

#else

extern const LookupTables *cpu_lookup;

DEVICE const LookupTables &lookup() { return *cpu_lookup; }

#endif
