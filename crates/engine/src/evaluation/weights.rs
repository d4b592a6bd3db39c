//! The weights of the evaluation: one pair of centipawns (middlegame, endgame) for each feature, in the order
//! of [`Term`](super::terms::Term). The whole file is written by `vedette tune --write`.

use super::tapered::Tapered;
use super::terms::FEATURES;

const fn w(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The weight of every feature.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; FEATURES] = [
    // Material: pawn, knight, bishop, rook, queen
    w(  68,  117), w( 326,  254), w( 340,  291), w( 467,  500), w( 976,  979),
    // Pawns for each piece: knight, bishop, rook, queen
    w(  -3,   33), w(  -5,   28), w(  -8,   28), w(  -2,   53),
    // Pawn on square
    w( -10,    1), w(   1,    3), w(  -9,    3), w(  -6,   -9),
    w(  -7,   -1), w(  -4,    1), w(   4,    0), w(   9,   -5),
    w(  -5,    4), w(  -3,    6), w(   7,   -3), w(  11,    1),
    w(   0,    5), w(  -2,   18), w(  13,   21), w(  20,    4),
    w(  17,   15), w(  14,   11), w(  14,   19), w(  14,   15),
    w(  22,   22), w(  20,   34), w(  18,   33), w(  21,   30),
    // Knight on square
    w( -53,  -30), w( -29,  -22), w( -32,  -16), w( -16,   -4),
    w( -32,  -25), w( -18,   -8), w( -15,   -4), w(  -7,   -4),
    w( -26,  -14), w( -10,   -7), w(   0,   -8), w(  10,   -2),
    w( -12,  -11), w(   7,   -8), w(  14,    0), w(  12,    2),
    w(  -8,  -12), w(   3,   -9), w(   9,   -1), w(  26,    1),
    w( -16,  -19), w(   0,   -5), w(  10,   -4), w(  12,   -7),
    w( -34,  -25), w( -16,  -11), w(  -4,   -5), w(  -1,   -9),
    w( -59,  -31), w( -37,  -16), w( -31,  -13), w( -24,   -7),
    // Bishop on square
    w( -21,   -9), w( -16,   -2), w( -18,    2), w(  -2,    1),
    w( -12,   -5), w(   4,   -9), w(  -1,   -2), w(   2,   -3),
    w(  -1,   -8), w(   5,    1), w(  -1,   -6), w(   4,    1),
    w(  15,   -3), w(   3,   -1), w(   7,    1), w(  12,    0),
    w(   1,    0), w(   2,    7), w(   0,    5), w(   6,    2),
    w(  -1,    1), w(  -1,    0), w(  -1,  -10), w(   8,    2),
    w(  -7,   -5), w( -11,   -7), w(  -3,   -1), w(  -3,    0),
    w(  -6,   -5), w(  -7,   -4), w(  -6,   -3), w(  -1,    1),
    // Rook on square
    w(  -8,   -7), w(   2,   -8), w(   4,   -5), w(   9,   -6),
    w( -11,   -7), w( -11,   -1), w(  -7,   -7), w(  -7,   -1),
    w( -22,    3), w(  -3,   -6), w(  -5,   -4), w(  -7,   -7),
    w( -17,    7), w( -12,    1), w(   0,    7), w(   2,    3),
    w( -11,    4), w(  -4,    2), w(   3,   -2), w(   6,    1),
    w(  -3,   10), w(  -1,    8), w(   5,    6), w(   8,   11),
    w(  12,    9), w(   7,    6), w(  15,    4), w(  17,    2),
    w(  -3,   15), w(  -1,    7), w(   4,   11), w(   6,    9),
    // Queen on square
    w(  -1,  -14), w(   0,  -13), w(  -1,   -6), w(   5,   -4),
    w(  -5,  -12), w(  -2,  -10), w(  -6,   -5), w(  -6,    9),
    w(  -8,   -8), w(   4,   -3), w(  -9,    3), w(  -5,   11),
    w(  -1,   -3), w(  -2,    5), w(   7,   12), w(  -8,   12),
    w(  -3,   -1), w(   0,    2), w(   0,   10), w(   3,   17),
    w(   1,   -4), w(   1,    1), w(   0,    4), w(  -2,    9),
    w(  -4,  -10), w(  -6,   -6), w(   4,    0), w(   0,    3),
    w(   0,  -14), w(  -6,  -11), w(  -3,   -6), w(  -2,   -2),
    // King on square
    w(  27,  -19), w(  27,  -23), w(  -2,  -11), w( -21,   -7),
    w(   7,  -14), w(   4,   -8), w( -18,    1), w( -40,   19),
    w( -15,   -8), w(  -5,   -8), w( -31,   10), w( -48,   22),
    w( -32,   -7), w( -22,   -4), w( -46,   10), w( -63,   24),
    w( -38,    1), w( -26,    4), w( -55,   11), w( -72,   18),
    w( -43,  -10), w( -32,   -4), w( -60,    2), w( -77,   13),
    w( -42,  -11), w( -31,    0), w( -60,   -1), w( -78,    8),
    w( -41,  -17), w( -31,   -9), w( -59,   -5), w( -78,    2),
    // Knight mobility
    w( -40,  -61), w( -17,  -34), w(  -5,  -23), w(  -8,   -4), w(  -2,   -8), w(   5,    5), w(   6,    5), w(  11,   15), w(  20,   -6),
    // Bishop mobility
    w( -22,  -55), w( -10,  -30), w(  -5,  -15), w(   2,    0), w(   3,    2), w(   8,    9), w(   9,   18),
    w(  13,   24), w(  16,   29), w(  21,   25), w(  25,   35), w(  36,   21), w(  36,   42), w(  41,   37),
    // Rook mobility
    w( -40,  -60), w( -15,  -31), w(  -2,  -19), w(  -2,   -7), w(  -2,    2), w(   1,   10), w(   6,   23), w(   6,   24),
    w(  12,   30), w(  14,   37), w(  13,   41), w(  17,   47), w(  16,   50), w(  21,   53), w(  33,   43),
    // Queen mobility
    w( -30,  -60), w( -10,  -37), w( -15,  -26), w( -10,  -21), w(  -6,  -15), w(  -6,  -10), w(  -4,   -4),
    w(   0,    1), w(   0,    5), w(   1,    9), w(   3,   13), w(   5,   19), w(  10,   21), w(  12,   26),
    w(  14,   27), w(  10,   31), w(  12,   31), w(  15,   36), w(  17,   39), w(  19,   40), w(  20,   43),
    w(  20,   44), w(  21,   47), w(  24,   50), w(  24,   52), w(  25,   54), w(  27,   58), w(  28,   60),
    // Bishop pair
    w(  25,   55),
    // Pawns on bishop's colour
    w(   0,   -3),
    // Bishop on long diagonal
    w(  20,    3),
    // Knight outpost: plain, defended
    w(  24,  -11), w(  23,   12),
    // Bishop outpost: plain, defended
    w(  21,   -8), w(  13,   10),
    // Minor piece behind pawn
    w(   5,    8),
    // Knight, bishop far from king
    w(  -1,  -10), w(   0,   -8),
    // Piece far from enemy king: knight, bishop, rook, queen
    w(   0,  -15), w(   2,  -11), w(   0,    0), w(  -4,  -16),
    // Undefended: pawn, knight, bishop, rook
    w(  -2,   -6), w(  -6,   -5), w(  -7,  -13), w(   3,   -7),
    // Rook on open, half-open file
    w(  31,    1), w(  10,    2),
    // Rook on seventh
    w(  10,    9),
    // Trapped rook
    w( -40,  -13),
    // Queen exposed on a line
    w( -22,  -11),
    // Isolated pawn
    w(  -4,  -11), w(  -8,   -8), w(  -3,  -13), w(  -9,  -15),
    // Weak pawn on half-open file
    w( -12,   -4),
    // Doubled pawn
    w( -10,  -16),
    // Backward pawn
    w(   0,  -12),
    // Supported pawn
    w(   0,    0), w(  10,    8), w(   7,    4), w(  10,   18), w(  32,   34), w(  80,   61),
    // Phalanx
    w(   4,   -1), w(   2,    6), w(   6,   15), w(  15,   23), w(  58,   57), w(  90,   81),
    // Candidate passed pawn
    w(   2,    1), w(   3,    3), w(   8,   20), w(   7,   34), w(  28,   48), w(   0,    0),
    // Passed pawn
    w(  -1,    6), w(   0,   15), w(   1,   29), w(  24,   63), w(  61,   90), w( 101,  143),
    // Own king's distance to passed pawn
    w(   0,   -3), w(   0,   -4), w(   3,  -10), w(   0,  -14), w(   0,  -14), w(  -3,  -15),
    // Enemy king's distance to passed pawn
    w(   0,    3), w(  -4,    6), w(  -2,   15), w(  -1,   22), w(  -4,   31), w(   5,   41),
    // Blocked passed pawn
    w(  -2,   -4), w(   1,    0), w(   2,   -5), w(  -3,   -6), w( -24,  -36), w( -35,  -61),
    // Passed pawn's next square safe
    w(  -5,    3), w(   4,    9), w(  -2,   15), w(   3,   16), w(  14,   29), w(  14,   33),
    // Passed pawn's next square defended
    w(   0,    4), w(   3,    6), w(   2,    5), w(  10,   22), w(  19,   23), w(  24,   34),
    // Passed pawn's path free
    w(   1,    6), w(  -1,   11), w(  -3,   15), w(   5,   25), w(  15,   42), w(  25,   54),
    // Rook behind passed pawn: own, enemy
    w(  12,   26), w(  -8,  -28),
    // Unstoppable passed pawn
    w(   0,  299),
    // King's shelter
    w( -18,   26), w(  20,  -11), w(  12,   -7), w(   6,   -8), w(  -4,    3), w(  -6,    0), w(  -9,    0),
    w( -17,   13), w(  28,  -10), w(  24,   -7), w(   0,   -6), w(  -2,    1), w( -14,   -2), w( -10,    3),
    w( -17,    6), w(  24,   -3), w(   4,    0), w(  -4,   -6), w(   4,    2), w(  -4,   -1), w( -10,    1),
    w(  -8,   -1), w(  17,   -4), w(   4,    2), w(   1,   -6), w(  -6,    8), w(  -7,    2), w( -10,    3),
    // Pawn storm
    w( -11,    1), w( -20,    2), w( -27,   12), w( -14,    2), w(  -9,    0), w(   1,   -3), w(  -3,    2),
    w(   0,    0), w(   0,    0), w(  -5,   -4), w(  -5,  -11), w(   2,  -10), w(  -6,    0), w(  -1,    3),
    // King on half-open, open file
    w(  -5,    7), w( -26,   -2),
    // King's distance to pawns
    w(   4,  -18),
    // Right to castle
    w(  17,   -4),
    // Threat by pawn
    w(  63,   39), w(  58,   45), w(  69,   36), w(  64,   30),
    // Threat of pawn push
    w(  15,   17),
    // Threat by minor piece
    w(   5,   20), w(  24,   29), w(  32,   33), w(  52,   43), w(  53,   61),
    // Threat by rook
    w(   7,   24), w(  25,   24), w(  34,   31), w(  10,   20), w(  58,   42),
    // Threat by king
    w(  18,   38),
    // Next move against queen: knight, slider
    w(  11,    6), w(  17,   11),
    // Hanging pawn, piece
    w(  12,   24), w(  16,   13),
    // Threat with the move: by pawn, hanging
    w(  18,   16), w(  22,   21),
    // Restricted squares
    w(   3,    3),
    // Space
    w(   3,  -17),
    // Tempo
    w(  28,   18),
    // Danger: base
    w( -77,  -40),
    // Danger: attackers
    w(  46,    9), w(  30,    9), w(  45,    7), w(  12,   10),
    // Danger: attacks on ring
    w(   6,    5),
    // Danger: weak squares of ring
    w(  34,    4),
    // Danger: safe checks
    w(  97,   11), w(  65,   15), w( 105,   13), w(  69,   13),
    // Danger: unsafe checks
    w(  18,    4),
    // Danger: open files
    w(  20,   -3),
    // Danger: no queen
    w(-181,  -30),
    // Danger: wing attacked, defended
    w(   9,    5), w(  -2,    4),
    // Danger: pawns at ring
    w(  16,    3),
    // Danger: lines with one man between
    w(  32,    6),
    // Danger: knight defends
    w( -19,   -4),
];
