//! Tests of the fast evaluation: along random games it equals the slow one, on every SIMD path of this CPU.
//! `cargo test` runs a part, `make proof` everything (ignored tests named `proof`).

#[macro_use]
#[path = "../../../chess/tests/proof/effort.rs"]
mod effort;
use effort::Effort;

mod games;
mod incremental;
mod paths;
mod symmetry;
