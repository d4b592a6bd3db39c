//! Any text is a move in SAN notation or an error: a line with a FEN, then a line with the move.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/chess/tests/proof/round_trip.rs"]
mod round_trip;

use chess::Position;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (fen, mv) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen).unwrap_or_else(|_| Position::startpos());
    round_trip::read_san(&position, mv);
});
