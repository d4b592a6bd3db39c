//! One WebSocket: reads what the page asks, writes what it is told. A page that asks too much, says nonsense
//! without end, or does not read, is let go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::protocol::{Event, Numbered, number_of, reply};
use crate::server::becomes_true;
use crate::studio::Studio;

/// Requests a second in the long run.
const RATE: f64 = 25.0;
/// Requests at once.
const BURST: f64 = 100.0;
/// How long a page may take to read a message.
const READ_WITHIN: Duration = Duration::from_secs(10);
/// A page that says nothing is asked this often whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A page that does not answer for this long is gone.
const SILENCE: Duration = Duration::from_mins(1);
/// Messages that make no sense before a page is let go.
const MAX_NONSENSE: u32 = 20;

/// Serves a page until either side ends it.
pub async fn serve(socket: WebSocket, studio: Arc<Studio>) {
    let (mut sink, stream) = socket.split();
    let Some((visitor, outbox)) = studio.hub().enter() else {
        let _ = timeout(READ_WITHIN, sink.send(close(close_code::AGAIN, "too many open tabs"))).await;
        return;
    };
    let mut writer = tokio::spawn(write(sink, outbox));
    let mut closing = studio.closing();
    tokio::select! {
        () = read(stream, &studio, visitor) => {}
        // A page that does not read is let go by its writer.
        _ = &mut writer => {}
        () = becomes_true(&mut closing) => {}
    }
    studio.hub().leave(visitor);
    studio.forget(visitor).await;
    // The writer says goodbye once its channel has ended.
    if !writer.is_finished() && timeout(READ_WITHIN, &mut writer).await.is_err() {
        writer.abort();
    }
}

async fn read(mut stream: SplitStream<WebSocket>, studio: &Arc<Studio>, visitor: u64) {
    let mut allowance = Allowance::new(Instant::now());
    let mut nonsense = 0;
    while let Ok(Some(Ok(message))) = timeout(SILENCE, stream.next()).await {
        if !allowance.take(Instant::now()) {
            return;
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Binary(_) | Message::Close(_) => return,
        };
        let told = match serde_json::from_str::<Numbered>(&text) {
            Ok(asked) => {
                let answer = studio.answer(visitor, asked.request).await;
                studio.hub().tell(visitor, reply(asked.ask, answer))
            }
            Err(error) => {
                nonsense += 1;
                let words = format!("invalid request: {error}");
                let answer = match number_of(&text) {
                    Some(ask) => reply(ask, Err(words)),
                    None => Event::new("warning", json!({"text": words})).text(),
                };
                nonsense < MAX_NONSENSE && studio.hub().tell(visitor, answer)
            }
        };
        if !told {
            return;
        }
    }
}

/// Writes what comes, and asks a silent page whether it is there.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut outbox: mpsc::Receiver<Utf8Bytes>) {
    loop {
        let message = match timeout(PING_EVERY, outbox.recv()).await {
            Ok(Some(text)) => Message::Text(text),
            Ok(None) => break,
            Err(_) => Message::Ping(Vec::new().into()),
        };
        if !matches!(timeout(READ_WITHIN, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
    let _ = timeout(READ_WITHIN, sink.send(close(close_code::AWAY, "the studio has stopped"))).await;
}

fn close(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}

/// How much a page may still ask: it fills up with time, up to a burst.
struct Allowance {
    left: f64,
    filled: Instant,
}

impl Allowance {
    fn new(now: Instant) -> Allowance {
        Allowance { left: BURST, filled: now }
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
    fn a_page_may_ask_in_bursts_but_not_for_long() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        let granted = (0..1000).filter(|_| allowance.take(start)).count();
        assert_eq!(granted, BURST as usize);
        let mut steady = Allowance::new(start);
        let calm = |second: u64| start + Duration::from_secs(second);
        assert!((0..1000).all(|second| (0..20).all(|_| steady.take(calm(second)))));
    }
}
