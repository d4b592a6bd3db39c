//! Reading PGN: a tolerant splitter of text into games. Broken games give what can be read of them.

use crate::pgn::{GameResult, PgnGame, PgnMove};

/// Reads the games of a text one after the other.
#[derive(Debug)]
pub struct PgnReader<'a> {
    rest: &'a str,
}

impl<'a> PgnReader<'a> {
    /// Over a whole file.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}') }
    }

    /// The next game: tags, then moves up to a result or to the tags of the next one.
    fn game(&mut self) -> Option<PgnGame> {
        let mut game = PgnGame::default();
        let mut began = false;
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else { break };
            match first {
                '[' if !game.moves.is_empty() => return Some(game),
                '[' => {
                    began = true;
                    self.tag(&mut game);
                }
                '{' => {
                    let comment = self.take_until('}');
                    add_comment(&mut game, comment);
                }
                ';' => {
                    let comment = self.take_until('\n');
                    add_comment(&mut game, comment);
                }
                '%' => {
                    self.take_until('\n');
                }
                '(' => self.skip_variation(),
                _ => {
                    began = true;
                    let word = self.word(first);
                    if let Some(result) = GameResult::from_word(word) {
                        game.result = result;
                        return Some(game);
                    }
                    add_word(&mut game, word);
                }
            }
        }
        began.then_some(game)
    }

    /// Takes the text between the opening sign at the front and `end`.
    fn take_until(&mut self, end: char) -> &'a str {
        let body = &self.rest[1..];
        let (text, rest) = body.split_once(end).unwrap_or((body, ""));
        self.rest = rest;
        text
    }

    /// `[Name "value"]`, with `\"` and `\\` inside the value; a tag that is none is skipped with its line.
    fn tag(&mut self, game: &mut PgnGame) {
        let line_end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = &self.rest[..line_end];
        let mut after = line_end;
        if let Some(open) = line.find('"') {
            let name = line[1..open].trim();
            let mut value = String::new();
            let mut escaped = false;
            for (at, sign) in line[open + 1..].char_indices() {
                match sign {
                    _ if escaped => {
                        value.push(sign);
                        escaped = false;
                    }
                    '\\' => escaped = true,
                    '"' => {
                        let close = open + 1 + at + 1;
                        after = line[close..].find(']').map_or(line_end, |bracket| close + bracket + 1);
                        break;
                    }
                    _ => value.push(sign),
                }
            }
            if !name.is_empty() {
                game.set_tag(name, value);
            }
        }
        self.rest = &self.rest[after..];
    }

    /// Variations may hold variations and comments, and comments may hold parentheses.
    fn skip_variation(&mut self) {
        let mut depth = 0;
        while let Some(sign) = self.rest.chars().next() {
            match sign {
                '{' => {
                    self.take_until('}');
                    continue;
                }
                ';' => {
                    self.take_until('\n');
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.rest = &self.rest[sign.len_utf8()..];
            if depth == 0 {
                return;
            }
        }
    }

    fn word(&mut self, first: char) -> &'a str {
        let end = self.rest[first.len_utf8()..]
            .find(|sign: char| sign.is_whitespace() || "{}()[];".contains(sign))
            .map_or(self.rest.len(), |end| end + first.len_utf8());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

impl Iterator for PgnReader<'_> {
    type Item = PgnGame;

    fn next(&mut self) -> Option<PgnGame> {
        self.game()
    }
}

fn add_comment(game: &mut PgnGame, comment: &str) {
    let words = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let target = game.moves.last_mut().map_or(&mut game.comment, |mv| &mut mv.comment);
    if !target.is_empty() && !words.is_empty() {
        target.push(' ');
    }
    target.push_str(&words);
}

/// A move, with or without its number in front; or a glyph; or nothing of use.
fn add_word(game: &mut PgnGame, word: &str) {
    if let Some(glyph) = word.strip_prefix('$') {
        if let (Ok(glyph), Some(mv)) = (glyph.parse(), game.moves.last_mut()) {
            mv.glyphs.push(glyph);
        }
        return;
    }
    let unnumbered = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    // "0-0" is castling, not a number.
    let san = if unnumbered.starts_with('.') || unnumbered.is_empty() {
        unnumbered.trim_start_matches('.')
    } else {
        word
    };
    let marks = san.len() - san.trim_end_matches(['!', '?']).len();
    let (san, suffix) = san.split_at(san.len() - marks);
    // Older files mark captures in passing.
    let san = san.strip_suffix("e.p.").or_else(|| san.strip_suffix("ep")).unwrap_or(san);
    if san.is_empty() || !san.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '-') {
        return;
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
    game.moves.push(PgnMove {
        san: san.to_owned(),
        glyphs: glyph.into_iter().collect(),
        comment: String::new(),
    });
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
    fn comments_variations_glyphs_and_marks_are_told_apart() {
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
    fn marks_of_captures_in_passing_are_dropped() {
        assert_eq!(sans(&read("1. exd6ep gxf3 e.p. 2. cxb6e.p.! *")[0]), ["exd6", "gxf3", "cxb6"]);
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
