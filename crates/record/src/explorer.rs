//! An index of games by position: which moves were played, how often, with which results, by players of which rating.
//!
//! The file has a header, records of equal size, sorted by position and move, and their number at its end. A query reads a few of them, so that a
//! file with any number of games opens at once.

use std::fmt;
use std::fs;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chess::{Color, Move, Position};
use support::files::File;

use crate::pgn::{GameResult, PgnGame};

const MAGIC: &[u8; 8] = b"VEDEXPL2";
/// Indexes that count a game each time it returns to a position.
const OLD_MAGIC: &[u8; 8] = b"VEDEXPL1";
const HEADER_BYTES: u64 = 16;
const FOOTER_BYTES: u64 = 8;
const RECORD_BYTES: usize = 40;
/// No position has more moves; a damaged index could.
const MAX_MOVES: usize = 512;
/// Records in memory before they are sorted and written to a run: 160 MB.
const RECORDS_PER_RUN: usize = 4 << 20;

/// How often a move was played, and how the games ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    pub white_wins: u32,
    pub draws: u32,
    pub black_wins: u32,
    /// Games without a result.
    pub unfinished: u32,
    /// Games in which the mover's rating is known.
    rated: u32,
    /// The sum of their ratings.
    rating_sum: u64,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        [self.white_wins, self.draws, self.black_wins, self.unfinished].map(u64::from).iter().sum()
    }

    /// The average rating of those who played the move, if any is known.
    pub fn average_rating(&self) -> Option<u32> {
        (self.rated > 0).then(|| (self.rating_sum / u64::from(self.rated)) as u32)
    }

    /// The score of a side, from 0 to 1, in games with a result.
    pub fn score(&self, side: Color) -> Option<f64> {
        let wins = if side == Color::White { self.white_wins } else { self.black_wins };
        let finished = self.games() - u64::from(self.unfinished);
        (finished > 0).then(|| (f64::from(wins) + f64::from(self.draws) / 2.0) / finished as f64)
    }

    fn add(&mut self, other: &Counts) {
        self.white_wins = self.white_wins.saturating_add(other.white_wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.black_wins = self.black_wins.saturating_add(other.black_wins);
        self.unfinished = self.unfinished.saturating_add(other.unfinished);
        self.rated = self.rated.saturating_add(other.rated);
        self.rating_sum = self.rating_sum.saturating_add(other.rating_sum);
    }
}

/// A move of a position, with its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExploredMove {
    pub mv: Move,
    pub counts: Counts,
}

/// A position's key and a move, as records are sorted.
type Place = (u64, u16);

#[derive(Clone, Copy, Debug)]
struct Record {
    place: Place,
    counts: Counts,
}

