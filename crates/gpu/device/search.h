// Principal variation search with quiescence, as in crates/engine/src/search, without recursion: each node is a frame of
// the stack and a state machine. It has those of the engine's decisions that gain at a few hundred or thousand nodes and
// whose code is short, since a multiprocessor is bound by instruction fetch.
//
// enter: first visit of a node. prepare: generate its moves. next: take its next move. finish: all moves are searched.
// leave: return its score to the parent.
//
// All lanes read a frame, and all write the same values to it. Where a state writes what it has read, the warp
// synchronizes in between, so that no lane reads what another has already written.
#pragma once
#include "decisions.h"

// Moves that quiescence searches at most.
const int QUIESCENCE_MOVES = 3;

// The score of the position in the first frame. Meaningless if the search was aborted; the best root move so far is valid.
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
        const int ply = frame->ply;
        Task &task = ((Task *)(frame - ply))[-1];
        const bool in_check = flags & IN_CHECK, quiescence = depth < ONE_PLY;
        sync_warp();

        // Step 1: count the node and check the limit. The first iteration is always completed.
        warp.nodes++;
        if (uniform(warp.nodes >= task.hard_nodes && task.completed_depth > 0)) {
            task.is_aborted = true;
            return 0;
        }

        // Step 2: draws. In check at a halfmove clock of 100 it may be mate, so moves are generated.
        const int index = task.game_ply + ply;
        warp.block->keys[index] = board.hash;
        if (uniform(ply > 0) && (uniform(clock >= 100 && !in_check) || uniform(is_insufficient_material(board)) ||
                                 is_repetition(warp, board.hash, index, frame->reach, ply))) {
            result = draw_score(warp);
            goto leave;
        }

        // Step 3: hash table probe.
        u32 table_move = 0;
        int table_score = 0, table_bound = NO_BOUND;
        if (uniform(matches(entry, board.hash))) {
            table_move = entry & MOVE_BITS;
            table_score = entry_score(entry, ply);
            table_bound = entry_bound(entry);
            if (uniform(!(flags & IS_PV) && entry_depth(entry) >= plies_of(depth) && clock < 90 &&
                        decides(table_bound, table_score, beta))) {
                result = table_score;
                goto leave;
            }
        }
        if (ply == 0 && task.first_move) table_move = task.first_move;

        // Step 4: static evaluation, refined by the hash score.
        int raw = frame->raw, evaluation = NONE;
        CorrectionEntries entries = {};
        if (uniform(!in_check)) entries = load_corrections(search_tables(warp), board);
        if (uniform(!(flags & IS_EVALUATED))) {
            raw = clamp(evaluate(warp, board, frame->slot, ply == 0, !in_check), 1 - EVALUATION_LIMIT,
                        EVALUATION_LIMIT - 1);
            frame->raw = (i16)raw;
            flags |= IS_EVALUATED;
        }
        if (quiescence) flags |= IS_QUIESCENCE;
        if (uniform(!in_check)) evaluation = corrected(warp, board, entries, raw);
        int guess = evaluation;
        if (!in_check && decides(table_bound, table_score, evaluation) && !is_mate(table_score)) guess = table_score;
        const int two_plies_ago = ply > 1 ? (frame - 2)->evaluation : NONE;
        const bool improving = two_plies_ago != NONE && evaluation > two_plies_ago;
        if (improving) flags |= IS_IMPROVING;
        frame->flags = (u16)flags;
        if (uniform(ply == FRAMES - 1 || frame->list > MOVE_CAPACITY - MAX_MOVES)) {
            result = in_check ? 0 : evaluation;
            goto leave;
        }
        frame->first_alpha = (i16)alpha;
        int best = NONE;
        if (uniform(quiescence)) {
            // Stand pat, unless in check.
            if (uniform(guess >= beta)) {
                result = guess;
                goto leave;
            }
            best = evaluation = guess;
            alpha = max(alpha, guess);
        }
        frame->evaluation = (i16)evaluation;
        frame->alpha = (i16)alpha;
        frame->best = (i16)best;
        frame->table_move = (u16)table_move;
        frame->best_move = 0;
        frame->move_count = 0;
        (frame + 1)->killer = 0;

        // Step 5: whole-node pruning.
        if (uniform(!(flags & (IS_PV | IN_CHECK | IS_QUIESCENCE)) && guess >= beta && !is_loss(beta))) {
            // Reverse futility pruning.
            int margin = PARAMETER(reverse_futility_margin) * depth >> 10;
            if (improving) margin -= PARAMETER(reverse_futility_improving);
            if (uniform(depth <= 9 * ONE_PLY && guess - max(margin, 15) >= beta && !is_win(guess))) {
                result = (guess + 2 * beta) / 3;
                goto leave;
            }
            // Null-move pruning.
            if (uniform(depth >= 3 * ONE_PLY && evaluation >= beta && !(flags & AFTER_NULL) &&
                        has_non_pawn_material(board))) {
                Frame *child = frame + 1;
                make_null(board, child->board);
                child->alpha = (i16)-beta;
                child->beta = (i16)(-beta + 1);
                child->depth = depth - PARAMETER(null_move_base) - PARAMETER(null_move_depth) * plies_of(depth);
                child->flags = AFTER_NULL;
                child->list = frame->list;
                child->slot = frame->slot;
                child->reach = 0;
                child->ply = (u8)(ply + 1);
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
        sync_warp();
        // Step 6: internal iterative reduction.
        if (!frame->table_move && (flags & (IS_PV | IS_CUT)) && depth >= 4 * ONE_PLY) frame->depth = depth - ONE_PLY;
        // Step 7: generate and rank the moves.
        u32 *list = warp.block->moves + frame->list;
        const int moves = generate(frame->board, quiescence && !in_check, in_check, list);
        frame->moves = (u16)moves;
        rank_moves(search_tables(warp), frame->board, list, moves, frame->table_move, frame->killer, in_check,
                   quiescence ? PARAMETER(quiescence_exchange) : 0);
    }

next:
    {
        const Board &board = frame->board;
        u32 *list = warp.block->moves + frame->list;
        u32 flags = frame->flags, ranked, attacks = 0;
        const bool quiescence = flags & IS_QUIESCENCE, in_check = flags & IN_CHECK;
        const int us = turn_of(board), ply = frame->ply, moves = frame->moves, move_count = frame->move_count + 1;
        // Moves are pruned only once one of them does not lose.
        int best = frame->best;
        const bool may_skip = !is_loss(best) && ply > 0;
        ROLLED for (;;) {
            ranked = pick(list, moves, flags & SKIPS_QUIETS);
            if (uniform(!ranked)) break;
            const u32 move = move_of(ranked), rank = rank_of(ranked);
            if (uniform(rank < QUIET)) {
                // Losing captures come last.
                if (uniform(quiescence ? !in_check : may_skip && !(flags & IS_PV) && frame->depth < 4 * ONE_PLY)) {
                    ranked = 0;
                    break;
                }
            } else if (uniform(is_quiet_rank(rank) && may_skip)) {
                if (uniform(quiescence || (!(flags & IS_PV) && prune_quiets(warp, *frame, move_count)))) {
                    flags |= SKIPS_QUIETS;
                    continue;
                }
            }
            if (uniform(quiescence && may_skip && !in_check)) {
                // Few captures are searched, and none that could not reach alpha (delta pruning).
                if (uniform(move_count > QUIESCENCE_MOVES)) {
                    ranked = 0;
                    break;
                }
                const int bound_above =
                    frame->evaluation + PARAMETER(quiescence_futility) + see_value(captured_by(board, move));
                if (uniform(kind_of(move) < PROMOTION && bound_above <= frame->alpha)) {
                    best = max(best, bound_above);
                    continue;
                }
            }
            make(board, move, (frame + 1)->board);
            attacks = attacked_kings((frame + 1)->board);
            if (uniform(attacks >> us & 1)) continue;
            if (uniform(kind_of(move) == CASTLE) && uniform(!is_castling_path_safe(board, move))) continue;
            break;
        }
        sync_warp();
        frame->best = (i16)best;
        if (uniform(ranked)) {
            Frame *child = frame + 1;
            const u32 move = move_of(ranked), rank = rank_of(ranked);
            const int alpha = frame->alpha, beta = frame->beta, depth = frame->depth, new_depth = depth - ONE_PLY;
            const bool gives_check = attacks >> (us ^ 1) & 1,
                       full_window = (flags & IS_PV) && (quiescence || move_count == 1);
            int child_depth = new_depth;
            if (uniform(is_quiet_rank(rank) && depth >= 2 * ONE_PLY && move_count > (ply == 0 ? 2 : 1))) {
                const Task &task = ((const Task *)(frame - ply))[-1];
                const int reduction = reduction_of(warp, task, flags, depth, move_count, history_of(rank), gives_check);
                child_depth = max(new_depth - max(reduction, 0), ONE_PLY);
            }
            const bool is_reduced = child_depth < new_depth;
            frame->flags =
                (u16)(full_window || !(flags & IS_PV) ? flags & ~AWAITS_ZERO_WINDOW : flags | AWAITS_ZERO_WINDOW);
            frame->move_count = (u16)move_count;
            frame->move = (u16)move;
            frame->new_depth = new_depth;
            frame->is_reduced = is_reduced;
            child->alpha = (i16)(full_window ? -beta : -alpha - 1);
            child->beta = (i16)-alpha;
            child->depth = child_depth;
            child->flags = (u16)((gives_check ? IN_CHECK : 0) | (full_window                       ? IS_PV
                                                                 : is_reduced || !(flags & IS_CUT) ? IS_CUT
                                                                                                   : 0));
            child->list = frame->list + moves;
            child->slot = frame->slot + 1;
            child->ply = (u8)(ply + 1);
            child->reach = clock_of(child->board) == 0 ? 0 : frame->reach + 1;
            frame++;
            goto enter;
        }
    }

finish:
    {
        const Board board = frame->board;
        const u32 flags = frame->flags, best_move = frame->best_move;
        const int beta = frame->beta, depth = max(frame->depth, 0), best = frame->best, ply = frame->ply;
        result = best;
        // Step 8: mate or stalemate. Otherwise a halfmove clock of 100 is a draw, in check as well.
        if (uniform(best == NONE)) {
            result = flags & IN_CHECK ? ply - MATE : 0;
            goto leave;
        }
        if (uniform(clock_of(board) >= 100 && ply > 0)) {
            result = draw_score(warp);
            goto leave;
        }
        // Step 9: update histories and the hash table.
        const int bound = best >= beta ? LOWER : (flags & IS_PV) && best > frame->first_alpha ? EXACT : UPPER;
        if (uniform(!(flags & IS_QUIESCENCE))) {
            SearchTables &tables = search_tables(warp);
            const bool noisy = best_move && is_noisy(board, best_move);
            if (uniform(best_move && !noisy)) {
                frame->killer = (u16)best_move;
                const u32 *list = warp.block->moves + frame->list;
                update_quiet_histories(tables, board, list, frame->moves, best_move, bonus(warp, depth),
                                       malus(warp, depth));
            }
            const int evaluation = frame->evaluation;
            const bool updates = bound == EXACT || (bound == LOWER ? best > evaluation : best < evaluation);
            if (uniform(!(flags & IN_CHECK) && !noisy && updates && !is_mate(best))) {
                update_correction(tables, board, plies_of(depth), best - evaluation);
            }
        }
        store(warp, board.hash, ply, best_move, best, plies_of(depth), bound);
    }

leave:
    {
        if (uniform(frame->ply == 0)) return result;
        frame--;
        const int score = -result, alpha = frame->alpha, beta = frame->beta, best = frame->best;
        const u32 flags = frame->flags;
        const bool was_reduced = frame->is_reduced;
        sync_warp();
        if (uniform(flags & AWAITS_NULL)) {
            frame->flags = (u16)(flags & ~AWAITS_NULL);
            if (uniform(score >= beta)) {
                result = is_win(score) ? beta : score;
                goto leave;
            }
            goto prepare;
        }
        if (uniform(score > alpha && (was_reduced || (flags & AWAITS_ZERO_WINDOW)))) {
            // Re-search rule: a move that beats alpha is searched again at full depth, then, in a PV node, with the full
            // window.
            Frame *child = frame + 1;
            const bool full_window = !was_reduced;
            if (full_window) frame->flags = (u16)(flags & ~AWAITS_ZERO_WINDOW);
            frame->is_reduced = 0;
            child->alpha = (i16)(full_window ? -beta : -alpha - 1);
            child->beta = (i16)-alpha;
            child->depth = frame->new_depth;
            child->flags = (u16)((child->flags & (IN_CHECK | IS_EVALUATED)) | (full_window      ? IS_PV
                                                                               : flags & IS_CUT ? 0
                                                                                                : IS_CUT));
            frame++;
            goto enter;
        }
        if (uniform(score > best)) {
            frame->best = (i16)score;
            if (uniform(score > alpha)) {
                frame->best_move = frame->move;
                frame->alpha = (i16)score;
                if (uniform(frame->ply == 0)) task_of(warp).root_move = frame->move, task_of(warp).root_score = score;
                if (uniform(score >= beta)) goto finish;
            }
        }
        goto next;
    }
}
