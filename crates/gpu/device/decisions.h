// The numbers and small decisions of the search, named as in crates/engine/src/search. Scores are those of
// engine::Score, depths those of engine::Depth.
#pragma once
#include "network.h"
#include "order.h"

const int ONE_PLY = 1024;
const int INFINITE = 32001, NONE = -32002, MATE = 32000, LEAST_MATE = MATE - 256, MOST_EVALUATION = LEAST_MATE - 1;
enum Bound { NO_BOUND = 0, UPPER = 1, LOWER = 2, EXACT = 3 };

DEVICE bool is_win(int score) { return score >= LEAST_MATE; }
DEVICE bool is_loss(int score) { return score <= -LEAST_MATE; }
DEVICE bool is_mate(int score) { return (is_win(score) && score <= MATE) || (is_loss(score) && score >= -MATE); }
DEVICE int whole(int depth) { return depth >> 10; }

// Whether a score with this bound is known to be on the same side of a limit as it stands.
DEVICE bool decides(int bound, int score, int limit) {
    return bound != NO_BOUND && (score >= limit ? bound != UPPER : bound != LOWER);
}

// The best guess of a position's score before it is searched.
DEVICE int estimate(int evaluation, int table_score, int bound) {
    return evaluation != NONE && decides(bound, table_score, evaluation) && !is_mate(table_score) ? table_score : evaluation;
}

DEVICE int bonus(const Warp &warp, int depth) {
    int value = PARAMETER(history_bonus_factor) * depth / ONE_PLY - PARAMETER(history_bonus_offset);
    return within(value, 0, PARAMETER(history_bonus_max));
}

DEVICE int malus(const Warp &warp, int depth) {
    int value = PARAMETER(history_malus_factor) * depth / ONE_PLY - PARAMETER(history_malus_offset);
    return -within(value, 0, PARAMETER(history_malus_max));
}

// The evaluation with what experience adds. It fades as the fifty-move rule comes near. The pawn structure is told
// by the way.
DEVICE int corrected(const Warp &warp, const Board &board, int raw, u16 &structure) {
    int faded = raw * (200 - smaller(clock_of(board), 100)) / 200;
    const i16 *corrections = brain_of(warp).corrections;
    Features features = features_of(board);
    structure = (u16)features.index[0];
    int sum = PARAMETER(correction_pawn) * corrections[features.index[0]] +
              PARAMETER(correction_non_pawn) * (corrections[features.index[1]] + corrections[features.index[2]]);
    return within(faded + sum / (128 * 256), -MOST_EVALUATION, MOST_EVALUATION);
}

// The hash table. An entry: move 15 bits | was part of a principal variation 1 | score 16 | depth 6 | bound 2 |
// key 24.

// The key under which a position is filed: near the fifty-move rule the clock is part of it in steps.
DEVICE u64 table_key(const Board &board) {
    int clock = clock_of(board);
    return clock < 14 ? board.hash : board.hash ^ (u64)((clock - 14) / 8 + 1) * 0x9e3779b97f4a7c15ull;
}

