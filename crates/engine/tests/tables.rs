//! Searches with tablebases.

use chess::{Color, Game, Position};
use engine::evaluation::Evaluation;
use engine::{Engine, Limits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tables::{Dtz, ProbeError, Prober, TableWdl, Tablebases, testing};
use uci::{Info, Score, Wdl};

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn engine(tables: Tablebases) -> Engine {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    engine.set_tablebases(Some(Arc::new(tables))).unwrap();
    engine
}

/// An engine with the tables of the tests.
fn engine_with_files() -> Option<Engine> {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    let folder = testing::folder()?;
    let note = engine.set_option("SyzygyPath", folder.to_str()).unwrap();
    assert_eq!(note.as_deref(), Some("35 WDL and 35 DTZ tablebases, up to 4 pieces"));
    Some(engine)
}

/// The last line of a search.
fn last_line(engine: &mut Engine, game: &Game, limits: Limits) -> Info<chess::Move> {
    let mut last = Info::default();
    let best = engine.search(game, limits, &AtomicBool::new(false), |info| last = info.clone()).unwrap();
    assert_eq!(best.best, last.pv.first().copied());
    last
}

/// Made-up tables for five pieces, so that every position has this distance for the side with the queen.
struct QueenWinsIn(i32);

impl Prober for QueenWinsIn {
    fn pieces(&self) -> u32 {
        5
    }

    fn wdl(&self, position: &Position) -> Result<TableWdl, ProbeError> {
        self.dtz(position).map(|dtz| dtz.wdl(0).unwrap())
    }

    fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        let queens = |color| position.pieces(color, chess::Role::Queen).count() as i32;
        let more = (queens(position.turn()) - queens(!position.turn())).signum();
        Ok(Dtz { plies: more * self.0, is_rounded: false })
    }
}

#[test]
fn cursed_win_is_a_draw_unless_the_rule_is_off() {
    let start = game("4k3/8/8/2r3r1/8/8/8/3QK3 w - - 0 1");
    let mut engine = engine(Tablebases::with_prober(QueenWinsIn(110)));
    let cursed = last_line(&mut engine, &start, Limits::depth(5));
    assert_eq!(
        (cursed.score, cursed.wdl),
        (Some(Score::Centipawns(0)), Some(Wdl { win: 0, draw: 1000, loss: 0 }))
    );
    engine.set_option("Syzygy50MoveRule", Some("false")).unwrap();
    let won = last_line(&mut engine, &start, Limits::depth(5));
    assert_eq!(
        (won.score, won.wdl),
        (Some(Score::Centipawns(20_000)), Some(Wdl { win: 1000, draw: 0, loss: 0 }))
    );
    assert!(won.tbhits.unwrap() > 0);
}

#[test]
fn blessed_loss_is_a_draw() {
    let start = game("4k3/8/8/2r3r1/8/8/8/3QK3 b - - 0 1");
    let mut engine = engine(Tablebases::with_prober(QueenWinsIn(110)));
    let blessed = last_line(&mut engine, &start, Limits::depth(5));
    assert_eq!(blessed.score, Some(Score::Centipawns(0)));
    engine.set_option("Syzygy50MoveRule", Some("false")).unwrap();
    let lost = last_line(&mut engine, &start, Limits::depth(5));
    assert!(matches!(lost.score, Some(Score::Centipawns(-20_000) | Score::Mate(_))), "{lost:?}");
}

/// The score of a position in the search is that of the tables, a capture away.
#[test]
fn capture_into_the_tables_is_seen() {
    let start = game("4k3/5p2/8/2r3r1/8/8/8/3QK3 w - - 0 1");
    let mut engine = engine(Tablebases::with_prober(QueenWinsIn(20)));
    let line = last_line(&mut engine, &start, Limits::depth(6));
    assert!(line.tbhits.unwrap() > 0, "{line:?}");
    engine.set_option("SyzygyProbeLimit", Some("4")).unwrap();
    engine.clear_hash().unwrap();
    let without = last_line(&mut engine, &start, Limits::depth(2));
    assert_eq!(without.tbhits, Some(0));
}

#[test]
fn probe_limit_zero_turns_tables_off() {
    let start = game("4k3/8/8/2r3r1/8/8/8/3QK3 w - - 0 1");
    let mut engine = engine(Tablebases::with_prober(QueenWinsIn(20)));
    engine.set_option("SyzygyProbeLimit", Some("0")).unwrap();
    assert_eq!(last_line(&mut engine, &start, Limits::depth(4)).tbhits, Some(0));
}

#[test]
fn limited_strength_uses_no_tables() {
    let start = game("4k3/8/8/2r3r1/8/8/8/3QK3 w - - 0 1");
    let mut engine = engine(Tablebases::with_prober(QueenWinsIn(20)));
    engine.set_option("UCI_LimitStrength", Some("true")).unwrap();
    assert_eq!(last_line(&mut engine, &start, Limits::nodes(300)).tbhits, Some(0));
}

