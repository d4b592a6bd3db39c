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
    warp.nodes = warp.completed_depth = warp.first_move = warp.root_move = 0;
    warp.hard_nodes = limits.hard;
    warp.game_ply = game_ply;
    warp.is_aborted = false;
    Frame *root = frames(warp);
    root->board = board;
    root->flags = in_check ? IN_CHECK : 0;
    root->slot = root->ply = root->cutoffs = 0;
    root->reach = (u8)clock_of(board);
    ROLLED for (int depth = 1; depth <= MOST_DEPTH; depth++) {
        int alpha = -INFINITE, beta = INFINITE, fail_highs = 0, score;
        int delta = PARAMETER(aspiration_delta) + average * average / 16000;
        if (depth >= FIRST_ASPIRATION && average > -10000 && average < 10000) {
            alpha = larger(average - delta, -INFINITE);
            beta = smaller(average + delta, INFINITE);
        }
        ROLLED for (;;) {
            warp.root_move = 0;
            // A move that fails high again and again is good enough to be searched a little less deep.
            score = search(warp, larger(depth - fail_highs, 1) * ONE_PLY, alpha, beta);
            if (warp.is_aborted) break;
            if (score <= alpha) {
                beta = (alpha + beta) / 2;
                alpha = larger(score - delta, -INFINITE);
                fail_highs = 0;
            } else if (score >= beta) {
                best.move = warp.first_move = warp.root_move;
                best.score = score;
                beta = smaller(score + delta, INFINITE);
                fail_highs = smaller(fail_highs + 1, 3);
            } else {
                break;
            }
            delta += delta / 2 + 4;
            if (delta > 1500) alpha = -INFINITE, beta = INFINITE;
        }
        if (warp.root_move) {
            best.move = warp.first_move = warp.root_move;
            best.score = warp.root_score;
        }
        if (warp.is_aborted || !warp.root_move) break;
        average = depth == 1 ? score : (average + score) / 2;
        best.depth = warp.completed_depth = depth;
        if (warp.nodes >= limits.soft || warp.nodes >= limits.hard || is_mate(score)) break;
    }
    return best;
}
