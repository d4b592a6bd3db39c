//! Random text: nothing may panic, and what is accepted must stay the same when written and read
//! again.

use crate::amount;
use crate::round_trip::{read_epd, read_fen, read_san, read_uci};
use crate::walk::{Random, random_start};
use chess::{Move, Position};
use proptest::prelude::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn config() -> ProptestConfig {
    ProptestConfig { cases: amount(2_000, 200_000) as u32, failure_persistence: None, ..Default::default() }
}

/// Text that looks like a FEN closely enough to get far into the parser.
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

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_is_a_fen_or_an_error(text in any::<String>()) {
        read_fen(&text);
    }

    #[test]
    fn text_like_a_fen_is_a_fen_or_an_error(text in fen_like()) {
        read_fen(&text);
    }

    #[test]
    fn any_operations_are_an_epd_or_an_error(operations in any::<String>()) {
        read_epd(&operations);
        read_epd(&format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}"));
    }

    #[test]
    fn text_like_operations_is_an_epd_or_an_error(
        operations in r#"(( |bm|id|hmvc|fmvn|c0|e4|7|12|"|;|x y|\PC){0,12})"#,
    ) {
        read_epd(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations}"));
    }

    #[test]
    fn any_text_is_a_move_or_an_error(position in position(), text in any::<String>()) {
        read_san(&position, &text);
        read_uci(&position, &text);
    }

    #[test]
    fn text_like_a_move_is_a_move_or_an_error(
        position in position(),
        text in "[NBRQKPO]?[a-h]?[1-8]?[x:-]?[a-h][1-8]=?[NBRQKnbrq]?[+#!?]{0,2}",
    ) {
        read_san(&position, &text);
        read_uci(&position, &text);
    }

    #[test]
    fn every_legal_move_can_be_written_and_read(position in position()) {
        for mv in position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&mv.uci(true).to_string()), Ok(mv));
            prop_assert_eq!(position.parse_san(&position.san(mv).to_string()), Ok(mv));
        }
    }

    #[test]
    fn moves_of_standard_chess_survive_the_standard_notation(seed in 0..u64::MAX) {
        let mut random = Random::new(seed);
        let mut position = Position::from_fen(START).unwrap();
        while let Some(mv) = crate::walk::random_move(&position, &mut random).filter(|_| position.ply() < 80) {
            prop_assert_eq!(position.parse_uci(&mv.uci(false).to_string()), Ok(mv));
            position.play(mv);
        }
    }

    #[test]
    fn any_bits_can_be_asked_about(position in position(), bits in any::<u16>()) {
        let mv = Move::from_bits(bits);
        let _ = position.is_legal(mv);
        let _ = format!("{mv:?} {} {}", mv.uci(true), mv.uci(false));
    }
}
