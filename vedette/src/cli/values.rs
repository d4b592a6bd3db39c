//! Parsers of option values that several commands share.

use std::time::Duration;

use chess::{FenRepairs, Position};

/// The largest number of random plies that an opening may have.
const MAX_RANDOM_PLIES: u32 = 200;

/// Parses a count with an optional suffix: `500`, `1.5k`, `20M`, `1G`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let refuse = || "expected a number such as 500, 1.5k or 20M".to_owned();
    let (digits, factor) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(factor).ok_or_else(refuse);
    }
    let well_formed = factor > 1 && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| well_formed).ok_or_else(refuse)?;
    Ok((number * factor as f64).round() as u64)
}

/// Parses a count that is not zero.
pub fn parse_positive(text: &str) -> Result<u64, String> {
    parse_count(text).and_then(|number| {
        if number > 0 { Ok(number) } else { Err("expected a number greater than 0".to_owned()) }
    })
}

/// Parses an even number of games, which are played in pairs.
pub fn parse_pairs(text: &str) -> Result<u64, String> {
    let games = parse_positive(text)?;
    let is_even = games.is_multiple_of(2);
    is_even.then_some(games).ok_or_else(|| "expected an even number: games are played in pairs".to_owned())
}

/// Parses a fraction from 0 to 1.
pub fn parse_fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Parses a number of random plies, `8`, or a range of them, `8-9`.
pub fn parse_plies(text: &str) -> Result<(u32, u32), String> {
    let number = |part: &str| part.trim().parse::<u32>().ok();
    let range = match text.split_once('-') {
        Some((low, high)) => number(low).zip(number(high)),
        None => number(text).zip(number(text)),
    };
    let range = range.filter(|(low, high)| low <= high && *high <= MAX_RANDOM_PLIES);
    range.ok_or_else(|| format!("expected N or MIN-MAX within 0..={MAX_RANDOM_PLIES}"))
}

/// The longest time that is accepted: a week.
const MAX_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// Parses a time: `90`, `60s`, `1.5m`, `2h`; without a unit in seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (digits, factor) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let well_formed = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = digits.parse::<f64>().ok().filter(|_| well_formed).map(|number| number * factor);
    let seconds = seconds.filter(|&seconds| seconds > 0.0 && seconds <= MAX_SECONDS);
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time such as 60s, 1.5m or 2h, at most a week".to_owned())
}

/// Parses a position, and what was repaired in it.
pub fn parse_fen(text: &str) -> Result<(Position, FenRepairs), String> {
    if text == "startpos" {
        return Ok((Position::startpos(), FenRepairs::default()));
    }
    Position::from_fen_with_repairs(text).map_err(|error| error.to_string())
}

/// Parses a UCI option, `NAME=VALUE`.
pub fn parse_option(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let owned = pair.map(|(name, value)| (name.to_owned(), value.to_owned()));
    owned.ok_or_else(|| "expected NAME=VALUE".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in
            [("90", 90_000), ("60s", 60_000), ("1.5m", 90_000), ("2h", 7_200_000), (".5s", 500)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "0", "-1s", "1e9", "inf", "NaN", "1d", "8000h", "1 s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn suffixes_multiply() {
        for (text, number) in
            [("0", 0), ("500", 500), ("20M", 20_000_000), ("1.5k", 1500), ("2g", 2_000_000_000)]
        {
            assert_eq!(parse_count(text), Ok(number), "{text}");
        }
        for wrong in ["", "M", "1.5", "-3", "1e9k", "infM", "3x", "99999999999G"] {
            assert!(parse_count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn positive_and_even_counts() {
        assert_eq!((parse_positive("1"), parse_pairs("2"), parse_pairs("4k")), (Ok(1), Ok(2), Ok(4000)));
        assert!(parse_positive("0").is_err() && parse_positive("0.0001k").is_err());
        for wrong in ["0", "1", "3", "x"] {
            assert!(parse_pairs(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_of_plies() {
        assert_eq!((parse_plies("8"), parse_plies("8-9")), (Ok((8, 8)), Ok((8, 9))));
        for wrong in ["", "x", "9-8", "0-201", "-3", "1-2-3"] {
            assert!(parse_plies(wrong).is_err(), "{wrong}");
        }
    }
}
