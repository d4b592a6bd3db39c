//! `vedette gpu perft`

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use chess::{FenRepairs, Position};
use gpu::DeviceContext;
use serde_json::{Value, json};

use super::DeviceArguments;
use crate::cli::json::JsonArguments;
use crate::cli::values::{parse_count, parse_fen};
use crate::jobs::{MAX_PERFT_DEPTH, nodes_per_second};

#[derive(clap::Args)]
pub struct Arguments {
    /// Count to this depth in plies [default: verify positions with known counts]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: Option<u32>,
    /// Start from this position: FEN, X-FEN or Shredder-FEN [default: startpos]
    #[arg(long, value_name = "FEN", requires = "depth", value_parser = parse_fen)]
    fen: Option<(Position, FenRepairs)>,
    /// Verify known counts up to this one
    #[arg(long = "max", alias = "most", value_name = "N", default_value = "10G", value_parser = parse_count)]
    max: u64,
    #[command(flatten)]
    device: DeviceArguments,
    #[command(flatten)]
    json: JsonArguments,
}

/// Counts of the Chess Programming Wiki and of Chess960 suites.
const KNOWN: [(&str, u32, u64); 14] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 7, 3_195_901_860),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 6, 8_031_647_685),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706_045_033),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 5, 8_146_062),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 5, 16_253_601),
];

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let json = arguments.json.open()?;
    let mut context = arguments.device.open()?;
    let mut out = arguments.json.text();
    if let Some(depth) = arguments.depth {
        let position = arguments.fen.map_or_else(Position::startpos, |(position, _)| position);
        let (nodes, time) = count(&mut context, &position, depth)?;
        writeln!(out, "nodes {nodes} time {} nps {}", time.as_millis(), nodes_per_second(nodes, time))?;
        return json.finish(|| result(&context, &[record(&position.to_fen(), depth, nodes, None, time)]));
    }
    let (mut wrong, mut records) = (0, Vec::new());
    for (fen, depth, expected) in KNOWN.into_iter().filter(|&(_, _, count)| count <= arguments.max) {
        let position = Position::from_fen(fen).map_err(|error| format!("{fen}: {error}"))?;
        let (nodes, time) = count(&mut context, &position, depth)?;
        let speed = nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
        let verdict = if nodes == expected { "ok".to_owned() } else { format!("WRONG: {expected}") };
        wrong += u32::from(nodes != expected);
        records.push(record(fen, depth, nodes, Some(expected), time));
        writeln!(out, "{nodes:>13} {verdict}  depth {depth}  {speed:.0} M/s  {fen}")?;
        out.flush()?;
    }
    json.finish(|| result(&context, &records))?;
    if wrong > 0 { Err(format!("{wrong} wrong counts").into()) } else { Ok(()) }
}

/// One count, for scripts.
fn record(fen: &str, depth: u32, nodes: u64, expected: Option<u64>, time: Duration) -> Value {
    json!({
        "fen": fen, "depth": depth, "nodes": nodes, "expected": expected,
        "seconds": time.as_secs_f64(), "nps": nodes_per_second(nodes, time) as u64,
    })
}

fn result(context: &DeviceContext, records: &[Value]) -> Value {
    json!({"schema": "vedette-gpu-perft/1", "device": context.name(), "counts": records})
}

/// Enough tasks per warp that all warps end at about the same time.
const TASKS_PER_WARP: usize = 8;

/// Makes the first plies on the host to get enough tasks, the rest on the device.
fn count(
    context: &mut DeviceContext,
    position: &Position,
    depth: u32,
) -> Result<(u64, Duration), Box<dyn Error>> {
    let tasks = TASKS_PER_WARP * context.perft_tasks_at_once()?;
    let started = Instant::now();
    let mut positions = vec![*position];
    let mut left = depth;
    while left > 1 && positions.len() < tasks && !positions.is_empty() {
        let children = |parent: &Position| {
            let parent = *parent;
            parent.legal_moves().iter().copied().collect::<Vec<_>>().into_iter().map(move |mv| {
                let mut child = parent;
                child.play(mv);
                child
            })
        };
        positions = positions.iter().flat_map(children).collect();
        left -= 1;
    }
    let counts = context.perft(&positions, left)?;
    Ok((counts.iter().sum(), started.elapsed()))
}
