//! Memory for the table: zeroed, on huge pages where available. One of the few modules with `unsafe` code.
#![allow(unsafe_code)]

use super::Cluster;
use crate::room::available_memory;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;

/// A zeroed slice of clusters.
pub(super) struct Memory {
    clusters: NonNull<Cluster>,
    count: usize,
}

// SAFETY: the memory is owned by this value alone, and clusters consist of atomics.
unsafe impl Send for Memory {}
// SAFETY: as above; shared access goes through atomics.
unsafe impl Sync for Memory {}

impl Memory {
    /// This many zeroed clusters, or `None` if there is not enough memory. `freed` bytes are about to be freed. Only address
    /// space is reserved: pages become memory when they are touched.
    pub(super) fn zeroed(count: usize, freed: usize) -> Option<Memory> {
        let bytes = count.checked_mul(size_of::<Cluster>()).filter(|&bytes| bytes > 0)?;
        if available_memory().is_some_and(|available| bytes as u64 > available + freed as u64) {
            return None;
        }
        let clusters = NonNull::new(system::allocate(bytes)?.cast())?;
        Some(Memory { clusters, count })
    }

    /// Prefetches a cluster.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        debug_assert!(index < self.count);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing; any address is allowed.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.clusters.as_ptr().wrapping_add(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

impl Deref for Memory {
    type Target = [Cluster];

    #[inline(always)]
    fn deref(&self) -> &[Cluster] {
        // SAFETY: the pointer is to `count` clusters that live as long as this value, aligned to a page,
        // and zero is a valid value of their atomics.
        unsafe { slice::from_raw_parts(self.clusters.as_ptr(), self.count) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        system::release(self.clusters.as_ptr().cast(), self.count * size_of::<Cluster>());
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::ptr;

    const HUGE_PAGE: usize = 2 << 20;

    /// Maps whole huge pages and advises the system to use them; new pages are zero.
    pub(super) fn allocate(bytes: usize) -> Option<*mut u8> {
        let bytes = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new anonymous mapping touches no existing memory.
        let address = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
        if address == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the range was just mapped. Advice that is refused changes nothing; Miri does not know it.
        #[cfg(not(miri))]
        unsafe {
            libc::madvise(address, bytes, libc::MADV_HUGEPAGE)
        };
        Some(address.cast())
    }

    pub(super) fn release(address: *mut u8, bytes: usize) {
        // SAFETY: the range is the one that `allocate` mapped, and nothing refers to it.
        unsafe { libc::munmap(address.cast(), bytes.next_multiple_of(HUGE_PAGE)) };
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, 4096).ok()
    }

    pub(super) fn allocate(bytes: usize) -> Option<*mut u8> {
        // SAFETY: the caller never asks for zero bytes.
        Some(unsafe { alloc_zeroed(layout(bytes)?) })
    }

    pub(super) fn release(address: *mut u8, bytes: usize) {
        if let Some(layout) = layout(bytes) {
            // SAFETY: the range was allocated with the same layout, and nothing refers to it.
            unsafe { dealloc(address, layout) };
        }
    }
}
