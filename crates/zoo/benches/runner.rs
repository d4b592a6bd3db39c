//! Overhead of the match runner: latency per move, and CPU time.
//!
//! `cargo bench -p zoo --bench runner [-- GAMES]`. Two engines of the zoo that report their time in microseconds play at
//! 1+0.01; the difference to the time measured by the arena is the runner's latency.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::openings::OpeningSource;
use arena::{Arena, MatchEvent, cli};
use support::shell::split_arguments;

const ZOO: &str = env!("CARGO_BIN_EXE_engine-zoo");
const CONCURRENCY: u32 = 2;

fn main() {
    let games = std::env::args().skip(1).find_map(|argument| argument.parse::<u32>().ok()).unwrap_or(200);
    let line = format!(
        "-engine cmd={ZOO} name=A args=paced -engine cmd={ZOO} name=B args=paced -each tc=1+0.01 \
         -rounds {} -concurrency {CONCURRENCY} -srand 1 -maxmoves 60 -faults none",
        games.div_ceil(2)
    );
    let config = cli::parse(&split_arguments(&line)).expect("a valid command line").config;
    let interrupt = AtomicBool::new(false);
    let arena = Arena::new(&config, OpeningSource::from_config(&config).expect("the book"), &interrupt);
    let mut latencies: Vec<f64> = Vec::new();
    let mut late = 0;
    let (started, cpu_before) = (Instant::now(), own_cpu());
    arena.run(&[], |event| {
        if let MatchEvent::Finished(game, _) = event {
            late += u32::from(game.summary.termination.is_fault());
            for record in &game.played.records {
                // The paced engine reports its time in microseconds as nodes.
                if let Some(reported) = record.info.as_ref().and_then(|info| info.nodes) {
                    latencies.push(record.elapsed.as_secs_f64() * 1e3 - reported as f64 / 1e3);
                }
            }
        }
    });
    let wall = started.elapsed();
    latencies.sort_by(f64::total_cmp);
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
    println!(
        "games        {games} at 1+0.01, concurrency {CONCURRENCY}, {} moves, {late} lost by a fault",
        latencies.len()
    );
    println!(
        "latency      median {:.3} ms, 99th percentile {:.3} ms, max {:.3} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    match (cpu_before, own_cpu()) {
        (Some(before), Some(after)) => {
            let share =
                (after.as_secs_f64() - before.as_secs_f64()) / wall.as_secs_f64() / f64::from(CONCURRENCY)
                    * 100.0;
            println!("CPU          {share:.2} % of {CONCURRENCY} cores over {:.1} s", wall.as_secs_f64());
        }
        _ => println!("CPU          not available on this system"),
    }
}

/// CPU time of this process, from `/proc` (in ticks of 10 ms).
fn own_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
