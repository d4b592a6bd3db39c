//! The device code on a GPU. All calls into CUDA that the compiler cannot check are here.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ops::Range;

use cuda::{Fault, Gpu, Program};
use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
use cudarc::driver::{
    CudaFunction, CudaSlice, DevicePtr, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
};
use nnue::shape::Shape;

use super::buffer::Buffer;
use super::bytes::list_of;
use super::fitting::{check_generation, fitted};
use super::{Machine, check_layout};
use crate::abi::{EvaluateLaunch, Launch, Layout, PerftLaunch};
use crate::error::GpuError;
use crate::source;

// SAFETY: plain numbers, laid out as in device/abi.h; both sides check the size.
unsafe impl DeviceRepr for Launch {}
// SAFETY: as above.
unsafe impl DeviceRepr for PerftLaunch {}
// SAFETY: as above.
unsafe impl DeviceRepr for EvaluateLaunch {}

const LANES: u32 = 32;

/// A GPU, with the device code compiled for some widths.
pub struct CudaMachine {
    gpu: Gpu,
    processors: u32,
    compiled: HashMap<Shape, Kernels>,
}

/// The device code for networks of one width.
#[derive(Clone)]
struct Kernels {
    layout: Layout,
    functions: Functions,
}

#[derive(Clone)]
struct Functions {
    play: CudaFunction,
    perft: CudaFunction,
    evaluate: CudaFunction,
}

fn fault(doing: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| Fault::driver(doing, &error).into()
}

impl CudaMachine {
    /// The GPU with this number.
    ///
    /// # Errors
    /// If there is no such GPU, or it cannot be used.
    pub fn open(number: usize) -> Result<CudaMachine, GpuError> {
        CudaMachine::over(Gpu::open(number)?)
    }

    /// The same, where a training is to follow: what that needs is looked for at once, not after the games.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if there is no library for products of matrices.
    pub fn open_to_learn(number: usize) -> Result<CudaMachine, GpuError> {
        CudaMachine::over(Gpu::open_with_products(number)?)
    }

    fn over(gpu: Gpu) -> Result<CudaMachine, GpuError> {
        check_generation(&gpu.name(), gpu.generation()?)?;
        let processors = gpu.processors()?.max(1);
        Ok(CudaMachine { gpu, processors, compiled: HashMap::new() })
    }

    fn kernels(&mut self, shape: Shape) -> Result<Kernels, GpuError> {
        if let Some(kernels) = self.compiled.get(&shape) {
            return Ok(kernels.clone());
        }
        let kernels = self.compile(shape)?;
        self.compiled.insert(shape, kernels.clone());
        Ok(kernels)
    }

