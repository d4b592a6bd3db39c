//! The backend for NVIDIA's GPUs: all examples lie in the GPU's memory, and a step is five calls.
//!
//! `decode` (own kernel) turns examples into rows of zeros and ones; a matrix product (cuBLAS, halves with sums in single
//! precision) gives the units; `tail` (own kernel) takes them through activation, output, loss and back; a second product
//! gives the gradients of the feature weights; `adam` (own kernel) moves everything. Sums always have the same order, so
//! the same recipe gives the same network on the same kind of GPU.

mod machine;
mod parts;

use std::sync::Arc;

use cuda::Gpu;

use self::machine::{BatchRoom, Losses, Machine, Selection, Tables, Weights};
pub use self::parts::{MAX_PARTS, Part, Parts, PartsError};
use super::{Backend, BackendError, Batch, Beginning, Sets, State};
use crate::example::{EXAMPLE_BYTES, Example};
use crate::inputs::InputTable;
use crate::loss::Loss;
use crate::optimizer::Update;

/// Examples that are turned into bytes at once on their way to the GPU.
const UPLOADED_AT_ONCE: usize = 1 << 20;

/// A GPU as a backend.
pub struct CudaBackend {
    machine: Machine,
    training: Parts,
    validation: Parts,
    tables: Tables,
    weights: Weights,
    room: BatchRoom,
    losses: Losses,
    validation_losses: Losses,
    batch: u32,
}

impl CudaBackend {
    /// The backend for examples in the host's memory, on the GPU with this number.
    ///
    /// # Errors
    /// If there is no such GPU, a library of CUDA is missing, or the examples do not fit into its memory.
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn new(number: usize, beginning: &Beginning, examples: Sets) -> Result<Self, BackendError> {
        let gpu = Gpu::open_with_products(number)?;
        let upload = |list: &[Example]| -> Result<Parts, BackendError> {
            if list.is_empty() {
                return Ok(Parts::default());
            }
            let room = gpu.zeros(list.len() * EXAMPLE_BYTES);
            let mut room = room.map_err(|fault| format!("{fault}; lower data.share"))?;
            for (index, chunk) in list.chunks(UPLOADED_AT_ONCE).enumerate() {
                let bytes: Vec<[u8; EXAMPLE_BYTES]> = chunk.iter().map(Example::bytes).collect();
                gpu.write(&mut room, index * UPLOADED_AT_ONCE * EXAMPLE_BYTES, bytes.as_flattened())?;
            }
            Ok(Parts::new(vec![Part::new(Arc::new(room), list.len())])?)
        };
        let (training, validation) = (upload(examples.training)?, upload(examples.validation)?);
        Self::over(gpu, beginning, training, validation)
    }

    /// The backend for examples that lie in a GPU's memory already.
    ///
    /// # Errors
    /// If the GPU cannot hold the network or the batch beside them.
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn over(
        gpu: Gpu,
        beginning: &Beginning,
        training: Parts,
        validation: Parts,
    ) -> Result<Self, BackendError> {
        let Beginning { shape, state, rounded, batch, .. } = *beginning;
        assert!(state.fits(shape), "the state has the lengths of the shape");
        let machine = Machine::new(gpu, shape)?;
        let table = InputTable::new(shape);
        Ok(Self {
            training,
            validation,
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
        let end = validation.len() as u32;
        for first in (0..end).step_by(self.batch as usize) {
            let count = self.batch.min(end - first);
            let selection = Selection { order: None, first, count };
            machine.forward(validation, &selection, loss, tables, weights, room)?;
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
