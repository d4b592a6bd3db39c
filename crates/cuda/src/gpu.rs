//! One GPU: opened by its number, asked for its kind and memory, given kernels and numbers.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char};
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{
    CudaContext, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, ValidAsZeroBits,
};
use cudarc::nvrtc::{self, Ptx};

use crate::fault::{Fault, is_out_of_memory};
use crate::libraries::{self, Need};

/// A GPU. Clones are the same GPU; buffers made by any of them can be used with all.
#[derive(Clone, Debug)]
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// Kernels to be compiled.
pub struct Program<'a> {
    /// What they are called in messages.
    pub name: &'a str,
    /// Their source, with everything it includes.
    pub source: &'a str,
    /// More words for the compiler, such as `-DHIDDEN=256`.
    pub options: Vec<String>,
}

impl Gpu {
    /// How many GPUs there are; none without a driver.
    pub fn count() -> usize {
        if libraries::load(Need::Kernels).is_err() {
            return 0;
        }
        // Without a GPU the driver refuses to begin at all.
        let count = cudarc::driver::result::init().and_then(|()| CudaContext::device_count());
        count.map_or(0, |count| usize::try_from(count).unwrap_or(0))
    }

    /// The GPU with this number, to run kernels on.
    ///
    /// # Errors
    /// If a library is missing, there is no such GPU, or the driver is too old.
    pub fn open(number: usize) -> Result<Gpu, Fault> {
        Gpu::open_for(number, Need::Kernels)
    }

