//! Records of games: PGN, opening books, packed training games, and how games end.
//!
//! | module | holds |
//! |---|---|
//! | [`pgn`] | PGN games: reading (variations included, broken files repaired), writing, replay |
//! | [`book`] | opening books in EPD, PGN and Polyglot's format, compressed or not |
//! | [`polyglot`] | opening books in the Polyglot format |
//! | [`eco`] | ECO codes and names of openings |
//! | [`explorer`] | an index of games by position: moves, results, ratings |
//! | [`packed`] | training games in viriformat |
//! | [`dataset`] | training data in the formats of other trainers |
//! | [`game_end`] | results and reasons, in the terms of fastchess |
//! | [`adjudication`] | draw and resign adjudication |
//!
//! ```
//! use record::pgn::{GameResult, PgnReader};
//!
//! let game = PgnReader::new("1. f3 e5 2. g4 (2. e4 $1 {better}) Qh4# 0-1").next().expect("a game");
//! assert_eq!((game.moves.len(), game.result), (4, GameResult::BlackWins));
//! assert_eq!(game.moves[2].variations[0].moves[0].san, "e4");
//!
//! let (start, moves) = game.replay(usize::MAX)?;
//! let end = moves.iter().fold(start, |position, &mv| position.after(mv));
//! assert!(end.in_check() && !end.has_legal_move());
//! # Ok::<(), record::pgn::ReplayError>(())
//! ```

pub mod adjudication;
pub mod book;
pub mod dataset;
pub mod eco;
pub mod explorer;
pub mod game_end;
pub mod packed;
pub mod pgn;
pub mod polyglot;
mod unpack;
