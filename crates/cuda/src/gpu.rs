//! One GPU: its properties, memory and kernels.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char};
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{
    CudaContext, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, ValidAsZeroBits,
};
use cudarc::nvrtc::{self, Ptx};

use crate::error::{CudaError, is_out_of_memory};
use crate::libraries::{self, Need};

/// A GPU. Clones share the GPU and its stream, so that buffers of one can be used with all.
#[derive(Clone, Debug)]
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// Kernels to be compiled.
pub struct Program<'a> {
    /// For compiler messages.
    pub name: &'a str,
    /// With everything it includes.
    pub source: &'a str,
    /// Compiler options such as `-DHIDDEN=256`.
    pub options: Vec<String>,
}

impl Program<'_> {
    /// Compiles for GPUs of this compute capability; there need not be any.
    ///
    /// # Errors
    /// If there is no NVRTC, or the kernels do not compile, with the compiler's log.
    pub fn compile_for(&self, compute_capability: (i32, i32)) -> Result<Vec<u8>, CudaError> {
        libraries::load(Need::Compiler)?;
        let (major, minor) = compute_capability;
        let mut options = self.options.clone();
        options.push(format!("--gpu-architecture=sm_{}", major * 10 + minor));
        options.push("--std=c++17".to_owned());
        compile(self, &options).map_err(|error| match error {
            // NVRTC's message for an architecture that it does not know.
            CudaError::Kernels { log, .. } if log.contains("invalid value for --gpu-architecture") => {
                CudaError::OldCompiler { compute_capability }
            }
            error => error,
        })
    }
}

impl Gpu {
    /// The number of GPUs; 0 without a driver.
    pub fn count() -> usize {
        if libraries::load(Need::Kernels).is_err() {
            return 0;
        }
        // Without a GPU the driver does not even initialise.
        let count = cudarc::driver::result::init().and_then(|()| CudaContext::device_count());
        count.map_or(0, |count| usize::try_from(count).unwrap_or(0))
    }

    /// Opens a GPU to run kernels on.
    ///
    /// # Errors
    /// If a library is missing, there is no such GPU, or the driver is too old.
    pub fn open(number: usize) -> Result<Gpu, CudaError> {
        Gpu::open_for(number, Need::Kernels)
    }

