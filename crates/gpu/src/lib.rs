//! Self-play, matches and search tests on a GPU: one warp plays one game. The device code in `device/` is CUDA
//! C++ that also compiles for one lane of the CPU, which plays the same games.

pub mod abi;
pub mod lane;
pub mod source;
