//! The backend for NVIDIA's GPUs: all examples lie in the GPU's memory, and a step is five calls.
//!
//! `decode` (own kernel) turns examples into rows of zeros and ones; a matrix product (cuBLAS, halves with sums in single
//! precision) gives the units; `tail` (own kernel) takes them through activation, output, loss and back; a second product
//! gives the gradients of the feature weights; `adam` (own kernel) moves everything. Sums always have the same order, so
//! the same recipe gives the same network on the same kind of GPU.

mod libraries;
mod machine;

use cudarc::driver::CudaSlice;

use self::machine::{BatchRoom, Losses, Machine, Selection, Tables, Weights};
use super::{Backend, BackendError, Batch, Beginning, Sets, State};
use crate::example::Example;
use crate::inputs::InputTable;
use crate::loss::Loss;
use crate::optimizer::Update;

/// Whether there is a GPU with all that is needed to use it.
pub fn is_present() -> bool {
    libraries::load().is_ok() && Machine::count() > 0
}

/// A GPU as a backend.
pub struct CudaBackend {
    machine: Machine,
    training: CudaSlice<Example>,
    validation: Option<CudaSlice<Example>>,
    tables: Tables,
    weights: Weights,
    room: BatchRoom,
    losses: Losses,
    validation_losses: Losses,
    batch: u32,
}

impl CudaBackend {
    /// The backend for these examples on the GPU with this number.
    ///
    /// # Errors
    /// If there is no such GPU, a library of CUDA is missing, or the examples do not fit into its memory.
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn new(number: usize, beginning: &Beginning, examples: Sets) -> Result<Self, BackendError> {
        let Beginning { shape, state, rounded, batch, .. } = *beginning;
        assert!(state.fits(shape), "the state has the lengths of the shape");
        let machine = Machine::open(number, shape)?;
        let table = InputTable::new();
        Ok(Self {
            training: machine.upload(examples.training)?,
            validation: match examples.validation {
                [] => None,
                some => Some(machine.upload(some)?),
            },
            tables: machine.tables(table.features(), table.buckets())?,
            weights: machine.weights(state, rounded)?,
            room: machine.batch_room(batch)?,
            losses: machine.losses()?,
            validation_losses: machine.losses()?,
            batch,
            machine,
        })
    }
}

impl Backend for CudaBackend {
    fn describe(&self) -> String {
        self.machine.name()
    }

    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError> {
        let Self { machine, training, tables, weights, room, losses, .. } = self;
        let selection = Selection { order: Some(batch.order), first: batch.first, count: batch.count };
        machine.forward(training, &selection, loss, tables, weights, room)?;
        machine.tail(batch.count, loss, true, weights, room, losses)?;
        machine.learn(batch.count, update, weights, room)
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        self.machine.take_losses(&mut self.losses)
    }

    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError> {
        let Self { machine, validation, tables, weights, room, validation_losses, .. } = self;
        let Some(examples) = validation else { return Ok(0.0) };
        let end = examples.len() as u32;
        for first in (0..end).step_by(self.batch as usize) {
            let count = self.batch.min(end - first);
            let selection = Selection { order: None, first, count };
            machine.forward(examples, &selection, loss, tables, weights, room)?;
            machine.tail(count, loss, false, weights, room, validation_losses)?;
        }
        machine.take_losses(validation_losses)
    }

    fn state(&mut self) -> Result<State, BackendError> {
        let download = |list| self.machine.download(list);
        Ok(State {
            weights: download(&self.weights.exact)?,
            first_moments: download(&self.weights.first_moments)?,
            second_moments: download(&self.weights.second_moments)?,
        })
    }
}
