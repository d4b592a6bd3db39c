// Counts the leaves of the tree of legal moves, each of them made: the proof of the rules.
#pragma once
#include "order.h"
#include "state.h"

DEVICE u64 perft(const Warp &warp, const Start &start, int depth) {
    if (depth == 0) return 1;
    Frame *frame = frames(warp);
    u64 leaves = 0;
    Board board;
    set_board(board, start);
    frame->board = board;
    frame->flags = attacked_kings(board) >> turn_of(board) & 1 ? IN_CHECK : 0;
    frame->list = 0;
    frame->moves = (u8)generate(board, false, frame->flags, warp.block->moves);
    frame->number = 0;
    int top = 0;
    ROLLED while (top >= 0) {
        frame = frames(warp) + top;
        board = frame->board;
        if (frame->number == frame->moves) {
            top--;
            continue;
        }
        const int number = frame->number, us = turn_of(board);
        const u32 move = move_of(warp.block->moves[frame->list + number]);
        Frame *next = frame + 1;
        sync_lanes();
        frame->number = (u8)(number + 1);
        make(frame->board, move, next->board);
        const u32 attacks = attacked_kings(next->board);
        if (attacks >> us & 1 || (kind_of(move) == CASTLE && !is_way_safe(board, move))) continue;
        if (top == depth - 1) {
            leaves++;
            continue;
        }
        next->list = frame->list + frame->moves;
        next->moves = (u8)generate(next->board, false, attacks >> (us ^ 1) & 1, warp.block->moves + next->list);
        next->number = 0;
        top++;
    }
    return leaves;
}
