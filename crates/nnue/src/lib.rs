//! The network: its shape and file, and what it says about a position.
//!
//! [`shape`] is the one place that says what the inputs are and what the integers mean. A
//! [`FloatNetwork`] is what a trainer makes; [`FloatNetwork::quantise`] turns it into the [`Network`] of
//! integers that the engine uses, and that its file holds. An [`Evaluator`] asks it along a line of moves; the
//! [`Path`] says with which of the CPU's instructions.
//!
//! ```
//! use chess::Position;
//! use nnue::{FloatNetwork, Network, shape::Shape};
//! let network = FloatNetwork::random(Shape::new(64)?, 1).quantise();
//! let file = network.write("random weights, seed 1");
//! let (read, label) = Network::read(&file)?;
//! let position = Position::startpos();
//! assert_eq!(read.evaluate_slow(&position), network.evaluate_slow(&position));
//! assert_eq!(label.description, "random weights, seed 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod cache;
mod change;
mod compare;
mod embedded;
mod evaluator;
mod export;
mod file;
mod float;
mod network;
mod packed;
pub mod shape;
mod simd;
mod survey;

pub use compare::{Comparison, Difference};
pub use embedded::{Embedded, SHIPPED, embedded};
pub use evaluator::Evaluator;
pub use file::{AnyNetwork, FileError, Label, MAGIC, Numbers, VERSION};
pub use float::FloatNetwork;
pub use network::Network;
pub use simd::{Path, PathError};
pub use survey::{Layer, Survey};
