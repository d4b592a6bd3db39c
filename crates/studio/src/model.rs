//! Random sequences of what pages and jobs do, compared with small models. proptest shrinks a sequence that fails.
//!
//! The queues of pages and the slot of a job are compared step by step and exactly, and run in many thread schedules. The
//! whole studio has threads and an engine of its own, so its model only says what must hold whatever they do: a request
//! that cannot race is accepted or rejected as the model says, everything that starts can be stopped, and nothing is left
//! running when the pages are gone.

use proptest::prelude::ProptestConfig;

mod clients;
mod interleavings;
mod jobs;
mod studio;

/// A number of cases, larger in `make proof`.
fn number(test: u32, proof: u32) -> u32 {
    if std::env::var_os("VEDETTE_PROOF").is_some() { proof } else { test }
}

/// Number of sequences.
fn cases(test: u32, proof: u32) -> ProptestConfig {
    ProptestConfig { cases: number(test, proof), failure_persistence: None, ..ProptestConfig::default() }
}
