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
    w(  82,  100), w( 320,  300), w( 335,  315), w( 470,  530), w( 980,  980),
    // Pawns for each piece: knight, bishop, rook, queen
    w(   1,    1), w(   0,    0), w(  -2,   -1), w(   0,    0),
    // Pawn on square
    w( -10,    0), w(  -6,    0), w(  -2,   -1), w(   4,   -2),
    w(  -8,    0), w(  -4,    0), w(   0,   -1), w(   6,   -2),
    w(  -4,    2), w(   0,    2), w(   4,    1), w(  16,    0),
    w(   2,    8), w(   6,    8), w(  10,    7), w(  22,    6),
    w(  14,   18), w(  14,   18), w(  14,   17), w(  14,   16),
    w(  20,   30), w(  20,   30), w(  20,   29), w(  20,   28),
    // Knight on square
    w( -54,  -30), w( -37,  -17), w( -30,  -12), w( -23,   -7),
    w( -33,  -25), w( -16,  -12), w(  -9,   -7), w(  -2,   -2),
    w( -26,  -20), w(  -9,   -7), w(  -2,   -2), w(   5,    3),
    w( -11,  -15), w(   6,   -2), w(  13,    3), w(  20,    8),
    w( -11,  -15), w(   6,   -2), w(  13,    3), w(  20,    8),
    w( -18,  -20), w(  -1,   -7), w(   6,   -2), w(  13,    3),
    w( -33,  -25), w( -16,  -12), w(  -9,   -7), w(  -2,   -2),
    w( -54,  -30), w( -37,  -17), w( -30,  -12), w( -23,   -7),
    // Bishop on square
    w( -16,   -7), w( -17,   -5), w( -14,   -3), w( -11,   -1),
    w(  -7,   -5), w(   0,   -3), w(  -1,   -1), w(   2,    1),
    w(  -4,   -3), w(  -1,   -1), w(   6,    1), w(   5,    3),
    w(  -1,   -1), w(   2,    1), w(   5,    3), w(  12,    5),
    w(  -1,   -1), w(   2,    1), w(   5,    3), w(   8,    5),
    w(  -4,   -3), w(  -1,   -1), w(   2,    1), w(   5,    3),
    w(  -7,   -5), w(  -4,   -3), w(  -1,   -1), w(   2,    1),
    w( -10,   -7), w(  -7,   -5), w(  -4,   -3), w(  -1,   -1),
    // Rook on square
    w(  -6,    0), w(  -2,    0), w(   2,    0), w(   5,    0),
    w( -12,    0), w(  -8,    0), w(  -4,    0), w(  -1,    0),
    w( -12,    0), w(  -8,    0), w(  -4,    0), w(  -1,    0),
    w( -12,    0), w(  -8,    0), w(  -4,    0), w(  -1,    0),
    w(  -6,    0), w(  -2,    0), w(   2,    0), w(   5,    0),
    w(  -6,    8), w(  -2,    8), w(   2,    8), w(   5,    8),
    w(   6,    8), w(  10,    8), w(  14,    8), w(  17,    8),
    w(  -6,    8), w(  -2,    8), w(   2,    8), w(   5,    8),
    // Queen on square
    w(  -8,  -16), w(  -7,  -11), w(  -6,   -6), w(  -5,   -1),
    w(  -3,  -11), w(  -2,   -6), w(  -1,   -1), w(   0,    4),
    w(  -2,   -6), w(  -1,   -1), w(   0,    4), w(   1,    9),
    w(  -1,   -1), w(   0,    4), w(   1,    9), w(   2,   14),
    w(  -1,   -1), w(   0,    4), w(   1,    9), w(   2,   14),
    w(  -2,   -6), w(  -1,   -1), w(   0,    4), w(   1,    9),
    w(  -3,  -11), w(  -2,   -6), w(  -1,   -1), w(   0,    4),
    w(  -4,  -16), w(  -3,  -11), w(  -2,   -6), w(  -1,   -1),
    // King on square
    w(  18,  -30), w(  28,  -22), w(   0,  -14), w( -18,   -6),
    w(   4,  -16), w(  14,   -8), w( -14,    0), w( -32,    8),
    w( -16,   -8), w(  -6,    0), w( -34,    8), w( -52,   16),
    w( -30,    0), w( -20,    8), w( -48,   16), w( -66,   24),
    w( -38,    0), w( -28,    8), w( -56,   16), w( -74,   24),
    w( -42,   -8), w( -32,    0), w( -60,    8), w( -78,   16),
    w( -42,  -16), w( -32,   -8), w( -60,    0), w( -78,    8),
    w( -42,  -24), w( -32,  -16), w( -60,   -8), w( -78,    0),
    // Knight mobility
    w( -50,  -60), w( -25,  -31), w( -14,  -19), w(  -6,  -10), w(   1,   -2), w(   7,    5), w(  12,   11), w(  17,   17), w(  22,   22),
    // Bishop mobility
    w( -40,  -50), w( -18,  -24), w(  -9,  -13), w(  -2,   -4), w(   4,    3), w(  10,    9), w(  14,   15),
    w(  19,   20), w(  23,   25), w(  27,   29), w(  30,   33), w(  34,   37), w(  37,   41), w(  40,   45),
    // Rook mobility
    w( -40,  -60), w( -21,  -28), w( -14,  -15), w(  -8,   -4), w(  -3,    4), w(   2,   12), w(   6,   19), w(   9,   25),
    w(  13,   31), w(  16,   36), w(  19,   41), w(  22,   46), w(  25,   51), w(  27,   56), w(  30,   60),
    // Queen mobility
    w( -30,  -60), w( -19,  -37), w( -14,  -27), w( -11,  -20), w(  -8,  -14), w(  -5,   -8), w(  -3,   -3),
    w(   0,    1), w(   2,    5), w(   3,    9), w(   5,   13), w(   7,   17), w(   9,   20), w(  10,   23),
    w(  12,   26), w(  13,   29), w(  15,   32), w(  16,   35), w(  17,   38), w(  19,   41), w(  20,   43),
    w(  21,   46), w(  22,   48), w(  24,   51), w(  25,   53), w(  26,   55), w(  27,   58), w(  28,   60),
    // Bishop pair
    w(  28,   50),
    // Pawns on bishop's colour
    w(  -3,   -6),
    // Bishop on long diagonal
    w(  18,    8),
    // Knight outpost: plain, defended
    w(  14,    8), w(  30,   18),
    // Bishop outpost: plain, defended
    w(   8,    4), w(  22,   10),
    // Minor piece behind pawn
    w(   8,    4),
    // Knight, bishop far from king
    w(  -3,   -3), w(  -2,   -1),
    // Piece far from enemy king: knight, bishop, rook, queen
    w(  -2,    0), w(  -1,    0), w(  -1,    0), w(  -2,   -1),
    // Undefended: pawn, knight, bishop, rook
    w(  -2,   -2), w(  -6,   -4), w(  -6,   -4), w(  -2,   -2),
    // Rook on open, half-open file
    w(  32,   10), w(  14,    8),
    // Rook on seventh
    w(   6,   22),
    // Trapped rook
    w( -42,  -10),
    // Queen exposed on a line
    w( -22,  -14),
    // Isolated pawn
    w(  -6,  -12), w(  -8,  -12), w( -10,  -12), w( -12,  -14),
    // Weak pawn on half-open file
    w( -12,  -10),
    // Doubled pawn
    w(  -8,  -22),
    // Backward pawn
    w(  -8,  -12),
    // Supported pawn
    w(   0,    0), w(  12,    8), w(  12,   10), w(  18,   16), w(  40,   36), w(  80,   60),
    // Phalanx
    w(   4,    0), w(   8,    4), w(  14,   10), w(  28,   26), w(  60,   60), w(  90,   80),
    // Candidate passed pawn
    w(   0,    4), w(   2,    6), w(   6,   14), w(  14,   26), w(  28,   46), w(   0,    0),
    // Passed pawn
    w(   0,    8), w(   0,   14), w(   4,   30), w(  24,   56), w(  60,   96), w( 100,  140),
    // Own king's distance to passed pawn
    w(   0,   -1), w(   0,   -3), w(   0,   -5), w(   0,   -8), w(   0,  -11), w(   0,  -13),
    // Enemy king's distance to passed pawn
    w(   0,    1), w(   0,    4), w(   0,    8), w(   0,   13), w(   0,   18), w(   0,   22),
    // Blocked passed pawn
    w(   0,   -2), w(   0,   -4), w(  -2,   -8), w(  -6,  -16), w( -14,  -30), w( -30,  -50),
    // Passed pawn's next square safe
    w(   0,    2), w(   0,    2), w(   2,    6), w(   4,   10), w(   8,   18), w(  14,   30),
    // Passed pawn's next square defended
    w(   0,    2), w(   0,    4), w(   4,    8), w(  10,   12), w(  16,   20), w(  20,   24),
    // Passed pawn's path free
    w(   0,    2), w(   0,    4), w(   0,    8), w(   4,   18), w(  14,   34), w(  20,   40),
    // Rook behind passed pawn: own, enemy
    w(   6,   18), w(  -6,  -18),
    // Unstoppable passed pawn
    w(   0,  300),
    // King's shelter
    w( -16,    0), w(  22,    0), w(  12,    0), w(   2,    0), w(  -4,    0), w(  -8,    0), w( -10,    0),
    w( -22,    0), w(  30,    0), w(  20,    0), w(   2,    0), w(  -4,    0), w(  -8,    0), w( -10,    0),
    w( -22,    0), w(  24,    0), w(  14,    0), w(   2,    0), w(  -4,    0), w(  -8,    0), w( -10,    0),
    w( -16,    0), w(  20,    0), w(  10,    0), w(   2,    0), w(  -4,    0), w(  -8,    0), w( -10,    0),
    // Pawn storm
    w(   0,    0), w( -20,    0), w( -34,    0), w( -18,    0), w(  -8,    0), w(  -2,    0), w(   0,    0),
    w(   0,    0), w(   0,    0), w(  -8,   -4), w(  -6,   -4), w(  -2,    0), w(   0,    0), w(   0,    0),
    // King on half-open, open file
    w( -14,    0), w( -26,    0),
    // King's distance to pawns
    w(   0,   -8),
    // Right to castle
    w(  12,    0),
    // Threat by pawn
    w(  56,   36), w(  56,   40), w(  70,   36), w(  64,   30),
    // Threat of pawn push
    w(  18,   14),
    // Threat by minor piece
    w(   4,   14), w(  22,   22), w(  24,   26), w(  48,   36), w(  42,   60),
    // Threat by rook
    w(   2,   16), w(  22,   30), w(  24,   30), w(  12,   20), w(  52,   40),
    // Threat by king
    w(  12,   36),
    // Next move against queen: knight, slider
    w(  12,    8), w(  22,   12),
    // Hanging pawn, piece
    w(  10,   12), w(  30,   24),
    // Threat with the move: by pawn, hanging
    w(  10,   10), w(  10,   10),
    // Restricted squares
    w(   3,    3),
    // Space
    w(   3,    0),
    // Tempo
    w(  18,   14),
    // Danger: base
    w( -80,  -40),
    // Danger: attackers
    w(  46,   10), w(  30,   10), w(  34,    4), w(  26,   10),
    // Danger: attacks on ring
    w(  20,    4),
    // Danger: weak squares of ring
    w(  40,    8),
    // Danger: safe checks
    w(  90,   12), w(  60,   14), w(  95,   10), w(  80,   14),
    // Danger: unsafe checks
    w(  16,    2),
    // Danger: open files
    w(  26,    0),
    // Danger: no queen
    w(-190,  -30),
    // Danger: wing attacked, defended
    w(   7,    1), w(  -5,   -1),
    // Danger: pawns at ring
    w(  14,    2),
    // Danger: lines with one man between
    w(  24,    4),
    // Danger: knight defends
    w( -30,   -4),
];
