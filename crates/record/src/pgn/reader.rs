//! A tolerant PGN parser: of broken games it reads what can be read. The studio's page splits text into games by the same
//! rules (`web/src/games.ts`); both are tested with the cases in `tests/pgn-games.json`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{GameResult, PgnGame, PgnMove, PgnVariation};

/// Variations nested deeper than this are skipped.
const MAX_NESTING: usize = 32;

/// Maximum number of warnings per game.
const MAX_WARNINGS: usize = 50;

/// Notations of the null move; all are read as the first.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "@@@@", "0000"];

/// Reads the games of a text.
#[derive(Debug)]
pub struct PgnReader<'a> {
    text: &'a str,
    rest: &'a str,
    /// Newlines have been counted up to here.
    counted: &'a str,
    line: usize,
}

/// An error in a text, which the reader has skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnWarning {
    /// The line, from 1.
    pub line: usize,
    pub what: String,
}

/// A game and its place in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedGame {
    pub game: PgnGame,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The line of each move of the main line.
    pub move_lines: Vec<usize>,
    pub warnings: Vec<PgnWarning>,
}

impl PlacedGame {
    fn warn(&mut self, line: usize, what: impl Into<String>) {
        let kept = self.warnings.len();
        if kept < MAX_WARNINGS {
            self.warnings.push(PgnWarning { line, what: what.into() });
        } else if kept == MAX_WARNINGS {
            self.warnings.push(PgnWarning { line, what: "further errors are not reported".to_owned() });
        }
    }
}

impl<'a> PgnReader<'a> {
    pub fn new(text: &'a str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        Self { text, rest: text, counted: text, line: 1 }
    }

    /// Whether the rest begins a line.
    fn is_at_line_start(&self) -> bool {
        let before = &self.text[..self.text.len() - self.rest.len()];
        before.is_empty() || before.ends_with('\n')
    }

    /// The current line.
    fn line(&mut self) -> usize {
        let passed = self.counted.len() - self.rest.len();
        self.line += self.counted[..passed].bytes().filter(|&byte| byte == b'\n').count();
        self.counted = self.rest;
        self.line
    }

