//! What can go wrong on a GPU, in one message each.

use std::fmt;

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

use crate::libraries::Missing;

/// Why a GPU cannot be used, or failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A library is missing.
    Missing(Missing),
    /// There is no GPU at all.
    NoGpu,
    /// There is no GPU with this number.
    NoSuchGpu(usize, usize),
    /// The driver is older than the compiler library.
    OldDriver {
        /// What the driver supports, as CUDA counts.
        driver: i32,
        /// What the compiler library makes.
        compiler: i32,
    },
    /// The compiler library does not know so new a GPU.
    OldCompiler {
        /// The GPU's generation, as CUDA counts.
        generation: (i32, i32),
    },
    /// The kernels do not compile.
    Kernels {
        /// Whose.
        name: String,
        /// What the compiler says.
        log: String,
    },
    /// The GPU's memory is full.
    Full {
        /// Bytes that were asked for.
        wanted: u64,
        /// Bytes that were free.
        free: u64,
    },
    /// A call of the driver failed.
    Driver {
        /// What was being done.
        doing: String,
        /// What the driver says.
        message: String,
    },
}

impl Fault {
    /// A driver's failure while something was being done.
    pub fn driver(doing: &str, error: &DriverError) -> Fault {
        Fault::of(doing, error)
    }

    /// A failure of the driver or of another library of CUDA's while something was being done.
    pub fn of(doing: &str, error: &dyn fmt::Display) -> Fault {
        Fault::Driver { doing: doing.to_owned(), message: error.to_string() }
    }
}

impl From<Missing> for Fault {
    fn from(missing: Missing) -> Fault {
        Fault::Missing(missing)
    }
}

/// A version as CUDA counts it, as people write it.
fn version(number: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Missing(missing) => missing.fmt(f),
            Fault::NoGpu => {
                f.write_str("no GPU can be used: NVIDIA's driver finds none; --device lane plays, --device cpu trains without one")
            }
            Fault::NoSuchGpu(number, count) => {
                write!(f, "there is no GPU {number}; there are {count}, counted from 0")
            }
            Fault::OldDriver { driver, compiler } => write!(
                f,
                "the GPU's driver is too old: it supports CUDA {}, the compiler library (libnvrtc) is of CUDA {}; \
                 update the driver or install an older libnvrtc",
                version(*driver),
                version(*compiler)
            ),
            Fault::OldCompiler { generation: (major, minor) } => write!(
                f,
                "CUDA's compiler library (libnvrtc) is too old for this GPU, which has compute capability \
                 {major}.{minor}; install a newer one"
            ),
            Fault::Kernels { name, log } => {
                write!(f, "the GPU's kernels ({name}) do not compile:\n{}", log.trim_end())
            }
            Fault::Full { wanted, free } => write!(
                f,
                "the GPU's memory is full: {} MiB were asked for, {} MiB are free",
                wanted >> 20,
                free >> 20
            ),
            Fault::Driver { doing, message } => write!(f, "the GPU failed while {doing}: {message}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Whether the driver says that memory is full.
pub fn is_out_of_memory(error: &DriverError) -> bool {
    error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_sizes_are_written_as_people_do() {
        let old = Fault::OldDriver { driver: 12040, compiler: 13000 }.to_string();
        assert!(old.contains("CUDA 12.4") && old.contains("CUDA 13.0"), "{old}");
        let full = Fault::Full { wanted: 5 << 30, free: 1 << 20 }.to_string();
        assert!(full.contains("5120 MiB") && full.contains("1 MiB"), "{full}");
    }
}
