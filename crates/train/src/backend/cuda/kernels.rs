//! The training kernels and matrix products on a GPU. All unsafe calls of the backend are here; lengths are checked before
//! each.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::Arc;

use cuda::{CudaError, Gpu, Program};
use cudarc::cublas::{self, CudaBlas};
use cudarc::driver::sys::CUfunction_attribute;
use cudarc::driver::{
    CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig,
    PushKernelArg,
};
use nnue::shape::{OUTPUT_BUCKETS, Shape};

use super::buffers::{ExampleBuffers, MAX_BUFFERS};
use crate::backend::BackendError;
use crate::inputs::PERSPECTIVES;
use crate::loss::Loss;
use crate::optimizer::{EPSILON, Update};
use crate::parameters;
use crate::shuffle::{ROUNDS, Shuffle};

/// Inputs of a row: all features, a constant one for the biases, and padding to the 16 bytes that tensor cores read at once.
fn inputs(shape: Shape) -> usize {
    (shape.features() + 1).next_multiple_of(8)
}

/// Positions per tile of `tail`.
const TILE: u32 = 32;

/// Threads per block, as in kernels.cu.
const DECODE_WARPS: u32 = 8;
const DECODE_THREADS: u32 = 32 * DECODE_WARPS;
const TAIL_THREADS: u32 = 512;
const ADAM_THREADS: u32 = 256;

/// Loss scale of the units' half-precision gradients, so that small ones do not vanish. Large ones have headroom: none is
/// above 2 by far.
const SLOPE_SCALE: f32 = 1024.0;

/// `ExampleBuffers` of kernels.cu.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceBuffers {
    first: [u64; MAX_BUFFERS],
    end: [u32; MAX_BUFFERS],
}

/// `Order` of kernels.cu.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceOrder {
    length: u32,
    half_bits: u32,
    shuffled: u32,
    keys: [u32; ROUNDS],
}

/// `Loss` of kernels.cu.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceLoss {
    scale: f32,
    steepness: f32,
    power: f32,
    wdl_weight: f32,
}

/// `Update` of kernels.cu.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceUpdate {
    beta1: f32,
    beta2: f32,
    rate: f32,
    root_scale: f32,
    keep: f32,
    epsilon: f32,
    quantise: u32,
    group_end: [u32; 4],
    limit: [f32; 4],
    one: [f32; 4],
}

// SAFETY: integers and floats without padding, laid out as in kernels.cu; the addresses are used only while the buffers are
// borrowed.
unsafe impl DeviceRepr for DeviceBuffers {}
// SAFETY: as above.
unsafe impl DeviceRepr for DeviceOrder {}
// SAFETY: as above.
unsafe impl DeviceRepr for DeviceLoss {}
// SAFETY: as above.
unsafe impl DeviceRepr for DeviceUpdate {}

impl From<&Loss> for DeviceLoss {
    fn from(loss: &Loss) -> Self {
        let Loss { scale, power, wdl_weight } = *loss;
        Self { scale, steepness: loss.steepness(), power, wdl_weight }
    }
}

/// The kernels, compiled for one shape.
pub struct CudaKernels {
    gpu: Gpu,
    stream: Arc<CudaStream>,
    blas: CudaBlas,
    decode: CudaFunction,
    tail: CudaFunction,
    adopt: CudaFunction,
    adam: CudaFunction,
    shape: Shape,
    tail_blocks: u32,
}

/// Which positions are decoded.
#[derive(Clone, Copy)]
pub struct Selection {
    /// `None` for storage order.
    pub order: Option<Shuffle>,
    /// First index in it.
    pub first: u32,
    pub count: u32,
}

/// Intermediate results of a batch.
pub struct BatchBuffers {
    inputs: CudaSlice<u16>,
    targets: CudaSlice<f32>,
    buckets: CudaSlice<u8>,
    units: CudaSlice<f32>,
    unit_slopes: CudaSlice<u16>,
    row_gradients: CudaSlice<f32>,
    output_gradients: CudaSlice<f32>,
    capacity: u32,
}

pub struct Weights {
    /// In single precision.
    pub exact: CudaSlice<f32>,
    pub first_moments: CudaSlice<f32>,
    pub second_moments: CudaSlice<f32>,
    /// Feature weights and biases of the forward pass.
    rows: CudaSlice<u16>,
    /// Output weights and biases of the forward pass.
    outputs: CudaSlice<f32>,
}

pub struct Tables {
    features: CudaSlice<u16>,
    buckets: CudaSlice<u8>,
}

/// Sums of losses, one per block of `tail`.
pub struct Losses(CudaSlice<f64>);

