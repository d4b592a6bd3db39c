// Random openings, as in CPU self-play: moves that lose little by SEE.
#pragma once
#include "see.h"
#include "moves.h"
#include "order.h"
#include "state.h"

const int MAX_LOSS = 100;
const u32 CHESS960_POSITIONS = 960;

// Puts a piece on the n-th free file of a rank with four bits per file.
DEVICE void place_on_free(u32 &rank, int piece, int nth) {
    ROLLED for (int file = 0; file < 8; file++) {
        if (rank >> (4 * file) & 15) continue;
        if (nth-- == 0) {
            rank |= (u32)piece << (4 * file);
            return;
        }
    }
}

// The back rank of a Chess960 start position, in Scharnagl's numbering.
DEVICE u32 back_rank(u32 number) {
    u32 rank = (u32)BISHOP << (4 * (2 * (number % 4) + 1));
    number /= 4;
    rank |= (u32)BISHOP << (4 * (2 * (number % 4)));
    number /= 4;
    place_on_free(rank, QUEEN, number % 6);
    // Which two of five free files the knights take; the second is placed first, so that the numbering holds.
    int pair = number / 6, first = pair < 4 ? 0 : pair < 7 ? 1 : pair < 9 ? 2 : 3;
    int second = pair < 4 ? pair + 1 : pair < 7 ? pair - 2 : pair < 9 ? pair - 4 : 4;
    place_on_free(rank, KNIGHT, second);
    place_on_free(rank, KNIGHT, first);
    place_on_free(rank, ROOK, 0);
    place_on_free(rank, KING, 0);
    place_on_free(rank, ROOK, 0);
    return rank;
}

DEVICE void set_start(DevicePosition &start, u32 white, u32 black) {
    const u64 PAWN_RANKS = 0x00ff00000000ff00ull;
    start.planes[0] = PAWN_RANKS;
    start.planes[1] = start.planes[2] = 0;
    start.planes[3] = 0xffff000000000000ull;
    start.state = 15u << RIGHTS_SHIFT;
    start.move_number = 1;
    ROLLED for (int color = 0; color < 2; color++) {
        u32 rank = back_rank(color ? black : white);
        bool beyond_king = false;
        ROLLED for (int file = 0; file < 8; file++) {
            u32 piece = rank >> (4 * file) & 15;
            int square = file + (color ? 56 : 0);
            UNROLLED for (int plane = 0; plane < 3; plane++) start.planes[plane] |= (u64)(piece >> plane & 1) << square;
            if (piece == KING) beyond_king = true;
            if (piece == ROOK) start.state |= (u32)file << (ROOKS_SHIFT + 3 * (2 * color + (beyond_king ? 0 : 1)));
        }
    }
}

// Plays a random move among those with SEE above -MAX_LOSS, or among all if none of those is found. False if there is none.
DEVICE bool play_random(Block &block, Board &board, bool &in_check, u64 &random, Board &child) {
    u32 *list = block.moves;
    int moves = generate(board, false, in_check, list), us = turn_of(board);
    ROLLED for (int tries = 0; uniform(tries < 128 && moves); tries++) {
        u32 move = move_of(list[random_below(random, moves)]);
        make(board, move, child);
        u32 attacks = attacked_kings(child);
        if (uniform(attacks >> us & 1) ||
            (uniform(kind_of(move) == CASTLE) && uniform(!is_castling_path_safe(board, move))))
            continue;
        if (uniform(tries < 64 && !see_ge(board, move, -MAX_LOSS))) continue;
        board = child;
        in_check = attacks >> (us ^ 1) & 1;
        sync_warp();
        return true;
    }
    sync_warp();
    return false;
}

// Sets the game to a start position after random moves. False if they ended the game.
DEVICE bool choose_opening(Block &block, const OpeningSettings &opening, Board &scratch) {
    Game &game = block.game;
    u64 random = game.random;
    DevicePosition start;
    bool shuffled = random_bits(random) >> 11 < opening.shuffled;
    u32 white = shuffled ? random_below(random, CHESS960_POSITIONS) : 518,
        black = shuffled ? random_below(random, CHESS960_POSITIONS) : 518;
    set_start(start, white, black);
    u32 plies = opening.min_plies + random_below(random, opening.max_plies - opening.min_plies + 1);
    Board board;
    set_board(board, start);
    bool in_check = false, lives = true;
    ROLLED for (u32 ply = 0; uniform(ply < plies && lives); ply++)
        lives = play_random(block, board, in_check, random, scratch);
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
