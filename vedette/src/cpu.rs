//! A native build (`make`, `-C target-cpu=native`) must not die with SIGILL on another CPU: it reports the missing features
//! and exits.
//!
//! The check runs before everything else, even before Rust's runtime, because the compiler may use any instruction of
//! that CPU wherever it likes. So it is limited to integers and two calls of the C library, and it asks the CPU itself:
//! `is_x86_feature_detected!` is a constant for features that the compiler may assume.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![allow(unsafe_code)]

use std::arch::x86_64::{__cpuid, __cpuid_count};

// SAFETY: the loader calls the functions of this section, the lowest number first, before `main`. This one needs
// nothing that is set up later.
#[used]
#[unsafe(link_section = ".init_array.00000")]
static BEFORE_MAIN: extern "C" fn() = check;

extern "C" fn check() {
    if !is_supported() {
        // SAFETY: ends the process at once; there is nothing to clean up yet.
        unsafe { libc::_exit(1) }
    }
}

/// Whether this CPU has every feature that the compiler could use. If not, one line on stderr says which are missing.
#[inline(never)]
fn is_supported() -> bool {
    let (highest, highest_extended) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    let basic = __cpuid(1).ecx;
    let (structured_b, structured_c) = if highest >= 7 {
        let leaf = __cpuid_count(7, 0);
        (leaf.ebx, leaf.ecx)
    } else {
        (0, 0)
    };
    let extended = if highest_extended >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The operating system must save the wide registers as well.
    let wide = basic >> 27 & 1;
    let mut supported = true;
    macro_rules! check {
        ($($name:literal: $present:expr,)*) => {
            $(if cfg!(target_feature = $name) && $present & 1 == 0 {
                print(if supported { "vedette: built for another CPU, missing here: " } else { " " });
                print($name);
                supported = false;
            })*
        };
    }
    check! {
        "sse3": basic,
        "pclmulqdq": basic >> 1,
        "ssse3": basic >> 9,
        "fma": basic >> 12,
        "sse4.1": basic >> 19,
        "sse4.2": basic >> 20,
        "movbe": basic >> 22,
        "popcnt": basic >> 23,
        "aes": basic >> 25,
        "avx": basic >> 28 & wide,
        "f16c": basic >> 29 & wide,
        "bmi1": structured_b >> 3,
        "avx2": structured_b >> 5 & wide,
        "bmi2": structured_b >> 8,
        "avx512f": structured_b >> 16 & wide,
        "avx512dq": structured_b >> 17 & wide,
        "adx": structured_b >> 19,
        "avx512ifma": structured_b >> 21 & wide,
        "avx512cd": structured_b >> 28 & wide,
        "sha": structured_b >> 29,
        "avx512bw": structured_b >> 30 & wide,
        "avx512vl": structured_b >> 31 & wide,
        "avx512vbmi": structured_c >> 1 & wide,
        "avx512vbmi2": structured_c >> 6 & wide,
        "gfni": structured_c >> 8,
        "vaes": structured_c >> 9 & wide,
        "vpclmulqdq": structured_c >> 10 & wide,
        "avx512vnni": structured_c >> 11 & wide,
        "avx512bitalg": structured_c >> 12 & wide,
        "avx512vpopcntdq": structured_c >> 14 & wide,
        "lzcnt": extended >> 5,
    }
    if !supported {
        print("; build it on this machine, or use a portable build (make portable)\n");
    }
    supported
}

/// Prints a piece of the line.
#[inline(never)]
fn print(text: &str) {
    // SAFETY: pointer and length are those of the slice. A closed stderr is ignored.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_cpu_has_what_the_compiler_used() {
        assert!(super::is_supported());
    }
}
