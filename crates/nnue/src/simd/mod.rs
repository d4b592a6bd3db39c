//! The network's inner loops for each SIMD instruction set, and the choice among them. All give the same integers.
//!
//! This is the only place of the crate with unsafe code: vector loads and stores, and calls of functions that
//! need instructions which not every CPU has.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod kernels;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod sparse;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::fmt;
use std::sync::OnceLock;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::layers::CHUNKS;
use crate::layers::{Scratch, Stack};
use crate::network::Row;

/// A SIMD path that this CPU supports.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SimdPath(Instructions);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Instructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Instructions {
    /// From the slowest to the fastest.
    #[cfg(target_arch = "x86_64")]
    const ALL: &[Instructions] = &[
        Instructions::Scalar,
        Instructions::Sse2,
        Instructions::Avx2,
        Instructions::Avx512,
        Instructions::Avx512Vnni,
    ];
    #[cfg(target_arch = "aarch64")]
    const ALL: &[Instructions] = &[Instructions::Scalar, Instructions::Neon];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    const ALL: &[Instructions] = &[Instructions::Scalar];

    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            Instructions::Scalar => true,
            Instructions::Sse2 => is_x86_feature_detected!("sse2"),
            Instructions::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            Instructions::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("popcnt")
            }
            Instructions::Avx512Vnni => {
                Instructions::Avx512.is_available() && is_x86_feature_detected!("avx512vnni")
            }
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn is_available(self) -> bool {
        match self {
            Instructions::Scalar => true,
            Instructions::Neon => std::arch::is_aarch64_feature_detected!("neon"),
        }
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn is_available(self) -> bool {
        matches!(self, Instructions::Scalar)
    }

    fn name(self) -> &'static str {
        match self {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => "avx512vnni",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "neon",
        }
    }
}

/// This CPU has no such path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimdPathError(String);

impl fmt::Display for SimdPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown SIMD path {:?}: expected one of", self.0)?;
        SimdPath::available().into_iter().try_for_each(|path| write!(f, " {path}"))
    }
}

impl std::error::Error for SimdPathError {}

impl SimdPath {
    /// The environment variable that selects a path, for tests and benchmarks.
    pub const VARIABLE: &str = "VEDETTE_SIMD";

    /// The paths of this CPU, from the slowest to the fastest.
    pub fn available() -> Vec<SimdPath> {
        Instructions::ALL.iter().copied().filter(|path| path.is_available()).map(SimdPath).collect()
    }

    /// The path of this name.
    ///
    /// # Errors
    /// If the name is unknown, or this CPU lacks the instructions.
    pub fn named(name: &str) -> Result<SimdPath, SimdPathError> {
        let path = SimdPath::available().into_iter().find(|path| path.0.name() == name);
        path.ok_or_else(|| SimdPathError(name.to_owned()))
    }

    /// The path that [`VARIABLE`](Self::VARIABLE) names; the fastest without it, or if it is empty.
    ///
    /// # Errors
    /// If this CPU has no such path.
    pub fn from_environment() -> Result<SimdPath, SimdPathError> {
        match std::env::var_os(SimdPath::VARIABLE).filter(|name| !name.is_empty()) {
            Some(name) => SimdPath::named(&name.to_string_lossy()),
            None => Ok(SimdPath::fastest()),
        }
    }

    /// The fastest path of this CPU.
    pub fn fastest() -> SimdPath {
        let mut paths = Instructions::ALL.iter().rev().copied().filter(|path| path.is_available());
        SimdPath(paths.next().unwrap_or(Instructions::Scalar))
    }

    /// The path of this program: [`from_environment`](Self::from_environment), read once; the fastest if
    /// the variable is invalid.
    pub fn chosen() -> SimdPath {
        static CHOSEN: OnceLock<SimdPath> = OnceLock::new();
        *CHOSEN.get_or_init(|| SimdPath::from_environment().unwrap_or_else(|_| SimdPath::fastest()))
    }
}

impl fmt::Display for SimdPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Debug for SimdPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimdPath({self})")
    }
}

/// The chunks of products, each as one integer.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn words(products: &[Row]) -> &[i32] {
    // SAFETY: a row is 64 bytes that may hold anything, and is aligned to as many.
    unsafe { std::slice::from_raw_parts(products.as_ptr().cast(), products.len() * CHUNKS) }
}

/// Calls the function in the module of a path.
macro_rules! dispatch {
    ($path:expr, $function:ident($($argument:expr),*)) => {
        match $path.0 {
            Instructions::Scalar => scalar::$function($($argument),*),
            // SAFETY: a `SimdPath` exists only if the CPU supports its instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Sse2 => unsafe { sse2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::plain::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => unsafe { avx512::vnni::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::$function($($argument),*) },
        }
    };
}

impl SimdPath {
    /// `target = source + added - removed`, unit by unit.
    #[inline]
    pub(crate) fn update<const A: usize, const R: usize>(
        self,
        target: &mut [Row],
        source: &[Row],
        added: [&[Row]; A],
        removed: [&[Row]; R],
    ) {
        dispatch!(self, update(target, source, added, removed));
    }

    /// Adds and removes any number of features in place, and copies the result to `target`. Features are
    /// the numbers of rows of `weights`, each as long as `units`.
    #[inline]
    pub(crate) fn refresh(
        self,
        units: &mut [Row],
        target: &mut [Row],
        weights: &[Row],
        added: &[u16],
        removed: &[u16],
    ) {
        dispatch!(self, refresh(units, target, weights, added, removed));
    }

    /// The weighted sum of both halves' activations.
    #[inline]
    pub(crate) fn weigh(self, units: [&[Row]; 2], weights: [&[Row]; 2]) -> i64 {
        dispatch!(self, weigh(units, weights))
    }

    /// The output's sum of a layered network without its bias.
    #[inline]
    pub(crate) fn layered(self, units: [&[Row]; 2], stack: &Stack, scratch: &mut Scratch) -> i64 {
        dispatch!(self, layered(units, stack, scratch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_is_first_and_fastest_is_last() {
        let paths = SimdPath::available();
        assert_eq!(paths[0].to_string(), "scalar");
        assert_eq!(paths.last(), Some(&SimdPath::fastest()));
        for path in paths {
            assert_eq!(SimdPath::named(&path.to_string()), Ok(path));
        }
    }

    #[test]
    fn unknown_path_is_rejected() {
        let message = SimdPath::named("abacus").unwrap_err().to_string();
        assert!(message.starts_with("unknown SIMD path \"abacus\": expected one of scalar"), "{message}");
    }
}
