//! A training crashes at every step of its files, and is resumed: it gives the network of an uninterrupted one.

mod support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ::support::files::faults::{Interruption, Survival, every_crash, every_fault};
use cuda::Device;
use nnue::{FloatNetwork, Network};
use support::write_games;
use train::{Recipe, TrainError, Training, TrainingEvent};

/// A training of a few steps with a checkpoint after each.
fn training(folder: &Path) -> Training {
    let text = format!(
        "name = 'a'\nnetwork.hidden = 64\nlearning_rate.peak = 0.003\n\
         data = {{ files = ['{}/games.vd'], filter.min_ply = 4 }}\ntraining = {{ epochs = 1, batch = 400 }}",
        folder.display()
    );
    Training {
        recipe: Recipe::read(&text).unwrap(),
        output: folder.to_owned(),
        device: Device::Cpu,
        threads: 1,
        resume: true,
        replace: false,
        checkpoint_every: Duration::ZERO,
        tensorboard: Some(folder.to_owned()),
    }
}

/// The step of the last checkpoint that was acknowledged.
#[derive(Default)]
struct Saved(AtomicU64);

impl Saved {
    /// Runs the training; returns the step at which it was resumed.
    fn run(&self, folder: &Path) -> Result<u64, TrainError> {
        let (mut last, resumed) = (0, AtomicU64::new(0));
        training(folder).run(&AtomicBool::new(false), |event| match event {
            TrainingEvent::Begins { resumed_at, .. } => {
                last = resumed_at;
                resumed.store(resumed_at, Relaxed);
            }
            TrainingEvent::Step(progress) | TrainingEvent::Point(_, progress) => last = progress.step,
            TrainingEvent::Checkpoint(_) => self.0.store(last, Relaxed),
            _ => {}
        })?;
        Ok(resumed.into_inner())
    }

    /// Resumes, and compares the networks with those of an uninterrupted training.
    fn check(&self, folder: &Path, point: &Interruption, expected: &Expected) {
        let saved = self.0.load(Relaxed);
        let resumed = self.run(folder).unwrap_or_else(|error| panic!("{point}: {error}"));
        assert!((saved..=saved + 1).contains(&resumed), "{point}: step {saved} saved, resumed at {resumed}");
        assert!(networks(folder) == expected.networks, "{point}");
        assert_eq!(curve(folder), expected.curve, "{point}");
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        assert_eq!(
            names,
            ["a", "a.checkpoint", "a.csv", "a.float.nnue", "a.lock", "a.nnue", "a.svg", "games.vd"],
            "{point}"
        );
    }
}

fn networks(folder: &Path) -> (FloatNetwork, Network) {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    (FloatNetwork::read(&read("a.float.nnue")).unwrap().0, Network::read(&read("a.nnue")).unwrap().0)
}

fn prepare(folder: &Path) {
    write_games(&folder.join("games.vd"), 0..10);
}

/// The loss curve as CSV and as events of TensorBoard, without their times.
fn curve(folder: &Path) -> (String, Vec<Vec<u8>>) {
    let bytes = fs::read(folder.join("a/events.out.tfevents")).unwrap();
    let (mut rest, mut events) = (&bytes[..], Vec::new());
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
        // After the length's checksum: the tag of the time and eight bytes of it.
        events.push(rest[12 + 9..12 + length].to_vec());
        rest = &rest[12 + length + 4..];
    }
    (fs::read_to_string(folder.join("a.csv")).unwrap(), events)
}

/// The result of an uninterrupted training.
struct Expected {
    networks: (FloatNetwork, Network),
    curve: (String, Vec<Vec<u8>>),
}

fn uninterrupted() -> Expected {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    Saved::default().run(folder.path()).unwrap();
    let expected = Expected { networks: networks(folder.path()), curve: curve(folder.path()) };
    assert!(
        expected.curve.0.lines().count() > 2 && expected.curve.1.len() == expected.curve.0.lines().count()
    );
    expected
}

fn crashes(survivals: &[Survival]) -> usize {
    let (root, saved, expected) = (tempfile::tempdir().unwrap(), Saved::default(), uninterrupted());
    let prepare = |folder: &Path| {
        saved.0.store(0, Relaxed);
        prepare(folder);
    };
    let work = |folder: &Path| saved.run(folder).map(drop);
    let count = every_crash(root.path(), survivals, prepare, work, |folder, point| {
        saved.check(folder, point, &expected);
    });
    println!("training: {count} crashes");
    count
}

#[test]
fn crash_loses_no_checkpoint() {
    assert!(crashes(&[Survival::SYNCED]) > 30);
}

#[test]
#[ignore = "hundreds of trainings"]
fn every_crash_loses_no_checkpoint() {
    crashes(&Survival::ALL);
}

#[test]
fn fault_loses_no_checkpoint() {
    let (root, saved, expected) = (tempfile::tempdir().unwrap(), Saved::default(), uninterrupted());
    let prepare = |folder: &Path| {
        saved.0.store(0, Relaxed);
        prepare(folder);
    };
    let work = |folder: &Path| saved.run(folder).map(drop);
    let count = every_fault(root.path(), prepare, work, |folder, point, _| {
        saved.check(folder, point, &expected);
    });
    println!("training: {count} faults");
    assert!(count > 60, "{count}");
}

#[test]
fn training_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let mut second = None;
    let done = training(folder.path()).run(&AtomicBool::new(false), |event| {
        if matches!(event, TrainingEvent::Loaded { .. }) {
            second = Some(training(folder.path()).run(&AtomicBool::new(false), |_| ()));
        }
    });
    assert!(done.is_ok() && matches!(second, Some(Err(TrainError::InUse(_)))));
}
