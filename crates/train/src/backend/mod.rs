//! Backends: they take training steps over a set of examples.

pub mod cpu;
pub mod cuda;

use std::error::Error;

use ::cuda::Device;

use nnue::shape::Shape;

use self::cpu::CpuTrainingBackend;
use self::cuda::CudaTrainingBackend;
use crate::example::Example;
use crate::parameters;

pub use crate::inputs::InputTable;
pub use crate::loss::Loss;
pub use crate::optimizer::{Optimizer, Update};
pub use crate::shuffle::Shuffle;

/// The CPU backend never fails.
pub type BackendError = Box<dyn Error + Send + Sync>;

/// Which examples a step uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batch {
    /// Of the epoch.
    pub order: Shuffle,
    /// First index in that order.
    pub first: u32,
    pub count: u32,
}

/// Weights and optimizer state, in the order of [`parameters`].
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub weights: Vec<f32>,
    pub first_moments: Vec<f32>,
    pub second_moments: Vec<f32>,
}

impl State {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Self { weights, first_moments: zeros.clone(), second_moments: zeros }
    }

    pub fn fits(&self, shape: Shape) -> bool {
        let lists = [&self.weights, &self.first_moments, &self.second_moments];
        lists.iter().all(|list| list.len() == parameters::count(shape))
    }
}

/// The initial state of a backend.
#[derive(Clone, Copy, Debug)]
pub struct BackendSetup<'a> {
    pub shape: Shape,
    pub state: &'a State,
    /// Whether the forward pass uses quantised weights from the first step.
    pub rounded: bool,
    /// Maximum batch size.
    pub batch: u32,
    pub threads: usize,
}

pub trait TrainingBackend {
    /// For people.
    fn describe(&self) -> String;

    /// Takes a training step.
    ///
    /// # Errors
    /// If the device fails.
    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError>;

    /// The sum of the losses of all steps since the last call.
    ///
    /// # Errors
    /// If the device fails.
    fn take_loss(&mut self) -> Result<f64, BackendError>;

    /// The sum of the losses over the validation set.
    ///
    /// # Errors
    /// If the device fails.
    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError>;

    ///
    /// # Errors
    /// If the device fails.
    fn state(&mut self) -> Result<State, BackendError>;
}

#[derive(Clone, Copy, Debug)]
pub struct DataSets<'a> {
    pub training: &'a [Example],
    pub validation: &'a [Example],
}

/// Opens the backend of a device.
///
/// # Errors
/// If there is no such device, or it cannot be used.
pub fn open<'a>(
    device: Device,
    setup: &BackendSetup,
    examples: DataSets<'a>,
) -> Result<Box<dyn TrainingBackend + 'a>, BackendError> {
    Ok(match device {
        Device::Cpu => Box::new(CpuTrainingBackend::new(setup, examples)),
        Device::Cuda(number) => Box::new(CudaTrainingBackend::new(number, setup, examples)?),
    })
}
