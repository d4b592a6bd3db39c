// Games of self-play and of matches, as crates/datagen/src/selfplay plays them. A game depends on its number and the
// launch's settings alone. Everything that must outlive a launch is in the warp's block, so that a game goes on
// where the last launch left it.
#pragma once
#include "opening.h"
#include "output.h"
#include "think.h"

// Whose network, parameters and brain are used from now on.
DEVICE void take_side(Warp &warp, const Launch &launch, int side) {
    warp.side = side;
    task_of(warp).network = (const u32 *)launch.networks[side];
}

// Forgets everything.
DEVICE void clear_brains(Block &block, int brains) {
#ifdef __CUDACC__
    uint4 *words = (uint4 *)block.brains;
    ROLLED for (u32 i = lane(); i < brains * (u32)(sizeof(Brain) / 16); i += LANES) words[i] = make_uint4(0, 0, 0, 0);
#else
    memset(block.brains, 0, brains * sizeof(Brain));
#endif
    sync_lanes();
}

// Takes the next game, if there is one.
DEVICE bool begin_game(Block &block, const Launch &launch) {
    Control *control = (Control *)launch.control;
    u64 index = ~0ull;
    if (agreed(!launch.finish)) {
        if (lane() == 0) index = add_atomically(&control->next_game, 1);
        index = from_first_lane(index);
    }
    if (agreed(index >= launch.game_count)) return false;
    Game &game = block.game;
    u64 number = launch.first_game + index * launch.game_step;
    // Hashed twice, so that the streams of neighbouring games have nothing in common.
    u64 stream = launch.seed;
    stream = random_bits(stream) ^ (launch.is_match ? number >> 1 : number);
    game.random = random_bits(stream);
    game.number = number;
    game.index = index;
    game.nodes = 0;
    game.plies = game.quiet_plies = game.emitted = 0;
    game.losing[0] = game.losing[1] = game.winning[0] = game.winning[1] = 0;
    game.phase = CHOOSING;
    if (agreed(launch.opening_count)) {
        const Start *openings = (const Start *)launch.openings;
        game.start = openings[(launch.is_match ? number >> 1 : number) % launch.opening_count];
        Board board;
        set_board(board, game.start);
        game.board = board;
        game.in_check = attacked_kings(board) >> turn_of(board) & 1;
        game.start_ply = 2 * (game.start.move_number - 1) + turn_of(board);
        game.phase = PLAYING;
    }
    sync_lanes();
    clear_brains(block, launch.is_match ? 2 : 1);
    return true;
}

DEVICE void end_game(Game &game, u32 result, u32 ending) {
    game.result = result;
    game.ending = ending;
    game.phase = FINISHED;
}

// Whether the rules of chess end the game before another move; mate and stalemate show themselves later.
DEVICE bool is_drawn(const Warp &warp, const Game &game, const Board &board) {
    if (agreed(clock_of(board) >= 100 && !game.in_check)) return true;
    // With a ply of 0 every repetition lies before the root, and two are needed.
    return agreed(is_insufficient_material(board)) || is_repetition(warp, board.hash, game.plies, clock_of(board), 0);
}

// Whether the rules of the match end the game after a move, as record::adjudication has it.
DEVICE bool adjudicate(Game &game, const Rules &rules, int us, int score, u32 move_number, bool irreversible) {
    bool little = score <= rules.draw_score && score >= -rules.draw_score && !irreversible;
    const u32 quiet_plies = little && move_number >= rules.draw_move_number ? game.quiet_plies + 1 : 0;
    const u32 losing = score <= -rules.resign_score ? game.losing[us] + 1 : 0;
    const u32 winning = score >= rules.resign_score ? game.winning[us] + 1 : 0;
    // Every lane has read what was before it is written over.
    sync_lanes();
    game.quiet_plies = quiet_plies;
    game.losing[us] = losing;
    game.winning[us] = winning;
    sync_lanes();
    if (rules.draw_move_count && game.quiet_plies >= 2 * rules.draw_move_count) {
        end_game(game, 1, DRAW_AGREED);
        return true;
    }
    ROLLED for (int which = 0; which < 2 && rules.resign_move_count; which++) {
        int loser = us ^ which;
        bool confirmed = !rules.resign_two_sided || game.winning[loser ^ 1] >= rules.resign_move_count;
        if (game.losing[loser] >= rules.resign_move_count && confirmed) {
            end_game(game, loser ? 2 : 0, RESIGNED);
            return true;
        }
    }
    u32 most = rules.most_moves && rules.most_moves < MOST_PLIES / 2 ? 2 * rules.most_moves : MOST_PLIES;
    if (game.plies < most) return false;
    end_game(game, 1, TOO_LONG);
    return true;
}

