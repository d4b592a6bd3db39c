//! Files that survive a crash: replaced atomically, locked while they are written, and checked for write access before long
//! work begins.

mod atomic;
mod lock;
mod writable;

pub use atomic::{AtomicFile, draft_of, replace};
pub use lock::{FileLock, open_locked};
pub use writable::open_writable;
