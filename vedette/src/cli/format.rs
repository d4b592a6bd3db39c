//! Numbers and times as commands print them.

use std::time::Duration;

/// A number with thousands separators: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Nodes per second in the unit that fits: a GPU reaches hundreds of millions, its CPU emulation thousands.
pub fn nps_text(nodes_per_second: f64) -> String {
    if nodes_per_second < 1e6 {
        format!("{:.0} k nodes/s", nodes_per_second / 1e3)
    } else {
        format!("{:.1} M nodes/s", nodes_per_second / 1e6)
    }
}

/// A duration as `h:mm:ss` or `m:ss`.
pub fn duration_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(7, "7"), (1234, "1,234"), (999, "999"), (20_000_000, "20,000,000")] {
            assert_eq!(grouped(number), text);
        }
    }
}
