//! Entries from the records and lines of a file.

use std::collections::VecDeque;
use std::io::{self, Read};

use chess::Position;

use super::csv::CsvColumns;
use super::lines::Lines;
use super::text::{PlainRecord, read_line};
use super::{DataEntry, DataFormat, EntrySource, bin, binpack, bullet, game_text};
use crate::packed::{Damage, GameReader, PackedError, PackedGame, Sample};
use crate::pgn::{PgnPieces, PgnReader};

/// Entries of damage that are kept; what follows is added to the last.
const MAX_DAMAGE: usize = 1000;
/// A longer game is cut.
const MAX_PLIES: usize = 1 << 14;

pub fn open(file: impl Read + 'static, format: DataFormat) -> io::Result<Box<dyn EntrySource>> {
    Ok(match format {
        DataFormat::Games => Box::new(GameReader::new(file)),
        DataFormat::Pgn => Box::new(PgnSource::new(file)),
        DataFormat::Text => Box::new(Joined::new(LineSource { lines: Lines::new(file), read: read_line })),
        DataFormat::Plain => Box::new(Joined::new(PlainSource { lines: Lines::new(file) })),
        DataFormat::Csv => Box::new(Joined::new(csv(file)?)),
        DataFormat::Bullet => Box::new(Joined::new(RecordSource::new(file, bullet::read))),
        DataFormat::Bin => Box::new(Joined::new(RecordSource::new(file, bin::read))),
        DataFormat::Binpack => Box::new(Joined::new(binpack::Chunks::new(file))),
        #[cfg(feature = "parquet")]
        DataFormat::Parquet => return Err(io::Error::from(io::ErrorKind::NotSeekable)),
    })
}

#[cfg(feature = "parquet")]
pub fn open_parquet(file: std::fs::File) -> io::Result<Box<dyn EntrySource>> {
    Ok(Box::new(Joined::new(super::parquet::open(file)?)))
}

impl<R: Read> EntrySource for GameReader<R> {
    fn next_entry(&mut self) -> io::Result<Option<DataEntry>> {
        Ok(self.next_game()?.map(DataEntry::Game))
    }

    fn offset(&self) -> u64 {
        self.offset()
    }

    fn damage(&self) -> &[Damage] {
        self.damage()
    }
}

/// Single positions of a file: `Err` for one that is invalid.
pub trait SampleSource {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>>;

    fn offset(&self) -> u64;
}

/// What was skipped; what lies next to each other is one entry.
#[derive(Default)]
struct DamageLog {
    list: Vec<Damage>,
    /// Whether the last record was invalid too.
    is_open: bool,
}

impl DamageLog {
    fn add(&mut self, offset: u64, bytes: u64, fault: PackedError) {
        match self.list.last_mut() {
            Some(last) if self.is_open || last.offset + last.bytes == offset => last.bytes += bytes,
            _ => self.list.push(Damage { offset, bytes, fault }),
        }
        self.is_open = self.list.len() == MAX_DAMAGE;
    }
}

/// Whether a position is the one that is expected, whatever its move number: tools of nnue-pytorch count it differently.
fn is_same(expected: &Position, position: &Position) -> bool {
    expected.key() == position.key()
        && expected.occupied() == position.occupied()
        && expected.halfmove_clock() == position.halfmove_clock()
}

/// Joins positions that follow each other by their moves to games.
struct Joined<S> {
    source: S,
    /// The game so far, and the position after it.
    game: Option<(PackedGame, Position)>,
    /// An entry that waits for the game before it.
    waiting: Option<Sample>,
    damage: DamageLog,
}

impl<S: SampleSource> Joined<S> {
    fn new(source: S) -> Self {
        Joined { source, game: None, waiting: None, damage: DamageLog::default() }
    }

    /// The next valid position.
    fn next_valid(&mut self) -> io::Result<Option<Sample>> {
        loop {
            let before = self.source.offset();
            match self.source.next_sample()? {
                None => return Ok(None),
                Some(Ok(sample)) => return Ok(Some(sample)),
                Some(Err(fault)) => self.damage.add(before, self.source.offset() - before, fault),
            }
        }
    }

    /// Adds a position to the game; gives it back if it belongs to another.
    fn join(&mut self, sample: Sample) -> Option<Sample> {
        let Some(mv) = sample.mv else { return Some(sample) };
        let after = sample.position.after(mv);
        match &mut self.game {
            None => {
                let game = PackedGame {
                    start: sample.position,
                    result: sample.result,
                    moves: vec![(mv, sample.score)],
                };
                self.game = Some((game, after));
                None
            }
            Some((game, next))
                if is_same(next, &sample.position)
                    && game.result == sample.result
                    && game.moves.len() < MAX_PLIES =>
            {
                game.moves.push((mv, sample.score));
                *next = after;
                None
            }
            Some(_) => Some(sample),
        }
    }
}

