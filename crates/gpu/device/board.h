// A position in 48 bytes, attacks and making moves: chess, Chess960 and DFRC.
#pragma once
#include "memory.h"

// Piece types as the three planes encode them.
enum Piece { EMPTY = 0, PAWN = 1, KNIGHT = 2, BISHOP = 3, ROOK = 4, QUEEN = 5, KING = 6 };

// `state`: side to move 1 bit (1 is Black) | castling rights 4 (White short, long, Black short, long) |
// en passant square 6 (0 for none) | halfmove clock 7 | files of the four castling rooks, 3 each.
// `change`: the dirty pieces of the last move, for the accumulator: see `make`.
struct Board {
    u64 planes[4];
    u64 hash;
    u32 state;
    u32 change;
};

const int RIGHTS_SHIFT = 1, EN_PASSANT_SHIFT = 5, CLOCK_SHIFT = 11, ROOKS_SHIFT = 18;
const int MAX_CLOCK = 127;

DEVICE int turn_of(const Board &board) { return board.state & 1; }
DEVICE int en_passant_square(const Board &board) { return board.state >> EN_PASSANT_SHIFT & 63; }
DEVICE int clock_of(const Board &board) { return board.state >> CLOCK_SHIFT & MAX_CLOCK; }
DEVICE int rook_file(const Board &board, int right) { return board.state >> (ROOKS_SHIFT + 3 * right) & 7; }

DEVICE int piece_at(const Board &board, int square) {
    return (int)(board.planes[0] >> square & 1) | (int)(board.planes[1] >> square & 1) << 1 |
           (int)(board.planes[2] >> square & 1) << 2;
}

DEVICE u64 occupied(const Board &board) { return board.planes[0] | board.planes[1] | board.planes[2]; }
DEVICE u64 of_color(const Board &board, int color) { return color ? board.planes[3] : ~board.planes[3]; }
DEVICE u64 pawns(const Board &board) { return board.planes[0] & ~board.planes[1] & ~board.planes[2]; }
DEVICE u64 knights(const Board &board) { return ~board.planes[0] & board.planes[1] & ~board.planes[2]; }
DEVICE u64 diagonal_sliders(const Board &board) { return board.planes[0] & (board.planes[1] ^ board.planes[2]); }
DEVICE u64 orthogonal_sliders(const Board &board) { return ~board.planes[1] & board.planes[2]; }
DEVICE u64 kings(const Board &board) { return ~board.planes[0] & board.planes[1] & board.planes[2]; }
DEVICE int king_of(const Board &board, int color) { return sole_bit(kings(board) & of_color(board, color)); }

// Null moves are unsound without it: zugzwang.
DEVICE bool has_non_pawn_material(const Board &board) {
    return (occupied(board) & of_color(board, turn_of(board)) & ~pawns(board) & ~kings(board)) != 0;
}

// Bare kings, one minor piece, or bishops on squares of one colour.
DEVICE bool is_insufficient_material(const Board &board) {
    const u64 LIGHT = 0x55aa55aa55aa55aaull;
    if (uniform(pawns(board) | orthogonal_sliders(board))) return false;
    u64 knight_set = knights(board), bishops = diagonal_sliders(board);
    if (knight_set) return !bishops && !(knight_set & (knight_set - 1));
    return !(bishops & LIGHT) || !(bishops & ~LIGHT);
}

enum Line {
    DIAGONAL = 0,
    ANTIDIAGONAL = 1,
    FILE_LINE = 2,
    RANK_LINE = 3,
    KNIGHT_STEP = 4,
    KING_STEP = 5,
    PAWN_CAPTURE = 6
};

