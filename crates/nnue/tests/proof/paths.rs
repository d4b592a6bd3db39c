//! Every path of this CPU computes the same numbers, whatever the width and however large the weights.

use std::sync::Arc;

use nnue::shape::{FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT, Shape};
use nnue::{Evaluator, FloatNetwork, Network, SimdPath};

use crate::amount;
use crate::games::positions;

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

#[test]
fn every_path_equals_the_slow_way_at_every_width() {
    for hidden in (64..=2048).step_by(if amount(0, 1) == 0 { 448 } else { 64 }) {
        let shape = Shape::new(hidden).unwrap();
        compare(FloatNetwork::random(shape, hidden as u64).quantise(), amount(150, 2000), hidden as u64);
    }
}

/// The largest weights the limits allow, with signs that a function of their place chooses.
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
fn the_largest_weights_overflow_nowhere() {
    for hidden in [64, 512, 2048] {
        compare(extreme(hidden, |_| 1.0), 100, 1);
        compare(extreme(hidden, |_| -1.0), 100, 2);
        compare(extreme(hidden, |place| if place % 2 == 0 { 1.0 } else { -1.0 }), 100, 3);
        compare(extreme(hidden, |place| if place % 7 < 3 { 1.0 } else { -1.0 }), 100, 4);
    }
    // Units and outputs at their upper ends at once: only then are sums as large as they can be.
    let mut network = FloatNetwork::zero(Shape::new(2048).unwrap());
    network.feature_weights.fill(FEATURE_WEIGHT_LIMIT);
    network.output_weights.fill(-OUTPUT_WEIGHT_LIMIT);
    let value = network.quantise().evaluate_slow(&chess::Position::startpos());
    assert_eq!(value, (-400.0 * 4096.0 * OUTPUT_WEIGHT_LIMIT) as i32);
    compare(network.quantise(), 100, 5);
}
