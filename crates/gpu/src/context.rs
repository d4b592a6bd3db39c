//! A device with the memory that stays from one set of games to the next.
#![allow(unsafe_code)]

use chess::Position;
use cuda::Device;
use nnue::Network;
use nnue::shape::Shape;

use crate::abi::{self, Control, DevicePosition, EvaluateLaunch, LookupTables, PerftLaunch, PlayLaunch};
use crate::backend::{self, Backend, Buffer, list_of, upload};
use crate::error::GpuError;
use crate::games::{GameSettings, Games, Outputs};
use crate::player::{DevicePlayer, NetworkPlayer, check_network, widened};

/// A device, ready for games.
pub struct DeviceContext {
    backend: Box<dyn Backend>,
    lookup: Buffer,
    control: Buffer,
    /// Of all warps together.
    memory: Option<Buffer>,
    memory_limit: u64,
}

/// The shape for which code that needs no network is compiled.
const ANY_SHAPE: Shape = match Shape::new(256) {
    Ok(shape) => shape,
    Err(_) => panic!("a network may have 256 hidden units"),
};

/// The deepest perft of a device, which the size of its search stack limits.
pub const MAX_PERFT_DEPTH: u32 = 16;

/// The count of perft.h for a line with more moves than the lists of its plies hold.
pub(crate) const TOO_MANY_MOVES: u64 = u64::MAX;

/// The common shape to which networks are widened on a device: a lane takes four words of two hidden units, and sixteen
/// lanes a perspective.
fn device_shape(networks: &[&Network]) -> Result<Shape, GpuError> {
    const STEP: usize = 2 * 4 * 16;
    networks.iter().try_for_each(|network| check_network(network))?;
    let max = |count: fn(Shape) -> usize| networks.iter().map(|network| count(network.shape())).max();
    let hidden = max(Shape::hidden).unwrap_or(STEP).next_multiple_of(STEP);
    let shape =
        Shape::new(hidden).and_then(|shape| shape.with_king_buckets(max(Shape::king_buckets).unwrap_or(1)));
    shape.map_err(|error| GpuError::Input(error.to_string()))
}

impl DeviceContext {
    /// # Errors
    /// If there is no such GPU, or the program was built without the CPU emulation.
    pub fn open(device: Device) -> Result<DeviceContext, GpuError> {
        DeviceContext::new(backend::open(device, false)?)
    }

    /// Opens a device that will train a network as well: what that needs is loaded at once, not after the games.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if cuBLAS is missing.
    pub fn open_for_training(device: Device) -> Result<DeviceContext, GpuError> {
        DeviceContext::new(backend::open(device, true)?)
    }

    fn new(backend: Box<dyn Backend>) -> Result<DeviceContext, GpuError> {
        let lookup = upload(backend.as_ref(), std::slice::from_ref(&*LookupTables::new()))?;
        let control = backend.zeros(size_of::<Control>())?;
        Ok(DeviceContext { backend, lookup, control, memory: None, memory_limit: u64::MAX })
    }

    /// The device's name, for people.
    pub fn name(&self) -> String {
        self.backend.name()
    }

    /// Free device memory in bytes, or less if it was limited.
    pub fn free_memory(&self) -> u64 {
        self.backend.free_memory().min(self.memory_limit)
    }

