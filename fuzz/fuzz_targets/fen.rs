//! Any text is a FEN or an error.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/chess/tests/proof/round_trip.rs"]
mod round_trip;

libfuzzer_sys::fuzz_target!(|text: &str| round_trip::read_fen(text));
