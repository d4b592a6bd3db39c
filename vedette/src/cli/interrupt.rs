//! Ctrl-C sets a flag: long commands poll it, finish the work in progress and keep what is done.

use std::error::Error;
use std::fmt;
use std::io;
#[cfg(unix)]
use std::io::Read;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::low_level::pipe;
use signal_hook::{flag, low_level};

/// Sent when the terminal closes.
#[cfg(unix)]
const HANGUP: i32 = signal_hook::consts::SIGHUP;

/// The signals that stop a command: Ctrl-C, `kill`, a closed terminal.
const SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    HANGUP,
];

/// A program ended by a signal exits with this plus the signal's number.
const EXIT_CODE_BASE: i32 = 128;

/// The last signal received; 0 for none.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// A flag that the first signal sets. The second signal ends the program.
pub fn stop_on_signal() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in SIGNALS {
        #[cfg(unix)]
        if signal == HANGUP && is_ignored(signal) {
            continue;
        }
        // The shutdown handler is registered first: it must see the flag as it was before this signal.
        flag::register_conditional_shutdown(signal, EXIT_CODE_BASE + signal, Arc::clone(&stop))?;
        flag::register_usize(signal, &RECEIVED, signal as usize)?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Runs `act` on a thread of its own when the first signal comes. The second signal ends the program.
#[cfg(unix)]
pub fn on_signal(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let (mut wake, signalled) = UnixStream::pair()?;
    stop_on_signal()?;
    for &signal in SIGNALS {
        if signal != HANGUP || !is_ignored(signal) {
            pipe::register(signal, signalled.try_clone()?)?;
        }
    }
    let wait = move || {
        if wake.read_exact(&mut [0]).is_ok() {
            act();
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Runs `act` on a thread of its own when the first signal comes. The second signal ends the program.
#[cfg(not(unix))]
pub fn on_signal(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let stop = stop_on_signal()?;
    let wait = move || {
        while !stop.load(Ordering::SeqCst) {
            thread::sleep(std::time::Duration::from_millis(100));
        }
        act();
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Ends the program as its last signal would, even if other threads are blocked.
pub fn exit_now() -> ! {
    low_level::exit(EXIT_CODE_BASE + RECEIVED.load(Ordering::SeqCst) as i32)
}

/// Whether the program was started with the signal ignored, as `nohup` does. Known on Linux only. (Shells also start
/// background programs with Ctrl-C ignored, but a script that sends it on purpose means it.)
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// An error if a signal was received: a command that stopped early returns it after saving, for the exit code.
pub fn unless_interrupted() -> Result<(), Interrupted> {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => Ok(()),
        signal => Err(Interrupted { signal }),
    }
}

/// A signal stopped a command early. It is not printed.
#[derive(Debug)]
pub struct Interrupted {
    signal: usize,
}

impl Interrupted {
    /// The exit code that shells and job schedulers expect.
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
