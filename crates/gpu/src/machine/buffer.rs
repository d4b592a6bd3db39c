//! Memory of a machine.

use std::cell::Cell;

use cudarc::driver::CudaSlice;

/// Memory of a machine. Device code knows it by its address.
#[derive(Debug)]
pub enum Buffer {
    /// Of the CPU.
    Host(HostMemory),
    /// Of a GPU, with its address.
    Gpu(CudaSlice<u8>, u64),
}

impl Buffer {
    /// Where it begins, for device code.
    pub fn address(&self) -> u64 {
        match self {
            Buffer::Host(memory) => memory.address(),
            Buffer::Gpu(_, address) => *address,
        }
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        match self {
            Buffer::Host(memory) => memory.bytes,
            Buffer::Gpu(slice, _) => slice.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What device code may expect of an address.
const ALIGNMENT: usize = 128;
const WORD: usize = size_of::<u64>();

/// Memory that the lane writes to while we hold it: cells, so that nobody relies on what was there before.
#[derive(Debug)]
pub struct HostMemory {
    words: Box<[Cell<u64>]>,
    /// The first word that is used, for the alignment.
    skipped: usize,
    bytes: usize,
}

impl HostMemory {
    /// Zeros.
    pub fn zeros(bytes: usize) -> HostMemory {
        let words: Box<[Cell<u64>]> = vec![Cell::new(0); bytes.div_ceil(WORD) + ALIGNMENT / WORD].into();
        let skipped = words.as_ptr().align_offset(ALIGNMENT);
        HostMemory { words, skipped, bytes }
    }

    fn address(&self) -> u64 {
        self.words[self.skipped..].as_ptr().expose_provenance() as u64
    }

    /// Writes bytes from a place on.
    pub fn write(&self, place: usize, bytes: &[u8]) {
        assert!(place + bytes.len() <= self.bytes, "the bytes fit");
        for (index, &byte) in bytes.iter().enumerate() {
            let (word, shift) = self.find(place + index);
            word.set(word.get() & !(0xff << shift) | u64::from(byte) << shift);
        }
    }

    /// The bytes from one place to another.
    pub fn read(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        assert!(range.end <= self.bytes, "the bytes are there");
        range
            .map(|place| {
                let (word, shift) = self.find(place);
                (word.get() >> shift) as u8
            })
            .collect()
    }

    /// Makes everything zero.
    pub fn clear(&self) {
        self.words.iter().for_each(|word| word.set(0));
    }

    fn find(&self, place: usize) -> (&Cell<u64>, u32) {
        (&self.words[self.skipped + place / WORD], 8 * (place % WORD) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_where_they_were_written() {
        let memory = HostMemory::zeros(21);
        memory.write(3, &[1, 2, 3, 255, 5, 6, 7, 8, 9]);
        assert_eq!(memory.read(2..13), [0, 1, 2, 3, 255, 5, 6, 7, 8, 9, 0]);
        assert_eq!(memory.address() % ALIGNMENT as u64, 0);
        memory.clear();
        assert_eq!(memory.read(0..21), [0; 21]);
    }
}
