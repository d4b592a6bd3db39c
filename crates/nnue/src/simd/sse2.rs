//! Vectors of 128 bits, which every x86-64 CPU has.

use std::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_add_epi32, _mm_and_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_load_si128,
    _mm_madd_epi16, _mm_max_epi16, _mm_min_epi16, _mm_movemask_ps, _mm_mulhi_epi16, _mm_mulhi_epu16,
    _mm_packus_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_slli_epi16, _mm_srai_epi16,
    _mm_srli_epi16, _mm_store_si128, _mm_sub_epi16,
};

use super::{sparse, words};
use crate::layers::{CHUNKS, Scratch, Stack};
use crate::network::Row;
use crate::shape::layered::PRODUCT_SHIFT;
use crate::shape::{FIRST_LAYER, SECOND_LAYER, SQUARE_SHIFT, UNIT_ONE};

type Vector = __m128i;

// SAFETY: all bit patterns are vectors.
const NO_SUM: Vector = unsafe { std::mem::zeroed() };

#[target_feature(enable = "sse2")]
#[inline]
fn load(row: &Row, part: usize) -> Vector {
    let numbers: &[i16; 8] = &row.0.as_chunks().0[part];
    // SAFETY: 16 bytes of a row, which is aligned to 64.
    unsafe { _mm_load_si128(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn store(row: &mut Row, part: usize, vector: Vector) {
    let numbers: &mut [i16; 8] = &mut row.0.as_chunks_mut().0[part];
    // SAFETY: 16 bytes of a row, which is aligned to 64.
    unsafe { _mm_store_si128(numbers.as_mut_ptr().cast(), vector) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn add(a: Vector, b: Vector) -> Vector {
    _mm_add_epi16(a, b)
}

#[target_feature(enable = "sse2")]
#[inline]
fn subtract(a: Vector, b: Vector) -> Vector {
    _mm_sub_epi16(a, b)
}

/// Clips and squares, as `network::activation` does.
#[target_feature(enable = "sse2")]
#[inline]
fn activate(units: Vector) -> Vector {
    let clipped = _mm_min_epi16(_mm_max_epi16(units, _mm_setzero_si128()), _mm_set1_epi16(UNIT_ONE as i16));
    let shifted = _mm_slli_epi16::<{ SQUARE_SHIFT as i32 }>(clipped);
    _mm_mulhi_epu16(shifted, shifted)
}

/// Adds the products of neighbouring numbers to 32-bit sums.
#[target_feature(enable = "sse2")]
#[inline]
fn dot(sum: Vector, a: Vector, b: Vector) -> Vector {
    _mm_add_epi32(sum, _mm_madd_epi16(a, b))
}

#[target_feature(enable = "sse2")]
#[inline]
fn spread(sum: Vector) -> [i32; 4] {
    // SAFETY: both are 16 bytes that may hold anything.
    unsafe { std::mem::transmute(sum) }
}

/// Clips and multiplies, as `layers::product` does, but for negative products, which `narrow` clips.
#[target_feature(enable = "sse2")]
#[inline]
fn multiply(a: Vector, b: Vector) -> Vector {
    let one = _mm_set1_epi16(UNIT_ONE as i16);
    let a = _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), one);
    _mm_mulhi_epi16(_mm_slli_epi16::<{ 16 - PRODUCT_SHIFT as i32 }>(a), _mm_min_epi16(b, one))
}

/// The numbers of two vectors as bytes, in their order.
#[target_feature(enable = "sse2")]
#[inline]
fn narrow(low: Vector, high: Vector) -> Vector {
    _mm_packus_epi16(low, high)
}

/// Appends the chunks of a vector that are not zero to a list.
#[target_feature(enable = "sse2")]
#[inline]
fn append(list: &mut [u16], count: usize, bytes: Vector, first: usize) -> usize {
    let zeros = _mm_cmpeq_epi32(bytes, _mm_setzero_si128());
    let set = !_mm_movemask_ps(_mm_castsi128_ps(zeros)) as u8 & 0b1111;
    sparse::append(list, count, set, first)
}

#[target_feature(enable = "sse2")]
#[inline]
fn repeat(number: i32) -> Vector {
    _mm_set1_epi32(number)
}

/// Adds the products of four neighbouring bytes to 32-bit sums.
#[target_feature(enable = "sse2")]
#[inline]
fn dot_bytes(sum: Vector, inputs: Vector, weights: Vector) -> Vector {
    // Even and odd bytes as 16-bit numbers.
    let even = _mm_madd_epi16(
        _mm_and_si128(inputs, _mm_set1_epi16(0xff)),
        _mm_srai_epi16::<8>(_mm_slli_epi16::<8>(weights)),
    );
    let odd = _mm_madd_epi16(_mm_srli_epi16::<8>(inputs), _mm_srai_epi16::<8>(weights));
    _mm_add_epi32(sum, _mm_add_epi32(even, odd))
}

/// The sign of sums of `dot_bytes`.
const SIGN: i32 = 1;

use dot as dot_pairs;

kernels!("sse2", 4);
