//! Forward and backward pass of a block of positions, one column of hidden units at a time: the part that all heads share, and
//! the single output layer.

use nnue::shape::{Head, Shape};

use super::layered::FirstLayer;
use super::layout::{COLUMN, Column, ParameterLayout};
use super::level::Level;
use crate::example::Example;
use crate::inputs::{Active, InputTable, PERSPECTIVES};
use crate::loss::Loss;

/// Positions per block: their units fit into a core's cache beside a column's weights.
pub const BLOCK: usize = 128;

/// Buffers of one thread.
pub struct Worker {
    positions: Vec<BlockPosition>,
    /// Before clipping, by column, position and perspective.
    units: Vec<Column>,
    /// First layer of a layered head, by position.
    first_layers: Vec<FirstLayer>,
}

pub struct BlockPosition {
    pub active: Active,
    pub target: f32,
    /// Accumulated over the columns.
    output: f32,
    /// Derivative of the loss by the output.
    slope: f32,
}

pub struct BlockJob<'a> {
    pub positions: &'a mut [BlockPosition],
    pub units: &'a mut [Column],
    pub first_layers: &'a mut [FirstLayer],
    pub layout: &'a ParameterLayout,
    pub parameters: &'a [f32],
    pub loss: &'a Loss,
    /// Whether products of units are cut off as in the quantised network.
    pub rounded: bool,
    /// Empty for a forward pass only.
    pub gradients: &'a mut [f32],
    pub losses: f64,
}

impl Worker {
    pub fn new(shape: Shape) -> Self {
        let units = BLOCK * PERSPECTIVES * shape.hidden() / COLUMN;
        let first_layers = match shape.head() {
            Head::Single => 0,
            Head::Layered => BLOCK,
        };
        Self {
            positions: Vec::with_capacity(BLOCK),
            units: vec![[0.0; COLUMN]; units],
            first_layers: vec![FirstLayer::default(); first_layers],
        }
    }

    /// Sets the positions of a block, at most [`BLOCK`].
    pub fn fill<'a>(&mut self, table: &InputTable, loss: &Loss, examples: impl Iterator<Item = &'a Example>) {
        self.positions.clear();
        self.positions.extend(examples.take(BLOCK).map(|example| BlockPosition {
            active: table.active(example),
            target: loss.target(example),
            output: 0.0,
            slope: 0.0,
        }));
    }

    /// The sum of the block's losses; adds its gradients unless `gradients` is empty.
    pub fn work(
        &mut self,
        level: Level,
        layout: &ParameterLayout,
        parameters: &[f32],
        loss: &Loss,
        rounded: bool,
        gradients: &mut [f32],
    ) -> f64 {
        let Self { positions, units, first_layers } = self;
        let mut job = BlockJob {
            positions,
            units,
            first_layers,
            layout,
            parameters,
            loss,
            rounded,
            gradients,
            losses: 0.0,
        };
        level.run(&mut job);
        job.losses
    }
}

