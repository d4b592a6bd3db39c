//! Serde, with the feature `serde`: everything is the text that people write. A position is its FEN, a square `e4`, a
//! colour `white`, a piece its letter. A move means nothing without its position: save [`Move::uci`](crate::Move::uci) or
//! SAN, and read it with [`Position::parse_uci`](crate::Position::parse_uci).

use crate::{Color, Piece, Position, Role, Square};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// Both directions of a type, by its text.
macro_rules! by_text {
    ($name:ty, $expected:literal, $write:expr, $read:expr) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&$write(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                $read(&text).ok_or_else(|| Error::custom(format!("invalid {}: {text:?}", $expected)))
            }
        }
    };
}

fn letter<T>(text: &str, read: fn(char) -> Option<T>) -> Option<T> {
    let mut letters = text.chars();
    letters.next().and_then(read).filter(|_| letters.next().is_none())
}

by_text!(Square, "square", |square: &Square| *square, |text: &str| text.parse().ok());
by_text!(Color, "colour", |color: &Color| *color, |text: &str| {
    Color::ALL.into_iter().find(|color| color.to_string() == text)
});
by_text!(Role, "role", |role: &Role| role.letter(), |text: &str| letter(text, Role::from_letter));
by_text!(Piece, "piece", |piece: &Piece| piece.letter(), |text: &str| letter(text, Piece::from_letter));

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_fen())
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        Position::from_fen(&Cow::<str>::deserialize(deserializer)?).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(
        value: &T,
        json: &str,
    ) {
        assert_eq!(serde_json::to_string(value).expect("JSON"), json);
        assert_eq!(serde_json::from_str::<T>(json).expect("JSON"), *value);
    }

    #[test]
    fn values_are_their_text() {
        round_trip(&Square::E4, "\"e4\"");
        round_trip(&Color::Black, "\"black\"");
        round_trip(&Role::Queen, "\"q\"");
        round_trip(&Piece::new(Color::White, Role::Knight), "\"N\"");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        round_trip(&Position::startpos(), &format!("\"{fen}\""));
        for number in [0, 17, 959] {
            let position = Position::chess960(number).expect("a start position");
            round_trip(&position, &format!("\"{}\"", position.to_fen()));
        }
        // Text with escapes is not borrowed from the input.
        assert_eq!(serde_json::from_str::<Square>("\"\\u0065\\u0034\"").expect("JSON"), Square::E4);
    }

    #[test]
    fn errors_show_the_text() {
        let error = serde_json::from_str::<Square>("\"z9\"").expect_err("no square");
        assert!(error.to_string().contains("invalid square: \"z9\""), "{error}");
        assert!(serde_json::from_str::<Color>("\"w\"").is_err());
        assert!(serde_json::from_str::<Piece>("\"NN\"").is_err());
        assert!(serde_json::from_str::<Position>("\"8/8 w - - 0 1\"").is_err());
    }
}