// Sliding attacks along a line by o^(o-2r).
DEVICE u64 slide(int square, int line, u64 occupancy) {
    u64 mask = lookup().lines[square][line], blockers = occupancy & mask;
#ifdef __CUDACC__
    u64 up = blockers - (2ull << square);
    u64 down = reverse_bits(reverse_bits(blockers) - (2ull << (63 - square)));
#else
    // A byte swap reverses all lines except ranks.
    if (line == RANK_LINE) {
        int shift = square & 56, file = square & 7;
        u32 row = (u32)(occupancy >> shift) & 255, right = row & (u32)(0xfe << file), left = row & ((1u << file) - 1);
        u32 end = right ? right & (0u - right) : 0x100, begin = left ? 1u << (31 - __builtin_clz(left)) : 1;
        u32 reached = ((end << 1) - 1) & ~(begin - 1) & 255 & ~(1u << file);
        return (u64)reached << shift;
    }
    u64 up = blockers - (2ull << square);
    u64 down = __builtin_bswap64(__builtin_bswap64(blockers) - 2 * __builtin_bswap64(1ull << square));
#endif
    return (up ^ down) & mask;
}

DEVICE u64 bishop_attacks(int square, u64 occupancy) {
    return slide(square, DIAGONAL, occupancy) | slide(square, ANTIDIAGONAL, occupancy);
}
DEVICE u64 rook_attacks(int square, u64 occupancy) {
    return slide(square, FILE_LINE, occupancy) | slide(square, RANK_LINE, occupancy);
}

// The pieces that attack along a line: from 0, diagonals, to 6, pawn captures. Branch-free, since each lane has a line of
// its own and divergent branches would be serialized.
DEVICE u64 attackers_by(const Board &board, int line) {
    const u64 *planes = board.planes, is_orthogonal = line >= FILE_LINE ? ~0ull : 0;
    const u64 is_king = line == KING_STEP ? ~0ull : 0, is_pawn = line >= PAWN_CAPTURE ? ~0ull : 0;
    const u64 sliders = (is_orthogonal ? planes[2] & ~planes[1] : planes[1] ^ planes[2]) & (planes[0] | is_orthogonal);
    const u64 leapers = (is_pawn ? planes[0] & ~planes[1] : ~planes[0] & planes[1]) & (planes[2] ^ ~is_king);
    return line < KNIGHT_STEP ? sliders : leapers;
}

// Attackers of a square along a line, of the side opposing `color`.
DEVICE u64 attackers_on(const Board &board, int square, int color, int line) {
    const int index = line < PAWN_CAPTURE ? line : PAWN_CAPTURE + color;
    const u64 reached = slide(square, index, occupied(board)),
              attack = line < KNIGHT_STEP ? reached : lookup().lines[square][index];
    return attack & attackers_by(board, line) & of_color(board, !color);
}

const int LINES = 7;

// Whether the side opposing `color` attacks a square.
DEVICE bool is_attacked(const Board &board, int square, int color) {
    bool found = false;
    for (int line = lane() & 7; line < LINES; line += LANES) found = found || attackers_on(board, square, color, line);
    return ballot(found) != 0;
}

// Bit 0: White is in check; bit 1: Black is. Eight lanes each.
DEVICE u32 attacked_kings(const Board &board) {
#ifdef __CUDACC__
    const int color = lane() >> 3 & 1;
    const u32 hits = ballot(attackers_on(board, king_of(board, color), color, lane() & 7) != 0);
    return (hits & 0x00ff ? 1 : 0) | (hits & 0xff00 ? 2 : 0);
#else
    return is_attacked(board, king_of(board, 0), 0) | is_attacked(board, king_of(board, 1), 1) << 1;
#endif
}

// Zobrist keys lie consecutively in `LookupTables`: twelve rows of pieces, then a row for the state, castling rights first.
const u32 STATE_KEYS = 12, EN_PASSANT_KEYS = 16, BLACK_KEY = 24;

DEVICE u64 hash_key(u32 row, u32 place) { return lookup().keys[row * 64 + place]; }
DEVICE u64 piece_key(int color, int piece, int square) { return hash_key(color * 6 + piece - 1, square); }
DEVICE u64 black_key() { return hash_key(STATE_KEYS, BLACK_KEY); }
DEVICE u64 en_passant_key(int square) { return hash_key(STATE_KEYS, EN_PASSANT_KEYS + (square & 7)); }

