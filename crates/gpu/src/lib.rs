//! Self-play, matches and search tests on a GPU: one warp plays one game. The device code in `device/` is CUDA C++ that also
//! compiles for the CPU, where it plays the same games bit for bit.
//!
//! A [`DeviceContext`] holds a device and its memory. [`Games`](games::Games) are played there: for a file ([`selfplay`]),
//! between two [`NetworkPlayer`]s ([`mod@matches`]), or for a trainer, which takes their [`Records`](games::Records).
//! [`CpuEmulation`](emulation::CpuEmulation) calls single functions of the device code, for tests.

pub mod abi;
mod backend;
mod context;
pub mod emulation;
mod error;
pub mod games;
pub mod matches;
mod player;
pub mod selfplay;
pub mod source;
pub mod verify;

pub use context::{DeviceContext, MAX_PERFT_DEPTH};
pub use cuda::Device;
pub use error::GpuError;
pub use player::{NetworkPlayer, check_network, widened};
