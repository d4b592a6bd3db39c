//! The queues of pages and the slot of a job in many orders of their threads' steps. Both files are compiled here a second
//! time, with the locks and threads of shuttle: it switches threads at each of their operations, finds waits that never end,
//! and prints the order of steps that fails.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use axum::extract::ws::Utf8Bytes;
use shuttle::check_random_with_seed;
use shuttle::thread;
use tokio::sync::mpsc::error::TryRecvError;

use super::number;
use crate::store::Id;

mod sync {
    pub use shuttle::sync::atomic::{AtomicBool, AtomicUsize};
    pub use shuttle::sync::{Mutex, MutexGuard};
    pub use shuttle::thread::Builder;

    pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[allow(dead_code, clippy::duplicate_mod)]
#[path = "../clients.rs"]
mod clients;
#[allow(dead_code, clippy::duplicate_mod)]
#[path = "../job.rs"]
mod job;

use clients::{Clients, MAX_QUEUED_BYTES, MessageQueue};
use job::{JobSlot, RunningJob};

/// So many orders; more in `make proof`.
fn orders() -> usize {
    number(300, 50_000) as usize
}

/// Reads until the page is disconnected.
fn read_all(queue: &mut MessageQueue) -> Vec<Utf8Bytes> {
    let mut messages = Vec::new();
    loop {
        match queue.try_recv() {
            Ok(text) => messages.push(text),
            Err(TryRecvError::Empty) => thread::yield_now(),
            Err(TryRecvError::Disconnected) => return messages,
        }
    }
}

/// Two threads broadcast, a page comes, another leaves. Who is connected gets everything, all in the same order.
#[test]
fn pages_see_the_same_broadcasts() {
    let broadcasts = || {
        let clients = Arc::new(Clients::new());
        let (_, mut early) = clients.connect().expect("room");
        let (leaving, mut left) = clients.connect().expect("room");
        let senders = ["a", "b"].map(|name| {
            let clients = Arc::clone(&clients);
            thread::spawn(move || (0..2).for_each(|number| clients.warn(format!("{name}{number}"))))
        });
        let late = thread::spawn({
            let clients = Arc::clone(&clients);
            move || {
                clients.disconnect(leaving);
                clients.connect().expect("room").1
            }
        });
        let left = thread::spawn(move || read_all(&mut left));
        let mut late = late.join().expect("a page");
        for sender in senders {
            sender.join().expect("never waits");
        }
        let received = |queue: &mut MessageQueue| -> Vec<Utf8Bytes> {
            std::iter::from_fn(|| queue.try_recv().ok()).collect()
        };
        let all = received(&mut early);
        assert_eq!(all.len(), 4);
        assert!(all.ends_with(&received(&mut late)), "what came after it");
        assert!(all.starts_with(&left.join().expect("disconnected")), "what came before it left");
        assert_eq!(*clients.count().borrow(), 2);
    };
    check_random_with_seed(broadcasts, 1, orders());
}

/// A page that reads as fast as it can, and messages of which few fit.
#[test]
fn page_that_reads_stays_connected() {
    let half = Utf8Bytes::from("x".repeat(MAX_QUEUED_BYTES / 2));
    let messages = move || {
        let clients = Arc::new(Clients::new());
        let (client, mut queue) = clients.connect().expect("room");
        let reader = thread::spawn(move || (read_all(&mut queue).len(), queue));
        // Small ones always fit, however the reader's count comes late.
        for _ in 0..3 {
            assert!(clients.send(client, Utf8Bytes::from_static("x")));
        }
        let sent = (0..4).take_while(|_| clients.send(client, half.clone())).count();
        assert!(sent >= 1, "an empty queue takes everything");
        clients.disconnect(client);
        let (read, _) = reader.join().expect("disconnected");
        assert_eq!(read, 3 + sent);
        assert_eq!(*clients.count().borrow(), 0);
    };
    check_random_with_seed(messages, 1, orders());
}

/// Two threads start jobs while a third stops them: one runs at a time, and none is left.
#[test]
fn one_job_at_a_time_in_any_order() {
    let jobs = || {
        let slot = Arc::new(JobSlot::<usize>::default());
        let (owners, runs) = (Arc::new(sync::AtomicUsize::new(0)), Arc::new(sync::AtomicUsize::new(0)));
        let starters = [1, 2].map(|number| {
            let (slot, owners, runs) = (Arc::clone(&slot), Arc::clone(&owners), Arc::clone(&runs));
            thread::spawn(move || {
                let id = Id::parse(&format!("job-{number}")).expect("an id");
                let work = move |job: &RunningJob<usize>| {
                    assert_eq!(owners.fetch_add(1, SeqCst), 0, "two jobs have the slot");
                    job.publish(number);
                    runs.fetch_add(1, SeqCst);
                    owners.fetch_sub(1, SeqCst);
                    job.free();
                };
                slot.start("test", &id, work, |_| panic!("no job panics")).is_ok()
            })
        });
        slot.stop();
        let _ = slot.progress();
        let started = starters.map(|thread| thread.join().expect("never waits"));
        while slot.is_busy() {
            thread::yield_now();
        }
        assert!(started.contains(&true), "the first one finds the slot free");
        assert_eq!(runs.load(SeqCst), started.iter().filter(|&&started| started).count());
        assert_eq!(slot.progress(), None);
        // The end of an old job leaves a new one alone.
        let id = Id::parse("last").expect("an id");
        let wait = |job: &RunningJob<usize>| {
            while !job.stop.load(SeqCst) {
                thread::yield_now();
            }
        };
        slot.start("test", &id, wait, |_| panic!("no job panics")).expect("free");
        assert!(slot.is_running(&id));
        slot.stop();
    };
    check_random_with_seed(jobs, 1, orders());
}
