//! Lists of the chunks that are not zero, for instruction sets that cannot compress a vector.

use crate::layers::{CHUNK, CHUNKS, Scratch};
use crate::shape::MAX_HIDDEN;

/// For each set of eight chunks, as bits, their numbers.
const MEMBERS: [[u16; 8]; 256] = {
    let mut members = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut count, mut chunk) = (0, 0);
        while chunk < 8 {
            if set >> chunk & 1 == 1 {
                members[set][count] = chunk as u16;
                count += 1;
            }
            chunk += 1;
        }
        set += 1;
    }
    members
};

// Eight numbers may be written after the last one.
const _: () = assert!(CHUNKS >= 8 && size_of::<Scratch>() >= 2 * (MAX_HIDDEN / CHUNK + 8));

/// Appends the chunks of a set, of which the first is `first`, to the first `count` ones of a list. Returns how many there
/// are then.
#[inline(always)]
pub fn append(list: &mut [u16], count: usize, set: u8, first: usize) -> usize {
    if let Some(place) = list.get_mut(count..count + 8) {
        let members = &MEMBERS[usize::from(set)];
        for (place, &member) in place.iter_mut().zip(members) {
            *place = first as u16 + member;
        }
    }
    count + set.count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_sets_are_appended() {
        let mut list = [0; 32];
        let mut count = append(&mut list, 0, 0b1000_0001, 16);
        count = append(&mut list, count, 0, 24);
        count = append(&mut list, count, 0b0000_0110, 32);
        assert_eq!(list[..count], [16, 23, 33, 34]);
        assert_eq!(append(&mut list, count, 255, 40), 12);
        assert_eq!(list[4..12], [40, 41, 42, 43, 44, 45, 46, 47]);
    }
}
