//! Why a request failed.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a page gets when something panicked; the panic itself is on stderr.
pub const INTERNAL: &str = "internal error: please report it with the output of vedette studio";

#[derive(Debug)]
pub enum RequestError {
    /// The item does not exist.
    NotFound,
    /// Invalid, or not possible now; the text is for the user.
    Invalid(String),
    Io(io::Error),
    /// A handler panicked.
    Internal,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::NotFound => f.write_str("not found: it may have been deleted"),
            RequestError::Invalid(text) => f.write_str(text),
            RequestError::Io(error) => error.fmt(f),
            RequestError::Internal => f.write_str(INTERNAL),
        }
    }
}

impl std::error::Error for RequestError {}

/// Handles a request; a panic ends it, and nothing else.
pub fn contained<T>(handle: impl FnOnce() -> Result<T, RequestError>) -> Result<T, RequestError> {
    catch_unwind(AssertUnwindSafe(handle)).unwrap_or(Err(RequestError::Internal))
}

impl From<String> for RequestError {
    fn from(text: String) -> RequestError {
        RequestError::Invalid(text)
    }
}

impl From<&str> for RequestError {
    fn from(text: &str) -> RequestError {
        RequestError::Invalid(text.to_owned())
    }
}

impl From<io::Error> for RequestError {
    fn from(error: io::Error) -> RequestError {
        if error.kind() == io::ErrorKind::NotFound { RequestError::NotFound } else { RequestError::Io(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_ends_one_request() {
        let panicked: Result<(), RequestError> = contained(|| std::panic::resume_unwind(Box::new(())));
        assert!(matches!(panicked, Err(RequestError::Internal)));
        assert!(matches!(contained(|| Ok(7)), Ok(7)));
    }
}
