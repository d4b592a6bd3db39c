//! Gradients of a backend equal finite differences of a slow model, do not depend on threads, and are the
//! same on a GPU.

mod support;

use cuda::Device;
use nnue::shape::Shape;
use train::backend::{self, BackendSetup, Batch, DataSets, InputTable, Loss, Optimizer, Shuffle, State};
use train::{Example, parameters, random};

const LOSS: Loss = Loss { scale: 350.0, power: 2.3, wdl_weight: 0.3 };

/// The sum of losses in double precision, computed directly.
fn exact_loss(shape: Shape, weights: &[f64], examples: &[Example]) -> f64 {
    let hidden = shape.hidden();
    let table = InputTable::new(shape);
    let [bias, outputs, output_bias] = [1, 2, 3].map(|group| parameters::groups(shape)[group].range.start);
    let mut sum = 0.0;
    for example in examples {
        let active = table.active(example);
        let mut output = weights[output_bias + active.bucket];
        for perspective in 0..2 {
            for unit in 0..hidden {
                let inputs = active.inputs(perspective).iter();
                let value = weights[bias + unit]
                    + inputs.map(|&input| weights[usize::from(input) * hidden + unit]).sum::<f64>();
                let weight = weights[outputs + (active.bucket * 2 + perspective) * hidden + unit];
                output += value.clamp(0.0, 1.0).powi(2) * weight;
            }
        }
        let expected = 1.0 / (1.0 + (-output * f64::from(LOSS.steepness())).exp());
        sum += (expected - f64::from(LOSS.target(example))).abs().powf(LOSS.power.into());
    }
    sum
}

/// A network whose units are spread over their whole range and beyond, so that all cases occur.
fn start(shape: Shape) -> State {
    let mut weights = parameters::flatten(&parameters::initial(shape, 11));
    let rows = shape.feature_weights();
    weights[..rows].iter_mut().for_each(|weight| *weight *= 2.0);
    for bucket in parameters::groups(shape)[2].range.clone() {
        weights[bucket] += 0.05 * random::normal(5, bucket as u64) as f32;
    }
    State::new(weights)
}

/// Gradients of all examples: what one step from nothing leaves in the mean gradients.
fn gradients(
    device: Device,
    shape: Shape,
    state: &State,
    examples: &[Example],
    threads: usize,
) -> (Vec<f32>, f64) {
    let batch = examples.len() as u32;
    let setup = BackendSetup { shape, state, rounded: false, batch, threads };
    let sets = DataSets { training: examples, validation: examples };
    let mut backend = backend::open(device, &setup, sets).unwrap();
    let optimizer = Optimizer { beta1: 0.0, ..Optimizer::default() };
    let order = Shuffle::new(1, 0, batch);
    backend.step(&Batch { order, first: 0, count: batch }, &LOSS, &optimizer.update(1, 0.0, false)).unwrap();
    let loss = backend.take_loss().unwrap();
    assert!((backend.validation_loss(&LOSS).unwrap() / loss - 1.0).abs() < 1e-3);
    (backend.state().unwrap().first_moments, loss)
}

#[test]
fn gradients_equal_finite_differences() {
    let plain = Shape::new(64).unwrap();
    for shape in [plain, plain.with_king_buckets(4).unwrap()] {
        check_gradients(shape);
    }
}

fn check_gradients(shape: Shape) {
    let examples = support::examples(40);
    let state = start(shape);
    let (found, loss) = gradients(Device::Cpu, shape, &state, &examples, 1);
    let mut weights: Vec<f64> = state.weights.iter().map(|&weight| weight.into()).collect();
    assert!((exact_loss(shape, &weights, &examples) / loss - 1.0).abs() < 1e-5);

    // Some of every group, and among the first those that are in use.
    let used: Vec<usize> = (0..found.len()).filter(|&index| found[index] != 0.0).collect();
    assert!(used.len() > found.len() / 20, "{} gradients of {}", used.len(), found.len());
    let groups = parameters::groups(shape);
    let mut checked = 0;
    for group in groups {
        let used: Vec<usize> = used.iter().copied().filter(|index| group.range.contains(index)).collect();
        assert!(!used.is_empty());
        for draw in 0..40 {
            let index = used[(random::unit(7, draw) * used.len() as f64) as usize];
            let step = 1e-6;
            let mut shifted = |by: f64| {
                weights[index] += by;
                let loss = exact_loss(shape, &weights, &examples);
                weights[index] -= by;
                loss
            };
            let numeric = (shifted(step) - shifted(-step)) / (2.0 * step);
            let distance = (numeric - f64::from(found[index])).abs();
            assert!(distance < 1e-4 * numeric.abs() + 2e-6, "{index}: {numeric} {}", found[index]);
            checked += 1;
        }
    }
    assert_eq!(checked, 160);
}

