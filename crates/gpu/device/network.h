// NNUE inference with the integer arithmetic of crates/nnue: evaluations are bit-identical.
//
// A word holds two hidden units and is added as one: the lower unit is biased by 32768, so that it is never negative and
// never borrows from the upper one.
#pragma once
#include "state.h"

const int UNIT_ONE = 512, SQUARE_SHIFT = 4, SUM_SHIFT = 23, CENTIPAWNS = 400, EVALUATION_LIMIT = 20000;
const u32 LOWER_OFFSET = 0x8000;

// The feature index of a piece for a perspective. `mirror` is 7 if that side's king is on the files e to h.
DEVICE u32 feature(int perspective, int mirror, int color, int piece, int square) {
    return ((color ^ perspective) * 6 + piece - 1) * 64 + (square ^ mirror ^ (perspective ? 56 : 0));
}

// King bucket: back rank off centre, back rank in the centre, second rank, or further up the board.
DEVICE int king_bucket(const Warp &warp, int perspective, int king) {
    const int rank = king >> 3 ^ (perspective ? 7 : 0), file = (king & 4 ? king ^ 7 : king) & 7;
    return king_buckets_of(warp) == 1 ? 0 : rank ? min(rank, 2) + 1 : file == 3;
}

// Half a warp works on each perspective, so that scalar work is done once for both. A lane has WORDS words of each chunk, in
// groups of four interleaved with its neighbours'.
#ifdef __CUDACC__
const int LANES_EACH = LANES / 2, WORDS = HIDDEN % (2 * LANES_EACH * 8) ? 4 : 8, PERSPECTIVES_AT_ONCE = 2;
static_assert(HIDDEN % (2 * LANES_EACH * WORDS) == 0, "networks are widened to a multiple of 128 units");
typedef i32 Part;

DEVICE u32 clipped(u32 word) { return __vimin_s16x2_relu(word ^ LOWER_OFFSET, UNIT_ONE << 16 | UNIT_ONE); }

// SCReLU of two units times their weights. A shifted square has two bytes, and dp2a multiplies two weights by two bytes and
// accumulates: once for the lower bytes, once for the upper ones.
DEVICE void add_weighted(i32 &lower, i32 &upper, u32 units, u32 weights) {
    static_assert(2 * 2 + SQUARE_SHIFT == 8, "the bits shifted out of a square of 4 * unit are one byte");
    const u32 first = (units & 0xffff) << 2, second = units >> 14;
    const u32 bytes = __byte_perm(first * first, second * second, 0x6251);
    asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(lower) : "r"(weights), "r"(bytes));
    asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(upper) : "r"(weights), "r"(bytes));
}

// The sum over all lanes needs more than 32 bits.
DEVICE i64 whole_sum(Part part) { return ((i64)warp_sum(part >> 16) << 16) + warp_sum(part & 0xffff); }
#else
const int WORDS = 8, LANES_EACH = 1, PERSPECTIVES_AT_ONCE = 1;
typedef i64 Part;

DEVICE u32 clipped(u32 word) {
    return (u32)clamp((i16)(word ^ LOWER_OFFSET), 0, UNIT_ONE) | (u32)clamp((i16)(word >> 16), 0, UNIT_ONE) << 16;
}

