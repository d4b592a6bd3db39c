// The network, in exactly the integers of crates/nnue: what it says of a position is the same to the last bit.
//
// A word holds two hidden units. Words are added whole: the lower unit is kept 32768 too high, so that it is
// never negative and nothing is borrowed from the upper one.
#pragma once
#include "state.h"

const int UNIT_ONE = 512, SQUARE_SHIFT = 4, SUM_SHIFT = 23, CENTIPAWNS = 400, EVALUATION_LIMIT = 20000;
const u32 LOWER_OFFSET = 0x8000;

// The input that a man switches on for a perspective. `mirror` is 7 if that side's king is on the files e to h.
DEVICE u32 feature(int perspective, int mirror, int color, int man, int square) {
    return ((color ^ perspective) * 6 + man - 1) * 64 + (square ^ mirror ^ (perspective ? 56 : 0));
}

// Where a king stands, as its own side counts ranks: on the first one away from the middle or in it, on the second one, or
// further up. The weights of its perspective's features depend on it.
DEVICE int king_bucket(const Warp &warp, int perspective, int king) {
    const int rank = king >> 3 ^ (perspective ? 7 : 0), file = (king & 4 ? king ^ 7 : king) & 7;
    return king_buckets_of(warp) == 1 ? 0 : rank ? smaller(rank, 2) + 1 : file == 3;
}

// Half of a warp works for each perspective, so that all that is not done by words is done once for both. A lane
// has WORDS words of each stretch, four by four side by side with its neighbours'.
#ifdef __CUDACC__
const int LANES_EACH = LANES / 2, WORDS = HIDDEN % (2 * LANES_EACH * 8) ? 4 : 8, PERSPECTIVES_AT_ONCE = 2;
static_assert(HIDDEN % (2 * LANES_EACH * WORDS) == 0, "networks are widened to a multiple of 128 units");
typedef i32 Part;

DEVICE u32 clipped(u32 word) { return __vimin_s16x2_relu(word ^ LOWER_OFFSET, UNIT_ONE << 16 | UNIT_ONE); }

// A pair of units' squares times their weights. A square without its lowest bits has two bytes, and one instruction multiplies
// two weights by two bytes and adds up: once for the lower bytes, once for the upper ones.
DEVICE void add_weighted(i32 &lower, i32 &upper, u32 units, u32 weights) {
    static_assert(2 * 2 + SQUARE_SHIFT == 8, "what is shifted out of the squares of fourfold units is a byte");
    const u32 first = (units & 0xffff) << 2, second = units >> 14;
    const u32 bytes = __byte_perm(first * first, second * second, 0x6251);
    asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(lower) : "r"(weights), "r"(bytes));
    asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(upper) : "r"(weights), "r"(bytes));
}

// The sum of all lanes' parts needs more than 32 bits.
DEVICE i64 whole_sum(Part part) { return ((i64)sum_of_lanes(part >> 16) << 16) + sum_of_lanes(part & 0xffff); }
#else
const int WORDS = 8, LANES_EACH = 1, PERSPECTIVES_AT_ONCE = 1;
typedef i64 Part;

DEVICE u32 clipped(u32 word) {
    return (u32)within((i16)(word ^ LOWER_OFFSET), 0, UNIT_ONE) | (u32)within((i16)(word >> 16), 0, UNIT_ONE) << 16;
}

// Lower and upper bytes are not parted here.
DEVICE void add_weighted(Part &sum, Part &, u32 units, u32 weights) {
    const i32 first = units & 0xffff, second = units >> 16;
    sum += (first * first >> SQUARE_SHIFT) * (i32)(i16)weights + (second * second >> SQUARE_SHIFT) * ((i32)weights >> 16);
}

DEVICE i64 whole_sum(Part part) { return part; }
#endif

struct alignas(16) Four {
    u32 word[4];
};

struct Words {
    Four four[WORDS / 4];
};

DEVICE Words load_words(const u32 *from) {
    Words words;
    UNROLLED for (int i = 0; i < WORDS / 4; i++) words.four[i] = ((const Four *)from)[i * LANES_EACH];
    return words;
}

DEVICE void store_words(u32 *to, const Words &words) {
    UNROLLED for (int i = 0; i < WORDS / 4; i++) {
#ifdef __CUDACC__
        // Written as one word of 16 bytes, which the compiler does not see in a structure.
        const u32 *four = words.four[i].word;
        ((uint4 *)to)[i * LANES_EACH] = make_uint4(four[0], four[1], four[2], four[3]);
#else
        ((Four *)to)[i * LANES_EACH] = words.four[i];
#endif
    }
}

