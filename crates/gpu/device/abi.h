// What host and device tell each other: the layouts of src/abi.rs, and the sizes that both sides check.
// Addresses travel as 64-bit numbers, so that the layouts are the same for every compiler.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;

// A position as it comes from outside. `planes` are three bits of a man's code (pawn 1 ... king 6) by
// square, then the squares of Black's men. `state` is explained in board.h.
struct Start {
    u64 planes[4];
    u32 state;
    u32 move_number;
};

// Numbers that are computed once by the host: see src/abi.rs.
struct Tables {
    u64 lines[64][8];  // diagonal, antidiagonal, file, rank, knight, king, white pawn, black pawn
    // Hash keys: White's pawn to king on all squares, then Black's; castling rights; files of en passant; Black to move.
    // The last number fills up 16 bytes.
    u64 keys[12 * 64 + 16 + 8 + 2];
    u16 logarithms[256];  // natural, in 1024ths
};

// Nodes of a search: no new iteration after `soft`, the end at `hard`.
struct Limits {
    u32 soft;
    u32 hard;
};

// How games begin.
struct Opening {
    u64 shuffled;  // this many in 2^53 games begin with a position of double Chess960
    u32 fewest_plies;
    u32 most_plies;
    Limits limits;  // of the search that judges an opening
    i32 most_score;
    u32 unused;
};

// When games end before the rules of chess end them. A count of 0 switches a rule off.
struct Rules {
    u32 draw_move_number;
    u32 draw_move_count;
    i32 draw_score;
    u32 resign_move_count;
    i32 resign_score;
    u32 resign_two_sided;
    u32 most_moves;  // of both sides
    u32 unused;
};

// Which positions become records.
struct Filter {
    u32 least_ply;
    u32 least_men;
    i32 most_score;
    u32 checks;  // kept if not 0
    u32 noisy;   // kept if not 0
    u32 unused;
};

// A position to learn from: `Example` of the trainer.
struct Record {
    u64 occupied;
    u8 men[16];
    i16 score;
    u8 half_points;
    u8 our_king;
    u8 their_king;
    u8 unused[3];
};

// Stands before each finished game; `bytes` bytes of a packed game follow, then zeros up to a multiple of 8.
struct GameHeader {
    u64 number;
    u64 nodes;
    u32 bytes;
    u32 plies;  // that were searched
    u8 ending;  // enum Ending
    u8 result;  // White's half points
    u8 unused[6];
};

enum Ending { ENDED_BY_RULES = 0, MATE_SEEN = 1, DRAW_AGREED = 2, RESIGNED = 3, TOO_LONG = 4 };

// Counts of everything since the host set them to zero.
struct Counters {
    u64 nodes;
    u64 moves;
    u64 games;
    u64 depths;  // sum of the depths of all moves' searches
    u64 white_wins;
    u64 draws;
    u64 black_wins;
    u64 plies;
    u64 records;
    u64 openings;  // judged, played or not
};

// What warps share. The host sets all to zero before the first launch, the cursors when it has taken what
// lies before them, and `running` and `waiting` before each launch.
struct Control {
    u64 next_game;        // index of the next game to begin
    u64 running;          // warps that ended this launch in the middle of a game
    u64 waiting;          // warps that wait with a finished game for room in a buffer
    u64 games_cursor;     // bytes written to `games`
    u64 records_cursor[2];
    u64 unused[2];
    Counters counters;
};

// A launch of `play`.
struct Launch {
    u64 tables;        // Tables
    u64 networks[2];   // of either side; the same twice in self-play
    u64 parameters[2]; // i32 of parameters.h, of either side
    u64 memory;        // Layout.block_bytes for each warp, zero before the first launch
    u64 control;       // Control
    u64 games;         // bytes, or 0 for none
    u64 games_capacity;
    u64 records[2];    // Record for training and for validation, or 0 for none
    u64 records_capacity[2];
    u64 results;       // u8 by index of the game: half points of side 0; or 0 for none
    u64 openings;      // Start; used instead of random openings if there are any
    u64 opening_count;
    u64 seed;
    u64 first_game;    // number of the game with index 0
    u64 game_step;     // from one game's number to the next one's
    u64 game_count;    // games to begin in all launches together
    u64 duration_ns;   // after that no move is begun
    u32 is_match;      // two sides, each pair of games from one opening
    u32 finish;        // begin no game
    u32 validation_every;  // each such game's records go to the second buffer; 0 for none
    u32 unused;
    Limits limits[2];  // of either side
    Opening opening;
    Rules rules;
    Filter filter;
};

// A launch of `perft`: each warp takes tasks until there are no more.
struct PerftLaunch {
    u64 tables;
    u64 memory;
    u64 next_task;  // u64, zero before the launch
    u64 tasks;      // Start
    u64 counts;     // u64 by task
    u64 task_count;
    u64 depth;
};

// A launch of `evaluate`: what a network says of positions, a warp for each.
struct EvaluateLaunch {
    u64 tables;
    u64 memory;
    u64 network;
    u64 positions;  // Start
    u64 values;     // i32
    u64 count;
};

// What kernel `layout` tells.
struct Layout {
    u64 block_bytes;  // memory of one warp, for any kernel
    u32 play_shared_bytes;
    u32 match_shared_bytes;
    u32 other_shared_bytes;  // of `perft` and `evaluate`
    u32 warps;               // in a block of threads
    u32 hidden;
    u32 king_buckets;
    u32 parameters;
    u32 sizes[8];  // of Start, Tables, Record, GameHeader, Control, Launch, PerftLaunch, EvaluateLaunch
};

static_assert(sizeof(Start) == 40, "as in abi.rs");
static_assert(sizeof(Tables) == 4096 + 6144 + 128 + 64 + 16 + 512, "as in abi.rs");
static_assert(sizeof(Record) == 32, "as in abi.rs");
static_assert(sizeof(GameHeader) == 32, "as in abi.rs");
static_assert(sizeof(Control) == 144, "as in abi.rs");
static_assert(sizeof(Launch) == 288, "as in abi.rs");
static_assert(sizeof(PerftLaunch) == 56, "as in abi.rs");
static_assert(sizeof(EvaluateLaunch) == 48, "as in abi.rs");
static_assert(sizeof(Layout) == 72, "as in abi.rs");
