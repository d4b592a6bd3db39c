//! Helpers shared by all crates. Nothing here knows about chess.
//!
//! | module | holds |
//! |---|---|
//! | [`files`] | files that survive a crash: atomic replacement, whole records, locks; simulated disks for tests |
//! | [`hash`] | FNV-1a checksums |
//! | [`random`] | seeded random numbers (`SplitMix64`) |
//! | [`shell`] | splitting and quoting of command lines |
//! | [`suggest`] | "did you mean" |
//! | [`sync`] | mutexes that ignore poisoning |
//! | [`text`] | untrusted text for a terminal, numbers of things |
//!
//! ```
//! use support::random::Random;
//! use support::suggest::nearest;
//!
//! assert_eq!(nearest("concurency", ["concurrency", "openings"]), Some("concurrency"));
//! assert_eq!(Random::new(7).below(100), Random::new(7).below(100));
//! ```

pub mod files;
pub mod hash;
pub mod random;
pub mod shell;
pub mod suggest;
pub mod sync;
pub mod text;
