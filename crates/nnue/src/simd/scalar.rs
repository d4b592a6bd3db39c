//! The portable inner loops, written row by row so that the compiler can vectorise them; CPUs other
//! than x86-64 and 64-bit ARM use these.

use crate::network::{ROW, Row, activation};

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

#[inline(always)]
fn add(units: &mut Row, weights: &Row) {
    units.0.iter_mut().zip(&weights.0).for_each(|(unit, &weight)| *unit = unit.wrapping_add(weight));
}

#[inline(always)]
fn subtract(units: &mut Row, weights: &Row) {
    units.0.iter_mut().zip(&weights.0).for_each(|(unit, &weight)| *unit = unit.wrapping_sub(weight));
}
