//! The writing side of the client: an engine that does not read cannot block it.

use std::io::{ErrorKind, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

/// How long an interrupt may go unnoticed.
#[cfg(unix)]
const SLICE: Duration = Duration::from_millis(100);

/// Why a line was not written, or not all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteError {
    /// The engine has closed its stdin.
    Closed,
    /// The pipe was full until the limit.
    Timeout,
    /// The interrupt flag was set.
    Interrupted,
}

/// An engine's stdin.
#[derive(Debug)]
pub(super) struct Writer(ChildStdin);

impl Writer {
    pub fn new(stdin: ChildStdin) -> Self {
        // Only our end of the pipe: the engine's end still blocks.
        #[cfg(unix)]
        let _ = rustix::io::ioctl_fionbio(&stdin, true);
        Self(stdin)
    }

    /// Writes all bytes within `limit`, unless `interrupted` while the pipe is full. Outside Unix there is no limit.
    pub fn write(
        &mut self,
        mut bytes: &[u8],
        limit: Duration,
        interrupted: impl Fn() -> bool,
    ) -> Result<(), WriteError> {
        let started = Instant::now();
        while !bytes.is_empty() {
            match self.0.write(bytes) {
                Ok(0) => return Err(WriteError::Closed),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if interrupted() {
                        return Err(WriteError::Interrupted);
                    }
                    let left = limit.saturating_sub(started.elapsed());
                    if left.is_zero() {
                        return Err(WriteError::Timeout);
                    }
                    self.wait_for_room(left);
                }
                Err(_) => return Err(WriteError::Closed),
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn wait_for_room(&self, limit: Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let timeout = Timespec { tv_sec: 0, tv_nsec: limit.min(SLICE).subsec_nanos().into() };
        // Errors show in the next write.
        let _ = poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], Some(&timeout));
    }

    /// Writing blocks here, so this is never called.
    #[cfg(not(unix))]
    #[allow(clippy::unused_self, reason = "on Unix it needs the pipe")]
    fn wait_for_room(&self, _limit: Duration) {}
}
