// A position in 48 bytes, and the rules of making a move: chess, Chess960 and double Chess960.
#pragma once
#include "lanes.h"
#include "warp.h"

// A man's code, as three planes spell it on each square. 0 is an empty square.
enum Man { EMPTY = 0, PAWN = 1, KNIGHT = 2, BISHOP = 3, ROOK = 4, QUEEN = 5, KING = 6 };

// `state`: side to move 1 bit (1 is Black) | rights to castle 4 (White short, long, Black short, long) |
// square of capture in passing 6 (0 for none) | half-move clock 7 | files of the four castling rooks, 3 each.
// `change`: what the last move did, for the network: see `make`.
struct Board {
    u64 planes[4];
    u64 hash;
    u32 state;
    u32 change;
};

const int RIGHTS_SHIFT = 1, PASSING_SHIFT = 5, CLOCK_SHIFT = 11, ROOKS_SHIFT = 18;
const u32 MOST_CLOCK = 127;

DEVICE int turn_of(const Board &board) { return board.state & 1; }
DEVICE int passing_square(const Board &board) { return board.state >> PASSING_SHIFT & 63; }
DEVICE int clock_of(const Board &board) { return board.state >> CLOCK_SHIFT & MOST_CLOCK; }
DEVICE int rook_file(const Board &board, int right) { return board.state >> (ROOKS_SHIFT + 3 * right) & 7; }

DEVICE int man_at(const Board &board, int square) {
    return (int)(board.planes[0] >> square & 1) | (int)(board.planes[1] >> square & 1) << 1 |
           (int)(board.planes[2] >> square & 1) << 2;
}

DEVICE u64 occupied(const Board &board) { return board.planes[0] | board.planes[1] | board.planes[2]; }
DEVICE u64 of_color(const Board &board, int color) { return color ? board.planes[3] : ~board.planes[3]; }
DEVICE u64 pawns(const Board &board) { return board.planes[0] & ~board.planes[1] & ~board.planes[2]; }
DEVICE u64 knights(const Board &board) { return ~board.planes[0] & board.planes[1] & ~board.planes[2]; }
DEVICE u64 diagonal_sliders(const Board &board) { return board.planes[0] & (board.planes[1] ^ board.planes[2]); }
DEVICE u64 straight_sliders(const Board &board) { return ~board.planes[1] & board.planes[2]; }
DEVICE u64 kings(const Board &board) { return ~board.planes[0] & board.planes[1] & board.planes[2]; }
DEVICE int king_of(const Board &board, int color) { return lowest(kings(board) & of_color(board, color)); }

// Men other than pawns and the king: without them a null move is not to be trusted.
DEVICE bool has_pieces(const Board &board) {
    return (occupied(board) & of_color(board, turn_of(board)) & ~pawns(board) & ~kings(board)) != 0;
}

// One side has only its king left.
DEVICE bool has_bare_king(const Board &board) {
    u64 all = occupied(board);
    return count(all & board.planes[3]) == 1 || count(all & ~board.planes[3]) == 1;
}

// No sequence of moves can lead to mate: bare kings, one minor piece, or bishops of one colour of squares.
DEVICE bool is_insufficient_material(const Board &board) {
    const u64 LIGHT = 0x55aa55aa55aa55aaull;
    if (pawns(board) | straight_sliders(board)) return false;
    u64 horses = knights(board), bishops = diagonal_sliders(board);
    if (horses) return !bishops && !(horses & (horses - 1));
    return !(bishops & LIGHT) || !(bishops & ~LIGHT);
}

enum Line { DIAGONAL = 0, ANTIDIAGONAL = 1, UPRIGHT = 2, ACROSS = 3, LEAP = 4, STEP = 5, PAWN_CAPTURE = 6 };

// What a slider attacks along a line, by the difference of occupancies on either side of it (o^(o-2r)).
DEVICE u64 slide(int square, int line, u64 men) {
    u64 mask = tables().lines[square][line], blockers = men & mask;
#ifdef __CUDACC__
    u64 up = blockers - (2ull << square);
    u64 down = reverse_bits(reverse_bits(blockers) - (2ull << (63 - square)));
#else
    // A byte swap turns all lines around but the rank, whose attacks are those of the flipped square.
    if (line == ACROSS) {
        int shift = square & 56, file = square & 7;
        u32 row = (u32)(men >> shift) & 255, right = row & (u32)(0xfe << file), left = row & ((1u << file) - 1);
        u32 end = right ? right & (0u - right) : 0x100, begin = left ? 1u << (31 - __builtin_clz(left)) : 1;
        u32 reached = ((end << 1) - 1) & ~(begin - 1) & 255 & ~(1u << file);
        return (u64)reached << shift;
    }
    u64 up = blockers - (2ull << square);
    u64 down = __builtin_bswap64(__builtin_bswap64(blockers) - 2 * __builtin_bswap64(1ull << square));
#endif
    return (up ^ down) & mask;
}

