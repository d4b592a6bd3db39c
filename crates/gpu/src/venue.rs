//! Where games are played: a machine with the memory that stays from one set of games to the next.

use chess::Position;
use nnue::Network;
use nnue::shape::Shape;

use crate::abi::{self, Control, EvaluateLaunch, PerftLaunch, Start, Tables};
use crate::error::GpuError;
use crate::games::{Games, Outputs, Terms};
use crate::machine::{Buffer, Machine, list_of, upload};
use crate::player::{Player, Seat, widened};

/// A machine, ready for games.
pub struct Venue {
    machine: Box<dyn Machine>,
    tables: Buffer,
    control: Buffer,
    /// Of all warps together.
    memory: Option<Buffer>,
}

/// The shape for which code that needs no network is compiled.
const SOME_SHAPE: Shape = match Shape::new(256) {
    Ok(shape) => shape,
    Err(_) => panic!("a network may have 256 hidden units"),
};

/// How deep a device counts leaves: within the frames that a search has there.
pub const MOST_PERFT: u32 = 16;

/// The shape that networks have on a device if all of them are to fit: a lane takes four words of two units, and sixteen lanes
/// a perspective.
fn device_shape(networks: &[&Network]) -> Result<Shape, GpuError> {
    const STEP: usize = 2 * 4 * 16;
    let most = |count: fn(Shape) -> usize| networks.iter().map(|network| count(network.shape())).max();
    let hidden = most(Shape::hidden).unwrap_or(STEP).next_multiple_of(STEP);
    let shape =
        Shape::new(hidden).and_then(|shape| shape.with_king_buckets(most(Shape::king_buckets).unwrap_or(1)));
    shape.map_err(|error| GpuError::Input(error.to_string()))
}

impl Venue {
    /// Makes a machine ready.
    ///
    /// # Errors
    /// If it has not enough memory, or fails.
    pub fn new(machine: Box<dyn Machine>) -> Result<Venue, GpuError> {
        let tables = upload(machine.as_ref(), std::slice::from_ref(&*Tables::new()))?;
        let control = machine.zeros(size_of::<Control>())?;
        Ok(Venue { machine, tables, control, memory: None })
    }

    /// The machine.
    pub fn machine(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    /// Games at once, of a network with itself.
    ///
    /// # Errors
    /// If the device code does not compile.
    pub fn games_at_once(&mut self, network: &Network) -> Result<usize, GpuError> {
        self.machine.warps(device_shape(&[network])?)
    }

    /// Trees whose leaves are counted at once.
    ///
    /// # Errors
    /// If the device code does not compile.
    pub fn trees_at_once(&mut self) -> Result<usize, GpuError> {
        self.machine.warps(SOME_SHAPE)
    }

    /// Zeroed memory for all warps.
    fn prepare(&mut self, shape: Shape) -> Result<u64, GpuError> {
        let bytes = self.machine.layout(shape)?.block_bytes as usize * self.machine.warps(shape)?;
        match &mut self.memory {
            Some(memory) if memory.len() >= bytes => self.machine.clear(memory)?,
            memory => {
                // The old one goes first, for both may not fit.
                *memory = None;
                *memory = Some(self.machine.zeros(bytes)?);
            }
        }
        Ok(self.memory.as_ref().map_or(0, Buffer::address))
    }

    /// Begins games between two players, or of one against itself.
    ///
    /// # Errors
    /// If there is not enough memory, or the machine fails.
    pub fn begin(
        &mut self,
        players: [&Player; 2],
        terms: &Terms,
        outputs: &Outputs,
    ) -> Result<Games<'_>, GpuError> {
        let shape = device_shape(&players.map(|player| &player.network))?;
        let memory = self.prepare(shape)?;
        self.machine.clear(&mut self.control)?;
        let machine = self.machine.as_mut();
        let first = Seat::new(machine, players[0], shape)?;
        let second =
            if players[0] == players[1] { None } else { Some(Seat::new(machine, players[1], shape)?) };
        let mut launch = terms.launch();
        launch.tables = self.tables.address();
        launch.memory = memory;
        launch.control = self.control.address();
        let seats = [Some(&first), second.as_ref()].map(|seat| seat.unwrap_or(&first));
        launch.networks = seats.map(|seat| seat.network.address());
        launch.parameters = seats.map(|seat| seat.parameters.address());
        Games::new(machine, shape, &mut self.control, launch, outputs, [Some(first), second])
    }

    /// The leaves of the trees of legal moves from positions.
    ///
    /// # Errors
    /// If the depth is beyond [`MOST_PERFT`], or the machine fails.
    pub fn perft(&mut self, positions: &[Position], depth: u32) -> Result<Vec<u64>, GpuError> {
        if depth > MOST_PERFT {
            return Err(GpuError::Input(format!("a device counts no deeper than {MOST_PERFT} half moves")));
        }
        let memory = self.prepare(SOME_SHAPE)?;
        let starts: Vec<Start> = positions.iter().map(Start::from).collect();
        let tasks = upload(self.machine.as_ref(), &starts)?;
        let next = self.machine.zeros(size_of::<u64>())?;
        let counts = self.machine.zeros(size_of::<u64>() * starts.len())?;
        let launch = PerftLaunch {
            tables: self.tables.address(),
            memory,
            next_task: next.address(),
            tasks: tasks.address(),
            counts: counts.address(),
            task_count: starts.len() as u64,
            depth: depth.into(),
        };
        self.machine.perft(SOME_SHAPE, &launch)?;
        Ok(list_of(&self.machine.read(&counts, 0..size_of::<u64>() * starts.len())?))
    }

    /// What a network says of positions, in centipawns for the side to move.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn evaluate(&mut self, network: &Network, positions: &[Position]) -> Result<Vec<i32>, GpuError> {
        let shape = device_shape(&[network])?;
        let memory = self.prepare(shape)?;
        let starts: Vec<Start> = positions.iter().map(Start::from).collect();
        let starts = upload(self.machine.as_ref(), &starts)?;
        let words = upload(self.machine.as_ref(), &abi::network_words(&widened(network, shape)?))?;
        let bytes = size_of::<i32>() * positions.len();
        let values = self.machine.zeros(bytes)?;
        let launch = EvaluateLaunch {
            tables: self.tables.address(),
            memory,
            network: words.address(),
            positions: starts.address(),
            values: values.address(),
            count: positions.len() as u64,
        };
        self.machine.evaluate(shape, &launch)?;
        Ok(list_of(&self.machine.read(&values, 0..bytes)?))
    }
}
