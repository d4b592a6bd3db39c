//! Device memory.

use std::cell::Cell;

use cudarc::driver::CudaSlice;

/// Device memory, which device code knows by its address.
#[derive(Debug)]
pub enum Buffer {
    Host(HostMemory),
    /// With its device address.
    Gpu(CudaSlice<u8>, u64),
}

impl Buffer {
    pub fn address(&self) -> u64 {
        match self {
            Buffer::Host(memory) => memory.address(),
            Buffer::Gpu(_, address) => *address,
        }
    }

    /// In bytes.
    pub fn len(&self) -> usize {
        match self {
            Buffer::Host(memory) => memory.bytes,
            Buffer::Gpu(slice, _) => slice.len(),
        }
    }
}

/// Of buffers, as CUDA guarantees.
const ALIGNMENT: usize = 128;
const WORD: usize = size_of::<u64>();

/// Memory that the emulation writes to while we hold it: cells, since it changes behind the compiler's back.
#[derive(Debug)]
pub struct HostMemory {
    words: Box<[Cell<u64>]>,
    /// Words skipped for alignment.
    skipped: usize,
    bytes: usize,
}

impl HostMemory {
    pub fn zeros(bytes: usize) -> HostMemory {
        let words: Box<[Cell<u64>]> = vec![Cell::new(0); bytes.div_ceil(WORD) + ALIGNMENT / WORD].into();
        let skipped = words.as_ptr().align_offset(ALIGNMENT);
        HostMemory { words, skipped, bytes }
    }

    fn address(&self) -> u64 {
        self.words[self.skipped..].as_ptr().expose_provenance() as u64
    }

    pub fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.bytes, "write out of bounds");
        for (index, &byte) in bytes.iter().enumerate() {
            let (word, shift) = self.find(offset + index);
            word.set(word.get() & !(0xff << shift) | u64::from(byte) << shift);
        }
    }

    pub fn read(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        assert!(range.end <= self.bytes, "read out of bounds");
        range
            .map(|offset| {
                let (word, shift) = self.find(offset);
                (word.get() >> shift) as u8
            })
            .collect()
    }

    pub fn clear(&self) {
        self.words.iter().for_each(|word| word.set(0));
    }

    fn find(&self, offset: usize) -> (&Cell<u64>, u32) {
        (&self.words[self.skipped + offset / WORD], 8 * (offset % WORD) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_their_offsets() {
        let memory = HostMemory::zeros(21);
        memory.write(3, &[1, 2, 3, 255, 5, 6, 7, 8, 9]);
        assert_eq!(memory.read(2..13), [0, 1, 2, 3, 255, 5, 6, 7, 8, 9, 0]);
        assert_eq!(memory.address() % ALIGNMENT as u64, 0);
        memory.clear();
        assert_eq!(memory.read(0..21), [0; 21]);
    }
}
