//! Pages that connect, read or do not read, and leave.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use proptest::prelude::*;
use tokio::sync::mpsc::error::TryRecvError;

use super::cases;
use crate::clients::{ClientId, Clients, MAX_CLIENTS, MAX_QUEUED, MAX_QUEUED_BYTES, MessageQueue};
use crate::protocol::{Event, ServerMessage};

#[derive(Clone, Debug)]
enum Step {
    Connect,
    Disconnect(usize),
    /// Number of messages, and their size in KiB.
    Send(usize, usize, usize),
    Broadcast(usize),
    Read(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let page = 0..2 * MAX_CLIENTS;
    prop_oneof![
        6 => Just(Step::Connect),
        2 => page.clone().prop_map(Step::Disconnect),
        4 => (page.clone(), 1..100_usize, prop_oneof![Just(0), Just(1), Just(3000), Just(9000)])
            .prop_map(|(page, count, size)| Step::Send(page, count, size)),
        4 => (1..100_usize).prop_map(Step::Broadcast),
        4 => (page, 1..200_usize).prop_map(|(page, count)| Step::Read(page, count)),
    ]
}

/// A page as it should be.
struct Page {
    id: ClientId,
    queue: MessageQueue,
    connected: bool,
    expected: VecDeque<Utf8Bytes>,
}

impl Page {
    /// What should happen to a message: queued, or the page is disconnected.
    fn expect(&mut self, text: &Utf8Bytes) -> bool {
        let bytes: usize = self.expected.iter().map(|text| text.len()).sum();
        let fits = self.expected.len() < MAX_QUEUED && (bytes == 0 || bytes + text.len() <= MAX_QUEUED_BYTES);
        self.connected = self.connected && fits;
        if self.connected {
            self.expected.push_back(text.clone());
        }
        self.connected
    }
}

fn run(steps: &[Step]) -> Result<(), TestCaseError> {
    let clients = Clients::new();
    let mut pages: Vec<Page> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Connect => {
                let room = pages.iter().filter(|page| page.connected).count() < MAX_CLIENTS;
                let connected = clients.connect();
                prop_assert_eq!(connected.is_some(), room);
                pages.extend(connected.map(|(id, queue)| Page {
                    id,
                    queue,
                    connected: true,
                    expected: VecDeque::new(),
                }));
            }
            Step::Disconnect(page) => {
                let Some(page) = pages.get_mut(page) else { continue };
                clients.disconnect(page.id);
                page.connected = false;
            }
            Step::Send(page, count, size) => {
                let Some(page) = pages.get_mut(page) else { continue };
                let text = Utf8Bytes::from(format!("{number}{}", " ".repeat(size * 1024)));
                for _ in 0..count {
                    prop_assert_eq!(clients.send(page.id, text.clone()), page.expect(&text));
                }
            }
            Step::Broadcast(count) => {
                for _ in 0..count {
                    clients.broadcast(Event::AnalysisFree);
                    let text = ServerMessage::Event(Event::AnalysisFree).to_json();
                    for page in &mut pages {
                        page.expect(&text);
                    }
                }
            }
            Step::Read(page, count) => {
                let Some(page) = pages.get_mut(page) else { continue };
                for _ in 0..count {
                    prop_assert_eq!(page.queue.try_recv().ok(), page.expected.pop_front());
                }
            }
        }
        let connected = pages.iter().filter(|page| page.connected).count();
        prop_assert_eq!(*clients.count().borrow(), connected);
    }
    // What was queued before a page was disconnected still arrives, and then the queue ends.
    for page in &mut pages {
        clients.disconnect(page.id);
        while let Some(expected) = page.expected.pop_front() {
            prop_assert_eq!(page.queue.try_recv(), Ok(expected));
        }
        prop_assert_eq!(page.queue.try_recv(), Err(TryRecvError::Disconnected));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(64, 2000))]

    #[test]
    fn pages_get_their_messages(steps in prop::collection::vec(step(), 1..80)) {
        run(&steps)?;
    }
}

#[test]
fn page_that_does_not_read_is_disconnected() {
    let clients = Clients::new();
    let (_, mut slow) = clients.connect().expect("room");
    let (_, mut quick) = clients.connect().expect("room");
    for _ in 0..=MAX_QUEUED {
        clients.broadcast(Event::AnalysisFree);
        quick.try_recv().expect("sent at once");
    }
    assert_eq!(*clients.count().borrow(), 1);
    let queued = std::iter::from_fn(|| slow.try_recv().ok()).count();
    assert_eq!(queued, MAX_QUEUED, "the queue is bounded");
    assert_eq!(slow.try_recv(), Err(TryRecvError::Disconnected));
}

#[test]
fn number_of_pages_is_limited() {
    let clients = Clients::new();
    let pages: Vec<_> = std::iter::from_fn(|| clients.connect()).collect();
    assert_eq!(pages.len(), MAX_CLIENTS);
    clients.disconnect(pages[0].0);
    assert!(clients.connect().is_some());
    assert!(!clients.send_event(pages[0].0, Event::AnalysisFree));
}

#[test]
fn queue_is_bounded_in_bytes() {
    let clients = Clients::new();
    let (client, mut queue) = clients.connect().expect("room");
    let text = |bytes: usize| Utf8Bytes::from("x".repeat(bytes));
    assert!(clients.send(client, text(2 * MAX_QUEUED_BYTES)), "one message may be larger");
    queue.try_recv().expect("sent");
    for _ in 0..2 {
        assert!(clients.send(client, text(MAX_QUEUED_BYTES / 2)), "what was read does not count");
        assert!(clients.send(client, text(MAX_QUEUED_BYTES / 2)));
        queue.try_recv().expect("sent");
        queue.try_recv().expect("sent");
    }
    assert!(clients.send(client, text(MAX_QUEUED_BYTES)));
    assert!(!clients.send(client, text(1)), "disconnected for not reading");
    assert_eq!(*clients.count().borrow(), 0);
}
