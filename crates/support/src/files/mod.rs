//! Files that survive a crash.
//!
//! Everything that changes a disk goes through this module: [`File`] and the functions beside it are those of `std::fs`, and
//! tests can put a simulated disk under them that fails or crashes at any step ([`faults`]). On top of them:
//!
//! | type | for |
//! |---|---|
//! | [`replace`], [`AtomicFile`] | a file that is replaced as a whole: readers and crashes see the old or the new content |
//! | [`NewFile`] | a large file that appears under its name when it is complete |
//! | [`AppendFile`] | a file that grows by whole records: a partial record is truncated |
//! | [`FileLock`] | one process at a time |

mod append;
mod atomic;
mod disk;
mod draft;
pub mod faults;
mod lock;
mod new_file;

pub use append::AppendFile;
pub use atomic::{AtomicFile, publish, replace};
pub use disk::{
    CONTENT_LIMIT, File, SETTINGS_LIMIT, create_dir_all, read_limited, read_rest, read_text, remove_dir_all,
    remove_file, rename, sync_parent,
};
pub use draft::remove_drafts;
pub use lock::{FileLock, lock};
pub use new_file::NewFile;
