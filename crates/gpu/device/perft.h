// Perft without bulk counting; TOO_MANY_MOVES if the lists of all plies do not fit.
#pragma once
#include "order.h"
#include "state.h"

const u64 TOO_MANY_MOVES = ~0ull;

DEVICE u64 perft(const Warp &warp, const DevicePosition &start, int depth) {
    if (depth == 0) return 1;
    Frame *frame = frames(warp);
    u64 leaves = 0;
    Board board;
    set_board(board, start);
    frame->board = board;
    frame->flags = attacked_kings(board) >> turn_of(board) & 1 ? IN_CHECK : 0;
    frame->list = 0;
    frame->moves = (u16)generate(board, false, frame->flags, warp.block->moves);
    frame->move_count = 0;
    int ply = 0;
    ROLLED while (ply >= 0) {
        frame = frames(warp) + ply;
        board = frame->board;
        if (frame->move_count == frame->moves) {
            ply--;
            continue;
        }
        const int move_count = frame->move_count, us = turn_of(board);
        const u32 move = move_of(warp.block->moves[frame->list + move_count]);
        Frame *next = frame + 1;
        sync_warp();
        frame->move_count = (u16)(move_count + 1);
        make(frame->board, move, next->board);
        const u32 attacks = attacked_kings(next->board);
        if (attacks >> us & 1 || (kind_of(move) == CASTLE && !is_castling_path_safe(board, move))) continue;
        if (ply == depth - 1) {
            leaves++;
            continue;
        }
        next->list = (u16)(frame->list + frame->moves);
        if (next->list > MOVE_CAPACITY - MAX_MOVES) return TOO_MANY_MOVES;
        next->moves = (u16)generate(next->board, false, attacks >> (us ^ 1) & 1, warp.block->moves + next->list);
        next->move_count = 0;
        ply++;
    }
    return leaves;
}
