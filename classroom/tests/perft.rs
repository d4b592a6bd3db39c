//! Checks of exercise 2: `cargo test --test perft`.

use chess::Position;
use classroom::perft::{bulk_perft, divide, perft};

/// Positions with the counts at depths 1, 2, …
const COUNTS: [(&str, &[u64]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281]),
    // Castling, pins, en passant and promotions at once ("Kiwipete").
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862]),
    // En passant that would expose the king.
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]),
    // Promotions on both sides.
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467]),
    // Checkmate and stalemate have no moves.
    ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &[0, 0]),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[0, 0]),
];

fn positions() -> impl Iterator<Item = (Position, &'static [u64])> {
    COUNTS.iter().map(|&(fen, counts)| (Position::from_fen(fen).unwrap(), counts))
}

#[test]
fn depth_0_is_the_position_itself() {
    assert_eq!(perft(&Position::startpos(), 0), 1);
    assert_eq!(bulk_perft(&Position::startpos(), 0), 1);
}

#[test]
fn perft_is_right() {
    for (position, counts) in positions() {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{} at depth {depth}", position.to_fen());
        }
    }
}

#[test]
fn bulk_perft_is_right() {
    for (position, counts) in positions() {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(bulk_perft(&position, depth), count, "{} at depth {depth}", position.to_fen());
        }
    }
}

#[test]
fn divide_adds_up() {
    for (position, counts) in positions() {
        for (depth, &count) in (1..).zip(counts) {
            let parts = divide(&position, depth);
            assert_eq!(parts.len() as u64, counts[0]);
            assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), count);
        }
    }
}
