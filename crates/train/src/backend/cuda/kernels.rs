//! The training kernels and matrix products on a GPU. All unsafe calls of the backend are here; lengths are checked before
//! each.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::Arc;

use cuda::{CudaError, Gpu, Program};
use cudarc::cublas::{self, CudaBlas};
use cudarc::driver::sys::CUfunction_attribute;
use cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg,
};
use nnue::shape::{FIRST_LAYER, Head, LISTS, OUTPUT_BUCKETS, SECOND_INPUTS, SECOND_LAYER, Shape, layered};

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

/// Positions per tile of `tail` and `head`.
const TILE: u32 = 32;

/// Threads per block, as in kernels.cu.
const DECODE_WARPS: u32 = 8;
const DECODE_THREADS: u32 = 32 * DECODE_WARPS;
/// Of `tail` and `head`.
const TAIL_THREADS: u32 = 512;
const PAIR_THREADS: u32 = 256;
const ADAM_THREADS: u32 = 256;

/// Sums of the first layer, of all output buckets.
const FIRST_SUMS: usize = OUTPUT_BUCKETS * FIRST_LAYER;

/// Loss scale of the half-precision gradients, so that small ones do not vanish. Large ones have headroom: none is
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
    group_end: [u32; LISTS],
    limit: [f32; LISTS],
    one: [f32; LISTS],
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
    head: HeadKernels,
    adopt: CudaFunction,
    adam: CudaFunction,
    shape: Shape,
    /// Of `tail` or `head`.
    blocks: u32,
}

/// From hidden units to losses and back.
enum HeadKernels {
    Single { tail: CudaFunction },
    Layered { pair: CudaFunction, head: CudaFunction, unpair: CudaFunction },
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
    layered: LayeredBuffers,
    output_gradients: CudaSlice<f32>,
    capacity: u32,
}

/// Those of a layered head; without one, they have no more than one element.
struct LayeredBuffers {
    products: CudaSlice<u16>,
    product_slopes: CudaSlice<f32>,
    first_sums: CudaSlice<f32>,
    first_slopes: CudaSlice<u16>,
    /// Of the weights of the first layer.
    first_gradients: CudaSlice<f32>,
}

pub struct Weights {
    /// In single precision.
    pub exact: CudaSlice<f32>,
    pub first_moments: CudaSlice<f32>,
    pub second_moments: CudaSlice<f32>,
    /// Feature weights and biases of the forward pass.
    rows: CudaSlice<u16>,
    /// Weights of the first layer of the forward pass; one element without a layered head.
    first_layer: CudaSlice<u16>,
    /// All other parameters of the forward pass.
    outputs: CudaSlice<f32>,
    /// Whether the forward pass is that of the quantised network.
    rounded: bool,
}

pub struct Tables {
    features: CudaSlice<u16>,
    buckets: CudaSlice<u8>,
}

