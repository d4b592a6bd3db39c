//! The proof that the fast evaluation is right: along random games it equals the slow one, computed from
//! nothing, with every path of this CPU. `cargo test` runs a small share; with the environment variable
//! `VEDETTE_PROOF` set the whole is run.

mod games;
mod incremental;
mod paths;
mod symmetry;

/// How much of something to do: the first number in a test run, the second in the whole proof.
fn amount(test: usize, proof: usize) -> usize {
    if std::env::var_os("VEDETTE_PROOF").is_some() { proof } else { test }
}
