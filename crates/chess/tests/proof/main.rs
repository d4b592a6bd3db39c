//! Tests of the rules: published perft counts, two independent libraries as oracles, slow re-computations, and
//! random text. `cargo test` runs a part of each, `make proof` everything (ignored tests named `proof`).

/// How much of a claim is tested.
#[derive(Clone, Copy)]
enum Effort {
    /// In every test run.
    Quick,
    /// In `make proof`.
    Proof,
}

impl Effort {
    fn pick<T>(self, quick: T, proof: T) -> T {
        match self {
            Effort::Quick => quick,
            Effort::Proof => proof,
        }
    }
}

/// Makes two tests of each function: `quick`, and `proof`, which only `make proof` runs.
macro_rules! proof {
    ($($claim:ident),+ $(,)?) => {
        $(
            mod $claim {
                #[test]
                fn quick() {
                    super::$claim(crate::Effort::Quick);
                }

                #[test]
                #[ignore = "make proof"]
                fn proof() {
                    super::$claim(crate::Effort::Proof);
                }
            }
        )+
    };
}

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
