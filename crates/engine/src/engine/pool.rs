//! The threads that search. They live as long as the pool and keep their [`ThreadData`] from search to search.

use crate::search::ThreadData;
use std::io;
use std::ops::Range;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

/// Work for one thread.
type Job = Box<dyn FnOnce(&mut ThreadData) + Send>;

/// A search goes deep; its stack must not depend on what the system gives by default.
const STACK_BYTES: usize = 16 << 20;

/// Where one thread finds its work.
#[derive(Clone)]
pub(super) struct Inbox(Sender<Job>);

impl Inbox {
    /// Hands over work. It waits until the thread has done what it was given before.
    pub fn give(&self, job: impl FnOnce(&mut ThreadData) + Send + 'static) {
        // Only a thread that has panicked does not take work; its loss was reported then.
        let _ = self.0.send(Box::new(job));
    }
}

struct Worker {
    inbox: Option<Inbox>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start(number: usize) -> io::Result<Worker> {
        let (send, jobs) = channel::<Job>();
        let thread =
            Builder::new().name(format!("search {number}")).stack_size(STACK_BYTES).spawn(move || {
                let mut data = ThreadData::new();
                for job in jobs {
                    job(&mut data);
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
    /// This many threads, waiting for work.
    pub fn new(threads: usize) -> io::Result<Pool> {
        let workers = (0..threads).map(Worker::start).collect::<io::Result<_>>()?;
        let pool = Pool { workers };
        // New threads first make their room to work in; a search shall not wait for that.
        pool.wait();
        Ok(pool)
    }

    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Hands work to one thread.
    pub fn run(&self, worker: usize, job: impl FnOnce(&mut ThreadData) + Send + 'static) {
        if let Some(inbox) = &self.workers[worker].inbox {
            inbox.give(job);
        }
    }

    /// The inboxes of some threads, for another one that hands them work.
    pub fn inboxes(&self, workers: Range<usize>) -> Vec<Inbox> {
        self.workers[workers].iter().filter_map(|worker| worker.inbox.clone()).collect()
    }

    /// Lets every thread forget the last game, and waits for it.
    pub fn clear(&self) {
        self.wait_for_all(ThreadData::clear);
    }

    /// Waits until every thread has done what it was given.
    pub fn wait(&self) {
        self.wait_for_all(|_| {});
    }

    /// Lets every thread do something, and waits until the last one has.
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
        // Ends when the last thread has dropped its end.
        let _ = wait.recv();
    }
}

impl Drop for Pool {
    /// Tells all threads to end before it waits for the first: they end side by side.
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.inbox = None;
        }
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A panic has been reported where it happened.
                let _ = thread.join();
            }
        }
    }
}
