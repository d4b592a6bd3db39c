//! What must be true of the search, as functions that can fail. Each is a test of its own; under the `mutants` feature
//! every named bug must make one of them fail.

/// Makes a test of each property, or a list of them where bugs can be switched on.
macro_rules! properties {
    ($($name:ident,)*) => {
        // A bug is switched on for the whole process: one test does it, and no other may run beside it.
        #[cfg(not(feature = "mutants"))]
        mod holds {
            $(#[test]
            fn $name() {
                if let Err(complaint) = super::$name() {
                    panic!("{complaint}");
                }
            })*
        }

        #[cfg(feature = "mutants")]
        pub const ALL: &[(&str, crate::common::Property)] = &[$((stringify!($name), $name),)*];
    };
}

mod common;
mod draws;
mod evaluation;
mod limits;
mod lines;
mod mates;
mod moves;
#[cfg(feature = "mutants")]
mod mutants;
mod table;
mod tree;
