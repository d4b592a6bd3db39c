//! The board as a diagram or in words.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use chess::{Color, File, Move, Piece, Position, Rank, Role, Square};
use clap::ColorChoice;
use record::game_end::side_name;

use crate::invocation;

/// How positions are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// Letters, White's in upper case.
    Letters,
    /// Chess symbols without colours.
    Symbols,
    /// Chess symbols on coloured squares.
    Colors,
    /// For screen readers.
    Words,
}

impl BoardStyle {
    /// The best diagram for this terminal.
    pub fn drawn(ascii: bool) -> BoardStyle {
        let colored = match invocation::color_choice() {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
            }
        };
        match (ascii || !is_unicode(), colored) {
            (true, _) => BoardStyle::Letters,
            (false, true) => BoardStyle::Colors,
            (false, false) => BoardStyle::Symbols,
        }
    }

    /// The position as this player sees it. The squares of the last move are marked where there are colours.
    pub fn show(self, position: &Position, from: Color, last: Option<Move>) -> String {
        if self == BoardStyle::Words {
            return in_words(position);
        }
        let (ranks, files): (Vec<Rank>, Vec<File>) = match from {
            Color::White => (Rank::ALL.into_iter().rev().collect(), File::ALL.to_vec()),
            Color::Black => (Rank::ALL.to_vec(), File::ALL.into_iter().rev().collect()),
        };
        let mut text = String::new();
        for rank in ranks {
            let _ = write!(text, "{rank} ");
            for &file in &files {
                let square = Square::new(file, rank);
                self.square(&mut text, square, position.piece_at(square), last);
            }
            text.push_str(if self == BoardStyle::Colors { "\x1b[0m\n" } else { "\n" });
        }
        text.push_str("  ");
        for file in files {
            let _ = write!(text, "{}{file}", if self == BoardStyle::Colors { " " } else { "" });
            text.push(' ');
        }
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    fn square(self, text: &mut String, square: Square, piece: Option<Piece>, last: Option<Move>) {
        let _ = match (self, piece) {
            (BoardStyle::Letters | BoardStyle::Words, Some(piece)) => write!(text, "{piece} "),
            (BoardStyle::Letters | BoardStyle::Words, None) => write!(text, ". "),
            (BoardStyle::Symbols, Some(piece)) => write!(text, "{} ", symbol(piece)),
            (BoardStyle::Symbols, None) => write!(text, "· "),
            (BoardStyle::Colors, piece) => {
                let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
                let is_marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
                // Numbers of the 256 colours that terminals have in common.
                let ground = match (is_marked, is_dark) {
                    (true, _) => 143,
                    (false, true) => 137,
                    (false, false) => 180,
                };
                let ink = if piece.is_some_and(|piece| piece.color() == Color::White) { 231 } else { 16 };
                let filled = piece.map_or(' ', |piece| symbol(Piece::new(Color::Black, piece.role())));
                write!(text, "\x1b[48;5;{ground};38;5;{ink}m {filled} ")
            }
        };
    }
}

/// Whether the locale is one of UTF-8, or unknown.
fn is_unicode() -> bool {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = value("LC_ALL").or_else(|| value("LC_CTYPE")).or_else(|| value("LANG"));
    locale.is_none_or(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

fn symbol(piece: Piece) -> char {
    let symbols = match piece.color() {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    symbols[piece.role().index()]
}

/// `White: king e1, rooks a1 h1, pawns a2 b2. Black: king e8. White to move.`
pub fn in_words(position: &Position) -> String {
    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let pieces = |color: Color| {
        let group = |role: Role| {
            let squares: Vec<String> =
                position.pieces(color, role).into_iter().map(|square| square.to_string()).collect();
            let plural = if squares.len() > 1 { "s" } else { "" };
            (!squares.is_empty()).then(|| format!("{}{plural} {}", role_name(role), squares.join(" ")))
        };
        ROLES.into_iter().filter_map(group).collect::<Vec<_>>().join(", ")
    };
    let check = if position.in_check() { ", in check" } else { "" };
    format!(
        "White: {}.\nBlack: {}.\n{} to move{check}.",
        pieces(Color::White),
        pieces(Color::Black),
        side_name(position.turn())
    )
}

/// `knight g1 to f3`, `pawn e7 takes rook d8, promotes to queen, check`.
pub fn spoken(position: &Position, mv: Move) -> String {
    let after = position.after(mv);
    let mut text = if mv.is_castle() {
        let kingside = mv.to().file() > mv.from().file();
        format!("castles {}", if kingside { "kingside" } else { "queenside" })
    } else {
        let mover = position.role_at(mv.from()).map_or("piece", role_name);
        let target =
            position.captured(mv).map_or("to".to_owned(), |role| format!("takes {}", role_name(role)));
        format!("{mover} {} {target} {}", mv.from(), mv.to())
    };
    if let Some(role) = mv.promotion() {
        let _ = write!(text, ", promotes to {}", role_name(role));
    }
    if after.in_check() {
        text.push_str(if after.has_legal_move() { ", check" } else { ", checkmate" });
    }
    text
}

const fn role_name(role: Role) -> &'static str {
    review::motif::role_name(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagram_from_both_sides() {
        let position = Position::startpos();
        let white = BoardStyle::Letters.show(&position, Color::White, None);
        assert!(
            white.starts_with("8 r n b q k b n r\n") && white.ends_with("\n  a b c d e f g h"),
            "{white}"
        );
        let black = BoardStyle::Letters.show(&position, Color::Black, None);
        assert!(
            black.starts_with("1 R N B K Q B N R\n") && black.ends_with("\n  h g f e d c b a"),
            "{black}"
        );
        let symbols = BoardStyle::Symbols.show(&position, Color::White, None);
        assert!(symbols.contains("8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜") && !symbols.contains('\x1b'), "{symbols}");
        let colors = BoardStyle::Colors.show(&position, Color::White, position.parse_uci("e2e4").ok());
        assert_eq!((colors.matches("48;5;143").count(), colors.matches("\x1b[0m").count()), (2, 8));
    }

    #[test]
    fn words_for_pieces_and_moves() {
        let position = Position::from_fen("3rk3/4P3/8/8/8/8/P6P/R3K2R w KQ - 0 1").expect("a position");
        assert_eq!(
            in_words(&position),
            "White: king e1, rooks a1 h1, pawns a2 h2 e7.\nBlack: king e8, rook d8.\nWhite to move."
        );
        for (mv, text) in [
            ("h2h4", "pawn h2 to h4"),
            ("e7d8q", "pawn e7 takes rook d8, promotes to queen, check"),
            ("e1g1", "castles kingside"),
            ("a1d1", "rook a1 to d1"),
        ] {
            assert_eq!(spoken(&position, position.parse_uci(mv).expect(mv)), text);
        }
    }
}
