// Static exchange evaluation. Ignores pins, unlike crates/chess.
#pragma once
#include "board.h"

// Piece values as in chess::Role: a byte each, in tens. Nothing captures a king, so its value is the maximum.
DEVICE int see_value(int piece) { return 10 * byte_of(0x00ff5f3221200a00ull, piece); }

// Whether a move wins at least `threshold`. Each lane may have a move of its own.
DEVICE bool see_ge(const Board &board, u32 move, int threshold) {
    int from = from_of(move), to = to_of(move), kind = kind_of(move);
    if (kind == CASTLE) return threshold <= 0;
    int standing = piece_at(board, from), gain = see_value(captured_by(board, move));
    if (kind >= PROMOTION) {
        standing = kind - PROMOTION + KNIGHT;
        gain += see_value(standing) - see_value(PAWN);
    }
    // The margin over the threshold if nobody recaptures, then if the moved piece is lost for nothing.
    int balance = gain - threshold;
    if (balance < 0) return false;
    balance = see_value(standing) - balance;
    if (balance <= 0) return true;
    u64 occupancy = (occupied(board) & ~(1ull << from)) | 1ull << to;
    if (kind == EN_PASSANT) occupancy &= ~(1ull << (to ^ 8));
    u64 diagonal = diagonal_sliders(board), orthogonal = orthogonal_sliders(board), pawn_set = pawns(board),
        knight_set = knights(board);
    const u64 *lines = lookup().lines[to];
    u64 attackers = (lines[KNIGHT_STEP] & knight_set) | (lines[KING_STEP] & kings(board)) |
                    (lines[PAWN_CAPTURE] & pawn_set & board.planes[3]) |
                    (lines[PAWN_CAPTURE + 1] & pawn_set & ~board.planes[3]) |
                    (bishop_attacks(to, occupancy) & diagonal) | (rook_attacks(to, occupancy) & orthogonal);
    int side = turn_of(board);
    bool wins = true;
    ROLLED for (;;) {
        side ^= 1;
        attackers &= occupancy;
        u64 own = attackers & of_color(board, side), attacker;
        if (!own) break;
        wins = !wins;
        int value;
        if ((attacker = own & pawn_set)) value = 100;
        else if ((attacker = own & knight_set)) value = 320;
        else if ((attacker = own & diagonal & ~orthogonal)) value = 330;
        else if ((attacker = own & orthogonal & ~diagonal)) value = 500;
        else if ((attacker = own & diagonal)) value = 950;
        else return attackers & of_color(board, !side) ? !wins : wins;  // A king may not move into check.
        balance = value - balance;
        if (balance < (wins ? 1 : 0)) break;
        occupancy &= ~(attacker & (0 - attacker));
        if (value == 100 || value == 330 || value == 950) attackers |= bishop_attacks(to, occupancy) & diagonal;
        if (value >= 500) attackers |= rook_attacks(to, occupancy) & orthogonal;
    }
    return wins;
}
