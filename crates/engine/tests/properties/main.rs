//! Properties of the search. Each is a test; with the `mutants` feature every named bug must fail its
//! property.

/// Makes a test of each property, or a list of them where bugs can be switched on.
macro_rules! properties {
    ($($name:ident,)*) => {
        // A bug is switched on for the whole process, so a single test does it.
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
