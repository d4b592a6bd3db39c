//! Vectors of 512 bits, with and without the instruction that multiplies and adds in one.

use std::arch::x86_64::{
    __m512i, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi32_epi16,
    _mm512_load_si512, _mm512_maskz_compress_epi32, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epi16,
    _mm512_mulhi_epu16, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_set_epi32, _mm512_set_epi64,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi16, _mm512_store_si512,
    _mm512_sub_epi16, _mm512_test_epi32_mask,
};

use super::words;
use crate::layers::{CHUNKS, Scratch, Stack};
use crate::network::Row;
use crate::shape::layered::PRODUCT_SHIFT;
use crate::shape::{FIRST_LAYER, SECOND_LAYER, SQUARE_SHIFT, UNIT_ONE};

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

/// Clips and multiplies, as `layers::product` does, but for negative products, which `narrow` clips.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn multiply(a: Vector, b: Vector) -> Vector {
    let one = _mm512_set1_epi16(UNIT_ONE as i16);
    let a = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), one);
    _mm512_mulhi_epi16(_mm512_slli_epi16::<{ 16 - PRODUCT_SHIFT }>(a), _mm512_min_epi16(b, one))
}

/// The numbers of two vectors as bytes, in their order.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn narrow(low: Vector, high: Vector) -> Vector {
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
}

/// Appends the chunks of a vector that are not zero to a list.
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
#[inline]
fn append(list: &mut [u16], count: usize, bytes: Vector, first: usize) -> usize {
    let set = _mm512_test_epi32_mask(bytes, bytes);
    let numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    let members = _mm512_maskz_compress_epi32(set, numbers);
    let members = _mm512_cvtepi32_epi16(_mm512_add_epi32(members, _mm512_set1_epi32(first as i32)));
    if let Some(place) = list.get_mut(count..count + CHUNKS) {
        // SAFETY: the vector has as many bytes as there are places.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), members) };
    }
    count + set.count_ones() as usize
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn repeat(number: i32) -> Vector {
    _mm512_set1_epi32(number)
}

/// The sign of sums of `dot_bytes`.
const SIGN: i32 = 1;

/// For CPUs without VNNI.
pub mod plain {
    use std::arch::x86_64::{_mm512_add_epi32, _mm512_madd_epi16, _mm512_maddubs_epi16, _mm512_set1_epi16};

    use super::{
        CHUNKS, FIRST_LAYER, NO_SUM, Row, SECOND_LAYER, SIGN, Scratch, Stack, Vector, activate, add, append,
        load, multiply, narrow, repeat, spread, store, subtract, words,
    };

    /// Adds the products of neighbouring numbers to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
        _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
    }

    /// Adds the products of four neighbouring bytes to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn dot_bytes(sum: Vector, inputs: Vector, weights: Vector) -> Vector {
        let pairs = _mm512_maddubs_epi16(inputs, weights);
        _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
    }

    use dot as dot_pairs;

    kernels!("avx512f,avx512bw,popcnt", 1);
}

/// For CPUs with VNNI.
pub mod vnni {
    use std::arch::x86_64::{_mm512_dpbusd_epi32, _mm512_dpwssd_epi32};

    use super::{
        CHUNKS, FIRST_LAYER, NO_SUM, Row, SECOND_LAYER, SIGN, Scratch, Stack, Vector, activate, add, append,
        load, multiply, narrow, repeat, spread, store, subtract, words,
    };

    /// Adds the products of neighbouring numbers to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
        _mm512_dpwssd_epi32(sum, a, b)
    }

    /// Adds the products of four neighbouring bytes to 32-bit sums.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn dot_bytes(sum: Vector, inputs: Vector, weights: Vector) -> Vector {
        _mm512_dpbusd_epi32(sum, inputs, weights)
    }

    use dot as dot_pairs;

    kernels!("avx512f,avx512bw,avx512vnni,popcnt", 1);
}
