//! The CPU emulation as a backend: one warp, in host memory.
#![allow(unsafe_code)]

use std::ops::Range;

use nnue::shape::Shape;

use super::buffer::{Buffer, HostMemory};
use super::{Backend, check_layout};
use crate::abi::{EvaluateLaunch, Layout, PerftLaunch, PlayLaunch};
use crate::emulation::CpuEmulation;
use crate::error::GpuError;

pub struct EmulatedBackend(CpuEmulation);

impl EmulatedBackend {
    pub fn new() -> Result<EmulatedBackend, GpuError> {
        CpuEmulation::new().map(EmulatedBackend)
    }
}

fn host(buffer: &Buffer) -> Result<&HostMemory, GpuError> {
    match buffer {
        Buffer::Host(memory) => Ok(memory),
        Buffer::Gpu(..) => Err(GpuError::ForeignMemory),
    }
}

/// What the emulation may allocate: far more than one warp can fill.
const MEMORY: u64 = 1 << 30;

impl Backend for EmulatedBackend {
    fn name(&self) -> String {
        "CPU emulation".to_owned()
    }

    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError> {
        let layout = self.0.layout(shape);
        check_layout(&layout, shape)?;
        Ok(layout)
    }

    fn warps(&mut self, _: Shape) -> Result<usize, GpuError> {
        Ok(1)
    }

    fn zeros(&self, bytes: usize) -> Result<Buffer, GpuError> {
        Ok(Buffer::Host(HostMemory::zeros(bytes)))
    }

    fn clear(&self, buffer: &mut Buffer) -> Result<(), GpuError> {
        host(buffer)?.clear();
        Ok(())
    }

    fn write(&self, buffer: &mut Buffer, offset: usize, bytes: &[u8]) -> Result<(), GpuError> {
        host(buffer)?.write(offset, bytes);
        Ok(())
    }

    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError> {
        Ok(host(buffer)?.read(range))
    }

    fn shrink(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError> {
        let short = HostMemory::zeros(bytes);
        short.write(0, &host(&buffer)?.read(0..bytes));
        Ok(Buffer::Host(short))
    }

    fn free_memory(&self) -> u64 {
        MEMORY
    }

    fn max_nodes_per_second(&self) -> f64 {
        1e7
    }

    unsafe fn play(&mut self, shape: Shape, launch: &PlayLaunch) -> Result<(), GpuError> {
        // SAFETY: as the caller promises.
        unsafe { self.0.launch_play(shape, launch) };
        Ok(())
    }

    unsafe fn perft(&mut self, _: Shape, launch: &PerftLaunch) -> Result<(), GpuError> {
        // SAFETY: as the caller promises.
        unsafe { self.0.launch_perft(launch) };
        Ok(())
    }

    unsafe fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError> {
        // SAFETY: as the caller promises.
        unsafe { self.0.launch_evaluate(shape, launch) };
        Ok(())
    }
}
