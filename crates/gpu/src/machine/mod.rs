//! Who runs the device code: a GPU, or one lane of the CPU. Everything above sees buffers and launches only, so that
//! what is tested with the lane is what runs on a GPU.

mod buffer;
mod bytes;
mod cuda_machine;
mod fitting;
mod lane_machine;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use nnue::shape::Shape;

pub use buffer::Buffer;
pub use bytes::{Plain, bytes_of, list_of};
pub use cuda_machine::CudaMachine;
pub use lane_machine::LaneMachine;

use crate::abi::{
    self, Control, EvaluateLaunch, GameHeader, Launch, Layout, PerftLaunch, RECORD_BYTES, Start, Tables,
};
use crate::error::GpuError;

/// Runs the device code for networks of any shape; for each shape it is compiled once.
pub trait Machine {
    /// What it is, for people.
    fn describe(&self) -> String;

    /// What the device code for a shape says about itself.
    ///
    /// # Errors
    /// If it does not compile.
    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError>;

    /// Warps that play at once with networks of a shape.
    ///
    /// # Errors
    /// If the code for them does not compile.
    fn warps(&mut self, shape: Shape) -> Result<usize, GpuError>;

    /// A buffer of zeros.
    ///
    /// # Errors
    /// If there is not so much memory.
    fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError>;

    /// Makes all of a buffer zero again.
    ///
    /// # Errors
    /// If the machine fails.
    fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError>;

    /// Writes bytes into a buffer.
    ///
    /// # Errors
    /// If the machine fails.
    ///
    /// # Panics
    /// If they do not fit there.
    fn write(&self, buffer: &mut Buffer, place: usize, bytes: &[u8]) -> Result<(), GpuError>;

    /// Reads bytes of a buffer, once everything before is done.
    ///
    /// # Errors
    /// If the machine fails; a launch's failure may show only here.
    ///
    /// # Panics
    /// If the buffer is shorter.
    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError>;

    /// A buffer with the first bytes of another one.
    ///
    /// # Errors
    /// If there is not so much memory.
    fn shortened(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError>;

    /// Memory that is free, in bytes.
    fn free_memory(&self) -> u64;

    /// Nodes in a second that are never reached: what buffers are measured by.
    fn most_nodes_per_second(&self) -> f64;

    /// Plays. A machine may still be at it when this returns: what is read or launched afterwards waits for the end.
    ///
    /// # Errors
    /// If the machine fails.
    fn play(&mut self, shape: Shape, launch: &Launch) -> Result<(), GpuError>;

    /// Counts, as [`play`](Self::play) plays.
    ///
    /// # Errors
    /// If the machine fails.
    fn perft(&mut self, shape: Shape, launch: &PerftLaunch) -> Result<(), GpuError>;

    /// Asks a network, as [`play`](Self::play) plays.
    ///
    /// # Errors
    /// If the machine fails.
    fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError>;
}

/// Makes sure that the device code means what the host means.
fn check_layout(layout: &Layout, shape: Shape) -> Result<(), GpuError> {
    let sizes = [
        size_of::<Start>(),
        size_of::<Tables>(),
        RECORD_BYTES,
        size_of::<GameHeader>(),
        size_of::<Control>(),
        size_of::<Launch>(),
        size_of::<PerftLaunch>(),
        size_of::<EvaluateLaunch>(),
    ];
    if layout.sizes.map(|size| size as usize) != sizes {
        return Err(GpuError::Layout(format!("sizes {:?} there, {sizes:?} here", layout.sizes)));
    }
    let parameters = abi::parameters().len();
    let there = [layout.parameters, layout.hidden, layout.king_buckets].map(|count| count as usize);
    let here = [parameters, shape.hidden(), shape.king_buckets()];
    if there != here {
        return Err(GpuError::Layout(format!(
            "parameters, hidden units and king buckets are {there:?} there, {here:?} here"
        )));
    }
    Ok(())
}

/// A buffer with these numbers.
///
/// # Errors
/// If there is not so much memory.
pub fn upload<T: Plain>(machine: &dyn Machine, list: &[T]) -> Result<Buffer, GpuError> {
    let bytes = bytes_of(list);
    let mut buffer = machine.zeros(bytes.len())?;
    machine.write(&mut buffer, 0, bytes)?;
    Ok(buffer)
}

/// Which machine is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineName {
    /// One lane of the CPU.
    Lane,
    /// The GPU with this number.
    Cuda(usize),
}

impl MachineName {
    /// The machine, ready to run.
    ///
    /// # Errors
    /// If there is no such GPU, or the program was built without the lane.
    pub fn open(self) -> Result<Box<dyn Machine>, GpuError> {
        match self {
            MachineName::Lane => Ok(Box::new(LaneMachine::new()?)),
            MachineName::Cuda(number) => Ok(Box::new(CudaMachine::open(number)?)),
        }
    }

    /// The machine, with all that a training on the same device needs.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_to_learn(self) -> Result<Box<dyn Machine>, GpuError> {
        match self {
            MachineName::Lane => self.open(),
            MachineName::Cuda(number) => Ok(Box::new(CudaMachine::open_to_learn(number)?)),
        }
    }
}

impl fmt::Display for MachineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MachineName::Lane => f.write_str("lane"),
            MachineName::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl FromStr for MachineName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("cuda:").map(str::parse)) {
            ("lane", _) => Ok(MachineName::Lane),
            ("cuda", _) => Ok(MachineName::Cuda(0)),
            (_, Some(Ok(number))) => Ok(MachineName::Cuda(number)),
            _ => Err(format!("no device is called {text:?}; cuda, cuda:1 or lane is expected")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_called_by_name() {
        for name in [MachineName::Lane, MachineName::Cuda(0), MachineName::Cuda(3)] {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!("cuda".parse(), Ok(MachineName::Cuda(0)));
        for text in ["", "cpu", "cuda:", "cuda:x", "Lane"] {
            assert!(text.parse::<MachineName>().unwrap_err().contains("is expected"));
        }
    }
}
