// The order of moves, and what the search learns: histories of quiet moves and captures, corrections of the
// evaluation. As in crates/engine/src/order, with fewer tables.
#pragma once
#include "exchange.h"
#include "moves.h"

// A move's rank is the upper half of its list entry. The search writes the two lowest ones itself.
const u32 HANDED_OUT = 0, SEARCHED = 1, BAD_NOISY = 2, QUIET = 12288, GOOD_NOISY = 45056, TABLE_MOVE = 65535;

DEVICE u32 rank_of(u32 entry) { return entry >> 16; }
DEVICE u32 move_of(u32 entry) { return entry & MOVE_BITS; }

// A man and where it moved to, by which later moves are filed. 0, a white pawn on a1, stands for none.
DEVICE u32 piece_to(const Board &board, u32 move) {
    return (turn_of(board) * 6 + man_at(board, from_of(move)) - 1) * 64 + to_of(move);
}

// By what a node's moves are filed: the moves one, two and four plies before, the squares that the enemy attacks,
// the pawn structure.
struct Setting {
    u64 threats;
    u32 last, second, fourth, structure;
};

const int HISTORY_LIMIT = 16384;

DEVICE void learn(i16 &entry, int bonus) {
    int value = entry;
    entry = (i16)(value + bonus - value * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT);
}

DEVICE i16 &quiet_entry(Brain &brain, const Board &board, const Setting &setting, u32 move) {
    u32 attacked = (u32)(setting.threats >> from_of(move) & 1) << 1 | (u32)(setting.threats >> to_of(move) & 1);
    return brain.quiet[turn_of(board) << 14 | attacked << 12 | (move & 4095)];
}

DEVICE i16 &noisy_entry(Brain &brain, const Board &board, u32 move) {
    return brain.noisy[piece_to(board, move) * 8 + captured_by(board, move)];
}

DEVICE i16 &continuation_entry(Brain &brain, u32 before, u32 moved) { return brain.continuation[before * PIECE_TO + moved]; }

DEVICE i16 &pawn_entry(Brain &brain, const Setting &setting, u32 moved) {
    return brain.pawn[(setting.structure & (PAWN_STRUCTURES - 1)) * PIECE_TO + moved];
}

// How well a quiet move did.
DEVICE int quiet_history(Brain &brain, const Board &board, const Setting &setting, u32 move) {
    u32 moved = piece_to(board, move);
    return quiet_entry(brain, board, setting, move) + pawn_entry(brain, setting, moved) +
           continuation_entry(brain, setting.last, moved) + continuation_entry(brain, setting.second, moved) +
           continuation_entry(brain, setting.fourth, moved) / 2;
}

// Gives every move of a list its rank. Captures that win less than `threshold` come last; in check all captures
// come first.
DEVICE void rank_moves(Brain &brain, const Board &board, u32 *list, int moves, u32 table_move, const Setting &setting,
                       const Attacks &attacks, bool in_check, bool only_noisy, int threshold) {
    int us = turn_of(board), king = king_of(board, !us);
    u64 diagonal = 0, straight = 0;
    if (!in_check && !only_noisy) {
        diagonal = diagonal_attacks(king, occupied(board));
        straight = straight_attacks(king, occupied(board));
    }
    ROLLED for (int index = lane(); index < moves; index += LANES) {
        u32 move = move_of(list[index]), rank;
        int kind = kind_of(move), man = man_at(board, from_of(move)), captured = captured_by(board, move);
        if (move == table_move) {
            rank = TABLE_MOVE;
        } else if (captured || kind >= PROMOTION) {
            int worth = 8 * (exchange_value(captured) + (kind == PROMOTION + 3 ? 950 : kind >= PROMOTION ? -2000 : 0));
            worth += in_check ? -man : noisy_entry(brain, board, move);
            bool good = in_check || exchange_wins(board, move, threshold);
            rank = good ? GOOD_NOISY + (worth + 32768) / 4 : BAD_NOISY + (worth + 32768) / 8;
        } else {
            int worth = quiet_history(brain, board, setting, move);
            if (!in_check) {
                u64 from = 1ull << from_of(move), to = 1ull << to_of(move);
                // Leaving a square where something of less worth attacks is good, going to one is bad.
                u64 feared = attacks.pawns | (man >= ROOK ? attacks.minors : 0) | (man == QUEEN ? attacks.rooks : 0);
                int weight = man == KNIGHT || man == BISHOP ? 8000 : man == ROOK ? 12000 : man == QUEEN ? 16000 : 0;
                worth += weight * ((feared & from ? 1 : 0) - (feared & to ? 1 : 0));
                u64 checks = man == PAWN     ? tables().lines[king][PAWN_CAPTURE + (us ^ 1)]
                             : man == KNIGHT ? tables().lines[king][LEAP]
                                             : (man == BISHOP || man == QUEEN ? diagonal : 0) |
                                                   (man == ROOK || man == QUEEN ? straight : 0);
                if (checks & to) worth += 6000;
            }
            rank = QUIET + (u32)((within(worth, -98304, 98303) + 98304) >> 3);
        }
        list[index] = rank << 16 | move;
    }
    sync_lanes();
}

