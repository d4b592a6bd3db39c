//! A tolerant PGN parser: of broken games it reads what can be read. The studio's page splits text into games by the same
//! rules (`web/src/games.ts`); both are tested with the cases in `tests/pgn-games.json`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::scanner::Scanner;
use super::{GameResult, PgnGame, PgnMove, PgnVariation};

/// Variations nested deeper than this are skipped.
const MAX_NESTING: usize = 32;

/// Moves of a game, with its variations, that are kept; a move takes far more memory than text.
const MAX_MOVES: usize = 1 << 18;

/// Tags of a game that are kept.
const MAX_TAGS: usize = 1 << 10;

/// Maximum number of warnings per game.
const MAX_WARNINGS: usize = 50;

/// Notations of the null move; all are read as the first.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "@@@@", "0000"];

/// Reads the games of a text, in time linear in its length.
#[derive(Debug)]
pub struct PgnReader<'a> {
    text: Scanner<'a>,
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

/// A game while it is read.
#[derive(Default)]
struct UnfinishedGame {
    placed: PlacedGame,
    /// Open variations, each with the line on which it began.
    open: Vec<(PgnVariation, usize)>,
    /// The number of moves, with those of variations.
    moves: usize,
}

impl UnfinishedGame {
    /// Adds a token that is not a result: a move, a move number or an annotation.
    fn add_move(&mut self, token: &str, line: usize) {
        if self.moves == MAX_MOVES {
            self.placed.warn(line, format!("more than {MAX_MOVES} moves: the rest is skipped"));
            return;
        }
        let before = self.placed.game.moves.len();
        let kept = last_line(&mut self.placed.game, &mut self.open);
        let kept_before = kept.len();
        let is_valid = add_token(kept, token);
        self.moves += kept.len() - kept_before;
        if !is_valid {
            self.placed.warn(line, format!("invalid move '{token}'"));
        }
        if self.placed.game.moves.len() > before {
            self.placed.move_lines.push(line);
        }
    }

    /// Closes open variations.
    fn finish(mut self) -> PlacedGame {
        while let Some((variation, line)) = self.open.pop() {
            self.placed.warn(line, "unclosed variation");
            add_variation(&mut self.placed.game, &mut self.open, variation);
        }
        self.placed
    }
}

