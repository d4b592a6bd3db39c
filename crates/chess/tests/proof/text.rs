//! Random text: no panic, and accepted input survives a round trip.

use crate::round_trip::{read_epd, read_fen, read_san, read_uci};
use crate::walk::{Random, random_start};
use chess::{Move, Position};
use proptest::prelude::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

/// FEN-like text, to get far into the parser.
fn fen_like() -> impl Strategy<Value = String> {
    let rank = "[pnbrqkPNBRQK1-8]{1,8}";
    let board = prop::collection::vec(rank, 7..=9).prop_map(|ranks| ranks.join("/"));
    let sound = (0..u64::MAX).prop_map(|seed| {
        let mut random = Random::new(seed);
        random_start(random.below(4), &mut random).to_fen().split(' ').next().unwrap_or("").to_string()
    });
    let tail = "( [wbx]( [-KQkqA-Ha-hx]{1,5}( (-|[a-h][1-8]|z9)( [0-9-]{1,4}( [0-9]{1,6})?)?)?)?)?";
    (prop_oneof![board, sound.clone(), sound], tail).prop_map(|(board, tail)| board + &tail)
}

fn position() -> impl Strategy<Value = Position> {
    (0..u64::MAX, 0..60usize).prop_map(|(seed, plies)| {
        let mut random = Random::new(seed);
        let mut position = random_start(random.below(4), &mut random);
        for _ in 0..plies {
            let Some(mv) = crate::walk::random_move(&position, &mut random) else { break };
            position.play(mv);
        }
        position
    })
}

/// The properties, tested with this many random inputs each.
macro_rules! claims {
    ($cases:expr $(, #[$attribute:meta])*) => {
        use super::*;

        proptest! {
            #![proptest_config(config($cases))]

            #[test]
            $(#[$attribute])*
            fn any_text_as_fen(text in any::<String>()) {
                read_fen(&text);
            }

            #[test]
            $(#[$attribute])*
            fn fen_like_text(text in fen_like()) {
                read_fen(&text);
            }

            #[test]
            $(#[$attribute])*
            fn any_text_as_epd(operations in any::<String>()) {
                read_epd(&operations);
                read_epd(&format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}"));
            }

            #[test]
            $(#[$attribute])*
            fn epd_like_text(
                operations in r#"(( |bm|id|hmvc|fmvn|c0|e4|7|12|"|;|x y|\PC){0,12})"#,
            ) {
                read_epd(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations}"));
            }

            #[test]
            $(#[$attribute])*
            fn any_text_as_move(position in position(), text in any::<String>()) {
                read_san(&position, &text);
                read_uci(&position, &text);
            }

            #[test]
            $(#[$attribute])*
            fn move_like_text(
                position in position(),
                text in "[NBRQKPO]?[a-h]?[1-8]?[x:-]?[a-h][1-8]=?[NBRQKnbrq]?[+#!?]{0,2}",
            ) {
                read_san(&position, &text);
                read_uci(&position, &text);
            }

            #[test]
            $(#[$attribute])*
            fn legal_moves_round_trip(position in position()) {
                for mv in position.legal_moves() {
                    prop_assert_eq!(position.parse_uci(&mv.uci(true).to_string()), Ok(mv));
                    prop_assert_eq!(position.parse_san(&position.san(mv).to_string()), Ok(mv));
                }
            }

            #[test]
            $(#[$attribute])*
            fn standard_castling_notation_round_trips(seed in 0..u64::MAX) {
                let mut random = Random::new(seed);
                let mut position = Position::from_fen(START).unwrap();
                while let Some(mv) = crate::walk::random_move(&position, &mut random).filter(|_| position.ply() < 80) {
                    prop_assert_eq!(position.parse_uci(&mv.uci(false).to_string()), Ok(mv));
                    position.play(mv);
                }
            }

            #[test]
            $(#[$attribute])*
            fn any_bits_as_move(position in position(), bits in any::<u16>()) {
                let mv = Move::from_bits(bits);
                let _ = position.is_legal(mv);
                let _ = format!("{mv:?} {} {}", mv.uci(true), mv.uci(false));
            }
        }
    };
}

mod quick {
    claims!(2_000);
}

mod proof {
    claims!(200_000, #[ignore = "make proof"]);
}