    /// The GPU with this number, to run kernels and multiply matrices on.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with_products(number: usize) -> Result<Gpu, Fault> {
        Gpu::open_for(number, Need::Products)
    }

    fn open_for(number: usize, need: Need) -> Result<Gpu, Fault> {
        libraries::load(need)?;
        match Gpu::count() {
            0 => return Err(Fault::NoGpu),
            count if number >= count => return Err(Fault::NoSuchGpu(number, count)),
            _ => {}
        }
        let opening = |error: DriverError| Fault::driver("opening it", &error);
        let context = CudaContext::new(number).map_err(opening)?;
        let stream = context.default_stream();
        Ok(Gpu { context, stream })
    }

    /// The driver's handle of the GPU.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The order in which everything is done on the GPU.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// The GPU's name.
    pub fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "unknown GPU".to_owned())
    }

    /// How many multiprocessors it has.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn processors(&self) -> Result<u32, Fault> {
        self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    }

    /// Shared memory that a block may have, once its kernel asks for it.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn shared_memory(&self) -> Result<u32, Fault> {
        self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
    }

    /// Its generation, as CUDA counts: the compute capability's two numbers.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn generation(&self) -> Result<(i32, i32), Fault> {
        let asking = |error: DriverError| Fault::driver("asking its generation", &error);
        self.context.compute_capability().map_err(asking)
    }

    fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32, Fault> {
        let value = self.context.attribute(attribute);
        value.map(|value| value.max(0) as u32).map_err(|error| Fault::driver("asking what it is", &error))
    }

    /// Bytes of memory that are free.
    pub fn free_memory(&self) -> u64 {
        self.context.mem_get_info().map_or(0, |(free, _)| free as u64)
    }

    /// Compiles kernels for this GPU and loads them.
    ///
    /// # Errors
    /// If they do not compile, with all that the compiler says; or if the driver cannot load them.
    pub fn compile(&self, program: &Program) -> Result<Arc<CudaModule>, Fault> {
        let (major, minor) = self.generation()?;
        self.check_versions()?;
        let mut options = program.options.clone();
        options.push(format!("--gpu-architecture=sm_{}", major * 10 + minor));
        options.push("--std=c++17".to_owned());
        let binary = compile(program, &options).map_err(|fault| match fault {
            // What NVRTC says of a generation that it has never heard of.
            Fault::Kernels { log, .. } if log.contains("invalid value for --gpu-architecture") => {
                Fault::OldCompiler { generation: (major, minor) }
            }
            fault => fault,
        })?;
        let loading = |error: DriverError| Fault::driver("loading kernels", &error);
        self.context.load_module(Ptx::from_binary(binary)).map_err(loading)
    }

    /// What NVRTC makes must not be newer than the driver; within one major version any two work together.
    #[allow(clippy::unused_self, reason = "the libraries are there because a GPU is")]
    fn check_versions(&self) -> Result<(), Fault> {
        let (mut driver, mut major, mut minor) = (0, 0, 0);
        // SAFETY: both calls write numbers to where they are told, which live until they return.
        let asked = unsafe {
            let driver = cudarc::driver::sys::cuDriverGetVersion(&raw mut driver).result().is_ok();
            driver && nvrtc::sys::nvrtcVersion(&raw mut major, &raw mut minor).result().is_ok()
        };
        let compiler = major * 1000 + minor * 10;
        if asked && driver / 1000 < major { Err(Fault::OldDriver { driver, compiler }) } else { Ok(()) }
    }

    /// Copies numbers to the GPU.
    ///
    /// # Errors
    /// If its memory is full, or the driver fails.
    pub fn upload<T: DeviceRepr>(&self, list: &[T]) -> Result<CudaSlice<T>, Fault> {
        let copied = self.stream.clone_htod(list);
        copied.map_err(|error| self.memory_fault("copying to it", size_of_val(list) as u64, error))
    }

    /// Writes numbers into a buffer on the GPU, from a place on.
    ///
    /// # Errors
    /// If the driver fails.
    ///
    /// # Panics
    /// If they do not fit there.
    pub fn write<T: DeviceRepr>(
        &self,
        buffer: &mut CudaSlice<T>,
        place: usize,
        list: &[T],
    ) -> Result<(), Fault> {
        let mut room = buffer.slice_mut(place..place + list.len());
        self.stream.memcpy_htod(list, &mut room).map_err(|error| Fault::driver("copying to it", &error))
    }

    /// Copies numbers from the GPU, after everything before has been done.
    ///
    /// # Errors
    /// If the driver fails; a kernel's failure shows here.
    pub fn download<T: DeviceRepr, S: DevicePtr<T>>(&self, list: &S) -> Result<Vec<T>, Fault> {
        self.stream.clone_dtoh(list).map_err(|error| Fault::driver("copying from it", &error))
    }

    /// Room for numbers that are 0.
    ///
    /// # Errors
    /// If the GPU's memory is full, or the driver fails.
    pub fn zeros<T: DeviceRepr + ValidAsZeroBits>(&self, count: usize) -> Result<CudaSlice<T>, Fault> {
        let room = self.stream.alloc_zeros(count);
        room.map_err(|error| self.memory_fault("asking for memory", (count * size_of::<T>()) as u64, error))
    }

    /// Waits until everything has been done.
    ///
    /// # Errors
    /// If something failed.
    pub fn wait(&self) -> Result<(), Fault> {
        self.stream.synchronize().map_err(|error| Fault::driver("running kernels", &error))
    }

    /// What to say of a failed request for memory.
    fn memory_fault(&self, doing: &str, wanted: u64, error: DriverError) -> Fault {
        if is_out_of_memory(&error) {
            Fault::Full { wanted, free: self.free_memory() }
        } else {
            Fault::driver(doing, &error)
        }
    }
}

/// A program of NVRTC's that is freed in the end.
struct Compilation(nvrtc::sys::nvrtcProgram);

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: it was created and not yet destroyed; nothing is left to do if that fails.
        let _ = unsafe { nvrtc::result::destroy_program(self.0) };
    }
}

/// From source to the GPU's own instructions, so that the driver has nothing left to translate.
fn compile(program: &Program, options: &[String]) -> Result<Vec<u8>, Fault> {
    let failed = |log: String| Fault::Kernels { name: program.name.to_owned(), log };
    let [source, name] = [program.source, program.name]
        .map(|text| CString::new(text).map_err(|_| failed("a zero byte in the source".to_owned())));
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
    // SAFETY: as above; the size is written to where it lives.
    let sized = unsafe { nvrtc::sys::nvrtcGetCUBINSize(compilation.0, &raw mut size) }.result();
    sized.map_err(|error| failed(error.to_string()))?;
    let mut binary = vec![0u8; size];
    // SAFETY: as above; the buffer has the size that was just asked for.
    let copied = unsafe { nvrtc::sys::nvrtcGetCUBIN(compilation.0, binary.as_mut_ptr().cast::<c_char>()) };
    copied.result().map_err(|error| failed(error.to_string()))?;
    Ok(binary)
}