impl<'a> PgnReader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text: Scanner::new(text.trim_start_matches('\u{feff}')) }
    }

    /// Bytes of the text looked at so far. Linear in the length of the text: tests and fuzzing hold the reader to it.
    pub fn scanned(&self) -> u64 {
        self.text.scanned()
    }

    /// The next game and its place: tags, then moves up to a result or to the tags of the next one.
    pub fn next_placed(&mut self) -> Option<PlacedGame> {
        let mut game = UnfinishedGame::default();
        let mut known = HashMap::new();
        let (mut began, mut variations) = (false, 0);
        loop {
            self.text.skip_whitespace();
            let Some(first) = self.text.char_at(0) else { break };
            let line = self.text.line();
            if !began && !matches!(first, '%' | ')') {
                game.placed.line = line;
            }
            match first {
                '[' if game.placed.game.moves.is_empty() => {
                    began = true;
                    if !self.tag(&mut game.placed.game, &mut known) {
                        game.placed.warn(line, "invalid tag, or one too many: expected [Name \"value\"]");
                    }
                }
                '[' if self.opens_tag(0) => break,
                '[' => {
                    self.skip_brackets();
                    game.placed.warn(line, "square brackets between moves");
                }
                '{' => {
                    let (text, closed) = self.take_comment();
                    add_comment(&mut game.placed.game, &mut game.open, text);
                    if !closed {
                        game.placed.warn(line, "unclosed comment: it extends to the end of the game");
                        if began {
                            break;
                        }
                    }
                }
                ';' => {
                    let text = self.take_line();
                    add_comment(&mut game.placed.game, &mut game.open, text);
                }
                '%' if self.text.is_at_line_start() => {
                    self.take_line();
                }
                '(' if game.open.len() < MAX_NESTING && variations < MAX_MOVES => {
                    self.text.take(1);
                    variations += 1;
                    game.open.push((PgnVariation::default(), line));
                }
                '(' => self.skip_variation(),
                ')' => {
                    self.text.take(1);
                    match game.open.pop() {
                        Some((variation, _)) => {
                            add_variation(&mut game.placed.game, &mut game.open, variation);
                        }
                        None => game.placed.warn(line, "unmatched ')'"),
                    }
                }
                _ => {
                    began = true;
                    let token = self.token(first);
                    match GameResult::from_token(token) {
                        Some(result) if game.open.is_empty() => {
                            game.placed.game.result = result;
                            return Some(game.placed);
                        }
                        // Results in variations are ignored.
                        Some(_) => {}
                        None => game.add_move(token, line),
                    }
                }
            }
        }
        began.then(|| game.finish())
    }

    /// Takes a character and the rest of its line, and returns the rest.
    fn take_line(&mut self) -> &'a str {
        let end = self.text.find_or_end(0, |c| c == '\n');
        &self.text.take(end)[1..]
    }

    /// Takes a comment in braces; returns it and whether it was closed. An unclosed comment ends at the tags of the next game,
    /// unless the next brace closes it: then the tags are part of the comment.
    fn take_comment(&mut self) -> (&'a str, bool) {
        // The search continues after the previous brace, so that a comment is scanned once.
        let (mut line, mut after_blank, mut brace) = (1, false, 0);
        let end = loop {
            if after_blank && self.opens_tag(line) {
                if brace <= line {
                    brace = self.text.find_or_end(line, |c| c == '{' || c == '}');
                }
                if self.text.char_at(brace) != Some('}') {
                    break line;
                }
            }
            // Not the whole line: it may be a whole file, with many comments.
            let mut is_blank = true;
            let found = self.text.find(line, |c| {
                let ends = c == '\n' || c == '}';
                is_blank &= ends || c.is_whitespace();
                ends
            });
            let Some(at) = found else { break self.text.len() };
            if self.text.char_at(at) == Some('}') {
                return (&self.text.take(at + 1)[1..at], true);
            }
            after_blank = is_blank;
            line = at + 1;
        };
        (&self.text.take(end)[1..], false)
    }

    /// `[Name "value"]`, with `\"` and `\\` inside the value; an invalid tag is skipped with its line.
    /// `known`: the indices of the game's tags, of which there may be very many.
    fn tag(&mut self, game: &mut PgnGame, known: &mut HashMap<&'a str, usize>) -> bool {
        // The end of the line is looked for no further than necessary: without line ends it is the end of the file.
        let open = self.text.find_or_end(1, |c| c == '"' || c == '\n');
        if self.text.char_at(open) != Some('"') {
            self.text.take(open);
            return false;
        }
        let mut escaped = false;
        let close = self.text.find_or_end(open + 1, |c| {
            let ends = c == '\n' || (c == '"' && !escaped);
            escaped = c == '\\' && !escaped;
            ends
        });
        let mut end = close;
        let is_closed = self.text.char_at(close) == Some('"');
        if is_closed {
            end = self.text.find_or_end(close + 1, |c| c == ']' || c == '\n');
            end += usize::from(self.text.char_at(end) == Some(']'));
        }
        let tag = self.text.take(end);
        let name = tag[1..open].trim();
        if name.is_empty() {
            return false;
        }
        let value = unescaped(&tag[open + 1..close]);
        match known.entry(name) {
            Entry::Occupied(place) => game.tags[*place.get()].1 = value,
            Entry::Vacant(_) if game.tags.len() == MAX_TAGS => return false,
            Entry::Vacant(place) => {
                place.insert(game.tags.len());
                game.tags.push((name.to_owned(), value));
            }
        }
        is_closed
    }

    /// Whether the text at an offset begins like a tag: `[Name "`. No more of it is looked at than that.
    fn opens_tag(&mut self, from: usize) -> bool {
        if self.text.char_at(from) != Some('[') {
            return false;
        }
        let name = from + 1;
        let after = self.text.find_or_end(name, |c| !c.is_ascii_alphanumeric() && c != '_');
        let quote = self.text.find_or_end(after, |c| !c.is_whitespace() || c == '\n');
        after > name && self.text.char_at(quote) == Some('"')
    }

    /// Skips square brackets and their content, at most the rest of the line.
    fn skip_brackets(&mut self) {
        let end = self.text.find(0, |c| c == ']' || c == '\n').map_or(self.text.len(), |end| end + 1);
        self.text.take(end);
    }

    /// Variations may hold variations and comments, and comments may hold parentheses.
    fn skip_variation(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.text.char_at(0) {
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
                '[' if self.opens_tag(0) => return,
                '[' => {
                    self.skip_brackets();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.text.take(c.len_utf8());
            if depth == 0 {
                return;
            }
        }
    }

    fn token(&mut self, first: char) -> &'a str {
        let is_end = |c: char| c.is_whitespace() || "{}()[];".contains(c);
        let end = self.text.find_or_end(first.len_utf8(), is_end);
        self.text.take(end)
    }
}

impl Iterator for PgnReader<'_> {
    type Item = PgnGame;

    fn next(&mut self) -> Option<PgnGame> {
        self.next_placed().map(|placed| placed.game)
    }
}

