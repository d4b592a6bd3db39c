//! Small trainings: a network learns material values, resumes without a difference, and its
//! quantised network equals its floating-point weights.

mod support;

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::Position;
use cuda::Device;
use nnue::shape::Head;
use nnue::{FloatNetwork, Network};
use support::write_games;
use tempfile::{TempDir, tempdir};
use train::recipe::NetworkRecipe;
use train::{CheckpointError, LossPoint, Recipe, TrainError, Trained, Training, TrainingEvent};

fn training(folder: &TempDir, name: &str) -> Training {
    let games = folder.path().join("games");
    if !games.exists() {
        fs::create_dir(&games).unwrap();
        write_games(&games.join("a.vd"), 0..150);
        write_games(&games.join("b.vd"), 150..250);
        fs::write(games.join("a.vd.plan.json"), "no games").unwrap();
    }
    let text = format!(
        "name = '{name}'\nnetwork.hidden = 64\nlearning_rate.peak = 0.003\nloss.wdl_weight = 0.0\n\
         data = {{ files = ['{}'], validation = 0.1, filter.min_ply = 4 }}\n\
         training = {{ epochs = 12, batch = 512 }}",
        games.display()
    );
    Training {
        recipe: Recipe::read(&text).unwrap(),
        output: folder.path().to_owned(),
        device: Device::Cpu,
        threads: 2,
        resume: true,
        replace: false,
        checkpoint_every: Duration::from_hours(1),
        tensorboard: None,
    }
}

fn layered(folder: &TempDir, name: &str) -> Training {
    let mut training = training(folder, name);
    let network = NetworkRecipe { hidden: 128, king_buckets: 1, head: Head::Layered };
    training.recipe.settings.network = network;
    training.recipe.settings.training.quantised_finish = 0.3;
    training
}

fn floats(trained: &Trained) -> FloatNetwork {
    FloatNetwork::read(&fs::read(&trained.files.floats).unwrap()).unwrap().0
}

fn run(training: &Training) -> Trained {
    training.run(&AtomicBool::new(false), |_| ()).unwrap()
}

#[test]
fn network_learns_material() {
    let folder = tempdir().unwrap();
    let mut loaded = None;
    let trained = training(&folder, "a")
        .run(&AtomicBool::new(false), |event| {
            if let TrainingEvent::Loaded { games, training, validation, .. } = event {
                loaded = Some((games, training, validation));
            }
        })
        .unwrap();
    let (games, positions, validation) = loaded.unwrap();
    assert_eq!(games, 250);
    assert!(positions > 10 * validation / 2 && validation > 0, "{positions} {validation}");

    let losses: Vec<f64> = trained.points.iter().filter_map(|point| point.validation_loss).collect();
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!(last < 0.1 * first, "validation loss: {first} to {last}");

    let (network, label) = Network::read(&fs::read(&trained.files.network).unwrap()).unwrap();
    let finished = trained.finished.unwrap();
    assert_eq!(label.hash, finished.hash);
    assert!(label.description.contains("network") && label.description.contains("hidden = 64"));
    let value = |fen: &str| network.evaluate_slow(&Position::from_fen(fen).unwrap());
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_down = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    assert!(queen_up > 400 && queen_down < -400, "{queen_up} {queen_down}");

    // The quantised network is close to the floating-point weights.
    let (float, _) = FloatNetwork::read(&fs::read(&trained.files.floats).unwrap()).unwrap();
    assert_eq!(float.quantise(), network);
    let quantisation = finished.quantisation;
    assert!(quantisation.positions > 500, "{quantisation:?}");
    assert!(quantisation.mean < 4.0 && quantisation.max < 20.0, "{quantisation:?}");
    assert!(fs::read_to_string(&trained.files.curve).unwrap().starts_with("<svg"));
}

#[test]
fn layered_network_learns_material() {
    let folder = tempdir().unwrap();
    let mut whole = layered(&folder, "whole");
    let trained = run(&whole);
    let losses: Vec<f64> = trained.points.iter().filter_map(|point| point.validation_loss).collect();
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!(last < 0.1 * first, "validation loss: {first} to {last}");
    let network = floats(&trained);
    let quantisation = trained.finished.unwrap().quantisation;
    // The integer network cuts products of units off, which the floating-point one does not.
    assert!(quantisation.mean < 5.0 && quantisation.max < 40.0, "{quantisation:?}");
    assert_eq!((network.shape.head(), network.beyond_limits()), (Head::Layered, 0));
    let value = |fen: &str| network.evaluate(&Position::from_fen(fen).unwrap());
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_down = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    let (read, label) = Network::read(&fs::read(&trained.files.network).unwrap()).unwrap();
    assert!(read == network.quantise() && label.hash == trained.finished.unwrap().hash);
    assert!(queen_up > 400.0 && queen_down < -400.0, "{queen_up} {queen_down}");

    // Interrupted before the quantised finish, and in it.
    let interrupted = layered(&folder, "interrupted");
    for stop_after in [40, 250] {
        let interrupt = AtomicBool::new(false);
        interrupted
            .run(&interrupt, |event| {
                if let TrainingEvent::Step(progress) | TrainingEvent::Point(_, progress) = event {
                    interrupt.store(progress.step >= stop_after, Ordering::Relaxed);
                }
            })
            .unwrap();
    }
    assert!(floats(&run(&interrupted)) == network);

    // A child starts where its parent ended; a network with another head is no parent.
    whole.recipe.name = "child".to_owned();
    whole.recipe.start = Some(trained.files.floats);
    whole.recipe.settings.training.epochs = Some(1.0);
    whole.recipe.settings.learning_rate.peak = 1e-4;
    assert!(run(&whole).points[0].validation_loss.unwrap() < 0.5 * first);
    whole.recipe.settings.network.head = Head::Single;
    whole.recipe.name = "single".to_owned();
    assert!(matches!(whole.run(&AtomicBool::new(false), |_| ()), Err(TrainError::Start(..))));
}

