// How games begin: random moves that give nothing away at once, as crates/datagen/src/selfplay/opening.rs plays them.
#pragma once
#include "exchange.h"
#include "moves.h"
#include "order.h"
#include "state.h"

const int MOST_LOST = 100;
const u32 SETUPS = 960;

// Puts a man on the n-th free file of a row of four bits for each.
DEVICE void place_on_free(u32 &row, int man, int nth) {
    ROLLED for (int file = 0; file < 8; file++) {
        if (row >> (4 * file) & 15) continue;
        if (nth-- == 0) {
            row |= (u32)man << (4 * file);
            return;
        }
    }
}

// The men behind the pawns in the start position with this number, in Scharnagl's order.
DEVICE u32 back_row(u32 number) {
    u32 row = (u32)BISHOP << (4 * (2 * (number % 4) + 1));
    number /= 4;
    row |= (u32)BISHOP << (4 * (2 * (number % 4)));
    number /= 4;
    place_on_free(row, QUEEN, number % 6);
    // Which two of five files the knights have: pairs in order, the second first so that the count stays.
    int pair = number / 6, first = pair < 4 ? 0 : pair < 7 ? 1 : pair < 9 ? 2 : 3;
    int second = pair < 4 ? pair + 1 : pair < 7 ? pair - 2 : pair < 9 ? pair - 4 : 4;
    place_on_free(row, KNIGHT, second);
    place_on_free(row, KNIGHT, first);
    place_on_free(row, ROOK, 0);
    place_on_free(row, KING, 0);
    place_on_free(row, ROOK, 0);
    return row;
}

DEVICE void set_start(Start &start, u32 white, u32 black) {
    const u64 PAWN_RANKS = 0x00ff00000000ff00ull;
    start.planes[0] = PAWN_RANKS;
    start.planes[1] = start.planes[2] = 0;
    start.planes[3] = 0xffff000000000000ull;
    start.state = 15u << RIGHTS_SHIFT;
    start.move_number = 1;
    ROLLED for (int color = 0; color < 2; color++) {
        u32 row = back_row(color ? black : white);
        bool beyond_king = false;
        ROLLED for (int file = 0; file < 8; file++) {
            u32 man = row >> (4 * file) & 15;
            int square = file + (color ? 56 : 0);
            UNROLLED for (int plane = 0; plane < 3; plane++) start.planes[plane] |= (u64)(man >> plane & 1) << square;
            if (man == KING) beyond_king = true;
            if (man == ROOK) start.state |= (u32)file << (ROOKS_SHIFT + 3 * (2 * color + (beyond_king ? 0 : 1)));
        }
    }
}

// Plays a random move among those that lose little by exchanges, or among all if no such move is found. False if
// there is no move.
DEVICE bool play_random(Block &block, Board &board, bool &in_check, u64 &random, Board &child) {
    u32 *list = block.moves;
    int moves = generate(board, false, in_check, list), us = turn_of(board);
    ROLLED for (int tries = 0; agreed(tries < 128 && moves); tries++) {
        u32 move = move_of(list[random_below(random, moves)]);
        make(board, move, child);
        u32 attacks = attacked_kings(child);
        if (agreed(attacks >> us & 1) || (agreed(kind_of(move) == CASTLE) && agreed(!is_way_safe(board, move)))) continue;
        if (agreed(tries < 64 && !exchange_wins(board, move, -MOST_LOST))) continue;
        board = child;
        in_check = attacks >> (us ^ 1) & 1;
        sync_lanes();
        return true;
    }
    sync_lanes();
    return false;
}

// A start position after random moves, in the game's memory. False if they ended the game.
DEVICE bool choose_opening(Block &block, const Opening &opening, Board &scratch) {
    Game &game = block.game;
    u64 random = game.random;
    Start start;
    bool shuffled = random_bits(random) >> 11 < opening.shuffled;
    u32 white = shuffled ? random_below(random, SETUPS) : 518, black = shuffled ? random_below(random, SETUPS) : 518;
    set_start(start, white, black);
    u32 plies = opening.fewest_plies + random_below(random, opening.most_plies - opening.fewest_plies + 1);
    Board board;
    set_board(board, start);
    bool in_check = false, lives = true;
    ROLLED for (u32 ply = 0; agreed(ply < plies && lives); ply++) lives = play_random(block, board, in_check, random, scratch);
    game.random = random;
    board.change = 0;
    game.board = board;
    game.in_check = in_check;
    UNROLLED for (int plane = 0; plane < 4; plane++) game.start.planes[plane] = board.planes[plane];
    game.start.state = board.state;
    game.start.move_number = 1 + plies / 2;
    game.start_ply = plies;
    return lives;
}
