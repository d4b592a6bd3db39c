// Principal variation search with quiescence, as crates/engine/src/search has it, without recursion: a node is a
// frame, and the search goes from one state of a node to another. Of the engine's decisions it has those that pay at a
// few hundred or thousand nodes and whose code is short, for a multiprocessor waits for instructions first of all.
//
// enter: a node is looked at for the first time. prepare: its moves are generated. next: its next move is taken.
// finish: there is no more to be searched. leave: its result goes to the frame below.
//
// All lanes read a frame, and all write the same to it. Where a state writes what it has read, the lanes wait for each
// other in between, so that none reads what another one has written already.
#pragma once
#include "decisions.h"

// Moves that quiescence tries.
const int QUIESCENCE_MOVES = 3;

// The score of the position in the first frame. If it is aborted, the result means nothing; the best root move so
// far is known all the same.
DEVICE int search(Warp &warp, int root_depth, int root_alpha, int root_beta) {
    Frame *frame = frames(warp);
    int result = 0;
    frame->alpha = (i16)root_alpha;
    frame->beta = (i16)root_beta;
    frame->depth = root_depth;
    frame->flags = (u16)((frame->flags & (IN_CHECK | IS_EVALUATED)) | IS_PV);
    frame->list = 0;
enter:
    {
        const Board board = frame->board;
        const u64 entry = table_entry(warp, board.hash);
        u32 flags = frame->flags;
        const int beta = frame->beta, depth = frame->depth, clock = clock_of(board);
        int alpha = frame->alpha;
        const int top = frame->ply;
        Task &task = ((Task *)(frame - top))[-1];
        const bool in_check = flags & IN_CHECK, quiescence = depth < ONE_PLY;
        sync_lanes();

        // Step 1: count, and look whether to stop. The first iteration is always finished.
        warp.nodes++;
        if (agreed(warp.nodes >= task.hard_nodes && task.completed_depth > 0)) {
            task.is_aborted = true;
            return 0;
        }

        // Step 2: draws. In check on the hundredth half move it may still be mate, so the moves are looked at.
        const int place = task.game_ply + top;
        warp.block->keys[place] = board.hash;
        if (agreed(top > 0) && (agreed(clock >= 100 && !in_check) || agreed(is_insufficient_material(board)) ||
                                is_repetition(warp, board.hash, place, frame->reach, top))) {
            result = draw_score(warp);
            goto leave;
        }

        // Step 3: what the table knows.
        u32 table_move = 0;
        int table_score = 0, table_bound = NO_BOUND;
        if (agreed(is_of(entry, board.hash))) {
            table_move = entry & MOVE_BITS;
            table_score = entry_score(entry, top);
            table_bound = entry_bound(entry);
            if (agreed(!(flags & IS_PV) && entry_depth(entry) >= whole(depth) && clock < 90 &&
                       decides(table_bound, table_score, beta))) {
                result = table_score;
                goto leave;
            }
        }
        if (top == 0 && task.first_move) table_move = task.first_move;

        // Step 4: the static evaluation, and the best guess before any move is searched.
        int raw = frame->raw, evaluation = NONE;
        Lessons lessons = {};
        if (agreed(!in_check)) lessons = lessons_of(brain_of(warp), board);
        if (agreed(!(flags & IS_EVALUATED))) {
            raw = within(evaluate(warp, board, frame->slot, top == 0, !in_check), 1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
            frame->raw = (i16)raw;
            flags |= IS_EVALUATED;
        }
        if (quiescence) flags |= IS_QUIESCENCE;
        if (agreed(!in_check)) evaluation = corrected(warp, board, lessons, raw);
        int guess = evaluation;
        if (!in_check && decides(table_bound, table_score, evaluation) && !is_mate(table_score)) guess = table_score;
        const int second = top > 1 ? (frame - 2)->evaluation : NONE;
        const bool improving = second != NONE && evaluation > second;
        if (improving) flags |= IS_IMPROVING;
        frame->flags = (u16)flags;
        if (agreed(top == FRAMES - 1 || frame->list > MOVE_CAPACITY - MOST_MOVES)) {
            result = in_check ? 0 : evaluation;
            goto leave;
        }
        frame->first_alpha = (i16)alpha;
        int best = NONE;
        if (agreed(quiescence)) {
            // Standing pat: the side to move need not capture. In check it has no such choice.
            if (agreed(guess >= beta)) {
                result = guess;
                goto leave;
            }
            best = evaluation = guess;
            alpha = larger(alpha, guess);
        }
        frame->evaluation = (i16)evaluation;
        frame->alpha = (i16)alpha;
        frame->best = (i16)best;
        frame->table_move = (u16)table_move;
        frame->best_move = 0;
        frame->number = 0;
        (frame + 1)->killer = 0;

        // Step 5: whole nodes that need no search.
        if (agreed(!(flags & (IS_PV | IN_CHECK | IS_QUIESCENCE)) && guess >= beta && !is_loss(beta))) {
            // Reverse futility: so far above beta that no quiet move of the opponent can matter.
            int margin = PARAMETER(reverse_futility_margin) * depth >> 10;
            if (improving) margin -= PARAMETER(reverse_futility_improving);
            if (agreed(depth <= 9 * ONE_PLY && guess - larger(margin, 15) >= beta && !is_win(guess))) {
                result = (guess + 2 * beta) / 3;
                goto leave;
            }
            // Null move: the opponent may move twice and still does not get below beta.
            if (agreed(depth >= 3 * ONE_PLY && evaluation >= beta && !(flags & AFTER_NULL) && has_pieces(board))) {
                Frame *child = frame + 1;
                make_null(board, child->board);
                child->alpha = (i16)-beta;
                child->beta = (i16)(-beta + 1);
                child->depth = depth - PARAMETER(null_move_base) - PARAMETER(null_move_depth) * whole(depth);
                child->flags = AFTER_NULL;
                child->list = frame->list;
                child->slot = frame->slot;
                child->reach = 0;
                child->ply = (u8)(top + 1);
                frame->flags = (u16)(flags | AWAITS_NULL);
                frame++;
                goto enter;
            }
        }
    }

prepare:
    {
        const u32 flags = frame->flags;
        const int depth = frame->depth;
        const bool quiescence = flags & IS_QUIESCENCE, in_check = flags & IN_CHECK;
        sync_lanes();
        // Step 6: without a move from the table this node is searched less deep.
        if (!frame->table_move && (flags & (IS_PV | IS_CUT)) && depth >= 4 * ONE_PLY) frame->depth = depth - ONE_PLY;
        // Step 7: the moves.
        u32 *list = warp.block->moves + frame->list;
        const int moves = generate(frame->board, quiescence && !in_check, in_check, list);
        frame->moves = (u8)moves;
        rank_moves(brain_of(warp), frame->board, list, moves, frame->table_move, frame->killer, in_check,
                   quiescence ? PARAMETER(quiescence_exchange) : 0);
    }

next:
    {
        const Board &board = frame->board;
        u32 *list = warp.block->moves + frame->list;
        u32 flags = frame->flags, ranked, attacks = 0;
        const bool quiescence = flags & IS_QUIESCENCE, in_check = flags & IN_CHECK;
        const int us = turn_of(board), top = frame->ply, moves = frame->moves, number = frame->number + 1;
        // Once a move does not lose, others need not be searched.
        int best = frame->best;
        const bool may_skip = !is_loss(best) && top > 0;
        ROLLED for (;;) {
            ranked = pick(list, moves, flags & SKIPS_QUIETS);
            if (agreed(!ranked)) break;
            const u32 move = move_of(ranked), rank = rank_of(ranked);
            if (agreed(rank < QUIET)) {
                // Captures that lose come last.
                if (agreed(quiescence ? !in_check : may_skip && !(flags & IS_PV) && frame->depth < 4 * ONE_PLY)) {
                    ranked = 0;
                    break;
                }
            } else if (agreed(is_quiet_rank(rank) && may_skip)) {
                if (agreed(quiescence || (!(flags & IS_PV) && prune_quiets(warp, *frame, number)))) {
                    flags |= SKIPS_QUIETS;
                    continue;
                }
            }
            if (agreed(quiescence && may_skip && !in_check)) {
                // Few captures are tried, and none that could not reach alpha even if it cost nothing.
                if (agreed(number > QUIESCENCE_MOVES)) {
                    ranked = 0;
                    break;
                }
                const int most = frame->evaluation + PARAMETER(quiescence_futility) + exchange_value(captured_by(board, move));
                if (agreed(kind_of(move) < PROMOTION && most <= frame->alpha)) {
                    best = larger(best, most);
                    continue;
                }
            }
            make(board, move, (frame + 1)->board);
            attacks = attacked_kings((frame + 1)->board);
            if (agreed(attacks >> us & 1)) continue;
            if (agreed(kind_of(move) == CASTLE) && agreed(!is_way_safe(board, move))) continue;
            break;
        }
        sync_lanes();
        frame->best = (i16)best;
        if (agreed(ranked)) {
            Frame *child = frame + 1;
            const u32 move = move_of(ranked), rank = rank_of(ranked);
            const int alpha = frame->alpha, beta = frame->beta, depth = frame->depth, new_depth = depth - ONE_PLY;
            const bool gives_check = attacks >> (us ^ 1) & 1, open = (flags & IS_PV) && (quiescence || number == 1);
            int child_depth = new_depth;
            if (agreed(is_quiet_rank(rank) && depth >= 2 * ONE_PLY && number > (top == 0 ? 2 : 1))) {
                const Task &task = ((const Task *)(frame - top))[-1];
                const int reduction = reduction_of(warp, task, flags, depth, number, history_of(rank), gives_check);
                child_depth = larger(new_depth - larger(reduction, 0), ONE_PLY);
            }
            const bool is_reduced = child_depth < new_depth;
            frame->flags = (u16)(open || !(flags & IS_PV) ? flags & ~AWAITS_SCOUT : flags | AWAITS_SCOUT);
            frame->number = (u8)number;
            frame->move = (u16)move;
            frame->new_depth = new_depth;
            frame->is_reduced = is_reduced;
            child->alpha = (i16)(open ? -beta : -alpha - 1);
            child->beta = (i16)-alpha;
            child->depth = child_depth;
            child->flags = (u16)((gives_check ? IN_CHECK : 0) | (open ? IS_PV : is_reduced || !(flags & IS_CUT) ? IS_CUT : 0));
            child->list = frame->list + moves;
            child->slot = frame->slot + 1;
            child->ply = (u8)(top + 1);
            child->reach = clock_of(child->board) == 0 ? 0 : frame->reach + 1;
            frame++;
            goto enter;
        }
    }

finish:
    {
        const Board board = frame->board;
        const u32 flags = frame->flags, best_move = frame->best_move;
        const int beta = frame->beta, depth = larger(frame->depth, 0), best = frame->best, top = frame->ply;
        result = best;
        // Step 8: no move: mate or stalemate. Otherwise the hundredth half move is a draw, in check as well.
        if (agreed(best == NONE)) {
            result = flags & IN_CHECK ? top - MATE : 0;
            goto leave;
        }
        if (agreed(clock_of(board) >= 100 && top > 0)) {
            result = draw_score(warp);
            goto leave;
        }
        // Step 9: learn, and tell the table.
        const int bound = best >= beta ? LOWER : (flags & IS_PV) && best > frame->first_alpha ? EXACT : UPPER;
        if (agreed(!(flags & IS_QUIESCENCE))) {
            Brain &brain = brain_of(warp);
            const bool noisy = best_move && is_noisy(board, best_move);
            if (agreed(best_move && !noisy)) {
                frame->killer = (u16)best_move;
                const u32 *list = warp.block->moves + frame->list;
                learn_quiets(brain, board, list, frame->moves, best_move, bonus(warp, depth), malus(warp, depth));
            }
            const int evaluation = frame->evaluation;
            const bool is_lesson = bound == EXACT || (bound == LOWER ? best > evaluation : best < evaluation);
            if (agreed(!(flags & IN_CHECK) && !noisy && is_lesson && !is_mate(best))) {
                learn_correction(brain, board, whole(depth), best - evaluation);
            }
        }
        store(warp, board.hash, top, best_move, best, whole(depth), bound);
    }

leave:
    {
        if (agreed(frame->ply == 0)) return result;
        frame--;
        const int score = -result, alpha = frame->alpha, beta = frame->beta, best = frame->best;
        const u32 flags = frame->flags;
        const bool was_reduced = frame->is_reduced;
        sync_lanes();
        if (agreed(flags & AWAITS_NULL)) {
            frame->flags = (u16)(flags & ~AWAITS_NULL);
            if (agreed(score >= beta)) {
                result = is_win(score) ? beta : score;
                goto leave;
            }
            goto prepare;
        }
        if (agreed(score > alpha && (was_reduced || (flags & AWAITS_SCOUT)))) {
            // The re-search rule: what beat alpha is searched again to its whole depth, then, where the window is
            // open, with an open window.
            Frame *child = frame + 1;
            const bool open = !was_reduced;
            if (open) frame->flags = (u16)(flags & ~AWAITS_SCOUT);
            frame->is_reduced = 0;
            child->alpha = (i16)(open ? -beta : -alpha - 1);
            child->beta = (i16)-alpha;
            child->depth = frame->new_depth;
            child->flags = (u16)((child->flags & (IN_CHECK | IS_EVALUATED)) | (open ? IS_PV : flags & IS_CUT ? 0 : IS_CUT));
            frame++;
            goto enter;
        }
        if (agreed(score > best)) {
            frame->best = (i16)score;
            if (agreed(score > alpha)) {
                frame->best_move = frame->move;
                frame->alpha = (i16)score;
                if (agreed(frame->ply == 0)) task_of(warp).root_move = frame->move, task_of(warp).root_score = score;
                if (agreed(score >= beta)) goto finish;
            }
        }
        goto next;
    }
}
