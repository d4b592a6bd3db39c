//! The portable inner loops, written row by row so that the compiler can vectorise them; CPUs other
//! than x86-64 and 64-bit ARM use these.

use crate::layers::{CHUNK, Scratch, Stack, product};
use crate::network::{ROW, Row, activation};
use crate::shape::{FIRST_LAYER, SECOND_LAYER};

pub fn update<const A: usize, const R: usize>(
    target: &mut [Row],
    source: &[Row],
    added: [&[Row]; A],
    removed: [&[Row]; R],
) {
    for (index, (target, source)) in target.iter_mut().zip(source).enumerate() {
        // A copy, of which the compiler knows that it overlaps with nothing.
        let mut units = *source;
        for rows in added {
            add(&mut units, &rows[index]);
        }
        for rows in removed {
            subtract(&mut units, &rows[index]);
        }
        *target = units;
    }
}

pub fn refresh(units: &mut [Row], target: &mut [Row], weights: &[Row], added: &[u16], removed: &[u16]) {
    let length = units.len();
    for &feature in added {
        let rows = &weights[usize::from(feature) * length..][..length];
        units.iter_mut().zip(rows).for_each(|(units, row)| add(units, row));
    }
    for &feature in removed {
        let rows = &weights[usize::from(feature) * length..][..length];
        units.iter_mut().zip(rows).for_each(|(units, row)| subtract(units, row));
    }
    target.copy_from_slice(units);
}

pub fn weigh(units: [&[Row]; 2], weights: [&[Row]; 2]) -> i64 {
    // The limits of the weights allow 32-bit sums within one lane; see `shape`.
    let mut lanes = [0_i32; ROW];
    for (units, weights) in units.into_iter().zip(weights) {
        for (units, weights) in units.iter().zip(weights) {
            for ((lane, &unit), &weight) in lanes.iter_mut().zip(&units.0).zip(&weights.0) {
                *lane += i32::from(activation(unit)) * i32::from(weight);
            }
        }
    }
    lanes.iter().map(|&sum| i64::from(sum)).sum()
}

pub fn layered(units: [&[Row]; 2], stack: &Stack, _: &mut Scratch) -> i64 {
    let mut sums = [0_i32; FIRST_LAYER];
    let mut weights = stack.first_weights.iter();
    for units in units {
        let (first, second) = units.split_at(units.len() / 2);
        for (first, second) in first.iter().zip(second) {
            let mut products = *first;
            for (unit, &other) in products.0.iter_mut().zip(&second.0) {
                *unit = product(*unit, other);
            }
            for (&inputs, row) in products.0.as_chunks::<CHUNK>().0.iter().zip(&mut weights) {
                if inputs != [0; CHUNK] {
                    add_chunk(&mut sums, inputs, row);
                }
            }
        }
    }
    let mut second = [0_i32; SECOND_LAYER];
    for (pair, rows) in stack.first_pairs(sums).into_iter().zip(&stack.second_weights) {
        let inputs = [i32::from(pair as i16), pair >> 16];
        for (sums, row) in second.as_chunks_mut::<{ ROW / 2 }>().0.iter_mut().zip(rows) {
            for (sum, weights) in sums.iter_mut().zip(row.0.as_chunks::<2>().0) {
                *sum += inputs[0] * i32::from(weights[0]) + inputs[1] * i32::from(weights[1]);
            }
        }
    }
    stack.output(&second)
}

/// Adds four inputs, multiplied by the bytes of a row, to the sums of the first layer.
#[inline(always)]
fn add_chunk(sums: &mut [i32; FIRST_LAYER], inputs: [i16; CHUNK], row: &Row) {
    let (weights, _) = row.0.as_chunks::<2>();
    for (sum, &[low, high]) in sums.iter_mut().zip(weights) {
        // Two products fit into 16 bits.
        let low = inputs[0] * i16::from(low as i8) + inputs[1] * (low >> 8);
        let high = inputs[2] * i16::from(high as i8) + inputs[3] * (high >> 8);
        *sum += i32::from(low) + i32::from(high);
    }
}

#[inline(always)]
fn add(units: &mut Row, weights: &Row) {
    units.0.iter_mut().zip(&weights.0).for_each(|(unit, &weight)| *unit = unit.wrapping_add(weight));
}

#[inline(always)]
fn subtract(units: &mut Row, weights: &Row) {
    units.0.iter_mut().zip(&weights.0).for_each(|(unit, &weight)| *unit = unit.wrapping_sub(weight));
}
