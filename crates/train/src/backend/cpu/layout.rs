//! The CPU's order of parameters: feature weights in columns of a few units, so that all weights of a
//! column stay in a core's cache for many positions. Everything else is as in the network.

use nnue::shape::{FIRST_LAYER, HIDDEN_STEP, Head, LISTS, OUTPUT_BUCKETS, Shape};

use crate::inputs::PERSPECTIVES;
use crate::parameters::{
    self, FEATURE_BIAS, FEATURE_WEIGHTS, FIRST_WEIGHTS, OUTPUT_BIAS, OUTPUT_WEIGHTS, ParameterGroup,
};

/// Hidden units per column.
pub const COLUMN: usize = HIDDEN_STEP;

/// A value for each hidden unit of a column.
pub type Column = [f32; COLUMN];

#[derive(Clone, Debug)]
pub struct ParameterLayout {
    shape: Shape,
    groups: [ParameterGroup; LISTS],
}

/// Parameters or gradients of one column.
pub struct ColumnView<T> {
    /// By input.
    pub rows: T,
    pub bias: T,
    /// Weights of the layer behind the units, in columns: see [`ParameterLayout::output_index`] and [`ParameterLayout::first_index`].
    pub outputs: T,
}

impl ParameterLayout {
    pub fn new(shape: Shape) -> Self {
        Self { shape, groups: parameters::groups(shape) }
    }

    /// The same in both orders.
    pub fn groups(&self) -> &[ParameterGroup; LISTS] {
        &self.groups
    }

    pub fn columns(&self) -> usize {
        self.shape.hidden() / COLUMN
    }

    pub fn head(&self) -> Head {
        self.shape.head()
    }

    /// Columns of products of a perspective.
    pub fn pairs(&self) -> usize {
        self.columns() / 2
    }

    /// Index into [`ColumnView::outputs`] of a single output layer.
    #[inline(always)]
    pub fn output_index(&self, bucket: usize, perspective: usize, column: usize) -> usize {
        (bucket * PERSPECTIVES + perspective) * self.columns() + column
    }

    /// Index into [`ColumnView::outputs`] of the weights from a column of products to a unit of the first layer.
    #[inline(always)]
    pub fn first_index(&self, bucket: usize, unit: usize, perspective: usize, pair: usize) -> usize {
        (bucket * FIRST_LAYER + unit) * self.columns() + perspective * self.pairs() + pair
    }

    /// The group of the weights behind the units.
    fn outputs(&self) -> &ParameterGroup {
        &self.groups[match self.head() {
            Head::Single => OUTPUT_WEIGHTS,
            Head::Layered => FIRST_WEIGHTS,
        }]
    }

    pub fn view<'a>(&self, list: &'a [f32], column: usize) -> ColumnView<&'a [Column]> {
        let columns = |group: &ParameterGroup| list[group.range.clone()].as_chunks().0;
        let [rows, bias] = [FEATURE_WEIGHTS, FEATURE_BIAS].map(|group| columns(&self.groups[group]));
        let features = self.shape.features();
        ColumnView {
            rows: &rows[column * features..][..features],
            bias: &bias[column..=column],
            outputs: columns(self.outputs()),
        }
    }

    pub fn view_mut<'a>(&self, list: &'a mut [f32], column: usize) -> ColumnView<&'a mut [Column]> {
        let features = self.shape.features();
        let (weights, rest) = list.split_at_mut(self.groups[FEATURE_WEIGHTS].range.end);
        let (biases, outputs) = rest.split_at_mut(self.groups[FEATURE_BIAS].range.len());
        // No other group lies between.
        let outputs = &mut outputs[..self.outputs().range.len()];
        ColumnView {
            rows: &mut weights.as_chunks_mut().0[column * features..][..features],
            bias: &mut biases.as_chunks_mut().0[column..=column],
            outputs: outputs.as_chunks_mut().0,
        }
    }

    pub fn output_bias(&self) -> usize {
        self.groups[OUTPUT_BIAS].range.start
    }

    /// From the network's order to this one.
    pub fn arrange(&self, list: &[f32]) -> Vec<f32> {
        let mut arranged = list.to_vec();
        self.for_each_row(|ours, theirs| {
            arranged[ours..][..COLUMN].copy_from_slice(&list[theirs..][..COLUMN]);
        });
        arranged
    }

    /// From this order to the network's.
    pub fn restore(&self, list: &[f32]) -> Vec<f32> {
        let mut restored = list.to_vec();
        self.for_each_row(|ours, theirs| {
            restored[theirs..][..COLUMN].copy_from_slice(&list[ours..][..COLUMN]);
        });
        restored
    }

    /// Start of each row of each column here, and in the network.
    fn for_each_row(&self, mut visit: impl FnMut(usize, usize)) {
        let (features, hidden) = (self.shape.features(), self.shape.hidden());
        for column in 0..self.columns() {
            for feature in 0..features {
                visit((column * features + feature) * COLUMN, feature * hidden + column * COLUMN);
            }
        }
    }
}

const _: () = assert!(OUTPUT_BUCKETS < COLUMN, "output biases are not taken for a column");

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that are moved about stay the same to the last bit")]
mod tests {
    use super::*;

    #[test]
    fn layouts_round_trip() {
        let shape = Shape::new(2 * COLUMN).unwrap().with_king_buckets(4).unwrap();
        let layout = ParameterLayout::new(shape);
        let list: Vec<f32> = (0..parameters::count(shape)).map(|index| index as f32).collect();
        let mut arranged = layout.arrange(&list);
        assert_eq!(layout.restore(&arranged), list);
        let hidden = shape.hidden();
        let view = layout.view(&arranged, 1);
        assert_eq!(view.rows[5][3], (5 * hidden + COLUMN + 3) as f32);
        assert_eq!(view.bias[0][3], (shape.features() * hidden + COLUMN + 3) as f32);
        let outputs = (shape.features() + 1) * hidden;
        let index = layout.output_index(2, 1, 1);
        assert_eq!(view.outputs[index][3], (outputs + 5 * hidden + COLUMN + 3) as f32);
        assert_eq!(view.outputs.len(), OUTPUT_BUCKETS * 4);
        let before = (view.rows[7][0], view.bias[0][0], view.outputs[index][0]);
        let view = layout.view_mut(&mut arranged, 1);
        assert_eq!((view.rows[7][0], view.bias[0][0], view.outputs[index][0]), before);
    }

    #[test]
    fn first_layer_is_viewed_in_columns() {
        let shape = Shape::new(4 * COLUMN).unwrap().with_head(Head::Layered).unwrap();
        let layout = ParameterLayout::new(shape);
        let mut list: Vec<f32> = (0..parameters::count(shape)).map(|index| index as f32).collect();
        let index = layout.first_index(2, 5, 1, 1);
        let expected = layout.groups()[FIRST_WEIGHTS].range.start
            + (2 * FIRST_LAYER + 5) * shape.hidden()
            + shape.hidden() / 2
            + COLUMN
            + 3;
        assert_eq!(layout.view(&list, 0).outputs[index][3], expected as f32);
        assert_eq!(layout.view_mut(&mut list, 0).outputs[index][3], expected as f32);
    }
}
