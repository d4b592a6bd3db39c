//! Engines that flood the tools: memory stays bounded. A test program of its own, because it looks at the highest memory use
//! of its process.

#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::cli;
use arena::openings::OpeningSource;
use arena::{Arena, Conclusion};
use doctor::catalogue::CheckId;
use doctor::check::Thoroughness;
use doctor::{ExaminationPlan, Subject};
use support::shell::split_arguments;
use uci::client::{Client, ClientError, Launch};

const ZOO: &str = env!("CARGO_BIN_EXE_engine-zoo");

/// A flood of 50 MB per search and an endless one, parsed and kept without a bound, need a multiple of it.
const MAX_KIB: u64 = 300 * 1024;

fn assert_memory_is_bounded(flood: &str) {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    let peak: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(peak < MAX_KIB, "{flood}: {peak} KiB");
}

#[test]
fn match_survives_a_flood_of_pvs() {
    let line = format!(
        "-engine cmd={ZOO} name=Sound args=sound -engine cmd={ZOO} name=Wild \"args=flood-of-pvs 0\" \
         -each tc=600 -rounds 1 -maxmoves 2"
    );
    let mut config = cli::parse(&split_arguments(&line)).expect("a valid command line").config;
    config.timeouts.start = Duration::from_mins(2);
    let interrupt = AtomicBool::new(false);
    let arena = Arena::new(&config, OpeningSource::from_config(&config).expect("the book"), &interrupt);
    let (tally, conclusion) = arena.run(&[], |_| {});
    assert_eq!((tally.games(), conclusion), (2, Conclusion::Complete));
    assert_memory_is_bounded("a match");
}

#[test]
fn doctor_survives_a_flood_of_pvs() {
    let plan = ExaminationPlan {
        subject: Subject { command: format!("\"{ZOO}\" flood-of-pvs 0"), options: Vec::new() },
        thoroughness: Thoroughness::Quick,
        only: vec![CheckId::Handshake],
        time_limit: None,
        doctor: "test".to_owned(),
    };
    let report = plan.run(&Arc::new(AtomicBool::new(false)), |_| {});
    assert!(report.searches > 0);
    assert_memory_is_bounded("the doctor");
}

#[test]
fn handshake_survives_a_flood_of_options() {
    let arguments = vec!["floods-options".to_owned()];
    let mut client =
        Client::start(&Launch { program: ZOO.into(), arguments, directory: None }).expect("a zoo");
    let answer = client.handshake(Duration::from_secs(3)).map(drop);
    assert!(matches!(answer, Err(ClientError::Timeout { .. })), "{answer:?}");
    assert_memory_is_bounded("the handshake");
}