    fn compile(&self, shape: Shape) -> Result<Kernels, GpuError> {
        let most = self.gpu.shared_memory()?;
        let (layout, functions) = fitted(most, |warps| self.compile_with(shape, warps))?;
        let Functions { play, perft, evaluate } = &functions;
        for (function, bytes) in [
            (play, layout.match_shared_bytes.max(layout.play_shared_bytes)),
            (perft, layout.other_shared_bytes),
            (evaluate, layout.other_shared_bytes),
        ] {
            let set = function.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes as i32);
            set.map_err(fault("asking for shared memory"))?;
        }
        Ok(Kernels { layout, functions })
    }

    /// The device code with so many warps in a block, and what it says about itself.
    fn compile_with(&self, shape: Shape, warps: Option<u32>) -> Result<(Layout, Functions), GpuError> {
        let (source, options) = (source::program(), source::options(shape, warps));
        let module = self.gpu.compile(&Program { name: source::NAME, source: &source, options })?;
        let find = |name| module.load_function(name).map_err(fault("loading kernels"));
        let mut told: CudaSlice<u8> = self.gpu.zeros(size_of::<Layout>())?;
        let ask = find("layout")?;
        let mut launch = self.gpu.stream().launch_builder(&ask);
        launch.arg(&mut told);
        // SAFETY: the kernel takes the address of a layout, which the buffer has room for.
        unsafe { launch.launch(one_thread()) }.map_err(fault("asking its layout"))?;
        let layout = *list_of::<Layout>(&self.gpu.download(&told)?)
            .first()
            .ok_or_else(|| GpuError::Layout("no layout was told".to_owned()))?;
        check_layout(&layout, shape)?;
        Ok((layout, Functions { play: find("play")?, perft: find("perft")?, evaluate: find("evaluate")? }))
    }

    /// Launches a kernel that takes one argument with as many warps as the GPU holds, and does not wait for its end.
    fn launch<A: DeviceRepr>(
        &self,
        kernels: &Kernels,
        function: &CudaFunction,
        argument: &A,
        shared_mem_bytes: u32,
    ) -> Result<(), GpuError> {
        let config = LaunchConfig {
            grid_dim: (self.processors, 1, 1),
            block_dim: (LANES * kernels.layout.warps, 1, 1),
            shared_mem_bytes,
        };
        let mut launch = self.gpu.stream().launch_builder(function);
        launch.arg(argument);
        // SAFETY: the kernel takes this argument by value; its addresses are those of buffers as large as the layout and
        // the argument say. They were made on the one stream that the kernel runs on, so that none is freed before it ends.
        unsafe { launch.launch(config) }.map_err(fault("launching a kernel"))?;
        Ok(())
    }

    fn buffer(&self, slice: CudaSlice<u8>) -> Buffer {
        let address = slice.device_ptr(self.gpu.stream()).0;
        Buffer::Gpu(slice, address)
    }
}

fn one_thread() -> LaunchConfig {
    LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 }
}

/// A buffer of the CPU was given to a GPU.
fn foreign() -> GpuError {
    GpuError::Input("this memory belongs to another device".to_owned())
}

impl Machine for CudaMachine {
    fn describe(&self) -> String {
        self.gpu.name()
    }

    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError> {
        Ok(self.kernels(shape)?.layout)
    }

    fn warps(&mut self, shape: Shape) -> Result<usize, GpuError> {
        Ok((self.layout(shape)?.warps * self.processors) as usize)
    }

    fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError> {
        // An empty buffer has no address.
        Ok(self.buffer(self.gpu.zeros(bytes.max(1))?))
    }

    fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(foreign()) };
        self.gpu.stream().memset_zeros(slice).map_err(fault("clearing memory"))
    }

    fn write(&self, buffer: &mut Buffer, place: usize, bytes: &[u8]) -> Result<(), GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(foreign()) };
        if bytes.is_empty() {
            return Ok(());
        }
        Ok(self.gpu.write(slice, place, bytes)?)
    }

    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(foreign()) };
        if range.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.gpu.download(&slice.slice(range))?)
    }

    fn shortened(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(foreign()) };
        let bytes = bytes.clamp(1, slice.len());
        let mut short = self.gpu.zeros(bytes)?;
        let copied = self.gpu.stream().memcpy_dtod(&slice.slice(..bytes), &mut short);
        copied.map_err(fault("moving data"))?;
        self.gpu.wait()?;
        Ok(self.buffer(short))
    }

    fn free_memory(&self) -> u64 {
        self.gpu.free_memory()
    }

    fn most_nodes_per_second(&self) -> f64 {
        // An H200 reaches 3.9 million with each of its multiprocessors.
        f64::from(self.processors) * 1e7
    }

    fn play(&mut self, shape: Shape, launch: &Launch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        let layout = &kernels.layout;
        let shared = if launch.is_match == 0 { layout.play_shared_bytes } else { layout.match_shared_bytes };
        self.launch(&kernels, &kernels.functions.play, launch, shared)
    }

    fn perft(&mut self, shape: Shape, launch: &PerftLaunch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        self.launch(&kernels, &kernels.functions.perft, launch, kernels.layout.other_shared_bytes)
    }

    fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        self.launch(&kernels, &kernels.functions.evaluate, launch, kernels.layout.other_shared_bytes)
    }
}