// Hands over a finished game; false if a buffer has no room.
DEVICE bool emit(Block &block, const Launch &launch, Board &scratch) {
    enum { RECORDS_DONE = 1, GAME_DONE = 2 };
    Game &game = block.game;
    Control *control = (Control *)launch.control;
    int which = launch.validation_every && game.number % launch.validation_every == 0 ? 1 : 0;
    u32 records = agreed(launch.records[which]) ? count_records(block) : 0;
    if (agreed(records && !(game.emitted & RECORDS_DONE))) {
        u64 place = reserve(&control->records_cursor[which], records, launch.records_capacity[which]);
        if (agreed(place == ~0ull)) return false;
        write_records(block, (Record *)launch.records[which] + place, scratch);
        game.emitted |= RECORDS_DONE;
    }
    if (agreed(launch.games && !(game.emitted & GAME_DONE))) {
        u64 place = reserve(&control->games_cursor, written_game_bytes(game.plies), launch.games_capacity);
        if (agreed(place == ~0ull)) return false;
        write_game(block, (u8 *)launch.games + place);
        game.emitted |= GAME_DONE;
    }
    if (lane() == 0) {
        // Side 0 has White unless the game is the second of its pair.
        bool swapped = launch.is_match && (game.number & 1);
        if (launch.results) ((u8 *)launch.results)[game.index] = (u8)(swapped ? 2 - game.result : game.result);
        Counters &counters = control->counters;
        add_atomically(&counters.games, 1);
        add_atomically(game.result == 2 ? &counters.white_wins : game.result ? &counters.draws : &counters.black_wins, 1);
        add_atomically(&counters.plies, game.plies);
        add_atomically(&counters.records, records);
    }
    sync_lanes();
    game.phase = NO_GAME;
    sync_lanes();
    return true;
}

// Plays games until the time is over or there are no more.
DEVICE void play_games(Warp &warp, const Launch &launch) {
    Block &block = *warp.block;
    Game &game = block.game;
    Board &scratch = frames(warp)[1].board;
    Control *control = (Control *)launch.control;
    u64 begin = nanoseconds();
    ROLLED for (;;) {
        if (agreed(game.phase == FINISHED) && agreed(!emit(block, launch, scratch))) {
            if (lane() == 0) add_atomically(&control->waiting, 1);
            return;
        }
        if (agreed(game.phase == NO_GAME) && agreed(!begin_game(block, launch))) return;
        if (agreed(from_first_lane(nanoseconds() - begin) >= launch.duration_ns)) {
            if (lane() == 0) add_atomically(&control->running, 1);
            return;
        }
        if (agreed(game.phase == CHOOSING)) {
            if (agreed(!choose_opening(block, launch.opening, scratch))) continue;
            game.phase = JUDGING;
        }
        const Board board = game.board;
        const bool judging = game.phase == JUDGING, in_check = game.in_check;
        const int us = turn_of(board);
        sync_lanes();
        block.keys[game.plies] = board.hash;
        sync_lanes();
        if (agreed(!judging) && agreed(is_drawn(warp, game, board))) {
            end_game(game, 1, ENDED_BY_RULES);
            continue;
        }
        int side = launch.is_match && !judging ? us ^ (int)(game.number & 1) : 0;
        take_side(warp, launch, side);
        Thought thought = think(warp, board, in_check, game.plies, judging ? launch.opening.limits : launch.limits[side]);
        const u64 nodes = game.nodes + warp.nodes;
        sync_lanes();
        game.nodes = nodes;
        sync_lanes();
        if (lane() == 0) add_atomically(&control->counters.nodes, warp.nodes);
        sync_lanes();
        if (agreed(judging)) {
            bool balanced = thought.move && thought.score <= launch.opening.most_score && thought.score >= -launch.opening.most_score;
            if (lane() == 0) add_atomically(&control->counters.openings, 1);
            sync_lanes();
            game.phase = balanced ? PLAYING : CHOOSING;
            // Both sides of a match begin without experience.
            if (agreed(balanced && launch.is_match)) clear_brains(block, 1);
            continue;
        }
        if (agreed(!thought.move)) {
            end_game(game, in_check ? (us ? 2 : 0) : 1, ENDED_BY_RULES);
            continue;
        }
        if (agreed(clock_of(board) >= 100)) {
            end_game(game, 1, ENDED_BY_RULES);
            continue;
        }
        if (lane() == 0) {
            add_atomically(&control->counters.moves, 1);
            add_atomically(&control->counters.depths, thought.depth);
        }
        sync_lanes();
        const Filter &filter = launch.filter;
        const bool noisy = is_noisy(board, thought.move);
        const u32 plies = game.plies, ply = game.start_ply + plies;
        bool kept = ply >= filter.least_ply && (u32)count(occupied(board)) >= filter.least_men &&
                    thought.score <= filter.most_score && thought.score >= -filter.most_score &&
                    (filter.checks || !in_check) && (filter.noisy || !noisy);
        i32 white_score = us ? -thought.score : thought.score;
        sync_lanes();
        block.played[plies] = thought.move | (kept ? BECOMES_RECORD : 0) | (u32)white_score << 16;
        game.plies = plies + 1;
        sync_lanes();
        if (agreed(is_mate(thought.score))) {
            end_game(game, white_score > 0 ? 2 : 0, MATE_SEEN);
            continue;
        }
        bool irreversible = man_at(board, from_of(thought.move)) == PAWN || captured_by(board, thought.move);
        if (agreed(adjudicate(game, launch.rules, us, thought.score, ply / 2 + 1, irreversible))) continue;
        make(game.board, thought.move, scratch);
        game.in_check = attacked_kings(scratch) >> (us ^ 1) & 1;
        sync_lanes();
        game.board = scratch;
        sync_lanes();
    }
}
