//! Time that grows with the length of the input, not with its square.

use std::time::Duration;

use record::pgn::PgnReader;

/// The input is repeated up to this length.
const LENGTH: usize = 256 * 1024;

/// What any text may cost beside an ordinary game of the same length. Ordinary texts cost 0.2 to 6 times as much;
/// a quadratic one costs hundreds of times as much at this length.
const RATIO: u32 = 40;

fn repeated(bytes: &[u8], length: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.is_empty() { String::new() } else { text.repeat(length.div_ceil(text.len())) }
}

/// CPU time of this thread: it does not depend on what else the machine does.
#[cfg(unix)]
fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("a positive time")
}

/// Wall time, where there is no portable clock of a thread.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn cost(read: fn(&str), text: &str) -> Duration {
    let before = cpu_time();
    read(text);
    cpu_time().saturating_sub(before)
}

fn read_games(text: &str) {
    let moves: usize = PgnReader::new(text).map(|game| game.moves.len()).sum();
    std::hint::black_box(moves);
}

fn is_linear(read: fn(&str), bytes: &[u8], ordinary: &[u8], length: usize) -> bool {
    let (text, ordinary) = (repeated(bytes, length), repeated(ordinary, length));
    // Interrupts and cold caches count too, so one good try of three is enough.
    (0..3).any(|_| cost(read, &text) < cost(read, &ordinary) * RATIO)
}

pub fn pgn(bytes: &[u8]) {
    let ordinary = b"[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    assert!(
        is_linear(read_games, bytes, ordinary, LENGTH),
        "superlinear: {:?}",
        String::from_utf8_lossy(bytes)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks for the end of the line at every bracket.
    fn quadratic(text: &str) {
        let ends = |at: usize| text[at..].bytes().any(|byte| byte == b'\n');
        let found = text.match_indices('[').filter(|&(at, _)| ends(at)).count();
        std::hint::black_box(found);
    }

    #[test]
    fn quadratic_reading_is_detected() {
        assert!(is_linear(quadratic, b"[a]\n", b"[b] c\n", 1 << 13));
        assert!(!is_linear(quadratic, b"[a]", b"[b] c\n", 1 << 13));
    }
}
