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
DEVICE int king_of(const Board &board, int color) { return only(kings(board) & of_color(board, color)); }

// Men other than pawns and the king: without them a null move is not to be trusted.
DEVICE bool has_pieces(const Board &board) {
    return (occupied(board) & of_color(board, turn_of(board)) & ~pawns(board) & ~kings(board)) != 0;
}

// No sequence of moves can lead to mate: bare kings, one minor piece, or bishops of one colour of squares.
DEVICE bool is_insufficient_material(const Board &board) {
    const u64 LIGHT = 0x55aa55aa55aa55aaull;
    if (agreed(pawns(board) | straight_sliders(board))) return false;
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

// The men that attack along a line: from 0, the diagonals, to 6, the captures of pawns. By masks, since each lane looks along
// a line of its own and branches would be taken one after the other.
DEVICE u64 attackers_by(const Board &board, int line) {
    const u64 *planes = board.planes, is_straight = line >= UPRIGHT ? ~0ull : 0;
    const u64 is_king = line == STEP ? ~0ull : 0, is_pawn = line >= PAWN_CAPTURE ? ~0ull : 0;
    const u64 sliders = (is_straight ? planes[2] & ~planes[1] : planes[1] ^ planes[2]) & (planes[0] | is_straight);
    const u64 leapers = (is_pawn ? planes[0] & ~planes[1] : ~planes[0] & planes[1]) & (planes[2] ^ ~is_king);
    return line < LEAP ? sliders : leapers;
}

// The enemies of `color` that attack a square along a line.
DEVICE u64 attackers_on(const Board &board, int square, int color, int line) {
    const int index = line < PAWN_CAPTURE ? line : PAWN_CAPTURE + color;
    const u64 reached = slide(square, index, occupied(board)), attack = line < LEAP ? reached : tables().lines[square][index];
    return attack & attackers_by(board, line) & of_color(board, !color);
}

const int LINES = 7;

// Whether enemies of `color` attack a square.
DEVICE bool is_attacked(const Board &board, int square, int color) {
    bool found = false;
    for (int line = lane() & 7; line < LINES; line += LANES) found = found || attackers_on(board, square, color, line);
    return lanes_with(found) != 0;
}

// Bit 0: White's king is attacked; bit 1: Black's. Eight lanes look at each.
DEVICE u32 attacked_kings(const Board &board) {
#ifdef __CUDACC__
    const int color = lane() >> 3 & 1;
    const u32 hits = lanes_with(attackers_on(board, king_of(board, color), color, lane() & 7) != 0);
    return (hits & 0x00ff ? 1 : 0) | (hits & 0xff00 ? 2 : 0);
#else
    return is_attacked(board, king_of(board, 0), 0) | is_attacked(board, king_of(board, 1), 1) << 1;
#endif
}

// The numbers that a hash key is made of lie one after the other in `Tables`: those of twelve men, then a row for
// the state, in which castling rights come first.
const u32 STATE_KEYS = 12, PASSING_KEYS = 16, BLACK_KEY = 24;

DEVICE u64 key_of(u32 row, u32 place) { return tables().keys[row * 64 + place]; }
DEVICE u64 key_of_man(int color, int man, int square) { return key_of(color * 6 + man - 1, square); }
DEVICE u64 key_of_black() { return key_of(STATE_KEYS, BLACK_KEY); }
DEVICE u64 key_of_passing(int square) { return key_of(STATE_KEYS, PASSING_KEYS + (square & 7)); }

// A move has the bits of chess::Move: origin 6, target 6, kind 3 (the fourth is never set). Castling is the king taking its own rook.
enum Kind { NORMAL = 0, DOUBLE_PUSH = 1, CASTLE = 2, IN_PASSING = 3, PROMOTION = 4 };
const u32 MOVE_BITS = 0x7fff;

DEVICE int from_of(u32 move) { return move & 63; }
DEVICE int to_of(u32 move) { return move >> 6 & 63; }
DEVICE int kind_of(u32 move) { return move >> 12 & 7; }

// What a move takes.
DEVICE int captured_by(const Board &board, u32 move) {
    const int kind = kind_of(move), man = man_at(board, to_of(move));
    return kind == IN_PASSING ? PAWN : kind == CASTLE ? EMPTY : man;
}

// Captures and promotions.
DEVICE bool is_noisy(const Board &board, u32 move) {
    return (kind_of(move) >= IN_PASSING) | (captured_by(board, move) != EMPTY);
}

// Whether a pawn that goes two squares, over `square`, can be taken in passing without exposing the king. Only
// sliders can forbid it: had another man given check, it would have been ours to answer before.
DEVICE bool can_be_taken_in_passing(const Board &board, int from, int square, int us) {
    const u64 enemies = of_color(board, !us);
    u64 takers = tables().lines[square][PAWN_CAPTURE + us] & pawns(board) & enemies;
    if (agreed(!takers)) return false;
    const u64 men = (occupied(board) & ~(1ull << from)) | 1ull << square;
    const int king = king_of(board, !us);
    const u64 diagonal = diagonal_sliders(board) & ~enemies, straight = straight_sliders(board) & ~enemies;
    ROLLED for (; agreed(takers != 0); takers &= takers - 1) {
        const u64 after = men & ~(takers & (0 - takers));
        if (agreed(!(diagonal_attacks(king, after) & diagonal) && !(straight_attacks(king, after) & straight))) return true;
    }
    return false;
}

// No square: `bit_or_none` has no bit for it, in either half of a set.
const int NOWHERE = 128;

// Makes a pseudo-legal move. `change`: origin 6 | target 6 | man 3 | what it becomes 3 | captured 3 | its square,
// or the castling rook's, 6 | castling 1. Each lane makes one of the child's twelve words, so the child must lie where
// all lanes see it. What few moves need is behind branches.
DEVICE void make(const Board &board, u32 move, Board &child) {
    const u32 state = board.state;
    const int from = from_of(move), target = to_of(move), kind = kind_of(move), us = turn_of(board), man = man_at(board, from);
    const int becomes = kind >= PROMOTION ? kind - PROMOTION + KNIGHT : man;
    int to = target, captured = man_at(board, target), captured_square = target, rook_to = NOWHERE;
    u32 castles = 0;
    u64 hash = board.hash ^ key_of_black();
    if (agreed(kind == CASTLE || kind == IN_PASSING)) {
        castles = kind == CASTLE;
        captured = castles ? EMPTY : PAWN;
        if (castles) {
            to = (from & 56) | (target > from ? 6 : 2);
            rook_to = target > from ? to - 1 : to + 1;
            hash ^= key_of_man(us, ROOK, target) ^ key_of_man(us, ROOK, rook_to);
        } else {
            captured_square = target ^ 8;
        }
    }
    hash ^= key_of_man(us, man, from) ^ key_of_man(us, becomes, to);
    if (agreed(captured)) hash ^= key_of_man(us ^ 1, captured, captured_square);

    u32 left = state >> RIGHTS_SHIFT & 15;
    if (agreed(state & ((1u << CLOCK_SHIFT) - (1u << RIGHTS_SHIFT)))) {
        // A right is lost when its rook moves or is taken, or when the king moves.
        const int passing = passing_square(board);
        const u32 rights = left;
        u32 lost = man == KING ? us ? 12 : 3 : 0;
        for (int right = lane() & 3; right < 4; right += LANES) {
            const int rook = rook_file(board, right) + (right >= 2 ? 56 : 0);
            if (rook == from || rook == target) lost |= 1u << right;
        }
        left &= ~or_of_lanes(lost);
        hash ^= key_of(STATE_KEYS, rights) ^ key_of(STATE_KEYS, left) ^ (passing ? key_of_passing(passing) : 0);
    }

    const int clock = man == PAWN || captured ? 0 : smaller(clock_of(board) + 1, MOST_CLOCK);
    u32 after = (state >> ROOKS_SHIFT << ROOKS_SHIFT) | (us ^ 1) | left << RIGHTS_SHIFT | clock << CLOCK_SHIFT;
    if (agreed(kind == DOUBLE_PUSH)) {
        const int square = (from + to) >> 1;
        if (can_be_taken_in_passing(board, from, square, us)) {
            after |= square << PASSING_SHIFT;
            hash ^= key_of_passing(square);
        }
    }

    const u32 change = from | to << 6 | man << 12 | becomes << 15 | captured << 18 | captured_square << 21 | castles << 27;
    sync_lanes();
    for (int first = 0; first < 12; first += LANES) {
        const int word = first + lane(), plane = word >> 1, half = (word & 1) * 32;
        const u32 gone = bit_or_none(from - half) | bit_or_none(target - half) | bit_or_none(captured_square - half);
        u32 come = (becomes | us << 3) >> plane & 1 ? bit_or_none(to - half) : 0;
        if ((ROOK | us << 3) >> plane & 1) come |= bit_or_none(rook_to - half);
        const u32 fact = word == 8 ? (u32)hash : word == 9 ? (u32)(hash >> 32) : word == 10 ? after : change;
        const u32 value = word < 8 ? (((const u32 *)board.planes)[word] & ~gone) | come : fact;
        if (word < 12) ((u32 *)&child)[word] = value;
    }
    sync_lanes();
}

// Passes the move.
DEVICE void make_null(const Board &board, Board &child) {
    // Made aside and written once: no lane may read what another has written already.
    Board after = board;
    const int passing = passing_square(board);
    after.hash ^= key_of_black() ^ (passing ? key_of_passing(passing) : 0);
    after.state = (board.state ^ 1) & ~(63u << PASSING_SHIFT);
    after.change = 0;
    child = after;
}

// Whether the squares that a castling king crosses are safe. Where it ends is looked at like any other king.
DEVICE bool is_way_safe(const Board &board, u32 move) {
    int from = from_of(move), us = turn_of(board), end = (from & 56) | (to_of(move) > from ? 6 : 2);
    int step = end > from ? 1 : -1;
    ROLLED for (int square = from; agreed(square != end); square += step) {
        if (agreed(is_attacked(board, square, us))) return false;
    }
    return true;
}

// The hash key from nothing.
DEVICE u64 hash_of(const Board &board) {
    u64 hash = key_of(STATE_KEYS, board.state >> RIGHTS_SHIFT & 15) ^ (turn_of(board) ? key_of_black() : 0);
    int passing = passing_square(board);
    if (passing) hash ^= key_of_passing(passing);
    ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
        int square = lowest(left);
        hash ^= key_of_man((int)(board.planes[3] >> square & 1), man_at(board, square), square);
    }
    return hash;
}

DEVICE void set_board(Board &board, const Start &start) {
    UNROLLED for (int plane = 0; plane < 4; plane++) board.planes[plane] = start.planes[plane];
    board.state = start.state;
    board.change = 0;
    board.hash = hash_of(board);
}
