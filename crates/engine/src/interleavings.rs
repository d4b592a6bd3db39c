//! The end of a search in many orders of its threads' steps. `signals.rs` and `pool.rs` are compiled here a second time,
//! with the locks, channels and threads of shuttle: it switches threads at each of their operations, finds waits that
//! never end, and prints the order of steps that fails.

use shuttle::check_random_with_seed;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

mod sync {
    pub use shuttle::sync::atomic::{AtomicBool, AtomicU64};
    pub use shuttle::sync::mpsc::{Sender, channel};
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard, PoisonError};
    pub use shuttle::thread::{Builder, JoinHandle};
}

#[allow(dead_code, clippy::duplicate_mod)]
#[path = "engine/pool.rs"]
mod pool;
#[allow(dead_code, clippy::duplicate_mod)]
#[path = "signals.rs"]
mod signals;

use pool::Pool;
use signals::Signals;

/// What a thread keeps between searches: here the searches that it has seen.
pub struct ThreadData {
    searches: usize,
}

impl ThreadData {
    pub fn new() -> ThreadData {
        ThreadData { searches: 0 }
    }

    pub fn clear(&mut self) {
        self.searches = 0;
    }
}

/// So many orders; more in `make proof`.
fn orders(test: usize, proof: usize) -> usize {
    if std::env::var_os("VEDETTE_PROOF").is_some() { proof } else { test }
}

/// What the owner of a search does after `go`.
#[derive(Clone, Copy)]
enum Order {
    Stop,
    PonderHit,
}

/// A search.
#[derive(Clone, Copy)]
struct Go {
    infinite: bool,
    ponder: bool,
    /// Whether it ends by itself, or only looks for `stop`.
    has_limit: bool,
}

const HIT_AT: Duration = Duration::from_millis(7);

/// Looks for the end as a search does at every node, and for the time from which it counts.
fn search(signals: &Signals, go: Go) {
    while !signals.is_stopped() {
        if go.ponder && !signals.is_pondering() {
            assert_eq!(signals.clock_start(), HIT_AT, "a search that counts the opponent's time");
        }
        shuttle::thread::yield_now();
    }
}

/// Starts a search on the threads of a pool as [`crate::Engine`] does, without chess. `answers` counts the best moves.
fn start(pool: &Pool, go: Go, answers: &Arc<sync::AtomicU64>) -> Arc<Signals> {
    let signals = Arc::new(Signals::new(go.infinite, go.ponder));
    let (leader, answers) = (Arc::clone(&signals), Arc::clone(answers));
    let helpers = pool.inboxes(1..pool.len());
    let (send, reports) = sync::channel();
    pool.run(0, move |data| {
        data.searches += 1;
        for inbox in helpers {
            if leader.is_stopped() {
                break;
            }
            let (signals, send) = (Arc::clone(&leader), send.clone());
            inbox.give(move |data| {
                data.searches += 1;
                search(&signals, go);
                let _ = send.send(());
            });
        }
        drop(send);
        if !go.has_limit {
            search(&leader, go);
        }
        leader.wait_for_permission();
        assert!(leader.is_released() || !go.infinite && !leader.is_pondering(), "an answer before its time");
        leader.stop();
        for () in reports {}
        answers.fetch_add(1, SeqCst);
        leader.finish();
    });
    signals
}

/// One search on so many threads, with these orders.
fn run(pool: &Pool, go: Go, list: &[Order]) {
    let answers = Arc::new(sync::AtomicU64::new(0));
    let signals = start(pool, go, &answers);
    for order in list {
        match order {
            Order::Stop => signals.release(),
            Order::PonderHit => signals.ponderhit(HIT_AT),
        }
    }
    signals.wait_until_finished();
    assert_eq!(answers.load(SeqCst), 1);
    // Late orders change nothing.
    signals.release();
    signals.ponderhit(HIT_AT);
    assert!(signals.is_finished());
}

const LIMITED: Go = Go { infinite: false, ponder: false, has_limit: true };
const INFINITE: Go = Go { infinite: true, ponder: false, has_limit: false };
const PONDER: Go = Go { infinite: false, ponder: true, has_limit: false };

#[test]
fn every_search_is_answered_once() {
    let searches = || {
        let pool = Pool::new(2, &[]).expect("threads");
        run(&pool, LIMITED, &[]);
        run(&pool, INFINITE, &[Order::Stop]);
        run(&pool, PONDER, &[Order::Stop]);
        run(&pool, PONDER, &[Order::PonderHit, Order::Stop]);
        // A limit that is reached while the answer has to wait.
        run(&pool, Go { has_limit: true, ..PONDER }, &[Order::PonderHit]);
        run(&pool, Go { has_limit: true, ..INFINITE }, &[Order::PonderHit, Order::Stop]);
        pool.run(0, |data| assert_eq!(data.searches, 6, "a search that was lost"));
        pool.clear();
        pool.run(0, |data| assert_eq!(data.searches, 0, "clearing waits for searches"));
    };
    check_random_with_seed(searches, 1, orders(300, 100_000));
}
