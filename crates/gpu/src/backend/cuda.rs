//! The device code on a GPU.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ops::Range;

use cuda::{CudaError, Gpu, Program};
use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
use cudarc::driver::{
    CudaFunction, CudaSlice, DevicePtr, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
};
use nnue::shape::Shape;

use super::buffer::Buffer;
use super::bytes::list_of;
use super::fitting::{check_capability, compile_to_fit};
use super::{Backend, check_layout};
use crate::abi::{EvaluateLaunch, Layout, PerftLaunch, PlayLaunch};
use crate::error::GpuError;
use crate::source;

// SAFETY: integers, laid out as in device/abi.h; the device compiler checks every field.
unsafe impl DeviceRepr for PlayLaunch {}
// SAFETY: as above.
unsafe impl DeviceRepr for PerftLaunch {}
// SAFETY: as above.
unsafe impl DeviceRepr for EvaluateLaunch {}

/// Threads of a warp.
const LANES: u32 = 32;

/// A GPU with the device code compiled for some shapes.
pub struct CudaBackend {
    gpu: Gpu,
    multiprocessors: u32,
    compiled: HashMap<Shape, Kernels>,
}

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

fn failed(context: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| CudaError::call(context, &error).into()
}

impl CudaBackend {
    pub fn open(number: usize, cublas: bool) -> Result<CudaBackend, GpuError> {
        let gpu = if cublas { Gpu::open_with_cublas(number)? } else { Gpu::open(number)? };
        check_capability(&gpu.name(), gpu.compute_capability()?)?;
        let multiprocessors = gpu.multiprocessors()?.max(1);
        Ok(CudaBackend { gpu, multiprocessors, compiled: HashMap::new() })
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
        let max = self.gpu.shared_memory()?;
        let (layout, functions) = compile_to_fit(max, |warps| self.compile_with(shape, warps))?;
        let Functions { play, perft, evaluate } = &functions;
        for (function, bytes) in [
            (play, layout.match_shared_bytes.max(layout.play_shared_bytes)),
            (perft, layout.other_shared_bytes),
            (evaluate, layout.other_shared_bytes),
        ] {
            let set = function.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes as i32);
            set.map_err(failed("requesting shared memory"))?;
        }
        Ok(Kernels { layout, functions })
    }

    /// Compiles with a number of warps per block, and runs the kernel `layout`.
    fn compile_with(&self, shape: Shape, warps: Option<u32>) -> Result<(Layout, Functions), GpuError> {
        let (source, options) = (source::program(), source::options(shape, warps));
        let module = self.gpu.compile(&Program { name: source::NAME, source: &source, options })?;
        let find = |name| module.load_function(name).map_err(failed("loading kernels"));
        let mut output: CudaSlice<u8> = self.gpu.zeros(size_of::<Layout>())?;
        let kernel = find("layout")?;
        let mut launch = self.gpu.stream().launch_builder(&kernel);
        launch.arg(&mut output);
        // SAFETY: the kernel takes the address of a layout, which the buffer has room for.
        unsafe { launch.launch(one_thread()) }.map_err(failed("querying the layout"))?;
        let layout = *list_of::<Layout>(&self.gpu.download(&output)?)
            .first()
            .ok_or_else(|| GpuError::Layout("the kernel wrote no layout".to_owned()))?;
        check_layout(&layout, shape)?;
        Ok((layout, Functions { play: find("play")?, perft: find("perft")?, evaluate: find("evaluate")? }))
    }

    /// Launches a kernel with one argument on all multiprocessors, without waiting for its end.
    ///
    /// # Safety
    /// As [`Backend::play`].
    unsafe fn launch<A: DeviceRepr>(
        &self,
        kernels: &Kernels,
        function: &CudaFunction,
        argument: &A,
        shared_mem_bytes: u32,
    ) -> Result<(), GpuError> {
        let config = LaunchConfig {
            grid_dim: (self.multiprocessors, 1, 1),
            block_dim: (LANES * kernels.layout.warps, 1, 1),
            shared_mem_bytes,
        };
        let mut launch = self.gpu.stream().launch_builder(function);
        launch.arg(argument);
        // SAFETY: the kernel takes this argument by value. Its addresses are valid as the caller promises; the buffers were
        // allocated on the stream that the kernel runs on, so that none is freed before it ends.
        unsafe { launch.launch(config) }.map_err(failed("launching a kernel"))?;
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

impl Backend for CudaBackend {
    fn name(&self) -> String {
        self.gpu.name()
    }

    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError> {
        Ok(self.kernels(shape)?.layout)
    }

    fn warps(&mut self, shape: Shape) -> Result<usize, GpuError> {
        Ok((self.layout(shape)?.warps * self.multiprocessors) as usize)
    }

    fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError> {
        // CUDA has no empty allocations.
        Ok(self.buffer(self.gpu.zeros(bytes.max(1))?))
    }

    fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(GpuError::ForeignMemory) };
        self.gpu.stream().memset_zeros(slice).map_err(failed("clearing memory"))
    }

    fn write(&self, buffer: &mut Buffer, offset: usize, bytes: &[u8]) -> Result<(), GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(GpuError::ForeignMemory) };
        if bytes.is_empty() {
            return Ok(());
        }
        Ok(self.gpu.write(slice, offset, bytes)?)
    }

    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(GpuError::ForeignMemory) };
        if range.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.gpu.download(&slice.slice(range))?)
    }

    fn shrink(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError> {
        let Buffer::Gpu(slice, _) = buffer else { return Err(GpuError::ForeignMemory) };
        let bytes = bytes.clamp(1, slice.len());
        let mut short = self.gpu.zeros(bytes)?;
        let copied = self.gpu.stream().memcpy_dtod(&slice.slice(..bytes), &mut short);
        copied.map_err(failed("copying on the device"))?;
        self.gpu.wait()?;
        Ok(self.buffer(short))
    }

    fn free_memory(&self) -> u64 {
        self.gpu.free_memory()
    }

    fn max_nodes_per_second(&self) -> f64 {
        // An H200 reaches 4 million per multiprocessor.
        f64::from(self.multiprocessors) * 1e7
    }

    unsafe fn play(&mut self, shape: Shape, launch: &PlayLaunch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        let layout = &kernels.layout;
        let shared =
            if launch.settings.is_match == 0 { layout.play_shared_bytes } else { layout.match_shared_bytes };
        // SAFETY: as the caller promises.
        unsafe { self.launch(&kernels, &kernels.functions.play, launch, shared) }
    }

    unsafe fn perft(&mut self, shape: Shape, launch: &PerftLaunch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        // SAFETY: as the caller promises.
        unsafe { self.launch(&kernels, &kernels.functions.perft, launch, kernels.layout.other_shared_bytes) }
    }

    unsafe fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError> {
        let kernels = self.kernels(shape)?;
        // SAFETY: as the caller promises.
        unsafe {
            self.launch(&kernels, &kernels.functions.evaluate, launch, kernels.layout.other_shared_bytes)
        }
    }
}
