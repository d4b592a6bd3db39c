//! The pages that are connected, and how they are told things. A page that does not read what it is told is
//! cut off: nothing waits for it, and nothing is kept for it without bound.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, watch};

use crate::protocol::Event;

/// Messages that may wait for a page to read them.
const PATIENCE: usize = 128;
/// Pages that may be connected at the same time.
pub const MAX_VISITORS: usize = 32;

/// The number of a connected page.
pub type Visitor = u64;

/// All connected pages.
#[derive(Debug)]
pub struct Hub {
    visitors: Mutex<Visitors>,
    count: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Visitors {
    last: Visitor,
    outboxes: HashMap<Visitor, mpsc::Sender<Utf8Bytes>>,
}

impl Hub {
    /// Nobody is connected.
    pub fn new() -> Hub {
        Hub { visitors: Mutex::default(), count: watch::Sender::new(0) }
    }

    fn visitors(&self) -> MutexGuard<'_, Visitors> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page in, unless there are too many. What it is told comes out of the channel; the channel ends
    /// when the page is cut off.
    pub fn enter(&self) -> Option<(Visitor, mpsc::Receiver<Utf8Bytes>)> {
        let mut visitors = self.visitors();
        if visitors.outboxes.len() >= MAX_VISITORS {
            return None;
        }
        let (sender, receiver) = mpsc::channel(PATIENCE);
        visitors.last += 1;
        let visitor = visitors.last;
        visitors.outboxes.insert(visitor, sender);
        self.count.send_replace(visitors.outboxes.len());
        Some((visitor, receiver))
    }

    /// A page has gone.
    pub fn leave(&self, visitor: Visitor) {
        let mut visitors = self.visitors();
        visitors.outboxes.remove(&visitor);
        self.count.send_replace(visitors.outboxes.len());
    }

    /// The number of pages, whenever it changes.
    pub fn count(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Whether a page reads so slowly that news which will soon be old should wait.
    pub fn is_behind(&self, visitor: Visitor) -> bool {
        self.visitors().outboxes.get(&visitor).is_some_and(|outbox| outbox.capacity() < PATIENCE / 2)
    }

    /// Tells one page; false if it is gone or was cut off for not reading.
    pub fn tell(&self, visitor: Visitor, text: Utf8Bytes) -> bool {
        let mut visitors = self.visitors();
        let told = visitors.outboxes.get(&visitor).is_some_and(|outbox| outbox.try_send(text).is_ok());
        if !told && visitors.outboxes.remove(&visitor).is_some() {
            self.count.send_replace(visitors.outboxes.len());
        }
        told
    }

    /// Tells all pages.
    pub fn tell_all(&self, event: &Event) {
        let text = event.text();
        let mut visitors = self.visitors();
        visitors.outboxes.retain(|_, outbox| outbox.try_send(text.clone()).is_ok());
        self.count.send_replace(visitors.outboxes.len());
    }
}

impl Default for Hub {
    fn default() -> Self {
        Hub::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_that_does_not_read_is_cut_off_and_others_stay() {
        let hub = Hub::new();
        let (_, mut slow) = hub.enter().expect("room");
        let (_, mut quick) = hub.enter().expect("room");
        for number in 0..=PATIENCE {
            hub.tell_all(&Event::new("news", json!({"number": number})));
            quick.try_recv().expect("told at once");
        }
        assert_eq!(*hub.count().borrow(), 1);
        let waiting = std::iter::from_fn(|| slow.try_recv().ok()).count();
        assert_eq!(waiting, PATIENCE, "what was kept is bounded");
        assert_eq!(slow.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
    }

    #[test]
    fn there_is_room_for_so_many_and_again_when_they_leave() {
        let hub = Hub::new();
        let pages: Vec<_> = std::iter::from_fn(|| hub.enter()).collect();
        assert_eq!(pages.len(), MAX_VISITORS);
        hub.leave(pages[0].0);
        assert!(hub.enter().is_some());
        assert!(!hub.tell(pages[0].0, "x".into()), "who left is not told");
    }
}
