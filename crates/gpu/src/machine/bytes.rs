//! Numbers as the bytes that travel to a device and back.
#![allow(unsafe_code)]

use crate::abi::{Control, GameHeader, Layout, Start, Tables};

/// Types whose values are bytes and nothing else.
///
/// # Safety
/// A type of integers alone, with a fixed layout and without padding.
pub unsafe trait Plain {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for i32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}
// SAFETY: four u64 and two u32.
unsafe impl Plain for Start {}
// SAFETY: arrays of u64, then 512 bytes of u16.
unsafe impl Plain for Tables {}
// SAFETY: u64 alone.
unsafe impl Plain for Control {}
// SAFETY: two u64, two u32, eight bytes.
unsafe impl Plain for GameHeader {}
// SAFETY: a u64 and fourteen u32.
unsafe impl Plain for Layout {}

/// The bytes of numbers.
pub fn bytes_of<T: Plain>(list: &[T]) -> &[u8] {
    // SAFETY: the list is as many bytes long, and all of them are initialised.
    unsafe { std::slice::from_raw_parts(list.as_ptr().cast::<u8>(), size_of_val(list)) }
}

/// The numbers of bytes; what is left over at the end is dropped.
pub fn list_of<T: Plain + Copy>(bytes: &[u8]) -> Vec<T> {
    let (size, count) = (size_of::<T>(), bytes.len() / size_of::<T>());
    let mut list = Vec::<T>::with_capacity(count);
    // SAFETY: the list has room for so many; any bytes are values of the type; the two do not overlap.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), list.as_mut_ptr().cast::<u8>(), count * size);
        list.set_len(count);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_as_bytes() {
        let numbers = [1u64, u64::MAX, 7 << 40];
        assert_eq!(list_of::<u64>(bytes_of(&numbers)), numbers);
        assert_eq!(list_of::<u32>(&[1, 0, 0, 0, 9]), [1]);
        let header = GameHeader { number: 3, bytes: 40, ending: 2, ..GameHeader::default() };
        assert_eq!(list_of::<GameHeader>(bytes_of(&[header])), [header]);
    }
}
