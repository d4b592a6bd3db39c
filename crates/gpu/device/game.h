// Self-play and match games. A game depends on its number and the launch's settings alone. Everything that outlives a
// launch is in the warp's block, so that the next launch resumes the game.
#pragma once
#include "deepen.h"
#include "opening.h"
#include "output.h"

// Selects a player's network, parameters and search tables.
DEVICE void select_player(Warp &warp, const PlayLaunch &launch, int side) {
    warp.side = side;
    task_of(warp).network = (const u32 *)launch.networks[side];
}

DEVICE void clear_search_tables(Block &block, int players) {
#ifdef __CUDACC__
    uint4 *words = (uint4 *)block.search_tables;
    ROLLED for (u32 i = lane(); i < players * (u32)(sizeof(SearchTables) / 16); i += LANES)
        words[i] = make_uint4(0, 0, 0, 0);
#else
    memset(block.search_tables, 0, players * sizeof(SearchTables));
#endif
    sync_warp();
}

// Starts the next game, if there is one.
DEVICE bool begin_game(Block &block, const PlayLaunch &launch) {
    Control *control = (Control *)launch.control;
    u64 index = ~0ull;
    if (uniform(!launch.settings.finish)) {
        if (lane() == 0) index = atomic_add(&control->next_game, 1);
        index = broadcast(index);
    }
    if (uniform(index >= launch.settings.game_count)) return false;
    Game &game = block.game;
    u64 number = launch.settings.first_game + index * launch.settings.game_step;
    // Hashed twice, so that the streams of consecutive games are independent.
    u64 stream = launch.settings.seed;
    stream = random_bits(stream) ^ (launch.settings.is_match ? number >> 1 : number);
    game.random = random_bits(stream);
    game.number = number;
    game.index = index;
    game.nodes = 0;
    game.plies = game.quiet_plies = game.emitted = 0;
    game.losing[0] = game.losing[1] = game.winning[0] = game.winning[1] = 0;
    game.phase = CHOOSING_OPENING;
    if (uniform(launch.opening_count)) {
        const DevicePosition *openings = (const DevicePosition *)launch.openings;
        game.start = openings[(launch.settings.is_match ? number >> 1 : number) % launch.opening_count];
        Board board;
        set_board(board, game.start);
        game.board = board;
        game.in_check = attacked_kings(board) >> turn_of(board) & 1;
        game.start_ply = 2 * (game.start.move_number - 1) + turn_of(board);
        game.phase = PLAYING;
    }
    sync_warp();
    clear_search_tables(block, launch.settings.is_match ? 2 : 1);
    return true;
}

DEVICE void end_game(Game &game, u32 result, u32 ending) {
    game.result = result;
    game.ending = ending;
    game.phase = FINISHED;
}

// Draws by the rules of chess except stalemate, which the search finds.
DEVICE bool is_drawn(const Warp &warp, const Game &game, const Board &board) {
    if (uniform(clock_of(board) >= 100 && !game.in_check)) return true;
    // With a ply of 0 every repetition is before the root, and two are needed.
    return uniform(is_insufficient_material(board)) || is_repetition(warp, board.hash, game.plies, clock_of(board), 0);
}

