//! SIMD levels. The same Rust code is compiled for each level, and the best one that the
//! CPU supports is called. All levels give bit-identical results: no fused operations, and sums in a fixed order.
#![allow(unsafe_code)]

use std::fmt;

use super::block::BlockJob;
use crate::optimizer::{Stretch, Update};
use crate::parameters::ParameterGroup;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The compilation target's.
    Baseline,
    /// This value exists only if the CPU supports it.
    #[cfg(target_arch = "x86_64")]
    Avx2(Detected),
    /// This value exists only if the CPU supports it.
    #[cfg(target_arch = "x86_64")]
    Avx512(Detected),
}

/// Only [`Level::all`] creates one, after feature detection.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detected(());

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Baseline => "portable code",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
        })
    }
}

/// Defines a method of [`Level`] with one body, compiled for every level.
macro_rules! at_every_level {
    ($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        pub fn $name(self, $($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn body($($argument: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($argument: $type),*) $(-> $result)? { body($($argument),*) }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl")]
            fn avx512($($argument: $type),*) $(-> $result)? { body($($argument),*) }
            match self {
                Level::Baseline => body($($argument),*),
                // SAFETY: the proof exists only if the CPU supports these instructions.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(_) => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(_) => unsafe { avx512($($argument),*) },
            }
        }
    };
}

impl Level {
    /// All levels of this CPU, the best one last.
    pub fn all() -> Vec<Level> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "there is one level"))]
        let mut levels = vec![Level::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                levels.push(Level::Avx2(Detected(())));
            }
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
            if wide && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                levels.push(Level::Avx512(Detected(())));
            }
        }
        levels
    }

    pub fn best() -> Level {
        Level::all().pop().unwrap_or(Level::Baseline)
    }

    at_every_level! {
        /// Processes a block of positions.
        fn run(job: &mut BlockJob) {
            job.run();
        }
    }

    at_every_level! {
        fn apply(update: &Update, group: &ParameterGroup, stretch: &mut Stretch) {
            update.apply(group, stretch);
        }
    }

    at_every_level! {
        fn add(part: &[f32], sums: &mut [f32]) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }

    /// Sums gradients in their order.
    pub fn add_up<'a>(self, buffers: impl Iterator<Item = &'a [f32]>, sums: &mut [f32]) {
        buffers.for_each(|part| self.add(part, sums));
    }
}
