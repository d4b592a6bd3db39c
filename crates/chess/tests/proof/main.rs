//! Tests of the rules: published perft counts, two independent libraries as oracles, slow re-computations, and
//! random text. `cargo test` runs a part of each, `make proof` everything (ignored tests named `proof`).

#[macro_use]
mod effort;
use effort::Effort;

mod exchanges;
mod invariants;
mod keys;
mod legality;
mod oracles;
mod perft;
mod polyglot;
mod repetition;
mod round_trip;
mod starts;
mod suites;
mod text;
mod walk;
