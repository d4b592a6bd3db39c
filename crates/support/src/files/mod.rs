//! Files that survive a crash: replaced atomically, locked while they are written, and checked for write access before long
//! work begins.

mod lock;
mod whole;
mod writable;

pub use lock::{FileLock, open_locked};
pub use whole::{WholeFile, draft_of, replace};
pub use writable::open_writable;
