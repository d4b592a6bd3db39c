//! Writes positions in the formats of other trainers: text, and the 32-byte records of bulletformat.

use std::io::Write;
use std::path::{Path, PathBuf};

use chess::{Color, Position, Role};
use record::packed::{Filter, PackedResult, Sample};

use super::DataError;
use super::shuffle::Shuffler;
use super::source::{self, Reading, total_bytes};
use support::files::NewFile;

/// A format for positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines of `FEN | centipawns | points`, both from White's point of view.
    Text,
    /// The records of the crate bulletformat (`ChessBoard`), everything from the side to move's point of
    /// view.
    Bullet,
}

impl Format {
    /// Appends a position to a buffer.
    pub fn write(self, sample: &Sample, bytes: &mut Vec<u8>) {
        match self {
            Format::Text => bytes.extend_from_slice(text(sample).as_bytes()),
            Format::Bullet => bytes.extend_from_slice(&bullet(sample)),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    pub format: Format,
    pub filter: Filter,
    /// Seed of the random order; without one the order of the games is kept.
    pub shuffle: Option<u64>,
    /// Memory for the shuffle, in bytes.
    pub memory: u64,
}

/// Maximum size of an exported position relative to the four bytes of a move in a game.
const GROWTH: u64 = 25;

impl Export {
    /// Writes the positions of the files, and returns their number.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(
        &self,
        paths: &[PathBuf],
        out: &Path,
        mut progress: impl FnMut(f64),
    ) -> Result<(Reading, u64), DataError> {
        let named = DataError::at(out);
        let mut sink = NewFile::create(out).map_err(&named)?;
        let mut shuffler = match self.shuffle {
            Some(seed) => {
                let folder = sink.scratch().map_err(&named)?;
                Some(Shuffler::new(folder, GROWTH * total_bytes(paths)?, self.memory, seed)?)
            }
            None => None,
        };
        let mut count = 0;
        let mut record = Vec::new();
        let reading = source::read(paths, |game, done| {
            progress(done);
            for sample in game.positions().filter(|sample| self.filter.keeps(sample)) {
                count += 1;
                record.clear();
                self.format.write(&sample, &mut record);
                match &mut shuffler {
                    Some(shuffler) => shuffler.add(&record)?,
                    None => sink.write_all(&record).map_err(&named)?,
                }
            }
            Ok(())
        })?;
        if let Some(shuffler) = shuffler {
            shuffler.finish(|record| sink.write_all(record).map_err(&named))?;
        }
        sink.finish().map_err(&named)?;
        Ok((reading, count))
    }
}

fn text(sample: &Sample) -> String {
    let points = match sample.result {
        PackedResult::BlackWins => "0.0",
        PackedResult::Draw => "0.5",
        PackedResult::WhiteWins => "1.0",
    };
    format!("{} | {} | {points}\n", sample.position.to_fen(), sample.score)
}

/// Occupied squares (8 bytes), pieces (16), score (2), result (1), own king, other king mirrored (1 each),
/// and three unused bytes. The board is flipped if Black is to move, so that the side to move is always
/// White.
fn bullet(sample: &Sample) -> [u8; 32] {
    let mirrored;
    let position: &Position = match sample.position.turn() {
        Color::White => &sample.position,
        Color::Black => {
            mirrored = sample.position.color_mirrored();
            &mirrored
        }
    };
    let mut bytes = [0; 32];
    let mut occupied = 0_u64;
    for (index, square) in position.occupied().into_iter().enumerate() {
        let Some(piece) = position.piece_at(square) else { continue };
        occupied |= 1 << square.index();
        let code = piece.role().index() as u8 + if piece.color() == Color::Black { 8 } else { 0 };
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[24..26].copy_from_slice(&(sample.mover_score() as i16).to_le_bytes());
    bytes[26] = (2.0 * sample.mover_points()) as u8;
    bytes[27] = position.pieces(Color::White, Role::King).first().map_or(0, |king| king.index() as u8);
    bytes[28] =
        position.pieces(Color::Black, Role::King).first().map_or(0, |king| king.flip_rank().index() as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use bulletformat::ChessBoard;
    use record::packed::PackedGame;

    fn samples() -> Vec<Sample> {
        let mut random = support::random::Random::new(8);
        let mut samples = Vec::new();
        for number in 0..40 {
            let start =
                Position::double_chess960(random.below(960) as u16, random.below(960) as u16).unwrap();
            let mut position = start;
            let mut moves = Vec::new();
            for _ in 0..60 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len())];
                moves.push((mv, random.below(4000) as i16 - 2000));
                position.play(mv);
            }
            samples.extend(PackedGame { start, result: PackedResult::ALL[number % 3], moves }.positions());
        }
        samples
    }

    /// The crate reads our text, and makes the same bytes of it as our records.
    #[test]
    fn records_and_lines_are_those_of_bulletformat() {
        for sample in samples() {
            let line = text(&sample);
            let board: ChessBoard = line.trim_end().parse().unwrap();
            let mut expected = Vec::new();
            expected.extend_from_slice(&board.occ.to_le_bytes());
            expected.extend_from_slice(&board.pcs);
            expected.extend_from_slice(&board.score.to_le_bytes());
            expected.extend_from_slice(&[board.result, board.ksq, board.opp_ksq]);
            expected.extend_from_slice(&board.extra);
            assert_eq!(bullet(&sample)[..], expected, "{line}");
        }
    }
}
