//! Jobs that start, are stopped, end, panic, or free their slot before they end.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use super::cases;
use crate::job::{JobSlot, RunningJob};
use crate::store::Id;

#[derive(Clone, Copy, Debug)]
enum Step {
    Start,
    Stop,
    /// The job with this index, counted from the newest.
    Order(usize, Order),
}

/// What a job does next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Publish(u32),
    Free,
    End,
    Panic,
}

fn step() -> impl Strategy<Value = Step> {
    let order = prop_oneof![
        any::<u32>().prop_map(Order::Publish),
        Just(Order::Free),
        Just(Order::End),
        Just(Order::Panic),
    ];
    prop_oneof![
        2 => Just(Step::Start),
        1 => Just(Step::Stop),
        3 => (0..3_usize, order).prop_map(|(job, order)| Step::Order(job, order)),
    ]
}

/// A job's thread, which follows the test's commands and reports whether it was asked to stop.
struct Thread {
    orders: Option<Sender<Order>>,
    done: Receiver<bool>,
    /// Whether the job was asked to stop while it had the slot.
    stopped: bool,
    failed: Receiver<Option<u32>>,
}

fn obey(job: &RunningJob<u32>, orders: &Receiver<Order>, done: &Sender<bool>) {
    for order in orders {
        match order {
            Order::Publish(progress) => job.publish(progress),
            Order::Free => job.free(),
            Order::End => return,
            Order::Panic => std::panic::resume_unwind(Box::new(())),
        }
        done.send(job.stop.load(Ordering::Relaxed)).expect("the test waits");
    }
}

fn id(job: usize) -> Id {
    Id::parse(&format!("job-{job}")).expect("an id")
}

fn run(steps: &[Step]) -> Result<(), TestCaseError> {
    let slot = JobSlot::<u32>::default();
    let mut threads: Vec<Thread> = Vec::new();
    // Who has the slot, and the progress that it shows.
    let mut current: Option<usize> = None;
    let mut progress = None;
    for &step in steps {
        match step {
            Step::Start => {
                let (orders, inbox) = channel();
                let (finished, done) = channel();
                let (failure, failed) = channel();
                let started = slot.start(
                    "test",
                    &id(threads.len()),
                    move |job| obey(job, &inbox, &finished),
                    move |last| failure.send(last).expect("the test waits"),
                );
                prop_assert_eq!(started.is_ok(), current.is_none());
                if started.is_ok() {
                    current = Some(threads.len());
                    progress = None;
                    threads.push(Thread { orders: Some(orders), done, stopped: false, failed });
                }
            }
            Step::Stop => {
                slot.stop();
                if let Some(job) = current {
                    threads[job].stopped = true;
                }
            }
            Step::Order(from_newest, order) => {
                let Some(job) = threads.len().checked_sub(from_newest + 1) else { continue };
                let thread = &mut threads[job];
                let Some(orders) = &thread.orders else { continue };
                let has_slot = current == Some(job);
                // A job that has freed the slot publishes no more.
                if matches!(order, Order::Publish(_)) && !has_slot {
                    continue;
                }
                orders.send(order).expect("the job listens");
                match order {
                    Order::Publish(value) => progress = Some(value),
                    Order::Free | Order::End | Order::Panic if has_slot => current = None,
                    _ => {}
                }
                if matches!(order, Order::Publish(_) | Order::Free) {
                    prop_assert_eq!(thread.done.recv(), Ok(thread.stopped));
                } else {
                    thread.orders = None;
                    // Both come once the slot is free: the channel ends, and a panic is reported before.
                    let failure = thread.failed.recv().ok();
                    let last = if has_slot { progress } else { None };
                    prop_assert_eq!(failure, (order == Order::Panic).then_some(last));
                }
            }
        }
        prop_assert_eq!(slot.is_busy(), current.is_some());
        for job in 0..threads.len() {
            prop_assert_eq!(slot.is_running(&id(job)), current == Some(job));
        }
        prop_assert_eq!(slot.progress(), current.and(progress));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(128, 5000))]

    #[test]
    fn slot_belongs_to_one_job(steps in prop::collection::vec(step(), 1..60)) {
        run(&steps)?;
    }
}

#[test]
fn one_job_at_a_time() {
    let slot = JobSlot::<u32>::default();
    let id = Id::parse("first").expect("an id");
    let wait = |job: &RunningJob<u32>| {
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
    let (end, ended) = channel::<()>();
    let (gone, is_gone) = channel::<()>();
    let work = move |job: &RunningJob<u32>| {
        job.free();
        let _ = ended.recv();
        drop(gone);
    };
    slot.start("test", &first, work, |_| {}).expect("free");
    while slot.is_busy() {
        thread::sleep(Duration::from_millis(1));
    }
    let wait = |job: &RunningJob<u32>| while !job.stop.load(Ordering::Relaxed) {};
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
    let (failed, failure) = channel();
    let work = |job: &RunningJob<u32>| {
        job.publish(7);
        std::panic::resume_unwind(Box::new(()));
    };
    slot.start("test", &id, work, move |last| failed.send(last).expect("heard")).expect("free");
    assert_eq!(failure.recv(), Ok(Some(7)));
    assert!(!slot.is_busy());
    slot.start("test", &id, |_| {}, |_| {}).expect("free again");
}
