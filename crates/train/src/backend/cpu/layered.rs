//! Forward and backward pass of a layered head: products of units, and two layers before the output.

use nnue::shape::{FIRST_LAYER, SECOND_INPUTS, SECOND_LAYER, layered::PRODUCT_ONE};

use super::block::{BLOCK, BlockJob, add, add_rows, clip, product};
use super::layout::{COLUMN, Column, ParameterLayout};
use crate::inputs::PERSPECTIVES;
use crate::parameters::{FIRST_BIAS, OUTPUT_BIAS, OUTPUT_WEIGHTS, SECOND_BIAS, SECOND_WEIGHTS};

/// The first layer of one position.
#[derive(Clone, Default, Debug)]
pub struct FirstLayer {
    /// Before activation, without the bias.
    sums: [f32; FIRST_LAYER],
    /// Derivatives of the loss by the sums.
    slopes: [f32; FIRST_LAYER],
}

impl BlockJob<'_> {
    #[inline(always)]
    pub fn run_layered(&mut self) {
        for column in 0..self.layout.columns() {
            self.fill_units(column);
        }
        for (layer, _) in self.first_layers.iter_mut().zip(&*self.positions) {
            *layer = FirstLayer::default();
        }
        for pair in 0..self.layout.pairs() {
            self.first_layer(pair);
        }
        for place in 0..self.positions.len() {
            self.upper_layers(place);
        }
        if self.gradients.is_empty() {
            return;
        }
        for pair in 0..self.layout.pairs() {
            self.first_layer_back(pair);
        }
        for column in 0..self.layout.columns() {
            self.add_rows_back(column);
        }
    }

    #[inline(always)]
    fn fill_units(&mut self, column: usize) {
        let view = self.layout.view(self.parameters, column);
        let units = &mut self.units[column * BLOCK * PERSPECTIVES..][..BLOCK * PERSPECTIVES];
        for (position, units) in self.positions.iter().zip(units.as_chunks_mut::<PERSPECTIVES>().0) {
            for (perspective, units) in units.iter_mut().enumerate() {
                *units = view.bias[0];
                add_rows(units, view.rows, position.active.inputs(perspective));
            }
        }
    }

    /// Adds a pair of columns to the sums of the first layer.
    #[inline(always)]
    fn first_layer(&mut self, pair: usize) {
        let weights = self.layout.view(self.parameters, pair).outputs;
        for place in 0..self.positions.len() {
            let bucket = self.positions[place].active.bucket;
            for perspective in 0..PERSPECTIVES {
                let [low, high] = columns_of(self.layout, pair, place, perspective).map(|at| &self.units[at]);
                let products = products(low, high, self.rounded);
                for (unit, sum) in self.first_layers[place].sums.iter_mut().enumerate() {
                    let index = self.layout.first_index(bucket, unit, perspective, pair);
                    *sum += product(&products, &weights[index]);
                }
            }
        }
    }

    /// From the sums of the first layer to the loss, and back to their derivatives, with the gradients of everything
    /// between.
    #[inline(always)]
    fn upper_layers(&mut self, place: usize) {
        let position = &self.positions[place];
        let bucket = position.active.bucket;
        let groups = self.layout.groups();
        let start = |group: usize, count: usize| groups[group].range.start + bucket * count;
        let first_bias = start(FIRST_BIAS, FIRST_LAYER);
        let second_weights = start(SECOND_WEIGHTS, SECOND_LAYER * SECOND_INPUTS);
        let second_bias = start(SECOND_BIAS, SECOND_LAYER);
        let output_weights = start(OUTPUT_WEIGHTS, SECOND_LAYER);
        let output_bias = start(OUTPUT_BIAS, 1);

        let layer = &mut self.first_layers[place];
        let mut inputs = [0.0; SECOND_INPUTS];
        for (unit, (sum, bias)) in layer.sums.iter_mut().zip(&self.parameters[first_bias..]).enumerate() {
            *sum += bias;
            inputs[unit] = clip(*sum);
            inputs[FIRST_LAYER + unit] = (*sum * *sum).min(1.0);
        }
        let mut sums = [0.0; SECOND_LAYER];
        let rows = self.parameters[second_weights..].as_chunks::<SECOND_INPUTS>().0;
        for ((sum, bias), row) in sums.iter_mut().zip(&self.parameters[second_bias..]).zip(rows) {
            *sum = bias + product(&inputs, row);
        }
        let activated = sums.map(|sum| clip(sum) * clip(sum));
        let weights = &self.parameters[output_weights..][..SECOND_LAYER];
        let output = self.parameters[output_bias] + product(&activated, weights);
        let graded = self.loss.grade(output, position.target);
        self.losses += f64::from(graded.loss);
        if self.gradients.is_empty() {
            return;
        }

        let slope = graded.slope;
        self.gradients[output_bias] += slope;
        for (gradient, activated) in self.gradients[output_weights..].iter_mut().zip(&activated) {
            *gradient += slope * activated;
        }
        let mut input_slopes = [0.0; SECOND_INPUTS];
        for unit in 0..SECOND_LAYER {
            let sum = sums[unit];
            let steep = if sum > 0.0 && sum < 1.0 { 2.0 * sum * weights[unit] * slope } else { 0.0 };
            self.gradients[second_bias + unit] += steep;
            let gradients = &mut self.gradients[second_weights + unit * SECOND_INPUTS..][..SECOND_INPUTS];
            for input in 0..SECOND_INPUTS {
                gradients[input] += steep * inputs[input];
                input_slopes[input] += steep * rows[unit][input];
            }
        }
        for unit in 0..FIRST_LAYER {
            let sum = layer.sums[unit];
            let clipped = if sum > 0.0 && sum < 1.0 { input_slopes[unit] } else { 0.0 };
            let squared = if sum.abs() < 1.0 { 2.0 * sum * input_slopes[FIRST_LAYER + unit] } else { 0.0 };
            layer.slopes[unit] = clipped + squared;
            self.gradients[first_bias + unit] += layer.slopes[unit];
        }
    }

    /// Adds the gradients of the first layer's weights for a pair of columns, and replaces its units by their derivatives.
    #[inline(always)]
    fn first_layer_back(&mut self, pair: usize) {
        let weights = self.layout.view(self.parameters, pair).outputs;
        let gradients = self.layout.view_mut(self.gradients, pair).outputs;
        for place in 0..self.positions.len() {
            let bucket = self.positions[place].active.bucket;
            let slopes = self.first_layers[place].slopes;
            for perspective in 0..PERSPECTIVES {
                let places = columns_of(self.layout, pair, place, perspective);
                let [low, high] = places.map(|at| self.units[at]);
                let products = products(&low, &high, self.rounded);
                let mut product_slopes = [0.0; COLUMN];
                for (unit, &slope) in slopes.iter().enumerate() {
                    let index = self.layout.first_index(bucket, unit, perspective, pair);
                    for at in 0..COLUMN {
                        gradients[index][at] += slope * products[at];
                        product_slopes[at] += slope * weights[index][at];
                    }
                }
                for (place, units, others) in [(places[0], &low, &high), (places[1], &high, &low)] {
                    self.units[place] = unit_slopes(units, others, &product_slopes);
                }
            }
        }
    }

    /// Adds the gradients of the feature weights of a column, whose units are derivatives by now.
    #[inline(always)]
    fn add_rows_back(&mut self, column: usize) {
        let gradients = self.layout.view_mut(self.gradients, column);
        let slopes = &self.units[column * BLOCK * PERSPECTIVES..][..BLOCK * PERSPECTIVES];
        for (position, slopes) in self.positions.iter().zip(slopes.as_chunks::<PERSPECTIVES>().0) {
            for (perspective, slopes) in slopes.iter().enumerate() {
                add(&mut gradients.bias[0], slopes);
                for &input in position.active.inputs(perspective) {
                    add(&mut gradients.rows[usize::from(input)], slopes);
                }
            }
        }
    }
}

/// The columns of units whose products are this pair's, of one position and perspective.
#[inline(always)]
fn columns_of(layout: &ParameterLayout, pair: usize, place: usize, perspective: usize) -> [usize; 2] {
    [pair, pair + layout.pairs()].map(|column| (column * BLOCK + place) * PERSPECTIVES + perspective)
}

/// Products of clipped units, on request cut off as the quantised network does it.
#[inline(always)]
fn products(low: &Column, high: &Column, rounded: bool) -> Column {
    const ONE: f32 = PRODUCT_ONE as f32;
    let mut products = [0.0; COLUMN];
    for at in 0..COLUMN {
        products[at] = clip(low[at]) * clip(high[at]);
    }
    if rounded {
        for product in &mut products {
            *product = (*product * ONE).floor() / ONE;
        }
    }
    products
}

/// Derivatives of the loss by units, of which each is multiplied with another.
#[inline(always)]
fn unit_slopes(units: &Column, others: &Column, product_slopes: &Column) -> Column {
    let mut slopes = [0.0; COLUMN];
    for at in 0..COLUMN {
        let slope = product_slopes[at] * clip(others[at]);
        slopes[at] = if units[at] > 0.0 && units[at] < 1.0 { slope } else { 0.0 };
    }
    slopes
}
