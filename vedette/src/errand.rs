//! Counting jobs that report line by line, `bench` and `perft`: the command line runs them, and so does a
//! session.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use chess::Position;
use engine::evaluation::Evaluation;

/// Takes one line of a report. An error ends the job.
pub type Tell<'a> = &'a mut dyn FnMut(String) -> io::Result<()>;

/// The deepest perft that is begun. None that deep will ever end, but a recursion must have a bottom.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// How to count the games that begin in a position.
pub struct Perft {
    /// Half moves.
    pub depth: u32,
    /// Tell the count of every first move.
    pub divide: bool,
    /// Write castling as king takes rook.
    pub chess960: bool,
    /// Threads to count with.
    pub threads: usize,
    /// Mebibytes to remember counts in; 0 for none.
    pub hash: usize,
}

impl Perft {
    /// Counts, and tells the counts; the last line is `nodes N time MS nps N`.
    pub fn run(&self, position: &Position, tell: Tell) -> Result<(), Box<dyn Error>> {
        if self.depth > MAX_PERFT_DEPTH {
            return Err(format!("perft deeper than {MAX_PERFT_DEPTH} is beyond counting").into());
        }
        let perft = chess::Perft::default().threads(self.threads).hash(self.hash);
        let perft = perft.ok_or_else(|| format!("no memory for a hash table of {} MiB", self.hash))?;
        let started = Instant::now();
        let nodes = if self.divide && self.depth > 0 {
            let counts = perft.divide(position, self.depth);
            // Two moves must not look alike, as a king's step and castling can in Chess960.
            let chess960 = self.chess960 || !position.has_standard_castling();
            for (mv, count) in &counts {
                tell(format!("{}: {count}", mv.uci(chess960)))?;
            }
            counts.iter().map(|(_, count)| count).sum()
        } else {
            perft.count(position, self.depth)
        };
        let time = started.elapsed();
        let nps = nodes_per_second(nodes, time);
        tell(format!("nodes {nodes} time {} nps {nps}", time.as_millis()))?;
        Ok(())
    }
}

/// Searches the bench positions, and tells how each went; the last line is `N nodes N nps`.
pub fn bench(depth: u32, evaluation: Evaluation, tell: Tell) -> Result<(), Box<dyn Error>> {
    let mut told = Ok(());
    let result = engine::bench(depth, evaluation, |number, position, nodes| {
        if told.is_ok() {
            told = tell(format!("{number:>2} {nodes:>10} nodes  {}", position.to_fen()));
        }
    });
    told?;
    let nps = nodes_per_second(result.nodes, result.time);
    tell(format!("{} nodes {nps} nps", result.nodes))?;
    Ok(())
}

fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / time.as_micros().max(1)
}