// `sum` holds both bytes here.
DEVICE void add_weighted(Part &sum, Part &, u32 units, u32 weights) {
    const i32 first = units & 0xffff, second = units >> 16;
    sum +=
        (first * first >> SQUARE_SHIFT) * (i32)(i16)weights + (second * second >> SQUARE_SHIFT) * ((i32)weights >> 16);
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
        // uint4 makes the compiler emit one 16-byte store.
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

// The output layer: SCReLU of the units times their weights.
DEVICE Part weighted(const Words &words, const u32 *weights) {
    const Words by = load_words(weights);
    Part lower = 0, upper = 0;
    UNROLLED for (int i = 0; i < WORDS; i++) {
        add_weighted(lower, upper, clipped(words.four[i / 4].word[i % 4]), by.four[i / 4].word[i % 4]);
    }
    return lower + upper * 256;
}

// The network's evaluation from the side to move's point of view. The accumulator in `slot` is updated from the previous
// slot by the last move; after a null move it is already there; with `refresh` it is computed from scratch. Without
// `want_output` only the accumulator is brought up to date.
DEVICE i32 evaluate(const Warp &warp, const Board &board, int slot, bool refresh, bool want_output) {
    const u32 half = hidden_of(warp) / 2, change = board.change, first = lane() % LANES_EACH * 4;
    const int from = change & 63, to = change >> 6 & 63, piece = change >> 12 & 7, becomes = change >> 15 & 7;
    const int captured = change >> 18 & 7, other = change >> 21 & 63, mover = turn_of(board) ^ 1;
    const bool castles = change >> 27 & 1;
    const int output_bucket = min((popcount(occupied(board)) - 2) >> 2, (int)OUTPUT_BUCKETS - 1);
    const u32 *weights = output_words(warp), *network = task_of(warp).network;
    Part sum = 0;
    ROLLED for (int perspective = lane() / LANES_EACH; perspective < 2; perspective += PERSPECTIVES_AT_ONCE) {
        const int king = king_of(board, perspective), mirror = king & 4 ? 7 : 0,
                  bucket = king_bucket(warp, perspective, king);
        // A king that crosses the middle mirrors its perspective; one that changes its bucket selects other weights.
        const bool needs_refresh = refresh || (change && piece == KING && mover == perspective &&
                                               ((from ^ to) & 4 || king_bucket(warp, perspective, from) != bucket));
#define ROW(color, piece, square) \
    ((bucket * PIECE_FEATURES + feature(perspective, mirror, color, piece, square)) * half)
        // Rows of features removed and added; `other_removed` is a castling rook or a captured piece.
        const u32 *rows = network + first, *removed = rows + ROW(mover, piece, from),
                  *added = rows + ROW(mover, becomes, to);
        const u32 *other_removed = rows + (castles ? ROW(mover, ROOK, other) : ROW(mover ^ 1, captured, other));
        const u32 *output = weights + (2 * output_bucket + (perspective != turn_of(board))) * half + first;
        // At the root, in slot 0, `before` may point below the accumulators; it is unused then: see `needs_refresh`.
        u32 *units = accumulator(warp, slot) + perspective * half + first;
        const u32 *before = change ? units - 2 * half : units;
        ROLLED for (u32 begin = 0; begin < half; begin += WORDS * LANES_EACH) {
            Words words = load_words(before + begin);
            if (uniform(change)) {
                subtract_words(words, removed + begin);
                add_words(words, added + begin);
                if (uniform(captured || castles)) {
                    subtract_words(words, other_removed + begin);
                    if (uniform(castles)) add_words(words, rows + ROW(mover, ROOK, (to & 4) ? to - 1 : to + 1) + begin);
                }
            }
            if (uniform(needs_refresh)) {
                // For one perspective or both; the update above is discarded.
                if (needs_refresh) {
                    words = load_words(rows + king_buckets_of(warp) * PIECE_FEATURES * half + begin);
                    ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
                        const int square = lsb(left);
                        const u32 row = ROW((int)(board.planes[3] >> square & 1), piece_at(board, square), square);
                        add_words(words, rows + row + begin);
                    }
                }
            }
            if (uniform(change || needs_refresh)) store_words(units + begin, words);
            if (uniform(want_output)) sum += weighted(words, output + begin);
        }
#undef ROW
    }
    if (uniform(!want_output)) return 0;
    const i64 total = (whole_sum(sum) + (i32)weights[OUTPUT_BUCKETS * 2 * half + output_bucket]) * CENTIPAWNS;
    // Division that rounds towards zero, as in Rust.
    return (i32)((total + (total >> 63 & ((1 << SUM_SHIFT) - 1))) >> SUM_SHIFT);
}
