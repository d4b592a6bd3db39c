// What finished games leave behind: packed games as record::packed reads them, and records as the trainer does.
#pragma once
#include "order.h"
#include "state.h"

// Room for this much in a buffer, or ~0 if it is full. All lanes get the same answer.
DEVICE u64 reserve(u64 *cursor, u64 amount, u64 capacity) {
    u64 seen = from_first_lane(*(volatile u64 *)cursor);
    ROLLED while (agreed(seen + amount <= capacity)) {
        u64 found = 0;
        if (lane() == 0) found = replace_if(cursor, seen, seen + amount);
        found = from_first_lane(found);
        if (agreed(found == seen)) return seen;
        seen = found;
    }
    return ~0ull;
}

// Four bits for each occupied square, in order, eight to a word. `flip` turns the ranks around, and `code` makes
// a man's code.
template <class Codes> DEVICE u64 pack_men(const Board &board, int flip, u32 *words, Codes code) {
    u64 men = occupied(board), turned = 0;
    UNROLLED for (int word = 0; word < 4; word++) words[word] = 0;
    ROLLED for (u64 left = men; left; left &= left - 1) turned |= 1ull << (lowest(left) ^ flip);
    ROLLED for (int square = lane(); square < 64; square += LANES) {
        if (!(turned >> square & 1)) continue;
        int index = count(turned & ((1ull << square) - 1));
        u32 bits = code(square ^ flip) << (4 * (index & 7));
        UNROLLED for (int word = 0; word < 4; word++) {
            if (index >> 3 == word) words[word] |= bits;
        }
    }
    sync_lanes();
    UNROLLED for (int word = 0; word < 4; word++) words[word] = or_of_lanes(words[word]);
    return turned;
}

// The code of a man in a packed game: a rook that may still castle has one of its own.
DEVICE u32 packed_code(const Board &board, int square) {
    u32 man = man_at(board, square), color = (u32)(board.planes[3] >> square & 1), code = man - 1;
    u32 rights = board.state >> (RIGHTS_SHIFT + 2 * color) & 3;
    if (man == ROOK && square >> 3 == (color ? 7 : 0)) {
        bool is_short = (rights & 1) && rook_file(board, 2 * color) == (square & 7);
        bool is_long = (rights & 2) && rook_file(board, 2 * color + 1) == (square & 7);
        if (is_short || is_long) code = 6;
    }
    return code | color << 3;
}

// A move's bits in a packed game.
DEVICE u32 packed_move(u32 move) {
    u32 squares = move & 4095, kind = kind_of(move);
    return kind >= PROMOTION ? squares | 3u << 14 | (kind - PROMOTION) << 12
           : kind == CASTLE  ? squares | 2u << 14
           : kind == IN_PASSING ? squares | 1u << 14
                                : squares;
}

DEVICE u32 packed_game_bytes(u32 plies) { return 32 + 4 * (plies + 1); }

// Writes a header and a packed game.
DEVICE void write_game(const Block &block, u8 *to) {
    const Game &game = block.game;
    u32 *words = (u32 *)to, bytes = packed_game_bytes(game.plies), men[4];
    Board board;
    set_board(board, game.start);
    u64 squares = pack_men(board, 0, men, [&](int square) { return packed_code(board, square); });
    if (lane() == 0) {
        GameHeader *header = (GameHeader *)to;
        header->number = game.number;
        header->nodes = game.nodes;
        header->bytes = bytes;
        header->plies = game.plies;
        header->ending = (u8)game.ending;
        header->result = (u8)game.result;
        for (int i = 0; i < 6; i++) header->unused[i] = 0;
        u32 *packed = words + sizeof(GameHeader) / 4;
        packed[0] = (u32)squares;
        packed[1] = (u32)(squares >> 32);
        for (int word = 0; word < 4; word++) packed[2 + word] = men[word];
        u32 passing = passing_square(board) ? passing_square(board) : 64;
        packed[6] = passing | turn_of(board) << 7 | clock_of(board) << 8 | game.start.move_number << 16;
        packed[7] = game.result << 16;
        packed[8 + game.plies] = 0;
        if (game.plies % 2 == 0) packed[9 + game.plies] = 0;
    }
    ROLLED for (u32 ply = lane(); ply < game.plies; ply += LANES) {
        u32 played = block.played[ply];
        words[sizeof(GameHeader) / 4 + 8 + ply] = packed_move(move_of(played)) | played >> 16 << 16;
    }
    sync_lanes();
}

// Bytes of a game with its header in the buffer: a multiple of 8.
DEVICE u64 written_game_bytes(u32 plies) { return ALIGNED(sizeof(GameHeader) + packed_game_bytes(plies), 8); }

// How many positions of a game become records.
DEVICE u32 count_records(const Block &block) {
    u32 records = 0;
    ROLLED for (u32 first = 0; agreed(first < block.game.plies); first += LANES) {
        u32 ply = first + lane();
        records += count(lanes_with(ply < block.game.plies && (block.played[ply] & BECOMES_RECORD)));
    }
    return records;
}

// Writes a game's records by playing it through.
DEVICE void write_records(const Block &block, Record *to, Board &child) {
    const Game &game = block.game;
    Board board;
    set_board(board, game.start);
    ROLLED for (u32 ply = 0; agreed(ply < game.plies); ply++) {
        u32 played = block.played[ply];
        int us = turn_of(board), flip = us ? 56 : 0;
        if (agreed(played & BECOMES_RECORD)) {
            u32 men[4];
            u64 own = of_color(board, us);
            u64 squares = pack_men(board, flip, men, [&](int square) { return (man_at(board, square) - 1) | (own >> square & 1 ? 0u : 8u); });
            if (lane() == 0) {
                u32 *words = (u32 *)to;
                i32 score = (i16)(played >> 16);
                words[0] = (u32)squares;
                words[1] = (u32)(squares >> 32);
                for (int word = 0; word < 4; word++) words[2 + word] = men[word];
                u32 points = us ? 2 - game.result : game.result;
                words[6] = (u32)(u16)(us ? -score : score) | points << 16 | (u32)(king_of(board, us) ^ flip) << 24;
                words[7] = king_of(board, !us) ^ flip;
            }
            to++;
        }
        make(board, move_of(played), child);
        board = child;
        sync_lanes();
    }
    sync_lanes();
}
