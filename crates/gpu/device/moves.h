// Generation of pseudo-legal moves. A list entry is a rank (upper 16 bits, see order.h) and a move.
#pragma once
#include "board.h"

#ifdef __CUDACC__
// Room for the squares of a side's men.
DEVICE u8 *scratch() { return shared_memory + SHARED_SCRATCH + warp_number() * SCRATCH_BYTES; }
#endif

// The squares of a side's men, for lanes to take one each. They lie there until the next call.
DEVICE const u8 *list_squares(u64 men, u8 *room) {
#ifdef __CUDACC__
    u8 *squares = scratch();
    u32 low = (u32)men, high = (u32)(men >> 32), before = (1u << lane()) - 1;
    sync_lanes();
    if (low >> lane() & 1) squares[__popc(low & before)] = lane();
    if (high >> lane() & 1) squares[__popc(low) + __popc(high & before)] = lane() + 32;
    sync_lanes();
    return squares;
#else
    for (int index = 0; men; men &= men - 1) room[index++] = lowest(men);
    return room;
#endif
}

// The files from one to another, both included.
DEVICE u32 files_between(int a, int b) { return (2u << larger(a, b)) - (1u << smaller(a, b)); }

// The rooks with which the side to move may castle, as far as rights and men in the way are concerned.
DEVICE u64 castling_rooks(const Board &board) {
    int us = turn_of(board), base = us ? 56 : 0;
    u32 rights = board.state >> (RIGHTS_SHIFT + 2 * us) & 3;
    if (!rights) return 0;
    u64 rooks = 0;
    u32 row = (u32)(occupied(board) >> base) & 255;
    int king = king_of(board, us) & 7;
    ROLLED for (int side = 0; side < 2; side++) {
        int rook = rook_file(board, 2 * us + side);
        u32 way = files_between(king, side ? 2 : 6) | files_between(rook, side ? 3 : 5);
        bool free = !(row & way & ~(1u << king | 1u << rook));
        if ((rights >> side & 1) && free) rooks |= 1ull << (base + rook);
    }
    return rooks;
}

// Where men other than the king may go when it is attacked: they capture what gives check or step in between. Each
// lane looks along one line.
DEVICE u64 evasions(const Board &board) {
    const int us = turn_of(board), king = king_of(board, us);
    u64 checkers = 0, ways = 0;
    for (int line = lane() & 7; line < LINES; line += LANES) {
        const u64 checker = attackers_on(board, king, us, line);
        checkers |= checker;
        if (checker && line < LEAP) ways |= slide(king, line, occupied(board)) & slide(lowest(checker), line, occupied(board));
    }
    checkers = or_of_lanes_wide(checkers);
    ways = or_of_lanes_wide(ways);
    return checkers & (checkers - 1) ? 0 : checkers | ways;
}

// Writes all pseudo-legal moves, or only captures and promotions, to a list; their number. Each man belongs to
// two lanes: one for pawns and diagonals, one for knights, kings, files and ranks. Castling is not looked for in
// check, and whether its way is safe, or whether a man is pinned, is left to who plays it.
DEVICE int generate(const Board &board, bool only_noisy, bool in_check, u32 *list) {
    int us = turn_of(board), passing = passing_square(board), total = 0;
    u64 men = occupied(board), own = men & of_color(board, us), enemies = men ^ own;
    u64 rooks = only_noisy || in_check ? 0 : castling_rooks(board);
    const u64 allowed = only_noisy ? enemies : ~own, useful = agreed(in_check) ? evasions(board) : ~0ull;
    const u64 passed = passing ? 1ull << passing : 0;
    int own_count = count(own);
#ifdef __CUDACC__
    const u8 *squares = list_squares(own, nullptr);
#else
    u8 room[64];
    const u8 *squares = list_squares(own, room);
#endif
    for (int task = lane(); task < 32; task += LANES) {
        int index = task & 15, half = task >> 4, square = 0, man = EMPTY;
        u64 targets = 0, twice = 0;
        bool promotes = false;
        if (index < own_count) {
            square = squares[index];
            man = man_at(board, square);
            if (man == PAWN) {
                if (!half) {
                    int rank = us ? 7 - (square >> 3) : square >> 3;
                    u64 here = 1ull << square, one = (us ? here >> 8 : here << 8) & ~men;
                    promotes = rank == 6;
                    targets = tables().lines[square][PAWN_CAPTURE + us] & (enemies | passed);
                    if (!only_noisy || promotes) targets |= one;
                    if (!only_noisy && rank == 1) targets |= twice = (us ? one >> 8 : one << 8) & ~men;
                    targets &= useful | passed;
                }
            } else if (half ? man == ROOK || man == QUEEN : man == BISHOP || man == QUEEN) {
                targets = (slide(square, 2 * half, men) | slide(square, 2 * half + 1, men)) & allowed & useful;
            } else if (half && (man == KNIGHT || man == KING)) {
                targets = tables().lines[square][man == KNIGHT ? LEAP : STEP] & allowed;
                targets = man == KING ? targets | rooks : targets & useful;
            }
        }
        int all, place = total + sum_before(promotes ? 4 * count(targets) : count(targets), all);
        u32 *own_list = list + place;
        u64 special = man == PAWN ? targets & (passed | twice) : man == KING ? targets & rooks : 0;
        ROLLED for (u64 left = targets; left; left &= left - 1) {
            const u32 move = square | lowest(left) << 6;
            if (promotes) {
                ROLLED for (u32 kind = PROMOTION + 3; kind >= PROMOTION; kind--) *own_list++ = move | kind << 12;
            } else {
                *own_list++ = move;
            }
        }
        // Few moves are of another kind, so that is told afterwards.
        ROLLED for (; special; special &= special - 1) {
            const u64 target = special & (0 - special);
            const u32 kind = man == KING ? CASTLE : target == passed ? IN_PASSING : DOUBLE_PUSH;
            list[place + count(targets & (target - 1))] |= kind << 12;
        }
        total += all;
    }
    sync_lanes();
    return total;
}
