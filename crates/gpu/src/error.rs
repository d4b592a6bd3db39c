//! What can go wrong in GPU play, in one message each.

use std::fmt;

use cuda::Fault;

/// Why something could not be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GpuError {
    /// The GPU cannot be used, or failed.
    Fault(Fault),
    /// This program was built where no C++ compiler was at hand.
    NoLane,
    /// Host and device code do not fit together.
    Layout(String),
    /// Something from outside makes no sense.
    Input(String),
    /// A game that came from the device is no legal game.
    Game {
        /// Its number.
        number: u64,
        /// What is wrong.
        fault: String,
    },
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::Fault(fault) => fault.fmt(f),
            GpuError::NoLane => f.write_str(
                "this program was built without a C++ compiler, so the device code cannot run on the CPU",
            ),
            GpuError::Layout(what) => write!(f, "host and device code do not fit together: {what}"),
            GpuError::Input(what) => f.write_str(what),
            GpuError::Game { number, fault } => {
                write!(f, "game {number} as the device played it is no legal game: {fault}")
            }
        }
    }
}

impl std::error::Error for GpuError {}

impl From<Fault> for GpuError {
    fn from(fault: Fault) -> GpuError {
        GpuError::Fault(fault)
    }
}
