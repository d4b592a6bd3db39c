//! The backend for NVIDIA's GPUs: all examples lie in the GPU's memory, and a step is five calls.
//!
//! `decode` (own kernel) turns examples into rows of zeros and ones; a matrix product (cuBLAS, halves with sums in single
//! precision) gives the units; `tail` (own kernel) takes them through activation, output, loss and back; a second product
//! gives the gradients of the feature weights; `adam` (own kernel) moves everything. Sums always have the same order, so
//! the same recipe gives the same network on the same kind of GPU.

mod buffers;
mod kernels;

use std::sync::Arc;

use cuda::Gpu;

pub use self::buffers::{ExampleBuffer, ExampleBuffers, ExampleBuffersError, MAX_BUFFERS};
use self::kernels::{BatchRoom, CudaKernels, Losses, Selection, Tables, Weights};
use super::{Backend, BackendError, BackendSetup, Batch, DataSets, State};
use crate::example::{EXAMPLE_BYTES, Example};
use crate::inputs::InputTable;
use crate::loss::Loss;
use crate::optimizer::Update;

/// Examples that are turned into bytes at once on their way to the GPU.
const UPLOADED_AT_ONCE: usize = 1 << 20;

/// A GPU as a backend.
pub struct CudaBackend {
    kernels: CudaKernels,
    training: ExampleBuffers,
    validation: ExampleBuffers,
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
    pub fn new(number: usize, setup: &BackendSetup, examples: DataSets) -> Result<Self, BackendError> {
        let gpu = Gpu::open_with_cublas(number)?;
        let upload = |list: &[Example]| -> Result<ExampleBuffers, BackendError> {
            if list.is_empty() {
                return Ok(ExampleBuffers::default());
            }
            let room = gpu.zeros(list.len() * EXAMPLE_BYTES);
            let mut room = room.map_err(|error| format!("{error}; lower data.share"))?;
            for (index, chunk) in list.chunks(UPLOADED_AT_ONCE).enumerate() {
                let bytes: Vec<[u8; EXAMPLE_BYTES]> = chunk.iter().map(Example::bytes).collect();
                gpu.write(&mut room, index * UPLOADED_AT_ONCE * EXAMPLE_BYTES, bytes.as_flattened())?;
            }
            Ok(ExampleBuffers::new(vec![ExampleBuffer::new(Arc::new(room), list.len())])?)
        };
        let (training, validation) = (upload(examples.training)?, upload(examples.validation)?);
        Self::with_buffers(gpu, setup, training, validation)
    }

    /// The backend for examples that lie in a GPU's memory already.
    ///
    /// # Errors
    /// If the GPU cannot hold the network or the batch beside them.
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn with_buffers(
        gpu: Gpu,
        setup: &BackendSetup,
        training: ExampleBuffers,
        validation: ExampleBuffers,
    ) -> Result<Self, BackendError> {
        let BackendSetup { shape, state, rounded, batch, .. } = *setup;
        assert!(state.fits(shape), "the state has the lengths of the shape");
        let kernels = CudaKernels::new(gpu, shape)?;
        let table = InputTable::new(shape);
        Ok(Self {
            training,
            validation,
            tables: kernels.tables(table.features(), table.buckets())?,
            weights: kernels.weights(state, rounded)?,
            room: kernels.batch_room(batch)?,
            losses: kernels.losses()?,
            validation_losses: kernels.losses()?,
            batch,
            kernels,
        })
    }
}

impl Backend for CudaBackend {
    fn describe(&self) -> String {
        self.kernels.name()
    }

    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError> {
        let Self { kernels, training, tables, weights, room, losses, .. } = self;
        let selection = Selection { order: Some(batch.order), first: batch.first, count: batch.count };
        kernels.forward(training, &selection, loss, tables, weights, room)?;
        kernels.tail(batch.count, loss, true, weights, room, losses)?;
        kernels.learn(batch.count, update, weights, room)
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        self.kernels.take_losses(&mut self.losses)
    }

    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError> {
        let Self { kernels, validation, tables, weights, room, validation_losses, .. } = self;
        let end = validation.len() as u32;
        for first in (0..end).step_by(self.batch as usize) {
            let count = self.batch.min(end - first);
            let selection = Selection { order: None, first, count };
            kernels.forward(validation, &selection, loss, tables, weights, room)?;
            kernels.tail(count, loss, false, weights, room, validation_losses)?;
        }
        kernels.take_losses(validation_losses)
    }

    fn state(&mut self) -> Result<State, BackendError> {
        let download = |list| self.kernels.download(list);
        Ok(State {
            weights: download(&self.weights.exact)?,
            first_moments: download(&self.weights.first_moments)?,
            second_moments: download(&self.weights.second_moments)?,
        })
    }
}
