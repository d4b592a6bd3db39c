//! NVIDIA GPUs for the trainer and for GPU self-play. CUDA's libraries are loaded at run time, so that the program builds and
//! works without them; kernels are compiled by NVRTC for the GPU at hand; every failure is one message.

mod device;
mod error;
mod gpu;
mod libraries;

pub use device::{Device, UnknownDevice};
pub use error::{CudaError, is_out_of_memory};
pub use gpu::{Gpu, Program};
pub use libraries::MissingLibrary;

/// Whether there is a GPU, with all libraries that training needs.
pub fn is_present() -> bool {
    libraries::load(libraries::Need::Cublas).is_ok() && Gpu::count() > 0
}
