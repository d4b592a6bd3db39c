// Constants and small decisions of the search, named as in crates/engine/src/search. Scores have the scale of engine::Score,
// depths that of engine::Depth (1024ths of a ply).
#pragma once
#include "network.h"
#include "order.h"

const int ONE_PLY = 1024;
const int INFINITE = 32001, NONE = -32002, MATE = 32000, MATE_IN_MAX_PLY = MATE - 256,
          MAX_EVALUATION = MATE_IN_MAX_PLY - 1;
enum Bound { NO_BOUND = 0, UPPER = 1, LOWER = 2, EXACT = 3 };

DEVICE bool is_win(int score) { return score >= MATE_IN_MAX_PLY; }
DEVICE bool is_loss(int score) { return score <= -MATE_IN_MAX_PLY; }
DEVICE bool is_mate(int score) { return is_win(score) || is_loss(score); }
DEVICE int plies_of(int depth) { return depth >> 10; }

// Draw scores vary by a centipawn, so that not all draws look the same.
DEVICE int draw_score(const Warp &warp) { return (int)(warp.nodes & 2) - 1; }

// Whether the bound guarantees that the true score is on the same side of `limit`.
DEVICE bool decides(int bound, int score, int limit) { return bound & (score >= limit ? LOWER : UPPER); }

DEVICE int bonus(const Warp &warp, int depth) {
    int value = (PARAMETER(history_bonus_factor) * depth >> 10) - PARAMETER(history_bonus_offset);
    return clamp(value, 0, PARAMETER(history_bonus_max));
}

DEVICE int malus(const Warp &warp, int depth) {
    int value = (PARAMETER(history_malus_factor) * depth >> 10) - PARAMETER(history_malus_offset);
    return -clamp(value, 0, PARAMETER(history_malus_max));
}

// The static evaluation with correction history, scaled down as the fifty-move rule comes near.
DEVICE int corrected(const Warp &warp, const Board &board, const CorrectionEntries &entries, int raw) {
    int scaled = raw * (200 - min(clock_of(board), 100)) / 200;
    int sum = correction_of(entries, PARAMETER(correction_pawn), PARAMETER(correction_non_pawn));
    return clamp(scaled + sum / (128 * 256), -MAX_EVALUATION, MAX_EVALUATION);
}

// Hash table entry: move 15 bits | score 16, from bit 16 | depth 6 | bound 2 | key 24.

DEVICE u64 &table_entry(const Warp &warp, u64 key) { return search_tables(warp).table[(u32)key & (TABLE_ENTRIES - 1)]; }
DEVICE bool matches(u64 entry, u64 key) { return entry != 0 && (u32)(entry >> 40) == (u32)(key >> 40); }
DEVICE int entry_depth(u64 entry) { return (u32)(entry >> 32) & 63; }
DEVICE int entry_bound(u64 entry) { return (u32)(entry >> 38) & 3; }
DEVICE int entry_score(u64 entry, int ply) {
    int score = (i16)((u32)entry >> 16);
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

// Stores a result, unless the position's entry is much deeper.
DEVICE void store(const Warp &warp, u64 key, int ply, u32 move, int score, int depth, int bound) {
    u64 &entry = table_entry(warp, key);
    u64 old = entry;
    const bool known = matches(old, key);
    if (uniform(known && bound != EXACT && depth + 4 <= entry_depth(old))) return;
    if (known && !move) move = old & MOVE_BITS;
    if (is_win(score)) score += ply;
    if (is_loss(score)) score -= ply;
    u32 upper = (u32)(key >> 32) & 0xffffff00u;
    entry = (u64)(upper | bound << 6 | clamp(depth, 0, 63)) << 32 | (u32)score << 16 | move;
}

// A twofold repetition inside the search, or a threefold one with the game.
DEVICE bool is_repetition(const Warp &warp, u64 key, int index, int reach, int ply) {
    int found = 0;
    const u64 *keys = warp.block->keys;
    reach = min(reach, index);
    ROLLED for (int first = 4; uniform(first <= reach); first += 2 * LANES) {
        int back = first + 2 * lane();
        u32 same = ballot(back <= reach && keys[index - min(back, index)] == key);
        // Lower lanes look at recent positions, which are inside the search.
        u32 in_search = bit_or_zero(max((ply - first + 1) / 2, 0)) - 1;
        if (uniform(same & in_search)) return true;
        found += popcount(same);
    }
    return found >= 2;
}

// Late-move reduction of a quiet move.
DEVICE int reduction_of(const Warp &warp, const Task &task, u32 flags, int depth, int move_count, int history,
                        bool gives_check) {
    int product = lookup().logarithms[min(plies_of(depth), 255)] * lookup().logarithms[min(move_count, 255)] >> 10;
    int reduction = PARAMETER(reduction_quiet_base) + (PARAMETER(reduction_quiet_factor) * product >> 10) -
                    (history * task.reduction_by_history >> 10);
    if (flags & IS_PV) reduction -= PARAMETER(reduction_pv);
    if (flags & IS_CUT) reduction += PARAMETER(reduction_cut_node);
    if (!(flags & IS_IMPROVING)) reduction += PARAMETER(reduction_not_improving);
    if (gives_check) reduction -= PARAMETER(reduction_check);
    return reduction;
}

// Late-move and futility pruning: whether this quiet move and all that follow are skipped.
DEVICE bool prune_quiets(const Warp &warp, const Frame &frame, int move_count) {
    int plies = plies_of(frame.depth), limit = PARAMETER(late_move_base) + plies * plies;
    int margin = PARAMETER(futility_base) + (PARAMETER(futility_margin) * frame.depth >> 10);
    const bool late = move_count > (frame.flags & IS_IMPROVING ? limit : limit / 2 + 1);
    return late | ((plies <= 6) & !(frame.flags & IN_CHECK) & (frame.evaluation + margin <= frame.alpha));
}
