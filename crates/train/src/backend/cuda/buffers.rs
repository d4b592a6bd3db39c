//! Examples on the GPU, in one buffer or in several: games of earlier generations lie beside those of the last one, and
//! nothing is copied to train on all of them.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

use crate::example::EXAMPLE_BYTES;

/// The most buffers. Their addresses are an argument of the kernel, so their number is fixed.
pub const MAX_BUFFERS: usize = 32;

/// A buffer that begins with examples.
#[derive(Clone, Debug)]
pub struct ExampleBuffer {
    bytes: Arc<CudaSlice<u8>>,
    count: usize,
}

impl ExampleBuffer {
    /// The first `count` examples in a buffer, or as many as it has.
    pub fn new(bytes: Arc<CudaSlice<u8>>, count: usize) -> ExampleBuffer {
        let count = count.min(bytes.len() / EXAMPLE_BYTES);
        ExampleBuffer { bytes, count }
    }

    /// Keeps the first `max` examples.
    pub fn truncate(&mut self, max: usize) {
        self.count = self.count.min(max);
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
pub struct ExampleBuffers {
    list: Vec<ExampleBuffer>,
}

/// Why buffers cannot be seen as one list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExampleBuffersError {
    /// There are too many.
    TooMany(usize),
    /// They hold more examples than can be numbered.
    TooLong(usize),
}

impl fmt::Display for ExampleBuffersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExampleBuffersError::TooMany(count) => {
                write!(f, "{count} buffers of data are more than {MAX_BUFFERS}; shorten the window")
            }
            ExampleBuffersError::TooLong(count) => {
                write!(f, "{count} positions are more than one training can order; shorten the window")
            }
        }
    }
}

impl std::error::Error for ExampleBuffersError {}

impl ExampleBuffers {
    /// These buffers, one after the other.
    ///
    /// # Errors
    /// If there are too many of them, or of examples in them.
    pub fn new(list: Vec<ExampleBuffer>) -> Result<ExampleBuffers, ExampleBuffersError> {
        let list: Vec<_> = list.into_iter().filter(|part| !part.is_empty()).collect();
        let buffers = ExampleBuffers { list };
        match (buffers.list.len(), buffers.len()) {
            (count, _) if count > MAX_BUFFERS => Err(ExampleBuffersError::TooMany(count)),
            (_, length) if length > u32::MAX as usize => Err(ExampleBuffersError::TooLong(length)),
            _ => Ok(buffers),
        }
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.list.iter().map(ExampleBuffer::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where the buffers lie on the GPU.
    pub(super) fn addresses(&self, stream: &CudaStream) -> [u64; MAX_BUFFERS] {
        let mut addresses = [0; MAX_BUFFERS];
        for (address, part) in addresses.iter_mut().zip(&self.list) {
            *address = part.bytes.device_ptr(stream).0;
        }
        addresses
    }

    /// Up to which number each buffer holds the examples; beyond the last, none is asked for.
    pub(super) fn ends(&self) -> [u32; MAX_BUFFERS] {
        let mut ends = [u32::MAX; MAX_BUFFERS];
        let mut sum = 0;
        for (end, part) in ends.iter_mut().zip(&self.list) {
            sum += part.len() as u32;
            *end = sum;
        }
        ends
    }
}
