//! The backend for NVIDIA GPUs: all examples are in GPU memory, and a step is a few calls.
//!
//! `decode` expands examples to one-hot rows; a matrix product (cuBLAS, half precision with single-precision accumulation)
//! gives the hidden units. With a single output layer, `tail` computes activation, output, loss and the backward pass to
//! the units. With a layered head, `pair` multiplies units; a product gives the sums of the first layer for all output
//! buckets; `head` selects the bucket and computes the rest forward and backward; two products give the gradients of the
//! first layer's weights and of its inputs; `unpair` leads back to the units. A last product gives the gradients of the
//! feature weights; `adam` updates all parameters. Sums have a fixed order, so the same recipe gives the same network on
//! the same model of GPU.

mod buffers;
mod kernels;

use std::sync::Arc;

use cuda::Gpu;

pub use self::buffers::{ExampleBuffer, ExampleBuffers, ExampleBuffersError, MAX_BUFFERS};
use self::kernels::{BatchBuffers, CudaKernels, Losses, Selection, Tables, Weights};
use super::{BackendError, BackendSetup, Batch, DataSets, State, TrainingBackend};
use crate::example::{EXAMPLE_BYTES, Example};
use crate::inputs::InputTable;
use crate::loss::Loss;
use crate::optimizer::Update;

/// Examples per upload.
const UPLOAD_CHUNK: usize = 1 << 20;

pub struct CudaTrainingBackend {
    kernels: CudaKernels,
    training: ExampleBuffers,
    validation: ExampleBuffers,
    tables: Tables,
    weights: Weights,
    batch_buffers: BatchBuffers,
    losses: Losses,
    validation_losses: Losses,
    batch: u32,
}

impl CudaTrainingBackend {
    /// Uploads examples from host memory to the GPU with this number.
    ///
    /// # Errors
    /// If there is no such GPU, a CUDA library is missing, or the examples do not fit into its memory.
    ///
    /// # Panics
    /// If the state does not fit the shape.
    pub fn new(number: usize, setup: &BackendSetup, examples: DataSets) -> Result<Self, BackendError> {
        let gpu = Gpu::open_with_cublas(number)?;
        let upload = |list: &[Example]| -> Result<ExampleBuffers, BackendError> {
            if list.is_empty() {
                return Ok(ExampleBuffers::default());
            }
            let buffer = gpu.zeros(list.len() * EXAMPLE_BYTES);
            let mut buffer = buffer.map_err(|error| format!("{error}; lower data.share"))?;
            for (index, chunk) in list.chunks(UPLOAD_CHUNK).enumerate() {
                let bytes: Vec<[u8; EXAMPLE_BYTES]> = chunk.iter().map(Example::bytes).collect();
                gpu.write(&mut buffer, index * UPLOAD_CHUNK * EXAMPLE_BYTES, bytes.as_flattened())?;
            }
            Ok(ExampleBuffers::new(vec![ExampleBuffer::new(Arc::new(buffer), list.len())])?)
        };
        let (training, validation) = (upload(examples.training)?, upload(examples.validation)?);
        Self::with_buffers(gpu, setup, training, validation)
    }

    /// Uses examples in GPU memory.
    ///
    /// # Errors
    /// If the network or the batch does not fit into GPU memory.
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
            batch_buffers: kernels.batch_buffers(batch)?,
            losses: kernels.losses()?,
            validation_losses: kernels.losses()?,
            batch,
            kernels,
        })
    }
}

impl TrainingBackend for CudaTrainingBackend {
    fn describe(&self) -> String {
        self.kernels.name()
    }

    fn step(&mut self, batch: &Batch, loss: &Loss, update: &Update) -> Result<(), BackendError> {
        let Self { kernels, training, tables, weights, batch_buffers, losses, .. } = self;
        let selection = Selection { order: Some(batch.order), first: batch.first, count: batch.count };
        kernels.forward(training, &selection, loss, tables, weights, batch_buffers)?;
        kernels.grade(batch.count, loss, true, weights, batch_buffers, losses)?;
        kernels.update(batch.count, update, weights, batch_buffers)
    }

    fn take_loss(&mut self) -> Result<f64, BackendError> {
        self.kernels.take_losses(&mut self.losses)
    }

    fn validation_loss(&mut self, loss: &Loss) -> Result<f64, BackendError> {
        let Self { kernels, validation, tables, weights, batch_buffers, validation_losses, .. } = self;
        let end = validation.len() as u32;
        for first in (0..end).step_by(self.batch as usize) {
            let count = self.batch.min(end - first);
            let selection = Selection { order: None, first, count };
            kernels.forward(validation, &selection, loss, tables, weights, batch_buffers)?;
            kernels.grade(count, loss, false, weights, batch_buffers, validation_losses)?;
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