    /// The next game and its place: tags, then moves up to a result or to the tags of the next one.
    pub fn next_placed(&mut self) -> Option<PlacedGame> {
        let mut placed = PlacedGame::default();
        let mut known = HashMap::new();
        // Variations that are open, each with the line on which it began.
        let mut open: Vec<(PgnVariation, usize)> = Vec::new();
        let mut began = false;
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else { break };
            let line = self.line();
            if !began && !matches!(first, '%' | ')') {
                placed.line = line;
            }
            match first {
                '[' if placed.game.moves.is_empty() => {
                    began = true;
                    if !self.tag(&mut placed.game, &mut known) {
                        placed.warn(line, "invalid tag: expected [Name \"value\"]");
                    }
                }
                '[' if opens_tag(self.rest) => break,
                '[' => {
                    self.skip_brackets();
                    placed.warn(line, "square brackets between moves");
                }
                '{' => {
                    let (text, closed) = self.take_comment();
                    add_comment(&mut placed.game, &mut open, text);
                    if !closed {
                        placed.warn(line, "unclosed comment: it extends to the end of the game");
                        if began {
                            break;
                        }
                    }
                }
                ';' => {
                    let text = self.take_line();
                    add_comment(&mut placed.game, &mut open, text);
                }
                '%' if self.is_at_line_start() => {
                    self.take_line();
                }
                '(' if open.len() < MAX_NESTING => {
                    self.rest = &self.rest[1..];
                    open.push((PgnVariation::default(), line));
                }
                '(' => self.skip_variation(),
                ')' => {
                    self.rest = &self.rest[1..];
                    match open.pop() {
                        Some((variation, _)) => add_variation(&mut placed.game, &mut open, variation),
                        None => placed.warn(line, "unmatched ')'"),
                    }
                }
                _ => {
                    began = true;
                    let token = self.token(first);
                    match GameResult::from_token(token) {
                        Some(result) if open.is_empty() => {
                            placed.game.result = result;
                            return Some(placed);
                        }
                        // Results in variations are ignored.
                        Some(_) => {}
                        None => {
                            let before = placed.game.moves.len();
                            if !add_token(last_line(&mut placed.game, &mut open), token) {
                                placed.warn(line, format!("invalid move '{token}'"));
                            }
                            if placed.game.moves.len() > before {
                                placed.move_lines.push(line);
                            }
                        }
                    }
                }
            }
        }
        while let Some((variation, line)) = open.pop() {
            placed.warn(line, "unclosed variation");
            add_variation(&mut placed.game, &mut open, variation);
        }
        began.then_some(placed)
    }

    /// Takes a character and the rest of its line, and returns the rest.
    fn take_line(&mut self) -> &'a str {
        let body = &self.rest[1..];
        // The end of this text, so that lines can be counted.
        let (text, rest) = body.split_once('\n').unwrap_or((body, &body[body.len()..]));
        self.rest = rest;
        text
    }

    /// Takes a comment in braces; returns it and whether it was closed. An unclosed comment ends at the tags of the next game,
    /// unless the next brace closes it: then the tags are part of the comment.
    fn take_comment(&mut self) -> (&'a str, bool) {
        let body = &self.rest[1..];
        // The search continues after the previous brace, so that a comment is scanned once.
        let next_brace = |from: usize| body[from..].find(['{', '}']).map_or(body.len(), |at| from + at);
        let (mut line, mut after_blank, mut brace) = (0, false, 0);
        let end = loop {
            let rest = &body[line..];
            if after_blank && opens_tag(rest) {
                if brace <= line {
                    brace = next_brace(line);
                }
                if !body[brace..].starts_with('}') {
                    break line;
                }
            }
            // Not the whole line: it may be a whole file, with many comments.
            let Some(at) = rest.find(['\n', '}']) else { break body.len() };
            if rest[at..].starts_with('}') {
                self.rest = &rest[at + 1..];
                return (&body[..line + at], true);
            }
            after_blank = rest[..at].trim().is_empty();
            line += at + 1;
        };
        let (text, rest) = body.split_at(end);
        self.rest = rest;
        (text, false)
    }

    /// `[Name "value"]`, with `\"` and `\\` inside the value; an invalid tag is skipped with its line.
    /// `known`: the indices of the game's tags, of which there may be very many.
    fn tag(&mut self, game: &mut PgnGame, known: &mut HashMap<&'a str, usize>) -> bool {
        let mut complete = false;
        let line_end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = &self.rest[..line_end];
        let mut after = line_end;
        if let Some(open) = line.find('"') {
            let name = line[1..open].trim();
            let mut value = String::new();
            let mut escaped = false;
            for (at, c) in line[open + 1..].char_indices() {
                match c {
                    _ if escaped => {
                        value.push(c);
                        escaped = false;
                    }
                    '\\' => escaped = true,
                    '"' => {
                        complete = !name.is_empty();
                        let close = open + 1 + at + 1;
                        after = line[close..].find(']').map_or(line_end, |bracket| close + bracket + 1);
                        break;
                    }
                    _ => value.push(c),
                }
            }
            if !name.is_empty() {
                match known.entry(name) {
                    Entry::Occupied(place) => game.tags[*place.get()].1 = value,
                    Entry::Vacant(place) => {
                        place.insert(game.tags.len());
                        game.tags.push((name.to_owned(), value));
                    }
                }
            }
        }
        self.rest = &self.rest[after..];
        complete
    }

    /// Skips square brackets and their content, at most the rest of the line.
    fn skip_brackets(&mut self) {
        let end = self.rest.find([']', '\n']).map_or(self.rest.len(), |end| end + 1);
        self.rest = &self.rest[end..];
    }

    /// Variations may hold variations and comments, and comments may hold parentheses.
    fn skip_variation(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => {
                    self.take_comment();
                    continue;
                }
                ';' => {
                    self.take_line();
                    continue;
                }
                // The next game.
                '[' if opens_tag(self.rest) => return,
                '[' => {
                    self.skip_brackets();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.rest = &self.rest[c.len_utf8()..];
            if depth == 0 {
                return;
            }
        }
    }

    fn token(&mut self, first: char) -> &'a str {
        let end = self.rest[first.len_utf8()..]
            .find(|c: char| c.is_whitespace() || "{}()[];".contains(c))
            .map_or(self.rest.len(), |end| end + first.len_utf8());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        token
    }
}

