// Move ordering, quiet histories and correction history, as in crates/engine, reduced to the tables that gain at a few
// hundred nodes per move.
#pragma once
#include "see.h"
#include "moves.h"

// A move's ordering rank is the upper half of its list entry. A quiet move's rank encodes its history.
const u32 PICKED = 0, BAD_NOISY = 2, QUIET = 12288, GOOD_NOISY = 45056, TABLE_MOVE = 65535;
const int HISTORY_LIMIT = 16384, KILLER_BONUS = 16384, MIN_QUIET_SCORE = -2 * HISTORY_LIMIT;

DEVICE u32 rank_of(u32 entry) { return entry >> 16; }
DEVICE u32 move_of(u32 entry) { return entry & MOVE_BITS; }
DEVICE bool is_quiet_rank(u32 rank) { return rank - QUIET < GOOD_NOISY - QUIET; }

// The history score of a quiet move, from its rank.
DEVICE int history_of(u32 rank) { return (int)(rank - QUIET) * 4 + MIN_QUIET_SCORE; }

// Reply history by the previous move's target. At the root that is the game's last move; after a null move and at the start
// of a game it is a1.
DEVICE i16 *replies_to(SearchTables &tables, const Board &board) {
    return tables.reply + (board.change >> 6 & 63) * MOVES;
}

// Ranks all moves of a list. Captures whose SEE is below `threshold` come last; in check all captures come first.
DEVICE void rank_moves(SearchTables &tables, const Board &board, u32 *list, int moves, u32 table_move, u32 killer,
                       bool in_check, int threshold) {
    const i16 *quiet = tables.quiet + turn_of(board) * MOVES, *reply = replies_to(tables, board);
    ROLLED for (int index = lane(); index < moves; index += LANES) {
        u32 move = move_of(list[index]), rank;
        int captured = captured_by(board, move), kind = kind_of(move);
        if (captured || kind >= PROMOTION) {
            // MVV-LVA.
            int score = 16 * captured - piece_at(board, from_of(move)) +
                        (kind == PROMOTION + 3 ? 80
                         : kind >= PROMOTION   ? -80
                                               : 0);
            bool good = in_check || see_ge(board, move, threshold);
            rank = (good ? GOOD_NOISY : BAD_NOISY) + score + 128;
        } else {
            int score = quiet[move & (MOVES - 1)] + reply[move & (MOVES - 1)] + (move == killer ? KILLER_BONUS : 0);
            rank = QUIET + (u32)((score - MIN_QUIET_SCORE) >> 2);
        }
        if (move == table_move) rank = TABLE_MOVE;
        list[index] = rank << 16 | move;
    }
    sync_warp();
}

// Picks the best remaining move of a list; 0 if there is none. Ties go to the first in the list.
DEVICE u32 pick(u32 *list, int moves, bool skip_quiets) {
    u32 best = 0;
    ROLLED for (int place = lane(); place < moves; place += LANES) {
        u32 rank = rank_of(list[place]), candidate = rank << 16 | (255 - place);
        bool skipped = skip_quiets && is_quiet_rank(rank);
        if (rank != PICKED && !skipped && candidate > best) best = candidate;
    }
    best = warp_max(best);
    if (uniform(!best)) return 0;
    int index = 255 - (best & 255);
    u32 move = move_of(list[index]);
    sync_warp();
    if (lane() == index % LANES) list[index] = PICKED << 16 | move;
    sync_warp();
    return rank_of(best) << 16 | move;
}

DEVICE void update_history(i16 &entry, int bonus) {
    int value = entry;
    entry = (i16)(value + bonus - (value * (bonus < 0 ? -bonus : bonus) >> 14));
}

// A quiet move was best: it gets a bonus, the quiet moves tried before it a malus.
DEVICE void update_quiet_histories(SearchTables &tables, const Board &board, const u32 *list, int moves, u32 best_move,
                                   int bonus, int malus) {
    i16 *quiet = tables.quiet + turn_of(board) * MOVES, *reply = replies_to(tables, board);
    ROLLED for (int index = lane(); index < moves; index += LANES) {
        u32 entry = list[index], move = move_of(entry);
        if (rank_of(entry) != PICKED || is_noisy(board, move)) continue;
        int change = move == best_move ? bonus : malus;
        update_history(quiet[move & (MOVES - 1)], change);
        update_history(reply[move & (MOVES - 1)], change);
    }
    sync_warp();
}

// Correction history by pawn structure, own non-pawn pieces and enemy non-pawn pieces. One lane for each of the three kinds.

const int CORRECTION_LIMIT = 64 * 256;

DEVICE i16 &correction_entry(SearchTables &tables, const Board &board, int kind) {
    int us = turn_of(board);
    u64 own = of_color(board, us), pawn_set = pawns(board), side = kind == 1 ? own : ~own;
    u64 a = kind ? board.planes[0] & ~pawn_set & side : pawn_set & own;
    u64 b = kind ? board.planes[1] & side : pawn_set & ~own;
    u64 c = kind ? board.planes[2] & side : 0;
    u32 mixed = (u32)a * 0x9e3779b9u + (u32)(a >> 32) * 0x85ebca6bu + (u32)b * 0xc2b2ae35u +
                (u32)(b >> 32) * 0x27d4eb2fu + (u32)c * 0x165667b1u + (u32)(c >> 32) * 0xd3a2646du;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    return tables.corrections[(2 * kind + us) * CORRECTION_ENTRIES + (mixed >> 20)];
}

static_assert(CORRECTION_ENTRIES == 1 << (32 - 20), "the index has twelve bits");

// A lane's correction history entries. Loaded early, since memory is slow, and weighted late.
struct CorrectionEntries {
    i32 value[(CORRECTION_KINDS + LANES - 1) / LANES];
};

DEVICE CorrectionEntries load_corrections(SearchTables &tables, const Board &board) {
    CorrectionEntries entries = {};
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        entries.value[kind / LANES] = correction_entry(tables, board, kind);
    }
    return entries;
}

// The correction of the static evaluation, in 256ths of a centipawn and 128ths of a weight.
DEVICE i32 correction_of(const CorrectionEntries &entries, int pawn_weight, int piece_weight) {
    i32 sum = 0;
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        sum += entries.value[kind / LANES] * (kind ? piece_weight : pawn_weight);
    }
    return warp_sum(sum);
}

// A search of this depth scored `error` centipawns above the static evaluation.
DEVICE void update_correction(SearchTables &tables, const Board &board, int depth, int error) {
    int weight = clamp(depth + 1, 1, 16), target = clamp(error * 256, -CORRECTION_LIMIT, CORRECTION_LIMIT);
    for (int kind = lane(); kind < (int)CORRECTION_KINDS; kind += LANES) {
        i16 &entry = correction_entry(tables, board, kind);
        int value = entry;
        entry = (i16)clamp(value + (target - value) * weight / 128, -CORRECTION_LIMIT, CORRECTION_LIMIT);
    }
    sync_warp();
}
