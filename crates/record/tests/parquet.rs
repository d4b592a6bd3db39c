//! Training data in Parquet files.

use std::fs;
use std::path::Path;

use chess::Position;
use record::dataset::{DataEntry, DataFormat, DatasetWriter, open, recognise};
use record::packed::{PackedGame, PackedResult, Sample};
use support::random::Random;

fn games(count: usize) -> Vec<PackedGame> {
    let mut random = Random::new(9);
    (0..count)
        .map(|number| {
            let start = Position::double_chess960(random.below(960) as u16, 518).unwrap();
            let (mut position, mut moves) = (start, Vec::new());
            for _ in 0..100 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len())];
                moves.push((mv, random.below(60_000) as i16));
                moves.last_mut().unwrap().1 = moves.last().unwrap().1.max(-i16::MAX);
                position.play(mv);
            }
            PackedGame { start, result: PackedResult::ALL[number % 3], moves }
        })
        .collect()
}

fn write(path: &Path, entries: &[DataEntry]) {
    let mut writer = DatasetWriter::new(fs::File::create(path).unwrap(), DataFormat::Parquet).unwrap();
    for entry in entries {
        writer.write(entry).unwrap();
    }
    assert_eq!(writer.skipped(), 0);
    writer.finish().unwrap();
}

fn read(path: &Path) -> Vec<DataEntry> {
    let mut reader = open(path).unwrap();
    assert_eq!(reader.format(), DataFormat::Parquet);
    let entries: Vec<_> = std::iter::from_fn(|| reader.next_entry().unwrap()).collect();
    assert!(reader.damage().is_empty(), "{:?}", reader.damage());
    assert_eq!(reader.offset(), fs::metadata(path).unwrap().len());
    entries
}

/// More positions than a row group holds.
#[test]
fn games_survive_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let entries: Vec<DataEntry> = games(800).into_iter().map(DataEntry::Game).collect();
    assert!(entries.iter().map(DataEntry::positions).sum::<usize>() > 70_000);
    write(&path, &entries);
    assert_eq!(recognise(&path).unwrap(), DataFormat::Parquet);
    assert_eq!(read(&path), entries);
}

#[test]
fn positions_without_moves_and_empty_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.parquet");
    let sample = |result| {
        let position = Position::startpos();
        DataEntry::Position(Sample { position, mv: None, score: -7, result, index: 0 })
    };
    let entries: Vec<DataEntry> = PackedResult::ALL.into_iter().map(sample).collect();
    write(&path, &entries);
    assert_eq!(read(&path), entries);
    write(&path, &[]);
    let mut reader = open(&path).unwrap();
    assert_eq!(reader.next_entry().unwrap(), None);
}

/// Damaged files are errors or damage; none ends the program.
#[test]
fn damaged_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.parquet");
    write(&path, &games(3).into_iter().map(DataEntry::Game).collect::<Vec<_>>());
    let bytes = fs::read(&path).unwrap();
    let mut random = Random::new(4);
    let mut refused = 0;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len());
        damaged[at] ^= 1 << random.below(8);
        damaged.truncate(if random.below(4) == 0 { at } else { bytes.len() });
        fs::write(&path, &damaged).unwrap();
        let Ok(mut reader) = open(&path) else {
            refused += 1;
            continue;
        };
        while let Ok(Some(_)) = reader.next_entry() {}
    }
    assert!(refused > 50, "{refused}");
}
