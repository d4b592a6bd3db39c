//! The proof that the rules are right: known counts, two independent libraries, slow and plain
//! re-computations, and random text. `cargo test` runs a small share of each; with the environment
//! variable `VEDETTE_PROOF` set (`make proof`) the whole is run.

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

/// How much of something to do: the first number in a test run, the second in the whole proof.
fn amount(test: usize, proof: usize) -> usize {
    if std::env::var_os("VEDETTE_PROOF").is_some() { proof } else { test }
}
