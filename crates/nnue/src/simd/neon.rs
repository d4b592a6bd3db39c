//! Vectors of 128 bits, which every 64-bit ARM CPU has.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_u32, vandq_u32, vcombine_s8, vcombine_u16,
    vdupq_n_s16, vdupq_n_s32, vget_low_s8, vget_low_s16, vget_low_u16, vld1q_s16, vld1q_u32, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmovn_s16, vmull_high_s8, vmull_high_s16, vmull_high_u16, vmull_s8,
    vmull_s16, vmull_u16, vnegq_s16, vpadalq_s16, vpaddq_s16, vpaddq_s32, vqdmulhq_s16, vreinterpretq_s8_s16,
    vreinterpretq_s16_s8, vreinterpretq_s16_s32, vreinterpretq_s16_u16, vreinterpretq_u16_s16,
    vreinterpretq_u32_s16, vshlq_n_s16, vshrn_n_u32, vst1q_s16, vsubq_s16, vtstq_u32,
};

use super::{sparse, words};
use crate::layers::{CHUNKS, Scratch, Stack};
use crate::network::Row;
use crate::shape::layered::PRODUCT_SHIFT;
use crate::shape::{FIRST_LAYER, SECOND_LAYER, SQUARE_SHIFT, UNIT_ONE};

type Vector = int16x8_t;

// SAFETY: all bit patterns are vectors.
const NO_SUM: int32x4_t = unsafe { std::mem::zeroed() };

#[target_feature(enable = "neon")]
#[inline]
fn load(row: &Row, part: usize) -> Vector {
    let numbers: &[i16; 8] = &row.0.as_chunks().0[part];
    // SAFETY: 16 bytes of a row.
    unsafe { vld1q_s16(numbers.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn store(row: &mut Row, part: usize, vector: Vector) {
    let numbers: &mut [i16; 8] = &mut row.0.as_chunks_mut().0[part];
    // SAFETY: 16 bytes of a row.
    unsafe { vst1q_s16(numbers.as_mut_ptr(), vector) }
}

#[target_feature(enable = "neon")]
#[inline]
fn add(a: Vector, b: Vector) -> Vector {
    vaddq_s16(a, b)
}

#[target_feature(enable = "neon")]
#[inline]
fn subtract(a: Vector, b: Vector) -> Vector {
    vsubq_s16(a, b)
}

/// Clips and squares, as `network::activation` does.
#[target_feature(enable = "neon")]
#[inline]
fn activate(units: Vector) -> Vector {
    let clipped = vminq_s16(vmaxq_s16(units, vdupq_n_s16(0)), vdupq_n_s16(UNIT_ONE as i16));
    let shifted = vreinterpretq_u16_s16(vshlq_n_s16::<{ SQUARE_SHIFT as i32 }>(clipped));
    let low = vshrn_n_u32::<16>(vmull_u16(vget_low_u16(shifted), vget_low_u16(shifted)));
    let high = vshrn_n_u32::<16>(vmull_high_u16(shifted, shifted));
    vreinterpretq_s16_u16(vcombine_u16(low, high))
}

/// Adds two products to each 32-bit sum, not those of neighbours.
#[target_feature(enable = "neon")]
#[inline]
fn dot(sum: int32x4_t, a: Vector, b: Vector) -> int32x4_t {
    vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b)
}

#[target_feature(enable = "neon")]
#[inline]
fn spread(sum: int32x4_t) -> [i32; 4] {
    // SAFETY: both are 16 bytes that may hold anything.
    unsafe { std::mem::transmute(sum) }
}

/// Clips and multiplies, as `layers::product` does.
#[target_feature(enable = "neon")]
#[inline]
fn multiply(a: Vector, b: Vector) -> Vector {
    let clip = |units| vminq_s16(vmaxq_s16(units, vdupq_n_s16(0)), vdupq_n_s16(UNIT_ONE as i16));
    // The instruction doubles, and shifts right by 16.
    vqdmulhq_s16(vshlq_n_s16::<{ 15 - PRODUCT_SHIFT as i32 }>(clip(a)), clip(b))
}

/// The numbers of two vectors as bytes, in their order, with the other sign: -128 is a signed byte, 128 is not.
#[target_feature(enable = "neon")]
#[inline]
fn narrow(low: Vector, high: Vector) -> Vector {
    let negative = |numbers| vmovn_s16(vnegq_s16(numbers));
    vreinterpretq_s16_s8(vcombine_s8(negative(low), negative(high)))
}

/// Appends the chunks of a vector that are not zero to a list.
#[target_feature(enable = "neon")]
#[inline]
fn append(list: &mut [u16], count: usize, bytes: Vector, first: usize) -> usize {
    const BITS: [u32; 4] = [1, 2, 4, 8];
    let words = vreinterpretq_u32_s16(bytes);
    // SAFETY: 16 bytes of a constant.
    let bits = unsafe { vld1q_u32(BITS.as_ptr()) };
    let set = vaddvq_u32(vandq_u32(vtstq_u32(words, words), bits)) as u8;
    sparse::append(list, count, set, first)
}

#[target_feature(enable = "neon")]
#[inline]
fn repeat(number: i32) -> Vector {
    vreinterpretq_s16_s32(vdupq_n_s32(number))
}

/// Adds the products of four neighbouring bytes to 32-bit sums.
#[target_feature(enable = "neon")]
#[inline]
fn dot_bytes(sum: int32x4_t, inputs: Vector, weights: Vector) -> int32x4_t {
    let (inputs, weights) = (vreinterpretq_s8_s16(inputs), vreinterpretq_s8_s16(weights));
    let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
    let high = vmull_high_s8(inputs, weights);
    vpadalq_s16(sum, vpaddq_s16(low, high))
}

/// Adds the products of neighbouring numbers to 32-bit sums.
#[target_feature(enable = "neon")]
#[inline]
fn dot_pairs(sum: int32x4_t, a: Vector, b: Vector) -> int32x4_t {
    vaddq_s32(sum, vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b)))
}

/// The sign of sums of `dot_bytes`, because `narrow` changes that of its inputs.
const SIGN: i32 = -1;

kernels!("neon", 4);
