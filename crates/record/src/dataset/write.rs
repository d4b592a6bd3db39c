//! Writes training data.

use std::io::{self, Write};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{DataEntry, DataFormat, bin, binpack, bullet, csv, game_text, text};
use crate::packed::{PackedGame, Sample};

/// Writes positions or games in a format.
#[derive(Debug)]
pub struct DatasetWriter<W> {
    sink: W,
    format: DataFormat,
    bytes: Vec<u8>,
    chunks: binpack::ChunkWriter,
    #[cfg(feature = "parquet")]
    rows: Option<parquet::Writer>,
    /// Games written.
    games: u64,
    /// Positions that the format cannot hold.
    skipped: u64,
}

impl<W: Write> DatasetWriter<W> {
    /// # Errors
    /// If the bytes cannot be written.
    pub fn new(mut sink: W, format: DataFormat) -> io::Result<Self> {
        if format == DataFormat::Csv {
            sink.write_all(csv::HEADER.as_bytes())?;
        }
        Ok(DatasetWriter {
            sink,
            format,
            bytes: Vec::new(),
            chunks: binpack::ChunkWriter::default(),
            #[cfg(feature = "parquet")]
            rows: (format == DataFormat::Parquet).then(parquet::Writer::new).transpose()?,
            games: 0,
            skipped: 0,
        })
    }

    /// Positions that were left out because the format cannot hold them: without a move where one is needed, or with
    /// Chess960 castling rights.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Writes a game or a position.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn write(&mut self, entry: &DataEntry) -> io::Result<()> {
        match entry {
            DataEntry::Game(game) => self.write_game(game),
            DataEntry::Position(sample) => self.write_position(sample),
        }
    }

    /// Writes a game: as it is, or its positions.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn write_game(&mut self, game: &PackedGame) -> io::Result<()> {
        self.bytes.clear();
        match self.format {
            DataFormat::Games => game.pack_into(&mut self.bytes),
            DataFormat::Pgn => {
                let pgn = game_text::write(game, self.games + 1);
                self.bytes.extend_from_slice(pgn.to_string().as_bytes());
            }
            _ => return game.positions().try_for_each(|sample| self.write_position(&sample)),
        }
        self.games += 1;
        self.sink.write_all(&self.bytes)
    }

    /// Writes a position. In a format of games it is a game of one move.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn write_position(&mut self, sample: &Sample) -> io::Result<()> {
        self.bytes.clear();
        let is_written = match self.format {
            DataFormat::Games | DataFormat::Pgn => {
                if let Some(mv) = sample.mv {
                    let (start, result) = (sample.position, sample.result);
                    return self.write_game(&PackedGame { start, result, moves: vec![(mv, sample.score)] });
                }
                false
            }
            DataFormat::Text => self.put(Some(text::write_line(sample))),
            DataFormat::Plain => self.put(text::write_plain(sample)),
            DataFormat::Csv => self.put(Some(csv::write(sample))),
            DataFormat::Bullet => self.put(Some(bullet::write(sample))),
            DataFormat::Bin => self.put(bin::write(sample)),
            DataFormat::Binpack => {
                let complete = self.chunks.add(sample);
                self.put(complete)
            }
            #[cfg(feature = "parquet")]
            DataFormat::Parquet => {
                if let Some(rows) = &mut self.rows {
                    rows.add(sample)?;
                    self.bytes = rows.take();
                }
                true
            }
        };
        self.skipped += u64::from(!is_written);
        self.sink.write_all(&self.bytes)
    }

    fn put(&mut self, record: Option<impl AsRef<[u8]>>) -> bool {
        let Some(record) = record else { return false };
        self.bytes.extend_from_slice(record.as_ref());
        true
    }

    /// Ends the file, and returns the sink.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.sink.write_all(&self.chunks.finish())?;
        #[cfg(feature = "parquet")]
        if let Some(mut rows) = self.rows {
            rows.finish()?;
            self.sink.write_all(&rows.take())?;
        }
        Ok(self.sink)
    }
}
