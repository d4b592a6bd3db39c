//! Answers to exercise 2.

use chess::{Move, Position};

/// The number of leaves `depth` plies below the position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().into_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum()
}

/// The same by first move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    position.legal_moves().into_iter().map(|mv| (mv, perft(&position.after(mv), depth - 1))).collect()
}

/// Perft without making the last move.
pub fn bulk_perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().into_iter().map(|mv| bulk_perft(&position.after(mv), depth - 1)).sum(),
    }
}