// Adjudication after a move, as in the arena.
DEVICE bool adjudicate(Game &game, const Rules &rules, int us, int score, u32 move_number, bool irreversible) {
    bool drawish = score <= rules.draw_score && score >= -rules.draw_score && !irreversible;
    const u32 quiet_plies = drawish && move_number >= rules.draw_move_number ? game.quiet_plies + 1 : 0;
    const u32 losing = score <= -rules.resign_score ? game.losing[us] + 1 : 0;
    const u32 winning = score >= rules.resign_score ? game.winning[us] + 1 : 0;
    // Every lane has read the old values before they are overwritten.
    sync_warp();
    game.quiet_plies = quiet_plies;
    game.losing[us] = losing;
    game.winning[us] = winning;
    sync_warp();
    if (rules.draw_move_count && game.quiet_plies >= 2 * rules.draw_move_count) {
        end_game(game, 1, DRAW_ADJUDICATED);
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
    u32 max_plies = rules.max_moves && rules.max_moves < MAX_PLIES / 2 ? 2 * rules.max_moves : MAX_PLIES;
    if (game.plies < max_plies) return false;
    end_game(game, 1, TOO_LONG);
    return true;
}

// Writes a finished game to the output buffers; false if one is full.
DEVICE bool emit(Block &block, const PlayLaunch &launch, Board &scratch) {
    enum { RECORDS_DONE = 1, GAME_DONE = 2 };
    Game &game = block.game;
    Control *control = (Control *)launch.control;
    int which = launch.settings.validation_every && game.number % launch.settings.validation_every == 0 ? 1 : 0;
    u32 records = uniform(launch.records[which]) ? count_records(block) : 0;
    if (uniform(records && !(game.emitted & RECORDS_DONE))) {
        u64 offset = reserve(&control->records_cursor[which], records, launch.records_capacity[which]);
        if (uniform(offset == ~0ull)) return false;
        write_records(block, (Record *)launch.records[which] + offset, scratch);
        game.emitted |= RECORDS_DONE;
    }
    if (uniform(launch.games && !(game.emitted & GAME_DONE))) {
        u64 offset = reserve(&control->games_cursor, written_game_bytes(game.plies), launch.games_capacity);
        if (uniform(offset == ~0ull)) return false;
        write_game(block, (u8 *)launch.games + offset);
        game.emitted |= GAME_DONE;
    }
    if (lane() == 0) {
        // Player 0 has White unless the game is the second of its pair.
        bool swapped = launch.settings.is_match && (game.number & 1);
        if (launch.results) ((u8 *)launch.results)[game.index] = (u8)(swapped ? 2 - game.result : game.result);
        Counters &counters = control->counters;
        atomic_add(&counters.games, 1);
        atomic_add(game.result == 2 ? &counters.white_wins : game.result ? &counters.draws : &counters.black_wins, 1);
        atomic_add(&counters.plies, game.plies);
        atomic_add(&counters.records, records);
    }
    sync_warp();
    game.phase = NO_GAME;
    sync_warp();
    return true;
}

// Whether the filter drops a position whatever its search finds, with the score of the last move as a guess at the next.
DEVICE bool is_dropped(const Block &block, const Filter &filter, const Board &board, bool in_check) {
    const u32 plies = block.game.plies;
    const i32 last = plies ? (i32)block.played[plies - 1] >> 16 : 0;
    return block.game.start_ply + plies < filter.min_ply || (u32)popcount(occupied(board)) < filter.min_pieces ||
           last > filter.max_score || last < -filter.max_score || (!filter.checks && in_check);
}

// Plays games until the time is up or none are left.
DEVICE void play_games(Warp &warp, const PlayLaunch &launch) {
    Block &block = *warp.block;
    Game &game = block.game;
    Board &scratch = frames(warp)[1].board;
    Control *control = (Control *)launch.control;
    u64 begin = nanoseconds();
    ROLLED for (;;) {
        if (uniform(game.phase == FINISHED) && uniform(!emit(block, launch, scratch))) {
            if (lane() == 0) atomic_add(&control->waiting, 1);
            return;
        }
        if (uniform(game.phase == NO_GAME) && uniform(!begin_game(block, launch))) return;
        if (uniform(broadcast(nanoseconds() - begin) >= launch.settings.duration_ns)) {
            if (lane() == 0) atomic_add(&control->running, 1);
            return;
        }
        if (uniform(game.phase == CHOOSING_OPENING)) {
            if (uniform(!choose_opening(block, launch.settings.opening, scratch))) continue;
            game.phase = VERIFYING_OPENING;
        }
        const Board board = game.board;
        const bool verifying = game.phase == VERIFYING_OPENING, in_check = game.in_check;
        const int us = turn_of(board);
        sync_warp();
        block.keys[game.plies] = board.hash;
        sync_warp();
        if (uniform(!verifying) && uniform(is_drawn(warp, game, board))) {
            end_game(game, 1, ENDED_BY_RULES);
            continue;
        }
        int side = launch.settings.is_match && !verifying ? us ^ (int)(game.number & 1) : 0;
        select_player(warp, launch, side);
        NodeLimits limits = verifying ? launch.settings.opening.limits : launch.settings.limits[side];
        const bool dropped = uniform(!verifying && launch.settings.unrecorded.hard) &&
                             uniform(is_dropped(block, launch.settings.filter, board, in_check));
        if (dropped) limits = launch.settings.unrecorded;
        SearchResult found = deepen(warp, board, in_check, game.plies, limits);
        const u64 nodes = game.nodes + warp.nodes;
        sync_warp();
        game.nodes = nodes;
        sync_warp();
        if (lane() == 0) atomic_add(&control->counters.nodes, warp.nodes);
        sync_warp();
        if (uniform(verifying)) {
            bool balanced = found.move && found.score <= launch.settings.opening.max_score &&
                            found.score >= -launch.settings.opening.max_score;
            if (lane() == 0) atomic_add(&control->counters.openings, 1);
            sync_warp();
            game.phase = balanced ? PLAYING : CHOOSING_OPENING;
            // Both players of a match start with empty tables.
            if (uniform(balanced && launch.settings.is_match)) clear_search_tables(block, 1);
            continue;
        }
        if (uniform(!found.move)) {
            end_game(game, in_check ? (us ? 2 : 0) : 1, ENDED_BY_RULES);
            continue;
        }
        if (uniform(clock_of(board) >= 100)) {
            end_game(game, 1, ENDED_BY_RULES);
            continue;
        }
        if (lane() == 0) {
            atomic_add(&control->counters.moves, 1);
            atomic_add(&control->counters.depths, found.depth);
        }
        sync_warp();
        const Filter &filter = launch.settings.filter;
        const bool noisy = is_noisy(board, found.move);
        const u32 plies = game.plies, ply = game.start_ply + plies;
        bool kept = !dropped && ply >= filter.min_ply && (u32)popcount(occupied(board)) >= filter.min_pieces &&
                    found.score <= filter.max_score && found.score >= -filter.max_score &&
                    (filter.checks || !in_check) && (filter.noisy || !noisy);
        i32 white_score = us ? -found.score : found.score;
        sync_warp();
        block.played[plies] = found.move | (kept ? IS_RECORDED : 0) | (u32)white_score << 16;
        game.plies = plies + 1;
        sync_warp();
        if (uniform(is_mate(found.score))) {
            end_game(game, white_score > 0 ? 2 : 0, MATE_FOUND);
            continue;
        }
        bool irreversible = piece_at(board, from_of(found.move)) == PAWN || captured_by(board, found.move);
        if (uniform(adjudicate(game, launch.settings.rules, us, found.score, ply / 2 + 1, irreversible))) continue;
        make(game.board, found.move, scratch);
        game.in_check = attacked_kings(scratch) >> (us ^ 1) & 1;
        sync_warp();
        game.board = scratch;
        sync_warp();
    }
}
