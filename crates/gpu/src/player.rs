//! Who plays: a network and a value for each parameter of the search.

use engine::params::Parameter;
use nnue::shape::{FEATURES, OUTPUT_BUCKETS, Shape};
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
    let near = lab::words::nearest(name, known.iter().map(|parameter| parameter.name));
    let meant = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    GpuError::Input(format!("the search on the GPU has no parameter {name}{meant}"))
}

/// A player on a machine.
pub(crate) struct Seat {
    pub network: Buffer,
    pub parameters: Buffer,
}

impl Seat {
    /// Brings a player to a machine, its network widened to so many units.
    pub fn new(machine: &dyn Machine, player: &Player, hidden: usize) -> Result<Seat, GpuError> {
        let words = abi::network_words(&widened(&player.network, hidden)?);
        Ok(Seat { network: upload(machine, &words)?, parameters: upload(machine, &player.parameters)? })
    }
}

/// The same network with more hidden units that do nothing, so that networks of different widths can meet.
///
/// # Errors
/// If the network is wider, or no network is so wide.
pub fn widened(network: &Network, hidden: usize) -> Result<Network, GpuError> {
    let old = network.shape().hidden();
    if old == hidden {
        return Ok(network.clone());
    }
    let shape = Shape::new(hidden).map_err(|error| GpuError::Input(error.to_string()))?;
    if old > hidden {
        return Err(GpuError::Input(format!("{old} hidden units do not fit into {hidden}")));
    }
    let (weights, biases, outputs, output_biases) = network.numbers();
    let mut wide = FloatNetwork::zero(shape);
    let copy = |from: &[i16], to: &mut [f32], rows: usize, one: i32| {
        for (from, to) in from.chunks_exact(old).zip(to.chunks_exact_mut(hidden)).take(rows) {
            from.iter().zip(to).for_each(|(&from, to)| *to = f32::from(from) / one as f32);
        }
    };
    copy(&weights, &mut wide.feature_weights, FEATURES, nnue::shape::UNIT_ONE);
    copy(&biases, &mut wide.feature_bias, 1, nnue::shape::UNIT_ONE);
    copy(&outputs, &mut wide.output_weights, 2 * OUTPUT_BUCKETS, nnue::shape::OUTPUT_ONE);
    for (to, from) in wide.output_bias.iter_mut().zip(output_biases) {
        // Exact up to 2, which is 800 centipawns: a float holds whole numbers of 24 bits, and the division by 2^23 takes
        // none of them. Beyond, what may be lost is the 20,000th part of a centipawn.
        *to = (f64::from(from) / f64::from(nnue::shape::SUM_ONE)) as f32;
    }
    Ok(wide.quantise())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn a_widened_network_says_the_same() {
        let network = FloatNetwork::random(Shape::new(64).unwrap(), 3).quantise();
        let wide = widened(&network, 192).unwrap();
        assert_eq!(wide.shape().hidden(), 192);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2k5/3p4/KP5r/1R3p2/8/4P1P1/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(wide.evaluate_slow(&position), network.evaluate_slow(&position), "{fen}");
        }
        assert!(widened(&wide, 64).is_err() && widened(&network, 65).is_err());
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
