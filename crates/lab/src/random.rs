//! Everything random in an experiment comes from one seeded generator, the one that also draws first networks.

pub use nnue::random::Random;
