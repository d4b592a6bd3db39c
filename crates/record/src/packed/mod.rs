//! Training games as self-play writes and the trainer reads them: whole games of a few hundred bytes,
//! in the format of viriformat 3 (<https://crates.io/crates/viriformat>), little-endian throughout.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | occupied squares, a1 in the lowest bit |
//! | 16 | 32 codes of four bits, one per occupied square in that order: role (0 pawn … 5 king, 6 a rook with castling rights), plus 8 for Black |
//! | 1 | en passant square or 64, plus 128 if Black is to move |
//! | 1, 2 | halfmove clock, fullmove number |
//! | 2 | unused by games: 0 |
//! | 1 | result: 0 Black won, 1 draw, 2 White won |
//! | 1 | unused: 0 |
//! | 4 each | a move (origin, target from bit 6, promotion from bit 12, kind from bit 14) and the score of the position before it, from White's point of view |
//! | 4 | zeros: end of the game |
//!
//! Files can be concatenated. Positions are filtered when a file is read ([`Filter`]), never when it is written.
//!
//! ```
//! use record::packed::{Filter, GameReader, GameWriter, PackedGame, PackedResult};
//! use chess::Position;
//!
//! let start = Position::startpos();
//! let e4 = start.parse_uci("e2e4")?;
//! let game = PackedGame { start, result: PackedResult::WhiteWins, moves: vec![(e4, 35)] };
//! let mut writer = GameWriter::new(Vec::new());
//! writer.write(&game)?;
//!
//! let bytes = writer.into_inner();
//! let mut reader = GameReader::new(bytes.as_slice());
//! while let Some(game) = reader.next_game()? {
//!     for sample in game.positions().filter(|sample| Filter::EVERYTHING.keeps(sample)) {
//!         assert_eq!((sample.position, sample.score), (start, 35));
//!     }
//! }
//! assert!(reader.damage().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod code;
mod error;
mod filter;
mod game;
mod reader;
mod writer;

pub use board::{BOARD_BYTES, pack_board, unpack_board};
pub use error::PackedError;
pub use filter::Filter;
pub use game::{PackedGame, PackedResult, Positions, Sample};
pub use reader::{Damage, GameReader};
pub use writer::GameWriter;
