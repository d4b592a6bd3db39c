// Principal variation search with quiescence, as crates/engine/src/search has it, without recursion: a node is a
// frame, and the search walks from state to state. The steps have the numbers they have in node.rs.
#pragma once
#include "decisions.h"

// ENTER: a node is looked at for the first time. PREPARE: its moves are generated. NEXT: its next move is taken.
// FINISH: there is no more to be searched. RETURN: its result goes to the frame below.
enum State { ENTER, PREPARE, NEXT, FINISH, RETURN };

const int MOST_DOUBLE_EXTENSIONS = 8;

// By what a node's moves are filed. A copy is one frame further from the moves that led to it.
DEVICE Setting setting_of(const Frame *frame, int top) {
    int last = frame->flags & IS_COPY ? 2 : 1;
    Setting setting;
    setting.threats = frame->threats;
    setting.structure = frame->structure;
    setting.last = top >= last ? (frame - last)->moved : 0;
    setting.second = top >= last + 1 ? (frame - last - 1)->moved : 0;
    setting.fourth = top >= last + 3 ? (frame - last - 3)->moved : 0;
    return setting;
}

// Sets up the frame above one for a question about its own position.
DEVICE void begin_copy(Frame *frame, int top, int alpha, int beta, int depth, u32 flags, u32 excluded, int phase) {
    Frame *copy = frame + 1;
    copy->board = frame->board;
    copy->alpha = (i16)alpha;
    copy->beta = (i16)beta;
    copy->depth = depth;
    copy->flags = (u16)(flags | IS_COPY | IS_EVALUATED | (frame->flags & (IS_IMPROVING | IN_CHECK)));
    copy->raw = frame->raw;
    copy->previous = frame->previous;
    copy->excluded = (u16)excluded;
    copy->list = frame->list + frame->moves;
    copy->slot = frame->slot;
    copy->ply = frame->ply;
    copy->reach = frame->reach;
    copy->double_extensions = frame->double_extensions;
    // The copy's own moves are remembered to follow the move that led to the node.
    frame->moved = top > 0 ? (frame - 1)->moved : 0;
    frame->phase = (u8)phase;
    frame->reduction = 0;
}

// What the question for singularity led to: by how much the table's move is extended.
DEVICE int singular_extension(const Warp &warp, Frame *frame, int score, bool quiet) {
    int margin = PARAMETER(singular_margin) * whole(frame->depth) / 64, singular_beta = frame->table_score - margin;
    if (score < singular_beta) {
        int clear = singular_beta - score;
        if ((frame->flags & IS_PV) || clear <= PARAMETER(double_extension_margin) ||
            frame->double_extensions >= MOST_DOUBLE_EXTENSIONS) {
            return ONE_PLY;
        }
        frame->double_extensions++;
        return quiet && clear > PARAMETER(triple_extension_margin) ? 3 * ONE_PLY : 2 * ONE_PLY;
    }
    return frame->table_score >= frame->beta ? -2 * ONE_PLY : frame->flags & IS_CUT ? -ONE_PLY : 0;
}

