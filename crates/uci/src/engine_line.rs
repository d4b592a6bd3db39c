//! One line of an engine as a typed value. Whatever an engine prints, no line is an error: what makes no sense
//! is skipped.

use crate::info_line::{BestMove, Info, parse_best_move, parse_info};
use crate::options::OptionDeclaration;

/// One line of an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineLine {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option name …`
    Option(OptionDeclaration),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Box<Info>),
    /// `bestmove …`
    BestMove(BestMove),
    /// Anything else.
    Other,
}

/// Reads one line of an engine, without its line break.
pub fn parse_engine_line(line: &str) -> EngineLine {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (token, rest) = split_token(line);
    match token {
        "id" => match split_token(rest) {
            ("name", name) => EngineLine::Name(name.to_owned()),
            ("author", author) => EngineLine::Author(author.to_owned()),
            _ => EngineLine::Other,
        },
        "option" => OptionDeclaration::parse(rest).map_or(EngineLine::Other, EngineLine::Option),
        "uciok" => EngineLine::UciOk,
        "readyok" => EngineLine::ReadyOk,
        "info" => EngineLine::Info(Box::new(parse_info(rest))),
        "bestmove" => EngineLine::BestMove(parse_best_move(rest)),
        _ => EngineLine::Other,
    }
}

/// The first token and what follows it.
fn split_token(text: &str) -> (&str, &str) {
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

/// Whether a token has the shape of a move in UCI notation.
pub fn looks_like_move(token: &str) -> bool {
    let square = |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *token.as_bytes() {
        [f1, r1, f2, r2] => square(f1, r1) && square(f2, r2),
        [f1, r1, f2, r2, promotion] => square(f1, r1) && square(f2, r2) && b"nbrqNBRQ".contains(&promotion),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_nothing() {
        for line in
            ["", "   ", "id", "option", "option name", "option name X type what", "\u{0}\u{ff}", "Infos e2e4"]
        {
            assert_eq!(parse_engine_line(line), EngineLine::Other, "{line:?}");
        }
        assert_eq!(parse_engine_line("\u{feff}uciok\r"), EngineLine::UciOk);
    }
}
