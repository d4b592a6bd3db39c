//! The open HTTP connections. A connection that has not shown the token may be closed at any time to make room for a
//! newer one, so that idle connections of other users cannot lock our own page out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use support::sync::lock;
use tokio::sync::oneshot;

/// Connections without the token; the oldest are closed when there are more.
const MAX_WITHOUT_TOKEN: usize = 256;
/// Connections with the token that are not a page's `WebSocket`.
const MAX_ADMITTED: usize = 128;

#[derive(Debug, Default)]
pub struct Connections(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    last: u64,
    by_number: BTreeMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    admitted: bool,
    /// When this is dropped, the connection is closed.
    _keep: oneshot::Sender<()>,
}

impl Open {
    fn count(&self, admitted: bool) -> usize {
        self.by_number.values().filter(|connection| connection.admitted == admitted).count()
    }
}

impl Connections {
    /// Adds a connection. It is over when the receiver yields, at the latest when the ticket is dropped.
    pub fn enter(self: &Arc<Self>) -> (Ticket, oneshot::Receiver<()>) {
        let mut open = lock(&self.0);
        if open.count(false) >= MAX_WITHOUT_TOKEN
            && let Some(oldest) = open.by_number.iter().find(|(_, connection)| !connection.admitted)
        {
            let oldest = *oldest.0;
            open.by_number.remove(&oldest);
        }
        let (keep, closed) = oneshot::channel();
        open.last += 1;
        let number = open.last;
        open.by_number.insert(number, Connection { admitted: false, _keep: keep });
        (Ticket { number, connections: Arc::clone(self) }, closed)
    }
}

/// A connection's place.
#[derive(Debug)]
pub struct Ticket {
    number: u64,
    connections: Arc<Connections>,
}

impl Ticket {
    /// The connection has shown the token: it stays open. False if there are too many of these.
    pub fn admit(&self) -> bool {
        let mut open = lock(&self.connections.0);
        let has_room = open.count(true) < MAX_ADMITTED;
        match open.by_number.get_mut(&self.number) {
            Some(connection) if connection.admitted || has_room => {
                connection.admitted = true;
                true
            }
            _ => false,
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        lock(&self.connections.0).by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_closed(closed: &mut oneshot::Receiver<()>) -> bool {
        closed.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[test]
    fn oldest_connection_without_token_is_closed() {
        let connections = Arc::new(Connections::default());
        let (own, mut own_closed) = connections.enter();
        assert!(own.admit() && own.admit());
        let mut without_token: Vec<_> = (0..MAX_WITHOUT_TOKEN).map(|_| connections.enter()).collect();
        assert!(without_token.iter_mut().all(|(_, closed)| !is_closed(closed)));
        let (newest, mut newest_closed) = connections.enter();
        assert!(is_closed(&mut without_token[0].1) && !without_token[0].0.admit(), "closed for good");
        assert!(without_token[1..].iter_mut().all(|(_, closed)| !is_closed(closed)));
        assert!(!is_closed(&mut newest_closed) && !is_closed(&mut own_closed));
        drop(newest);
        assert!(is_closed(&mut newest_closed));
    }

    #[test]
    fn admitted_connections_are_limited() {
        let connections = Arc::new(Connections::default());
        let mut tickets: Vec<Ticket> = (0..MAX_ADMITTED).map(|_| connections.enter().0).collect();
        assert!(tickets.iter().all(Ticket::admit));
        let one_too_many = connections.enter().0;
        assert!(!one_too_many.admit());
        tickets.pop();
        assert!(one_too_many.admit());
    }
}
