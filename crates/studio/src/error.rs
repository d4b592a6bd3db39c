//! Why a request failed.

use std::fmt;
use std::io;

#[derive(Debug)]
pub enum RequestError {
    /// The item does not exist, or not any more.
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
            RequestError::Internal => f.write_str("internal error: the request could not be completed"),
        }
    }
}

impl std::error::Error for RequestError {}

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
