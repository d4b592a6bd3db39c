//! Tests with games: no colour bias, sufficient depth, and time usage without losses on time. `cargo test`
//! plays a few games, `make proof` all of them. `--nocapture` shows the measurements.

mod balance;
mod clock;
mod depth;
mod openings;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Serialises the tests of this binary, so that they do not disturb each other's measurements.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
