//! The connected pages and their outgoing messages. A page that does not read is disconnected: nothing waits for it,
//! and its queue is bounded.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, watch};

use crate::protocol::{Event, ServerMessage};
use crate::sync::lock;

/// Messages that may be queued for a page.
const MAX_QUEUED: usize = 128;
/// Pages that may be connected at the same time.
pub const MAX_CLIENTS: usize = 32;

pub type ClientId = u64;

#[derive(Debug, Default)]
pub struct Clients {
    connected: Mutex<Connected>,
    count: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Connected {
    last: ClientId,
    queues: HashMap<ClientId, mpsc::Sender<Utf8Bytes>>,
}

impl Clients {
    pub fn new() -> Clients {
        Clients::default()
    }

    fn connected(&self) -> MutexGuard<'_, Connected> {
        lock(&self.connected)
    }

    /// Adds a page, unless there are too many. The channel yields its messages, and ends when it is disconnected.
    pub fn connect(&self) -> Option<(ClientId, mpsc::Receiver<Utf8Bytes>)> {
        let mut connected = self.connected();
        if connected.queues.len() >= MAX_CLIENTS {
            return None;
        }
        let (sender, receiver) = mpsc::channel(MAX_QUEUED);
        connected.last += 1;
        let client = connected.last;
        connected.queues.insert(client, sender);
        self.count.send_replace(connected.queues.len());
        Some((client, receiver))
    }

    pub fn disconnect(&self, client: ClientId) {
        let mut connected = self.connected();
        connected.queues.remove(&client);
        self.count.send_replace(connected.queues.len());
    }

    /// The number of connected pages.
    pub fn count(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Whether a page reads so slowly that an update which will soon be outdated should wait.
    pub fn is_behind(&self, client: ClientId) -> bool {
        self.connected().queues.get(&client).is_some_and(|queue| queue.capacity() < MAX_QUEUED / 2)
    }

    /// Sends a message to one page; false if it is gone, or is disconnected now for not reading.
    pub fn send(&self, client: ClientId, message: &ServerMessage) -> bool {
        let mut connected = self.connected();
        let sent =
            connected.queues.get(&client).is_some_and(|queue| queue.try_send(message.to_json()).is_ok());
        if !sent && connected.queues.remove(&client).is_some() {
            self.count.send_replace(connected.queues.len());
        }
        sent
    }

    /// Sends an event to all pages.
    pub fn broadcast(&self, event: Event) {
        let text = ServerMessage::Event(event).to_json();
        let mut connected = self.connected();
        connected.queues.retain(|_, queue| queue.try_send(text.clone()).is_ok());
        self.count.send_replace(connected.queues.len());
    }

    pub fn warn(&self, text: String) {
        self.broadcast(Event::Warning(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(slow.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
    }

    #[test]
    fn number_of_pages_is_limited() {
        let clients = Clients::new();
        let pages: Vec<_> = std::iter::from_fn(|| clients.connect()).collect();
        assert_eq!(pages.len(), MAX_CLIENTS);
        clients.disconnect(pages[0].0);
        assert!(clients.connect().is_some());
        assert!(!clients.send(pages[0].0, &ServerMessage::Event(Event::AnalysisFree)));
    }
}
