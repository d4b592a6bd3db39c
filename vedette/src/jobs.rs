//! `bench` and `perft`, which print line by line: both the command line and a UCI session run them.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use chess::Position;
use engine::evaluation::Evaluation;

/// Prints one line. An error ends the job.
pub type Print<'a> = &'a mut dyn FnMut(String) -> io::Result<()>;

/// No perft this deep will ever end, but the recursion needs a limit.
pub const MAX_PERFT_DEPTH: u32 = 64;

pub struct Perft {
    /// Plies.
    pub depth: u32,
    /// Print the count of each root move.
    pub divide: bool,
    /// Write castling as king takes rook.
    pub chess960: bool,
    pub threads: usize,
    /// Hash table in MiB; 0 for none.
    pub hash: usize,
}

impl Perft {
    /// Counts leaf nodes; the last line is `nodes N time MS nps N`.
    pub fn run(&self, position: &Position, print: Print) -> Result<(), Box<dyn Error>> {
        if self.depth > MAX_PERFT_DEPTH {
            return Err(format!("invalid depth '{}': expected 0..={MAX_PERFT_DEPTH}", self.depth).into());
        }
        let perft = chess::Perft::default().threads(self.threads).hash(self.hash);
        let perft = perft.ok_or_else(|| format!("out of memory: hash table of {} MiB", self.hash))?;
        let started = Instant::now();
        let nodes = if self.divide && self.depth > 0 {
            let counts = perft.divide(position, self.depth);
            // In Chess960 a king move and castling can look alike in standard notation.
            let chess960 = self.chess960 || !position.has_standard_castling();
            for (mv, count) in &counts {
                print(format!("{}: {count}", mv.uci(chess960)))?;
            }
            counts.iter().map(|(_, count)| count).sum()
        } else {
            perft.count(position, self.depth)
        };
        let time = started.elapsed();
        let nps = nodes_per_second(nodes, time);
        print(format!("nodes {nodes} time {} nps {nps}", time.as_millis()))?;
        Ok(())
    }
}

/// Searches the bench positions; the last line is `N nodes N nps`.
pub fn bench(depth: u32, evaluation: Evaluation, print: Print) -> Result<(), Box<dyn Error>> {
    let mut printed = Ok(());
    let result = engine::bench(depth, evaluation, |number, position, nodes| {
        if printed.is_ok() {
            printed = print(format!("{number:>2} {nodes:>10} nodes  {}", position.to_fen()));
        }
    })?;
    printed?;
    let nps = nodes_per_second(result.nodes, result.time);
    print(format!("{} nodes {nps} nps", result.nodes))?;
    Ok(())
}

fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / time.as_micros().max(1)
}
