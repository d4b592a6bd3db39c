//! What an engine reports, as lines of UCI.

use std::time::Duration;

use chess::{Move, Position};
use proptest::prelude::*;
use uci::{BestMove, Bound, EngineLine, Info, Score, Wdl, parse_engine_line};

/// Moves in UCI notation, played from `fen`.
fn line(fen: &str, text: &str) -> Vec<Move> {
    let mut position = Position::from_fen(fen).unwrap();
    let mut moves = Vec::new();
    for token in text.split(' ') {
        let mv = position.parse_uci(token).unwrap();
        position = position.after(mv);
        moves.push(mv);
    }
    moves
}

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn info() -> Info<Move> {
    Info {
        depth: Some(12),
        seldepth: Some(20),
        multipv: Some(1),
        score: Some(Score::Centipawns(34)),
        wdl: Some(Wdl { win: 200, draw: 700, loss: 100 }),
        nodes: Some(1_500_000),
        nps: Some(2_000_000),
        hashfull: Some(123),
        tbhits: Some(0),
        time: Some(Duration::from_millis(750)),
        pv: line(CASTLING, "e1g1 e8c8"),
        ..Info::default()
    }
}

fn printed(info: Info<Move>) -> String {
    info.uci(false).to_string()
}

#[test]
fn info_has_every_field_and_only_integers() {
    assert_eq!(
        printed(Info { wdl: None, ..info() }),
        "info depth 12 seldepth 20 multipv 1 score cp 34 nodes 1500000 nps 2000000 hashfull 123 tbhits 0 time 750 \
         pv e1g1 e8c8"
    );
}

#[test]
fn castling_depends_on_chess960() {
    assert!(info().uci(true).to_string().ends_with(" pv e1h1 e8a8"));
    let moves = line(CASTLING, "e1g1 e8c8");
    let best = BestMove { best: Some(moves[0]), ponder: Some(moves[1]) };
    assert_eq!(best.uci(true).to_string(), "bestmove e1h1 ponder e8a8");
    assert_eq!(best.uci(false).to_string(), "bestmove e1g1 ponder e8c8");
    let current = Info {
        depth: Some(9),
        current_move: Some(moves[0]),
        current_move_number: Some(2),
        ..Info::default()
    };
    assert_eq!(current.uci(true).to_string(), "info depth 9 currmove e1h1 currmovenumber 2");
}

#[test]
fn bound_and_wdl_follow_the_score() {
    let with_bound = |bound| printed(Info { bound, ..info() });
    assert!(with_bound(Bound::Exact).contains(" score cp 34 wdl 200 700 100 nodes "));
    assert!(with_bound(Bound::Lower).contains(" score cp 34 lowerbound wdl 200 700 100 nodes "));
    assert!(with_bound(Bound::Upper).contains(" score cp 34 upperbound wdl 200 700 100 nodes "));
    let mated = Info { score: Some(Score::Mate(-2)), ..info() };
    assert!(printed(mated).contains(" score mate -2 "));
}

#[test]
fn best_move_may_lack_reply_or_move() {
    let mv = line(CASTLING, "e1g1").pop();
    assert_eq!(BestMove { best: mv, ponder: None }.uci(false).to_string(), "bestmove e1g1");
    assert_eq!(BestMove::<Move>::default().uci(false).to_string(), "bestmove (none)");
}

fn any_info() -> impl Strategy<Value = Info> {
    let move_text = || "[a-h][1-8][a-h][1-8][qrbn]?";
    let score = proptest::option::of(prop_oneof![
        any::<i32>().prop_map(Score::Centipawns),
        any::<i32>().prop_map(Score::Mate)
    ]);
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let wdl = proptest::option::of(any::<[u16; 3]>());
    let wdl = wdl.prop_map(|wdl| wdl.map(|[win, draw, loss]| Wdl { win, draw, loss }));
    let time = proptest::option::of(any::<u32>());
    let numbers = (any::<[Option<u32>; 5]>(), any::<[Option<u64>; 3]>(), time);
    let pv = proptest::collection::vec(move_text(), 0..5);
    let current = proptest::option::of(move_text());
    let text = proptest::option::of("[a-z]{1,9}( [a-z]{1,9}){0,3}");
    (numbers, score, bound, wdl, pv, current, text).prop_map(
        |((small, large, time), score, bound, wdl, pv, current_move, text)| Info {
            depth: small[0],
            seldepth: small[1],
            multipv: small[2],
            score,
            bound,
            wdl,
            nodes: large[0],
            nps: large[1],
            hashfull: small[3],
            tbhits: large[2],
            time: time.map(|time| Duration::from_millis(time.into())),
            current_move,
            current_move_number: small[4],
            pv,
            text,
        },
    )
}

proptest! {
    #[test]
    fn printed_info_is_read_back(info in any_info()) {
        prop_assert_eq!(parse_engine_line(&info.to_string()), EngineLine::Info(Box::new(info)));
    }
}
