//! The C interface of `device/cpu.cpp`, declared once. Without a C++ compiler a [`EmulationLibrary`] cannot exist, so that no
//! function here can be called.
#![allow(unsafe_code)]

use crate::abi::{DevicePosition, Layout, LookupTables, NodeLimits, PlayLaunch};

/// Proof that the emulation was linked and initialised.
#[cfg(cpu_emulation)]
#[derive(Clone, Copy, Debug)]
pub struct EmulationLibrary(());

/// Uninhabited: the program was built without a C++ compiler.
#[cfg(not(cpu_emulation))]
#[derive(Clone, Copy, Debug)]
pub enum EmulationLibrary {}

impl EmulationLibrary {
    /// The library, initialised; `None` if it was not built.
    #[allow(clippy::unnecessary_wraps, reason = "it is None without a C++ compiler")]
    pub fn load() -> Option<EmulationLibrary> {
        #[cfg(cpu_emulation)]
        {
            static INIT: std::sync::Once = std::sync::Once::new();
            let library = EmulationLibrary(());
            // SAFETY: the tables are leaked, so they stay valid; `call_once` orders this before every other call.
            INIT.call_once(|| unsafe { library.init(Box::leak(LookupTables::new())) });
            Some(library)
        }
        #[cfg(not(cpu_emulation))]
        None
    }
}

macro_rules! interface {
    ($($(#[$meta:meta])* fn $name:ident = $symbol:literal ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        #[cfg(cpu_emulation)]
        mod symbols {
            use super::{DevicePosition, PlayLaunch, Layout, NodeLimits, LookupTables};

            unsafe extern "C" {
                $(#[link_name = $symbol] pub fn $name($($argument: $type),*) $(-> $result)?;)*
            }
        }

        impl EmulationLibrary {
            $(
                $(#[$meta])*
                ///
                /// # Safety
                /// Pointers must be valid for what the function reads and writes.
                #[cfg_attr(cpu_emulation, allow(clippy::too_many_arguments, reason = "a C function"))]
                #[cfg_attr(not(cpu_emulation), allow(dead_code, unused_variables, clippy::too_many_arguments))]
                pub unsafe fn $name(self, $($argument: $type),*) $(-> $result)? {
                    #[cfg(cpu_emulation)]
                    // SAFETY: as the caller promises.
                    unsafe { symbols::$name($($argument),*) }
                    #[cfg(not(cpu_emulation))]
                    match self {}
                }
            )*
        }
    };
}

interface! {
    /// Sets the lookup tables; must come before all other calls. They are never freed.
    fn init = "vedette_cpu_init" (lookup: *const LookupTables);
    /// Writes one layout.
    fn layout = "vedette_cpu_layout" (layout: *mut Layout, hidden: u32, king_buckets: u32);
    /// Runs the kernel `play`. Addresses of the launch must be those of buffers as long as it and the layout say.
    fn play = "vedette_cpu_play" (launch: *const PlayLaunch, hidden: u32, king_buckets: u32);
    /// Counts leaves up to [`MAX_PERFT_DEPTH`](crate::context::MAX_PERFT_DEPTH).
    fn perft = "vedette_cpu_perft" (start: *const DevicePosition, depth: u32) -> u64;
    /// Writes up to 256 legal moves.
    fn moves = "vedette_cpu_moves" (start: *const DevicePosition, threshold: i32, moves: *mut u32) -> u32;
    /// Plays `count` legal moves and writes the final position.
    fn make = "vedette_cpu_make" (
        start: *const DevicePosition,
        moves: *const u16,
        count: u32,
        end: *mut DevicePosition,
    ) -> u32;
    /// Reads `count` legal moves and a network of the shape, and writes `count + 1` values.
    fn evaluate = "vedette_cpu_evaluate" (
        start: *const DevicePosition,
        moves: *const u16,
        count: u32,
        network: *const u32,
        hidden: u32,
        king_buckets: u32,
        values: *mut i32,
    );
    /// Reads a network of the shape and all search parameters, and writes move, score, depth and nodes.
    fn search = "vedette_cpu_search" (
        start: *const DevicePosition,
        network: *const u32,
        parameters: *const i32,
        limits: *const NodeLimits,
        hidden: u32,
        king_buckets: u32,
        result: *mut i32,
    );
}
