//! Perft suites from files, if present: `VEDETTE_PERFT_SUITES=file:file cargo test --release
//! -p vedette-chess --test proof -- --ignored --nocapture suites`. `VEDETTE_PERFT_NODES` bounds the count that is
//! still checked.
//!
//! Two forms are understood: lines `FEN ;D1 20 ;D2 400`, and blocks of `epd FEN` and `perft 1 20` lines.

use chess::{Perft, Position};
use std::{env, fs};

/// Positions with their counts by depth.
type Suite = Vec<(String, Vec<(u32, u64)>)>;

fn read(text: &str) -> Suite {
    let mut suite = Suite::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(fen) = line.strip_prefix("epd ") {
            suite.push((fen.to_string(), Vec::new()));
        } else if let Some(count) = line.strip_prefix("perft ") {
            if let Some((_, counts)) = suite.last_mut() {
                counts.push(depth_and_count(count));
            }
        } else if let Some((fen, counts)) = line.split_once(';') {
            let counts = counts.split(';').map(|count| depth_and_count(count.trim().trim_start_matches('D')));
            suite.push((fen.to_string(), counts.collect()));
        }
    }
    suite
}

fn depth_and_count(text: &str) -> (u32, u64) {
    let mut words = text.split_whitespace();
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{text:?}"));
    (number() as u32, number())
}

#[test]
#[ignore = "needs files that are not part of the repository"]
fn perft_suites() {
    let paths = env::var("VEDETTE_PERFT_SUITES").expect("VEDETTE_PERFT_SUITES names the files");
    let bound = env::var("VEDETTE_PERFT_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    let counter = Perft::default();
    for path in paths.split(':') {
        let suite = read(&fs::read_to_string(path).expect(path));
        let (mut positions, mut counts, mut nodes) = (0, 0, 0);
        for (fen, expected) in suite {
            let position = match Position::from_fen(&fen) {
                Ok(position) => position,
                // Some suites have positions that no game can reach; some are rejected.
                Err(error) => {
                    println!("{path}: refused {fen}: {error}");
                    continue;
                }
            };
            positions += 1;
            for (depth, count) in expected.into_iter().filter(|&(_, count)| count <= bound) {
                assert_eq!(counter.count(&position, depth), count, "{path}: {fen} at depth {depth}");
                counts += 1;
                nodes += count;
            }
        }
        println!("{path}: {positions} positions, {counts} counts, {nodes} nodes");
    }
}
