//! All SIMD paths of this CPU give the same numbers, for all widths and weights.

use std::sync::Arc;

use nnue::shape::{FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT, Shape};
use nnue::{Evaluator, FloatNetwork, Network, SimdPath};

use crate::Effort;
use crate::games::positions;

proof!(all_paths_match_slow_evaluation_at_all_widths);

fn compare(network: Network, count: usize, seed: u64) {
    let network = Arc::new(network);
    let mut evaluators: Vec<(SimdPath, Evaluator)> = SimdPath::available()
        .into_iter()
        .map(|path| (path, Evaluator::with_path(Arc::clone(&network), path)))
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
}

/// The largest weights within the limits, with signs by index.
fn extreme(hidden: usize, sign: impl Fn(usize) -> f32) -> Network {
    let mut network = FloatNetwork::zero(Shape::new(hidden).unwrap());
    let fill = |list: &mut [f32], limit: f32| {
        for (place, weight) in list.iter_mut().enumerate() {
            *weight = limit * sign(place);
        }
    };
    fill(&mut network.feature_weights, FEATURE_WEIGHT_LIMIT);
    fill(&mut network.feature_bias, FEATURE_WEIGHT_LIMIT);
    fill(&mut network.output_weights, OUTPUT_WEIGHT_LIMIT);
    network.quantise()
}

#[test]
fn largest_weights_do_not_overflow() {
    for hidden in [64, 512, 2048] {
        compare(extreme(hidden, |_| 1.0), 100, 1);
        compare(extreme(hidden, |_| -1.0), 100, 2);
        compare(extreme(hidden, |place| if place % 2 == 0 { 1.0 } else { -1.0 }), 100, 3);
        compare(extreme(hidden, |place| if place % 7 < 3 { 1.0 } else { -1.0 }), 100, 4);
    }
    // All units and outputs at their maximum, for the largest sums.
    let mut network = FloatNetwork::zero(Shape::new(2048).unwrap());
    network.feature_weights.fill(FEATURE_WEIGHT_LIMIT);
    network.output_weights.fill(-OUTPUT_WEIGHT_LIMIT);
    let value = network.quantise().evaluate_slow(&chess::Position::startpos());
    assert_eq!(value, (-400.0 * 4096.0 * OUTPUT_WEIGHT_LIMIT) as i32);
    compare(network.quantise(), 100, 5);
}
