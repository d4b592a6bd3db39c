// Iterative deepening with aspiration windows, as in crates/engine/src/search/deepen.rs.
#pragma once
#include "search.h"

const int MAX_DEPTH = 60, FIRST_ASPIRATION = 4;

struct SearchResult {
    u32 move;  // 0 in mate and stalemate
    i32 score;
    i32 depth;  // of the last completed iteration
};

// Searches a position; its key goes to `game_ply` in the list of keys.
DEVICE SearchResult deepen(Warp &warp, const Board &board, bool in_check, u32 game_ply, NodeLimits limits) {
    SearchResult best = {0, 0, 0};
    int average = 0;
    Task &task = task_of(warp);
    sync_warp();
    warp.nodes = 0;
    task.hard_nodes = limits.hard;
    task.reduction_by_history = 1024 * ONE_PLY / PARAMETER(reduction_quiet_history);
    task.game_ply = game_ply;
    task.completed_depth = task.first_move = task.root_move = task.is_aborted = 0;
    Frame *root = frames(warp);
    root->board = board;
    root->flags = in_check ? IN_CHECK : 0;
    root->slot = root->ply = 0;
    root->killer = 0;
    root->reach = (u8)clock_of(board);
    ROLLED for (int depth = 1; uniform(depth <= MAX_DEPTH); depth++) {
        int alpha = -INFINITE, beta = INFINITE, fail_highs = 0, score;
        int delta = PARAMETER(aspiration_delta) + average * average / 16000;
        if (depth >= FIRST_ASPIRATION && average > -10000 && average < 10000) {
            alpha = max(average - delta, -INFINITE);
            beta = min(average + delta, INFINITE);
        }
        ROLLED for (;;) {
            task.root_move = 0;
            // Repeated fail-highs reduce the depth.
            score = search(warp, max(depth - fail_highs, 1) * ONE_PLY, alpha, beta);
            if (uniform(task.is_aborted)) break;
            if (uniform(score <= alpha)) {
                beta = (alpha + beta) / 2;
                alpha = max(score - delta, -INFINITE);
                fail_highs = 0;
            } else if (uniform(score >= beta)) {
                best.move = task.first_move = task.root_move;
                best.score = score;
                beta = min(score + delta, INFINITE);
                fail_highs = min(fail_highs + 1, 3);
            } else {
                break;
            }
            delta += delta / 2 + 4;
            if (delta > 1500) alpha = -INFINITE, beta = INFINITE;
        }
        if (uniform(task.root_move)) {
            best.move = task.first_move = task.root_move;
            best.score = task.root_score;
        }
        if (uniform(task.is_aborted || !task.root_move)) break;
        average = depth == 1 ? score : (average + score) / 2;
        best.depth = task.completed_depth = depth;
        if (uniform(warp.nodes >= limits.soft || warp.nodes >= limits.hard || is_mate(score))) break;
    }
    return best;
}