// Takes the best move that is left from a list; 0 if there is none. Among equals the first one is taken.
DEVICE u32 pick(u32 *list, int moves, bool skip_quiets, u32 &index) {
    u32 best = 0;
    ROLLED for (int place = lane(); place < moves; place += LANES) {
        u32 rank = rank_of(list[place]), candidate = rank << 16 | (255 - place);
        bool skipped = skip_quiets && rank >= QUIET && rank < GOOD_NOISY;
        if (rank >= BAD_NOISY && !skipped && candidate > best) best = candidate;
    }
    best = largest_of_lanes(best);
    if (!best) return 0;
    index = 255 - (best & 255);
    u32 move = move_of(list[index]);
    sync_lanes();
    if (lane() == index % LANES) list[index] = HANDED_OUT << 16 | move;
    sync_lanes();
    return rank_of(best) << 16 | move;
}

DEVICE void learn_continuation(Brain &brain, const Setting &setting, u32 moved, int bonus) {
    if (setting.last) learn(continuation_entry(brain, setting.last, moved), bonus);
    if (setting.second) learn(continuation_entry(brain, setting.second, moved), bonus);
    if (setting.fourth) learn(continuation_entry(brain, setting.fourth, moved), bonus);
}

// A quiet move did well or badly. One lane learns.
DEVICE void learn_quiet(Brain &brain, const Board &board, const Setting &setting, u32 move, int bonus) {
    if (lane() == 0) {
        u32 moved = piece_to(board, move);
        learn(quiet_entry(brain, board, setting, move), bonus);
        learn(pawn_entry(brain, setting, moved), bonus);
        learn_continuation(brain, setting, moved, bonus);
    }
    sync_lanes();
}

// The moves that were searched in vain are charged: captures, and quiet moves if asked for. Moves that share an
// entry are charged one after the other.
DEVICE void charge_searched(Brain &brain, const Board &board, const Setting &setting, const u32 *list, int moves,
                            bool quiets, int malus) {
    ROLLED for (int base = 0; base < moves; base += LANES) {
        int index = base + lane();
        u32 entry = index < moves ? list[index] : 0, move = move_of(entry);
        bool searched = rank_of(entry) == SEARCHED, noisy = searched && is_noisy(board, move);
        searched = searched && (noisy || quiets);
        u32 moved = searched ? piece_to(board, move) : 0;
        u32 place = searched ? moved * 8 + (noisy ? captured_by(board, move) : 7) : 0x10000 + lane();
        u32 alike = lanes_like_this(place);
        if (searched && !noisy) learn(quiet_entry(brain, board, setting, move), malus);
        if (searched && lowest(alike) == lane()) {
            ROLLED for (int times = count(alike); times > 0; times--) {
                if (noisy) {
                    learn(brain.noisy[place], malus);
                } else {
                    learn(pawn_entry(brain, setting, moved), malus);
                    learn_continuation(brain, setting, moved, malus);
                }
            }
        }
        sync_lanes();
    }
}

// Corrections: how wrong the evaluation was where pawns, own pieces or enemy pieces stood like this.

const int CORRECTION_LIMIT = 64 * 256;

DEVICE u64 flip_ranks(u64 set) {
#ifdef __CUDACC__
    return (u64)__byte_perm((u32)set, 0, 0x0123) << 32 | __byte_perm((u32)(set >> 32), 0, 0x0123);
#else
    return __builtin_bswap64(set);
#endif
}

DEVICE u32 correction_index(u64 a, u64 b, u64 c) {
    u64 mixed = a * 0x9e3779b97f4a7c15ull + b * 0xc2b2ae3d27d4eb4full + c * 0x165667b19e3779f9ull;
    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull;
    return (u32)(mixed >> 52);
}

static_assert(CORRECTION_ENTRIES == 1 << (64 - 52), "twelve bits are an index");

// Which entries belong to a position, seen by the side to move.
struct Features {
    u32 index[CORRECTION_KINDS];
};

DEVICE Features features_of(const Board &board) {
    Features features;
    int us = turn_of(board);
    u64 own = of_color(board, us), foot = pawns(board);
    u64 low = board.planes[0] & ~foot, middle = board.planes[1], high = board.planes[2];
    u64 ours = foot & own, theirs = foot & ~own;
    if (us) {
        own = flip_ranks(own);
        ours = flip_ranks(ours);
        theirs = flip_ranks(theirs);
        low = flip_ranks(low);
        middle = flip_ranks(middle);
        high = flip_ranks(high);
    }
    features.index[0] = correction_index(ours, theirs, 0);
    features.index[1] = correction_index(low & own, middle & own, high & own);
    features.index[2] = correction_index(low & ~own, middle & ~own, high & ~own);
    UNROLLED for (u32 kind = 0; kind < CORRECTION_KINDS; kind++) {
        features.index[kind] += (2 * kind + us) * CORRECTION_ENTRIES;
    }
    return features;
}

// A search of this depth found `error` centipawns more than the evaluation had said. One lane learns.
DEVICE void learn_correction(Brain &brain, const Features &features, int depth, int error) {
    int weight = within(depth + 1, 1, 16), target = within(error * 256, -CORRECTION_LIMIT, CORRECTION_LIMIT);
    if (lane() == 0) {
        UNROLLED for (u32 kind = 0; kind < CORRECTION_KINDS; kind++) {
            i16 &entry = brain.corrections[features.index[kind]];
            int value = entry;
            entry = (i16)within(value + (target - value) * weight / 128, -CORRECTION_LIMIT, CORRECTION_LIMIT);
        }
    }
    sync_lanes();
}
