//! The NNUE evaluation: network shape, file format, quantisation, incremental inference and SIMD kernels.
//!
//! [`shape`] defines the features and the quantisation. A [`FloatNetwork`] is what a trainer produces;
//! [`FloatNetwork::quantise`] turns it into the [`Network`] that the engine uses and its file stores. A [`NetworkEvaluator`] keeps
//! the accumulators along a line of moves; [`SimdPath`] is the SIMD path, chosen at start.
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

mod bullet;
mod cache;
mod change;
mod compare;
mod embedded;
mod evaluator;
mod export;
mod file;
mod float;
mod layers;
mod network;
mod packed;
pub mod shape;
mod simd;
mod survey;

pub use bullet::{BulletFormat, UnknownLayout};
pub use compare::{Difference, NetworkComparison};
pub use embedded::{Embedded, SHIPPED, embedded};
pub use evaluator::NetworkEvaluator;
#[doc(hidden)]
pub use file::reseal;
pub use file::{AnyNetwork, FileError, Label, MAGIC, Numbers, VERSION};
pub use float::FloatNetwork;
pub use network::Network;
pub use simd::{SimdPath, SimdPathError};
pub use survey::{Layer, Survey};