#[test]
fn interrupted_training_gives_the_same_network() {
    let folder = tempdir().unwrap();
    let with_finish = |name: &str| {
        let mut training = training(&folder, name);
        training.recipe.settings.training.quantised_finish = 0.5;
        training
    };
    let whole = run(&with_finish("whole"));
    let quantisation = whole.finished.unwrap().quantisation;
    assert!(quantisation.mean < 1.0 && quantisation.max < 6.0, "{quantisation:?}");

    // Interrupted twice: before the quantised finish, and in it.
    let mut training = with_finish("buffers");
    training.tensorboard = Some(folder.path().join("events"));
    for stop_after in [40, 220] {
        let interrupt = AtomicBool::new(false);
        let stopped = training
            .run(&interrupt, |event| {
                if let TrainingEvent::Step(progress) | TrainingEvent::Point(_, progress) = event {
                    interrupt.store(progress.step >= stop_after, Ordering::Relaxed);
                }
            })
            .unwrap();
        assert!(stopped.finished.is_none() && !stopped.files.network.exists());
    }
    let buffers = run(&training);
    let numbers = |trained: &Trained| {
        let bytes = fs::read(&trained.files.floats).unwrap();
        FloatNetwork::read(&bytes).unwrap().0
    };
    assert_eq!(numbers(&buffers), numbers(&whole));
    assert_eq!(buffers.points.len(), whole.points.len());
    let csv = fs::read_to_string(&buffers.files.points).unwrap();
    let rows: Vec<_> = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).collect();
    assert_eq!(rows.len(), buffers.points.len());
    for (row, point) in rows.iter().zip(&buffers.points) {
        assert_eq!(row[0].parse(), Ok(point.positions));
        assert_eq!([row[1], row[3]].map(str::parse), [Ok(point.training_loss), Ok(point.learning_rate)]);
        assert_eq!(row[2].parse().ok(), point.validation_loss);
    }
    // TensorBoard's events: a header, then a record for each point.
    let events = fs::read(folder.path().join("events/buffers/events.out.tfevents")).unwrap();
    let (mut rest, mut records) = (&events[..], 0);
    while let Some((length, _)) = rest.split_first_chunk() {
        rest = &rest[8 + 4 + u64::from_le_bytes(*length) as usize + 4..];
        records += 1;
    }
    assert_eq!(records, 1 + buffers.points.len());

    // With another recipe the checkpoint is refused.
    training.recipe.seed += 1;
    let error = training.run(&AtomicBool::new(false), |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Checkpoint(_, CheckpointError::OtherRecipe)), "{error}");
}

#[test]
fn warm_start_continues_from_its_parent() {
    let folder = tempdir().unwrap();
    let parent = run(&training(&folder, "parent"));
    let mut child = training(&folder, "child");
    child.recipe.start = Some(parent.files.floats.clone());
    child.recipe.settings.training.epochs = Some(1.0);
    child.recipe.settings.learning_rate.peak = 1e-4;
    let child = run(&child);
    let at = |points: &[LossPoint], index: usize| points[index].validation_loss.unwrap();
    let parent_end = at(&parent.points, parent.points.len() - 1);
    assert!(at(&child.points, 0) < 2.0 * parent_end && at(&child.points, 0) < 0.5 * at(&parent.points, 0));
    let bytes = fs::read(&child.files.network).unwrap();
    assert!(Network::read(&bytes).unwrap().1.description.contains("parent "));

    // A quantised parent is a valid start as well; a file of games is not.
    let mut rounded = training(&folder, "rounded");
    rounded.recipe.start = Some(parent.files.network);
    rounded.recipe.settings.training.epochs = Some(1.0);
    rounded.recipe.settings.learning_rate.peak = 1e-4;
    assert!(at(&run(&rounded).points, 0) < 0.5 * at(&parent.points, 0));
    let mut wrong = training(&folder, "wrong");
    wrong.recipe.start = Some(folder.path().join("games").join("a.vd"));
    assert!(matches!(wrong.run(&AtomicBool::new(false), |_| ()), Err(TrainError::Start(..))));
}

#[test]
fn missing_files_are_reported() {
    let folder = tempdir().unwrap();
    let mut training = training(&folder, "a");
    training.recipe.data.files = vec![folder.path().join("nowhere")];
    let error = training.run(&AtomicBool::new(false), |_| ()).unwrap_err().to_string();
    assert!(error.contains("nowhere"), "{error}");
}
