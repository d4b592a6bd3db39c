//! Splits games into parts, for example training and validation set. A game's start position decides its
//! part, so that equal openings are never in different parts.

use std::path::PathBuf;

use record::packed::{GameWriter, PackedGame};

use super::DataError;
use super::source::{self, ReadSummary};
use support::files::NewFile;
use support::random::Random;

#[derive(Clone, PartialEq, Debug)]
pub struct SplitPart {
    pub path: PathBuf,
    /// Its weight relative to the other parts.
    pub weight: f64,
}

/// The part of a game.
fn part_of(game: &PackedGame, parts: &[SplitPart], seed: u64) -> usize {
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let mut place = total * Random::new(Random::new(seed).bits() ^ game.start.key()).unit();
    for (index, part) in parts.iter().enumerate() {
        place -= part.weight;
        if place < 0.0 {
            return index;
        }
    }
    parts.len() - 1
}

/// Writes each game of the files to its part, and returns the size of each part.
///
/// # Errors
/// If a file cannot be read or written.
pub fn split(
    paths: &[PathBuf],
    parts: &[SplitPart],
    seed: u64,
    mut progress: impl FnMut(f64),
) -> Result<(ReadSummary, Vec<u64>), DataError> {
    let mut writers = parts
        .iter()
        .map(|part| {
            let file = NewFile::create(&part.path).map_err(DataError::at(&part.path))?;
            Ok(GameWriter::new(file))
        })
        .collect::<Result<Vec<_>, DataError>>()?;
    let mut counts = vec![0; parts.len()];
    let reading = source::read(paths, |game, done| {
        progress(done);
        let index = part_of(&game, parts, seed);
        counts[index] += 1;
        writers[index].write(&game).map_err(DataError::at(&parts[index].path))
    })?;
    for (writer, part) in writers.into_iter().zip(parts) {
        writer.into_inner().finish().map_err(DataError::at(&part.path))?;
    }
    Ok((reading, counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use record::packed::PackedResult;

    #[test]
    fn equal_openings_stay_in_one_part() {
        let part = |weight| SplitPart { path: PathBuf::new(), weight };
        let parts = [part(90.0), part(10.0)];
        let mut small = 0;
        for number in 0..960 {
            let start = Position::chess960(number).unwrap();
            let game = |result| PackedGame { start, result, moves: Vec::new() };
            let index = part_of(&game(PackedResult::Draw), &parts, 1);
            assert_eq!(index, part_of(&game(PackedResult::WhiteWins), &parts, 1));
            small += index;
        }
        assert!((60..140).contains(&small), "{small}");
    }
}
