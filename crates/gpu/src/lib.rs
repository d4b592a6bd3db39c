//! Self-play, matches and search tests on a GPU: one warp plays one game. The device code in `device/` is CUDA
//! C++ that also compiles for one lane of the CPU, which plays the same games.
//!
//! A [`Machine`](machine::Machine) runs it, a [`Venue`](venue::Venue) has a machine's memory, and
//! [`Games`](games::Games) are played there: for a file ([`selfplay`]), between players ([`duel`]), or for the trainer
//! ([`generations`]).

pub mod abi;
pub mod duel;
mod error;
pub mod games;
pub mod generations;
pub mod lane;
pub mod machine;
pub mod player;
pub mod selfplay;
pub mod source;
pub mod venue;
pub mod verify;

pub use error::GpuError;
