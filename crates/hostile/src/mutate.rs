use support::random::Random;

/// Values at which parsers break.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1e19",
    "NaN",
    "inf",
    "256",
    "65536",
    "4294967295",
    "9223372036854775808",
    "18446744073709551615",
    "340282366920938463463374607431768211456",
    "0.00000000000000000000000000001",
];

/// Characters at which parsers break.
const CHARACTERS: &[&str] = &[
    "\0", "\n", "\r", "\t", " ", "\"", "\\", "{", "}", "(", ")", "[", "]", ";", "%", "é", "\u{feff}",
    "\u{202e}",
];

/// A mutation of a seed, a function of the random numbers alone.
pub fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        once(&mut bytes, random);
    }
    bytes
}

fn once(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let length = random.below(16).min(bytes.len() - at);
    match random.below(9) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..at + length)),
        2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        3 if at < bytes.len() => bytes[at] = random.bits() as u8,
        4 => insert(bytes, at, NUMBERS[random.below(NUMBERS.len())].as_bytes()),
        5 => insert(bytes, at, CHARACTERS[random.below(CHARACTERS.len())].as_bytes()),
        // A piece of the input again, many times.
        6 => {
            let piece = bytes[at..at + length].repeat(1 + random.below(200));
            insert(bytes, at, &piece);
        }
        // A number in the text becomes another.
        7 => {
            let digits = |list: &[u8]| list.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let start = at + bytes[at..].iter().take_while(|byte| !byte.is_ascii_digit()).count();
            let end = start + digits(&bytes[start..]);
            bytes.splice(start..end, NUMBERS[random.below(NUMBERS.len())].bytes());
        }
        // Four bytes become a large or small number.
        _ if at + 4 <= bytes.len() => {
            let number = [0, 1, 0xff, 0x7fff_ffff, 0xffff_ffff][random.below(5)];
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
        }
        _ => {}
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}
