// Warp primitives. All 32 lanes of a warp run the same scalar code on the same values and split parallel work among
// them. The same source compiles for the CPU with one lane (LANES is 1) and gives bit-identical results: nothing may depend
// on the number of lanes or on their order.
#pragma once
#include "abi.h"

#ifdef __CUDACC__

#define DEVICE __device__ __forceinline__
#define LANES 32
// Prevents unrolling: the search is bound by instruction fetch.
#define ROLLED _Pragma("unroll 1")
#define UNROLLED _Pragma("unroll")
#define FULL_MASK 0xffffffffu

// Unlike threadIdx.x & 31, the compiler keeps %laneid in a register. The assumption lets it see that loops over lanes run once.
DEVICE int lane() {
    u32 number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    __builtin_assume(number < 32);
    return (int)number;
}

DEVICE void sync_warp() { __syncwarp(); }
DEVICE int popcount(u64 set) { return __popcll(set); }

// The least significant bit of a nonempty set. By halves it takes fewer instructions than __ffsll.
DEVICE int lsb(u64 set) {
    const u32 low = (u32)set;
    int bit;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(bit) : "r"(__brev(low ? low : (u32)(set >> 32))));
    return bit + (low ? 0 : 32);
}

// The index of the only bit that is set.
DEVICE int sole_bit(u64 set) {
    const u32 high = (u32)(set >> 32);
    int bit;
    asm("bfind.u32 %0, %1;" : "=r"(bit) : "r"(high ? high : (u32)set));
    return bit + (high ? 32 : 0);
}

DEVICE u64 reverse_bits(u64 set) { return __brevll(set); }

DEVICE u32 byte_of(u64 bytes, int place) { return __byte_perm((u32)bytes, (u32)(bytes >> 32), place) & 255; }

// Bit number `place`, or 0 if that is outside of 0..32.
DEVICE u32 bit_or_zero(int place) {
    u32 bit;
    asm("shl.b32 %0, 1, %1;" : "=r"(bit) : "r"(place));
    return bit;
}

DEVICE u64 mul_high(u64 a, u64 b) { return __umul64hi(a, b); }
DEVICE u32 warp_max(u32 value) { return __reduce_max_sync(FULL_MASK, value); }
DEVICE i32 warp_sum(i32 value) { return __reduce_add_sync(FULL_MASK, value); }
DEVICE u32 warp_or(u32 bits) { return __reduce_or_sync(FULL_MASK, bits); }
DEVICE u32 ballot(bool holds) { return __ballot_sync(FULL_MASK, holds); }

// A warp-uniform condition. All lanes take the same branches, but the compiler cannot prove it: without a vote it
// reconverges the warp after every branch and guards warp-wide operations against divergence. A single branch, loop or call
// around a warp-wide operation that lacks the vote, or is not inlined, makes the whole kernel 10 % slower; its SASS then has
// BRA.DIV instructions, and otherwise none.
DEVICE bool uniform(bool holds) { return __any_sync(FULL_MASK, holds); }

DEVICE u64 broadcast(u64 value) { return __shfl_sync(FULL_MASK, value, 0); }

// Prefix sum over the lanes before this one; `total` is the sum over all lanes.
DEVICE int exclusive_scan(int own, int &total) {
    int sum = own;
    UNROLLED for (int distance = 1; distance < 32; distance <<= 1) {
        int other = __shfl_up_sync(FULL_MASK, sum, distance);
        if (lane() >= distance) sum += other;
    }
    total = __shfl_sync(FULL_MASK, sum, 31);
    return sum - own;
}

DEVICE u64 atomic_add(u64 *place, u64 value) { return atomicAdd(place, value); }
DEVICE u64 compare_and_swap(u64 *place, u64 expected, u64 value) { return atomicCAS(place, expected, value); }

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
DEVICE void sync_warp() {}
// Built-in functions in CUDA.
DEVICE i32 min(i32 a, i32 b) { return a < b ? a : b; }
DEVICE i32 max(i32 a, i32 b) { return a > b ? a : b; }

DEVICE int popcount(u64 set) { return __builtin_popcountll(set); }
DEVICE int lsb(u64 set) { return __builtin_ctzll(set); }
DEVICE int sole_bit(u64 set) { return lsb(set); }
DEVICE u32 bit_or_zero(int place) { return place >= 0 && place < 32 ? 1u << place : 0; }
DEVICE u32 byte_of(u64 bytes, int place) { return (u32)(bytes >> 8 * place) & 255; }
DEVICE u64 mul_high(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
DEVICE u32 warp_max(u32 value) { return value; }
DEVICE i32 warp_sum(i32 value) { return value; }
DEVICE u32 warp_or(u32 bits) { return bits; }
DEVICE u32 ballot(bool holds) { return holds; }
DEVICE bool uniform(bool holds) { return holds; }
DEVICE u64 broadcast(u64 value) { return value; }
DEVICE int exclusive_scan(int own, int &total) { return total = own, 0; }

DEVICE u64 atomic_add(u64 *place, u64 value) {
    u64 before = *place;
    *place += value;
    return before;
}

DEVICE u64 compare_and_swap(u64 *place, u64 expected, u64 value) {
    u64 before = *place;
    if (before == expected) *place = value;
    return before;
}

DEVICE u64 nanoseconds() {
#ifdef _WIN32
    // The C library of MinGW has no timespec_get. On Windows clock() is wall time, not CPU time.
    return (u64)clock() * (1000000000ull / CLOCKS_PER_SEC);
#else
    timespec time;
    timespec_get(&time, TIME_UTC);
    return (u64)time.tv_sec * 1000000000ull + (u64)time.tv_nsec;
#endif
}

#endif

DEVICE u64 warp_or64(u64 bits) { return (u64)warp_or((u32)(bits >> 32)) << 32 | warp_or((u32)bits); }

DEVICE i32 clamp(i32 value, i32 low, i32 high) { return value < low ? low : value > high ? high : value; }

// SplitMix64, the same stream as the host's generator.
DEVICE u64 random_bits(u64 &state) {
    state += 0x9e3779b97f4a7c15ull;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

DEVICE u32 random_below(u64 &state, u32 limit) { return (u32)mul_high(random_bits(state), limit); }