impl<S: SampleSource> EntrySource for Joined<S> {
    fn next_entry(&mut self) -> io::Result<Option<DataEntry>> {
        loop {
            let sample = match self.waiting.take() {
                Some(sample) => Some(sample),
                None => self.next_valid()?,
            };
            let Some(sample) = sample else {
                return Ok(self.game.take().map(|(game, _)| DataEntry::Game(game)));
            };
            let Some(other) = self.join(sample) else { continue };
            match self.game.take() {
                Some((game, _)) => {
                    self.waiting = Some(other);
                    return Ok(Some(DataEntry::Game(game)));
                }
                None => return Ok(Some(DataEntry::Position(other))),
            }
        }
    }

    fn offset(&self) -> u64 {
        self.source.offset()
    }

    fn damage(&self) -> &[Damage] {
        &self.damage.list
    }
}

/// Records of a fixed size.
struct RecordSource<R, const N: usize> {
    source: io::BufReader<R>,
    read: fn(&[u8; N]) -> Result<Sample, PackedError>,
    offset: u64,
}

impl<R: Read, const N: usize> RecordSource<R, N> {
    fn new(source: R, read: fn(&[u8; N]) -> Result<Sample, PackedError>) -> Self {
        RecordSource { source: io::BufReader::with_capacity(1 << 16, source), read, offset: 0 }
    }
}

impl<R: Read, const N: usize> SampleSource for RecordSource<R, N> {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>> {
        let (mut record, mut filled) = ([0; N], 0);
        while filled < N {
            match self.source.read(&mut record[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += filled as u64;
        Ok(match filled {
            0 => None,
            _ if filled < N => Some(Err(PackedError::Truncated)),
            _ => Some((self.read)(&record)),
        })
    }

    fn offset(&self) -> u64 {
        self.offset
    }
}

/// A position per line.
struct LineSource<R, F> {
    lines: Lines<R>,
    read: F,
}

impl<R: Read, F: FnMut(&str) -> Result<Sample, String>> SampleSource for LineSource<R, F> {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>> {
        while let Some(line) = self.lines.next_line()? {
            if !line.is_empty() {
                let number = self.lines.number;
                return Ok(Some((self.read)(&line).map_err(|reason| at_line(number, &reason))));
            }
        }
        Ok(None)
    }

    fn offset(&self) -> u64 {
        self.lines.offset
    }
}

/// The positions below a header.
fn csv<R: Read>(file: R) -> io::Result<LineSource<R, impl FnMut(&str) -> Result<Sample, String>>> {
    let mut lines = Lines::new(file);
    let header = lines.next_line()?.unwrap_or_default();
    let columns =
        CsvColumns::read(&header).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
    Ok(LineSource { lines, read: move |line: &str| columns.sample(line) })
}

/// Stockfish's `plain`: a field per line.
struct PlainSource<R> {
    lines: Lines<R>,
}

impl<R: Read> SampleSource for PlainSource<R> {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>> {
        let (mut record, mut fault, mut is_begun) = (PlainRecord::default(), None, false);
        while let Some(line) = self.lines.next_line()? {
            let number = self.lines.number;
            match line.as_str() {
                "" => {}
                "e" => {
                    let sample = fault.map_or_else(|| record.finish(), Err);
                    return Ok(Some(sample.map_err(|reason| at_line(number, &reason))));
                }
                line => {
                    is_begun = true;
                    if let Err(reason) = record.add(line) {
                        fault.get_or_insert(reason);
                    }
                }
            }
        }
        Ok(is_begun.then_some(Err(PackedError::Truncated)))
    }

    fn offset(&self) -> u64 {
        self.lines.offset
    }
}

fn at_line(number: u64, reason: &str) -> PackedError {
    PackedError::Record(format!("line {number}: {reason}"))
}

struct PgnSource<R> {
    pieces: PgnPieces<R>,
    games: VecDeque<PackedGame>,
    /// Bytes of the pieces that were read, and games in them.
    offset: u64,
    number: u64,
    damage: DamageLog,
}

impl<R: Read> PgnSource<R> {
    fn new(source: R) -> Self {
        let pieces = PgnPieces::new(source);
        PgnSource { pieces, games: VecDeque::new(), offset: 0, number: 0, damage: DamageLog::default() }
    }
}

impl<R: Read> EntrySource for PgnSource<R> {
    fn next_entry(&mut self) -> io::Result<Option<DataEntry>> {
        loop {
            if let Some(game) = self.games.pop_front() {
                return Ok(Some(DataEntry::Game(game)));
            }
            let Some(text) = self.pieces.next_piece()? else { return Ok(None) };
            for pgn in PgnReader::new(&text) {
                self.number += 1;
                match game_text::read(&pgn) {
                    Ok(parts) => self.games.extend(parts),
                    Err(fault) => {
                        let fault = PackedError::Record(format!("game {}: {fault}", self.number));
                        self.damage.add(self.offset, 0, fault);
                    }
                }
            }
            self.offset += text.len() as u64;
        }
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn damage(&self) -> &[Damage] {
        &self.damage.list
    }
}
