//! The locks of the code that `interleavings.rs` tests with others in their place.

pub use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
