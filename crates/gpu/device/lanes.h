// A warp as a little computer: all lanes run the same scalar code on the same values, and share out among them
// what can be done in parallel. The same source compiles for a CPU with one lane (LANES is 1 then), and gives
// the same numbers: nothing may depend on how many lanes there are or which of them comes first.
#pragma once
#include "abi.h"

#ifdef __CUDACC__

#define DEVICE __device__ __forceinline__
#define LANES 32
// Loops that are not unrolled: the search is bound by instructions, and first of all by fetching them.
#define ROLLED _Pragma("unroll 1")
#define UNROLLED _Pragma("unroll")
#define EVERY_LANE 0xffffffffu

// Not threadIdx.x & 31: this one the compiler keeps in a register. It has to be told that loops over lanes are run once.
DEVICE int lane() {
    u32 number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    __builtin_assume(number < 32);
    return (int)number;
}

DEVICE void sync_lanes() { __syncwarp(); }
DEVICE int count(u64 set) { return __popcll(set); }

// The lowest square of a set that is not empty. By halves it takes fewer instructions than __ffsll.
DEVICE int lowest(u64 set) {
    const u32 low = (u32)set;
    int bit;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(bit) : "r"(__brev(low ? low : (u32)(set >> 32))));
    return bit + (low ? 0 : 32);
}

// The square of a set that has just one.
DEVICE int only(u64 set) {
    const u32 high = (u32)(set >> 32);
    int bit;
    asm("bfind.u32 %0, %1;" : "=r"(bit) : "r"(high ? high : (u32)set));
    return bit + (high ? 32 : 0);
}

DEVICE u64 reverse_bits(u64 set) { return __brevll(set); }

// One of the eight bytes of a word.
DEVICE u32 byte_of(u64 bytes, int place) { return __byte_perm((u32)bytes, (u32)(bytes >> 32), place) & 255; }

// Bit number `place`, or nothing if a word has no such bit.
DEVICE u32 bit_or_none(int place) {
    u32 bit;
    asm("shl.b32 %0, 1, %1;" : "=r"(bit) : "r"(place));
    return bit;
}

DEVICE u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
DEVICE u32 largest_of_lanes(u32 value) { return __reduce_max_sync(EVERY_LANE, value); }
DEVICE i32 sum_of_lanes(i32 value) { return __reduce_add_sync(EVERY_LANE, value); }
DEVICE u32 or_of_lanes(u32 bits) { return __reduce_or_sync(EVERY_LANE, bits); }
DEVICE u32 lanes_with(bool holds) { return __ballot_sync(EVERY_LANE, holds); }

// A condition that is the same on all lanes. All lanes run the same code, but the compiler cannot know it: it brings them
// together again behind every branch, and guards all that lanes do together. A vote tells it. If one branch, loop or call
// around something that lanes do together is not agreed on, or is not inlined, the whole kernel falls back to guards and is
// a tenth slower: then its assembly has BRA.DIV instructions, and otherwise none.
DEVICE bool agreed(bool holds) { return __any_sync(EVERY_LANE, holds); }

DEVICE u64 from_first_lane(u64 value) { return __shfl_sync(EVERY_LANE, value, 0); }

// The sum of the counts of the lanes before this one, and of all lanes.
DEVICE int sum_before(int own, int &total) {
    int sum = own;
    UNROLLED for (int distance = 1; distance < 32; distance <<= 1) {
        int other = __shfl_up_sync(EVERY_LANE, sum, distance);
        if (lane() >= distance) sum += other;
    }
    total = __shfl_sync(EVERY_LANE, sum, 31);
    return sum - own;
}

DEVICE u64 add_atomically(u64 *place, u64 value) { return atomicAdd(place, value); }
DEVICE u64 replace_if(u64 *place, u64 expected, u64 value) { return atomicCAS(place, expected, value); }

DEVICE u64 nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

#else

#include <cstring>
#include <ctime>

#define DEVICE inline
#define LANES 1
#define ROLLED
#define UNROLLED

DEVICE int lane() { return 0; }
DEVICE void sync_lanes() {}
DEVICE int count(u64 set) { return __builtin_popcountll(set); }
DEVICE int lowest(u64 set) { return __builtin_ctzll(set); }
DEVICE int only(u64 set) { return lowest(set); }
DEVICE u32 bit_or_none(int place) { return place >= 0 && place < 32 ? 1u << place : 0; }
DEVICE u32 byte_of(u64 bytes, int place) { return (u32)(bytes >> 8 * place) & 255; }
DEVICE u64 high_product(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
DEVICE u32 largest_of_lanes(u32 value) { return value; }
DEVICE i32 sum_of_lanes(i32 value) { return value; }
DEVICE u32 or_of_lanes(u32 bits) { return bits; }
DEVICE u32 lanes_with(bool holds) { return holds; }
DEVICE bool agreed(bool holds) { return holds; }
DEVICE u64 from_first_lane(u64 value) { return value; }
DEVICE int sum_before(int own, int &total) { return total = own, 0; }

DEVICE u64 add_atomically(u64 *place, u64 value) {
    u64 before = *place;
    *place += value;
    return before;
}

DEVICE u64 replace_if(u64 *place, u64 expected, u64 value) {
    u64 before = *place;
    if (before == expected) *place = value;
    return before;
}

DEVICE u64 nanoseconds() {
    timespec time;
    timespec_get(&time, TIME_UTC);
    return (u64)time.tv_sec * 1000000000ull + (u64)time.tv_nsec;
}

#endif

DEVICE u64 or_of_lanes_wide(u64 bits) { return (u64)or_of_lanes((u32)(bits >> 32)) << 32 | or_of_lanes((u32)bits); }

DEVICE i32 smaller(i32 a, i32 b) { return a < b ? a : b; }
DEVICE i32 larger(i32 a, i32 b) { return a > b ? a : b; }
DEVICE i32 within(i32 value, i32 low, i32 high) { return value < low ? low : value > high ? high : value; }

// SplitMix64, the stream of support::random.
DEVICE u64 random_bits(u64 &state) {
    state += 0x9e3779b97f4a7c15ull;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

DEVICE u32 random_below(u64 &state, u32 limit) { return (u32)high_product(random_bits(state), limit); }
