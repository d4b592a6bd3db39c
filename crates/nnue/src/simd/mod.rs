//! The network's inner loops, written for each kind of vector instructions, and the choice among them. All
//! of them give the same integers.
//!
//! This is the only place of the crate with unsafe code: vector loads and stores, and calls of functions that
//! need instructions which not every CPU has.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod kernels;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::fmt;
use std::sync::OnceLock;

use crate::network::Row;

/// One way to compute, which this CPU is able to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Path(Instructions);

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
    #[cfg(not(target_arch = "x86_64"))]
    const ALL: &[Instructions] = &[Instructions::Scalar];

    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            Instructions::Scalar => true,
            Instructions::Sse2 => is_x86_feature_detected!("sse2"),
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            Instructions::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            Instructions::Avx512Vnni => {
                Instructions::Avx512.is_available() && is_x86_feature_detected!("avx512vnni")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
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
        }
    }
}

/// There is no such path on this CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathError(String);

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no instructions {:?} here; there are", self.0)?;
        Path::available().into_iter().try_for_each(|path| write!(f, " {path}"))
    }
}

impl std::error::Error for PathError {}

impl Path {
    /// The environment variable that forces a path, for tests and measurements.
    pub const VARIABLE: &str = "VEDETTE_SIMD";

    /// The paths of this CPU, from the slowest to the fastest.
    pub fn available() -> Vec<Path> {
        Instructions::ALL.iter().copied().filter(|path| path.is_available()).map(Path).collect()
    }

    /// The path of this name.
    ///
    /// # Errors
    /// If there is none, or this CPU lacks its instructions.
    pub fn named(name: &str) -> Result<Path, PathError> {
        let path = Path::available().into_iter().find(|path| path.0.name() == name);
        path.ok_or_else(|| PathError(name.to_owned()))
    }

    /// The path that [`VARIABLE`](Self::VARIABLE) names; the fastest without it, or if it is empty.
    ///
    /// # Errors
    /// If it names none of this CPU's.
    pub fn from_environment() -> Result<Path, PathError> {
        match std::env::var_os(Path::VARIABLE).filter(|name| !name.is_empty()) {
            Some(name) => Path::named(&name.to_string_lossy()),
            None => Ok(Path::fastest()),
        }
    }

    /// The fastest path of this CPU.
    pub fn fastest() -> Path {
        let mut paths = Instructions::ALL.iter().rev().copied().filter(|path| path.is_available());
        Path(paths.next().unwrap_or(Instructions::Scalar))
    }

    /// The path of this program: [`from_environment`](Self::from_environment), asked once; the fastest if
    /// the variable is wrong.
    pub fn chosen() -> Path {
        static CHOSEN: OnceLock<Path> = OnceLock::new();
        *CHOSEN.get_or_init(|| Path::from_environment().unwrap_or_else(|_| Path::fastest()))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

/// Calls the same function of the module that a path stands for.
macro_rules! dispatch {
    ($path:expr, $function:ident($($argument:expr),*)) => {
        match $path.0 {
            Instructions::Scalar => scalar::$function($($argument),*),
            // SAFETY: a `Path` is made only after the CPU was asked for its instructions.
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
        }
    };
}

impl Path {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scalar_path_is_always_there_and_the_last_is_the_fastest() {
        let paths = Path::available();
        assert_eq!(paths[0].to_string(), "scalar");
        assert_eq!(paths.last(), Some(&Path::fastest()));
        for path in paths {
            assert_eq!(Path::named(&path.to_string()), Ok(path));
        }
    }

    #[test]
    fn an_unknown_path_is_refused_with_the_known_ones() {
        let message = Path::named("abacus").unwrap_err().to_string();
        assert!(message.starts_with("no instructions \"abacus\" here; there are scalar"), "{message}");
    }
}