DEVICE u64 &table_entry(const Warp &warp, u64 key) { return brain_of(warp).table[(u32)key & (TABLE_ENTRIES - 1)]; }
DEVICE bool is_of(u64 entry, u64 key) { return entry != 0 && entry >> 40 == key >> 40; }
DEVICE int entry_depth(u64 entry) { return entry >> 32 & 63; }
DEVICE int entry_bound(u64 entry) { return entry >> 38 & 3; }
DEVICE int entry_score(u64 entry, int ply) {
    int score = (i16)(entry >> 16);
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

// Remembers a result, unless the position's entry is much deeper.
DEVICE void store(const Warp &warp, u64 key, int ply, u32 move, int score, int depth, int bound, bool was_pv) {
    u64 &entry = table_entry(warp, key);
    u64 old = entry;
    if (is_of(old, key)) {
        bool worth = bound == EXACT || depth + 4 + 2 * was_pv > entry_depth(old) || entry_depth(old) == 0;
        if (!worth) return;
        if (!move) move = old & MOVE_BITS;
    }
    if (is_win(score)) score += ply;
    if (is_loss(score)) score -= ply;
    entry = move | (u32)was_pv << 15 | (u64)(u16)score << 16 | (u64)within(depth, 0, 63) << 32 | (u64)bound << 38 |
            key >> 40 << 40;
}

// Whether the position occurred before: once inside the search, or twice in all.
DEVICE bool is_repetition(const Warp &warp, u64 key, int place, int reach, int ply) {
    int found = 0;
    const u64 *keys = warp.block->keys;
    reach = smaller(reach, place);
    ROLLED for (int first = 4; first <= reach; first += 2 * LANES) {
        int back = first + 2 * lane();
        u32 same = lanes_with(back <= reach && keys[place - smaller(back, place)] == key);
        // Lanes look further and further back; those of the first `inside` are in the search.
        int inside = (ply - first + 1) / 2;
        u32 in_search = inside <= 0 ? 0 : inside >= 32 ? 0xffffffffu : (1u << inside) - 1;
        if (same & in_search) return true;
        found += count(same);
    }
    return found >= 2;
}

// Late-move reduction before it is known what a move does.
DEVICE int reduction_of(const Warp &warp, const Frame &frame, int depth, bool quiet, int number, int history, int cutoffs) {
    u32 flags = frame.flags;
    int product = tables().logarithms[smaller(larger(whole(depth), 1), 255)] * tables().logarithms[smaller(number, 255)] / 1024;
    int reduction = quiet ? PARAMETER(reduction_quiet_base) + PARAMETER(reduction_quiet_factor) * product / 1024 -
                                history * ONE_PLY / PARAMETER(reduction_quiet_history)
                          : PARAMETER(reduction_noisy_base) + PARAMETER(reduction_noisy_factor) * product / 1024 -
                                history * ONE_PLY / PARAMETER(reduction_noisy_history);
    if (flags & IS_PV) reduction -= PARAMETER(reduction_pv);
    if (flags & TABLE_PV) reduction -= PARAMETER(reduction_table_pv);
    if (flags & IS_CUT) reduction += PARAMETER(reduction_cut_node);
    if (!(flags & IS_IMPROVING)) reduction += PARAMETER(reduction_not_improving);
    if ((flags & TABLE_NOISY) && quiet) reduction += PARAMETER(reduction_table_noisy);
    if (cutoffs > 2) reduction += PARAMETER(reduction_cutoffs);
    return reduction;
}

enum MoveCut { SEARCHED_ANYWAY, SKIPPED, SKIPPED_WITH_ALL_QUIETS };

// Whether a move need not be searched. `reduced` is the depth it would be searched to.
DEVICE int prune_move(const Warp &warp, const Frame &frame, u32 move, bool quiet, int number, int history, int reduced) {
    int depth = whole(frame.depth), alpha = frame.alpha;
    u32 flags = frame.flags;
    reduced = larger(reduced, 0);
    int allowed;
    if (!quiet) {
        allowed = larger(PARAMETER(exchange_noisy_margin) * depth + history / 32, 0);
    } else {
        int most = PARAMETER(late_move_base) + depth * depth;
        if (number > (flags & IS_IMPROVING ? most : most / 2 + 1)) return SKIPPED_WITH_ALL_QUIETS;
        int margin = PARAMETER(futility_base) + PARAMETER(futility_margin) * reduced / ONE_PLY + history / PARAMETER(futility_history);
        if (!(flags & IN_CHECK) && reduced < 9 * ONE_PLY && !is_mate(alpha) && frame.evaluation + margin <= alpha) return SKIPPED;
        if (reduced < 5 * ONE_PLY && history < -(PARAMETER(history_pruning_margin) * (reduced + ONE_PLY) / ONE_PLY)) return SKIPPED;
        allowed = PARAMETER(exchange_quiet_margin) * ((reduced / 32) * (reduced / 32)) / 1024;
    }
    return exchange_wins(frame.board, move, -allowed) ? SEARCHED_ANYWAY : SKIPPED;
}

// A reduced search failed high: how much deeper or less deep to look again.
DEVICE int deeper_or_shallower(const Warp &warp, int score, int alpha, int depth, int reduced, int new_depth) {
    int margin = PARAMETER(deeper_margin) + 2 * (whole(new_depth) - whole(reduced));
    if (score - alpha > margin && new_depth < depth + ONE_PLY) return ONE_PLY;
    return score - alpha < 8 ? -ONE_PLY : 0;
}