    /// Opens a GPU to run kernels and cuBLAS on.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with_cublas(number: usize) -> Result<Gpu, CudaError> {
        Gpu::open_for(number, Need::Cublas)
    }

    fn open_for(number: usize, need: Need) -> Result<Gpu, CudaError> {
        libraries::load(need)?;
        match Gpu::count() {
            0 => return Err(CudaError::NoGpu),
            count if number >= count => return Err(CudaError::NoSuchGpu { number, count }),
            _ => {}
        }
        let opening = |error: DriverError| CudaError::call("opening the device", &error);
        let context = CudaContext::new(number).map_err(opening)?;
        let stream = context.default_stream();
        Ok(Gpu { context, stream })
    }

    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The one stream on which everything runs.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    pub fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "unknown GPU".to_owned())
    }

    /// # Errors
    /// If the driver fails.
    pub fn multiprocessors(&self) -> Result<u32, CudaError> {
        self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    }

    /// Bytes of shared memory that a thread block may opt in to.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn shared_memory(&self) -> Result<u32, CudaError> {
        self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
    }

    /// # Errors
    /// If the driver fails.
    pub fn compute_capability(&self) -> Result<(i32, i32), CudaError> {
        let failed = |error: DriverError| CudaError::call("querying its compute capability", &error);
        self.context.compute_capability().map_err(failed)
    }

    fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32, CudaError> {
        let value = self.context.attribute(attribute);
        value
            .map(|value| value.max(0) as u32)
            .map_err(|error| CudaError::call("querying its properties", &error))
    }

    /// In bytes.
    pub fn free_memory(&self) -> u64 {
        self.context.mem_get_info().map_or(0, |(free, _)| free as u64)
    }

    /// Compiles kernels for this GPU and loads them.
    ///
    /// # Errors
    /// If they do not compile, with the compiler's log; or if the driver cannot load them.
    pub fn compile(&self, program: &Program) -> Result<Arc<CudaModule>, CudaError> {
        let compute_capability = self.compute_capability()?;
        self.check_versions()?;
        let binary = program.compile_for(compute_capability)?;
        let loading = |error: DriverError| CudaError::call("loading kernels", &error);
        self.context.load_module(Ptx::from_binary(binary)).map_err(loading)
    }

    /// NVRTC must not be newer than the driver; within one major version any two are compatible.
    #[allow(clippy::unused_self, reason = "the libraries are loaded once a GPU is open")]
    fn check_versions(&self) -> Result<(), CudaError> {
        let (mut driver, mut major, mut minor) = (0, 0, 0);
        // SAFETY: both calls write to integers that live until they return.
        let known = unsafe {
            let driver = cudarc::driver::sys::cuDriverGetVersion(&raw mut driver).result().is_ok();
            driver && nvrtc::sys::nvrtcVersion(&raw mut major, &raw mut minor).result().is_ok()
        };
        let compiler = major * 1000 + minor * 10;
        if known && driver / 1000 < major { Err(CudaError::OldDriver { driver, compiler }) } else { Ok(()) }
    }

    /// Copies to the GPU.
    ///
    /// # Errors
    /// If its memory is full, or the driver fails.
    pub fn upload<T: DeviceRepr>(&self, list: &[T]) -> Result<CudaSlice<T>, CudaError> {
        let copied = self.stream.clone_htod(list);
        copied.map_err(|error| self.memory_error("copying to the device", size_of_val(list) as u64, error))
    }

    /// Overwrites a part of a buffer on the GPU.
    ///
    /// # Errors
    /// If the driver fails.
    ///
    /// # Panics
    /// If they do not fit there.
    pub fn write<T: DeviceRepr>(
        &self,
        buffer: &mut CudaSlice<T>,
        offset: usize,
        list: &[T],
    ) -> Result<(), CudaError> {
        let mut target = buffer.slice_mut(offset..offset + list.len());
        self.stream
            .memcpy_htod(list, &mut target)
            .map_err(|error| CudaError::call("copying to the device", &error))
    }

    /// Copies from the GPU, after everything queued before.
    ///
    /// # Errors
    /// If the driver fails; a kernel's failure shows here.
    pub fn download<T: DeviceRepr, S: DevicePtr<T>>(&self, list: &S) -> Result<Vec<T>, CudaError> {
        self.stream.clone_dtoh(list).map_err(|error| CudaError::call("copying from the device", &error))
    }

    /// A zeroed buffer.
    ///
    /// # Errors
    /// If the GPU's memory is full, or the driver fails.
    pub fn zeros<T: DeviceRepr + ValidAsZeroBits>(&self, count: usize) -> Result<CudaSlice<T>, CudaError> {
        let buffer = self.stream.alloc_zeros(count);
        buffer.map_err(|error| self.memory_error("allocating memory", (count * size_of::<T>()) as u64, error))
    }

    /// Waits for everything queued.
    ///
    /// # Errors
    /// If something failed.
    pub fn wait(&self) -> Result<(), CudaError> {
        self.stream.synchronize().map_err(|error| CudaError::call("running kernels", &error))
    }

    fn memory_error(&self, context: &str, requested: u64, error: DriverError) -> CudaError {
        if is_out_of_memory(&error) {
            CudaError::OutOfMemory { requested, free: self.free_memory() }
        } else {
            CudaError::call(context, &error)
        }
    }
}

/// An NVRTC program, destroyed on drop.
struct Compilation(nvrtc::sys::nvrtcProgram);

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: it was created and not yet destroyed; a failure cannot be handled here.
        let _ = unsafe { nvrtc::result::destroy_program(self.0) };
    }
}

/// Compiles to SASS, so that the driver has nothing to translate.
fn compile(program: &Program, options: &[String]) -> Result<Vec<u8>, CudaError> {
    let failed = |log: String| CudaError::Kernels { name: program.name.to_owned(), log };
    let [source, name] = [program.source, program.name]
        .map(|text| CString::new(text).map_err(|_| failed("NUL byte in the source".to_owned())));
    let (source, name) = (source?, name?);
    let created = nvrtc::result::create_program(&source, Some(&name));
    let compilation = Compilation(created.map_err(|error| failed(error.to_string()))?);
    // SAFETY: the program was created and is not destroyed before `compilation` goes.
    if let Err(error) = unsafe { nvrtc::result::compile_program(compilation.0, options) } {
        // SAFETY: as above.
        let log = unsafe { nvrtc::result::get_program_log(compilation.0) }.unwrap_or_default();
        let log: Vec<u8> = log.into_iter().map(|byte| byte as u8).filter(|&byte| byte != 0).collect();
        return Err(failed(format!("{error}\n{}", String::from_utf8_lossy(&log))));
    }
    let mut size = 0;
    // SAFETY: as above.
    let sized = unsafe { nvrtc::sys::nvrtcGetCUBINSize(compilation.0, &raw mut size) }.result();
    sized.map_err(|error| failed(error.to_string()))?;
    let mut binary = vec![0u8; size];
    // SAFETY: as above; the buffer has the size that NVRTC reported.
    let copied = unsafe { nvrtc::sys::nvrtcGetCUBIN(compilation.0, binary.as_mut_ptr().cast::<c_char>()) };
    copied.result().map_err(|error| failed(error.to_string()))?;
    Ok(binary)
}
