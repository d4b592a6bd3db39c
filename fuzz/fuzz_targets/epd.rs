//! Any text is an EPD or an error.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/chess/tests/proof/round_trip.rs"]
mod round_trip;

libfuzzer_sys::fuzz_target!(|text: &str| round_trip::read_epd(text));
