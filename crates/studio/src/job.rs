//! Long work in the background, one job of each kind at a time: reviews, recordings, matches, doctor runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use support::sync::lock;

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
pub struct Job<P> {
    /// Set when the job should stop.
    pub stop: Arc<AtomicBool>,
    progress: Arc<Mutex<Option<P>>>,
    running: Arc<Mutex<Option<Running>>>,
}

impl<P> Job<P> {
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
        work: impl FnOnce(&Job<P>) + Send + 'static,
        failed: impl FnOnce(Option<P>) + Send + 'static,
    ) -> Result<(), RequestError> {
        let mut running = lock(&self.running);
        if running.is_some() {
            return Err(already_running(kind));
        }
        *lock(&self.progress) = None;
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job {
            stop: Arc::clone(&stop),
            progress: Arc::clone(&self.progress),
            running: Arc::clone(&self.running),
        };
        thread::Builder::new()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn one_job_at_a_time() {
        let slot = JobSlot::<u32>::default();
        let id = Id::parse("first").expect("an id");
        let wait = |job: &Job<u32>| {
            job.publish(7);
            while !job.stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        };
        slot.start("test", &id, wait, |_| {}).expect("free");
        assert!(slot.is_running(&id) && !slot.is_running(&Id::parse("other").expect("an id")));
        assert!(slot.start("test", &id, |_| {}, |_| {}).is_err());
        while slot.progress() != Some(7) {
            thread::sleep(Duration::from_millis(1));
        }
        slot.stop();
        while slot.is_busy() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(slot.progress(), None);
        slot.start("test", &id, |_| {}, |_| {}).expect("free again");
    }

    #[test]
    fn freed_slot_can_be_used_before_the_job_ends() {
        let slot = JobSlot::<u32>::default();
        let [first, second] = ["first", "second"].map(|name| Id::parse(name).expect("an id"));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let (gone, is_gone) = std::sync::mpsc::channel::<()>();
        let work = move |job: &Job<u32>| {
            job.free();
            let _ = ended.recv();
            drop(gone);
        };
        slot.start("test", &first, work, |_| {}).expect("free");
        while slot.is_busy() {
            thread::sleep(Duration::from_millis(1));
        }
        let wait = |job: &Job<u32>| while !job.stop.load(Ordering::Relaxed) {};
        slot.start("test", &second, wait, |_| {}).expect("free");
        drop(end);
        assert!(is_gone.recv().is_err());
        assert!(slot.is_running(&second), "the end of the first job leaves the second one alone");
        slot.stop();
    }

    #[test]
    fn panic_frees_the_slot_and_is_reported() {
        let slot = JobSlot::<u32>::default();
        let id = Id::parse("first").expect("an id");
        let (failed, failure) = std::sync::mpsc::channel();
        let work = |job: &Job<u32>| {
            job.publish(7);
            std::panic::resume_unwind(Box::new(()));
        };
        slot.start("test", &id, work, move |last| failed.send(last).expect("heard")).expect("free");
        assert_eq!(failure.recv(), Ok(Some(7)));
        assert!(!slot.is_busy());
        slot.start("test", &id, |_| {}, |_| {}).expect("free again");
    }
}
