//! What can happen while the program waits for a move: a line of input, its end, or a signal.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use uci::{Line, LineReader};

use crate::cli::interrupt::on_signal;

pub enum InputEvent {
    Line(Line),
    /// The end of the input.
    Closed,
    Signal,
}

/// Lines that may wait while the opponent thinks.
const WAITING: usize = 64;

/// Reads stdin on a thread of its own. A signal sets `stop`.
pub fn listen(stop: &Arc<AtomicBool>) -> io::Result<Receiver<InputEvent>> {
    let (sender, events) = sync_channel(WAITING);
    let (stop, signals) = (Arc::clone(stop), sender.clone());
    on_signal(move || {
        stop.store(true, Ordering::SeqCst);
        // If the channel is full, the flag is seen with the next line.
        let _ = signals.try_send(InputEvent::Signal);
    })?;
    let read = move || {
        for line in LineReader::new(io::stdin().lock()) {
            let Ok(line) = line else { break };
            if sender.send(InputEvent::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(InputEvent::Closed);
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read)?;
    Ok(events)
}
