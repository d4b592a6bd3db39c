//! Apache Parquet, with the columns of [CSV](super::csv): a row per position, read and written in row groups.

use std::fs::File;
use std::io;
use std::mem::take;
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::record::reader::RowIter;
use ::parquet::record::{Field, Row};
use ::parquet::schema::parser::parse_message_type;

use super::csv::{CsvColumns, sample};
use super::source::SampleSource;
use crate::packed::{PackedError, Sample};

/// What a file begins with.
pub const MAGIC: &[u8] = b"PAR1";

/// Rows in a row group.
const ROWS: usize = 1 << 16;

const SCHEMA: &str = "message positions {
    REQUIRED BYTE_ARRAY fen (UTF8);
    OPTIONAL BYTE_ARRAY move (UTF8);
    REQUIRED INT32 score;
    REQUIRED DOUBLE result;
}";

fn error(error: ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// The columns of a row group.
#[derive(Default)]
struct Rows {
    fens: Vec<ByteArray>,
    moves: Vec<ByteArray>,
    /// 1 for a position with a move.
    with_move: Vec<i16>,
    scores: Vec<i32>,
    results: Vec<f64>,
}

/// Writes positions into memory, from where they are taken.
pub struct Writer {
    file: SerializedFileWriter<Vec<u8>>,
    rows: Rows,
}

impl Writer {
    pub fn new() -> io::Result<Writer> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(error)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).map_err(error)?;
        Ok(Writer { file, rows: Rows::default() })
    }

    pub fn add(&mut self, sample: &Sample) -> io::Result<()> {
        let position = &sample.position;
        self.rows.fens.push(ByteArray::from(position.to_fen().into_bytes()));
        if let Some(mv) = sample.mv {
            let text = mv.uci(!position.has_standard_castling()).to_string();
            self.rows.moves.push(ByteArray::from(text.into_bytes()));
        }
        self.rows.with_move.push(i16::from(sample.mv.is_some()));
        self.rows.scores.push(i32::from(sample.score));
        self.rows.results.push(f64::from(sample.result as u8) / 2.0);
        if self.rows.fens.len() == ROWS { self.write_rows() } else { Ok(()) }
    }

    fn write_rows(&mut self) -> io::Result<()> {
        let rows = take(&mut self.rows);
        let mut write = || -> Result<(), ParquetError> {
            let mut group = self.file.next_row_group()?;
            let mut number = 0;
            while let Some(mut column) = group.next_column()? {
                match number {
                    0 => column.typed::<ByteArrayType>().write_batch(&rows.fens, None, None)?,
                    1 => column.typed::<ByteArrayType>().write_batch(
                        &rows.moves,
                        Some(&rows.with_move),
                        None,
                    )?,
                    2 => column.typed::<Int32Type>().write_batch(&rows.scores, None, None)?,
                    _ => column.typed::<DoubleType>().write_batch(&rows.results, None, None)?,
                };
                column.close()?;
                number += 1;
            }
            group.close().map(drop)
        };
        write().map_err(error)?;
        self.file.flush()
    }

    /// What is written so far, and was not taken before.
    pub fn take(&mut self) -> Vec<u8> {
        take(self.file.inner_mut())
    }

    /// Ends the file; its last bytes can be taken.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.rows.fens.is_empty() {
            self.write_rows()?;
        }
        self.file.finish().map(drop).map_err(error)
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("rows", &self.rows.fens.len()).finish_non_exhaustive()
    }
}

/// The rows of a file.
pub struct Source {
    rows: RowIter<'static>,
    columns: CsvColumns,
    /// Bytes of the file.
    length: u64,
    /// Rows in the file, and read so far.
    total: u64,
    number: u64,
}

pub fn open(file: File) -> io::Result<Source> {
    let length = file.metadata()?.len();
    Source::new(file, length)
}

impl Source {
    pub fn new(file: impl ChunkReader + 'static, length: u64) -> io::Result<Source> {
        let reader = SerializedFileReader::new(file).map_err(error)?;
        let metadata = reader.metadata().file_metadata();
        let total = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let fields = metadata.schema_descr().root_schema().get_fields();
        let header: Vec<&str> = fields.iter().map(|field| field.name()).collect();
        let columns = CsvColumns::of_names(header.iter().copied())
            .map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
        Ok(Source { rows: RowIter::from_file_into(Box::new(reader)), columns, length, total, number: 0 })
    }

    fn sample(&self, row: &Row) -> Result<Sample, String> {
        let fields: Vec<Option<String>> = row.get_column_iter().map(|(_, field)| text(field)).collect();
        let field = |index: usize| fields.get(index).and_then(Option::as_deref);
        let CsvColumns { fen, mv, score, result } = self.columns;
        let need = |index: usize, name: &str| field(index).ok_or_else(|| format!("no value of '{name}'"));
        sample(need(fen, "fen")?, mv.and_then(field), need(score, "score")?, need(result, "result")?)
    }
}

impl SampleSource for Source {
    fn next_sample(&mut self) -> io::Result<Option<Result<Sample, PackedError>>> {
        let Some(row) = self.rows.next().transpose().map_err(error)? else { return Ok(None) };
        self.number += 1;
        let sample = self.sample(&row);
        Ok(Some(sample.map_err(|reason| PackedError::Record(format!("row {}: {reason}", self.number)))))
    }

    fn offset(&self) -> u64 {
        (u128::from(self.length) * u128::from(self.number) / u128::from(self.total.max(1))) as u64
    }
}

/// A value as it would be in CSV; numbers without needless decimals.
fn text(field: &Field) -> Option<String> {
    Some(match field {
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        Field::Byte(number) => number.to_string(),
        Field::Short(number) => number.to_string(),
        Field::Int(number) => number.to_string(),
        Field::Long(number) => number.to_string(),
        Field::UByte(number) => number.to_string(),
        Field::UShort(number) => number.to_string(),
        Field::UInt(number) => number.to_string(),
        Field::ULong(number) => number.to_string(),
        Field::Float(number) => number.to_string(),
        Field::Double(number) => number.to_string(),
        _ => return None,
    })
}