    /// Makes [`free_memory`](Self::free_memory) return at most this many bytes.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.memory_limit = bytes;
    }

    /// An upper limit, by which buffers are sized.
    pub fn max_nodes_per_second(&self) -> f64 {
        self.backend.max_nodes_per_second()
    }

    /// Self-play games that run in parallel.
    ///
    /// # Errors
    /// If the device code does not compile.
    pub fn games_at_once(&mut self, network: &Network) -> Result<usize, GpuError> {
        self.backend.warps(device_shape(&[network])?)
    }

    /// Perft tasks that run in parallel.
    ///
    /// # Errors
    /// If the device code does not compile.
    pub fn perft_tasks_at_once(&mut self) -> Result<usize, GpuError> {
        self.backend.warps(ANY_SHAPE)
    }

    /// Zeroed memory for all warps.
    fn prepare(&mut self, shape: Shape) -> Result<u64, GpuError> {
        let bytes = self.backend.layout(shape)?.block_bytes as usize * self.backend.warps(shape)?;
        match &mut self.memory {
            Some(memory) if memory.len() >= bytes => self.backend.clear(memory)?,
            memory => {
                // The old one is freed first: both may not fit.
                *memory = None;
                *memory = Some(self.backend.zeros(bytes)?);
            }
        }
        Ok(self.memory.as_ref().map_or(0, Buffer::address))
    }

    /// Starts games between two players, or self-play.
    ///
    /// # Errors
    /// If there is not enough memory, or the device fails.
    pub fn start(
        &mut self,
        players: [&NetworkPlayer; 2],
        settings: &GameSettings,
        outputs: &Outputs,
    ) -> Result<Games<'_>, GpuError> {
        let shape = device_shape(&players.map(|player| &player.network))?;
        let memory = self.prepare(shape)?;
        self.backend.clear(&mut self.control)?;
        let backend = self.backend.as_mut();
        let first = DevicePlayer::new(backend, players[0], shape)?;
        let second = if players[0] == players[1] {
            None
        } else {
            Some(DevicePlayer::new(backend, players[1], shape)?)
        };
        let players = [Some(&first), second.as_ref()].map(|player| player.unwrap_or(&first));
        let launch = PlayLaunch {
            lookup: self.lookup.address(),
            memory,
            control: self.control.address(),
            networks: players.map(|player| player.network.address()),
            parameters: players.map(|player| player.parameters.address()),
            settings: settings.play_settings(),
            ..PlayLaunch::default()
        };
        Games::new(backend, shape, &mut self.control, launch, outputs, [Some(first), second])
    }

    /// Perft of each position.
    ///
    /// # Errors
    /// If the depth is beyond [`MAX_PERFT_DEPTH`], a position has too many moves for it, or the device fails.
    pub fn perft(&mut self, positions: &[Position], depth: u32) -> Result<Vec<u64>, GpuError> {
        if depth > MAX_PERFT_DEPTH {
            return Err(GpuError::Input(format!(
                "invalid depth {depth}: at most {MAX_PERFT_DEPTH} on a device"
            )));
        }
        let memory = self.prepare(ANY_SHAPE)?;
        let starts: Vec<DevicePosition> = positions.iter().map(DevicePosition::from).collect();
        let tasks = upload(self.backend.as_ref(), &starts)?;
        let next = self.backend.zeros(size_of::<u64>())?;
        let counts = self.backend.zeros(size_of::<u64>() * starts.len())?;
        let launch = PerftLaunch {
            lookup: self.lookup.address(),
            memory,
            next_task: next.address(),
            tasks: tasks.address(),
            counts: counts.address(),
            task_count: starts.len() as u64,
            depth: depth.into(),
        };
        // SAFETY: the buffers are as long as the launch says and live until the counts are read; the depth was checked.
        unsafe { self.backend.perft(ANY_SHAPE, &launch)? };
        let counts: Vec<u64> = list_of(&self.backend.read(&counts, 0..size_of::<u64>() * starts.len())?);
        match counts.iter().position(|&count| count == TOO_MANY_MOVES) {
            Some(index) => Err(GpuError::Input(format!(
                "perft {depth} of '{}': too many moves for a device; use a smaller depth",
                positions[index]
            ))),
            None => Ok(counts),
        }
    }

    /// Static evaluations, in centipawns for the side to move.
    ///
    /// # Errors
    /// If the device fails.
    pub fn evaluate(&mut self, network: &Network, positions: &[Position]) -> Result<Vec<i32>, GpuError> {
        let shape = device_shape(&[network])?;
        let memory = self.prepare(shape)?;
        let starts: Vec<DevicePosition> = positions.iter().map(DevicePosition::from).collect();
        let starts = upload(self.backend.as_ref(), &starts)?;
        let words = upload(self.backend.as_ref(), &abi::network_words(&widened(network, shape)?))?;
        let bytes = size_of::<i32>() * positions.len();
        let values = self.backend.zeros(bytes)?;
        let launch = EvaluateLaunch {
            lookup: self.lookup.address(),
            memory,
            network: words.address(),
            positions: starts.address(),
            values: values.address(),
            count: positions.len() as u64,
        };
        // SAFETY: the buffers are as long as the launch says and live until the values are read.
        unsafe { self.backend.evaluate(shape, &launch)? };
        Ok(list_of(&self.backend.read(&values, 0..bytes)?))
    }
}
