//! Tests of the fast evaluation: along random games it equals the slow one, on every SIMD path of this CPU.
//! `cargo test` runs a part, `make proof` everything (ignored tests named `proof`).

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

mod games;
mod incremental;
mod paths;
mod symmetry;
