// Static exchange evaluation: whether a move still wins enough when both sides go on capturing on its target with
// their least valuable man. Pins are not looked at, unlike in crates/chess.
#pragma once
#include "board.h"

// What a man counts in exchanges, as in chess::Role: a byte for each, in tens. Nothing takes a king, so it counts as most.
DEVICE int exchange_value(int man) {
    return 10 * byte_of(0x00ff5f3221200a00ull, man);
}

// Whether a move wins at least `threshold`. Each lane may ask about a move of its own.
DEVICE bool exchange_wins(const Board &board, u32 move, int threshold) {
    int from = from_of(move), to = to_of(move), kind = kind_of(move);
    if (kind == CASTLE) return threshold <= 0;
    int standing = man_at(board, from), gain = exchange_value(captured_by(board, move));
    if (kind >= PROMOTION) {
        standing = kind - PROMOTION + KNIGHT;
        gain += exchange_value(standing) - exchange_value(PAWN);
    }
    // What the mover is ahead of the threshold if nobody takes back, then if the man is lost for nothing.
    int balance = gain - threshold;
    if (balance < 0) return false;
    balance = exchange_value(standing) - balance;
    if (balance <= 0) return true;
    u64 men = (occupied(board) & ~(1ull << from)) | 1ull << to;
    if (kind == IN_PASSING) men &= ~(1ull << (to ^ 8));
    u64 diagonal = diagonal_sliders(board), straight = straight_sliders(board), foot = pawns(board), horses = knights(board);
    const u64 *lines = tables().lines[to];
    u64 attackers = (lines[LEAP] & horses) | (lines[STEP] & kings(board)) |
                    (lines[PAWN_CAPTURE] & foot & board.planes[3]) | (lines[PAWN_CAPTURE + 1] & foot & ~board.planes[3]) |
                    (diagonal_attacks(to, men) & diagonal) | (straight_attacks(to, men) & straight);
    int side = turn_of(board);
    bool wins = true;
    ROLLED for (;;) {
        side ^= 1;
        attackers &= men;
        u64 own = attackers & of_color(board, side), taker;
        if (!own) break;
        wins = !wins;
        int value;
        if ((taker = own & foot)) value = 100;
        else if ((taker = own & horses)) value = 320;
        else if ((taker = own & diagonal & ~straight)) value = 330;
        else if ((taker = own & straight & ~diagonal)) value = 500;
        else if ((taker = own & diagonal)) value = 950;
        else return attackers & of_color(board, !side) ? !wins : wins;  // A king does not walk into attack.
        balance = value - balance;
        if (balance < (wins ? 1 : 0)) break;
        men &= ~(taker & (0 - taker));
        if (value == 100 || value == 330 || value == 950) attackers |= diagonal_attacks(to, men) & diagonal;
        if (value >= 500) attackers |= straight_attacks(to, men) & straight;
    }
    return wins;
}