DEVICE void add_words(Words &words, const u32 *from) {
    const Words other = load_words(from);
    UNROLLED for (int i = 0; i < WORDS; i++) words.four[i / 4].word[i % 4] += other.four[i / 4].word[i % 4];
}

DEVICE void subtract_words(Words &words, const u32 *from) {
    const Words other = load_words(from);
    UNROLLED for (int i = 0; i < WORDS; i++) words.four[i / 4].word[i % 4] -= other.four[i / 4].word[i % 4];
}

// The weighted sum of the squares of clipped units.
DEVICE Part weighted(const Words &words, const u32 *weights) {
    const Words by = load_words(weights);
    Part lower = 0, upper = 0;
    UNROLLED for (int i = 0; i < WORDS; i++) {
        add_weighted(lower, upper, clipped(words.four[i / 4].word[i % 4]), by.four[i / 4].word[i % 4]);
    }
    return lower + upper * 256;
}

// What the network says of a position to the side to move. Its hidden units go to `slot`: they are those of the
// slot before, changed by the last move; or, after a null move, they are there already; or they are computed from
// nothing. Without `wanted` only the units are brought up to date.
DEVICE i32 evaluate(const Warp &warp, const Board &board, int slot, bool from_nothing, bool wanted) {
    const u32 half = hidden_of(warp) / 2, change = board.change, first = lane() % LANES_EACH * 4;
    const int from = change & 63, to = change >> 6 & 63, man = change >> 12 & 7, becomes = change >> 15 & 7;
    const int captured = change >> 18 & 7, other = change >> 21 & 63, mover = turn_of(board) ^ 1;
    const bool castles = change >> 27 & 1;
    const int bucket = smaller((count(occupied(board)) - 2) >> 2, BUCKETS - 1);
    const u32 *weights = output_words(warp), *network = task_of(warp).network;
    Part sum = 0;
    ROLLED for (int perspective = lane() / LANES_EACH; perspective < 2; perspective += PERSPECTIVES_AT_ONCE) {
        const int king = king_of(board, perspective), mirror = king & 4 ? 7 : 0, place = king_bucket(warp, perspective, king);
        // A king that crosses the middle turns its side's view around; one that comes to another bucket has other weights.
        const bool refreshes = from_nothing || (change && man == KING && mover == perspective &&
                                                ((from ^ to) & 4 || king_bucket(warp, perspective, from) != place));
#define ROW(color, man, square) ((place * MEN + feature(perspective, mirror, color, man, square)) * half)
        // What comes and goes; a castling rook goes as well, or a man that is taken.
        const u32 *rows = network + first, *gone = rows + ROW(mover, man, from), *come = rows + ROW(mover, becomes, to);
        const u32 *other_gone = rows + (castles ? ROW(mover, ROOK, other) : ROW(mover ^ 1, captured, other));
        const u32 *output = weights + (2 * bucket + (perspective != turn_of(board))) * half + first;
        // At the root of a thought, in the first slot, `before` may be the end of the block, and does not count: see `refreshes`.
        u32 *units = units_of(warp, slot) + perspective * half + first;
        const u32 *before = change ? units - 2 * half : units;
        ROLLED for (u32 begin = 0; begin < half; begin += WORDS * LANES_EACH) {
            Words words = load_words(before + begin);
            if (agreed(change)) {
                subtract_words(words, gone + begin);
                add_words(words, come + begin);
                if (agreed(captured || castles)) {
                    subtract_words(words, other_gone + begin);
                    if (agreed(castles)) add_words(words, rows + ROW(mover, ROOK, (to & 4) ? to - 1 : to + 1) + begin);
                }
            }
            if (agreed(refreshes)) {
                // For one side or both; then what was added up above does not count.
                if (refreshes) {
                    words = load_words(rows + king_buckets_of(warp) * MEN * half + begin);
                    ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
                        const int square = lowest(left);
                        const u32 row = ROW((int)(board.planes[3] >> square & 1), man_at(board, square), square);
                        add_words(words, rows + row + begin);
                    }
                }
            }
            if (agreed(change || refreshes)) store_words(units + begin, words);
            if (agreed(wanted)) sum += weighted(words, output + begin);
        }
#undef ROW
    }
    if (agreed(!wanted)) return 0;
    const i64 total = (whole_sum(sum) + (i32)weights[BUCKETS * 2 * half + bucket]) * CENTIPAWNS;
    // Divided as Rust divides, towards zero.
    return (i32)((total + (total >> 63 & ((1 << SUM_SHIFT) - 1))) >> SUM_SHIFT);
}
