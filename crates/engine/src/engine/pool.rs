//! The search threads. They live as long as the pool and keep their [`ThreadData`] between searches.
//!
//! `interleavings.rs` compiles this file a second time, with the channels of a scheduler that tries many orders.

use super::ThreadData;
use super::sync::{Builder, JoinHandle, Sender, channel};
use crate::numa::{self, Cpus};
use crate::room::{STACK_BYTES, start_threads};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Work for one thread.
type ThreadJob = Box<dyn FnOnce(&mut ThreadData) + Send>;

/// The job slot of one thread.
#[derive(Clone)]
pub(super) struct Inbox(Sender<ThreadJob>);

impl Inbox {
    /// Passes a job to the thread, after waiting until it has finished the previous one.
    pub fn give(&self, job: impl FnOnce(&mut ThreadData) + Send + 'static) {
        // The thread lives as long as the pool.
        let _ = self.0.send(Box::new(job));
    }
}

struct Worker {
    inbox: Option<Inbox>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start(number: usize, cpus: Option<Cpus>) -> io::Result<Worker> {
        let (send, jobs) = channel::<ThreadJob>();
        let thread =
            Builder::new().name(format!("search {number}")).stack_size(STACK_BYTES).spawn(move || {
                // First, so that its data are allocated on its node.
                cpus.iter().for_each(numa::bind);
                let mut data = ThreadData::new();
                for job in jobs {
                    // A job that panics takes its search with it, not the thread: the next search needs it.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut data))).is_err() {
                        data = ThreadData::new();
                    }
                }
            })?;
        Ok(Worker { inbox: Some(Inbox(send)), thread: Some(thread) })
    }
}

/// The threads of an engine.
pub(super) struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    /// This many idle threads, bound to the CPUs that `placement` has for them.
    ///
    /// # Errors
    /// The system refuses a thread, or has no memory for their data.
    pub fn new(threads: usize, placement: &[Cpus]) -> io::Result<Pool> {
        start_threads(threads, || {
            let start = |number: usize| Worker::start(number, placement.get(number).cloned());
            let workers = (0..threads).map(start).collect::<io::Result<_>>()?;
            let pool = Pool { workers };
            // Wait until new threads have allocated their data, so that no search waits for it.
            pool.wait();
            Ok(pool)
        })
    }

    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Passes a job to one thread.
    pub fn run(&self, worker: usize, job: impl FnOnce(&mut ThreadData) + Send + 'static) {
        if let Some(inbox) = &self.workers[worker].inbox {
            inbox.give(job);
        }
    }

    /// The job slots of some threads, for another thread that starts them.
    pub fn inboxes(&self, workers: Range<usize>) -> Vec<Inbox> {
        self.workers[workers].iter().filter_map(|worker| worker.inbox.clone()).collect()
    }

    /// Clears the histories of every thread, and waits for it.
    pub fn clear(&self) {
        self.wait_for_all(ThreadData::clear);
    }

    /// Waits until every thread is idle.
    pub fn wait(&self) {
        self.wait_for_all(|_| {});
    }

    /// Runs a job on every thread, and waits for all of them.
    fn wait_for_all(&self, job: fn(&mut ThreadData)) {
        let (done, wait) = channel::<()>();
        for worker in 0..self.len() {
            let done = done.clone();
            self.run(worker, move |data| {
                job(data);
                drop(done);
            });
        }
        drop(done);
        // Returns when the last thread has dropped its sender.
        let _ = wait.recv();
    }
}

impl Drop for Pool {
    /// Stops all threads before joining the first, so that they end in parallel.
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.inbox = None;
        }
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A panic was reported where it happened.
                let _ = thread.join();
            }
        }
    }
}
