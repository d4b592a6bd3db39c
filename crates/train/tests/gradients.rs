//! Gradients of a backend equal finite differences of a slow model, do not depend on threads, and are the
//! same on a GPU.

mod support;

use cuda::Device;
use nnue::shape::{FIRST_LAYER, Head, SECOND_INPUTS, SECOND_LAYER, Shape};
use train::backend::{self, BackendSetup, Batch, DataSets, InputTable, Loss, Optimizer, Shuffle, State};
use train::parameters::{FEATURE_BIAS, FIRST_BIAS, FIRST_WEIGHTS, OUTPUT_BIAS, OUTPUT_WEIGHTS, SECOND_BIAS};
use train::parameters::{FEATURE_WEIGHTS, SECOND_WEIGHTS};
use train::{Example, parameters, random};

const LOSS: Loss = Loss { scale: 350.0, power: 2.3, wdl_weight: 0.3 };

/// The sum of losses in double precision, computed directly.
fn exact_loss(shape: Shape, weights: &[f64], examples: &[Example]) -> f64 {
    let hidden = shape.hidden();
    let table = InputTable::new(shape);
    let groups = parameters::groups(shape).map(|group| &weights[group.range]);
    let mut sum = 0.0;
    for example in examples {
        let active = table.active(example);
        let units = [0, 1].map(|perspective| -> Vec<f64> {
            let inputs = active.inputs(perspective);
            let value = |unit: usize| {
                groups[FEATURE_BIAS][unit]
                    + inputs
                        .iter()
                        .map(|&input| groups[FEATURE_WEIGHTS][usize::from(input) * hidden + unit])
                        .sum::<f64>()
            };
            (0..hidden).map(|unit| value(unit).clamp(0.0, 1.0)).collect()
        });
        let output = match shape.head() {
            Head::Single => {
                let squares = units.iter().flatten().map(|unit| unit.powi(2)).collect::<Vec<f64>>();
                product(&groups[OUTPUT_WEIGHTS][active.bucket * 2 * hidden..], &squares)
                    + groups[OUTPUT_BIAS][active.bucket]
            }
            Head::Layered => layered_output(&groups, active.bucket, &units),
        };
        let expected = 1.0 / (1.0 + (-output * f64::from(LOSS.steepness())).exp());
        sum += (expected - f64::from(LOSS.target(example))).abs().powf(LOSS.power.into());
    }
    sum
}

fn product(weights: &[f64], inputs: &[f64]) -> f64 {
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum()
}

fn layered_output(groups: &[&[f64]], bucket: usize, units: &[Vec<f64>; 2]) -> f64 {
    let layer = |weights: usize, bias: usize, size: usize, inputs: &[f64]| -> Vec<f64> {
        let sum = |unit: usize| {
            let row = (bucket * size + unit) * inputs.len();
            groups[bias][bucket * size + unit] + product(&groups[weights][row..], inputs)
        };
        (0..size).map(sum).collect()
    };
    let products: Vec<f64> = units
        .iter()
        .flat_map(|units| {
            let (low, high) = units.split_at(units.len() / 2);
            low.iter().zip(high).map(|(low, high)| low * high)
        })
        .collect();
    let first = layer(FIRST_WEIGHTS, FIRST_BIAS, FIRST_LAYER, &products);
    let clipped = first.iter().map(|sum| sum.clamp(0.0, 1.0));
    let inputs: Vec<f64> = clipped.chain(first.iter().map(|sum| sum.powi(2).min(1.0))).collect();
    assert_eq!(inputs.len(), SECOND_INPUTS);
    let second = layer(SECOND_WEIGHTS, SECOND_BIAS, SECOND_LAYER, &inputs);
    let squares: Vec<f64> = second.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect();
    groups[OUTPUT_BIAS][bucket] + product(&groups[OUTPUT_WEIGHTS][bucket * SECOND_LAYER..], &squares)
}