// Moves have the bits of chess::Move: origin 6, target 6, kind 3 (the fourth is never set). Castling is king takes rook.
enum Kind { NORMAL = 0, DOUBLE_PUSH = 1, CASTLE = 2, EN_PASSANT = 3, PROMOTION = 4 };
const u32 MOVE_BITS = 0x7fff;

DEVICE int from_of(u32 move) { return move & 63; }
DEVICE int to_of(u32 move) { return move >> 6 & 63; }
DEVICE int kind_of(u32 move) { return move >> 12 & 7; }

DEVICE int captured_by(const Board &board, u32 move) {
    const int kind = kind_of(move), piece = piece_at(board, to_of(move));
    return kind == EN_PASSANT ? PAWN : kind == CASTLE ? EMPTY : piece;
}

// Captures and promotions.
DEVICE bool is_noisy(const Board &board, u32 move) {
    return (kind_of(move) >= EN_PASSANT) | (captured_by(board, move) != EMPTY);
}

// Whether a double push over `square` allows a legal en passant capture. Only discovered attacks by sliders can forbid it.
DEVICE bool can_be_captured_en_passant(const Board &board, int from, int square, int us) {
    const u64 enemies = of_color(board, !us);
    u64 takers = lookup().lines[square][PAWN_CAPTURE + us] & pawns(board) & enemies;
    if (uniform(!takers)) return false;
    const u64 occupancy = (occupied(board) & ~(1ull << from)) | 1ull << square;
    const int king = king_of(board, !us);
    const u64 diagonal = diagonal_sliders(board) & ~enemies, orthogonal = orthogonal_sliders(board) & ~enemies;
    ROLLED for (; uniform(takers != 0); takers &= takers - 1) {
        const u64 after = occupancy & ~(takers & (0 - takers));
        if (uniform(!(bishop_attacks(king, after) & diagonal) && !(rook_attacks(king, after) & orthogonal)))
            return true;
    }
    return false;
}

// No square: `bit_or_zero` gives 0 for it, in either half of a bitboard.
const int NOWHERE = 128;

