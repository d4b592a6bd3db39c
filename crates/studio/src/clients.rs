//! The connected pages and their outgoing messages. A page that does not read is disconnected: nothing waits for it,
//! and its queue is bounded in messages and in bytes.
//!
//! `model/interleavings.rs` compiles this file a second time, with the locks of a scheduler that tries many orders.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, watch};

use super::sync::{AtomicUsize, Mutex, MutexGuard, lock};
use crate::protocol::{Event, ServerMessage};

/// Messages that may be queued for a page.
pub const MAX_QUEUED: usize = 128;
/// Bytes that may be queued for a page, unless one message alone is larger.
pub const MAX_QUEUED_BYTES: usize = 16 * 1024 * 1024;
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
    queues: HashMap<ClientId, QueueSender>,
}

/// The studio's end of a page's queue.
#[derive(Debug)]
struct QueueSender {
    messages: mpsc::Sender<Utf8Bytes>,
    bytes: Arc<AtomicUsize>,
}

impl QueueSender {
    /// Adds a message; false if the queue is full or the page is gone.
    fn push(&self, text: Utf8Bytes) -> bool {
        let (queued, new) = (self.bytes.load(Ordering::Acquire), text.len());
        if queued > 0 && queued + new > MAX_QUEUED_BYTES {
            return false;
        }
        // Counted first: the reader may take the message at once.
        self.bytes.fetch_add(new, Ordering::AcqRel);
        self.messages.try_send(text).is_ok()
    }
}

/// The messages for a page; ends when the page is disconnected.
#[derive(Debug)]
pub struct MessageQueue {
    messages: mpsc::Receiver<Utf8Bytes>,
    bytes: Arc<AtomicUsize>,
}

impl MessageQueue {
    pub async fn recv(&mut self) -> Option<Utf8Bytes> {
        let text = self.messages.recv().await?;
        self.bytes.fetch_sub(text.len(), Ordering::AcqRel);
        Some(text)
    }

    #[cfg(test)]
    pub fn try_recv(&mut self) -> Result<Utf8Bytes, mpsc::error::TryRecvError> {
        let text = self.messages.try_recv()?;
        self.bytes.fetch_sub(text.len(), Ordering::AcqRel);
        Ok(text)
    }
}

impl Clients {
    pub fn new() -> Clients {
        Clients::default()
    }

    fn connected(&self) -> MutexGuard<'_, Connected> {
        lock(&self.connected)
    }

    /// Adds a page, unless there are too many.
    pub fn connect(&self) -> Option<(ClientId, MessageQueue)> {
        let mut connected = self.connected();
        if connected.queues.len() >= MAX_CLIENTS {
            return None;
        }
        let (sender, messages) = mpsc::channel(MAX_QUEUED);
        let bytes = Arc::new(AtomicUsize::new(0));
        connected.last += 1;
        let client = connected.last;
        connected.queues.insert(client, QueueSender { messages: sender, bytes: Arc::clone(&bytes) });
        self.count.send_replace(connected.queues.len());
        Some((client, MessageQueue { messages, bytes }))
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
        self.connected().queues.get(&client).is_some_and(|queue| queue.messages.capacity() < MAX_QUEUED / 2)
    }

    /// Sends a message to one page; false if it is gone, or is disconnected now for not reading.
    pub fn send(&self, client: ClientId, text: Utf8Bytes) -> bool {
        let mut connected = self.connected();
        let sent = connected.queues.get(&client).is_some_and(|queue| queue.push(text));
        if !sent && connected.queues.remove(&client).is_some() {
            self.count.send_replace(connected.queues.len());
        }
        sent
    }

    /// Sends an event to one page.
    pub fn send_event(&self, client: ClientId, event: Event) -> bool {
        self.send(client, ServerMessage::Event(event).to_json())
    }

    /// Sends an event to all pages.
    pub fn broadcast(&self, event: Event) {
        let text = ServerMessage::Event(event).to_json();
        let mut connected = self.connected();
        connected.queues.retain(|_, queue| queue.push(text.clone()));
        self.count.send_replace(connected.queues.len());
    }

    pub fn warn(&self, text: String) {
        self.broadcast(Event::Warning(text));
    }
}
