//! One WebSocket. A page that sends too many or too many invalid requests, or does not read, is disconnected.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;

use crate::clients::{ClientId, MessageQueue};
use crate::server::becomes_true;
use crate::studio::Studio;

/// Requests per second in the long run.
const RATE: f64 = 25.0;
/// Requests in a burst.
const BURST: f64 = 100.0;
/// How long a page may take to read a message.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
const PING_EVERY: Duration = Duration::from_secs(20);
/// A page from which nothing comes for this long, not even a pong, is gone.
const SILENCE_TIMEOUT: Duration = Duration::from_mins(1);
/// Invalid messages before a page is disconnected.
const MAX_INVALID: u32 = 20;

/// Serves a page until either side closes the connection.
pub async fn serve(socket: WebSocket, studio: Arc<Studio>) {
    let (mut sink, stream) = socket.split();
    let Some((client, queue)) = studio.clients().connect() else {
        let _ = timeout(READ_TIMEOUT, sink.send(close(close_code::AGAIN, "too many open tabs"))).await;
        return;
    };
    let mut writer = tokio::spawn(write(sink, queue));
    let mut closing = studio.closing();
    tokio::select! {
        () = read(stream, &studio, client) => {}
        // The writer ends if the page does not read.
        _ = &mut writer => {}
        () = becomes_true(&mut closing) => {}
    }
    studio.clients().disconnect(client);
    studio.forget(client).await;
    // The writer sends a close frame once its queue has ended.
    if !writer.is_finished() && timeout(READ_TIMEOUT, &mut writer).await.is_err() {
        writer.abort();
    }
}

async fn read(mut stream: SplitStream<WebSocket>, studio: &Arc<Studio>, client: ClientId) {
    let mut limit = RateLimit::new(Instant::now());
    let mut invalid = 0;
    while let Ok(Some(Ok(message))) = timeout(SILENCE_TIMEOUT, stream.next()).await {
        if !limit.take(Instant::now()) {
            return;
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Binary(_) | Message::Close(_) => return,
        };
        let answer = studio.answer(client, text).await;
        invalid += u32::from(!answer.valid);
        if invalid >= MAX_INVALID || !studio.clients().send(client, answer.text) {
            return;
        }
    }
}

/// Writes the queue, and pings an idle page.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut queue: MessageQueue) {
    loop {
        let message = match timeout(PING_EVERY, queue.recv()).await {
            Ok(Some(text)) => Message::Text(text),
            Ok(None) => break,
            Err(_) => Message::Ping(Vec::new().into()),
        };
        if !matches!(timeout(READ_TIMEOUT, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
    let _ = timeout(READ_TIMEOUT, sink.send(close(close_code::AWAY, "the studio has stopped"))).await;
}

fn close(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}

/// A token bucket.
struct RateLimit {
    left: f64,
    filled: Instant,
}

impl RateLimit {
    fn new(now: Instant) -> RateLimit {
        RateLimit { left: BURST, filled: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.left = (self.left + passed * RATE).min(BURST) - 1.0;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_limited() {
        let start = Instant::now();
        let mut limit = RateLimit::new(start);
        let granted = (0..1000).filter(|_| limit.take(start)).count();
        assert_eq!(granted, BURST as usize);
        let mut steady = RateLimit::new(start);
        let calm = |second: u64| start + Duration::from_secs(second);
        assert!((0..1000).all(|second| (0..20).all(|_| steady.take(calm(second)))));
    }
}
