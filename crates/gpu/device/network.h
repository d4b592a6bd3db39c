// The network, in exactly the integers of crates/nnue: what it says of a position is the same to the last bit.
//
// A word holds two hidden units. Words are added whole: the lower unit is kept 32768 too high, so that it is
// never negative and nothing is borrowed from the upper one.
#pragma once
#include "exchange.h"
#include "state.h"

const int UNIT_ONE = 512, SQUARE_SHIFT = 4, SUM_SHIFT = 23, CENTIPAWNS = 400, EVALUATION_LIMIT = 20000;
const u32 LOWER_OFFSET = 0x8000;

// The input that a man switches on for a perspective. `mirror` is 7 if that side's king is on the files e to h.
DEVICE u32 feature(int perspective, int mirror, int color, int man, int square) {
    return ((color ^ perspective) * 6 + man - 1) * 64 + (square ^ mirror ^ (perspective ? 56 : 0));
}

#ifdef __CUDACC__

const int WORDS = HIDDEN / 64;  // of a perspective, for each lane

struct Units {
    u32 word[WORDS];
};

// Word number `i` of a lane lies where all lanes together read or write one stretch of memory.
DEVICE Units load_units(const u32 *from) {
    Units units;
    UNROLLED for (int i = 0; i < WORDS; i += WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1) {
        if (WORDS % 4 == 0) {
            uint4 four = ((const uint4 *)from)[i / 4 * 32 + lane()];
            units.word[i] = four.x, units.word[(i + 1) % WORDS] = four.y;
            units.word[(i + 2) % WORDS] = four.z, units.word[(i + 3) % WORDS] = four.w;
        } else if (WORDS % 2 == 0) {
            uint2 two = ((const uint2 *)from)[i / 2 * 32 + lane()];
            units.word[i] = two.x, units.word[(i + 1) % WORDS] = two.y;
        } else {
            units.word[i] = from[i * 32 + lane()];
        }
    }
    return units;
}

DEVICE void store_units(u32 *to, const Units &units) {
    UNROLLED for (int i = 0; i < WORDS; i += WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1) {
        if (WORDS % 4 == 0) {
            ((uint4 *)to)[i / 4 * 32 + lane()] = make_uint4(units.word[i], units.word[(i + 1) % WORDS],
                                                           units.word[(i + 2) % WORDS], units.word[(i + 3) % WORDS]);
        } else if (WORDS % 2 == 0) {
            ((uint2 *)to)[i / 2 * 32 + lane()] = make_uint2(units.word[i], units.word[(i + 1) % WORDS]);
        } else {
            to[i * 32 + lane()] = units.word[i];
        }
    }
}

DEVICE void add_row(Units &units, const u32 *row) {
    Units other = load_units(row);
    UNROLLED for (int i = 0; i < WORDS; i++) units.word[i] += other.word[i];
}

DEVICE void subtract_row(Units &units, const u32 *row) {
    Units other = load_units(row);
    UNROLLED for (int i = 0; i < WORDS; i++) units.word[i] -= other.word[i];
}

DEVICE void move_row(Units &units, const u32 *away, const u32 *here) {
    Units gone = load_units(away), come = load_units(here);
    UNROLLED for (int i = 0; i < WORDS; i++) units.word[i] = units.word[i] - gone.word[i] + come.word[i];
}

// This lane's part of the weighted sum of squares.
DEVICE i32 weighted(const Units &units, const u32 *weights, i32 sum) {
    Units by = load_units(weights);
    UNROLLED for (int i = 0; i < WORDS; i++) {
        u32 clipped = __vimin_s16x2_relu(units.word[i] ^ LOWER_OFFSET, UNIT_ONE << 16 | UNIT_ONE);
        i32 low = clipped & 0xffff, high = clipped >> 16;
        sum += (low * low >> SQUARE_SHIFT) * (i32)(i16)by.word[i] + (high * high >> SQUARE_SHIFT) * ((i32)by.word[i] >> 16);
    }
    return sum;
}

// The sum of all lanes' parts needs more than 32 bits.
DEVICE i64 whole_sum(i32 part) { return ((i64)sum_of_lanes(part >> 16) << 16) + sum_of_lanes(part & 0xffff); }

#else

// The one lane works in place.
struct Units {
    u32 *word;
    u32 words;
};

DEVICE void add_row(Units &units, const u32 *row) {
    for (u32 i = 0; i < units.words; i++) units.word[i] += row[i];
}

DEVICE void subtract_row(Units &units, const u32 *row) {
    for (u32 i = 0; i < units.words; i++) units.word[i] -= row[i];
}

