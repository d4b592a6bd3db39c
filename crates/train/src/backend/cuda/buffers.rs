//! Examples in GPU memory, in one or several buffers: games of earlier generations are trained on together with the latest
//! ones without copying.

use std::fmt;
use std::sync::Arc;

use cuda::CudaError;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr};

use crate::example::{EXAMPLE_BYTES, Example};

/// Their addresses are an argument of the kernel, so their number is limited.
pub const MAX_BUFFERS: usize = 32;

/// A buffer that starts with examples.
#[derive(Clone, Debug)]
pub struct ExampleBuffer {
    bytes: Arc<CudaSlice<u8>>,
    count: usize,
}

impl ExampleBuffer {
    pub fn new(bytes: Arc<CudaSlice<u8>>, count: usize) -> ExampleBuffer {
        let count = count.min(bytes.len() / EXAMPLE_BYTES);
        ExampleBuffer { bytes, count }
    }

    /// Keeps the first `max` examples.
    pub fn truncate(&mut self, max: usize) {
        self.count = self.count.min(max);
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Up to about this many examples, in stretches from all over the buffer, in host memory.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sample(&self, max: usize) -> Result<Vec<Example>, CudaError> {
        const STRETCH: usize = 1 << 12;
        let stretches = max.div_ceil(STRETCH).clamp(1, self.count.div_ceil(STRETCH).max(1));
        let mut examples = Vec::new();
        for index in 0..stretches {
            let begin = (self.count as u128 * index as u128 / stretches as u128) as usize;
            let end = self.count.min(begin + STRETCH);
            let bytes = self.bytes.slice(begin * EXAMPLE_BYTES..end * EXAMPLE_BYTES);
            let bytes = self.bytes.stream().clone_dtoh(&bytes);
            let bytes = bytes.map_err(|error| CudaError::call("copying from the device", &error))?;
            examples.extend(bytes.as_chunks::<EXAMPLE_BYTES>().0.iter().map(Example::from_bytes));
        }
        Ok(examples)
    }
}

/// Buffers of examples as one list.
#[derive(Clone, Default, Debug)]
pub struct ExampleBuffers {
    list: Vec<ExampleBuffer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExampleBuffersError {
    TooMany(usize),
    /// More examples than 32-bit indices.
    TooLong(usize),
}

impl fmt::Display for ExampleBuffersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExampleBuffersError::TooMany(count) => {
                write!(f, "{count} position buffers, at most {MAX_BUFFERS} supported: shorten the window")
            }
            ExampleBuffersError::TooLong(count) => {
                write!(f, "{count} positions, at most 2^32 supported: shorten the window")
            }
        }
    }
}

impl std::error::Error for ExampleBuffersError {}

impl ExampleBuffers {
    /// Concatenates buffers.
    ///
    /// # Errors
    /// If there are too many buffers or examples.
    pub fn new(list: Vec<ExampleBuffer>) -> Result<ExampleBuffers, ExampleBuffersError> {
        let list: Vec<_> = list.into_iter().filter(|part| !part.is_empty()).collect();
        let buffers = ExampleBuffers { list };
        match (buffers.list.len(), buffers.len()) {
            (count, _) if count > MAX_BUFFERS => Err(ExampleBuffersError::TooMany(count)),
            (_, length) if length > u32::MAX as usize => Err(ExampleBuffersError::TooLong(length)),
            _ => Ok(buffers),
        }
    }

    pub fn len(&self) -> usize {
        self.list.iter().map(ExampleBuffer::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// On the GPU.
    pub(super) fn addresses(&self, stream: &CudaStream) -> [u64; MAX_BUFFERS] {
        let mut addresses = [0; MAX_BUFFERS];
        for (address, part) in addresses.iter_mut().zip(&self.list) {
            *address = part.bytes.device_ptr(stream).0;
        }
        addresses
    }

    /// The index after each buffer's last example.
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
