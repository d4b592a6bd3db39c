//! The Polyglot key against shakmaty.

use crate::Effort;
use crate::walk::for_each_position;
use chess::Position;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};

proof!(keys_agree_with_shakmaty);

fn shakmaty_key(position: &Position) -> Option<u64> {
    let fen: Fen = position.to_fen().parse().ok()?;
    let theirs = fen
        .into_position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()?;
    Some(theirs.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0)
}

fn keys_agree_with_shakmaty(effort: Effort) {
    for_each_position(8, effort.pick(10_000, 300_000), |position, _| {
        assert_eq!(Some(position.polyglot_key()), shakmaty_key(position), "{position:?}");
    });
}