impl BlockJob<'_> {
    #[inline(always)]
    pub fn run(&mut self) {
        match self.layout.head() {
            Head::Single => self.run_single(),
            Head::Layered => self.run_layered(),
        }
    }

    #[inline(always)]
    fn run_single(&mut self) {
        for column in 0..self.layout.columns() {
            self.forward(column);
        }
        self.grade();
        if !self.gradients.is_empty() {
            for column in 0..self.layout.columns() {
                self.backward(column);
            }
        }
    }

    /// Computes the units of a column and adds their share of the outputs.
    #[inline(always)]
    fn forward(&mut self, column: usize) {
        let view = self.layout.view(self.parameters, column);
        let units = &mut self.units[column * BLOCK * PERSPECTIVES..][..BLOCK * PERSPECTIVES];
        for (position, units) in self.positions.iter_mut().zip(units.as_chunks_mut::<PERSPECTIVES>().0) {
            for (perspective, units) in units.iter_mut().enumerate() {
                *units = view.bias[0];
                add_rows(units, view.rows, position.active.inputs(perspective));
                let index = self.layout.output_index(position.active.bucket, perspective, column);
                position.output += activated_product(units, &view.outputs[index]);
            }
        }
    }

    /// From outputs to losses and their derivatives, with the gradients of the output biases.
    #[inline(always)]
    fn grade(&mut self) {
        let begin = self.layout.output_bias();
        for position in &mut *self.positions {
            let bias = begin + position.active.bucket;
            let graded = self.loss.grade(position.output + self.parameters[bias], position.target);
            self.losses += f64::from(graded.loss);
            position.slope = graded.slope;
            if let Some(gradient) = self.gradients.get_mut(bias) {
                *gradient += graded.slope;
            }
        }
    }

    /// Adds the gradients of all weights of a column.
    #[inline(always)]
    fn backward(&mut self, column: usize) {
        let weights = self.layout.view(self.parameters, column).outputs;
        let gradients = self.layout.view_mut(self.gradients, column);
        let units = &self.units[column * BLOCK * PERSPECTIVES..][..BLOCK * PERSPECTIVES];
        for (position, units) in self.positions.iter().zip(units.as_chunks::<PERSPECTIVES>().0) {
            for (perspective, units) in units.iter().enumerate() {
                let index = self.layout.output_index(position.active.bucket, perspective, column);
                add_activated(&mut gradients.outputs[index], units, position.slope);
                let slopes = unit_slopes(units, &weights[index], position.slope);
                add(&mut gradients.bias[0], &slopes);
                for &input in position.active.inputs(perspective) {
                    add(&mut gradients.rows[usize::from(input)], &slopes);
                }
            }
        }
    }
}

#[inline(always)]
pub fn add(sums: &mut Column, numbers: &Column) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// Adds the weights of all active inputs, four at a time to save loads and stores of the sums.
#[inline(always)]
pub fn add_rows(sums: &mut Column, rows: &[Column], inputs: &[u16]) {
    let (fours, rest) = inputs.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.map(|input| &rows[usize::from(input)]);
        for unit in 0..COLUMN {
            sums[unit] += (a[unit] + b[unit]) + (c[unit] + d[unit]);
        }
    }
    for &input in rest {
        add(sums, &rows[usize::from(input)]);
    }
}

#[inline(always)]
pub fn clip(unit: f32) -> f32 {
    unit.clamp(0.0, 1.0)
}

/// Partial sums: as many as the widest vector holds, on every CPU, so that results do not depend on it.
const LANES: usize = 16;

/// `SCReLU` of the units times their output weights.
#[inline(always)]
fn activated_product(units: &Column, weights: &Column) -> f32 {
    let mut lanes = [0.0; LANES];
    for (units, weights) in units.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let clipped = clip(units[lane]);
            lanes[lane] += clipped * clipped * weights[lane];
        }
    }
    fold(lanes)
}

/// The dot product of two lists, a multiple of [`LANES`] long.
#[inline(always)]
pub fn product(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (left, right) in left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += left[lane] * right[lane];
        }
    }
    fold(lanes)
}

/// The sum of all lanes.
#[inline(always)]
fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn add_activated(gradients: &mut Column, units: &Column, slope: f32) {
    for (gradient, &unit) in gradients.iter_mut().zip(units) {
        let clipped = clip(unit);
        *gradient += slope * clipped * clipped;
    }
}

/// Derivatives of the loss by the units: 0 where they are clipped.
#[inline(always)]
fn unit_slopes(units: &Column, weights: &Column, slope: f32) -> Column {
    let mut slopes = [0.0; COLUMN];
    for ((out, &unit), &weight) in slopes.iter_mut().zip(units).zip(weights) {
        let steep = 2.0 * unit * weight * slope;
        *out = if unit > 0.0 && unit < 1.0 { steep } else { 0.0 };
    }
    slopes
}
