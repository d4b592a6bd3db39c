//! Exercise 1: counting bits.
//!
//! A bitboard is a 64-bit number with one bit for each square: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63. "How many white
//! pawns are there" and "how many squares does this rook attack" are the same question: how many bits are set?
//!
//! `u64::count_ones` answers it with one instruction. Here you write it yourself, in three ways.
//!
//! Look at what it is for: the studio's microscope (`vedette studio`) shows the static evaluation of every node. An
//! evaluation counts pieces and attacked squares, and is computed hundreds of thousands of times a second.

/// Counts the set bits by looking at each of the 64.
pub fn one_by_one(bits: u64) -> u32 {
    todo!("add up (bits >> square) & 1 over all squares of {bits:#x}")
}

/// Counts the set bits in as many steps as there are set bits (Wegner, Kernighan).
///
/// Hint: what does `bits & (bits - 1)` do to the lowest set bit?
pub fn one_per_set_bit(bits: u64) -> u32 {
    todo!("clear the lowest set bit of {bits:#x} until nothing is left")
}

/// Counts the set bits without a loop.
///
/// Hint: sum neighbouring bits in 32 fields of two bits, then neighbouring fields in 16 fields of four bits, and so on:
/// `(bits & 0x5555…) + ((bits >> 1) & 0x5555…)` is the first of six steps.
pub fn in_parallel(bits: u64) -> u32 {
    todo!("six additions of masked halves of {bits:#x}")
}

/// The squares of a bitboard in ascending order, as numbers from 0 (a1) to 63 (h8).
///
/// Hint: `u64::trailing_zeros` is the number of the lowest set bit.
pub fn squares(bits: u64) -> Vec<u32> {
    todo!("take the lowest bit of {bits:#x} and clear it, until nothing is left")
}

/// How many pawns have another pawn of the same bitboard in front of them, on the same file: a file with three pawns has
/// two of them.
pub fn doubled(pawns: u64) -> u32 {
    todo!("count the pawns of each file of {pawns:#x}; all but one are doubled")
}
