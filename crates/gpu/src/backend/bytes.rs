//! Plain structures as bytes, for copies to and from a device.
#![allow(unsafe_code)]

use crate::abi::{Control, DevicePosition, GameHeader, Layout, LookupTables};

/// Types that may be copied as bytes.
///
/// # Safety
/// The type consists of integers alone, with a fixed layout and without padding.
pub unsafe trait Plain {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for i32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}
// SAFETY: integers; a test of `abi` shows that shared structures have no padding.
unsafe impl Plain for DevicePosition {}
// SAFETY: as above.
unsafe impl Plain for LookupTables {}
// SAFETY: as above.
unsafe impl Plain for Control {}
// SAFETY: as above.
unsafe impl Plain for GameHeader {}
// SAFETY: as above.
unsafe impl Plain for Layout {}

pub fn bytes_of<T: Plain>(list: &[T]) -> &[u8] {
    // SAFETY: the list is as many bytes long, and all of them are initialised.
    unsafe { std::slice::from_raw_parts(list.as_ptr().cast::<u8>(), size_of_val(list)) }
}

/// The values that bytes encode; an incomplete last one is dropped.
pub fn list_of<T: Plain + Copy>(bytes: &[u8]) -> Vec<T> {
    let (size, count) = (size_of::<T>(), bytes.len() / size_of::<T>());
    let mut list = Vec::<T>::with_capacity(count);
    // SAFETY: the list has the capacity, any bytes are values of the type, and the two do not overlap.
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
    fn bytes_round_trip() {
        let numbers = [1u64, u64::MAX, 7 << 40];
        assert_eq!(list_of::<u64>(bytes_of(&numbers)), numbers);
        assert_eq!(list_of::<u32>(&[1, 0, 0, 0, 9]), [1]);
        let header = GameHeader { number: 3, bytes: 40, ending: 2, ..GameHeader::default() };
        assert_eq!(list_of::<GameHeader>(bytes_of(&[header])), [header]);
    }
}