/// A network whose units are spread over their whole range and beyond, so that all cases occur.
fn start(shape: Shape) -> State {
    let mut weights = parameters::flatten(&parameters::initial(shape, 11));
    let rows = shape.feature_weights();
    weights[..rows].iter_mut().for_each(|weight| *weight *= 2.0);
    let groups = parameters::groups(shape);
    for index in groups[OUTPUT_WEIGHTS].range.clone() {
        weights[index] += 0.05 * random::normal(5, index as u64) as f32;
    }
    // The sums of the layers as well, differently in each output bucket.
    for (group, deviation) in [(FIRST_BIAS, 0.6), (SECOND_WEIGHTS, 0.1), (SECOND_BIAS, 0.3)] {
        for index in groups[group].range.clone() {
            weights[index] += deviation * random::normal(6, index as u64) as f32;
        }
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
    let layered = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
    for shape in [plain, plain.with_king_buckets(4).unwrap(), layered, layered.with_king_buckets(4).unwrap()]
    {
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
    for group in groups.iter().filter(|group| !group.range.is_empty()) {
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
    assert_eq!(checked, if shape.head() == Head::Single { 160 } else { 320 });
}

#[test]
fn threads_do_not_change_gradients() {
    let examples = support::examples(5000);
    for head in Head::ALL {
        let shape = Shape::new(128).unwrap().with_head(head).unwrap();
        let state = start(shape);
        let alone = gradients(Device::Cpu, shape, &state, &examples, 1);
        assert_eq!(gradients(Device::Cpu, shape, &state, &examples, 3), alone);
    }
}

/// With rounded weights the forward pass is the integer network's, but for less than a centipawn or two.
#[test]
fn rounded_layers_equal_the_integer_network() {
    const LOST: Loss = Loss { scale: 400.0, power: 2.0, wdl_weight: 1.0 };
    let shape = Shape::new(256).unwrap().with_head(Head::Layered).unwrap();
    let state = start(shape);
    let network = parameters::unflatten(shape, &state.weights).quantise();
    let examples = support::examples(4000);
    let lost: Vec<Example> = examples.into_iter().filter(|example| example.points() == 0.0).collect();
    let mut sizes = 0.0;
    for example in lost.iter().step_by(lost.len() / 40) {
        let setup = BackendSetup { shape, state: &state, rounded: true, batch: 1, threads: 1 };
        let sets = DataSets { training: &[], validation: std::slice::from_ref(example) };
        let loss = backend::open(Device::Cpu, &setup, sets).unwrap().validation_loss(&LOST).unwrap();
        // A lost game's loss is the square of the expected score.
        let value = -400.0 * (loss.sqrt().recip() - 1.0).ln();
        let expected = f64::from(network.evaluate_slow(&example.position().unwrap()));
        assert!((value - expected).abs() < 2.0, "{value} {expected}");
        sizes += expected.abs();
    }
    assert!(sizes > 400.0, "{sizes}");
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
        check_gpu_gradients(shape, &examples, 5e-4);
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn gpu_gradients_of_layers_equal_cpu_gradients() {
    let examples = support::examples(5003);
    for (hidden, king_buckets) in [(128, 1), (256, 4), (384, 1), (1024, 4)] {
        let shape = Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
        check_gpu_gradients(shape.with_head(Head::Layered).unwrap(), &examples, 1e-3);
    }
}

fn check_gpu_gradients(shape: Shape, examples: &[Example], limit: f64) {
    let mut state = start(shape);
    // Rounded weights are exact in the GPU's halves, so that no unit is clipped on one side alone.
    for (index, mut group) in parameters::groups(shape).into_iter().enumerate() {
        // So are products of units in coarser steps, and with them the sums of the first layer.
        if shape.head() == Head::Layered && [FEATURE_WEIGHTS, FEATURE_BIAS].contains(&index) {
            group.one = 32.0;
        }
        group.round(&mut state.weights[group.range.clone()]);
    }
    let (expected, expected_loss) = gradients(Device::Cpu, shape, &state, examples, 2);
    let (found, loss) = gradients(GPU, shape, &state, examples, 1);
    assert!((loss / expected_loss - 1.0).abs() < 1e-4, "{shape}: {loss} {expected_loss}");
    for group in parameters::groups(shape).iter().filter(|group| !group.range.is_empty()) {
        let distance = distance(&found[group.range.clone()], &expected[group.range.clone()]);
        eprintln!("{shape}, parameters {:?}: distance {distance:.1e}", group.range);
        assert!(distance < limit, "{shape} {:?}: {distance}", group.range);
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn gpu_training_is_deterministic() {
    for head in Head::ALL {
        check_gpu_training(Shape::new(128).unwrap().with_head(head).unwrap());
    }
}

fn check_gpu_training(shape: Shape) {
    const BATCH: u32 = 1000;
    const STEPS: u32 = 60;
    let examples = support::examples(10_100);
    let (validation, training) = examples.split_at(100);
    let state = start(shape);
    let learn = |device: Device| {
        let setup = BackendSetup { shape, state: &state, rounded: true, batch: BATCH, threads: 2 };
        let mut backend = backend::open(device, &setup, DataSets { training, validation }).unwrap();
        let mut losses = Vec::new();
        for step in 0..STEPS {
            let order = Shuffle::new(3, (step / 10).into(), training.len() as u32);
            let batch = Batch { order, first: step % 10 * BATCH, count: BATCH };
            // Rounded weights at the start and at the end.
            let rounded = !(20..40).contains(&step);
            let update = Optimizer::default().update(u64::from(step) + 1, 1e-3, rounded);
            backend.step(&batch, &LOSS, &update).unwrap();
            if step % 20 == 19 {
                losses.push(backend.take_loss().unwrap());
            }
        }
        losses.push(backend.validation_loss(&LOSS).unwrap());
        (losses, backend.state().unwrap())
    };
    let (expected, _) = learn(Device::Cpu);
    let (found, state) = learn(GPU);
    eprintln!("{shape}: losses {found:?} on the GPU, {expected:?} on the CPU");
    assert!(found[2] < 0.7 * found[0], "the loss falls: {found:?}");
    // More layers, more roundings that differ.
    let limit = if shape.head() == Head::Single { 0.01 } else { 0.03 };
    assert!(found.iter().zip(&expected).all(|(found, expected)| (found / expected - 1.0).abs() < limit));
    assert_eq!(learn(GPU), (found, state));
}
