//! The device code on one lane of the CPU, seen as a machine: one warp, in the CPU's memory.
#![cfg_attr(lane, allow(unsafe_code))]

use std::ops::Range;

use nnue::shape::Shape;

use super::buffer::{Buffer, HostMemory};
use super::{Machine, check_layout};
use crate::abi::{EvaluateLaunch, Launch, Layout, PerftLaunch};
use crate::error::GpuError;
use crate::lane::Lane;

/// One lane.
pub struct LaneMachine(());

impl LaneMachine {
    /// The lane, where the program has it.
    ///
    /// # Errors
    /// If it was built without a C++ compiler.
    pub fn new() -> Result<LaneMachine, GpuError> {
        // Opening it gives the device code its tables.
        Lane::open().map_err(|_| GpuError::NoLane)?;
        Ok(LaneMachine(()))
    }
}

fn host(buffer: &Buffer) -> Result<&HostMemory, GpuError> {
    match buffer {
        Buffer::Host(memory) => Ok(memory),
        Buffer::Gpu(..) => Err(GpuError::Input("this memory belongs to another device".to_owned())),
    }
}

impl Machine for LaneMachine {
    fn describe(&self) -> String {
        "one lane of the CPU".to_owned()
    }

    fn layout(&mut self, shape: Shape) -> Result<Layout, GpuError> {
        let layout = library::layout(shape);
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

    fn write(&self, buffer: &mut Buffer, place: usize, bytes: &[u8]) -> Result<(), GpuError> {
        host(buffer)?.write(place, bytes);
        Ok(())
    }

    fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u8>, GpuError> {
        Ok(host(buffer)?.read(range))
    }

    fn shortened(&self, buffer: Buffer, bytes: usize) -> Result<Buffer, GpuError> {
        let short = HostMemory::zeros(bytes);
        short.write(0, &host(&buffer)?.read(0..bytes));
        Ok(Buffer::Host(short))
    }

    fn free_memory(&self) -> u64 {
        LANE_MEMORY
    }

    fn most_nodes_per_second(&self) -> f64 {
        1e7
    }

    fn play(&mut self, shape: Shape, launch: &Launch) -> Result<(), GpuError> {
        library::play(shape, launch);
        Ok(())
    }

    fn perft(&mut self, _: Shape, launch: &PerftLaunch) -> Result<(), GpuError> {
        library::perft(launch);
        Ok(())
    }

    fn evaluate(&mut self, shape: Shape, launch: &EvaluateLaunch) -> Result<(), GpuError> {
        library::evaluate(shape, launch);
        Ok(())
    }
}

/// What the lane may use: far more than one warp can fill.
const LANE_MEMORY: u64 = 1 << 30;

#[cfg(not(lane))]
mod library {
    use super::{EvaluateLaunch, Launch, Layout, PerftLaunch, Shape};

    // Without the library no machine can be had, so nothing of this is ever called.
    pub fn layout(_: Shape) -> Layout {
        Layout::default()
    }

    pub fn play(_: Shape, _: &Launch) {}

    pub fn perft(_: &PerftLaunch) {}

    pub fn evaluate(_: Shape, _: &EvaluateLaunch) {}
}

#[cfg(lane)]
mod library {
    use super::{EvaluateLaunch, Launch, Layout, PerftLaunch, Shape};
    use crate::abi::Start;

    unsafe extern "C" {
        fn vedette_lane_layout(layout: *mut Layout, hidden: u32, king_buckets: u32);
        fn vedette_lane_play(launch: *const Launch, hidden: u32, king_buckets: u32);
        fn vedette_lane_perft(start: *const Start, depth: u32) -> u64;
        fn vedette_lane_evaluate(
            start: *const Start,
            moves: *const u16,
            count: u32,
            network: *const u32,
            hidden: u32,
            king_buckets: u32,
            values: *mut i32,
        );
    }

    /// Hidden units and king buckets.
    fn counts(shape: Shape) -> (u32, u32) {
        (shape.hidden() as u32, shape.king_buckets() as u32)
    }

    pub fn layout(shape: Shape) -> Layout {
        let (hidden, king_buckets) = counts(shape);
        let mut layout = Layout::default();
        // SAFETY: it writes the layout.
        unsafe { vedette_lane_layout(&raw mut layout, hidden, king_buckets) };
        layout
    }

    pub fn play(shape: Shape, launch: &Launch) {
        let (hidden, king_buckets) = counts(shape);
        // SAFETY: the launch's addresses are those of buffers as long as it says, which whoever launches holds.
        unsafe { vedette_lane_play(std::ptr::from_ref(launch), hidden, king_buckets) };
    }

    fn element<T>(address: u64, index: u64) -> *mut T {
        std::ptr::with_exposed_provenance_mut::<T>(address as usize).wrapping_add(index as usize)
    }

    pub fn perft(launch: &PerftLaunch) {
        for task in 0..launch.task_count {
            // SAFETY: as above; there are so many tasks and counts.
            unsafe {
                let leaves = vedette_lane_perft(element(launch.tasks, task), launch.depth as u32);
                element::<u64>(launch.counts, task).write(leaves);
            }
        }
    }

    pub fn evaluate(shape: Shape, launch: &EvaluateLaunch) {
        let (hidden, king_buckets) = counts(shape);
        for index in 0..launch.count {
            // SAFETY: as above; there are so many positions and values, and the network has this shape.
            unsafe {
                vedette_lane_evaluate(
                    element(launch.positions, index),
                    std::ptr::null(),
                    0,
                    element(launch.network, 0),
                    hidden,
                    king_buckets,
                    element(launch.values, index),
                );
            }
        }
    }
}
