//! PGN texts and their games. The page's reader (`web/src/games.ts`) is tested with the same cases.

use std::collections::BTreeMap;

use record::pgn::{PgnGame, PgnReader};
use serde_json::Value;

const CASES: &str = include_str!("pgn-games.json");

fn tags(game: &PgnGame) -> BTreeMap<&str, &str> {
    game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn moves(game: &PgnGame) -> String {
    // Castling may be written with zeros.
    game.moves.iter().map(|mv| mv.san.replace("0-0", "O-O")).collect::<Vec<_>>().join(" ")
}

#[test]
fn games_of_the_table() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("a table");
    for case in &cases {
        let lines: Vec<_> =
            case["text"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
        let expected: Vec<(BTreeMap<&str, &str>, String)> = (case["games"].as_array().expect("games").iter())
            .map(|game| {
                let tags = game["tags"].as_object().into_iter().flatten();
                let tags = tags.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
                (tags, game["moves"].as_str().expect("moves").to_owned())
            })
            .collect();
        for end in ["\n", "\r\n"] {
            let text = lines.join(end);
            let games: Vec<PgnGame> = PgnReader::new(&text).collect();
            let found: Vec<_> = games.iter().map(|game| (tags(game), moves(game))).collect();
            assert_eq!(found, expected, "{}, lines end with {end:?}", case["case"]);
        }
    }
}
