//! Reads chunks.

use std::io::{self, BufRead, BufReader, Read};

use chess::Position;

use super::super::source::SampleSource;
use super::chain::{self, BitReader};
use super::first::{self, white_score};
use super::{FIRST_BYTES, HEAD_BYTES, MAGIC};
use crate::packed::{PackedError, PackedResult, Sample};

/// Larger chunks are damage, as for nnue-pytorch.
const MAX_CHUNK: u32 = 100 << 20;

/// The positions of a file.
pub struct Chunks<R> {
    source: BufReader<R>,
    /// Bytes of the file up to the end of the chunk.
    end: u64,
    /// The rest of the chunk begins at `next`.
    chunk: Vec<u8>,
    next: usize,
    /// Whether the file ends within the chunk.
    is_cut: bool,
    chain: Option<Chain>,
}

/// The rest of a chain. Its bits begin at the `next` byte of the chunk.
struct Chain {
    position: Position,
    result: PackedResult,
    /// Less the score of the last position, for its side to move.
    score: i16,
    left: u16,
    bits: BitReader,
}

impl<R: Read> Chunks<R> {
    pub fn new(source: R) -> Self {
        let source = BufReader::with_capacity(1 << 16, source);
        Chunks { source, end: 0, chunk: Vec::new(), next: 0, is_cut: false, chain: None }
    }

    /// The next chunk; `None` at the end of the file.
    fn load(&mut self) -> io::Result<Option<Result<(), PackedError>>> {
        self.chunk.clear();
        self.next = 0;
        let mut header = [0; 8];
        let read = read_up_to(&mut self.source, &mut header)?;
        self.end += read as u64;
        if read == 0 {
            return Ok(None);
        }
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        if read < header.len() || !header.starts_with(&MAGIC) || size > MAX_CHUNK {
            self.resynchronise()?;
            return Ok(Some(Err(PackedError::Record("expected a chunk that begins with BINP".to_owned()))));
        }
        (&mut self.source).take(size.into()).read_to_end(&mut self.chunk)?;
        self.is_cut = self.chunk.len() < size as usize;
        self.end += self.chunk.len() as u64;
        Ok(Some(Ok(())))
    }

    /// Skips bytes up to the next chunk.
    fn resynchronise(&mut self) -> io::Result<()> {
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let found = buffer.windows(MAGIC.len()).position(|window| window == MAGIC);
            // The last bytes may be the beginning of it.
            let skipped = found
                .unwrap_or_else(|| (buffer.len() + 1).saturating_sub(MAGIC.len()).max(1).min(buffer.len()));
            self.source.consume(skipped);
            self.end += skipped as u64;
            if found.is_some() || skipped == 0 {
                return Ok(());
            }
        }
    }

    /// The next position of the chunk, which has one.
    fn read(&mut self) -> Result<Sample, PackedError> {
        let sample = match self.chain.take() {
            Some(chain) => self.read_next(chain)?,
            None => self.read_first()?,
        };
        if let Some(chain) = &self.chain
            && chain.left == 0
        {
            self.next += chain.bits.bytes();
            self.chain = None;
        }
        Ok(sample)
    }

    /// The first position of a chain.
    fn read_first(&mut self) -> Result<Sample, PackedError> {
        let head: &[u8; HEAD_BYTES] = self.chunk[self.next..].first_chunk().ok_or(PackedError::Truncated)?;
        let (start, left) = head.split_first_chunk::<FIRST_BYTES>().ok_or(PackedError::Truncated)?;
        let sample = first::read(start)?;
        let Some(mv) = sample.mv else { return Err(PackedError::Truncated) };
        self.chain = Some(Chain {
            position: sample.position.after(mv),
            result: sample.result,
            score: (sample.mover_score() as i16).wrapping_neg(),
            left: u16::from_be_bytes([left[0], left[1]]),
            bits: BitReader::default(),
        });
        self.next += HEAD_BYTES;
        Ok(sample)
    }

    /// The next position of a chain, which is put back.
    fn read_next(&mut self, mut chain: Chain) -> Result<Sample, PackedError> {
        let position = chain.position;
        let (mv, change) = chain::read(&mut chain.bits, &self.chunk[self.next..], &position)
            .map_err(|reason| PackedError::Record(reason.to_owned()))?;
        let score = chain.score.wrapping_add(change);
        chain.score = score.wrapping_neg();
        chain.left -= 1;
        chain.position = position.after(mv);
        let result = chain.result;
        self.chain = Some(chain);
        Ok(Sample { position, mv: Some(mv), score: white_score(&position, score), result, index: 0 })
    }
}

impl<R: Read> SampleSource for Chunks<R> {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>> {
        while self.next == self.chunk.len() && self.chain.is_none() {
            if std::mem::take(&mut self.is_cut) {
                return Ok(Some(Err(PackedError::Truncated)));
            }
            match self.load()? {
                None => return Ok(None),
                Some(Err(fault)) => return Ok(Some(Err(fault))),
                Some(Ok(())) => {}
            }
        }
        let sample = self.read();
        if sample.is_err() {
            // Chains have no marks, so the rest of the chunk cannot be read.
            (self.chain, self.is_cut) = (None, false);
            self.next = self.chunk.len();
        }
        Ok(Some(sample))
    }

    fn offset(&self) -> u64 {
        self.end - (self.chunk.len() - self.next) as u64
    }
}

/// Fills the buffer up to the end of the source; returns the bytes read.
fn read_up_to(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