impl Iterator for PgnReader<'_> {
    type Item = PgnGame;

    fn next(&mut self) -> Option<PgnGame> {
        self.next_placed().map(|placed| placed.game)
    }
}

/// Whether a text begins like a tag: `[Name "`.
fn opens_tag(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('[') else { return false };
    let after = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let quote = after.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    after.len() < inside.len() && quote.starts_with('"')
}

/// The moves of the line that is being read.
fn last_line<'a>(game: &'a mut PgnGame, open: &'a mut [(PgnVariation, usize)]) -> &'a mut Vec<PgnMove> {
    open.last_mut().map_or(&mut game.moves, |(variation, _)| &mut variation.moves)
}

/// A variation belongs to the last move of the line around it; one before any move belongs to nothing.
fn add_variation(game: &mut PgnGame, open: &mut [(PgnVariation, usize)], variation: PgnVariation) {
    if let Some(mv) = last_line(game, open).last_mut() {
        mv.variations.push(variation);
    }
}

fn add_comment(game: &mut PgnGame, open: &mut [(PgnVariation, usize)], comment: &str) {
    let text = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let (moves, before) = match open.last_mut() {
        Some((variation, _)) => (&mut variation.moves, &mut variation.comment),
        None => (&mut game.moves, &mut game.comment),
    };
    let target = moves.last_mut().map_or(before, |mv| &mut mv.comment);
    if !target.is_empty() && !text.is_empty() {
        target.push(' ');
    }
    target.push_str(&text);
}

