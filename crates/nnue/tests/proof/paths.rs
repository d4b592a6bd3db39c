//! All SIMD paths of this CPU give the same numbers, for all widths and weights.

use std::sync::Arc;

use nnue::shape::{
    FEATURE_WEIGHT_LIMIT, Head, LAYERED_STEP, MAX_HIDDEN, OUTPUT_WEIGHT_LIMIT, SECOND_LAYER, Shape, layered,
};
use nnue::{FloatNetwork, Network, NetworkEvaluator, SimdPath};

use crate::Effort;
use crate::games::positions;

proof!(all_paths_match_slow_evaluation_at_all_widths);

fn compare(network: Network, count: usize, seed: u64) {
    let network = Arc::new(network);
    let mut evaluators: Vec<(SimdPath, NetworkEvaluator)> = SimdPath::available()
        .into_iter()
        .map(|path| (path, NetworkEvaluator::with_path(Arc::clone(&network), path)))
        .collect();
    for position in positions(count, seed) {
        let slow = network.evaluate_slow(&position);
        for (path, evaluator) in &mut evaluators {
            evaluator.reset(&position);
            assert_eq!(evaluator.evaluate(&position), slow, "{position:?} with {path}, {}", network.shape());
        }
    }
}

fn all_paths_match_slow_evaluation_at_all_widths(effort: Effort) {
    for hidden in (64..=2048).step_by(effort.pick(448, 64)) {
        let shape = Shape::new(hidden).unwrap();
        compare(FloatNetwork::random(shape, hidden as u64).quantise(), effort.pick(150, 2000), hidden as u64);
    }
    for hidden in (LAYERED_STEP..=MAX_HIDDEN).step_by(effort.pick(5, 1) * LAYERED_STEP) {
        let network = FloatNetwork::random(shape(hidden, Head::Layered), hidden as u64).quantise();
        compare(network, effort.pick(150, 2000), hidden as u64);
    }
}

fn shape(hidden: usize, head: Head) -> Shape {
    Shape::new(hidden).unwrap().with_head(head).unwrap()
}

/// The largest weights within the limits, with signs by list and index.
fn extreme(shape: Shape, sign: impl Fn(usize, usize) -> f32) -> Network {
    let lists = shape.lists();
    let lists: Vec<Vec<f32>> = lists
        .iter()
        .enumerate()
        .map(|(list, of)| (0..of.count).map(|place| of.limit * sign(list, place)).collect())
        .collect();
    FloatNetwork::from_lists(shape, lists.try_into().unwrap()).quantise()
}

#[test]
fn largest_weights_do_not_overflow() {
    let shapes = [
        (64, Head::Single),
        (512, Head::Single),
        (2048, Head::Single),
        (128, Head::Layered),
        (2048, Head::Layered),
    ];
    for (hidden, head) in shapes {
        let extreme = |sign: fn(usize, usize) -> bool| {
            extreme(shape(hidden, head), |list, place| if sign(list, place) { 1.0 } else { -1.0 })
        };
        compare(extreme(|_, _| true), 100, 1);
        compare(extreme(|_, _| false), 100, 2);
        compare(extreme(|_, place| place % 2 == 0), 100, 3);
        compare(extreme(|_, place| place % 7 < 3), 100, 4);
        // All units at their maximum, and each of the other layers once with the other sign.
        compare(extreme(|list, _| list != 2 && list != 3), 100, 5);
        compare(extreme(|list, _| list != 4 && list != 5), 100, 6);
        compare(extreme(|list, _| list < 6), 100, 7);
        compare(extreme(|list, place| list < 2 || list < 4 && place % 3 == 0), 100, 8);
    }
    // All units and outputs at their maximum, for the largest sums.
    let mut network = FloatNetwork::zero(Shape::new(2048).unwrap());
    network.feature_weights.fill(FEATURE_WEIGHT_LIMIT);
    network.output_weights.fill(-OUTPUT_WEIGHT_LIMIT);
    let value = network.quantise().evaluate_slow(&chess::Position::startpos());
    assert_eq!(value, (-400.0 * 4096.0 * OUTPUT_WEIGHT_LIMIT) as i32);
    compare(network.quantise(), 100, 5);
    let network = extreme(shape(2048, Head::Layered), |list, _| if list < 6 { 1.0 } else { -1.0 });
    let value = network.evaluate_slow(&chess::Position::startpos());
    let limits = SECOND_LAYER as f32 * layered::OUTPUT_WEIGHT_LIMIT + layered::OUTPUT_BIAS_LIMIT;
    assert_eq!(value, (-400.0 * limits) as i32);
}

/// Few chunks of inputs, one, or none: the lists of chunks that are not zero have all lengths.
#[test]
fn sparse_inputs_give_equal_sums() {
    for hidden in [128, 384, 1024] {
        let shape = shape(hidden, Head::Layered);
        let mut network = FloatNetwork::random(shape, 9);
        for active in [0, 1, 2, 3, 5, 11, 17, 40, 63] {
            let pairs = hidden / 2;
            for unit in 0..pairs {
                let is_active = unit * 7919 % pairs < active;
                network.feature_bias[unit] = if is_active { 0.6 } else { -1.9 };
            }
            network.feature_weights.iter_mut().for_each(|weight| *weight = weight.clamp(-0.05, 0.05));
            compare(network.quantise(), 40, active as u64);
        }
    }
}
