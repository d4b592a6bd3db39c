//! Ctrl-C as a wish: long commands look at a flag, finish what they have in hand, and keep what is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C and the end of the terminal set; the second time they end the program.
pub fn stop_on_signal() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(flag)
}
