//! How a search ends: the flags that its threads look at, and the waits of those who start, stop and answer it.
//!
//! `interleavings.rs` compiles this file a second time, with the locks of a scheduler that tries many orders.

use super::sync::{AtomicBool, AtomicU64, Condvar, Mutex, MutexGuard, PoisonError};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::{Duration, Instant};

/// What a search and its owner tell each other.
pub(crate) struct Signals {
    /// Whether the answer waits for `stop`.
    infinite: bool,
    stop: AtomicBool,
    /// The search was stopped from outside, so the best move does not wait for anything else.
    released: AtomicBool,
    pondering: AtomicBool,
    /// Microseconds from the start of the search to the moment from which time counts.
    clock_start: AtomicU64,
    /// Whether the best move was reported.
    finished: Mutex<bool>,
    /// Notified whenever something changes that somebody waits for. It changes under the lock: otherwise it could
    /// change between a look and the wait.
    changed: Condvar,
}

impl Signals {
    pub fn new(infinite: bool, ponder: bool) -> Signals {
        Signals {
            infinite,
            stop: AtomicBool::new(false),
            released: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            clock_start: AtomicU64::new(0),
            finished: Mutex::new(false),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A limit is reached: every thread ends its search. The best move may still have to wait.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Stops the search from outside; the best move must follow at once.
    pub fn release(&self) {
        let _lock = self.lock();
        self.released.store(true, Relaxed);
        self.stop();
        self.changed.notify_all();
    }

    /// Whether the search was stopped from outside.
    pub fn is_released(&self) -> bool {
        self.released.load(Relaxed)
    }

    /// `ponderhit`: time counts from now on.
    pub fn ponderhit(&self, now: Duration) {
        let _lock = self.lock();
        if self.is_pondering() {
            self.clock_start.store(now.as_micros() as u64, Relaxed);
            // A thread that sees the end of pondering also sees its time.
            self.pondering.store(false, Release);
            self.changed.notify_all();
        }
    }

    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// From when time counts.
    pub fn clock_start(&self) -> Duration {
        Duration::from_micros(self.clock_start.load(Relaxed))
    }

    /// Whether the best move must wait for `stop` or `ponderhit`, even if a limit has ended the search.
    fn must_wait(&self) -> bool {
        (self.infinite || self.is_pondering()) && !self.is_released()
    }

    /// Waits until the best move may be reported.
    pub fn wait_for_permission(&self) {
        let mut lock = self.lock();
        while self.must_wait() {
            lock = self.changed.wait(lock).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a time, or until `release`. A limit that ended the search does not shorten the wait.
    pub fn pause(&self, time: Duration) {
        let end = Instant::now() + time;
        let mut lock = self.lock();
        while !self.is_released() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            lock = self.changed.wait_timeout(lock, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The best move was reported, or never will be.
    pub fn finish(&self) {
        self.stop();
        *self.lock() = true;
        self.changed.notify_all();
    }

    pub fn is_finished(&self) -> bool {
        *self.lock()
    }

    pub fn wait_until_finished(&self) {
        let mut finished = self.lock();
        while !*finished {
            finished = self.changed.wait(finished).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
