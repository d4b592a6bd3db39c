//! What runs the device code: a GPU, or its emulation on the CPU. Everything above sees buffers and launches only, so that
//! tests of the emulation test what runs on a GPU.
#![allow(unsafe_code)]

mod buffer;
mod bytes;
mod cuda;
mod emulated;
mod fitting;

use std::ops::Range;

use ::cuda::Device;
use nnue::shape::Shape;

pub use buffer::Buffer;
pub use bytes::{Plain, bytes_of, list_of};

use self::cuda::CudaBackend;
use crate::abi::{self, EvaluateLaunch, Layout, PerftLaunch, PlayLaunch};
use crate::error::GpuError;
use emulated::EmulatedBackend;

/// Runs the device code for networks of any shape; it is compiled once for each shape.
pub trait Backend {
    /// For people.
    fn name(&self) -> String;

    /// Fails if the device code does not compile.
    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError>;

    /// Warps that run at once with networks of a shape.
    fn warps(&mut self, shape: Shape) -> Result<usize, GpuError>;

    fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError>;

    fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError>;

    /// # Panics
    /// If the bytes do not fit.
    fn write(&self, buffer: &mut Buffer, offset: usize, bytes: &[u8]) -> Result<(), GpuError>;

    /// Waits for all launches; their failure may show only here.
    ///
    /// # Panics
    /// If the buffer is shorter.
    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError>;

    /// A buffer with the first bytes of another one.
    fn shrink(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError>;

    /// In bytes.
    fn free_memory(&self) -> u64;

    /// An upper limit, by which buffers are sized.
    fn max_nodes_per_second(&self) -> f64;

    /// Launches the kernel `play`. It may return before the kernel ends: later reads and launches wait.
    ///
    /// # Safety
    /// All addresses of the launch are 0 or those of this backend's buffers, as long as the launch and the [`Layout`] of
    /// the shape say, holding what the launch's fields mean. They live until the kernel has ended.
    unsafe fn play(&mut self, shape: Shape, launch: &PlayLaunch) -> Result<(), GpuError>;

    /// Launches the kernel `perft`, as [`play`](Self::play).
    ///
    /// # Safety
    /// As for [`play`](Self::play); the depth is at most [`MAX_PERFT_DEPTH`](crate::context::MAX_PERFT_DEPTH).
    unsafe fn perft(&mut self, shape: Shape, launch: &PerftLaunch) -> Result<(), GpuError>;

    /// Launches the kernel `evaluate`, as [`play`](Self::play).
    ///
    /// # Safety
    /// As for [`play`](Self::play).
    unsafe fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError>;
}

/// Layouts are checked when the device code is compiled; this is what only the compiled code can say.
fn check_layout(layout: &Layout, shape: Shape) -> Result<(), GpuError> {
    let device = [layout.parameters, layout.hidden, layout.king_buckets].map(|count| count as usize);
    let host = [abi::parameters().len(), shape.hidden(), shape.king_buckets()];
    if device == host {
        return Ok(());
    }
    Err(GpuError::Layout(format!(
        "parameters, hidden units and king buckets are {device:?} on the device, {host:?} on the host"
    )))
}

/// A buffer with these values.
pub fn upload<T: Plain>(backend: &dyn Backend, list: &[T]) -> Result<Buffer, GpuError> {
    let bytes = bytes_of(list);
    let mut buffer = backend.zeros(bytes.len())?;
    backend.write(&mut buffer, 0, bytes)?;
    Ok(buffer)
}

/// The backend of a device. With `cublas`, a training on the same device is to follow: what that needs is loaded now.
pub fn open(device: Device, cublas: bool) -> Result<Box<dyn Backend>, GpuError> {
    Ok(match device {
        Device::Cpu => Box::new(EmulatedBackend::new()?),
        Device::Cuda(number) => Box::new(CudaBackend::open(number, cublas)?),
    })
}
