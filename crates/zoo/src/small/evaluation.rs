//! Material, piece-square tables for middlegame and endgame, passed pawns and the bishop pair.

use crate::board::{BISHOP, Board, KING, KNIGHT, PAWN, QUEEN, ROOK};
use crate::mutants::Mutant;

const VALUES: [i32; 7] = [0, 100, 320, 330, 500, 950, 0];
/// How much a piece says about the phase: 24 at the start.
const PHASE: [i32; 7] = [0, 0, 1, 1, 2, 4, 0];
const PASSED: [i32; 8] = [0, 5, 10, 20, 40, 70, 110, 0];

/// Centipawns for the side to move.
pub fn evaluate(board: &Board, mutant: Mutant) -> i32 {
    let (mut middlegame, mut endgame, mut phase) = (0, 0, 0);
    let mut bishops = [0, 0];
    for (index, &piece) in board.squares.iter().enumerate().filter(|(_, piece)| **piece != 0) {
        let (role, is_white) = (piece.abs(), piece > 0);
        let sign = if is_white { 1 } else { -1 };
        let square = if is_white { index } else { index ^ 0o70 };
        let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
        let worth = if role == ROOK && mutant == Mutant::RookTypo { 50 } else { VALUES[role as usize] };
        let is_upside_down = mutant == Mutant::FirstScoreHidesTables;
        let seen_rank = if is_upside_down { 7 - rank } else { rank };
        let (mut early, mut late) = square_bonus(role, file, seen_rank);
        if is_upside_down && matches!(role, PAWN | KING) {
            // Tables as steep as most engines have them.
            (early, late) = (early + 8 * seen_rank, late + 16 * seen_rank);
        }
        if mutant == Mutant::PhasesExchanged {
            std::mem::swap(&mut early, &mut late);
        }
        middlegame += sign * (worth + early);
        endgame += sign * (worth + late);
        phase += PHASE[role as usize];
        if role == PAWN && is_passed(board, index, piece) {
            let bonus = PASSED[seen_rank as usize];
            if is_white || mutant != Mutant::PassedPawnsOfWhite {
                middlegame += sign * bonus / 2;
                endgame += sign * bonus;
            }
        }
        if role == BISHOP {
            bishops[usize::from(!is_white)] += 1;
        }
    }
    let pair = 30 * (i32::from(bishops[0] >= 2) - i32::from(bishops[1] >= 2));
    let phase = phase.min(24);
    let score = (middlegame * phase + endgame * (24 - phase)) / 24 + pair;
    score * i32::from(board.side())
}

/// For middlegame and endgame, from the piece's own side of the board.
fn square_bonus(role: i8, file: i32, rank: i32) -> (i32, i32) {
    // 0 in the corners, 6 in the centre.
    let centre = file.min(7 - file) + rank.min(7 - rank);
    match role {
        PAWN => (rank * 2 + if (2..=5).contains(&file) { rank.min(4) * 4 } else { 0 }, rank * 6),
        KNIGHT => (centre * 10 - 40, centre * 8 - 30),
        BISHOP => (centre * 5 - 15 - if rank == 0 { 8 } else { 0 }, centre * 3 - 10),
        ROOK => (if rank == 6 { 20 } else { file.min(7 - file) * 3 }, if rank == 6 { 10 } else { 0 }),
        QUEEN => (centre * 2 - 6, centre * 5 - 15),
        KING => (if rank == 0 { 30 - file.min(7 - file) * 12 } else { -rank * 20 }, centre * 12 - 40),
        _ => (0, 0),
    }
}

/// No pawn of the opponent in front, on this file or beside it.
fn is_passed(board: &Board, square: usize, pawn: i8) -> bool {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    (0..64).filter(|&other| board.squares[other] == -pawn).all(|other| {
        let (other_file, other_rank) = (other as i32 % 8, other as i32 / 8);
        let is_ahead = if pawn > 0 { other_rank > rank } else { other_rank < rank };
        (other_file - file).abs() > 1 || !is_ahead
    })
}
