// Iterative deepening with aspiration windows, as crates/engine/src/search/deepen.rs has it.
#pragma once
#include "search.h"

const int MOST_DEPTH = 60, FIRST_ASPIRATION = 4;

struct Thought {
    u32 move;  // 0 if there is none
    i32 score;
    i32 depth;  // of the last iteration that was finished
};

// Thinks about the position whose key comes at `game_ply` in the list of keys.
DEVICE Thought think(Warp &warp, const Board &board, bool in_check, u32 game_ply, Limits limits) {
    Thought best = {0, 0, 0};
    int average = 0;
    Task &task = task_of(warp);
    sync_lanes();
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
    ROLLED for (int depth = 1; agreed(depth <= MOST_DEPTH); depth++) {
        int alpha = -INFINITE, beta = INFINITE, fail_highs = 0, score;
        int delta = PARAMETER(aspiration_delta) + average * average / 16000;
        if (depth >= FIRST_ASPIRATION && average > -10000 && average < 10000) {
            alpha = larger(average - delta, -INFINITE);
            beta = smaller(average + delta, INFINITE);
        }
        ROLLED for (;;) {
            task.root_move = 0;
            // A move that fails high again and again is good enough to be searched a little less deep.
            score = search(warp, larger(depth - fail_highs, 1) * ONE_PLY, alpha, beta);
            if (agreed(task.is_aborted)) break;
            if (agreed(score <= alpha)) {
                beta = (alpha + beta) / 2;
                alpha = larger(score - delta, -INFINITE);
                fail_highs = 0;
            } else if (agreed(score >= beta)) {
                best.move = task.first_move = task.root_move;
                best.score = score;
                beta = smaller(score + delta, INFINITE);
                fail_highs = smaller(fail_highs + 1, 3);
            } else {
                break;
            }
            delta += delta / 2 + 4;
            if (delta > 1500) alpha = -INFINITE, beta = INFINITE;
        }
        if (agreed(task.root_move)) {
            best.move = task.first_move = task.root_move;
            best.score = task.root_score;
        }
        if (agreed(task.is_aborted || !task.root_move)) break;
        average = depth == 1 ? score : (average + score) / 2;
        best.depth = task.completed_depth = depth;
        if (agreed(warp.nodes >= limits.soft || warp.nodes >= limits.hard || is_mate(score))) break;
    }
    return best;
}
