// The order of moves, and what the search learns: histories of quiet moves, corrections of the evaluation. As in
// crates/engine/src/order, with the few tables that pay at the nodes a warp has for a move.
#pragma once
#include "exchange.h"
#include "moves.h"

// A move's rank is the upper half of its list entry. A quiet move's tells its history.
const u32 HANDED_OUT = 0, BAD_NOISY = 2, QUIET = 12288, GOOD_NOISY = 45056, TABLE_MOVE = 65535;
const int HISTORY_LIMIT = 16384, KILLER_BONUS = 16384, LEAST_WORTH = -2 * HISTORY_LIMIT;

DEVICE u32 rank_of(u32 entry) { return entry >> 16; }
DEVICE u32 move_of(u32 entry) { return entry & MOVE_BITS; }
DEVICE bool is_quiet_rank(u32 rank) { return rank - QUIET < GOOD_NOISY - QUIET; }

// How well a quiet move did, from its rank.
DEVICE int history_of(u32 rank) { return (int)(rank - QUIET) * 4 + LEAST_WORTH; }

// Where replies to the last move are filed, by its target. At the root it is the game's last move. After a null move, and
// where a game begins, that is a1.
DEVICE i16 *replies_to(Brain &brain, const Board &board) { return brain.reply + (board.change >> 6 & 63) * MOVES; }

// Gives every move of a list its rank. Captures that win less than `threshold` come last; in check all captures
// come first.
DEVICE void rank_moves(Brain &brain, const Board &board, u32 *list, int moves, u32 table_move, u32 killer, bool in_check,
                       int threshold) {
    const i16 *quiet = brain.quiet + turn_of(board) * MOVES, *reply = replies_to(brain, board);
    ROLLED for (int index = lane(); index < moves; index += LANES) {
        u32 move = move_of(list[index]), rank;
        int captured = captured_by(board, move), kind = kind_of(move);
        if (captured || kind >= PROMOTION) {
            // The least valuable man takes the most valuable one.
            int worth = 16 * captured - man_at(board, from_of(move)) + (kind == PROMOTION + 3 ? 80 : kind >= PROMOTION ? -80 : 0);
            bool good = in_check || exchange_wins(board, move, threshold);
            rank = (good ? GOOD_NOISY : BAD_NOISY) + worth + 128;
        } else {
            int worth = quiet[move & (MOVES - 1)] + reply[move & (MOVES - 1)] + (move == killer ? KILLER_BONUS : 0);
            rank = QUIET + (u32)((worth - LEAST_WORTH) >> 2);
        }
        if (move == table_move) rank = TABLE_MOVE;
        list[index] = rank << 16 | move;
    }
    sync_lanes();
}

// Takes the best move that is left from a list; 0 if there is none. Among equals the first one is taken.
DEVICE u32 pick(u32 *list, int moves, bool skip_quiets) {
    u32 best = 0;
    ROLLED for (int place = lane(); place < moves; place += LANES) {
        u32 rank = rank_of(list[place]), candidate = rank << 16 | (255 - place);
        bool skipped = skip_quiets && is_quiet_rank(rank);
        if (rank != HANDED_OUT && !skipped && candidate > best) best = candidate;
    }
    best = largest_of_lanes(best);
    if (agreed(!best)) return 0;
    int index = 255 - (best & 255);
    u32 move = move_of(list[index]);
    sync_lanes();
    if (lane() == index % LANES) list[index] = HANDED_OUT << 16 | move;
    sync_lanes();
    return rank_of(best) << 16 | move;
}

DEVICE void learn(i16 &entry, int bonus) {
    int value = entry;
    entry = (i16)(value + bonus - (value * (bonus < 0 ? -bonus : bonus) >> 14));
}

// A quiet move was the best: it gets a bonus, and those that were tried before it are charged.
DEVICE void learn_quiets(Brain &brain, const Board &board, const u32 *list, int moves, u32 best_move, int bonus, int malus) {
    i16 *quiet = brain.quiet + turn_of(board) * MOVES, *reply = replies_to(brain, board);
    ROLLED for (int index = lane(); index < moves; index += LANES) {
        u32 entry = list[index], move = move_of(entry);
        if (rank_of(entry) != HANDED_OUT || is_noisy(board, move)) continue;
        int lesson = move == best_move ? bonus : malus;
        learn(quiet[move & (MOVES - 1)], lesson);
        learn(reply[move & (MOVES - 1)], lesson);
    }
    sync_lanes();
}

// Corrections: how wrong the evaluation was where pawns, own pieces or enemy pieces stood like this. A lane looks at
// one of the three kinds.

const int CORRECTION_LIMIT = 64 * 256;

DEVICE i16 &correction_entry(Brain &brain, const Board &board, int kind) {
    int us = turn_of(board);
    u64 own = of_color(board, us), foot = pawns(board), side = kind == 1 ? own : ~own;
    u64 a = kind ? board.planes[0] & ~foot & side : foot & own;
    u64 b = kind ? board.planes[1] & side : foot & ~own;
    u64 c = kind ? board.planes[2] & side : 0;
    u32 mixed = (u32)a * 0x9e3779b9u + (u32)(a >> 32) * 0x85ebca6bu + (u32)b * 0xc2b2ae35u + (u32)(b >> 32) * 0x27d4eb2fu +
                (u32)c * 0x165667b1u + (u32)(c >> 32) * 0xd3a2646du;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    return brain.corrections[(2 * kind + us) * CORRECTION_ENTRIES + (mixed >> 20)];
}

static_assert(CORRECTION_ENTRIES == 1 << (32 - 20), "twelve bits are an index");

// What a lane knows of a position. It is asked for early, since memory takes its time, and weighed late.
struct Lessons {
    i32 lesson[(CORRECTION_KINDS + LANES - 1) / LANES];
};

DEVICE Lessons lessons_of(Brain &brain, const Board &board) {
    Lessons lessons = {};
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        lessons.lesson[kind / LANES] = correction_entry(brain, board, kind);
    }
    return lessons;
}

// What experience adds to the evaluation, in 256ths of a centipawn and 128ths of a weight.
DEVICE i32 correction_of(const Lessons &lessons, int pawn_weight, int piece_weight) {
    i32 sum = 0;
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        sum += lessons.lesson[kind / LANES] * (kind ? piece_weight : pawn_weight);
    }
    return sum_of_lanes(sum);
}

// A search of this depth found `error` centipawns more than the evaluation had said.
DEVICE void learn_correction(Brain &brain, const Board &board, int depth, int error) {
    int weight = within(depth + 1, 1, 16), target = within(error * 256, -CORRECTION_LIMIT, CORRECTION_LIMIT);
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        i16 &entry = correction_entry(brain, board, kind);
        int value = entry;
        entry = (i16)within(value + (target - value) * weight / 128, -CORRECTION_LIMIT, CORRECTION_LIMIT);
    }
    sync_lanes();
}
