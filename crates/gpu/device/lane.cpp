// The device code on one lane of the CPU, for tests and for playing a game again. src/lane.rs calls it.
#include <cstdlib>

#include "game.h"
#include "perft.h"

const Tables *lane_tables = nullptr;

namespace {

// Memory for one search, zeroed. `malloc` keeps the library free of C++'s own.
struct Room {
    Stack stack;
    Block *block;
    Warp warp;
};

Room *open_room(u32 hidden_units, u32 king_buckets) {
    Room *room = (Room *)calloc(1, sizeof(Room));
    if (!room || !(room->block = (Block *)calloc(1, block_bytes(hidden_units)))) abort();
    room->warp.block = room->block;
    room->warp.frames = room->stack.frames;
    room->warp.hidden_units = hidden_units;
    room->warp.king_buckets = king_buckets;
    return room;
}

void close_room(Room *room) {
    free(room->block);
    free(room);
}

}  // namespace

extern "C" {

void vedette_lane_begin(const Tables *given) { lane_tables = given; }

void vedette_lane_layout(Layout *layout, u32 hidden_units, u32 king_buckets) {
    memset((void *)layout, 0, sizeof *layout);
    layout->block_bytes = block_bytes(hidden_units);
    layout->warps = 1;
    layout->hidden = hidden_units;
    layout->king_buckets = king_buckets;
    layout->parameters = PARAMETER_COUNT;
    const u32 sizes[8] = {sizeof(Start),   sizeof(Tables), sizeof(Record),      sizeof(GameHeader),
                          sizeof(Control), sizeof(Launch), sizeof(PerftLaunch), sizeof(EvaluateLaunch)};
    for (int i = 0; i < 8; i++) layout->sizes[i] = sizes[i];
}

// Plays as the kernel does; the block of memory is the caller's.
void vedette_lane_play(const Launch *launch, u32 hidden_units, u32 king_buckets) {
    Room *room = open_room(hidden_units, king_buckets);
    room->warp.block = (Block *)launch->memory;
    for (int side = 0; side < 2; side++) room->warp.parameters[side] = (const i32 *)launch->parameters[side];
    play_games(room->warp, *launch);
    close_room(room);
}

u64 vedette_lane_perft(const Start *start, u32 depth) {
    Room *room = open_room(64, 1);
    u64 leaves = perft(room->warp, *start, (int)depth);
    close_room(room);
    return leaves;
}

// The legal moves, with whether each gives check (bit 16) and wins at least `threshold` by exchanges (bit 17).
u32 vedette_lane_moves(const Start *start, i32 threshold, u32 *moves) {
    Room *room = open_room(64, 1);
    u32 *list = room->block->moves, legal = 0;
    Board board, child;
    set_board(board, *start);
    int us = turn_of(board), all = generate(board, false, attacked_kings(board) >> us & 1, list);
    for (int index = 0; index < all; index++) {
        u32 move = move_of(list[index]);
        make(board, move, child);
        u32 attacks = attacked_kings(child);
        if (attacks >> us & 1 || (kind_of(move) == CASTLE && !is_way_safe(board, move))) continue;
        moves[legal++] = move | (attacks >> (us ^ 1) & 1) << 16 | (u32)exchange_wins(board, move, threshold) << 17;
    }
    close_room(room);
    return legal;
}

// Plays moves from a position and tells the one they lead to; whether its hash key is that of a fresh board.
u32 vedette_lane_make(const Start *start, const u16 *moves, u32 count, Start *end) {
    Board board, child;
    set_board(board, *start);
    u32 number = start->move_number;
    for (u32 index = 0; index < count; index++) {
        number += turn_of(board);
        make(board, moves[index], child);
        board = child;
    }
    memcpy(end->planes, board.planes, sizeof end->planes);
    end->state = board.state;
    end->move_number = number;
    return board.hash == hash_of(board);
}

// What a network says of the positions along a line, its hidden units brought along from move to move.
void vedette_lane_evaluate(const Start *start, const u16 *moves, u32 count, const u32 *network, u32 hidden_units, u32 king_buckets,
                           i32 *values) {
    Room *room = open_room(hidden_units, king_buckets);
    task_of(room->warp).network = network;
    Board board, child;
    set_board(board, *start);
    values[0] = evaluate(room->warp, board, 0, true, true);
    for (u32 index = 0; index < count; index++) {
        make(board, moves[index], child);
        board = child;
        // Slots 0 and 1 by turns would overwrite what the next move needs: the units are moved down instead.
        values[index + 1] = evaluate(room->warp, board, 1, false, true);
        memcpy(units_of(room->warp, 0), units_of(room->warp, 1), 4ull * hidden_units);
    }
    close_room(room);
}

// Thinks about a position: best move, score, depth, nodes.
void vedette_lane_think(const Start *start, const Launch *launch, u32 hidden_units, u32 king_buckets, i32 *answer) {
    Room *room = open_room(hidden_units, king_buckets);
    Warp &warp = room->warp;
    warp.parameters[0] = (const i32 *)launch->parameters[0];
    task_of(warp).network = (const u32 *)launch->networks[0];
    Board board;
    set_board(board, *start);
    Thought thought = think(warp, board, attacked_kings(board) >> turn_of(board) & 1, 0, launch->limits[0]);
    answer[0] = thought.move;
    answer[1] = thought.score;
    answer[2] = thought.depth;
    answer[3] = warp.nodes;
    close_room(room);
}
}