#[test]
fn threads_do_not_change_gradients() {
    let shape = Shape::new(128).unwrap();
    let examples = support::examples(5000);
    let state = start(shape);
    let alone = gradients(Device::Cpu, shape, &state, &examples, 1);
    assert_eq!(gradients(Device::Cpu, shape, &state, &examples, 3), alone);
}

/// Relative distance of two lists.
fn distance(found: &[f32], expected: &[f32]) -> f64 {
    let square = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|number| number * number).sum::<f64>();
    let mut differences = found.iter().zip(expected).map(|(&a, &b)| f64::from(a) - f64::from(b));
    (square(&mut differences) / square(&mut expected.iter().map(|&number| number.into()))).sqrt()
}

/// Of the tests that `cargo test -p train -- --ignored` runs.
const GPU: Device = Device::Cuda(0);

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn gpu_gradients_equal_cpu_gradients() {
    // Not a multiple of any block or tile size.
    let examples = support::examples(5003);
    for (hidden, king_buckets) in [(64, 1), (256, 1), (512, 1), (512, 4), (1024, 1), (1024, 4)] {
        let shape = Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
        let mut state = start(shape);
        // Rounded weights are exact in the GPU's halves, so that no unit is clipped on one side alone.
        for group in parameters::groups(shape) {
            group.round(&mut state.weights[group.range.clone()]);
        }
        let (expected, expected_loss) = gradients(Device::Cpu, shape, &state, &examples, 2);
        let (found, loss) = gradients(GPU, shape, &state, &examples, 1);
        assert!((loss / expected_loss - 1.0).abs() < 1e-4, "{shape}: {loss} {expected_loss}");
        for group in parameters::groups(shape) {
            let distance = distance(&found[group.range.clone()], &expected[group.range.clone()]);
            eprintln!("{shape}, parameters {:?}: distance {distance:.1e}", group.range);
            assert!(distance < 5e-4, "{shape} {:?}: {distance}", group.range);
        }
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn gpu_training_is_deterministic() {
    const BATCH: u32 = 1000;
    const STEPS: u32 = 60;
    let examples = support::examples(10_100);
    let (validation, training) = examples.split_at(100);
    let shape = Shape::new(128).unwrap();
    let state = start(shape);
    let learn = |device: Device| {
        let setup = BackendSetup { shape, state: &state, rounded: true, batch: BATCH, threads: 2 };
        let mut backend = backend::open(device, &setup, DataSets { training, validation }).unwrap();
        for step in 0..STEPS {
            let order = Shuffle::new(3, (step / 10).into(), training.len() as u32);
            let batch = Batch { order, first: step % 10 * BATCH, count: BATCH };
            // Rounded weights at the start and at the end.
            let rounded = !(20..40).contains(&step);
            let update = Optimizer::default().update(u64::from(step) + 1, 1e-3, rounded);
            backend.step(&batch, &LOSS, &update).unwrap();
        }
        let losses = [backend.take_loss().unwrap(), backend.validation_loss(&LOSS).unwrap()];
        (losses, backend.state().unwrap())
    };
    let (expected, _) = learn(Device::Cpu);
    let (found, state) = learn(GPU);
    eprintln!("losses: {found:?} on the GPU, {expected:?} on the CPU");
    assert!(found.iter().zip(expected).all(|(found, expected)| (found / expected - 1.0).abs() < 0.01));
    assert_eq!(learn(GPU), (found, state));
}
