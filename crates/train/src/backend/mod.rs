//! Who does the arithmetic: a backend takes steps over a set of examples, and can be asked for what it has learned.

pub mod cpu;
pub mod cuda;

use std::error::Error;

use ::cuda::Device;

use nnue::shape::Shape;

use self::cpu::CpuBackend;
use self::cuda::CudaBackend;
use crate::example::Example;
use crate::loss::Loss;
use crate::optimizer::Update;
use crate::parameters;
use crate::shuffle::Shuffle;

/// Whatever goes wrong in a backend; the CPU's never fails.
pub type BackendError = Box<dyn Error + Send + Sync>;

/// Which of its examples a backend looks at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batch {
    /// The epoch's order.
    pub order: Shuffle,
    /// The first place in that order.
    pub first: u32,
    /// How many places.
    pub count: u32,
}

/// All that is learned and needed to learn on, in the order of [`parameters`].
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The network's parameters.
    pub weights: Vec<f32>,
    /// Mean gradients.
    pub first_moments: Vec<f32>,
    /// Mean squared gradients.
    pub second_moments: Vec<f32>,
}

impl State {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Self { weights, first_moments: zeros.clone(), second_moments: zeros }
    }

    /// Whether the lists have the lengths of a shape.
    pub fn fits(&self, shape: Shape) -> bool {
        let lists = [&self.weights, &self.first_moments, &self.second_moments];
        lists.iter().all(|list| list.len() == parameters::count(shape))
    }
}

/// What a backend begins with.
#[derive(Clone, Copy, Debug)]
pub struct BackendSetup<'a> {
    /// The network's shape.
    pub shape: Shape,
    /// What has been learned.
    pub state: &'a State,
    /// Whether the network computes with rounded weights from the first step.
    pub rounded: bool,
    /// The most positions of a step.
    pub batch: u32,
    /// Threads to work with.
    pub threads: usize,
}

/// Takes steps.
pub trait Backend {
    /// What does the arithmetic, for people.
    fn describe(&self) -> String;

    /// Learns from a batch of the training examples.
    ///
    /// # Errors
    /// If the device fails.
    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError>;

    /// The sum of the losses in all steps since this was last asked.
    ///
    /// # Errors
    /// If the device fails.
    fn take_loss(&mut self) -> Result<f64, BackendError>;

    /// The sum of the losses over the examples kept validation, without learning from them.
    ///
    /// # Errors
    /// If the device fails.
    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError>;

    /// What has been learned.
    ///
    /// # Errors
    /// If the device fails.
    fn state(&mut self) -> Result<State, BackendError>;
}

/// The examples that a backend works on.
#[derive(Clone, Copy, Debug)]
pub struct DataSets<'a> {
    /// What is learned from.
    pub training: &'a [Example],
    /// What is kept validation to judge by.
    pub validation: &'a [Example],
}

/// The backend of a device.
///
/// # Errors
/// If there is no such device, or it cannot be used.
pub fn open<'a>(
    device: Device,
    setup: &BackendSetup,
    examples: DataSets<'a>,
) -> Result<Box<dyn Backend + 'a>, BackendError> {
    Ok(match device {
        Device::Cpu => Box::new(CpuBackend::new(setup, examples)),
        Device::Cuda(number) => Box::new(CudaBackend::new(number, setup, examples)?),
    })
}
