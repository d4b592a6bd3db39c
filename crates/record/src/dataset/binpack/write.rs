//! Writes chunks.

use chess::Position;

use super::chain::{self, BitWriter};
use super::{HEAD_BYTES, MAGIC, first};
use crate::packed::{PackedResult, Sample};

/// A chunk ends with the chain that makes it this large.
const CHUNK: usize = 1 << 20;

/// Collects positions to chains, and chains to chunks.
#[derive(Debug, Default)]
pub struct ChunkWriter {
    chunk: Vec<u8>,
    chain: Option<Chain>,
}

/// The chain at the end of the chunk.
#[derive(Debug)]
struct Chain {
    /// Where the chain begins.
    at: usize,
    /// The position after the last one, whose score it has.
    next: Position,
    score: i16,
    result: PackedResult,
    /// Positions after the first.
    count: u16,
    bits: BitWriter,
}

impl ChunkWriter {
    /// Adds a position; returns the bytes that are complete. `None` if the format cannot hold it: without a move, or with
    /// Chess960 castling rights.
    pub fn add(&mut self, sample: &Sample) -> Option<Vec<u8>> {
        let (position, mv) = (&sample.position, sample.mv?);
        if !position.has_standard_castling() {
            return None;
        }
        let score = sample.stored_mover_score();
        if let Some(chain) = &mut self.chain
            && chain.next == *position
            && chain.result == sample.result
            && chain.count < u16::MAX
        {
            let change = score.wrapping_sub(chain.score.wrapping_neg());
            chain::write(&mut chain.bits, &mut self.chunk, position, mv, change);
            chain.count += 1;
            let count = chain.at + HEAD_BYTES - 2..chain.at + HEAD_BYTES;
            self.chunk[count].copy_from_slice(&chain.count.to_be_bytes());
            (chain.next, chain.score) = (position.after(mv), score);
            return Some(Vec::new());
        }
        let full = if self.chunk.len() < CHUNK { Vec::new() } else { self.finish() };
        self.chain = Some(Chain {
            at: self.chunk.len(),
            next: position.after(mv),
            score,
            result: sample.result,
            count: 0,
            bits: BitWriter::default(),
        });
        self.chunk.extend_from_slice(&first::write(sample, mv));
        self.chunk.extend_from_slice(&[0; 2]);
        Some(full)
    }

    /// The bytes that are left.
    pub fn finish(&mut self) -> Vec<u8> {
        self.chain = None;
        let chunk = std::mem::take(&mut self.chunk);
        if chunk.is_empty() {
            return chunk;
        }
        let size = (chunk.len() as u32).to_le_bytes();
        [&MAGIC[..], &size, &chunk].concat()
    }
}
