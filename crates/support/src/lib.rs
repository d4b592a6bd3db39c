//! What every crate above may need and what knows nothing of chess: seeded random numbers, files that survive a
//! crash, command-line splitting and quoting, "did you mean", printable text.

pub mod files;
pub mod hash;
pub mod random;
pub mod shell;
pub mod suggest;
pub mod sync;
pub mod text;