DEVICE u64 diagonal_attacks(int square, u64 men) { return slide(square, DIAGONAL, men) | slide(square, ANTIDIAGONAL, men); }
DEVICE u64 straight_attacks(int square, u64 men) { return slide(square, UPRIGHT, men) | slide(square, ACROSS, men); }

// Whether the enemies of `first_color` attack the first square (bit 0), and those of `second_color` the second
// (bit 1). On a GPU sixteen lanes look along eight lines each way.
DEVICE u32 attacked(const Board &board, int first, int first_color, int second, int second_color) {
    u64 men = occupied(board);
#ifdef __CUDACC__
    int line = lane() & 7;
    bool is_second = lane() >> 3 & 1;
    int square = is_second ? second : first, color = is_second ? second_color : first_color;
    u64 mask = tables().lines[square][line < PAWN_CAPTURE ? line : PAWN_CAPTURE + color];
    u64 blockers = men & mask;
    u64 reached = (blockers - (2ull << square)) ^ reverse_bits(reverse_bits(blockers) - (2ull << (63 - square)));
    u64 attack = line < LEAP ? reached & mask : mask;
    u64 attackers = line < UPRIGHT  ? diagonal_sliders(board)
                    : line < LEAP   ? straight_sliders(board)
                    : line == LEAP  ? knights(board)
                    : line == STEP  ? kings(board)
                                    : pawns(board);
    u32 hits = lanes_with((attack & attackers & of_color(board, !color)) != 0);
    return ((hits & 0x00ff) != 0 ? 1 : 0) | ((hits & 0xff00) != 0 ? 2 : 0);
#else
    u32 result = 0;
    for (int which = 0; which < 2; which++) {
        int square = which ? second : first, color = which ? second_color : first_color;
        u64 enemy = of_color(board, !color);
        const u64 *lines = tables().lines[square];
        u64 diagonal = diagonal_sliders(board) & enemy, straight = straight_sliders(board) & enemy;
        bool hit = (((lines[LEAP] & knights(board)) | (lines[STEP] & kings(board)) |
                     (lines[PAWN_CAPTURE + color] & pawns(board))) & enemy) ||
                   (((lines[DIAGONAL] | lines[ANTIDIAGONAL]) & diagonal) && (diagonal_attacks(square, men) & diagonal)) ||
                   (((lines[UPRIGHT] | lines[ACROSS]) & straight) && (straight_attacks(square, men) & straight));
        result |= (u32)hit << which;
    }
    return result;
#endif
}

// Bit 0: White's king is attacked; bit 1: Black's.
CALLED u32 attacked_kings(const Board &board) {
    return attacked(board, king_of(board, 0), 0, king_of(board, 1), 1);
}

// A move has the bits of chess::Move: origin 6, target 6, kind 4. Castling is the king taking its own rook.
enum Kind { NORMAL = 0, DOUBLE_PUSH = 1, CASTLE = 2, IN_PASSING = 3, PROMOTION = 4 };
const u32 MOVE_BITS = 0x7fff;

DEVICE int from_of(u32 move) { return move & 63; }
DEVICE int to_of(u32 move) { return move >> 6 & 63; }
DEVICE int kind_of(u32 move) { return move >> 12 & 7; }

// What a move takes.
DEVICE int captured_by(const Board &board, u32 move) {
    int kind = kind_of(move);
    return kind == IN_PASSING ? PAWN : kind == CASTLE ? EMPTY : man_at(board, to_of(move));
}

// Captures and promotions.
DEVICE bool is_noisy(const Board &board, u32 move) {
    return kind_of(move) >= IN_PASSING || captured_by(board, move) != EMPTY;
}

// Whether a pawn that has just gone two squares, over `square`, can be taken in passing without exposing the
// king. Only sliders can forbid it: had another man given check, it would have been ours to answer before.
DEVICE bool can_be_taken_in_passing(const Board &board, int square, int us) {
    u64 enemies = of_color(board, !us), men = occupied(board);
    int king = king_of(board, !us);
    u64 diagonal = diagonal_sliders(board) & ~enemies, straight = straight_sliders(board) & ~enemies;
    u64 takers = tables().lines[square][PAWN_CAPTURE + us] & pawns(board) & enemies;
    ROLLED while (takers) {
        u64 after = (men ^ (takers & (0 - takers)) ^ (1ull << (square ^ 8))) | 1ull << square;
        takers &= takers - 1;
        if (!(diagonal_attacks(king, after) & diagonal) && !(straight_attacks(king, after) & straight)) return true;
    }
    return false;
}

