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
DEVICE bool is_mate(int score) { return is_win(score) || is_loss(score); }
DEVICE int whole(int depth) { return depth >> 10; }

// A draw, a hundredth of a pawn better or worse: so a search does not think that all ways to draw are the same.
DEVICE int draw_score(const Warp &warp) { return (int)(warp.nodes & 2) - 1; }

// Whether a score with this bound is known to be on the same side of a limit as it stands.
DEVICE bool decides(int bound, int score, int limit) { return bound & (score >= limit ? LOWER : UPPER); }

DEVICE int bonus(const Warp &warp, int depth) {
    int value = (PARAMETER(history_bonus_factor) * depth >> 10) - PARAMETER(history_bonus_offset);
    return within(value, 0, PARAMETER(history_bonus_max));
}

DEVICE int malus(const Warp &warp, int depth) {
    int value = (PARAMETER(history_malus_factor) * depth >> 10) - PARAMETER(history_malus_offset);
    return -within(value, 0, PARAMETER(history_malus_max));
}

// The evaluation with what experience adds. It fades as the fifty-move rule comes near.
DEVICE int corrected(const Warp &warp, const Board &board, const Lessons &lessons, int raw) {
    int faded = raw * (200 - smaller(clock_of(board), 100)) / 200;
    int sum = correction_of(lessons, PARAMETER(correction_pawn), PARAMETER(correction_non_pawn));
    return within(faded + sum / (128 * 256), -MOST_EVALUATION, MOST_EVALUATION);
}

// The hash table. An entry: move 15 bits | score 16, from bit 16 | depth 6 | bound 2 | key 24.

DEVICE u64 &table_entry(const Warp &warp, u64 key) { return brain_of(warp).table[(u32)key & (TABLE_ENTRIES - 1)]; }
DEVICE bool is_of(u64 entry, u64 key) { return entry != 0 && (u32)(entry >> 40) == (u32)(key >> 40); }
DEVICE int entry_depth(u64 entry) { return (u32)(entry >> 32) & 63; }
DEVICE int entry_bound(u64 entry) { return (u32)(entry >> 38) & 3; }
DEVICE int entry_score(u64 entry, int ply) {
    int score = (i16)((u32)entry >> 16);
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

// Remembers a result, unless the position's entry is much deeper.
DEVICE void store(const Warp &warp, u64 key, int ply, u32 move, int score, int depth, int bound) {
    u64 &entry = table_entry(warp, key);
    u64 old = entry;
    const bool known = is_of(old, key);
    if (agreed(known && bound != EXACT && depth + 4 <= entry_depth(old))) return;
    if (known && !move) move = old & MOVE_BITS;
    if (is_win(score)) score += ply;
    if (is_loss(score)) score -= ply;
    u32 upper = (u32)(key >> 32) & 0xffffff00u;
    entry = (u64)(upper | bound << 6 | within(depth, 0, 63)) << 32 | (u32)score << 16 | move;
}

// Whether the position occurred before: once inside the search, or twice in all.
DEVICE bool is_repetition(const Warp &warp, u64 key, int place, int reach, int ply) {
    int found = 0;
    const u64 *keys = warp.block->keys;
    reach = smaller(reach, place);
    ROLLED for (int first = 4; agreed(first <= reach); first += 2 * LANES) {
        int back = first + 2 * lane();
        u32 same = lanes_with(back <= reach && keys[place - smaller(back, place)] == key);
        // Lanes look further and further back; the first of them are in the search.
        u32 in_search = bit_or_none(larger((ply - first + 1) / 2, 0)) - 1;
        if (agreed(same & in_search)) return true;
        found += count(same);
    }
    return found >= 2;
}

// Late-move reduction of a quiet move.
DEVICE int reduction_of(const Warp &warp, const Task &task, u32 flags, int depth, int number, int history, bool gives_check) {
    int product = tables().logarithms[smaller(whole(depth), 255)] * tables().logarithms[number] >> 10;
    int reduction = PARAMETER(reduction_quiet_base) + (PARAMETER(reduction_quiet_factor) * product >> 10) -
                    (history * task.reduction_by_history >> 10);
    if (flags & IS_PV) reduction -= PARAMETER(reduction_pv);
    if (flags & IS_CUT) reduction += PARAMETER(reduction_cut_node);
    if (!(flags & IS_IMPROVING)) reduction += PARAMETER(reduction_not_improving);
    if (gives_check) reduction -= PARAMETER(reduction_check);
    return reduction;
}

// Whether this quiet move and all that come after it need no search, since one move is already known not to lose.
DEVICE bool prune_quiets(const Warp &warp, const Frame &frame, int number) {
    int plies = whole(frame.depth), most = PARAMETER(late_move_base) + plies * plies;
    int margin = PARAMETER(futility_base) + (PARAMETER(futility_margin) * frame.depth >> 10);
    const bool late = number > (frame.flags & IS_IMPROVING ? most : most / 2 + 1);
    return late | ((plies <= 6) & !(frame.flags & IN_CHECK) & (frame.evaluation + margin <= frame.alpha));
}
