//! Warnings, errors and progress go to standard error.

/// Prints a line to standard error. A closed standard error is ignored, where `eprintln!` would panic.
macro_rules! stderr {
    ($($arguments:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($arguments)*);
    }};
}

pub(crate) use stderr;
