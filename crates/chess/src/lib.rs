//! Chess, Chess960 and double Chess960 for engines and tools: positions, legal moves, FEN, EPD, SAN and UCI notation, Zobrist
//! keys, static exchange evaluation, perft.
//!
//! The crate has no dependencies, and move generation does not allocate. With the feature `serde`, positions, squares,
//! colours and pieces are saved as their text.
//!
//! ```
//! use chess::{Game, Position};
//!
//! let mut game = Game::new(Position::startpos());
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     let mv = game.position().parse_san(san)?;
//!     game.play(mv);
//! }
//! assert_eq!(game.outcome().unwrap().to_string(), "0-1 (checkmate)");
//! # Ok::<(), chess::MoveError>(())
//! ```

#![warn(missing_docs)]

pub mod attacks;
mod bitboard;
mod castling;
mod color;
mod epd;
mod game;
mod moves;
mod notation;
mod perft;
mod piece;
mod polyglot;
mod position;
#[cfg(feature = "serde")]
mod serde;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use epd::{Epd, EpdError, Operation};
pub use game::{DrawReason, Game, Outcome};
pub use moves::{Move, MoveKind, MoveList};
pub use notation::{MoveError, San, UciMove};
pub use perft::{Perft, perft, perft_divide};
pub use piece::{Piece, Role};
pub use position::{
    FenError, FenRepairs, MoveSink, MoveTypes, Position, has_upcoming_repetition, piece_placement,
};
pub use square::{File, ParseSquareError, Rank, Square};
