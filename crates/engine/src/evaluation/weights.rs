//! The weights of the evaluation: one pair of centipawns (middlegame, endgame) for each feature, in the order
//! of [`Term`](super::terms::Term). The whole file is written by `vedette tune --output`.

use super::tapered::Tapered;
use super::terms::FEATURES;

const fn w(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The weight of every feature.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; FEATURES] = [
    // Material: pawn, knight, bishop, rook, queen
    w(  63,  119), w( 322,  262), w( 336,  303), w( 463,  503), w( 973,  978),
    // Pawns for each piece: knight, bishop, rook, queen
    w(  -2,   23), w(  -4,   17), w(  -8,   22), w( -17,   62),
    // Pawn on square
    w( -13,    2), w(   5,    5), w(  -7,   11), w(  -1,   -1),
    w(  -7,   -6), w(  -3,    0), w(   5,    1), w(   8,    0),
    w(  -7,    1), w(  -4,    8), w(   6,   -4), w(  13,   -4),
    w(   2,    7), w(  -2,   18), w(   7,   10), w(  16,    0),
    w(  12,    9), w(  19,   12), w(  11,   25), w(  12,   12),
    w(  22,   19), w(  21,   33), w(  19,   36), w(  22,   31),
    // Knight on square
    w( -54,  -30), w( -24,  -26), w( -32,  -19), w( -13,   -2),
    w( -23,  -26), w( -17,   -7), w( -15,   -8), w(  -9,   -4),
    w( -22,  -11), w( -11,   -3), w(  -3,  -10), w(   8,   -1),
    w(  -9,  -11), w(   6,  -10), w(  11,   -1), w(   6,    5),
    w(  -5,  -10), w(   4,   -9), w(   8,    1), w(  21,    6),
    w( -12,  -19), w(  -3,   -6), w(  10,   -4), w(  12,   -5),
    w( -35,  -24), w( -14,   -9), w(   1,   -5), w(   1,   -7),
    w( -68,  -35), w( -38,  -15), w( -33,  -16), w( -23,   -5),
    // Bishop on square
    w( -24,  -12), w( -13,    1), w( -12,   -4), w(  -4,    2),
    w( -15,   -5), w(   6,  -15), w(   5,    0), w(   1,   -2),
    w(   1,   -4), w(   3,    0), w(   0,   -5), w(   3,    5),
    w(  17,   -6), w(   3,    3), w(   4,    2), w(  10,    1),
    w(  -2,    1), w(   4,    6), w(   1,    7), w(   7,    5),
    w(   0,    0), w(  -1,   -2), w(  -2,   -7), w(   8,    5),
    w(  -9,   -5), w( -12,   -7), w(  -4,    2), w(  -5,    1),
    w(  -6,   -6), w(  -8,   -3), w(  -8,   -4), w(  -2,    1),
    // Rook on square
    w(  -8,  -11), w(   0,  -14), w(   3,  -10), w(   9,  -13),
    w( -16,   -9), w( -12,   -3), w(  -6,   -8), w(  -9,   -6),
    w( -21,    5), w(  -4,   -7), w( -10,   -3), w(  -2,   -3),
    w( -17,    6), w( -10,    5), w(   0,   11), w(  -2,    1),
    w( -13,    9), w(  -8,    4), w(   6,    3), w(   6,    1),
    w(  -3,    9), w(   2,   14), w(   5,    2), w(  11,    8),
    w(  14,    9), w(   5,    4), w(  16,    1), w(  15,    0),
    w(   2,   21), w(   2,   15), w(   7,   17), w(   7,   12),
    // Queen on square
    w(   4,  -11), w(  -5,  -16), w(  -3,   -4), w(  -1,  -11),
    w(  -8,  -11), w(  -3,  -12), w(  -2,   -8), w(  -8,    9),
    w(  -9,   -7), w(   2,   -2), w(  -9,    4), w(  -4,   10),
    w(   3,   -3), w(   2,    7), w(   2,    9), w(  -6,   14),
    w(   2,    2), w(   2,    4), w(   0,   10), w(   1,   15),
    w(   4,   -2), w(  -4,   -1), w(   2,    5), w(  -2,    9),
    w(  -5,   -9), w(  -5,   -5), w(   5,    0), w(  -1,    2),
    w(   0,  -12), w( -10,  -12), w(  -3,   -6), w(  -1,   -3),
    // King on square
    w(  23,  -23), w(  24,  -21), w(  -6,  -14), w( -25,  -11),
    w(   9,  -17), w(   6,   -9), w( -16,    0), w( -39,   17),
    w( -16,  -11), w(  -4,  -10), w( -27,   11), w( -48,   19),
    w( -31,  -10), w( -24,   -3), w( -43,   14), w( -65,   27),
    w( -38,    0), w( -26,    4), w( -56,   16), w( -73,   18),
    w( -44,  -10), w( -31,   -3), w( -59,    7), w( -76,   15),
    w( -43,  -13), w( -29,    2), w( -59,    2), w( -78,    9),
    w( -41,  -18), w( -30,   -7), w( -58,   -5), w( -77,    3),
    // Knight mobility
    w( -34,  -61), w( -16,  -41), w(  -7,  -26), w(  -6,   -6), w(  -1,   -7), w(   3,    3), w(   4,   12), w(   5,   16), w(  17,    6),
    // Bishop mobility
    w( -21,  -55), w( -11,  -33), w(  -1,  -14), w(   4,   -1), w(   7,    5), w(   7,   13), w(  13,   18),
    w(  13,   27), w(  13,   28), w(  17,   30), w(  18,   35), w(  35,   26), w(  35,   42), w(  41,   36),
    // Rook mobility
    w( -38,  -60), w( -10,  -32), w(  -2,  -21), w(  -3,   -9), w(   1,    4), w(   0,   10), w(   4,   24), w(   7,   27),
    w(  10,   31), w(  16,   41), w(  13,   40), w(  14,   47), w(  13,   48), w(  18,   52), w(  33,   43),
    // Queen mobility
    w( -30,  -60), w( -12,  -38), w( -13,  -25), w( -14,  -22), w(  -6,  -15), w( -10,  -11), w(  -4,   -4),
    w(  -2,   -2), w(   2,    5), w(   4,    9), w(   5,   13), w(   7,   21), w(  13,   25), w(  11,   27),
    w(  14,   26), w(  11,   29), w(  12,   31), w(  12,   36), w(  21,   43), w(  19,   40), w(  20,   44),
    w(  19,   43), w(  23,   48), w(  22,   46), w(  25,   51), w(  25,   54), w(  27,   58), w(  28,   59),
    // Bishop pair
    w(  24,   58),
    // Pawns on bishop's colour
    w(  -1,   -4),
    // Bishop on long diagonal
    w(  16,    9),
    // Knight outpost: plain, defended
    w(  18,   -5), w(  25,   13),
    // Bishop outpost: plain, defended
    w(  12,   -4), w(  12,   18),
    // Minor piece behind pawn
    w(   4,   10),
    // Knight, bishop far from king
    w(  -3,   -5), w(  -1,   -3),
    // Piece far from enemy king: knight, bishop, rook, queen
    w(  -3,   -4), w(  -2,   -1), w(  -1,    0), w(  -5,  -17),
    // Undefended: pawn, knight, bishop, rook
    w(  -1,   -6), w(  -8,   -1), w(  -6,   -9), w(   0,    1),
    // Rook on open, half-open file
    w(  30,    5), w(  12,    3),
    // Rook on seventh
    w(  10,    3),
    // Trapped rook
    w( -38,  -16),
    // Queen exposed on a line
    w( -19,  -10),
    // Isolated pawn
    w(  -3,   -5), w(  -9,   -8), w(  -1,  -15), w(  -7,  -15),
    // Weak pawn on half-open file
    w( -10,   -6),
    // Doubled pawn
    w(  -3,  -15),
    // Backward pawn
    w(   2,  -10),
    // Supported pawn
    w(   0,    0), w(   9,    7), w(   8,    3), w(  12,   19), w(  24,   31), w(  81,   61),
    // Phalanx
    w(   4,    0), w(   2,    7), w(   5,   14), w(  11,   23), w(  59,   56), w(  90,   81),
    // Candidate passed pawn
    w(   2,   -2), w(   5,    0), w(   6,   17), w(   4,   28), w(  29,   51), w(   0,    0),
    // Passed pawn
    w(  -1,    6), w(   2,   13), w(  -1,   32), w(  20,   63), w(  60,   91), w( 103,  144),
    // Own king's distance to passed pawn
    w(   0,   -3), w(   2,   -5), w(   4,   -8), w(  -1,  -14), w(  -3,  -15), w(  -3,  -16),
    // Enemy king's distance to passed pawn
    w(  -1,    2), w(  -6,    4), w(  -4,   13), w(  -7,   23), w(  -5,   32), w(   7,   39),
    // Blocked passed pawn
    w(  -2,   -3), w(  -1,   -1), w(   4,   -3), w(  -3,   -3), w( -25,  -29), w( -40,  -66),
    // Passed pawn's next square safe
    w(  -7,    4), w(   7,    8), w(  -1,   16), w(   1,   16), w(  12,   32), w(  10,   33),
    // Passed pawn's next square defended
    w(  -2,    8), w(   7,    9), w(   1,    9), w(   4,   20), w(  21,   23), w(  29,   43),
    // Passed pawn's path free
    w(   1,    9), w(  -3,   12), w(  -4,   16), w(   5,   27), w(  16,   44), w(  29,   62),
    // Rook behind passed pawn: own, enemy
    w(  13,   23), w( -11,  -40),
    // Unstoppable passed pawn
    w(   0,  298),
    // King's shelter
    w( -14,   14), w(  14,  -20), w(  13,   -4), w(   4,   -7), w(  -4,    3), w(  -5,    3), w(  -6,    6),
    w( -16,   11), w(  30,  -13), w(  26,   -8), w(   4,   -3), w(  -1,    3), w( -17,    0), w( -10,    4),
    w( -16,    6), w(  23,   -1), w(  -1,   -3), w(  -2,   -1), w(   7,   -3), w(  -7,   -2), w(  -9,    1),
    w( -11,    5), w(  14,    0), w(   3,    6), w(   3,   -5), w(  -4,    4), w(  -7,    1), w( -10,    5),
    // Pawn storm
    w( -10,   -2), w( -18,    4), w( -24,   12), w( -16,    5), w( -11,    2), w(  -4,   -4), w(  -4,   -1),
    w(   0,    0), w(   0,    0), w(  -5,   -5), w(  -3,   -6), w(   2,   -5), w(  -5,   -6), w(   1,    3),
    // King on half-open, open file
    w(  -7,    5), w( -29,   -6),
    // King's distance to pawns
    w(   1,  -18),
    // Right to castle
    w(  18,   -1),
    // Threat by pawn
    w(  63,   42), w(  56,   49), w(  69,   36), w(  63,   30),
    // Threat of pawn push
    w(  13,   11),
    // Threat by minor piece
    w(   4,   21), w(  21,   34), w(  32,   36), w(  53,   43), w(  55,   63),
    // Threat by rook
    w(   6,   24), w(  28,   29), w(  35,   38), w(   5,   19), w(  62,   43),
    // Threat by king
    w(  19,   31),
    // Next move against queen: knight, slider
    w(  10,    7), w(  14,    7),
    // Hanging pawn, piece
    w(  12,   26), w(  12,   10),
    // Threat with the move: by pawn, hanging
    w(  19,   20), w(  30,   31),
    // Restricted squares
    w(   3,    0),
    // Space
    w(   2,   -3),
    // Tempo
    w(  29,   20),
    // Danger: base
    w( -75,  -40),
    // Danger: attackers
    w(  44,    9), w(  29,    9), w(  50,    7), w(   5,   10),
    // Danger: attacks on ring
    w(   3,    5),
    // Danger: weak squares of ring
    w(  28,    0),
    // Danger: safe checks
    w(  99,   10), w(  68,   16), w( 108,   15), w(  64,   11),
    // Danger: unsafe checks
    w(  18,    4),
    // Danger: open files
    w(  18,   -5),
    // Danger: no queen
    w(-176,  -30),
    // Danger: wing attacked, defended
    w(   9,    6), w(  -2,    6),
    // Danger: pawns at ring
    w(  20,    3),
    // Danger: lines with one piece between
    w(  43,    8),
    // Danger: knight defends
    w( -16,   -5),
];
