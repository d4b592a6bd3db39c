//! Locks, channels and threads of the code that `interleavings.rs` tests with others in their place.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
pub(crate) use std::sync::mpsc::{Sender, channel};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::{Builder, JoinHandle};
