//! Locks and threads of the code that `model/interleavings.rs` tests with others in their place.

pub use std::sync::atomic::{AtomicBool, AtomicUsize};
pub use std::sync::{Mutex, MutexGuard};
pub use std::thread::Builder;
pub use support::sync::lock;