/// Parses a move, with or without a move number, an annotation glyph, or a token to ignore. False for
/// anything else.
fn add_token(moves: &mut Vec<PgnMove>, token: &str) -> bool {
    if let Some(glyph) = token.strip_prefix('$') {
        let glyph = glyph.parse();
        if let (Ok(glyph), Some(mv)) = (&glyph, moves.last_mut()) {
            mv.glyphs.push(*glyph);
        }
        return glyph.is_ok();
    }
    let unnumbered = token.trim_start_matches(|c: char| c.is_ascii_digit());
    // "0-0" is castling, and "0000" a null move, not a number.
    let is_numbered = unnumbered.starts_with('.') || (unnumbered.is_empty() && !NULL_MOVES.contains(&token));
    let san = if is_numbered { unnumbered.trim_start_matches('.') } else { token };
    let marks = san.len() - san.trim_end_matches(['!', '?']).len();
    let (san, suffix) = san.split_at(san.len() - marks);
    // Older files mark en passant captures.
    let san = san.strip_suffix("e.p.").or_else(|| san.strip_suffix("ep")).unwrap_or(san);
    if san.is_empty() {
        return true;
    }
    let san = if NULL_MOVES.contains(&san) { NULL_MOVES[0] } else { san };
    if !san.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
        return false;
    }
    let glyph = match suffix {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    moves.push(PgnMove { san: san.to_owned(), glyphs: glyph.into_iter().collect(), ..PgnMove::default() });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<PgnGame> {
        PgnReader::new(text).collect()
    }

    fn sans(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|mv| mv.san.as_str()).collect()
    }

    #[test]
    fn comments_variations_and_nags() {
        let text = "[White \"A\"]\n\n{before} 1.e4! {one} {two} (1. d4 (1. c4 {)} c5) d5) 1... e5 $2 ; rest\n2.Nf3 Nc6?! 1-0";
        let games = read(text);
        assert_eq!(games.len(), 1);
        assert_eq!(sans(&games[0]), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!((games[0].comment.as_str(), games[0].moves[0].comment.as_str()), ("before", "one two"));
        assert_eq!((&games[0].moves[0].glyphs[..], &games[0].moves[1].glyphs[..]), (&[1][..], &[2][..]));
        assert_eq!((games[0].moves[3].glyphs[0], games[0].result), (6, GameResult::WhiteWins));
    }

    #[test]
    fn games_are_separated_by_results_or_by_tags() {
        let games = read("1. e4 * 1. d4 d5 1/2-1/2\n\n[Event \"x\"]\n1. c4\n[Event \"y\"]\n\n*\n");
        assert_eq!(
            games.iter().map(sans).collect::<Vec<_>>(),
            [vec!["e4"], vec!["d4", "d5"], vec!["c4"], vec![]]
        );
        assert_eq!(games[3].tag("event"), Some("y"));
    }

    #[test]
    fn castling_with_zeros_is_no_move_number() {
        assert_eq!(sans(&read("1. 0-0 0-0-0 2. O-O *")[0]), ["0-0", "0-0-0", "O-O"]);
    }

    #[test]
    fn en_passant_suffix_is_dropped() {
        assert_eq!(sans(&read("1. exd6ep gxf3 e.p. 2. cxb6e.p.! *")[0]), ["exd6", "gxf3", "cxb6"]);
    }

    #[test]
    fn variations_belong_to_the_move_they_replace() {
        let game = &read("1. e4 e5 ({or} 1... c5 2. Nf3 (2. Nc3 Nc6 {closed}) d6 *) (1... e6!) 2. Nf3 *")[0];
        assert_eq!(sans(game), ["e4", "e5", "Nf3"]);
        let [sicilian, french] = &game.moves[1].variations[..] else { panic!("{game:?}") };
        assert_eq!((sicilian.comment.as_str(), sicilian.moves.len()), ("or", 3));
        assert_eq!(sicilian.moves[1].variations[0].moves[1].comment, "closed");
        assert_eq!(french.moves[0].glyphs, [1]);
    }

    #[test]
    fn line_numbers() {
        let text =
            "\n[Event \"a\"]\n\n1. e4\ne5 @ 2. Nf3 )\n*\n\n[Event \"b\"]\n[broken\n1. d4 (1. c4\n{open";
        let mut reader = PgnReader::new(text);
        let first = reader.next_placed().expect("a game");
        assert_eq!((first.line, &first.move_lines[..]), (2, &[4, 5, 5][..]));
        assert_eq!(first.warnings.iter().map(|fault| fault.line).collect::<Vec<_>>(), [5, 5]);
        let second = reader.next_placed().expect("a game");
        assert_eq!((second.line, &second.move_lines[..]), (8, &[10][..]));
        assert_eq!(second.warnings.iter().map(|fault| fault.line).collect::<Vec<_>>(), [9, 11, 10]);
        assert_eq!(reader.next_placed(), None);
    }

    #[test]
    fn unclosed_variation_ends_with_its_game() {
        let games = read("1. e4 (1. d4 d5\n\n[Event \"next\"]\n1. c4 *");
        assert_eq!((games.len(), sans(&games[1])), (2, vec!["c4"]));
    }

    #[test]
    fn unclosed_comment_ends_with_its_game() {
        // The games behind it have comments of their own, and lines may end with CRLF.
        let text = "[Event \"a\"]\n\n1. e4 {oh (1. d4\n1... e5 1-0\n\n[Event \"b\"]\n\n1. c4 {fine} c5 0-1\n\n\
                    [White \"c\"]\n\n1. Nf3 *\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let mut reader = PgnReader::new(&text);
            let games: Vec<_> = std::iter::from_fn(|| reader.next_placed()).collect();
            let read: Vec<_> = games.iter().map(|placed| (placed.line, sans(&placed.game))).collect();
            assert_eq!(read, [(1, vec!["e4"]), (6, vec!["c4", "c5"]), (10, vec!["Nf3"])]);
            assert_eq!(games[0].warnings.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3]);
            assert!(games[1..].iter().all(|placed| placed.warnings.is_empty()), "{games:?}");
            assert_eq!(games[1].game.tag("Event"), Some("b"));
        }
        // Before the first game there is no game to end; without moves there is one.
        let early = read("{oh\n\n[Event \"a\"]\n\n{oh\n\n[Event \"b\"]\n\n1. e4 *");
        assert_eq!(early.iter().map(|game| game.tag("Event")).collect::<Vec<_>>(), [Some("a"), Some("b")]);
    }

    #[test]
    fn comment_full_of_tags_takes_linear_time() {
        let text = format!("1. e4 {{{}}} e5 *", "\n\n[Event \"a\"]".repeat(200_000));
        let games = read(&text);
        assert_eq!((games.len(), games[0].moves.len()), (1, 2));
    }

    #[test]
    fn parsing_takes_linear_time() {
        let tags: Vec<_> = (0..100_000).map(|number| format!("[T{number} \"x\"]")).collect();
        assert_eq!(read(&tags.join("\n"))[0].tags.len(), 100_000);
        for part in ["{ [Event \n", "{ \n\n[Event \"a\"]\n", "[]", "[", "[A ", "{}", "(", ";{\n", "%", "\r"] {
            let text = format!("1. e4 {}", part.repeat(1_000_000 / part.len()));
            assert_eq!(sans(&read(&text)[0])[0], "e4", "{part:?}");
        }
    }

    #[test]
    fn number_of_warnings_is_limited() {
        let placed =
            PgnReader::new(&format!("1. e4 {} e5 *", ") ".repeat(100_000))).next_placed().expect("a game");
        assert_eq!((placed.game.moves.len(), placed.warnings.len()), (2, MAX_WARNINGS + 1));
    }

    #[test]
    fn null_move_notations() {
        let game = &read("1. e4 (1. -- d5 2. Z0 @@@@ 3.0000 c5) e5 2.@@@@!? Nc6 *")[0];
        assert_eq!((sans(game), &game.moves[2].glyphs[..]), (vec!["e4", "e5", "--", "Nc6"], &[5][..]));
        let line: Vec<_> = game.moves[0].variations[0].moves.iter().map(|mv| mv.san.as_str()).collect();
        assert_eq!(line, ["--", "d5", "--", "--", "--", "c5"]);
    }

    #[test]
    fn tags_in_a_closed_comment_are_part_of_it() {
        let games =
            read("1. e4 {see\n\n[Event \"x\"]\n\nthere} e5 *\n\n[Event \"y\"]\n\n1. d4 {[%eval 0.3]} *");
        assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), [vec!["e4", "e5"], vec!["d4"]]);
        assert_eq!(games[0].moves[0].comment, "see [Event \"x\"] there");
    }

    #[test]
    fn nesting_has_a_limit() {
        let text = format!("1. e4 {} 1. d4 {} e5 *", "(1. e3 ".repeat(100_000), ")".repeat(100_000));
        assert_eq!(sans(&read(&text)[0])[0], "e4");
    }

    #[test]
    fn broken_text_ends_quietly() {
        for text in ["", "   \n", "{", "(((", "[", "[Event \"", "1. e4 (", "\u{feff}", "]", ")", "}"] {
            assert!(read(text).len() <= 1, "{text:?}");
        }
        assert_eq!(read("[A \"b\"] 1. e4 {open")[0].moves.len(), 1);
        assert_eq!(read("[a [b] \"c \\\"d\\\" ]\"]\n1. e4 *")[0].tags[0].1, "c \"d\" ]");
    }
}
