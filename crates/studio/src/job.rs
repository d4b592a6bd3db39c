//! Long work in the background, one job of each kind at a time: reviews, recordings, matches, doctor runs.
//!
//! `model/interleavings.rs` compiles this file a second time, with the locks of a scheduler that tries many orders.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::sync::{AtomicBool, Builder, Mutex, lock};
use crate::error::RequestError;
use crate::store::Id;

/// A slot for one job, which publishes its progress as a `P`.
#[derive(Debug)]
pub struct JobSlot<P> {
    running: Arc<Mutex<Option<Running>>>,
    progress: Arc<Mutex<Option<P>>>,
}

#[derive(Debug)]
struct Running {
    id: Id,
    stop: Arc<AtomicBool>,
}

impl<P> Default for JobSlot<P> {
    fn default() -> Self {
        JobSlot { running: Arc::default(), progress: Arc::default() }
    }
}

/// A running job's end of its slot.
pub struct RunningJob<P> {
    /// Set when the job should stop.
    pub stop: Arc<AtomicBool>,
    progress: Arc<Mutex<Option<P>>>,
    running: Arc<Mutex<Option<Running>>>,
}

impl<P> RunningJob<P> {
    /// Frees the slot. To be called before the last event is sent, so that a page that reacts to it finds the job gone.
    pub fn free(&self) {
        let mut running = lock(&self.running);
        // Another job may have started.
        if self.is(running.as_ref()) {
            *running = None;
        }
    }

    fn is(&self, running: Option<&Running>) -> bool {
        running.is_some_and(|running| Arc::ptr_eq(&running.stop, &self.stop))
    }

    fn is_current(&self) -> bool {
        self.is(lock(&self.running).as_ref())
    }

    pub fn publish(&self, progress: P) {
        *lock(&self.progress) = Some(progress);
    }
}

impl<P: Clone + Send + 'static> JobSlot<P> {
    pub fn is_busy(&self) -> bool {
        lock(&self.running).is_some()
    }

    pub fn is_running(&self, id: &Id) -> bool {
        lock(&self.running).as_ref().is_some_and(|running| running.id == *id)
    }

    /// Fails if a job is running; another one may still be faster.
    pub fn check_free(&self, kind: &str) -> Result<(), RequestError> {
        if self.is_busy() { Err(already_running(kind)) } else { Ok(()) }
    }

    /// The latest progress of the running job.
    pub fn progress(&self) -> Option<P> {
        if self.is_busy() { lock(&self.progress).clone() } else { None }
    }

    /// Starts a job on its own thread. Fails if another one is running, or the system refuses a thread. If the job
    /// panics, `failed` gets its last progress once the slot is free.
    pub fn start(
        &self,
        kind: &str,
        id: &Id,
        work: impl FnOnce(&RunningJob<P>) + Send + 'static,
        failed: impl FnOnce(Option<P>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let mut running = lock(&self.running);
        if running.is_some() {
            return Err(already_running(kind));
        }
        *lock(&self.progress) = None;
        let stop = Arc::new(AtomicBool::new(false));
        let job = RunningJob {
            stop: Arc::clone(&stop),
            progress: Arc::clone(&self.progress),
            running: Arc::clone(&self.running),
        };
        Builder::new()
            .name(kind.to_owned())
            .spawn(move || {
                let done = catch_unwind(AssertUnwindSafe(|| work(&job)));
                let last = if job.is_current() { lock(&job.progress).clone() } else { None };
                job.free();
                if done.is_err() {
                    failed(last);
                }
            })
            .map_err(RequestError::Io)?;
        *running = Some(Running { id: id.clone(), stop });
        Ok(())
    }

    /// Asks the running job to stop.
    pub fn stop(&self) {
        if let Some(running) = &*lock(&self.running) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn already_running(kind: &str) -> RequestError {
    format!("a {kind} is already running: stop it first").into()
}
