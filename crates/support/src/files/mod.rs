//! Writing files so that a program can be killed, or started twice, at any moment: a file is replaced in one step, locked as
//! long as somebody writes it, and found to be unwritable before long work begins. Matches, trainings, generations of
//! networks, the studio and the command line keep their files this way; this is the lowest room that all of them share.

mod lock;
mod whole;
mod writable;

pub use lock::open_locked;
pub use whole::{WholeFile, draft_of, replace};
pub use writable::open_writable;