DEVICE void move_row(Units &units, const u32 *away, const u32 *here) {
    for (u32 i = 0; i < units.words; i++) units.word[i] += here[i] - away[i];
}

DEVICE i64 weighted(const Units &units, const u32 *weights, i64 sum) {
    for (u32 i = 0; i < units.words; i++) {
        i32 low = within((i16)(units.word[i] ^ LOWER_OFFSET), 0, UNIT_ONE), high = within((i16)(units.word[i] >> 16), 0, UNIT_ONE);
        sum += (low * low >> SQUARE_SHIFT) * (i32)(i16)weights[i] + (high * high >> SQUARE_SHIFT) * ((i32)weights[i] >> 16);
    }
    return sum;
}

DEVICE i64 whole_sum(i64 part) { return part; }

#endif

// What the network says of a position to the side to move. Its hidden units go to `slot`: they are those of the
// slot before, changed by the last move; or, after a null move, they are there already; or they are computed from
// nothing. Without `wanted` only the units are brought up to date.
DEVICE i32 evaluate(const Warp &warp, const Board &board, int slot, bool from_nothing, bool wanted) {
    u32 half = hidden_of(warp) / 2, change = board.change;
    int from = change & 63, to = change >> 6 & 63, man = change >> 12 & 7, becomes = change >> 15 & 7;
    int captured = change >> 18 & 7, other = change >> 21 & 63, mover = turn_of(board) ^ 1;
    bool castles = change >> 27 & 1;
    int bucket = smaller((count(occupied(board)) - 2) >> 2, BUCKETS - 1);
    const u32 *weights = output_words(warp);
#ifdef __CUDACC__
    i32 sum = 0;
#else
    i64 sum = 0;
#endif
    ROLLED for (int perspective = 0; perspective < 2; perspective++) {
        u32 *place = units_of(warp, slot) + perspective * half;
        int mirror = king_of(board, perspective) & 4 ? 7 : 0;
        // A king that crosses the middle turns its side's view around.
        bool turns = change && man == KING && mover == perspective && ((from ^ to) & 4);
#ifdef __CUDACC__
        Units units = load_units(from_nothing || turns ? warp.network + FEATURES * half : change ? place - 2 * half : place);
#else
        Units units = {place, half};
        if (from_nothing || turns || change) {
            const u32 *source = from_nothing || turns ? warp.network + FEATURES * half : place - 2 * half;
            for (u32 i = 0; i < half; i++) place[i] = source[i];
        }
#endif
#define ROW(color, man, square) (warp.network + feature(perspective, mirror, color, man, square) * half)
        if (from_nothing || turns) {
            ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
                int square = lowest(left);
                add_row(units, ROW((int)(board.planes[3] >> square & 1), man_at(board, square), square));
            }
        } else if (change) {
            move_row(units, ROW(mover, man, from), ROW(mover, becomes, to));
            if (captured) subtract_row(units, ROW(mover ^ 1, captured, other));
            if (castles) move_row(units, ROW(mover, ROOK, other), ROW(mover, ROOK, (to & 4) ? to - 1 : to + 1));
        }
#undef ROW
#ifdef __CUDACC__
        if (from_nothing || change) store_units(place, units);
#endif
        if (wanted) sum = weighted(units, weights + bucket * 2 * half + (perspective == turn_of(board) ? 0 : half), sum);
    }
    if (!wanted) return 0;
    i64 total = (whole_sum(sum) + (i32)weights[BUCKETS * 2 * half + bucket]) * CENTIPAWNS;
    // Divided as Rust divides, towards zero.
    return (i32)((total + (total >> 63 & ((1 << SUM_SHIFT) - 1))) >> SUM_SHIFT);
}

// Networks have not learned to mate a bare king, since games are given up before. Material, and a drive of the
// king to the edge, with the other one near.
DEVICE i32 bare_king_value(const Board &board) {
    u64 men = occupied(board);
    int strong = count(men & board.planes[3]) == 1 ? 0 : 1, material = 0;
    ROLLED for (u64 left = men & of_color(board, strong) & ~kings(board); left; left &= left - 1) {
        material += exchange_value(man_at(board, lowest(left)));
    }
    int bare = king_of(board, !strong), king = king_of(board, strong);
    int file = bare & 7, rank = bare >> 3, files = file - (king & 7), ranks = rank - (king >> 3);
    files = files < 0 ? -files : files, ranks = ranks < 0 ? -ranks : ranks;
    int to_edges = smaller(file, 7 - file) + smaller(rank, 7 - rank);
    i32 value = material + (material >= 500 ? 80 * (6 - to_edges) + 40 * (7 - larger(files, ranks)) : 0);
    return strong == turn_of(board) ? value : -value;
}
