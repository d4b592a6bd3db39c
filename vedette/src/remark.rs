//! What is said beside the results, on standard error.

/// Says a line on standard error. Whoever has closed it does not want to hear it, and the work goes on.
macro_rules! remark {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

pub(crate) use remark;