impl Record {
    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let Counts { white_wins, draws, black_wins, unfinished, rated, rating_sum } = self.counts;
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.place.0.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.place.1.to_le_bytes());
        for (index, number) in [white_wins, draws, black_wins, unfinished, rated].into_iter().enumerate() {
            bytes[12 + 4 * index..16 + 4 * index].copy_from_slice(&number.to_le_bytes());
        }
        bytes[32..].copy_from_slice(&rating_sum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Record {
        let number = |at: usize, length: usize| {
            bytes[at..at + length].iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let count = |index: usize| number(12 + 4 * index, 4) as u32;
        let counts = Counts {
            white_wins: count(0),
            draws: count(1),
            black_wins: count(2),
            unfinished: count(3),
            rated: count(4),
            rating_sum: number(32, 8),
        };
        Record { place: (number(0, 8), number(8, 2) as u16), counts }
    }
}

/// Why an index cannot be used.
#[derive(Debug)]
pub enum ExplorerError {
    Io(PathBuf, io::Error),
    /// The file is not an index, or was cut.
    Foreign(PathBuf),
    /// An index of an earlier version, with other counts.
    Old(PathBuf),
}

impl fmt::Display for ExplorerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Foreign(path) => {
                write!(f, "{} is not an index of vedette explorer, or incomplete", path.display())
            }
            Self::Old(path) => write!(
                f,
                "{} is an index of an earlier version, which counted some games twice: build it again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ExplorerError {}

/// An index that was opened.
#[derive(Debug)]
pub struct Explorer {
    path: PathBuf,
    file: fs::File,
    records: u64,
    games: u64,
}

impl Explorer {
    /// Opens an index.
    ///
    /// # Errors
    /// It cannot be read, or is not an index.
    pub fn open(path: &Path) -> Result<Explorer, ExplorerError> {
        let io_error = |error| ExplorerError::Io(path.to_owned(), error);
        let mut file = fs::File::open(path).map_err(io_error)?;
        let length = file.metadata().map_err(io_error)?.len();
        let mut header = [0; HEADER_BYTES as usize];
        let foreign = || ExplorerError::Foreign(path.to_owned());
        file.read_exact(&mut header).map_err(|_| foreign())?;
        let (magic, games) = header.split_at(8);
        if magic == OLD_MAGIC {
            return Err(ExplorerError::Old(path.to_owned()));
        }
        let number = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).map_err(|_| foreign());
        // A device or a pipe has no length.
        let body = length.checked_sub(HEADER_BYTES + FOOTER_BYTES).ok_or_else(foreign)?;
        let records = body / RECORD_BYTES as u64;
        let mut footer = [0; FOOTER_BYTES as usize];
        file.seek(SeekFrom::Start(length - FOOTER_BYTES)).map_err(io_error)?;
        file.read_exact(&mut footer).map_err(io_error)?;
        let is_whole = body.is_multiple_of(RECORD_BYTES as u64) && number(&footer)? == records;
        if magic != MAGIC || !is_whole {
            return Err(foreign());
        }
        Ok(Explorer { path: path.to_owned(), file, records, games: number(games)? })
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of records: moves in positions.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The moves that were played in a position, the most frequent first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn moves(&self, position: &Position) -> Result<Vec<ExploredMove>, ExplorerError> {
        let found = self.records_of(position.key());
        let found = found.map_err(|error| ExplorerError::Io(self.path.clone(), error))?;
        let explored =
            |record: &Record| ExploredMove { mv: Move::from_bits(record.place.1), counts: record.counts };
        // A key may stand for another position.
        let is_legal = |explored: &ExploredMove| position.is_legal(explored.mv);
        let mut moves: Vec<ExploredMove> = found.iter().map(explored).filter(is_legal).collect();
        moves.sort_by_key(|explored| std::cmp::Reverse(explored.counts.games()));
        Ok(moves)
    }

    fn records_of(&self, key: u64) -> io::Result<Vec<Record>> {
        let (mut low, mut high) = (0, self.records);
        while low < high {
            let middle = low.midpoint(high);
            if self.record(middle)?.place.0 < key { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        while low < self.records && found.len() < MAX_MOVES {
            let record = self.record(low)?;
            if record.place.0 != key {
                break;
            }
            found.push(record);
            low += 1;
        }
        Ok(found)
    }

    fn record(&self, index: u64) -> io::Result<Record> {
        let mut bytes = [0; RECORD_BYTES];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(HEADER_BYTES + index * RECORD_BYTES as u64))?;
        file.read_exact(&mut bytes)?;
        Ok(Record::from_bytes(&bytes))
    }
}

/// Builds an index. Memory is bounded: sorted runs go to scratch files.
pub struct ExplorerBuilder {
    plies: usize,
    records: Vec<Record>,
    /// Sorted runs.
    runs: Vec<PathBuf>,
    /// The folder for them.
    scratch: PathBuf,
    records_per_run: usize,
    /// Games that were added.
    pub games: u64,
    /// Games that cannot be replayed.
    pub skipped: u64,
}

impl ExplorerBuilder {
    /// `plies` is how much of each game is indexed, `scratch` a folder for data that does not fit into memory.
    pub fn new(plies: usize, scratch: PathBuf) -> ExplorerBuilder {
        ExplorerBuilder {
            plies,
            records: Vec::new(),
            runs: Vec::new(),
            scratch,
            records_per_run: RECORDS_PER_RUN,
            games: 0,
            skipped: 0,
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A scratch file cannot be written.
    pub fn add(&mut self, game: &PgnGame) -> io::Result<()> {
        let Ok((start, moves)) = game.replay(self.plies) else {
            self.skipped += 1;
            return Ok(());
        };
        self.games += 1;
        let rating = |tag| game.tag(tag).and_then(|text| text.parse::<u32>().ok()).filter(|&elo| elo > 0);
        let ratings = [rating("WhiteElo"), rating("BlackElo")];
        let mut counts = Counts::default();
        match game.result {
            GameResult::WhiteWins => counts.white_wins = 1,
            GameResult::Draw => counts.draws = 1,
            GameResult::BlackWins => counts.black_wins = 1,
            GameResult::Unknown => counts.unfinished = 1,
        }
        let mut position = start;
        let first = self.records.len();
        for mv in moves {
            let rating = ratings[position.turn().index()];
            let counts = Counts {
                rated: u32::from(rating.is_some()),
                rating_sum: rating.unwrap_or(0).into(),
                ..counts
            };
            let place = (position.key(), mv.bits());
            // A game counts once in a position, however often it returns to it: with its last move there, as lichess
            // counts.
            match self.records[first..].iter_mut().find(|record| record.place.0 == place.0) {
                Some(record) => record.place = place,
                None => self.records.push(Record { place, counts }),
            }
            position = position.after(mv);
        }
        if self.records.len() >= self.records_per_run { self.write_run() } else { Ok(()) }
    }

    /// Sorts what is in memory, adds up equal places, and writes it to a scratch file.
    fn write_run(&mut self) -> io::Result<()> {
        self.combine();
        // Most places of a small run may be known by now: it stays in memory.
        if self.records.len() < self.records_per_run / 2 {
            return Ok(());
        }
        let path = self.scratch.join(format!("run{}", self.runs.len()));
        let mut file = BufWriter::new(File::create(&path)?);
        self.records.iter().try_for_each(|record| file.write_all(&record.to_bytes()))?;
        file.flush()?;
        self.runs.push(path);
        self.records.clear();
        Ok(())
    }

    fn combine(&mut self) {
        self.records.sort_unstable_by_key(|record| record.place);
        self.records.dedup_by(|next, kept| {
            let is_same = next.place == kept.place;
            if is_same {
                kept.counts.add(&next.counts);
            }
            is_same
        });
    }

    /// Writes the index, and returns the number of its records.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn finish(mut self, output: impl Write) -> io::Result<u64> {
        self.combine();
        let mut output = BufWriter::new(output);
        output.write_all(MAGIC)?;
        output.write_all(&self.games.to_le_bytes())?;
        let mut runs = self.runs.iter().map(|path| Run::of_file(path)).collect::<io::Result<Vec<_>>>()?;
        runs.push(Run::of_memory(self.records));
        let mut heads = runs.iter_mut().map(Run::next).collect::<io::Result<Vec<_>>>()?;
        let mut written: u64 = 0;
        while let Some(place) = heads.iter().flatten().map(|record| record.place).min() {
            let mut counts = Counts::default();
            for (head, run) in heads.iter_mut().zip(&mut runs) {
                if let Some(record) = head.filter(|record| record.place == place) {
                    counts.add(&record.counts);
                    *head = run.next()?;
                }
            }
            output.write_all(&Record { place, counts }.to_bytes())?;
            written += 1;
        }
        output.write_all(&written.to_le_bytes())?;
        output.flush()?;
        Ok(written)
    }
}

/// Sorted records.
enum Run {
    File(BufReader<fs::File>),
    Memory(std::vec::IntoIter<Record>),
}

impl Run {
    fn of_file(path: &Path) -> io::Result<Run> {
        Ok(Run::File(BufReader::with_capacity(1 << 20, fs::File::open(path)?)))
    }

    fn of_memory(records: Vec<Record>) -> Run {
        Run::Memory(records.into_iter())
    }

    fn next(&mut self) -> io::Result<Option<Record>> {
        match self {
            Run::Memory(records) => Ok(records.next()),
            Run::File(file) => {
                let mut bytes = [0; RECORD_BYTES];
                match file.read_exact(&mut bytes) {
                    Ok(()) => Ok(Some(Record::from_bytes(&bytes))),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;
    use support::files::NewFile;
    use support::files::faults::{Interruption, Survival, every_crash, every_fault};

    const GAMES: &str = "[WhiteElo \"2500\"]\n[BlackElo \"2401\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
        [WhiteElo \"1500\"]\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n1. e4 e5 2. Nc3 *\n\n1. e4 Ke2 1-0\n\n\
        1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 1/2-1/2\n";

    /// An index of the games, with a new run after so many records.
    fn explorer(folder: &Path, records_per_run: usize, copies: usize) -> Explorer {
        let path = folder.join(format!("index{records_per_run}"));
        let mut builder = ExplorerBuilder::new(30, folder.to_owned());
        builder.records_per_run = records_per_run;
        for _ in 0..copies {
            PgnReader::new(GAMES).for_each(|game| builder.add(&game).unwrap());
        }
        assert_eq!((builder.games, builder.skipped), (5 * copies as u64, copies as u64));
        builder.finish(fs::File::create(&path).unwrap()).unwrap();
        Explorer::open(&path).unwrap()
    }

    fn table(explorer: &Explorer, position: &Position) -> Vec<(String, [u32; 4], Option<u32>)> {
        let row = |explored: &ExploredMove| {
            let counts = explored.counts;
            let results = [counts.white_wins, counts.draws, counts.black_wins, counts.unfinished];
            (position.san(explored.mv).to_string(), results, counts.average_rating())
        };
        explorer.moves(position).unwrap().iter().map(row).collect()
    }

    #[test]
    fn moves_results_and_ratings() {
        let folder = tempfile::tempdir().unwrap();
        for (records_per_run, copies) in [(RECORDS_PER_RUN, 1), (4, 1), (4, 7)] {
            let explorer = explorer(folder.path(), records_per_run + copies, copies);
            assert_eq!(explorer.games(), 5 * copies as u64);
            let start = Position::startpos();
            let times = |counts: [u32; 4]| counts.map(|count| count * copies as u32);
            assert_eq!(
                table(&explorer, &start),
                [
                    ("e4".to_owned(), times([1, 1, 0, 1]), Some(2000)),
                    ("Nf3".to_owned(), times([0, 1, 0, 0]), None),
                    ("d4".to_owned(), times([0, 0, 1, 0]), None),
                ]
                .into_iter()
                .collect::<Vec<_>>()
            );
            let after = start.after(start.parse_san("e4").unwrap());
            assert_eq!(table(&explorer, &after)[0], ("e5".to_owned(), times([1, 0, 0, 1]), Some(2401)));
            let best = explorer.moves(&start).unwrap()[0].counts;
            assert_eq!((best.score(Color::White), best.score(Color::Black)), (Some(0.75), Some(0.25)));
            let unknown = Position::chess960(7).unwrap();
            assert!(explorer.moves(&unknown).unwrap().is_empty());
        }
    }

    #[test]
    fn game_counts_once_in_a_position() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = ExplorerBuilder::new(30, folder.path().to_owned());
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 1-0\n\n1. Nf3 d5 0-1\n";
        PgnReader::new(text).for_each(|game| builder.add(&game).unwrap());
        let path = folder.path().join("index");
        builder.finish(fs::File::create(&path).unwrap()).unwrap();
        let explorer = Explorer::open(&path).unwrap();
        let start = Position::startpos();
        // The last move counts of a game that returned.
        let expected = [("Nf3".to_owned(), [0, 0, 1, 0], None), ("e4".to_owned(), [1, 0, 0, 0], None)];
        let mut moves = table(&explorer, &start);
        moves.sort();
        assert_eq!(moves, expected);
    }

    #[test]
    fn foreign_and_cut_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let index = explorer(folder.path(), 100, 1);
        let path = folder.path().join("index100");
        let bytes = fs::read(&path).unwrap();
        let records = index.records() * RECORD_BYTES as u64;
        assert_eq!(bytes.len() as u64, HEADER_BYTES + records + FOOTER_BYTES);
        // Also between two records.
        for cut in [0, 7, 15, 16, 23, bytes.len() - 1, bytes.len() - RECORD_BYTES] {
            fs::write(&path, &bytes[..cut]).unwrap();
            assert!(matches!(Explorer::open(&path), Err(ExplorerError::Foreign(_))), "{cut} bytes");
        }
        assert!(matches!(Explorer::open(Path::new("/no/such/index")), Err(ExplorerError::Io(..))));
        if cfg!(target_os = "linux") {
            assert!(matches!(Explorer::open(Path::new("/dev/zero")), Err(ExplorerError::Foreign(_))));
        }
        let mut old = bytes;
        old[7] = b'1';
        fs::write(&path, &old).unwrap();
        let error = Explorer::open(&path).unwrap_err();
        assert!(error.to_string().ends_with("which counted some games twice: build it again"), "{error}");
    }

    /// Builds an index of several runs, as `vedette explorer build` does.
    fn build(folder: &Path) -> io::Result<()> {
        let mut output = NewFile::create(&folder.join("index"))?;
        let mut builder = ExplorerBuilder::new(30, output.scratch()?);
        builder.records_per_run = 4;
        PgnReader::new(GAMES).try_for_each(|game| builder.add(&game))?;
        assert!(builder.runs.len() > 1);
        builder.finish(&mut output)?;
        output.finish()
    }

    /// After a crash or a fault at any step the index is complete or not there, and building it again leaves nothing else.
    #[test]
    fn crash_leaves_no_half_of_an_index() {
        let (root, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        build(whole.path()).unwrap();
        let whole = fs::read(whole.path().join("index")).unwrap();
        let check = |folder: &Path, point: &Interruption| {
            let path = folder.join("index");
            match fs::read(&path) {
                Ok(bytes) => {
                    assert!(bytes == whole, "{point}");
                    fs::remove_file(&path).unwrap();
                }
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::NotFound, "{point}"),
            }
            build(folder).unwrap_or_else(|error| panic!("{point}: {error}"));
            assert!(fs::read(&path).unwrap() == whole, "{point}");
            assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{point}: something is left");
        };
        let crashes = every_crash(root.path(), &Survival::ALL, |_| (), build, check);
        let faults = every_fault(
            root.path(),
            |_| (),
            build,
            |folder, point, result| {
                assert!(result.is_err() || folder.join("index").exists(), "{point}: lost without an error");
                check(folder, point);
            },
        );
        println!("explorer index: {crashes} crashes, {faults} faults");
        assert!(crashes > 80 && faults > 20, "{crashes} {faults}");
    }

    /// An index of one position with very many records, which no builder writes.
    #[test]
    fn damaged_index_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let place = (Position::startpos().key(), Position::startpos().parse_uci("e2e4").unwrap().bits());
        let record = Record { place, counts: Counts { rated: 1, rating_sum: u64::MAX, ..Counts::default() } };
        let records = record.to_bytes().repeat(10 * MAX_MOVES);
        let number = (10 * MAX_MOVES as u64).to_le_bytes();
        fs::write(&path, [&MAGIC[..], &[0xff; 8], &records, &number].concat()).unwrap();
        let moves = Explorer::open(&path).unwrap().moves(&Position::startpos()).unwrap();
        assert_eq!(moves.len(), MAX_MOVES);
    }
}
