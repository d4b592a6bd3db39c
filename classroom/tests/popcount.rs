//! Checks of exercise 1: `cargo test --test popcount`.

use classroom::popcount::{doubled, in_parallel, one_by_one, one_per_set_bit, squares};
use classroom::toolbox::random_positions;

/// Empty, full, single bits, and what occurs in games.
fn bitboards() -> Vec<u64> {
    let mut boards = vec![0, u64::MAX, 1, 1 << 63, 0x0000_0008_1000_0000, 0xff00];
    boards.extend((0..64).map(|square| 1_u64 << square));
    boards.extend(random_positions(50, 1).iter().map(|position| position.occupied().0));
    boards
}

#[test]
fn one_by_one_is_right() {
    bitboards().into_iter().for_each(|bits| assert_eq!(one_by_one(bits), bits.count_ones(), "{bits:#018x}"));
}

#[test]
fn one_per_set_bit_is_right() {
    bitboards()
        .into_iter()
        .for_each(|bits| assert_eq!(one_per_set_bit(bits), bits.count_ones(), "{bits:#018x}"));
}

#[test]
fn in_parallel_is_right() {
    bitboards().into_iter().for_each(|bits| assert_eq!(in_parallel(bits), bits.count_ones(), "{bits:#018x}"));
}

#[test]
fn squares_are_in_order() {
    assert_eq!(squares(0), []);
    assert_eq!(squares(0x8000_0000_0000_0101), [0, 8, 63]);
    for bits in bitboards() {
        let found = squares(bits);
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{bits:#018x}: {found:?}");
        assert_eq!(found.iter().fold(0, |board, square| board | 1_u64 << square), bits);
    }
}

#[test]
fn doubled_pawns_are_counted() {
    assert_eq!(doubled(0xff00), 0, "one pawn on each file");
    assert_eq!(doubled(0x0001_0100), 1, "a2 and a3");
    assert_eq!(doubled(0x0001_0101_0000 | 0x8000_8000), 3, "three on the a-file, two on the h-file");
    assert_eq!(doubled(0x0000_0102_0408_1000), 0, "a diagonal");
}