/// Sums of losses, one per block of `tail` or `head`.
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
        let module = gpu.compile(&program(shape))?;
        let find = |name| module.load_function(name).map_err(failed("loading kernels"));
        let (head, tiled) = match shape.head() {
            Head::Single => {
                let tail = find("tail")?;
                (HeadKernels::Single { tail: tail.clone() }, tail)
            }
            Head::Layered => {
                let head = find("head")?;
                let (pair, unpair) = (find("pair")?, find("unpair")?);
                (HeadKernels::Layered { pair, head: head.clone(), unpair }, head)
            }
        };
        let sums = sums_bytes(shape);
        let available = i64::from(gpu.shared_memory()?)
            - i64::from(tiled.shared_size_bytes().map_err(failed("requesting shared memory"))?);
        if available < i64::from(sums) {
            return Err(format!("{} hidden units need a GPU with more shared memory", shape.hidden()).into());
        }
        let dynamic = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        tiled.set_attribute(dynamic, sums as i32).map_err(failed("requesting shared memory"))?;
        let blocks = tiled.occupancy_max_active_blocks_per_multiprocessor(TAIL_THREADS, sums as usize, None);
        let blocks = blocks.map_err(failed("querying occupancy"))?;
        Ok(Self {
            blas: CudaBlas::new(stream.clone()).map_err(failed("opening cuBLAS"))?,
            decode: find("decode")?,
            adopt: find("adopt")?,
            adam: find("adam")?,
            head,
            shape,
            blocks: gpu.multiprocessors()?.max(1) * blocks.clamp(1, 2),
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
            layered: self.layered_buffers(capacity as usize)?,
            output_gradients: gpu.zeros(self.blocks as usize * self.output_parameters())?,
            capacity,
        })
    }

    fn layered_buffers(&self, capacity: usize) -> Result<LayeredBuffers, BackendError> {
        let is_layered = usize::from(self.shape.head() == Head::Layered);
        let length = |count: usize| (is_layered * count).max(1);
        let (hidden, gpu) = (self.shape.hidden(), &self.gpu);
        Ok(LayeredBuffers {
            products: gpu.zeros(length(capacity * hidden))?,
            product_slopes: gpu.zeros(length(capacity * hidden))?,
            first_sums: gpu.zeros(length(capacity * FIRST_SUMS))?,
            first_slopes: gpu.zeros(length(capacity * FIRST_SUMS))?,
            first_gradients: gpu.zeros(length(self.shape.first_weights()))?,
        })
    }

    /// Uploads parameters; the forward pass uses them quantised or not.
    pub fn weights(&self, state: &crate::backend::State, rounded: bool) -> Result<Weights, BackendError> {
        let mut weights = Weights {
            exact: self.upload(&state.weights)?,
            first_moments: self.upload(&state.first_moments)?,
            second_moments: self.upload(&state.second_moments)?,
            rows: self.gpu.zeros(inputs(self.shape) * self.shape.hidden())?,
            first_layer: self.gpu.zeros(self.shape.first_weights().max(1))?,
            outputs: self.gpu.zeros(self.output_parameters())?,
            rounded,
        };
        let nothing =
            Update { beta1: 0.0, beta2: 0.0, rate: 0.0, root_scale: 1.0, keep: 1.0, quantise: rounded };
        let (update, count) = (self.device_update(&nothing), weights.exact.len() as u32);
        let mut launch = self.stream.launch_builder(&self.adopt);
        launch.arg(&update).arg(&count).arg(&weights.exact);
        launch.arg(&mut weights.rows).arg(&mut weights.first_layer).arg(&mut weights.outputs);
        // SAFETY: the arguments are those of `adopt`; every index below the count lies in all lists.
        unsafe { launch.launch(config(ceil_div(count, ADAM_THREADS), ADAM_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(weights)
    }

    pub fn tables(&self, features: &[u16], buckets: &[u8]) -> Result<Tables, BackendError> {
        Ok(Tables { features: self.upload(features)?, buckets: self.upload(buckets)? })
    }

    pub fn losses(&self) -> Result<Losses, BackendError> {
        Ok(Losses(self.gpu.zeros(self.blocks as usize)?))
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
            left: Matrix::new(&weights.rows, hidden),
            right: Matrix::new(&batch_buffers.inputs, inputs),
            factor: 1.0,
        };
        self.multiply(&product, &mut batch_buffers.units)
    }

    /// From hidden units to losses, and with `backward` to gradients of the units and of all parameters behind them.
    pub fn grade(
        &self,
        count: u32,
        loss: &Loss,
        backward: bool,
        weights: &Weights,
        batch_buffers: &mut BatchBuffers,
        losses: &mut Losses,
    ) -> Result<(), BackendError> {
        assert!(count <= batch_buffers.capacity, "the batch fits");
        match &self.head {
            HeadKernels::Single { tail } => {
                self.tail(tail, count, loss, backward, weights, batch_buffers, losses)
            }
            HeadKernels::Layered { pair, head, unpair } => {
                self.pair(pair, count, weights, batch_buffers)?;
                self.first_layer(count, weights, &mut batch_buffers.layered)?;
                self.tail(head, count, loss, backward, weights, batch_buffers, losses)?;
                if backward {
                    self.first_layer_back(count, weights, &mut batch_buffers.layered)?;
                    self.unpair(unpair, count, batch_buffers)?;
                }
                Ok(())
            }
        }
    }

    /// Runs `tail` or `head`.
    #[expect(clippy::too_many_arguments, reason = "they are the kernel's")]
    fn tail(
        &self,
        kernel: &CudaFunction,
        count: u32,
        loss: &Loss,
        backward: bool,
        weights: &Weights,
        batch_buffers: &mut BatchBuffers,
        losses: &mut Losses,
    ) -> Result<(), BackendError> {
        let loss = DeviceLoss::from(loss);
        let backward = u32::from(backward);
        let BatchBuffers { units, unit_slopes, layered, targets, buckets, output_gradients, .. } =
            batch_buffers;
        let (sums, slopes) = match &self.head {
            HeadKernels::Single { .. } => (units, unit_slopes),
            HeadKernels::Layered { .. } => (&mut layered.first_sums, &mut layered.first_slopes),
        };
        let mut launch = self.stream.launch_builder(kernel);
        launch.arg(&*sums).arg(&weights.outputs).arg(&*targets).arg(&*buckets).arg(&count).arg(&loss);
        launch.arg(&backward).arg(&SLOPE_SCALE).arg(slopes).arg(output_gradients).arg(&mut losses.0);
        // SAFETY: the arguments are those of both kernels; the batch fits, and gradients and losses have a
        // part for each of the blocks.
        unsafe { launch.launch(config(self.blocks, TAIL_THREADS, sums_bytes(self.shape))) }
            .map_err(failed("training"))?;
        Ok(())
    }

    /// Blocks of `pair` and `unpair`: a thread for four products.
    fn pair_blocks(&self, rows: u32) -> u32 {
        let products = u64::from(rows) * self.shape.hidden() as u64 / 2;
        (products / 4).div_ceil(PAIR_THREADS.into()) as u32
    }

    fn pair(
        &self,
        kernel: &CudaFunction,
        count: u32,
        weights: &Weights,
        batch_buffers: &mut BatchBuffers,
    ) -> Result<(), BackendError> {
        let rows = count * PERSPECTIVES as u32;
        let rounded = u32::from(weights.rounded);
        let mut launch = self.stream.launch_builder(kernel);
        launch.arg(&batch_buffers.units).arg(&rows).arg(&rounded).arg(&mut batch_buffers.layered.products);
        // SAFETY: the arguments are those of `pair`; the batch fits, with half as many products as units.
        unsafe { launch.launch(config(self.pair_blocks(rows), PAIR_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(())
    }

    fn unpair(
        &self,
        kernel: &CudaFunction,
        count: u32,
        batch_buffers: &mut BatchBuffers,
    ) -> Result<(), BackendError> {
        let rows = count * PERSPECTIVES as u32;
        let mut launch = self.stream.launch_builder(kernel);
        launch.arg(&batch_buffers.units).arg(&batch_buffers.layered.product_slopes).arg(&rows);
        launch.arg(&mut batch_buffers.unit_slopes);
        // SAFETY: the arguments are those of `unpair`; the batch fits, with half as many products as units.
        unsafe { launch.launch(config(self.pair_blocks(rows), PAIR_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(())
    }

    /// From products to sums of the first layer, for all output buckets. Column-major: sums = transposed weights x products.
    fn first_layer(
        &self,
        count: u32,
        weights: &Weights,
        buffers: &mut LayeredBuffers,
    ) -> Result<(), BackendError> {
        let hidden = self.shape.hidden();
        let product = Product {
            sizes: [FIRST_SUMS, count as usize, hidden],
            left: Matrix::new(&weights.first_layer, hidden).transposed(),
            right: Matrix::new(&buffers.products, hidden),
            factor: 1.0,
        };
        self.multiply(&product, &mut buffers.first_sums)
    }

    /// From gradients of the sums of the first layer to those of its weights and of the products.
    fn first_layer_back(
        &self,
        count: u32,
        weights: &Weights,
        buffers: &mut LayeredBuffers,
    ) -> Result<(), BackendError> {
        let (hidden, positions) = (self.shape.hidden(), count as usize);
        let gradients = Product {
            sizes: [hidden, FIRST_SUMS, positions],
            left: Matrix::new(&buffers.products, hidden),
            right: Matrix::new(&buffers.first_slopes, FIRST_SUMS).transposed(),
            factor: 1.0 / SLOPE_SCALE,
        };
        self.multiply(&gradients, &mut buffers.first_gradients)?;
        let slopes = Product {
            sizes: [hidden, positions, FIRST_SUMS],
            left: Matrix::new(&weights.first_layer, hidden),
            right: Matrix::new(&buffers.first_slopes, FIRST_SUMS),
            factor: 1.0,
        };
        self.multiply(&slopes, &mut buffers.product_slopes)
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
            left: Matrix::new(&batch_buffers.unit_slopes, hidden),
            right: Matrix::new(&batch_buffers.inputs, inputs).transposed(),
            factor: 1.0 / SLOPE_SCALE,
        };
        self.multiply(&product, &mut batch_buffers.row_gradients)?;

        weights.rounded = update.quantise;
        let update = self.device_update(update);
        let (parameters, parts) = (weights.exact.len() as u32, self.blocks);
        let mut launch = self.stream.launch_builder(&self.adam);
        launch.arg(&update).arg(&parameters).arg(&mut weights.exact);
        launch.arg(&mut weights.first_moments).arg(&mut weights.second_moments);
        launch.arg(&batch_buffers.row_gradients).arg(&batch_buffers.layered.first_gradients);
        launch.arg(&batch_buffers.output_gradients).arg(&parts);
        launch.arg(&mut weights.rows).arg(&mut weights.first_layer).arg(&mut weights.outputs);
        // SAFETY: the arguments are those of `adam`; every index below the count lies in all lists, and the output
        // gradients have that many parts.
        unsafe { launch.launch(config(ceil_div(parameters, ADAM_THREADS), ADAM_THREADS, 0)) }
            .map_err(failed("training"))?;
        Ok(())
    }

    /// Parameters whose gradients are not those of a matrix product.
    fn output_parameters(&self) -> usize {
        output_parameters(self.shape)
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
        let Product { sizes: [height, width, depth], left, right, factor } = product;
        assert!(
            left.list.len() >= height * depth && right.list.len() >= width * depth,
            "the matrices have these sizes"
        );
        assert!(result.len() >= height * width, "the product fits");
        let operation = |matrix: &Matrix| {
            if matrix.transposed { cublasOperation_t::CUBLAS_OP_T } else { cublasOperation_t::CUBLAS_OP_N }
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
                operation(left),
                operation(right),
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
    /// As it is stored.
    height: usize,
    transposed: bool,
}

impl<'a> Matrix<'a> {
    fn new(list: &'a CudaSlice<u16>, height: usize) -> Self {
        Self { list, height, transposed: false }
    }

    fn transposed(self) -> Self {
        Self { transposed: !self.transposed, ..self }
    }
}

struct Product<'a> {
    /// Rows and columns of the result, and the inner dimension.
    sizes: [usize; 3],
    left: Matrix<'a>,
    right: Matrix<'a>,
    factor: f32,
}

/// Parameters behind the hidden units whose gradients are not those of a matrix product.
fn output_parameters(shape: Shape) -> usize {
    let outputs = shape.output_weights() + OUTPUT_BUCKETS;
    outputs + shape.first_biases() + shape.second_weights() + shape.second_biases()
}

/// Shared memory of a block of `tail` or `head`: sums of gradients, and for `head` padded rows of the second layer.
fn sums_bytes(shape: Shape) -> u32 {
    let floats = match shape.head() {
        Head::Single => shape.output_weights(),
        Head::Layered => output_parameters(shape) + shape.second_biases() * (SECOND_INPUTS + 1),
    };
    (floats * size_of::<f32>()) as u32
}

fn config(blocks: u32, threads: u32, shared_mem_bytes: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes }
}

fn program(shape: Shape) -> Program<'static> {
    let macros = [
        ("FEATURES", shape.features()),
        ("INPUTS", inputs(shape)),
        ("HIDDEN", shape.hidden()),
        ("BUCKETS", OUTPUT_BUCKETS),
        ("ROUNDS", ROUNDS),
        ("TILE", TILE as usize),
        ("MAX_BUFFERS", MAX_BUFFERS),
        ("LISTS", LISTS),
        ("LAYERED", usize::from(shape.head() == Head::Layered)),
        ("FIRST", FIRST_LAYER),
        ("SECOND", SECOND_LAYER),
        ("PRODUCT_ONE", layered::PRODUCT_ONE as usize),
    ];
    let options = macros.iter().map(|(name, value)| format!("-D{name}={value}u")).collect();
    Program { name: "kernels.cu", source: include_str!("kernels.cu"), options }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_compile() {
        for (hidden, king_buckets, head) in [
            (64, 1, Head::Single),
            (128, 1, Head::Layered),
            (1024, 4, Head::Single),
            (1024, 4, Head::Layered),
        ] {
            let shape = Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
            match program(shape.with_head(head).unwrap()).compile_for((9, 0)) {
                Ok(binary) => assert!(!binary.is_empty()),
                Err(CudaError::Missing(missing)) => return eprintln!("skipped: {missing}"),
                Err(error) => panic!("{shape}, {head}: {error}"),
            }
        }
    }
}