fn failed<E: std::fmt::Display>(context: &'static str) -> impl Fn(E) -> CudaError {
    move |error| CudaError::call(context, &error)
}

fn ceil_div(count: u32, size: u32) -> u32 {
    count.div_ceil(size).max(1)
}

impl CudaKernels {
    ///
    /// # Errors
    /// If the GPU does not support a network of this shape.
    pub fn new(gpu: Gpu, shape: Shape) -> Result<Self, BackendError> {
        let stream = gpu.stream().clone();
        let module = compile(&gpu, shape)?;
        let find = |name| module.load_function(name).map_err(failed("loading kernels"));
        let tail = find("tail")?;
        let sums = sums_bytes(shape);
        let available = i64::from(gpu.shared_memory()?)
            - i64::from(tail.shared_size_bytes().map_err(failed("requesting shared memory"))?);
        if available < i64::from(sums) {
            return Err(format!("{} hidden units need a GPU with more shared memory", shape.hidden()).into());
        }
        let dynamic = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        tail.set_attribute(dynamic, sums as i32).map_err(failed("requesting shared memory"))?;
        let blocks = tail.occupancy_max_active_blocks_per_multiprocessor(TAIL_THREADS, sums as usize, None);
        let blocks = blocks.map_err(failed("querying occupancy"))?;
        Ok(Self {
            blas: CudaBlas::new(stream.clone()).map_err(failed("opening cuBLAS"))?,
            decode: find("decode")?,
            adopt: find("adopt")?,
            adam: find("adam")?,
            tail,
            shape,
            tail_blocks: gpu.multiprocessors()?.max(1) * blocks.clamp(1, 2),
            gpu,
            stream,
        })
    }

    pub fn name(&self) -> String {
        self.gpu.name()
    }

    pub fn upload<T: DeviceRepr>(&self, list: &[T]) -> Result<CudaSlice<T>, BackendError> {
        Ok(self.gpu.upload(list)?)
    }

    pub fn download(&self, list: &CudaSlice<f32>) -> Result<Vec<f32>, BackendError> {
        Ok(self.gpu.download(list)?)
    }

    /// For batches of up to this many positions.
    pub fn batch_buffers(&self, capacity: u32) -> Result<BatchBuffers, BackendError> {
        let rows = capacity as usize * PERSPECTIVES;
        let (hidden, inputs) = (self.shape.hidden(), inputs(self.shape));
        let gpu = &self.gpu;
        Ok(BatchBuffers {
            inputs: gpu.zeros(rows * inputs)?,
            targets: gpu.zeros(capacity as usize)?,
            buckets: gpu.zeros(capacity as usize)?,
            units: gpu.zeros(rows * hidden)?,
            unit_slopes: gpu.zeros(rows * hidden)?,
            row_gradients: gpu.zeros(inputs * hidden)?,
            output_gradients: gpu.zeros(self.tail_blocks as usize * self.output_parameters())?,
            capacity,
        })
    }

