//! Vectors of 512 bits, with and without the instruction that multiplies and adds in one.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_load_si512, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epu16,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_slli_epi16, _mm512_store_si512, _mm512_sub_epi16,
};

use crate::network::Row;
use crate::shape::{SQUARE_SHIFT, UNIT_ONE};

type Vector = __m512i;

// SAFETY: all bit patterns are vectors.
const NO_SUM: Vector = unsafe { std::mem::zeroed() };

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(row: &Row, _part: usize) -> Vector {
    // SAFETY: a row has 64 bytes, and is aligned to as many.
    unsafe { _mm512_load_si512(row.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store(row: &mut Row, _part: usize, vector: Vector) {
    // SAFETY: a row has 64 bytes, and is aligned to as many.
    unsafe { _mm512_store_si512(row.0.as_mut_ptr().cast(), vector) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn add(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi16(a, b)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn subtract(a: Vector, b: Vector) -> Vector {
    _mm512_sub_epi16(a, b)
}

/// Clips and squares, as `network::activation` does.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn activate(units: Vector) -> Vector {
    let positive = _mm512_max_epi16(units, _mm512_setzero_si512());
    let clipped = _mm512_min_epi16(positive, _mm512_set1_epi16(UNIT_ONE as i16));
    let shifted = _mm512_slli_epi16::<SQUARE_SHIFT>(clipped);
    _mm512_mulhi_epu16(shifted, shifted)
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn spread(sum: Vector) -> [i32; 16] {
    // SAFETY: both are 64 bytes that may hold anything.
    unsafe { std::mem::transmute(sum) }
}

/// For CPUs without VNNI.
pub mod plain {
    use std::arch::x86_64::{_mm512_add_epi32, _mm512_madd_epi16};

    use super::{NO_SUM, Row, Vector, activate, add, load, spread, store, subtract};

    /// Adds the products of neighbouring numbers to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
        _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
    }

    kernels!("avx512f,avx512bw", 1);
}

/// For CPUs with VNNI.
pub mod vnni {
    use std::arch::x86_64::_mm512_dpwssd_epi32;

    use super::{NO_SUM, Row, Vector, activate, add, load, spread, store, subtract};

    /// Adds the products of neighbouring numbers to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
        _mm512_dpwssd_epi32(sum, a, b)
    }

    kernels!("avx512f,avx512bw,avx512vnni", 1);
}
