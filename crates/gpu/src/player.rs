//! A network and a value for each search parameter.

use engine::params::Parameter;
use nnue::shape::{Head, Shape};
use nnue::{FloatNetwork, Network};

use crate::abi;
use crate::backend::{Backend, Buffer, upload};
use crate::error::GpuError;

/// A network and search parameters.
#[derive(Clone, PartialEq)]
pub struct NetworkPlayer {
    pub network: Network,
    /// A value for each of [`abi::parameters`].
    pub parameters: Vec<i32>,
}

impl NetworkPlayer {
    /// With the engine's parameters.
    pub fn new(network: Network) -> NetworkPlayer {
        NetworkPlayer { network, parameters: abi::parameter_values() }
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// If the device search has no such parameter, or the value is out of range.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), GpuError> {
        let known = abi::parameters();
        let index = known.iter().position(|parameter| parameter.name == name);
        let index = index.ok_or_else(|| unknown(name, &known))?;
        let Parameter { min, max, .. } = *known[index];
        if !(min..=max).contains(&value) {
            return Err(GpuError::Input(format!("invalid value {value} for {name}: expected {min}..={max}")));
        }
        self.parameters[index] = value;
        Ok(())
    }
}

fn unknown(name: &str, known: &[&Parameter]) -> GpuError {
    let near = support::suggest::nearest(name, known.iter().map(|parameter| parameter.name));
    let hint = near.map_or(String::new(), |near| format!(": did you mean '{near}'?"));
    GpuError::Input(format!("unknown parameter of the device search '{name}'{hint}"))
}

/// A player in device memory.
pub(crate) struct DevicePlayer {
    pub network: Buffer,
    pub parameters: Buffer,
}

impl DevicePlayer {
    /// Uploads a player, its network widened to a shape.
    pub fn new(
        backend: &dyn Backend,
        player: &NetworkPlayer,
        shape: Shape,
    ) -> Result<DevicePlayer, GpuError> {
        let words = abi::network_words(&widened(&player.network, shape)?);
        Ok(DevicePlayer {
            network: upload(backend, &words)?,
            parameters: upload(backend, &player.parameters)?,
        })
    }
}

/// Whether the device code can evaluate with a network.
///
/// # Errors
/// If the network is layered.
pub fn check_network(network: &Network) -> Result<(), GpuError> {
    match network.shape().head() {
        Head::Single => Ok(()),
        Head::Layered => Err(GpuError::Input(format!(
            "games on a GPU need a network of one layer: {} is layered",
            network.shape()
        ))),
    }
}

/// An equivalent network with more hidden units of weight 0 and more king buckets with equal weights, so that networks of
/// different shapes can play each other.
///
/// # Errors
/// If the network does not fit into the shape.
pub fn widened(network: &Network, shape: Shape) -> Result<Network, GpuError> {
    if network.shape() == shape {
        return Ok(network.clone());
    }
    let does_not_fit = || GpuError::Input(format!("{} does not fit into {shape}", network.shape()));
    let (old, hidden) = (network.shape().hidden(), shape.hidden());
    if old > hidden {
        return Err(does_not_fit());
    }
    // Weights round-trip exactly, and so do biases up to 2 (800 centipawns): a float holds 24-bit integers, and the division
    // by 2^23 is exact. Beyond, at most 1/20,000 of a centipawn is lost.
    let narrow = network.to_float().with_king_buckets(shape.king_buckets()).ok_or_else(does_not_fit)?;
    let widen = |list: &[f32]| -> Vec<f32> {
        let rows = list.chunks_exact(old);
        rows.flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(0.0, hidden - old))).collect()
    };
    let wide = FloatNetwork {
        feature_weights: widen(&narrow.feature_weights),
        feature_bias: widen(&narrow.feature_bias),
        output_weights: widen(&narrow.output_weights),
        output_bias: narrow.output_bias,
        ..FloatNetwork::zero(shape)
    };
    Ok(wide.quantise())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn widened_network_evaluates_the_same() {
        let network = FloatNetwork::random(Shape::new(64).unwrap(), 3).quantise();
        let shape =
            |hidden, king_buckets| Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
        for shape in [shape(192, 1), shape(192, 4), shape(64, 4)] {
            let wide = widened(&network, shape).unwrap();
            assert_eq!(wide.shape(), shape);
            for fen in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                "8/2k5/3p4/KP5r/1R3p2/8/4P1P1/8 b - - 0 1",
            ] {
                let position = Position::from_fen(fen).unwrap();
                assert_eq!(wide.evaluate_slow(&position), network.evaluate_slow(&position), "{fen}");
            }
            assert!(widened(&wide, Shape::new(64).unwrap()).is_err());
        }
    }

    #[test]
    fn parameters_are_checked() {
        let mut player = NetworkPlayer::new(FloatNetwork::zero(Shape::new(64).unwrap()).quantise());
        player.set("aspiration_delta", 20).unwrap();
        assert!(player.set("aspiration_delta", 100_000).unwrap_err().to_string().contains("expected"));
        let unknown = player.set("aspiration_dleta", 20).unwrap_err().to_string();
        assert!(unknown.contains("did you mean 'aspiration_delta'?"), "{unknown}");
    }
}
