//! Vectors of 256 bits.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_load_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_movemask_ps,
    _mm256_mulhi_epi16, _mm256_mulhi_epu16, _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_si256, _mm256_sub_epi16,
};

use super::{sparse, words};
use crate::layers::{CHUNKS, Scratch, Stack};
use crate::network::Row;
use crate::shape::layered::PRODUCT_SHIFT;
use crate::shape::{FIRST_LAYER, SECOND_LAYER, SQUARE_SHIFT, UNIT_ONE};

type Vector = __m256i;

// SAFETY: all bit patterns are vectors.
const NO_SUM: Vector = unsafe { std::mem::zeroed() };

#[target_feature(enable = "avx2")]
#[inline]
fn load(row: &Row, part: usize) -> Vector {
    let numbers: &[i16; 16] = &row.0.as_chunks().0[part];
    // SAFETY: 32 bytes of a row, which is aligned to 64.
    unsafe { _mm256_load_si256(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(row: &mut Row, part: usize, vector: Vector) {
    let numbers: &mut [i16; 16] = &mut row.0.as_chunks_mut().0[part];
    // SAFETY: 32 bytes of a row, which is aligned to 64.
    unsafe { _mm256_store_si256(numbers.as_mut_ptr().cast(), vector) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn add(a: Vector, b: Vector) -> Vector {
    _mm256_add_epi16(a, b)
}

#[target_feature(enable = "avx2")]
#[inline]
fn subtract(a: Vector, b: Vector) -> Vector {
    _mm256_sub_epi16(a, b)
}

/// Clips and squares, as `network::activation` does.
#[target_feature(enable = "avx2")]
#[inline]
fn activate(units: Vector) -> Vector {
    let clipped =
        _mm256_min_epi16(_mm256_max_epi16(units, _mm256_setzero_si256()), _mm256_set1_epi16(UNIT_ONE as i16));
    let shifted = _mm256_slli_epi16::<{ SQUARE_SHIFT as i32 }>(clipped);
    _mm256_mulhi_epu16(shifted, shifted)
}

/// Adds the products of neighbouring numbers to 32-bit sums.
#[target_feature(enable = "avx2")]
#[inline]
fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
    _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
}

#[target_feature(enable = "avx2")]
#[inline]
fn spread(sum: Vector) -> [i32; 8] {
    // SAFETY: both are 32 bytes that may hold anything.
    unsafe { std::mem::transmute(sum) }
}

/// Clips and multiplies, as `layers::product` does, but for negative products, which `narrow` clips.
#[target_feature(enable = "avx2")]
#[inline]
fn multiply(a: Vector, b: Vector) -> Vector {
    let one = _mm256_set1_epi16(UNIT_ONE as i16);
    let a = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), one);
    _mm256_mulhi_epi16(_mm256_slli_epi16::<{ 16 - PRODUCT_SHIFT as i32 }>(a), _mm256_min_epi16(b, one))
}

/// The numbers of two vectors as bytes, in their order.
#[target_feature(enable = "avx2")]
#[inline]
fn narrow(low: Vector, high: Vector) -> Vector {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high))
}

/// Appends the chunks of a vector that are not zero to a list.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn append(list: &mut [u16], count: usize, bytes: Vector, first: usize) -> usize {
    let zeros = _mm256_cmpeq_epi32(bytes, _mm256_setzero_si256());
    let set = !_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u8;
    sparse::append(list, count, set, first)
}

#[target_feature(enable = "avx2")]
#[inline]
fn repeat(number: i32) -> Vector {
    _mm256_set1_epi32(number)
}

/// Adds the products of four neighbouring bytes to 32-bit sums.
#[target_feature(enable = "avx2")]
#[inline]
fn dot_bytes(sum: Vector, inputs: Vector, weights: Vector) -> Vector {
    let pairs = _mm256_maddubs_epi16(inputs, weights);
    _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

/// The sign of sums of `dot_bytes`.
const SIGN: i32 = 1;

use dot as dot_pairs;

kernels!("avx2,popcnt", 2);
