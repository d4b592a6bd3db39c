//! What can go wrong on a GPU, in one message each.

use std::fmt;

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

use crate::libraries::MissingLibrary;

/// Why a GPU cannot be used, or failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CudaError {
    Missing(MissingLibrary),
    /// There is no GPU at all.
    NoGpu,
    NoSuchGpu {
        number: usize,
        count: usize,
    },
    /// The driver is older than the compiler library; versions as CUDA encodes them.
    OldDriver {
        driver: i32,
        compiler: i32,
    },
    /// The compiler library does not know a GPU as new as this.
    OldCompiler {
        compute_capability: (i32, i32),
    },
    /// The kernels do not compile.
    Kernels {
        name: String,
        log: String,
    },
    OutOfMemory {
        requested: u64,
        free: u64,
    },
    /// A call of the driver or of a CUDA library failed.
    Call {
        context: String,
        message: String,
    },
}

impl CudaError {
    /// A failed call of the driver or of a CUDA library.
    pub fn call(context: &str, error: &dyn fmt::Display) -> CudaError {
        CudaError::Call { context: context.to_owned(), message: error.to_string() }
    }
}

impl From<MissingLibrary> for CudaError {
    fn from(missing: MissingLibrary) -> CudaError {
        CudaError::Missing(missing)
    }
}

/// CUDA encodes 12.4 as 12040.
fn version(number: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

impl fmt::Display for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CudaError::Missing(missing) => missing.fmt(f),
            CudaError::NoGpu => {
                f.write_str("no GPU found by the NVIDIA driver; --device cpu works without one")
            }
            CudaError::NoSuchGpu { number, count } => {
                write!(f, "invalid GPU number {number}: {count} found, counted from 0")
            }
            CudaError::OldDriver { driver, compiler } => write!(
                f,
                "the GPU driver is too old: it supports CUDA {}, libnvrtc is of CUDA {}; update the driver or install an \
                 older libnvrtc",
                version(*driver),
                version(*compiler)
            ),
            CudaError::OldCompiler { compute_capability: (major, minor) } => write!(
                f,
                "libnvrtc is too old for this GPU of compute capability {major}.{minor}; install a newer one"
            ),
            CudaError::Kernels { name, log } => {
                write!(f, "GPU kernels ({name}) do not compile:\n{}", log.trim_end())
            }
            CudaError::OutOfMemory { requested, free } => {
                write!(f, "out of GPU memory: {} MiB requested, {} MiB free", requested >> 20, free >> 20)
            }
            CudaError::Call { context, message } => write!(f, "GPU failure while {context}: {message}"),
        }
    }
}

impl std::error::Error for CudaError {}

pub fn is_out_of_memory(error: &DriverError) -> bool {
    error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_readable_numbers() {
        let old = CudaError::OldDriver { driver: 12040, compiler: 13000 }.to_string();
        assert!(old.contains("CUDA 12.4") && old.contains("CUDA 13.0"), "{old}");
        let full = CudaError::OutOfMemory { requested: 5 << 30, free: 1 << 20 }.to_string();
        assert!(full.contains("5120 MiB") && full.contains("1 MiB"), "{full}");
    }
}
