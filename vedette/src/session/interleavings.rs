//! The mailbox in many orders of its threads' steps. `mailbox.rs` is compiled here a second time, with the locks of shuttle:
//! it switches threads at each of their operations, finds waits that never end, and prints the order of steps that fails.

use std::sync::Arc;
use std::time::Instant;

use shuttle::thread;
use shuttle::{check_dfs, check_random_with_seed};
use uci::{Line, MAX_LINE};

mod sync {
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard, PoisonError};
}

#[allow(dead_code, clippy::duplicate_mod)]
#[path = "mailbox.rs"]
mod mailbox;

use mailbox::{MAX_BYTES, MAX_REPORTS, Mailbox, Message};

/// So many orders; more in `make proof`.
fn orders(test: usize, proof: usize) -> usize {
    if std::env::var_os("VEDETTE_PROOF").is_some() { proof } else { test }
}

/// The input: short lines, and two that fill the mailbox.
const LENGTHS: [usize; 6] = [3, MAX_LINE, 0, MAX_LINE, 5, 1];

/// A thread that reads all input; returns the lines that found a place.
fn reader(mailbox: &Arc<Mailbox>) -> thread::JoinHandle<usize> {
    let mailbox = Arc::clone(mailbox);
    thread::spawn(move || {
        for (number, length) in LENGTHS.iter().enumerate() {
            if mailbox.put_line(Line::Text("x".repeat(*length)), Instant::now()).is_err() {
                return number;
            }
        }
        mailbox.end_input();
        LENGTHS.len()
    })
}

/// A thread that reports so often, and then for the last time.
fn search(mailbox: &Arc<Mailbox>, reports: usize) -> thread::JoinHandle<bool> {
    let mailbox = Arc::clone(mailbox);
    thread::spawn(move || {
        (0..=reports).all(|number| mailbox.put_report(number.to_string(), number == reports).is_ok())
    })
}

/// Takes messages until the input and the search have ended: each comes once, in order.
fn take_everything(mailbox: &Mailbox, reports: usize) {
    let (mut lines, mut seen, mut has_ended, mut is_last) = (0, 0, false, false);
    while !(has_ended && is_last) {
        let (_, bytes) = mailbox.size();
        assert!(bytes <= MAX_BYTES, "{bytes} bytes");
        // While a search runs that must end first, no input is taken: as in a congested session.
        match mailbox.take(is_last || lines < 3) {
            Message::Line { line, .. } => {
                assert_eq!(line, Line::Text("x".repeat(LENGTHS[lines])));
                lines += 1;
            }
            Message::EndOfInput => has_ended = true,
            Message::Report { text, last } => {
                assert_eq!((text, last), (seen.to_string(), seen == reports));
                (seen, is_last) = (seen + 1, last);
            }
            Message::Interrupted => panic!("no signal came"),
        }
    }
    assert_eq!((lines, seen), (LENGTHS.len(), reports + 1));
}

#[test]
fn every_message_arrives_once() {
    let conversation = || {
        let mailbox = Arc::new(Mailbox::default());
        let (reader, search) = (reader(&mailbox), search(&mailbox, 2));
        take_everything(&mailbox, 2);
        assert!(
            search.join().is_ok_and(|all| all) && reader.join().is_ok_and(|lines| lines == LENGTHS.len())
        );
    };
    check_random_with_seed(conversation, 1, orders(300, 20_000));
}

/// The session ends at a signal, with a reader and a search that both wait for room.
#[test]
fn signal_ends_everything() {
    let conversation = || {
        let mailbox = Arc::new(Mailbox::default());
        for _ in 0..MAX_REPORTS - 1 {
            assert!(mailbox.put_report(String::new(), false).is_ok());
        }
        let (reader, search) = (reader(&mailbox), search(&mailbox, 2));
        let signal = thread::spawn({
            let mailbox = Arc::clone(&mailbox);
            move || mailbox.interrupt()
        });
        // It comes first, whatever waits.
        while mailbox.take(true) != Message::Interrupted {}
        mailbox.close();
        for thread in [search.join().map(drop), reader.join().map(drop), signal.join()] {
            assert!(thread.is_ok());
        }
    };
    check_random_with_seed(conversation, 1, orders(30, 500));
}

/// All orders of one line, one report and one signal.
#[test]
fn nothing_is_lost_in_any_order() {
    let conversation = || {
        let mailbox = Arc::new(Mailbox::default());
        let search = search(&mailbox, 0);
        let signal = thread::spawn({
            let mailbox = Arc::clone(&mailbox);
            move || mailbox.interrupt()
        });
        let mut taken = [mailbox.take(true), mailbox.take(true)];
        taken.sort_by_key(|message| *message == Message::Interrupted);
        assert_eq!(taken, [Message::Report { text: "0".to_owned(), last: true }, Message::Interrupted]);
        assert!(search.join().is_ok() && signal.join().is_ok());
    };
    check_dfs(conversation, Some(orders(2_000, 100_000)));
}
