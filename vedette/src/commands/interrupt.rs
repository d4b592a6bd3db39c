//! Ctrl-C as a wish: long commands look at a flag, finish what they have in hand, and keep what is done.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The end of the terminal.
#[cfg(unix)]
const HANGUP: i32 = signal_hook::consts::SIGHUP;

/// The signals that ask for an end, with Ctrl-C and `kill`.
const SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    HANGUP,
];

/// What shells add to a signal's number to make the exit code of a program that it ended.
const EXIT_CODE_BASE: i32 = 128;

/// The signal that has come; 0 for none.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// A flag that Ctrl-C and its kin set; the second time they end the program.
pub fn stop_on_signal() -> io::Result<Arc<AtomicBool>> {
    let wanted = Arc::new(AtomicBool::new(false));
    for &signal in SIGNALS {
        #[cfg(unix)]
        if signal == HANGUP && is_ignored(signal) {
            continue;
        }
        // The one that ends the program comes first: it must see the flag as it was before this signal.
        flag::register_conditional_shutdown(signal, EXIT_CODE_BASE + signal, Arc::clone(&wanted))?;
        flag::register_usize(signal, &RECEIVED, signal as usize)?;
        flag::register(signal, Arc::clone(&wanted))?;
    }
    Ok(wanted)
}

/// Whether whoever started the program wants it to ignore a signal, as `nohup` does. Only Linux tells. (Shells also let
/// programs in the background ignore Ctrl-C, but scripts that send it on purpose are meant to be heard.)
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// An error if a signal has asked for the end: for a command that has kept what it had, and is to say by its exit code
/// that there is more to do.
pub fn unless_interrupted() -> Result<(), Interrupted> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => Ok(()),
        signal => Err(Interrupted { signal }),
    }
}

/// The user has ended a command before it was done. Nothing needs to be said: who pressed Ctrl-C knows.
#[derive(Debug)]
pub struct Interrupted {
    signal: usize,
}

impl Interrupted {
    /// The exit code by which shells and job schedulers know it.
    pub fn exit_code(&self) -> u8 {
        u8::try_from(EXIT_CODE_BASE as usize + self.signal).unwrap_or(u8::MAX)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted by signal {}", self.signal)
    }
}

impl Error for Interrupted {}
