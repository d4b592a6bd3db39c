//! Answers to exercise 1.

/// Counts the set bits by looking at each of the 64.
pub fn one_by_one(bits: u64) -> u32 {
    (0..64).map(|square| (bits >> square & 1) as u32).sum()
}

/// `bits - 1` turns the lowest set bit off and the zeros below it on; `&` keeps what is set in both.
pub fn one_per_set_bit(mut bits: u64) -> u32 {
    let mut count = 0;
    while bits != 0 {
        bits &= bits - 1;
        count += 1;
    }
    count
}

/// Fields of 2, 4, 8, 16, 32 and 64 bits hold the sums of their halves.
pub fn in_parallel(bits: u64) -> u32 {
    let pairs = (bits & 0x5555_5555_5555_5555) + (bits >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles & 0x0f0f_0f0f_0f0f_0f0f) + (nibbles >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    let words = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    let halves = (words & 0x0000_ffff_0000_ffff) + (words >> 16 & 0x0000_ffff_0000_ffff);
    ((halves & 0xffff_ffff) + (halves >> 32)) as u32
}

/// The squares of a bitboard in ascending order.
pub fn squares(mut bits: u64) -> Vec<u32> {
    let mut squares = Vec::new();
    while bits != 0 {
        squares.push(bits.trailing_zeros());
        bits &= bits - 1;
    }
    squares
}

/// All but one of a file's pawns have another one in front of them.
pub fn doubled(pawns: u64) -> u32 {
    (0..8).map(|file| in_parallel(pawns & 0x0101_0101_0101_0101 << file).saturating_sub(1)).sum()
}
