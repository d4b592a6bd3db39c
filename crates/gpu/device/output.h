// Output of finished games: packed games (record::packed) and training records.
#pragma once
#include "order.h"
#include "state.h"

// Reserves space in a buffer; ~0 if it is full. The same on all lanes.
DEVICE u64 reserve(u64 *cursor, u64 amount, u64 capacity) {
    u64 seen = broadcast(*(volatile u64 *)cursor);
    ROLLED while (uniform(seen + amount <= capacity)) {
        u64 found = 0;
        if (lane() == 0) found = compare_and_swap(cursor, seen, seen + amount);
        found = broadcast(found);
        if (uniform(found == seen)) return seen;
        seen = found;
    }
    return ~0ull;
}

// Four bits for each occupied square, in order, eight to a word. `flip` mirrors the ranks, and `code` encodes a piece.
template <class Codes> DEVICE u64 pack_pieces(const Board &board, int flip, u32 *words, Codes code) {
    u64 turned = 0;
    UNROLLED for (int word = 0; word < 4; word++) words[word] = 0;
    ROLLED for (u64 left = occupied(board); left; left &= left - 1)
        turned |= 1ull << (lsb(left) ^ flip);
    ROLLED for (int square = lane(); square < 64; square += LANES) {
        if (!(turned >> square & 1)) continue;
        int index = popcount(turned & ((1ull << square) - 1));
        u32 bits = code(square ^ flip) << (4 * (index & 7));
        UNROLLED for (int word = 0; word < 4; word++) {
            if (index >> 3 == word) words[word] |= bits;
        }
    }
    sync_warp();
    UNROLLED for (int word = 0; word < 4; word++) words[word] = warp_or(words[word]);
    return turned;
}

// A piece in a packed game: rooks with castling rights have a code of their own.
DEVICE u32 packed_code(const Board &board, int square) {
    u32 piece = piece_at(board, square), color = (u32)(board.planes[3] >> square & 1), code = piece - 1;
    u32 rights = board.state >> (RIGHTS_SHIFT + 2 * color) & 3;
    if (piece == ROOK && square >> 3 == (color ? 7 : 0)) {
        bool is_short = (rights & 1) && rook_file(board, 2 * color) == (square & 7);
        bool is_long = (rights & 2) && rook_file(board, 2 * color + 1) == (square & 7);
        if (is_short || is_long) code = 6;
    }
    return code | color << 3;
}

// A move's bits in a packed game.
DEVICE u32 packed_move(u32 move) {
    u32 squares = move & 4095, kind = kind_of(move);
    return kind >= PROMOTION    ? squares | 3u << 14 | (kind - PROMOTION) << 12
           : kind == CASTLE     ? squares | 2u << 14
           : kind == EN_PASSANT ? squares | 1u << 14
                                : squares;
}

DEVICE u32 packed_game_bytes(u32 plies) { return 32 + 4 * (plies + 1); }

DEVICE void write_game(const Block &block, u8 *to) {
    const Game &game = block.game;
    u32 *words = (u32 *)to, bytes = packed_game_bytes(game.plies), pieces[4];
    Board board;
    set_board(board, game.start);
    u64 squares = pack_pieces(board, 0, pieces, [&](int square) { return packed_code(board, square); });
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
        for (int word = 0; word < 4; word++) packed[2 + word] = pieces[word];
        u32 en_passant = en_passant_square(board) ? en_passant_square(board) : 64;
        packed[6] = en_passant | turn_of(board) << 7 | clock_of(board) << 8 | game.start.move_number << 16;
        packed[7] = game.result << 16;
        packed[8 + game.plies] = 0;
        if (game.plies % 2 == 0) packed[9 + game.plies] = 0;
    }
    ROLLED for (u32 ply = lane(); ply < game.plies; ply += LANES) {
        u32 played = block.played[ply];
        words[sizeof(GameHeader) / 4 + 8 + ply] = packed_move(move_of(played)) | played >> 16 << 16;
    }
    sync_warp();
}

// Bytes of a game with its header, a multiple of 8.
DEVICE u64 written_game_bytes(u32 plies) { return ALIGNED(sizeof(GameHeader) + packed_game_bytes(plies), 8); }

// Number of recorded positions of a game.
DEVICE u32 count_records(const Block &block) {
    u32 records = 0;
    ROLLED for (u32 first = 0; uniform(first < block.game.plies); first += LANES) {
        u32 ply = first + lane();
        records += popcount(ballot(ply < block.game.plies && (block.played[ply] & IS_RECORDED)));
    }
    return records;
}

// Writes a game's records by replaying it.
DEVICE void write_records(const Block &block, Record *to, Board &child) {
    const Game &game = block.game;
    Board board;
    set_board(board, game.start);
    ROLLED for (u32 ply = 0; uniform(ply < game.plies); ply++) {
        u32 played = block.played[ply];
        int us = turn_of(board), flip = us ? 56 : 0;
        if (uniform(played & IS_RECORDED)) {
            u32 pieces[4];
            u64 own = of_color(board, us);
            u64 squares = pack_pieces(board, flip, pieces, [&](int square) {
                return (piece_at(board, square) - 1) | (own >> square & 1 ? 0u : 8u);
            });
            if (lane() == 0) {
                u32 *words = (u32 *)to;
                i32 score = (i16)(played >> 16);
                words[0] = (u32)squares;
                words[1] = (u32)(squares >> 32);
                for (int word = 0; word < 4; word++) words[2 + word] = pieces[word];
                u32 points = us ? 2 - game.result : game.result;
                words[6] = (u32)(u16)(us ? -score : score) | points << 16 | (u32)(king_of(board, us) ^ flip) << 24;
                words[7] = king_of(board, !us) ^ flip;
            }
            to++;
        }
        make(board, move_of(played), child);
        board = child;
        sync_warp();
    }
    sync_warp();
}
