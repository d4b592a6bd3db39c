//! What only whole games show: both colours have their due, enough depth is reached, and the clock is used
//! but never overstepped. `cargo test` plays a few games; the ignored tests (`-- --include-ignored`, `make proof`) all of
//! them. `--nocapture` shows what was measured.

mod balance;
mod clock;
mod depth;
mod openings;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps the tests of this program from running at once: what is measured must not be disturbed.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