/// A tag's value without backslashes.
fn unescaped(written: &str) -> String {
    let mut value = String::with_capacity(written.len());
    let mut escaped = false;
    for c in written.chars() {
        escaped = c == '\\' && !escaped;
        if !escaped {
            value.push(c);
        }
    }
    value
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

    /// What is kept of a text takes a hundred times its memory, if it is all moves.
    #[test]
    fn moves_variations_and_tags_of_a_game_are_limited() {
        let count = |game: &PgnGame| {
            let of_move = |mv: &PgnMove| {
                mv.variations.len() + mv.variations.iter().map(|v| v.moves.len()).sum::<usize>()
            };
            game.moves.len() + game.moves.iter().map(of_move).sum::<usize>()
        };
        for (text, kept) in [("a ", MAX_MOVES), ("(a)", 2 * MAX_MOVES), ("()", MAX_MOVES + 1)] {
            let text = format!("1. e4 {} 1-0\n\n1. d4 *", text.repeat(MAX_MOVES + 10));
            let games = read(&text);
            assert_eq!(
                (games.len(), games[0].result, sans(&games[1])),
                (2, GameResult::WhiteWins, vec!["d4"])
            );
            assert_eq!(count(&games[0]), kept);
        }
        let tags: Vec<String> = (0..MAX_TAGS + 10).map(|number| format!("[T{number} \"x\"]\n")).collect();
        let placed = PgnReader::new(&format!("{}\n1. e4 *", tags.concat())).next_placed().expect("a game");
        assert_eq!((placed.game.tags.len(), placed.game.moves.len()), (MAX_TAGS, 1));
        assert!(!placed.warnings.is_empty());
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

    /// Bytes looked at per byte of the text.
    fn work(text: &str) -> u64 {
        let mut reader = PgnReader::new(text);
        while reader.next_placed().is_some() {}
        reader.scanned() / text.len() as u64
    }

    /// More than any text needs: where a part of a text is gone through again and again, it takes hundreds.
    const MAX_WORK: u64 = 8;

    /// Texts of a pattern that is repeated, for every pattern of up to `atoms` of these.
    fn patterns_take_linear_time(atoms: u32) -> usize {
        const ATOMS: [&str; 18] = [
            "[A \"",
            "[A \"b\"]",
            "[",
            "]",
            "\"",
            "\\",
            "{",
            "}",
            "(",
            ")",
            "\n",
            "\n\n",
            ";",
            "%",
            " ",
            "e4",
            "*",
            "[A",
        ];
        const LENGTH: usize = 6000;
        let mut count = 0;
        for length in 1..=atoms {
            for number in 0..ATOMS.len().pow(length) {
                let atom = |place| ATOMS[number / ATOMS.len().pow(place) % ATOMS.len()];
                let pattern: String = (0..length).map(atom).collect();
                let text = pattern.repeat(LENGTH / pattern.len());
                // With a game before it, and from the start.
                for text in [format!("1. e4 {text}"), text] {
                    assert!(work(&text) <= MAX_WORK, "{pattern:?}: {} looks per byte", work(&text));
                    count += 1;
                }
            }
        }
        count
    }

    #[test]
    fn parsing_takes_linear_time() {
        let tags: Vec<_> = (0..100_000).map(|number| format!("[T{number} \"x\"]")).collect();
        let text = tags.join("\n");
        assert_eq!((read(&text)[0].tags.len(), work(&text) <= MAX_WORK), (MAX_TAGS, true));
        let games = "[White \"A\"] [Black \"B\"] 1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 1-0 ".repeat(1000);
        assert_eq!((read(&games).len(), work(&games) <= MAX_WORK), (1000, true), "no line ends");
        let comment = format!("1. e4 {{{}}} e5 *", "\n\n[Event \"a\"]".repeat(10_000));
        assert_eq!((read(&comment).len(), work(&comment) <= MAX_WORK), (1, true));
        for part in
            ["{ [Event \n", "{ \n\n[Event \"a\"]\n", "[A ", ";{\n", "\r", "({\n\n[A \"\n", "[A \"b\"]x "]
        {
            let text = part.repeat(100_000 / part.len());
            assert!(work(&text) <= MAX_WORK, "{part:?}: {} looks per byte", work(&text));
        }
        assert_eq!(patterns_take_linear_time(2), 2 * (18 + 18 * 18));
    }

    #[test]
    #[ignore = "222,300 texts"]
    fn every_pattern_takes_linear_time() {
        assert_eq!(patterns_take_linear_time(4), 222_300);
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
    fn broken_text_is_no_error() {
        for text in ["", "   \n", "{", "(((", "[", "[Event \"", "1. e4 (", "\u{feff}", "]", ")", "}"] {
            assert!(read(text).len() <= 1, "{text:?}");
        }
        assert_eq!(read("[A \"b\"] 1. e4 {open")[0].moves.len(), 1);
        assert_eq!(read("[a [b] \"c \\\"d\\\" ]\"]\n1. e4 *")[0].tags[0].1, "c \"d\" ]");
    }
}
