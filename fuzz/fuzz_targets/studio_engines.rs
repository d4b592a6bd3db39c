#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::run("studio_engines", bytes));