#[test]
fn search_moves_are_respected_with_tables() {
    let Some(mut engine) = engine_with_files() else { return };
    let start = game("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    // It loses the queen, but it is the only move that may be searched.
    let wanted = start.position().parse_uci("b1e4").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(3) };
    let line = last_line(&mut engine, &start, limits);
    assert_eq!((line.pv[0], line.score), (wanted, Some(Score::Centipawns(0))));
}

/// Results, and lines that end with mate.
#[test]
fn endgames_are_scored_by_tables() {
    let Some(mut engine) = engine_with_files() else { return };
    for (fen, wins) in [
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", true),
        ("7k/8/8/8/8/8/8/KBN5 w - - 0 1", true),
        ("8/8/8/K7/8/8/2P4k/8 w - - 0 1", true),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 60 100", false),
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", true),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
        ("8/8/8/8/8/5k2/5p2/4BK2 w - - 0 1", false),
    ] {
        engine.new_game().unwrap();
        let game = game(fen);
        let line = last_line(&mut engine, &game, Limits::depth(4));
        let winner = Color::White;
        let sign = if game.position().turn() == winner { 1 } else { -1 };
        match line.score.unwrap() {
            Score::Centipawns(cp) => assert_eq!(cp, if wins { sign * 20_000 } else { 0 }, "{fen}"),
            Score::Mate(moves) => assert!(wins && moves.signum() == sign, "{fen}"),
        }
        assert!(line.tbhits.unwrap() > 0, "{fen}");
        if wins {
            let mut played = game.clone();
            line.pv.iter().for_each(|&mv| played.play(mv));
            assert_eq!(
                played.outcome().and_then(chess::Outcome::winner),
                Some(winner),
                "{fen}: {:?}",
                line.pv
            );
        }
    }
}

/// It mates with bishop and knight at a depth that sees nothing, before the fifty-move rule.
#[test]
fn bishop_and_knight_mate_with_tables() {
    let Some(mut engine) = engine_with_files() else { return };
    let mut game = game("7k/8/8/8/8/8/8/KBN5 w - - 0 1");
    while game.outcome().is_none() {
        let best = engine.search(&game, Limits::depth(2), &AtomicBool::new(false), |_| {}).unwrap();
        game.play(best.best.unwrap());
    }
    assert_eq!(game.outcome().and_then(chess::Outcome::winner), Some(Color::White));
}

/// Every line of `MultiPV` is in the tables' order.
#[test]
fn multi_pv_follows_the_ranks_of_tables() {
    let Some(mut engine) = engine_with_files() else { return };
    engine.set_option("MultiPV", Some("256")).unwrap();
    let game = game("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let mut lines = Vec::new();
    let stop = AtomicBool::new(false);
    engine
        .search(&game, Limits::depth(4), &stop, |info| {
            if let (Some(number), Some(score)) = (info.multipv, info.score) {
                lines.truncate(number as usize - 1);
                lines.push((score, info.pv[0]));
            }
        })
        .unwrap();
    assert_eq!(lines.len(), game.position().legal_moves().len());
    let value = |score: Score| match score {
        Score::Centipawns(cp) => cp,
        Score::Mate(moves) => 30_000 * moves.signum() - moves,
    };
    assert!(lines.windows(2).all(|pair| value(pair[0].0) >= value(pair[1].0)), "{lines:?}");
    // The queen can be lost and the king stalemated.
    assert_eq!(lines.last().map(|line| line.0), Some(Score::Centipawns(0)));
}

/// A damaged table costs one message.
#[test]
fn damaged_table_is_reported_once() {
    struct Broken;
    impl Prober for Broken {
        fn pieces(&self) -> u32 {
            5
        }
        fn wdl(&self, _: &Position) -> Result<TableWdl, ProbeError> {
            Err(ProbeError::Damaged("wdl table KQvK: corrupted table".to_owned()))
        }
        fn dtz(&self, _: &Position) -> Result<Dtz, ProbeError> {
            Err(ProbeError::Missing)
        }
    }
    let mut engine = engine(Tablebases::with_prober(Broken));
    let mut messages = Vec::new();
    for _ in 0..2 {
        let start = game("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
        let best = engine
            .search(&start, Limits::depth(3), &AtomicBool::new(false), |info| {
                messages.extend(info.text.clone());
            })
            .unwrap();
        assert!(best.best.is_some());
    }
    assert_eq!(messages, ["SyzygyPath: wdl table KQvK: corrupted table; tablebases are off"]);
}

#[test]
fn threads_agree_on_results_of_tables() {
    let Some(mut engine) = engine_with_files() else { return };
    engine.set_option("Threads", Some("3")).unwrap();
    for fen in ["8/8/8/3k4/8/1p6/8/KQR5 w - - 0 1", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"] {
        let line = last_line(&mut engine, &game(fen), Limits::depth(8));
        assert!(matches!(line.score.unwrap(), Score::Mate(1..) | Score::Centipawns(19_000..)), "{line:?}");
    }
}
