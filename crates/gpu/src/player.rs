//! Who plays: a network and a value for each parameter of the search.

use engine::params::Parameter;
use nnue::shape::Shape;
use nnue::{FloatNetwork, Network};

use crate::abi;
use crate::error::GpuError;
use crate::machine::{Buffer, Machine, upload};

/// A network and parameters.
#[derive(Clone, PartialEq)]
pub struct Player {
    /// What judges positions.
    pub network: Network,
    /// A value for each of [`abi::parameters`].
    pub parameters: Vec<i32>,
}

impl Player {
    /// A player whose search has the engine's parameters.
    pub fn new(network: Network) -> Player {
        Player { network, parameters: abi::parameter_values() }
    }

    /// The same player with another value for a parameter.
    ///
    /// # Errors
    /// If the search on the device has no such parameter, or the value is out of its range.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), GpuError> {
        let known = abi::parameters();
        let index = known.iter().position(|parameter| parameter.name == name);
        let index = index.ok_or_else(|| unknown(name, &known))?;
        let Parameter { min, max, .. } = *known[index];
        if !(min..=max).contains(&value) {
            return Err(GpuError::Input(format!("{name} = {value} is outside {min} to {max}")));
        }
        self.parameters[index] = value;
        Ok(())
    }
}

fn unknown(name: &str, known: &[&Parameter]) -> GpuError {
    let near = support::suggest::nearest(name, known.iter().map(|parameter| parameter.name));
    let meant = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    GpuError::Input(format!("the search on the GPU has no parameter {name}{meant}"))
}

/// A player on a machine.
pub(crate) struct Seat {
    pub network: Buffer,
    pub parameters: Buffer,
}

impl Seat {
    /// Brings a player to a machine, its network widened to a shape.
    pub fn new(machine: &dyn Machine, player: &Player, shape: Shape) -> Result<Seat, GpuError> {
        let words = abi::network_words(&widened(&player.network, shape)?);
        Ok(Seat { network: upload(machine, &words)?, parameters: upload(machine, &player.parameters)? })
    }
}

/// The same network with more hidden units that do nothing and more king buckets with the same weights, so that networks of
/// different shapes can meet.
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
    // Weights come back exactly; so does a bias up to 2, which is 800 centipawns: a float holds whole numbers of 24 bits, and the
    // division by 2^23 takes none of them. Beyond, what may be lost is the 20,000th part of a centipawn.
    let narrow = network.to_float().with_king_buckets(shape.king_buckets()).ok_or_else(does_not_fit)?;
    let widen = |list: &[f32]| -> Vec<f32> {
        let rows = list.chunks_exact(old);
        rows.flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(0.0, hidden - old))).collect()
    };
    let wide = FloatNetwork {
        shape,
        feature_weights: widen(&narrow.feature_weights),
        feature_bias: widen(&narrow.feature_bias),
        output_weights: widen(&narrow.output_weights),
        output_bias: narrow.output_bias,
    };
    Ok(wide.quantise())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn a_widened_network_says_the_same() {
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
    fn parameters_are_set_by_name_and_within_their_range() {
        let mut player = Player::new(FloatNetwork::zero(Shape::new(64).unwrap()).quantise());
        player.set("aspiration_delta", 20).unwrap();
        assert!(player.set("aspiration_delta", 100_000).unwrap_err().to_string().contains("outside"));
        let unknown = player.set("aspiration_dleta", 20).unwrap_err().to_string();
        assert!(unknown.contains("did you mean aspiration_delta?"), "{unknown}");
    }
}
