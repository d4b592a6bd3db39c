//! Large numbers as people write them: `20M`, `1.5k`.

/// Reads a whole number that may end in `k`, `M` or `G` (thousands, millions, thousands of millions).
pub fn parse(text: &str) -> Result<u64, String> {
    let refuse = || format!("'{text}' is not a number such as 500, 1.5k or 20M");
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

/// The same, but not zero.
pub fn parse_positive(text: &str) -> Result<u64, String> {
    parse(text).and_then(|number| if number > 0 { Ok(number) } else { Err("0 is too few".to_owned()) })
}

/// A number of games that come in pairs.
pub fn parse_pairs(text: &str) -> Result<u64, String> {
    let even = |games: u64| games.is_multiple_of(2).then_some(games);
    let games = parse_positive(text)?;
    even(games).ok_or_else(|| format!("{games} games are no pairs: an even number is needed"))
}

/// A number with its thousands set apart.
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

/// Nodes in a second, in the unit that fits: a GPU has hundreds of millions, its lane on a CPU thousands.
pub fn speed_text(nodes_per_second: f64) -> String {
    if nodes_per_second < 1e6 {
        format!("{:.0} k nodes/s", nodes_per_second / 1e3)
    } else {
        format!("{:.1} M nodes/s", nodes_per_second / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_factors() {
        for (text, number) in
            [("0", 0), ("500", 500), ("20M", 20_000_000), ("1.5k", 1500), ("2g", 2_000_000_000)]
        {
            assert_eq!(parse(text), Ok(number), "{text}");
        }
        for wrong in ["", "M", "1.5", "-3", "1e9k", "infM", "3x", "99999999999G"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nothing_is_too_few_and_pairs_are_even() {
        assert_eq!((parse_positive("1"), parse_pairs("2"), parse_pairs("4k")), (Ok(1), Ok(2), Ok(4000)));
        assert!(parse_positive("0").is_err() && parse_positive("0.0001k").is_err());
        for wrong in ["0", "1", "3", "x"] {
            assert!(parse_pairs(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [(7, "7"), (1234, "1,234"), (999, "999"), (20_000_000, "20,000,000")] {
            assert_eq!(grouped(number), text);
        }
    }
}
