//! Compact integers of the network file: nine of ten weights fit into one byte, all others take two.
//!
//! A byte below 224 is a number from -112 to 111. The others begin a number of two bytes, whose thirteen bits, the
//! first byte's five above, are a number from -4096 to 4095. The encoding is canonical: what fits into
//! one byte never takes two.

/// Numbers of one byte: this is the least of them, and the first that is too large.
const SMALL: std::ops::Range<i16> = -112..112;

/// First bytes from this one on need a second.
const LONG: u8 = 224;

/// What the least number of two bytes is.
const LEAST: i16 = -4096;

/// Appends the numbers, all of them from -4096 to 4095.
pub fn pack(numbers: impl Iterator<Item = i16>, bytes: &mut Vec<u8>) {
    for number in numbers {
        if SMALL.contains(&number) {
            bytes.push((number - SMALL.start) as u8);
        } else {
            let raised = (number - LEAST) as u16;
            debug_assert!(raised < 1 << 13, "{number}");
            bytes.extend([LONG + (raised >> 8) as u8, raised as u8]);
        }
    }
}

/// Takes this many numbers from the front of the bytes; `None` if there are fewer, or one is not canonical.
pub fn unpack(bytes: &mut &[u8], count: usize) -> Option<Vec<i16>> {
    let mut numbers = Vec::with_capacity(count.min(bytes.len()));
    for _ in 0..count {
        let (&first, rest) = bytes.split_first()?;
        if first < LONG {
            numbers.push(i16::from(first) + SMALL.start);
            *bytes = rest;
        } else {
            let (&second, rest) = rest.split_first()?;
            let number = (i16::from(first - LONG) << 8 | i16::from(second)) + LEAST;
            if SMALL.contains(&number) {
                return None;
            }
            numbers.push(number);
            *bytes = rest;
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_canonical() {
        let mut bytes = Vec::new();
        pack(-4096..=4095, &mut bytes);
        assert_eq!(bytes.len(), 2 * 8192 - 224);
        let mut left = bytes.as_slice();
        assert_eq!(unpack(&mut left, 8192), Some((-4096..=4095).collect()));
        assert!(left.is_empty());
        assert_eq!(unpack(&mut left, 1), None);
        // Every pair of bytes is one long number, two short ones, or refused.
        let long = |first: u8, second: u8| unpack(&mut [first, second].as_slice(), 1);
        let refused = (LONG..=255).flat_map(|first| (0..=255).map(move |second| (first, second)));
        assert_eq!(refused.filter(|&(first, second)| long(first, second).is_none()).count(), 224);
        assert_eq!(unpack(&mut [LONG].as_slice(), 1), None, "cut off");
    }
}
