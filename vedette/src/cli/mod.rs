//! What the commands share: parsing of option values, progress, signals, output files.

#[cfg(feature = "tools")]
pub mod analysis;
pub mod browser;
pub mod evaluation;
pub mod format;
pub mod interrupt;
pub mod json;
pub mod network_file;
pub mod output_file;
#[cfg(feature = "tools")]
pub mod paths;
#[cfg(feature = "tools")]
pub mod position;
pub mod progress;
pub mod stderr;
pub mod values;

/// Reports an error in the options as clap does, and exits with code 2.
pub fn refuse<T>(message: &str) -> T {
    clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{message}\n")).exit()
}
