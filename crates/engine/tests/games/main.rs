//! What only whole games show: both colours have their due, enough depth is reached, and the clock is used
//! but never overstepped. `cargo test` plays a few games; with the environment variable `VEDETTE_PROOF` set
//! (`make proof`) all of them. `--nocapture` shows what was measured.

mod balance;
mod clock;
mod depth;
mod openings;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether the whole proof is wanted.
fn is_proof() -> bool {
    std::env::var_os("VEDETTE_PROOF").is_some()
}

/// How much of something to do: the first number in a test run, the second in the whole proof.
fn amount<T>(test: T, proof: T) -> T {
    if is_proof() { proof } else { test }
}

/// Keeps the tests of this program from running at once: what is measured must not be disturbed.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
