//! A GPU of NVIDIA's, as the trainer and GPU self-play find it: CUDA's libraries are loaded while the program runs, so
//! that it builds and works without them; kernels are compiled by NVRTC for the GPU that is there; and whatever fails is
//! told in one message.

mod fault;
mod gpu;
mod libraries;

pub use fault::{Fault, is_out_of_memory};
pub use gpu::{Gpu, Program};
pub use libraries::Missing;

/// Whether there is a GPU, with the libraries that training needs.
pub fn is_present() -> bool {
    libraries::load(libraries::Need::Products).is_ok() && Gpu::count() > 0
}
