//! Checks of exercise 7: `cargo test --test tuning`.

use chess::Position;
use classroom::toolbox::random_positions;
use classroom::tuning::{Sample, Weights, features, gradient, loss, predict, tune};

/// The values that the samples follow.
const HIDDEN: Weights = [93.0, 311.0, 328.0, 512.0, 955.0];

fn samples(count: usize) -> Vec<Sample> {
    let sample = |position: &Position| {
        let features = features(position);
        let score: f64 = HIDDEN.iter().zip(features).map(|(value, feature)| value * feature).sum();
        Sample { features, result: 1.0 / (1.0 + 10_f64.powf(-score / 400.0)) }
    };
    random_positions(count, 7).iter().map(sample).collect()
}

#[test]
fn features_are_differences() {
    assert_eq!(features(&Position::startpos()), [0.0; 5]);
    let position = Position::from_fen("4k3/pp6/8/8/8/8/P7/RN2K2Q w - - 0 1").unwrap();
    assert_eq!(features(&position), [-1.0, 1.0, 0.0, 1.0, 1.0]);
}

#[test]
fn predictions_are_probabilities() {
    let weights = [100.0, 300.0, 300.0, 500.0, 900.0];
    assert!((predict(&weights, &[0.0; 5]) - 0.5).abs() < 1e-12);
    assert!(
        (predict(&weights, &[4.0, 0.0, 0.0, 0.0, 0.0]) - 10.0 / 11.0).abs() < 1e-12,
        "400 centipawns are 10 to 1"
    );
    let (up, down) =
        (predict(&weights, &[0.0, 1.0, 0.0, 0.0, 0.0]), predict(&weights, &[0.0, -1.0, 0.0, 0.0, 0.0]));
    assert!((up + down - 1.0).abs() < 1e-12, "what one side wins the other loses");
}

#[test]
fn loss_is_zero_at_the_truth() {
    let samples = samples(200);
    assert!(loss(&HIDDEN, &samples) < 1e-20);
    assert!(loss(&[100.0; 5], &samples) > 1e-3);
}

#[test]
fn gradient_is_that_of_finite_differences() {
    let samples = samples(200);
    let weights = [80.0, 250.0, 400.0, 450.0, 700.0];
    let found = gradient(&weights, &samples);
    for index in 0..5 {
        let moved = |by: f64| {
            let mut weights = weights;
            weights[index] += by;
            loss(&weights, &samples)
        };
        let expected = (moved(0.01) - moved(-0.01)) / 0.02;
        assert!(
            (found[index] - expected).abs() < 1e-9,
            "weight {index}: {} instead of {expected}",
            found[index]
        );
    }
}

#[test]
fn a_step_downhill_makes_the_loss_smaller() {
    let samples = samples(200);
    let start = [100.0; 5];
    assert!(loss(&tune(start, &samples, 1, 1_000.0), &samples) < loss(&start, &samples));
}

#[test]
fn tuning_finds_the_values() {
    let found = tune([100.0; 5], &samples(1_000), 3_000, 50_000.0);
    for (found, hidden) in found.iter().zip(HIDDEN) {
        assert!((found - hidden).abs() < 0.05 * hidden, "{found:.0} instead of {hidden}");
    }
}