// The score of the position in the first frame. If it is aborted, the result means nothing; the best root move so
// far is known all the same.
DEVICE int search(Warp &warp, int root_depth, int root_alpha, int root_beta) {
    Frame *frame = frames(warp);
    int top = 0, result = 0, extension = 0;
    u32 resumed = 0;
    frame->alpha = (i16)root_alpha;
    frame->beta = (i16)root_beta;
    frame->depth = root_depth;
    frame->flags = (u16)((frame->flags & (IN_CHECK | IS_EVALUATED)) | IS_PV);
    frame->excluded = 0;
    frame->list = 0;
    frame->double_extensions = 0;
    // Fetched as soon as a position is known, long before it is looked at.
    u64 entry = table_entry(warp, table_key(frame->board));
    State state = ENTER;
    for (;;) {
        if (state == ENTER) {
            frame = frames(warp) + top;
            const Board board = frame->board;
            u32 flags = frame->flags;
            int alpha = frame->alpha, beta = frame->beta, depth = frame->depth, ply = frame->ply;
            const bool in_check = flags & IN_CHECK, is_pv = flags & IS_PV, is_copy = flags & IS_COPY;
            if (depth < ONE_PLY) flags |= IS_QUIESCENCE;
            const bool quiescence = flags & IS_QUIESCENCE;
            state = RETURN;

            // Step 1: count, and look whether to stop. The first iteration is always finished.
            warp.nodes++;
            if (warp.nodes >= warp.hard_nodes && warp.completed_depth > 0) {
                warp.is_aborted = true;
                return 0;
            }

            // Step 2: draws, and mates that are too far away to matter.
            int clock = clock_of(board), place = warp.game_ply + ply, draw = (int)(warp.nodes & 2) - 1;
            warp.block->keys[place] = board.hash;
            if (top > 0) {
                if (clock >= 100) {
                    if (!in_check) {
                        result = draw;
                        continue;
                    }
                    flags |= CLOCK_RAN_OUT;
                }
                if (is_insufficient_material(board)) {
                    result = 0;
                    continue;
                }
                if (is_repetition(warp, board.hash, place, frame->reach, ply)) {
                    result = draw;
                    continue;
                }
                if (!quiescence) {
                    alpha = larger(alpha, ply - MATE);
                    beta = smaller(beta, MATE - ply - 1);
                    if (alpha >= beta) {
                        result = alpha;
                        continue;
                    }
                }
            }

            // Step 3: what the table knows.
            u64 key = table_key(board);
            u32 table_move = 0;
            int table_score = NONE, table_depth = 0, table_bound = NO_BOUND;
            if (is_of(entry, key) && !frame->excluded) {
                flags |= HAS_ENTRY | (entry >> 15 & 1 ? TABLE_PV : 0);
                table_move = entry & MOVE_BITS;
                if (man_at(board, from_of(table_move)) == EMPTY) table_move = 0;
                table_score = entry_score(entry, ply);
                table_depth = entry_depth(entry);
                table_bound = entry_bound(entry);
                int needed = quiescence ? 0 : whole(depth + (table_score <= beta ? 0 : ONE_PLY));
                if (!is_pv && table_depth >= needed && clock < 90 && decides(table_bound, table_score, beta)) {
                    if (!quiescence && table_score >= beta && table_move && !is_noisy(board, table_move)) {
                        if (lane() == 0) {
                            learn_continuation(brain_of(warp), setting_of(frame, top), piece_to(board, table_move), bonus(warp, depth));
                        }
                        sync_lanes();
                    }
                    result = table_score;
                    continue;
                }
            }
            if (top == 0 && warp.first_move) table_move = warp.first_move;
            if (is_pv) flags |= TABLE_PV;
            if (table_move && is_noisy(board, table_move)) flags |= TABLE_NOISY;

            // Step 4: the static evaluation.
            int raw = frame->raw;
            if (!(flags & IS_EVALUATED)) {
                bool bare = has_bare_king(board);
                raw = evaluate(warp, board, frame->slot, top == 0, !in_check && !bare);
                if (bare) raw = bare_king_value(board);
                raw = within(raw, 1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
                frame->raw = (i16)raw;
                flags |= IS_EVALUATED;
            }
            int evaluation = corrected(warp, board, raw, frame->structure);
            if (in_check) evaluation = NONE;
            frame->flags = (u16)flags;
            if (top == FRAMES - 1 || frame->list > MOVE_CAPACITY - MOST_MOVES) {
                result = in_check ? 0 : evaluation;
                continue;
            }
            int guess = estimate(evaluation, table_score, table_bound);
            frame->table_move = (u16)table_move;
            frame->best_move = 0;
            frame->number = 0;
            frame->moves = 0;
            frame->reduction = 0;
            if (quiescence) {
                // Standing pat: the side to move need not capture. In check it has no such choice.
                if (guess >= beta) {
                    if (!(flags & HAS_ENTRY)) store(warp, key, ply, 0, guess, 0, LOWER, flags & TABLE_PV);
                    result = guess;
                    continue;
                }
                frame->evaluation = frame->best = (i16)guess;
                frame->alpha = (i16)larger(alpha, guess);
                state = PREPARE;
            } else {
                bool improving = flags & IS_IMPROVING;
                int previous = NONE;
                if (is_copy) {
                    previous = frame->previous;
                } else if (top > 0) {
                    previous = (frame - 1)->evaluation;
                    int second = (frame - 1)->previous;
                    improving = evaluation != NONE && second != NONE && evaluation > second;
                }
                bool worsening = evaluation != NONE && previous != NONE && evaluation > -previous;
                if (!is_copy && top > 0 && evaluation != NONE && previous != NONE) {
                    // The move that led here was reduced: in hindsight too much, or too little.
                    int reduction = (frame - 1)->reduction;
                    if (reduction >= 3 * ONE_PLY && !worsening) depth += ONE_PLY;
                    else if (reduction >= ONE_PLY && depth >= 2 * ONE_PLY && evaluation + previous > 170) depth -= ONE_PLY;
                }
                if (improving) flags |= IS_IMPROVING;
                frame->flags = (u16)flags;
                frame->previous = (i16)previous;
                frame->evaluation = (i16)evaluation;
                frame->alpha = frame->first_alpha = (i16)alpha;
                frame->beta = (i16)beta;
                frame->depth = depth;
                frame->best = NONE;
                frame->table_score = (i16)table_score;
                frame->known = (u8)(table_depth | table_bound << 6);
                (frame + 1)->cutoffs = 0;
                state = PREPARE;

                // Step 5: whole nodes that need no search.
                if (!is_pv && !in_check && !is_copy) {
                    int plies = whole(depth);
                    // Razoring: so far below alpha that only a capture can help.
                    int margin = PARAMETER(razoring_base) + PARAMETER(razoring_margin) * plies * plies / 2;
                    if (plies <= 4 && !is_mate(alpha) && guess + margin <= alpha) {
                        begin_copy(frame, top, alpha, alpha + 1, 0, 0, 0, RAZORING);
                        entry = table_entry(warp, key);
                        top++;
                        state = ENTER;
                        continue;
                    }
                    // Reverse futility: so far above beta that no quiet move of the opponent can matter.
                    if (depth <= 9 * ONE_PLY && !is_loss(beta) && !is_win(guess)) {
                        int least = PARAMETER(reverse_futility_margin) * depth / ONE_PLY;
                        if (improving) least -= PARAMETER(reverse_futility_improving);
                        if (worsening) least -= 20;
                        if (guess - larger(least, 15) >= beta) {
                            result = (guess + 2 * beta) / 3;
                            state = RETURN;
                            continue;
                        }
                    }
                    // Null move: the opponent may move twice and still does not get below beta.
                    if (depth >= 3 * ONE_PLY && guess >= beta && !is_loss(beta) && (flags & IS_CUT) && !(flags & AFTER_NULL) &&
                        evaluation + 18 * plies >= beta + 140 - (improving ? 50 : 0) && has_pieces(board)) {
                        int eager = smaller((guess - beta) * ONE_PLY / PARAMETER(null_move_margin), 3 * ONE_PLY);
                        Frame *child = frame + 1;
                        Board passed;
                        make_null(board, passed);
                        entry = table_entry(warp, table_key(passed));
                        child->board = passed;
                        child->alpha = (i16)-beta;
                        child->beta = (i16)(-beta + 1);
                        child->depth = depth - PARAMETER(null_move_base) - PARAMETER(null_move_depth) * plies - eager;
                        child->flags = AFTER_NULL;
                        child->excluded = 0;
                        child->list = frame->list;
                        child->slot = frame->slot;
                        child->ply = (u8)(ply + 1);
                        child->reach = 0;
                        child->double_extensions = frame->double_extensions;
                        frame->moved = 0;
                        frame->phase = NULL_MOVE;
                        top++;
                        state = ENTER;
                        continue;
                    }
                }
            }
        }

        if (state == RETURN) {
            if (top == 0) return result;
            top--;
            frame = frames(warp) + top;
            Frame *child = frame + 1;
            int score = -result, alpha = frame->alpha, beta = frame->beta, phase = frame->phase;
            u32 flags = frame->flags;
            if (phase == NULL_MOVE) {
                if (score >= beta) {
                    result = is_win(score) ? beta : score;
                    continue;
                }
                state = PREPARE;
            } else if (phase == RAZORING) {
                if (result <= alpha) continue;
                state = PREPARE;
            } else if (phase == SINGULAR) {
                resumed = TABLE_MOVE << 16 | frame->move;
                extension = singular_extension(warp, frame, result, !is_noisy(frame->board, frame->move));
                state = NEXT;
                if (result >= beta && !is_mate(result) && result >= frame->table_score - PARAMETER(singular_margin) * whole(frame->depth) / 64) {
                    // Other moves beat beta too: the node is cut.
                    frame->best = (i16)result;
                    frame->best_move = 0;
                    resumed = 0;
                    state = FINISH;
                }
            } else {
                int new_depth = frame->new_depth, again = -1;
                if (phase == SCOUT) {
                    int reduced = new_depth - frame->reduction;
                    frame->reduction = 0;
                    if (score > alpha && reduced < new_depth) {
                        // How much better it was tells how deep to look again.
                        new_depth += deeper_or_shallower(warp, score, alpha, frame->depth, reduced, new_depth);
                        frame->new_depth = new_depth;
                        phase = SCOUT_AGAIN;
                        if (reduced < new_depth) again = SCOUT_AGAIN;
                    }
                }
                if (phase == SCOUT_AGAIN && again < 0 && (score <= alpha || score >= beta)) {
                    // A reduced search had to be repeated: what came of it is learned before the node ends.
                    if (lane() == 0) {
                        int lesson = score <= alpha ? malus(warp, frame->depth) : bonus(warp, frame->depth);
                        learn_continuation(brain_of(warp), setting_of(frame, top), frame->moved, lesson);
                    }
                    sync_lanes();
                }
                // The re-search rule: only where the window is open, and only what beat alpha.
                if (again < 0 && phase != OPEN_WINDOW && phase != QUIESCENCE_MOVE && (flags & IS_PV) && score > alpha) {
                    again = OPEN_WINDOW;
                }
                if (again >= 0) {
                    bool open = again == OPEN_WINDOW;
                    child->alpha = (i16)(open ? -beta : -alpha - 1);
                    child->beta = (i16)-alpha;
                    child->depth = new_depth;
                    child->flags = (u16)((child->flags & (IN_CHECK | IS_EVALUATED)) | (open ? IS_PV : flags & IS_CUT ? 0 : IS_CUT));
                    frame->phase = (u8)again;
                    entry = table_entry(warp, table_key(child->board));
                    top++;
                    state = ENTER;
                    continue;
                }
                state = NEXT;
                if (score > frame->best) {
                    frame->best = (i16)score;
                    if (score > alpha) {
                        frame->best_move = frame->move;
                        if (top == 0) warp.root_move = frame->move, warp.root_score = score;
                        if (score >= beta) {
                            if (!(flags & IS_QUIESCENCE)) frame->cutoffs++;
                            state = FINISH;
                        } else {
                            frame->alpha = (i16)score;
                            // What comes now has to beat a move that is already good.
                            int depth = frame->move_depth;
                            if (!is_mate(score) && depth >= 3 * ONE_PLY && depth < 12 * ONE_PLY) frame->move_depth = depth - ONE_PLY;
                        }
                    }
                }
                if (frame->best_move != frame->move) {
                    sync_lanes();
                    if (lane() == 0) warp.block->moves[frame->list + frame->index] = SEARCHED << 16 | frame->move;
                    sync_lanes();
                }
            }
        }

        if (state == PREPARE) {
            frame = frames(warp) + top;
            const Board board = frame->board;
            u32 flags = frame->flags;
            int depth = frame->depth;
            const bool quiescence = flags & IS_QUIESCENCE, in_check = flags & IN_CHECK;
            // Step 6: without a move from the table this node is searched less deep.
            if (!quiescence && (flags & (IS_PV | IS_CUT)) && !(flags & IS_COPY) && depth >= 4 * ONE_PLY) {
                bool unknown = !frame->table_move || ((flags & HAS_ENTRY) && (frame->known & 63) + 4 < whole(depth));
                if (unknown) depth -= ONE_PLY;
            }
            frame->depth = frame->move_depth = depth;
            // Step 7: the moves.
            u32 *list = warp.block->moves + frame->list;
            const bool only_noisy = quiescence && !in_check;
            int moves = generate(frame->board, only_noisy, in_check, list);
            frame->moves = (u8)moves;
            Attacks attacks = {0, 0, 0, 0};
            if (!only_noisy) attacks = attacks_of(board, !turn_of(board));
            frame->threats = attacks.all;
            rank_moves(brain_of(warp), board, list, moves, frame->table_move, setting_of(frame, top), attacks, in_check,
                       only_noisy, quiescence ? PARAMETER(quiescence_exchange) : 0);
            state = NEXT;
        }

        if (state == NEXT) {
            const Board board = frame->board;
            u32 *list = warp.block->moves + frame->list;
            const bool quiescence = frame->flags & IS_QUIESCENCE, in_check = frame->flags & IN_CHECK;
            const int us = turn_of(board), moves = frame->moves;
            int number = frame->number, reduction = 0;
            u32 move = 0, index = 0;
            bool quiet = false, gives_check = false;
            ROLLED for (;;) {
                bool is_resumed = resumed != 0;
                u32 ranked = is_resumed ? resumed : pick(list, moves, frame->flags & SKIPS_QUIETS, index);
                resumed = 0;
                move = move_of(ranked);
                if (!ranked) break;
                if (quiescence && !in_check && rank_of(ranked) < QUIET) {
                    // Captures that lose too much are not tried.
                    move = 0;
                    break;
                }
                if (is_resumed) index = frame->index;
                if (move == frame->excluded) continue;
                quiet = !is_noisy(board, move);
                bool one_is_good = !is_loss(frame->best);
                if (!is_resumed) number++;
                if (quiescence) {
                    if (one_is_good && in_check && quiet) {
                        // One way out is known: further quiet ones are left alone.
                        frame->flags |= SKIPS_QUIETS;
                        continue;
                    }
                } else {
                    int history = quiet ? quiet_history(brain_of(warp), board, setting_of(frame, top), move)
                                        : noisy_entry(brain_of(warp), board, move);
                    reduction = reduction_of(warp, *frame, frame->move_depth, quiet, number, history, (frame + 1)->cutoffs);
                    // Moves that need no search, once there is one that does not lose.
                    if (one_is_good && top > 0 && has_pieces(board)) {
                        int cut = prune_move(warp, *frame, move, quiet, number, history, frame->move_depth - ONE_PLY - reduction);
                        if (cut == SKIPPED_WITH_ALL_QUIETS) frame->flags |= SKIPS_QUIETS;
                        if (cut != SEARCHED_ANYWAY) continue;
                    }
                    if (rank_of(ranked) == TABLE_MOVE && !is_resumed) {
                        // Is the table's move the only good one?
                        extension = 0;
                        int known = frame->known, depth = frame->depth, table_score = frame->table_score;
                        if (top > 0 && top < FRAMES - 2 && depth >= 6 * ONE_PLY && !(frame->flags & IS_COPY) &&
                            (known & 63) + 3 >= whole(depth) && known >> 6 >= LOWER && !is_mate(table_score) &&
                            frame->ply * ONE_PLY < 2 * root_depth) {
                            int singular_beta = table_score - PARAMETER(singular_margin) * whole(depth) / 64;
                            frame->number = (u8)number;
                            frame->move = (u16)move;
                            frame->index = (u8)index;
                            begin_copy(frame, top, singular_beta - 1, singular_beta, (depth - ONE_PLY) / 2, frame->flags & IS_CUT, move, SINGULAR);
                            top++;
                            state = ENTER;
                            break;
                        }
                    }
                }
                make(frame->board, move, (frame + 1)->board);
                u32 attacks = attacked_kings((frame + 1)->board);
                if (attacks >> us & 1 || (kind_of(move) == CASTLE && !is_way_safe(frame->board, move))) {
                    number--;
                    continue;
                }
                gives_check = attacks >> (us ^ 1) & 1;
                if (quiescence && one_is_good && !in_check && !gives_check) {
                    if (number > 3) {
                        move = 0;
                        break;
                    }
                    // A capture that could not reach alpha even if it cost nothing.
                    int most = frame->evaluation + PARAMETER(quiescence_futility) + exchange_value(captured_by(board, move));
                    if (kind_of(move) < PROMOTION && !is_loss(frame->alpha) && most <= frame->alpha) {
                        frame->best = (i16)larger(frame->best, most);
                        continue;
                    }
                }
                break;
            }
            if (state == ENTER) continue;
            frame->number = (u8)number;
            if (!move) {
                state = FINISH;
            } else if (frame->flags & CLOCK_RAN_OUT) {
                result = (int)(warp.nodes & 2) - 1;
                state = RETURN;
                continue;
            } else {
                Frame *child = frame + 1;
                entry = table_entry(warp, table_key(child->board));
                u32 flags = frame->flags, child_flags = gives_check ? IN_CHECK : 0;
                int alpha = frame->alpha, beta = frame->beta, new_depth = 0, child_depth = 0, phase = QUIESCENCE_MOVE;
                bool open = true;
                if (quiescence) {
                    child_flags |= flags & IS_PV;
                } else {
                    new_depth = frame->move_depth - ONE_PLY + (move == frame->table_move ? extension : 0);
                    child_depth = new_depth;
                    open = (flags & IS_PV) && number == 1;
                    phase = open ? OPEN_WINDOW : FULL_DEPTH;
                    child_flags |= open ? IS_PV : flags & IS_CUT ? 0 : IS_CUT;
                    if (frame->depth >= 2 * ONE_PLY && number > (top == 0 ? 2 : 1)) {
                        if (gives_check) reduction -= PARAMETER(reduction_check);
                        child_depth = larger(within(new_depth - reduction, ONE_PLY, new_depth + ONE_PLY), ONE_PLY);
                        phase = SCOUT;
                        child_flags |= IS_CUT;
                    }
                }
                extension = 0;
                frame->move = (u16)move;
                frame->index = (u8)index;
                frame->moved = (u16)piece_to(board, move);
                frame->phase = (u8)phase;
                frame->new_depth = new_depth;
                frame->reduction = new_depth - child_depth;
                child->alpha = (i16)(open ? -beta : -alpha - 1);
                child->beta = (i16)-alpha;
                child->depth = child_depth;
                child->flags = (u16)child_flags;
                child->excluded = 0;
                child->list = frame->list + moves;
                child->slot = frame->slot + 1;
                child->ply = frame->ply + 1;
                child->reach = clock_of(child->board) == 0 ? 0 : frame->reach + 1;
                child->double_extensions = frame->double_extensions;
                top++;
                state = ENTER;
                continue;
            }
        }

        if (state == FINISH) {
            frame = frames(warp) + top;
            const Board board = frame->board;
            const u32 flags = frame->flags, best_move = frame->best_move;
            const int ply = frame->ply, beta = frame->beta, depth = frame->depth, moves = frame->moves;
            int best = frame->best;
            state = RETURN;
            if (flags & IS_QUIESCENCE) {
                if (best == NONE) best = ply - MATE;
                if (best >= beta && !is_mate(best)) best = (best + beta) / 2;
                store(warp, table_key(board), ply, best_move, best, 0, best >= beta ? LOWER : UPPER, flags & TABLE_PV);
                result = best;
                continue;
            }
            // Step 8: no move: mate, stalemate, or nothing besides the excluded move.
            result = best;
            if (frame->number == 0) {
                result = flags & IS_COPY ? frame->first_alpha : flags & IN_CHECK ? ply - MATE : 0;
                continue;
            }
            // Step 9: learn, and tell the table.
            Brain &brain = brain_of(warp);
            int bound = best >= beta ? LOWER : (flags & IS_PV) && best > frame->first_alpha ? EXACT : UPPER;
            bool noisy = best_move && is_noisy(board, best_move);
            const Setting setting = setting_of(frame, top);
            if (bound == UPPER) {
                // No move was good: the opponent's last one was.
                if (top > 0 && !(flags & (AFTER_NULL | IS_COPY))) {
                    Setting earlier = setting;
                    earlier.last = setting.second;
                    earlier.second = top >= 3 ? (frame - 3)->moved : 0;
                    earlier.fourth = 0;
                    if (lane() == 0) learn_continuation(brain, earlier, setting.last, bonus(warp, depth) / 2);
                    sync_lanes();
                }
            } else if (best_move) {
                if (noisy) {
                    if (lane() == 0) learn(noisy_entry(brain, board, best_move), bonus(warp, depth));
                    sync_lanes();
                } else {
                    learn_quiet(brain, board, setting, best_move, bonus(warp, depth));
                }
                charge_searched(brain, board, setting, warp.block->moves + frame->list, moves, !noisy, malus(warp, depth));
            }
            if (flags & IS_COPY) continue;
            int score = best;
            if (bound == LOWER && !is_mate(best) && !is_mate(beta) && !(flags & IS_PV)) {
                // A score far above beta is less certain the shallower the search was.
                score = (best * whole(depth) + beta) / (whole(depth) + 1);
            }
            store(warp, table_key(board), ply, best_move, score, whole(depth), bound, flags & TABLE_PV);
            int evaluation = frame->evaluation;
            bool is_lesson = !is_mate(best) && (bound == EXACT || (bound == LOWER ? best > evaluation : best < evaluation));
            if (!(flags & IN_CHECK) && !noisy && is_lesson) {
                learn_correction(brain, features_of(board), whole(depth), best - evaluation);
            }
        }
    }
}
