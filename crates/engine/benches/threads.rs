//! Time to a fixed depth with one thread and with several, position by position. `make bench` runs it.
//! Arguments: depth (18), threads (2), rounds (1).

use chess::{Game, Position};
use engine::{BENCH_POSITIONS, Engine, Limits};
use std::time::{Duration, Instant};

/// Middlegames besides the positions of `bench`, so that there are forty.
const MORE: [&str; 10] = [
    "r1bqk2r/ppp2ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQK2R b KQkq - 2 6",
    "r2q1rk1/ppp1bppp/2n1bn2/3p4/3P4/1QN1PN2/PP2BPPP/R1B2RK1 w - - 3 10",
    "rn1qkb1r/pb1p1ppp/1p2pn2/2p5/2PP4/5NP1/PP2PPBP/RNBQ1RK1 w kq - 0 7",
    "r1b1kb1r/1pqpnppp/p1n1p3/8/3NP3/2N1B3/PPPQBPPP/R3K2R w KQkq - 2 9",
    "r2qk2r/1b2bppp/p2ppn2/1p6/3BPP2/1PN2Q2/1PP3PP/R3KB1R w KQkq - 1 13",
    "2kr3r/pppq1ppp/2nbbn2/3pp3/4P3/2PP1N1P/PPBN1PP1/R1BQ1RK1 w - - 5 10",
    "r4rk1/1bq1bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPPQ2PP/2KR3R w - - 2 13",
    "3rkb1r/p2n1ppp/b1p1pn2/qp2N3/3P4/1PN3P1/PB2PPBP/R2Q1RK1 w k - 3 13",
    "r1r3k1/pp1bppbp/3p1np1/q7/3NP1PP/2N1BP2/PPPQ4/2KR3R w - - 1 15",
    "4rrk1/pp1n1pp1/2pq3p/3p1b2/3P1P2/P1NBPQ1P/1P3RP1/2R3K1 b - - 3 20",
];

fn main() {
    // Cargo adds its own arguments, which are not numbers.
    let numbers: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let argument = |index: usize, default: u32| numbers.get(index).copied().unwrap_or(default);
    let (depth, threads, rounds) = (argument(0, 18), argument(1, 2) as usize, argument(2, 1));

    for round in 1..=rounds {
        let mut logarithms = 0.0;
        let (mut one, mut many) = (Duration::ZERO, Duration::ZERO);
        let positions: Vec<&str> = BENCH_POSITIONS.iter().chain(&MORE).copied().collect();
        for fen in &positions {
            let alone = time_to_depth(fen, depth, 1);
            let together = time_to_depth(fen, depth, threads);
            logarithms += (alone.as_secs_f64() / together.as_secs_f64()).ln();
            one += alone;
            many += together;
        }
        let mean = (logarithms / positions.len() as f64).exp();
        println!(
            "round {round}: {} positions to depth {depth}: 1 thread {:.1} s, {threads} threads {:.1} s, \
             {mean:.2} times as fast (geometric mean)",
            positions.len(),
            one.as_secs_f64(),
            many.as_secs_f64(),
        );
    }
}

fn time_to_depth(fen: &str, depth: u32, threads: usize) -> Duration {
    let position = Position::from_fen(fen).expect("the positions are well-formed");
    let mut engine = Engine::new();
    engine.set_hash(64).expect("there is memory");
    engine.set_threads(threads).expect("the system gives threads");
    let start = Instant::now();
    engine.go(&Game::new(position), Limits::depth(depth), |_| {}).expect("the engine is idle");
    engine.wait();
    start.elapsed()
}
