//! Two tests of each claim: a quick one, and a long one for `make proof`. Also used by the tests of `nnue`.

/// How much of a claim is tested.
#[derive(Clone, Copy)]
pub enum Effort {
    /// In every test run.
    Quick,
    /// In `make proof`.
    Proof,
}

impl Effort {
    pub fn pick<T>(self, quick: T, proof: T) -> T {
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
