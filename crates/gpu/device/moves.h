// Pseudo-legal move generation. A list entry is an ordering rank (upper 16 bits, see order.h) and a move.
#pragma once
#include "board.h"

#ifdef __CUDACC__
// Space for the squares of one side's pieces.
DEVICE u8 *scratch() { return shared_memory + SHARED_SCRATCH + warp_number() * SCRATCH_BYTES; }
#endif

// The squares of a set, so that each lane can take one. Valid until the next call.
DEVICE const u8 *list_squares(u64 set, u8 *room) {
#ifdef __CUDACC__
    u8 *squares = scratch();
    u32 low = (u32)set, high = (u32)(set >> 32), before = (1u << lane()) - 1;
    sync_warp();
    if (low >> lane() & 1) squares[__popc(low & before)] = lane();
    if (high >> lane() & 1) squares[__popc(low) + __popc(high & before)] = lane() + 32;
    sync_warp();
    return squares;
#else
    for (int index = 0; set; set &= set - 1) room[index++] = lsb(set);
    return room;
#endif
}

// The files from one to another, inclusive.
DEVICE u32 files_between(int a, int b) { return (2u << max(a, b)) - (1u << min(a, b)); }

// The rooks with which the side to move may castle: it has the right and the path is clear.
DEVICE u64 castling_rooks(const Board &board) {
    int us = turn_of(board), base = us ? 56 : 0;
    u32 rights = board.state >> (RIGHTS_SHIFT + 2 * us) & 3;
    if (!rights) return 0;
    u64 rooks = 0;
    u32 row = (u32)(occupied(board) >> base) & 255;
    int king = king_of(board, us) & 7;
    ROLLED for (int side = 0; side < 2; side++) {
        int rook = rook_file(board, 2 * us + side);
        u32 path = files_between(king, side ? 2 : 6) | files_between(rook, side ? 3 : 5);
        bool clear = !(row & path & ~(1u << king | 1u << rook));
        if ((rights >> side & 1) && clear) rooks |= 1ull << (base + rook);
    }
    return rooks;
}

// Targets of non-king moves in check: capture the checker or block. Empty in double check. Each lane looks along one line.
DEVICE u64 evasions(const Board &board) {
    const int us = turn_of(board), king = king_of(board, us);
    u64 checkers = 0, blocks = 0;
    for (int line = lane() & 7; line < LINES; line += LANES) {
        const u64 checker = attackers_on(board, king, us, line);
        checkers |= checker;
        if (checker && line < KNIGHT_STEP)
            blocks |= slide(king, line, occupied(board)) & slide(lsb(checker), line, occupied(board));
    }
    checkers = warp_or64(checkers);
    blocks = warp_or64(blocks);
    return checkers & (checkers - 1) ? 0 : checkers | blocks;
}

// Writes all pseudo-legal moves, or only captures and promotions, to a list; returns their number. Each piece belongs to
// two lanes: one for pawns and diagonals, one for knights, kings, files and ranks. Castling through check and moves of
// pinned pieces are rejected after the move is made.
DEVICE int generate(const Board &board, bool noisy_only, bool in_check, u32 *list) {
    int us = turn_of(board), en_passant = en_passant_square(board), total = 0;
    u64 occupancy = occupied(board), own = occupancy & of_color(board, us), enemies = occupancy ^ own;
    u64 rooks = noisy_only || in_check ? 0 : castling_rooks(board);
    const u64 allowed = noisy_only ? enemies : ~own, check_mask = uniform(in_check) ? evasions(board) : ~0ull;
    const u64 en_passant_set = en_passant ? 1ull << en_passant : 0;
    int own_count = popcount(own);
#ifdef __CUDACC__
    const u8 *squares = list_squares(own, nullptr);
#else
    u8 room[64];
    const u8 *squares = list_squares(own, room);
#endif
    for (int task = lane(); task < 32; task += LANES) {
        int index = task & 15, half = task >> 4, square = 0, piece = EMPTY;
        u64 targets = 0, double_push = 0;
        bool promotes = false;
        if (index < own_count) {
            square = squares[index];
            piece = piece_at(board, square);
            if (piece == PAWN) {
                if (!half) {
                    int rank = us ? 7 - (square >> 3) : square >> 3;
                    u64 here = 1ull << square, one = (us ? here >> 8 : here << 8) & ~occupancy;
                    promotes = rank == 6;
                    targets = lookup().lines[square][PAWN_CAPTURE + us] & (enemies | en_passant_set);
                    if (!noisy_only || promotes) targets |= one;
                    if (!noisy_only && rank == 1) targets |= double_push = (us ? one >> 8 : one << 8) & ~occupancy;
                    targets &= check_mask | en_passant_set;
                }
            } else if (half ? piece == ROOK || piece == QUEEN : piece == BISHOP || piece == QUEEN) {
                targets = (slide(square, 2 * half, occupancy) | slide(square, 2 * half + 1, occupancy)) & allowed &
                          check_mask;
            } else if (half && (piece == KNIGHT || piece == KING)) {
                targets = lookup().lines[square][piece == KNIGHT ? KNIGHT_STEP : KING_STEP] & allowed;
                targets = piece == KING ? targets | rooks : targets & check_mask;
            }
        }
        int all, place = total + exclusive_scan(promotes ? 4 * popcount(targets) : popcount(targets), all);
        u32 *own_list = list + place;
        u64 special = piece == PAWN ? targets & (en_passant_set | double_push) : piece == KING ? targets & rooks : 0;
        ROLLED for (u64 left = targets; left; left &= left - 1) {
            const u32 move = square | lsb(left) << 6;
            if (promotes) {
                ROLLED for (u32 kind = PROMOTION + 3; kind >= PROMOTION; kind--)
                    *own_list++ = move | kind << 12;
            } else {
                *own_list++ = move;
            }
        }
        // Few moves have another kind, so it is set afterwards.
        ROLLED for (; special; special &= special - 1) {
            const u64 target = special & (0 - special);
            const u32 kind = piece == KING ? CASTLE : target == en_passant_set ? EN_PASSANT : DOUBLE_PUSH;
            list[place + popcount(targets & (target - 1))] |= kind << 12;
        }
        total += all;
    }
    sync_warp();
    return total;
}
