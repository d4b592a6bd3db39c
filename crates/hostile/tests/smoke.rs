//! Every target with its seeds and a fixed number of mutations of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hostile::{TARGETS, mutate};
use support::random::Random;

/// Mutations of each seed; a target that takes long has fewer.
fn mutations(target: &str) -> usize {
    match target {
        "pgn_linear" => 4,
        "network" | "bullet_network" | "checkpoint" => 20,
        "dataset" => 100,
        _ => 300,
    }
}

#[test]
fn targets_survive_mutated_seeds() {
    let mut failures = Vec::new();
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        let mut random = Random::new(support::hash::fnv1a(target.name.bytes()));
        for seed in &seeds {
            let mutated = (0..mutations(target.name)).map(|_| mutate(seed, &mut random)).collect::<Vec<_>>();
            for input in std::iter::once(seed).chain(&mutated) {
                if catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_err() {
                    failures.push(format!("{}: {:?}", target.name, String::from_utf8_lossy(input)));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} inputs:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_target_has_a_fuzz_binary() {
    let manifest = include_str!("../../../fuzz/Cargo.toml");
    for target in TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{}\"", target.name)),
            "{} in fuzz/Cargo.toml",
            target.name
        );
    }
}
