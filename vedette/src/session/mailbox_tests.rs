//! Tests of the mailbox, which is compiled twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use uci::{Line, MAX_LINE};

use super::mailbox::{Closed, MAX_BYTES, MAX_LINES, MAX_REPORTS, Mailbox, Message};

fn text(text: &str) -> Line {
    Line::Text(text.to_owned())
}

#[test]
fn messages_come_in_order_and_signals_first() {
    let mailbox = Mailbox::default();
    let now = Instant::now();
    mailbox.put_line(text("a"), now).unwrap();
    mailbox.put_line(text("b"), now).unwrap();
    mailbox.end_input();
    mailbox.put_report("c".to_owned(), true).unwrap();
    mailbox.interrupt();
    assert_eq!(mailbox.take(false), Message::Interrupted);
    assert_eq!(mailbox.take(false), Message::Report { text: "c".to_owned(), last: true });
    assert_eq!(mailbox.take(true), Message::Line { line: text("a"), received: now });
    assert_eq!(mailbox.take(true), Message::Line { line: text("b"), received: now });
    assert_eq!(mailbox.take(true), Message::EndOfInput);
}

/// A reader that never ends, and a session that never takes a line.
#[test]
fn endless_input_waits_in_bounded_memory() {
    for length in [0, 1000, MAX_LINE] {
        let (mailbox, read) = (Arc::new(Mailbox::default()), Arc::new(AtomicUsize::new(0)));
        let reader = thread::spawn({
            let (mailbox, read) = (Arc::clone(&mailbox), Arc::clone(&read));
            move || {
                while mailbox.put_line(text(&"x".repeat(length)), Instant::now()).is_ok() {
                    read.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        let full = MAX_BYTES.checked_div(length).map_or(MAX_LINES, |lines| lines.min(MAX_LINES));
        while read.load(Ordering::SeqCst) < full {
            thread::yield_now();
        }
        assert_eq!(mailbox.size(), (full, full * length));
        // One is taken, one more fits.
        assert!(matches!(mailbox.take(true), Message::Line { .. }));
        while read.load(Ordering::SeqCst) < full + 1 {
            thread::yield_now();
        }
        mailbox.close();
        reader.join().unwrap();
        assert_eq!(read.load(Ordering::SeqCst), full + 1);
    }
}

#[test]
fn closing_frees_who_waits() {
    let mailbox = Arc::new(Mailbox::default());
    for _ in 0..MAX_REPORTS {
        mailbox.put_report(String::new(), false).unwrap();
    }
    let search = thread::spawn({
        let mailbox = Arc::clone(&mailbox);
        move || mailbox.put_report("one more".to_owned(), true)
    });
    mailbox.close();
    assert_eq!(search.join().unwrap(), Err(Closed));
}
