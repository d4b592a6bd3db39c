//! Vectors of 128 bits, which every 64-bit ARM CPU has.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vcombine_u16, vdupq_n_s16, vget_low_s16, vget_low_u16, vld1q_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmull_high_u16, vmull_u16, vreinterpretq_s16_u16,
    vreinterpretq_u16_s16, vshlq_n_s16, vshrn_n_u32, vst1q_s16, vsubq_s16,
};

use crate::network::Row;
use crate::shape::{SQUARE_SHIFT, UNIT_ONE};

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

/// Adds two products to each 32-bit sum.
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

kernels!("neon", 4);