// Makes a pseudo-legal move. `change`: origin 6 | target 6 | piece 3 | piece after promotion 3 | captured 3 | its square,
// or the castling rook's, 6 | castling 1. Each lane writes one of the child's twelve words, so the child must be in memory
// that all lanes see. What few moves need is behind branches.
DEVICE void make(const Board &board, u32 move, Board &child) {
    const u32 state = board.state;
    const int from = from_of(move), target = to_of(move), kind = kind_of(move), us = turn_of(board),
              piece = piece_at(board, from);
    const int becomes = kind >= PROMOTION ? kind - PROMOTION + KNIGHT : piece;
    int to = target, captured = piece_at(board, target), captured_square = target, rook_to = NOWHERE;
    u32 castles = 0;
    u64 hash = board.hash ^ black_key();
    if (uniform(kind == CASTLE || kind == EN_PASSANT)) {
        castles = kind == CASTLE;
        captured = castles ? EMPTY : PAWN;
        if (castles) {
            to = (from & 56) | (target > from ? 6 : 2);
            rook_to = target > from ? to - 1 : to + 1;
            hash ^= piece_key(us, ROOK, target) ^ piece_key(us, ROOK, rook_to);
        } else {
            captured_square = target ^ 8;
        }
    }
    hash ^= piece_key(us, piece, from) ^ piece_key(us, becomes, to);
    if (uniform(captured)) hash ^= piece_key(us ^ 1, captured, captured_square);

    u32 left = state >> RIGHTS_SHIFT & 15;
    if (uniform(state & ((1u << CLOCK_SHIFT) - (1u << RIGHTS_SHIFT)))) {
        // A right is lost when its rook moves or is captured, or when the king moves.
        const int en_passant = en_passant_square(board);
        const u32 rights = left;
        u32 lost = piece == KING ? us ? 12 : 3 : 0;
        for (int right = lane() & 3; right < 4; right += LANES) {
            const int rook = rook_file(board, right) + (right >= 2 ? 56 : 0);
            if (rook == from || rook == target) lost |= 1u << right;
        }
        left &= ~warp_or(lost);
        hash ^=
            hash_key(STATE_KEYS, rights) ^ hash_key(STATE_KEYS, left) ^ (en_passant ? en_passant_key(en_passant) : 0);
    }

    const int clock = piece == PAWN || captured ? 0 : min(clock_of(board) + 1, MAX_CLOCK);
    u32 after = (state >> ROOKS_SHIFT << ROOKS_SHIFT) | (us ^ 1) | left << RIGHTS_SHIFT | clock << CLOCK_SHIFT;
    if (uniform(kind == DOUBLE_PUSH)) {
        const int square = (from + to) >> 1;
        if (can_be_captured_en_passant(board, from, square, us)) {
            after |= square << EN_PASSANT_SHIFT;
            hash ^= en_passant_key(square);
        }
    }

    const u32 change =
        from | to << 6 | piece << 12 | becomes << 15 | captured << 18 | captured_square << 21 | castles << 27;
    sync_warp();
    for (int first = 0; first < 12; first += LANES) {
        const int word = first + lane(), plane = word >> 1, half = (word & 1) * 32;
        const u32 cleared = bit_or_zero(from - half) | bit_or_zero(target - half) | bit_or_zero(captured_square - half);
        u32 added = (becomes | us << 3) >> plane & 1 ? bit_or_zero(to - half) : 0;
        if ((ROOK | us << 3) >> plane & 1) added |= bit_or_zero(rook_to - half);
        const u32 scalar = word == 8 ? (u32)hash : word == 9 ? (u32)(hash >> 32) : word == 10 ? after : change;
        const u32 value = word < 8 ? (((const u32 *)board.planes)[word] & ~cleared) | added : scalar;
        if (word < 12) ((u32 *)&child)[word] = value;
    }
    sync_warp();
}

DEVICE void make_null(const Board &board, Board &child) {
    // A local copy, written once: no lane may read what another has already written.
    Board after = board;
    const int en_passant = en_passant_square(board);
    after.hash ^= black_key() ^ (en_passant ? en_passant_key(en_passant) : 0);
    after.state = (board.state ^ 1) & ~(63u << EN_PASSANT_SHIFT);
    after.change = 0;
    child = after;
}

// Whether the squares that a castling king crosses are safe. Its destination is checked after the move, as for all moves.
DEVICE bool is_castling_path_safe(const Board &board, u32 move) {
    int from = from_of(move), us = turn_of(board), end = (from & 56) | (to_of(move) > from ? 6 : 2);
    int step = end > from ? 1 : -1;
    ROLLED for (int square = from; uniform(square != end); square += step) {
        if (uniform(is_attacked(board, square, us))) return false;
    }
    return true;
}

// The hash key computed from scratch.
DEVICE u64 hash_of(const Board &board) {
    u64 hash = hash_key(STATE_KEYS, board.state >> RIGHTS_SHIFT & 15) ^ (turn_of(board) ? black_key() : 0);
    int en_passant = en_passant_square(board);
    if (en_passant) hash ^= en_passant_key(en_passant);
    ROLLED for (u64 left = occupied(board); left; left &= left - 1) {
        int square = lsb(left);
        hash ^= piece_key((int)(board.planes[3] >> square & 1), piece_at(board, square), square);
    }
    return hash;
}

DEVICE void set_board(Board &board, const DevicePosition &start) {
    UNROLLED for (int plane = 0; plane < 4; plane++) board.planes[plane] = start.planes[plane];
    board.state = start.state;
    board.change = 0;
    board.hash = hash_of(board);
}
