//! What can go wrong on a device.

use std::fmt;

use cuda::CudaError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GpuError {
    /// The GPU cannot be used, or failed.
    Cuda(CudaError),
    /// The program was built without a C++ compiler.
    NoEmulation,
    /// A buffer of one device was given to another.
    ForeignMemory,
    /// Host and device code do not match.
    Layout(String),
    /// Invalid input.
    Input(String),
    /// The device returned an illegal game.
    Game { number: u64, reason: String },
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::Cuda(error) => error.fmt(f),
            GpuError::NoEmulation => {
                f.write_str("no CPU emulation of the GPU code: this program was built without a C++ compiler")
            }
            GpuError::ForeignMemory => f.write_str("this buffer belongs to another device"),
            GpuError::Layout(what) => write!(f, "host and device code do not match: {what}"),
            GpuError::Input(what) => f.write_str(what),
            GpuError::Game { number, reason } => {
                write!(f, "the device returned an illegal game {number}: {reason}")
            }
        }
    }
}

impl std::error::Error for GpuError {}

impl From<CudaError> for GpuError {
    fn from(error: CudaError) -> GpuError {
        GpuError::Cuda(error)
    }
}
