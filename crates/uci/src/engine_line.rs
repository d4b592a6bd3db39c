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

/// The longest name of an engine that is kept, in characters.
const MAX_NAME: usize = 200;

/// Reads one line of an engine, without its line break. [`Client`](crate::client::Client) has made it printable.
///
/// Whatever its length, little of it is kept: 256 moves of a PV, 200 characters of a name and 32 of
/// an invalid move.
pub fn parse_engine_line(line: &str) -> EngineLine {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (token, rest) = split_token(line);
    match token {
        "id" => match split_token(rest) {
            ("name", name) => EngineLine::Name(clipped(name, MAX_NAME)),
            ("author", author) => EngineLine::Author(clipped(author, MAX_NAME)),
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

/// A text cut to this many characters, with an ellipsis.
pub(crate) fn clipped(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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
    fn garbage_is_ignored() {
        for line in
            ["", "   ", "id", "option", "option name", "option name X type what", "\u{0}\u{ff}", "Infos e2e4"]
        {
            assert_eq!(parse_engine_line(line), EngineLine::Other, "{line:?}");
        }
        assert_eq!(parse_engine_line("\u{feff}uciok\r"), EngineLine::UciOk);
    }

    #[test]
    fn little_of_a_long_line_is_kept() {
        let EngineLine::Info(info) =
            parse_engine_line(&format!("info pv {} depth 3", "e2e4 ".repeat(50_000)))
        else {
            panic!("no info");
        };
        assert_eq!((info.pv.len(), info.depth), (256, Some(3)));
        let long = "é".repeat(100_000);
        let cut = |characters: usize| format!("{}…", "é".repeat(characters));
        assert_eq!(parse_engine_line(&format!("id name {long}")), EngineLine::Name(cut(200)));
        let EngineLine::BestMove(best) = parse_engine_line(&format!("bestmove {long} ponder {long}")) else {
            panic!("no move");
        };
        assert_eq!((best.best, best.ponder), (Some(cut(32)), Some(cut(32))));
    }
}
