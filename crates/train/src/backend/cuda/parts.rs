//! Examples on the GPU, in one buffer or in several: games of earlier generations lie beside those of the last one, and
//! nothing is copied to train on all of them.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

use crate::example::EXAMPLE_BYTES;

/// The most buffers. Their addresses are an argument of the kernel, so their number is fixed.
pub const MAX_PARTS: usize = 32;

/// A buffer that begins with examples.
#[derive(Clone, Debug)]
pub struct Part {
    bytes: Arc<CudaSlice<u8>>,
    count: usize,
}

impl Part {
    /// The first `count` examples in a buffer, or as many as it has.
    pub fn new(bytes: Arc<CudaSlice<u8>>, count: usize) -> Part {
        let count = count.min(bytes.len() / EXAMPLE_BYTES);
        Part { bytes, count }
    }

    /// Forgets all but the first `most` examples.
    pub fn shorten(&mut self, most: usize) {
        self.count = self.count.min(most);
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Buffers of examples, seen as one list.
#[derive(Clone, Default, Debug)]
pub struct Parts {
    list: Vec<Part>,
}

/// Why buffers cannot be seen as one list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartsError {
    /// There are too many.
    TooMany(usize),
    /// They hold more examples than can be numbered.
    TooLong(usize),
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartsError::TooMany(count) => {
                write!(f, "{count} parts of data are more than {MAX_PARTS}; shorten the window")
            }
            PartsError::TooLong(count) => {
                write!(f, "{count} positions are more than one training can order; shorten the window")
            }
        }
    }
}

impl std::error::Error for PartsError {}

impl Parts {
    /// These buffers, one after the other.
    ///
    /// # Errors
    /// If there are too many of them, or of examples in them.
    pub fn new(list: Vec<Part>) -> Result<Parts, PartsError> {
        let list: Vec<_> = list.into_iter().filter(|part| !part.is_empty()).collect();
        let parts = Parts { list };
        match (parts.list.len(), parts.len()) {
            (count, _) if count > MAX_PARTS => Err(PartsError::TooMany(count)),
            (_, length) if length > u32::MAX as usize => Err(PartsError::TooLong(length)),
            _ => Ok(parts),
        }
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.list.iter().map(Part::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where the buffers lie on the GPU.
    pub(super) fn addresses(&self, stream: &CudaStream) -> [u64; MAX_PARTS] {
        let mut addresses = [0; MAX_PARTS];
        for (address, part) in addresses.iter_mut().zip(&self.list) {
            *address = part.bytes.device_ptr(stream).0;
        }
        addresses
    }

    /// Up to which number each buffer holds the examples; beyond the last, none is asked for.
    pub(super) fn ends(&self) -> [u32; MAX_PARTS] {
        let mut ends = [u32::MAX; MAX_PARTS];
        let mut sum = 0;
        for (end, part) in ends.iter_mut().zip(&self.list) {
            sum += part.len() as u32;
            *end = sum;
        }
        ends
    }
}
