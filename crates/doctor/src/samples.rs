//! Positions that several checks share, and sample statistics.

use chess::{Color, Position, Square};

use arena::openings::default_book;
use support::random::Random;

pub fn of_all_phases() -> Vec<Position> {
    super::check::positions(&engine::BENCH_POSITIONS)
}

/// Balanced positions from the built-in book.
pub fn openings(count: usize, seed: u64) -> Vec<Position> {
    let book = default_book();
    let mut order: Vec<usize> = (0..book.len()).collect();
    Random::new(seed).shuffle(&mut order);
    order
        .into_iter()
        .filter_map(|index| book.opening(index).ok())
        .map(|opening| opening.start)
        .take(count)
        .collect()
}

/// Positions of random games.
pub fn from_random_games(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::startpos();
        for _ in 0..10 + random.below(90) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() && position.halfmove_clock() < 60 {
            found.push(position);
        }
    }
    found
}

/// 0 for no values.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The upper median; 0 for no values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// 1 for no values.
pub fn geometric_mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 1.0;
    }
    (values.iter().map(|value| value.max(1e-9).ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Probability of at least `hits` in `tries`. By hand, because a library's regularized beta function loses the tails below the
/// rounding of 1.
pub fn binomial_tail(hits: usize, tries: usize, p: f64) -> f64 {
    if hits == 0 {
        return 1.0;
    }
    if hits > tries || p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    // Sum the shorter tail, away from the mean.
    let is_upper = hits as f64 > tries as f64 * p;
    let start = if is_upper { hits } else { hits - 1 };
    let odds = p / (1.0 - p);
    let choices: f64 = (0..start).map(|k| ((tries - k) as f64 / (k + 1) as f64).ln()).sum();
    let mut term = (choices + start as f64 * p.ln() + (tries - start) as f64 * (1.0 - p).ln()).exp();
    let (mut sum, mut k) = (term, start);
    while term > sum * 1e-17 && if is_upper { k < tries } else { k > 0 } {
        if is_upper {
            term *= (tries - k) as f64 / (k + 1) as f64 * odds;
            k += 1;
        } else {
            term *= k as f64 / (tries - k + 1) as f64 / odds;
            k -= 1;
        }
        sum += term;
    }
    if is_upper { sum.min(1.0) } else { (1.0 - sum).clamp(0.0, 1.0) }
}

/// Empty square, for [`with_piece`].
pub const NO_PIECE: char = '.';

/// The position with another piece, or none, on a square, if it is legal; without castling rights that are lost.
pub fn with_piece(position: &Position, square: Square, piece: char) -> Option<Position> {
    with_pieces(position, &[(square, piece)], position.turn())
}

/// The same for several squares, with this side to move.
pub fn with_pieces(position: &Position, changes: &[(Square, char)], turn: Color) -> Option<Position> {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let board = fields.next()?;
    let rest = fields.skip(1).collect::<Vec<_>>().join(" ");
    let mut rows: Vec<Vec<char>> = board.split('/').map(expand).collect();
    for &(square, piece) in changes {
        rows[7 - square.rank().index()][square.file().index()] = piece;
    }
    let board = rows.iter().map(|row| compress(row)).collect::<Vec<_>>().join("/");
    let turn = if turn == Color::White { "w" } else { "b" };
    let read = |rest: &str| Position::from_fen(&format!("{board} {turn} {rest}"));
    read(&rest).or_else(|_| read("- - 0 1")).ok()
}

fn expand(row: &str) -> Vec<char> {
    let squares = |c: char| c.to_digit(10).map_or(vec![c], |empty| vec![NO_PIECE; empty as usize]);
    row.chars().flat_map(squares).collect()
}

fn compress(row: &[char]) -> String {
    let runs = row.chunk_by(|a, b| *a == NO_PIECE && *b == NO_PIECE);
    let text = |run: &[char]| if run[0] == NO_PIECE { run.len().to_string() } else { run.iter().collect() };
    runs.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_reproducible() {
        assert_eq!(openings(20, 1), openings(20, 1));
        assert_ne!(openings(20, 1), openings(20, 2));
        assert_eq!(from_random_games(30, 5).len(), 30);
    }

    #[test]
    fn binomial_tail_is_exact() {
        assert!((binomial_tail(1, 2, 0.5) - 0.75).abs() < 1e-12);
        assert!((binomial_tail(3, 3, 0.1) - 0.001).abs() < 1e-12);
        assert!((binomial_tail(0, 3, 0.1) - 1.0).abs() < 1e-12);
        assert!((binomial_tail(2, 3, 0.9) - 0.972).abs() < 1e-12);
        assert!(binomial_tail(4, 3, 0.5) + binomial_tail(2, 3, 0.0) < 1e-12);
        assert!((binomial_tail(2, 3, 1.0) - 1.0).abs() < 1e-12);
        // An underflowing first term, and a tail below the rounding of 1.
        assert!((binomial_tail(5000, 10_000, 0.5) - 0.504).abs() < 1e-3);
        assert!((binomial_tail(40, 40, 0.1) / 1e-40 - 1.0).abs() < 1e-9);
    }
}