    /// Uploads parameters; the forward pass uses them quantised or not.
    pub fn weights(&self, state: &crate::backend::State, rounded: bool) -> Result<Weights, BackendError> {
        let mut weights = Weights {
            exact: self.upload(&state.weights)?,
            first_moments: self.upload(&state.first_moments)?,
            second_moments: self.upload(&state.second_moments)?,
            rows: self.gpu.zeros(inputs(self.shape) * self.shape.hidden())?,
            outputs: self.gpu.zeros(self.output_parameters())?,
        };
        let nothing =
            Update { beta1: 0.0, beta2: 0.0, rate: 0.0, root_scale: 1.0, keep: 1.0, quantise: rounded };
        let (update, count) = (self.device_update(&nothing), weights.exact.len() as u32);
        let mut launch = self.stream.launch_builder(&self.adopt);
        launch.arg(&update).arg(&count).arg(&weights.exact).arg(&mut weights.rows).arg(&mut weights.outputs);
        // SAFETY: the arguments are those of `adopt`; every index below the count lies in all lists.
        unsafe { launch.launch(config(ceil_div(count, ADAM_THREADS), ADAM_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(weights)
    }

    pub fn tables(&self, features: &[u16], buckets: &[u8]) -> Result<Tables, BackendError> {
        Ok(Tables { features: self.upload(features)?, buckets: self.upload(buckets)? })
    }

    pub fn losses(&self) -> Result<Losses, BackendError> {
        Ok(Losses(self.gpu.zeros(self.tail_blocks as usize)?))
    }

    /// The sum of all losses, which is reset.
    pub fn take_losses(&self, losses: &mut Losses) -> Result<f64, BackendError> {
        let sum = self.gpu.download(&losses.0)?.iter().sum();
        self.stream.memset_zeros(&mut losses.0).map_err(failed("clearing memory"))?;
        Ok(sum)
    }

    /// From examples to hidden units and targets.
    pub fn forward(
        &self,
        examples: &ExampleBuffers,
        selection: &Selection,
        loss: &Loss,
        tables: &Tables,
        weights: &Weights,
        batch_buffers: &mut BatchBuffers,
    ) -> Result<(), BackendError> {
        let Selection { order, first, count } = *selection;
        let end = first as usize + count as usize;
        assert!(
            count <= batch_buffers.capacity && end <= examples.len(),
            "the batch fits and is within the examples"
        );
        let order = DeviceOrder {
            length: examples.len() as u32,
            half_bits: order.map_or(1, |order| order.half_bits()),
            shuffled: order.is_some().into(),
            keys: order.map_or([0; ROUNDS], |order| order.keys()),
        };
        let loss = DeviceLoss::from(loss);
        let buffers = DeviceBuffers { first: examples.addresses(&self.stream), end: examples.ends() };
        let mut launch = self.stream.launch_builder(&self.decode);
        launch.arg(&buffers).arg(&order).arg(&first).arg(&count).arg(&tables.features).arg(&tables.buckets);
        launch
            .arg(&loss)
            .arg(&mut batch_buffers.inputs)
            .arg(&mut batch_buffers.targets)
            .arg(&mut batch_buffers.buckets);
        // SAFETY: the arguments are those of `decode`; indices stay below the number of examples, the buffers hold that
        // many and outlive the call on the one stream, the batch fits, and the tables have an entry for every example.
        unsafe { launch.launch(config(ceil_div(count, DECODE_WARPS), DECODE_THREADS, 0)) }
            .map_err(failed("training"))?;

        // In cuBLAS's column-major order: units = rows x inputs.
        let (hidden, inputs) = (self.shape.hidden(), inputs(self.shape));
        let positions = count as usize * PERSPECTIVES;
        let product = Product {
            sizes: [hidden, positions, inputs],
            left: Matrix { list: &weights.rows, height: hidden },
            right: Matrix { list: &batch_buffers.inputs, height: inputs },
            right_transposed: false,
            factor: 1.0,
        };
        self.multiply(&product, &mut batch_buffers.units)
    }

    /// From hidden units to losses, and with `backward` to gradients.
    pub fn tail(
        &self,
        count: u32,
        loss: &Loss,
        backward: bool,
        weights: &Weights,
        batch_buffers: &mut BatchBuffers,
        losses: &mut Losses,
    ) -> Result<(), BackendError> {
        assert!(count <= batch_buffers.capacity, "the batch fits");
        let loss = DeviceLoss::from(loss);
        let backward = u32::from(backward);
        let mut launch = self.stream.launch_builder(&self.tail);
        launch
            .arg(&batch_buffers.units)
            .arg(&weights.outputs)
            .arg(&batch_buffers.targets)
            .arg(&batch_buffers.buckets)
            .arg(&count)
            .arg(&loss);
        launch
            .arg(&backward)
            .arg(&SLOPE_SCALE)
            .arg(&mut batch_buffers.unit_slopes)
            .arg(&mut batch_buffers.output_gradients);
        launch.arg(&mut losses.0);
        // SAFETY: the arguments are those of `tail`; the batch fits, and gradients and losses have a
        // part for each of the blocks.
        unsafe { launch.launch(config(self.tail_blocks, TAIL_THREADS, sums_bytes(self.shape))) }
            .map_err(failed("training"))?;
        Ok(())
    }

    /// From the units' gradients to those of the feature weights, and to updated parameters.
    pub fn update(
        &self,
        count: u32,
        update: &Update,
        weights: &mut Weights,
        batch_buffers: &mut BatchBuffers,
    ) -> Result<(), BackendError> {
        assert!(count <= batch_buffers.capacity, "the batch fits");
        let (hidden, inputs) = (self.shape.hidden(), inputs(self.shape));
        let positions = count as usize * PERSPECTIVES;
        // Column-major: row gradients = slopes x transposed inputs.
        let product = Product {
            sizes: [hidden, inputs, positions],
            left: Matrix { list: &batch_buffers.unit_slopes, height: hidden },
            right: Matrix { list: &batch_buffers.inputs, height: inputs },
            right_transposed: true,
            factor: 1.0 / SLOPE_SCALE,
        };
        self.multiply(&product, &mut batch_buffers.row_gradients)?;

        let update = self.device_update(update);
        let (parameters, parts) = (weights.exact.len() as u32, self.tail_blocks);
        let mut launch = self.stream.launch_builder(&self.adam);
        launch.arg(&update).arg(&parameters).arg(&mut weights.exact);
        launch.arg(&mut weights.first_moments).arg(&mut weights.second_moments);
        launch.arg(&batch_buffers.row_gradients).arg(&batch_buffers.output_gradients).arg(&parts);
        launch.arg(&mut weights.rows).arg(&mut weights.outputs);
        // SAFETY: the arguments are those of `adam`; every index below the count lies in all lists, and the output
        // gradients have that many parts.
        unsafe { launch.launch(config(ceil_div(parameters, ADAM_THREADS), ADAM_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(())
    }

    fn output_parameters(&self) -> usize {
        self.shape.output_weights() + OUTPUT_BUCKETS
    }

    fn device_update(&self, update: &Update) -> DeviceUpdate {
        let Update { beta1, beta2, rate, root_scale, keep, quantise } = *update;
        let groups = parameters::groups(self.shape);
        DeviceUpdate {
            beta1,
            beta2,
            rate,
            root_scale,
            keep,
            epsilon: EPSILON,
            quantise: quantise.into(),
            group_end: groups.each_ref().map(|group| group.range.end as u32),
            limit: groups.each_ref().map(|group| group.limit),
            one: groups.each_ref().map(|group| group.one),
        }
    }

    /// A half-precision matrix product with single-precision accumulation.
    fn multiply(&self, product: &Product, result: &mut CudaSlice<f32>) -> Result<(), BackendError> {
        use cublas::sys::{cublasComputeType_t, cublasGemmAlgo_t, cublasOperation_t, cudaDataType};
        let Product { sizes: [height, width, depth], left, right, right_transposed, factor } = product;
        assert!(
            left.list.len() >= height * depth && right.list.len() >= width * depth,
            "the matrices have these sizes"
        );
        assert!(result.len() >= height * width, "the product fits");
        let transposed = match right_transposed {
            true => cublasOperation_t::CUBLAS_OP_T,
            false => cublasOperation_t::CUBLAS_OP_N,
        };
        let nothing = 0.0f32;
        let (left_pointer, _left) = left.list.device_ptr(&self.stream);
        let (right_pointer, _right) = right.list.device_ptr(&self.stream);
        let (result_pointer, _result) = result.device_ptr_mut(&self.stream);
        // SAFETY: the sizes of the matrices were checked, and the two factors live on the host
        // until the call returns.
        unsafe {
            cublas::result::gemm_ex(
                *self.blas.handle(),
                cublasOperation_t::CUBLAS_OP_N,
                transposed,
                *height as i32,
                *width as i32,
                *depth as i32,
                std::ptr::from_ref(factor).cast::<c_void>(),
                left_pointer as *const c_void,
                cudaDataType::CUDA_R_16F,
                left.height as i32,
                right_pointer as *const c_void,
                cudaDataType::CUDA_R_16F,
                right.height as i32,
                std::ptr::from_ref(&nothing).cast::<c_void>(),
                result_pointer as *mut c_void,
                cudaDataType::CUDA_R_32F,
                *height as i32,
                cublasComputeType_t::CUBLAS_COMPUTE_32F,
                cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT_TENSOR_OP,
            )
        }
        .map_err(failed("multiplying matrices"))?;
        Ok(())
    }
}

/// A half-precision matrix, column-major.
struct Matrix<'a> {
    list: &'a CudaSlice<u16>,
    height: usize,
}

struct Product<'a> {
    /// Rows and columns of the result, and the inner dimension.
    sizes: [usize; 3],
    left: Matrix<'a>,
    right: Matrix<'a>,
    right_transposed: bool,
    factor: f32,
}

/// Shared memory of a block of `tail`.
fn sums_bytes(shape: Shape) -> u32 {
    (shape.output_weights() * size_of::<f32>()) as u32
}

fn config(blocks: u32, threads: u32, shared_mem_bytes: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes }
}

fn compile(gpu: &Gpu, shape: Shape) -> Result<Arc<CudaModule>, BackendError> {
    let macros = [
        ("FEATURES", shape.features()),
        ("INPUTS", inputs(shape)),
        ("HIDDEN", shape.hidden()),
        ("BUCKETS", OUTPUT_BUCKETS),
        ("ROUNDS", ROUNDS),
        ("TILE", TILE as usize),
        ("MAX_BUFFERS", MAX_BUFFERS),
    ];
    let options = macros.iter().map(|(name, value)| format!("-D{name}={value}u")).collect();
    let program = Program { name: "kernels.cu", source: include_str!("kernels.cu"), options };
    Ok(gpu.compile(&program)?)
}