// Makes a pseudo-legal move. `change`: origin 6 | target 6 | man 3 | what it becomes 3 | captured 3 | its square,
// or the castling rook's, 6 | castling 1.
CALLED void make(const Board &board, u32 move, Board &child) {
    int from = from_of(move), to = to_of(move), kind = kind_of(move), us = turn_of(board);
    int man = man_at(board, from), captured = captured_by(board, move), captured_square = to, rook = 0, rook_to = 0;
    int becomes = kind >= PROMOTION ? kind - PROMOTION + KNIGHT : man;
    u64 touched = 1ull << from | 1ull << to;
    bool castles = kind == CASTLE;
    if (kind == IN_PASSING) captured_square = to ^ 8;
    if (castles) {
        rook = captured_square = to;
        to = (from & 56) | (rook > from ? 6 : 2);
        rook_to = to + (rook > from ? -1 : 1);
    }
    u64 gone = touched | 1ull << captured_square, target = 1ull << to;
    u64 low = board.planes[0] & ~gone, middle = board.planes[1] & ~gone, high = board.planes[2] & ~gone;
    u64 black = board.planes[3] & ~gone;
    if (becomes & 1) low |= target;
    if (becomes & 2) middle |= target;
    if (becomes & 4) high |= target;
    if (us) black |= target;
    const u64(*keys)[64] = tables().men;
    u64 hash = board.hash ^ tables().black_to_move ^ keys[us * 6 + man - 1][from] ^ keys[us * 6 + becomes - 1][to];
    if (captured) hash ^= keys[(us ^ 1) * 6 + captured - 1][captured_square];
    if (castles) {
        high |= 1ull << rook_to;
        if (us) black |= 1ull << rook_to;
        hash ^= keys[us * 6 + ROOK - 1][rook] ^ keys[us * 6 + ROOK - 1][rook_to];
    }
    u32 state = board.state, rights = state >> RIGHTS_SHIFT & 15;
    if (rights) {
        u32 left = rights;
        if (man == KING) left &= us ? 3 : 12;
        UNROLLED for (int right = 0; right < 4; right++) {
            if (touched >> (rook_file(board, right) + (right >= 2 ? 56 : 0)) & 1) left &= ~(1u << right);
        }
        hash ^= tables().castling[rights] ^ tables().castling[left];
        rights = left;
    }
    int passing = passing_square(board), clock = man == PAWN || captured ? 0 : smaller(clock_of(board) + 1, MOST_CLOCK);
    if (passing) hash ^= tables().en_passant[passing & 7];
    state = (state >> ROOKS_SHIFT << ROOKS_SHIFT) | (us ^ 1) | rights << RIGHTS_SHIFT | clock << CLOCK_SHIFT;
    child.planes[0] = low;
    child.planes[1] = middle;
    child.planes[2] = high;
    child.planes[3] = black;
    if (kind == DOUBLE_PUSH) {
        int square = (from + to) >> 1;
        if (can_be_taken_in_passing(child, square, us)) {
            state |= square << PASSING_SHIFT;
            hash ^= tables().en_passant[square & 7];
        }
    }
    child.hash = hash;
    child.state = state;
    child.change = from | to << 6 | man << 12 | becomes << 15 | captured << 18 | captured_square << 21 | (u32)castles << 27;
}

// Passes the move.
DEVICE void make_null(const Board &board, Board &child) {
    child = board;
    int passing = passing_square(board);
    child.hash ^= tables().black_to_move ^ (passing ? tables().en_passant[passing & 7] : 0);
    child.state = (board.state ^ 1) & ~(63u << PASSING_SHIFT);
    child.change = 0;
}

// Whether the squares that a castling king crosses are safe. Where it ends is looked at like any other king.
CALLED bool is_way_safe(const Board &board, u32 move) {
    int from = from_of(move), us = turn_of(board), end = (from & 56) | (to_of(move) > from ? 6 : 2);
    int step = end > from ? 1 : -1;
    ROLLED for (int square = from; square != end; square += step) {
        if (attacked(board, square, us, square, us) & 1) return false;
    }
    return true;
}

// The hash key from nothing.
DEVICE u64 hash_of(const Board &board) {
    u64 hash = tables().castling[board.state >> RIGHTS_SHIFT & 15] ^ (turn_of(board) ? tables().black_to_move : 0);
    int passing = passing_square(board);
    if (passing) hash ^= tables().en_passant[passing & 7];
    ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
        int square = lowest(left);
        hash ^= tables().men[(board.planes[3] >> square & 1) * 6 + man_at(board, square) - 1][square];
    }
    return hash;
}

DEVICE void set_board(Board &board, const Start &start) {
    UNROLLED for (int plane = 0; plane < 4; plane++) board.planes[plane] = start.planes[plane];
    board.state = start.state;
    board.change = 0;
    board.hash = hash_of(board);
}
