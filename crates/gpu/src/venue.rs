//! Where games are played: a machine with the memory that stays from one set of games to the next.

use chess::Position;
use nnue::Network;

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

/// The width for which code that needs no network is compiled.
pub const SOME_WIDTH: usize = 256;

/// How deep a device counts leaves: within the frames that a search has there.
pub const MOST_PERFT: u32 = 16;

/// The width that a network has on a device: a lane takes four words of two units, and sixteen lanes a perspective.
fn device_width(hidden: usize) -> usize {
    const STEP: usize = 2 * 4 * 16;
    hidden.next_multiple_of(STEP)
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

    /// Games at once, between networks of a width.
    ///
    /// # Errors
    /// If the device code does not compile.
    pub fn games_at_once(&mut self, hidden: usize) -> Result<usize, GpuError> {
        self.machine.warps(device_width(hidden))
    }

    /// Zeroed memory for all warps.
    fn prepare(&mut self, hidden: usize) -> Result<u64, GpuError> {
        let bytes = self.machine.layout(hidden)?.block_bytes as usize * self.machine.warps(hidden)?;
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
        let widest = players.map(|player| player.network.shape().hidden()).into_iter().max().unwrap_or(0);
        let hidden = device_width(widest);
        let memory = self.prepare(hidden)?;
        self.machine.clear(&mut self.control)?;
        let machine = self.machine.as_mut();
        let first = Seat::new(machine, players[0], hidden)?;
        let second =
            if players[0] == players[1] { None } else { Some(Seat::new(machine, players[1], hidden)?) };
        let mut launch = terms.launch();
        launch.tables = self.tables.address();
        launch.memory = memory;
        launch.control = self.control.address();
        let seats = [Some(&first), second.as_ref()].map(|seat| seat.unwrap_or(&first));
        launch.networks = seats.map(|seat| seat.network.address());
        launch.parameters = seats.map(|seat| seat.parameters.address());
        Games::new(machine, hidden, &mut self.control, launch, outputs, [Some(first), second])
    }

    /// The leaves of the trees of legal moves from positions.
    ///
    /// # Errors
    /// If the depth is beyond [`MOST_PERFT`], or the machine fails.
    pub fn perft(&mut self, positions: &[Position], depth: u32) -> Result<Vec<u64>, GpuError> {
        if depth > MOST_PERFT {
            return Err(GpuError::Input(format!("a device counts no deeper than {MOST_PERFT} half moves")));
        }
        let memory = self.prepare(SOME_WIDTH)?;
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
        self.machine.perft(SOME_WIDTH, &launch)?;
        Ok(list_of(&self.machine.read(&counts, 0..size_of::<u64>() * starts.len())?))
    }

    /// What a network says of positions, in centipawns for the side to move.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn evaluate(&mut self, network: &Network, positions: &[Position]) -> Result<Vec<i32>, GpuError> {
        let hidden = device_width(network.shape().hidden());
        let memory = self.prepare(hidden)?;
        let starts: Vec<Start> = positions.iter().map(Start::from).collect();
        let starts = upload(self.machine.as_ref(), &starts)?;
        let words = upload(self.machine.as_ref(), &abi::network_words(&widened(network, hidden)?))?;
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
        self.machine.evaluate(hidden, &launch)?;
        Ok(list_of(&self.machine.read(&values, 0..bytes)?))
    }
}
