//! A fixed set of searches. The node count is a signature of the search.

use crate::evaluation::Evaluation;
use crate::{Engine, Limits, OptionError};
use chess::{Game, Position};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Nodes and time of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all positions.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Positions of all phases of the game: openings, quiet and sharp middlegames, endgames, and known problem
/// positions.
pub const BENCH_POSITIONS: [&str; 30] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 2 13",
    "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/3R1RK1 w - - 4 14",
    "r2qr1k1/1p1bbppp/p1nppn2/8/P2NPP2/2N1B3/1PP1B1PP/R2Q1R1K w - - 3 13",
    "3rr1k1/pp1n1ppp/2pq1n2/3p4/3P4/2PB1N1P/PPQ2PP1/R3R1K1 w - - 4 17",
    "r4rk1/pp1b1ppp/1qnbpn2/3p4/3P4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 3 12",
    "1r3rk1/3bqppp/p1n1p3/1pPpP3/1P1P4/P2B1N2/5PPP/R2QR1K1 w - - 1 21",
    "5rk1/1p3ppp/pq3n2/3p1b2/1P1R4/P1N1P1P1/1B2QP1P/6K1 b - - 0 23",
    "r5k1/pp3pp1/2p1q2p/3p4/3PnN2/P3P1QP/1P3PP1/2R3K1 w - - 0 26",
    "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/pp2k3/2p1p1p1/2P1P1Pp/1P1K3P/P7/8/8 w - - 0 40",
    "4k3/1R3p2/4p1p1/r3P2p/5P1P/6P1/5K2/8 b - - 3 44",
    "8/5pk1/4b1p1/p2pP2p/1p1B1P1P/1P2K1P1/P7/8 w - - 1 38",
    "6k1/5pp1/3q3p/1p1pN3/1P1P4/4Q2P/5PP1/6K1 b - - 0 33",
    "8/8/4k3/3p4/p2P1K2/P7/8/8 w - - 0 1",
    "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1",
    "5k2/4r3/8/8/3QK3/8/8/8 w - - 0 1",
    "8/1k6/8/2n5/4KP2/5N2/8/8 w - - 0 1",
    "r7/4p3/5p1q/3P4/4pQ2/4pP2/6pp/R3K1kr w Q - 1 3",
];

/// The positions of the bench as games.
pub fn bench_games() -> Vec<Game> {
    BENCH_POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()).map(Game::new).collect()
}

/// How a bench searches.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Hash table in MiB.
    pub hash_mb: usize,
    /// Search threads. The node count is a signature only of one thread and a limit in depth or nodes.
    pub threads: usize,
    /// The limits of each search.
    pub limits: Limits,
    /// The evaluation.
    pub evaluation: Evaluation,
}

impl Bench {
    /// Searches the current position of each game, with cleared hash and histories. `on_position` gets the number of
    /// each, the position and its nodes.
    ///
    /// # Errors
    /// There is no memory for the hash table or no thread.
    pub fn run(
        &self,
        games: &[Game],
        mut on_position: impl FnMut(usize, &Position, u64),
    ) -> Result<BenchResult, OptionError> {
        let mut engine = Engine::try_with_evaluation(self.evaluation.clone())?;
        engine.set_hash(self.hash_mb)?;
        engine.set_threads(self.threads)?;
        let mut total = BenchResult { nodes: 0, time: Duration::ZERO };
        for (index, game) in games.iter().enumerate() {
            engine.new_game()?;
            let start = Instant::now();
            let limits = Limits { received: start, ..self.limits.clone() };
            engine.search(game, limits, &AtomicBool::new(false), |_| {})?;
            total.time += start.elapsed();
            total.nodes += engine.nodes();
            on_position(index + 1, game.position(), engine.nodes());
        }
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes of all positions, and how many there were.
    fn nodes(bench: &Bench) -> (u64, usize) {
        let mut visited = 0;
        let result = bench.run(&bench_games(), |_, _, _| visited += 1).unwrap();
        (result.nodes, visited)
    }

    #[test]
    fn repeated_benches_count_the_same_nodes() {
        let (limits, evaluation) = (Limits::depth(6), Evaluation::default());
        let bench = Bench { hash_mb: 16, threads: 1, limits, evaluation };
        let (first, visited) = nodes(&bench);
        assert_eq!(nodes(&bench), (first, visited));
        assert_eq!(visited, BENCH_POSITIONS.len());
        assert!(first > 10_000);
    }

    #[test]
    fn node_limit_counts_every_node() {
        let (limits, evaluation) = (Limits::nodes(500), Evaluation::Classical);
        let bench = Bench { hash_mb: 1, threads: 1, limits, evaluation };
        let (nodes, visited) = nodes(&bench);
        assert_eq!(nodes, 500 * visited as u64);
    }
}
