//! Ranks and lines with made-up tables: the fifty-move rule needs endgames of five pieces, whose tables are large.

use super::*;
use chess::{Game, Move};

/// Tables for three pieces that know some positions by their FEN without counters, and call all others drawn.
struct MadeUp(Vec<(&'static str, i32)>);

impl MadeUp {
    fn plies(&self, position: &Position) -> i32 {
        let fen = position.to_fen();
        let board = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        self.0.iter().find(|(known, _)| *known == board).map_or(0, |&(_, plies)| plies)
    }
}

impl Prober for MadeUp {
    fn pieces(&self) -> u32 {
        3
    }

    fn wdl(&self, position: &Position) -> Result<TableWdl, ProbeError> {
        Ok(Dtz { plies: self.plies(position), is_rounded: false }.wdl(0).expect("not rounded"))
    }

    fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        Ok(Dtz { plies: self.plies(position), is_rounded: true })
    }
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect("a position"))
}

/// The white king can go to a2, b1 or b2; the distances after it are those of black.
fn king_moves(after: [i32; 3]) -> Tablebases {
    let boards = ["8/8/8/4k3/8/8/K6R/8 b", "8/8/8/4k3/8/8/7R/1K6 b", "8/8/8/4k3/8/8/1K5R/8 b"];
    Tablebases::with_prober(MadeUp(boards.into_iter().zip(after).collect()))
}

fn ranks(tables: &Tablebases, clock: u32, rule: bool) -> Vec<(String, i32, TableWdl)> {
    let game = game(&format!("8/8/8/4k3/8/8/7R/K7 w - - {clock} 60"));
    let ranking = tables.rank_root_moves(&game, rule).expect("in the tables");
    assert!(ranking.by_distance);
    let is_king = |ranked: &&RankedMove| ranked.mv.from() == game.position().king(chess::Color::White);
    let entry = |ranked: &RankedMove| (ranked.mv.to().to_string(), ranked.rank, ranked.wdl);
    ranking.moves.iter().filter(is_king).map(entry).collect()
}

#[test]
fn certain_wins_have_the_same_rank() {
    let ranked = ranks(&king_moves([-10, -30, 0]), 0, true);
    assert_eq!(ranked[0].1, ranked[1].1);
    assert_eq!((ranked[0].2, ranked[1].2), (TableWdl::Win, TableWdl::Win));
    assert_eq!((ranked[2].0.as_str(), ranked[2].2), ("b2", TableWdl::Draw));
}

#[test]
fn distance_decides_near_the_fifty_move_rule() {
    let ranked = ranks(&king_moves([-10, -30, 0]), 80, true);
    let expected = [("a2", TableWdl::Win), ("b1", TableWdl::CursedWin), ("b2", TableWdl::Draw)];
    for ((square, rank, wdl), (expected_square, expected_wdl)) in ranked.iter().zip(expected) {
        assert_eq!((square.as_str(), *wdl), (expected_square, expected_wdl), "rank {rank}");
    }
    assert!(ranked[0].1 > ranked[1].1 && ranked[1].1 > 0 && ranked[2].1 == 0);
    // Without the rule both win.
    let ranked = ranks(&king_moves([-10, -30, 0]), 80, false);
    assert_eq!((ranked[0].2, ranked[1].2), (TableWdl::Win, TableWdl::Win));
}

#[test]
fn cursed_win_is_better_than_a_draw_and_worse_than_a_win() {
    let ranked = ranks(&king_moves([-110, 0, -20]), 0, true);
    let results: Vec<TableWdl> = ranked.iter().map(|ranked| ranked.2).collect();
    assert_eq!(results, [TableWdl::Win, TableWdl::CursedWin, TableWdl::Draw]);
    assert!(ranked.windows(2).all(|pair| pair[0].1 > pair[1].1));
    assert_eq!(ranks(&king_moves([-110, 0, -20]), 0, false)[1].2, TableWdl::Win);
}

#[test]
fn blessed_loss_is_chosen_before_a_loss() {
    let ranked = ranks(&king_moves([110, 20, 30]), 0, true);
    let king = |square: &str| ranked.iter().find(|ranked| ranked.0 == square).expect("a move");
    assert_eq!(
        (king("a2").2, king("b1").2, king("b2").2),
        (TableWdl::BlessedLoss, TableWdl::Loss, TableWdl::Loss)
    );
    assert!(king("a2").1 > king("b1").1);
    // Far from the rule all losses are equal: the search chooses the most difficult one.
    assert_eq!(king("b1").1, king("b2").1);
    // Near it the longest resistance may reach it.
    let ranked = ranks(&king_moves([10, 12, 15]), 86, true);
    let king = |square: &str| ranked.iter().find(|ranked| ranked.0 == square).expect("a move");
    assert!(king("b2").1 > king("b1").1 && king("b1").1 > king("a2").1);
    assert_eq!((king("a2").2, king("b2").2), (TableWdl::Loss, TableWdl::BlessedLoss));
}

#[test]
fn third_repetition_is_a_draw() {
    let tables = king_moves([-10, -12, 0]);
    let mut game = game("8/8/8/4k3/8/8/7R/K7 w - - 0 1");
    for text in ["a1a2", "e5e4", "a2a1", "e4e5", "a1a2", "e5e4", "a2a1", "e4e5"] {
        let mv = game.position().parse_uci(text).expect("a move");
        game.play(mv);
    }
    let ranking = tables.rank_root_moves(&game, true).expect("in the tables");
    let of = |text: &str| {
        let mv: Move = game.position().parse_uci(text).expect("a move");
        *ranking.moves.iter().find(|ranked| ranked.mv == mv).expect("ranked")
    };
    assert_eq!((of("a1a2").wdl, of("a1b1").wdl), (TableWdl::Draw, TableWdl::Win));
    assert_eq!(ranking.moves[0].mv, of("a1b1").mv);
}

#[test]
fn rounding_hides_the_result_at_the_limit() {
    let dtz = |plies, is_rounded| Dtz { plies, is_rounded };
    assert_eq!(dtz(100, true).wdl(0), Some(TableWdl::Win));
    assert_eq!(dtz(50, true).wdl(50), None);
    assert_eq!(dtz(50, false).wdl(50), Some(TableWdl::Win));
    assert_eq!(dtz(50, true).wdl(51), Some(TableWdl::CursedWin));
    assert_eq!(dtz(-50, true).wdl(49), Some(TableWdl::Loss));
    assert_eq!(dtz(-50, false).wdl(51), Some(TableWdl::BlessedLoss));
    assert_eq!(dtz(0, false).wdl(99), Some(TableWdl::Draw));
}

#[test]
fn halfmove_clock_turns_a_win_into_a_draw() {
    let tables = Tablebases::with_prober(MadeUp(vec![("8/8/8/4k3/8/8/7R/K7 w", 30)]));
    let result = |clock: u32| {
        tables
            .probe_with_clock(&Position::from_fen(&format!("8/8/8/4k3/8/8/7R/K7 w - - {clock} 80")).unwrap())
    };
    assert_eq!((result(0), result(69)), (Some(TableWdl::Win), Some(TableWdl::Win)));
    assert_eq!((result(70), result(71)), (None, Some(TableWdl::CursedWin)));
}

#[test]
fn positions_with_castling_rights_or_many_pieces_are_not_looked_up() {
    let tables = Tablebases::with_prober(MadeUp(Vec::new()));
    for (fen, covered) in [
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false),
        ("4k3/7p/8/8/8/8/8/4K2R w - - 0 1", false),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(tables.probe_wdl(&position).is_some(), covered, "{fen}");
        assert_eq!(tables.rank_root_moves(&Game::new(position), true).is_some(), covered, "{fen}");
    }
}

/// Tables that fail.
struct Broken;

impl Prober for Broken {
    fn pieces(&self) -> u32 {
        7
    }

    fn wdl(&self, _: &Position) -> Result<TableWdl, ProbeError> {
        Err(ProbeError::Damaged("wdl table KRvK: broken".to_owned()))
    }

    fn dtz(&self, _: &Position) -> Result<Dtz, ProbeError> {
        panic!("the tables are off")
    }
}

#[test]
fn first_damaged_table_turns_the_tables_off() {
    let tables = Tablebases::with_prober(Broken);
    let position = Position::from_fen("8/8/8/4k3/8/8/7R/K7 w - - 0 1").unwrap();
    assert_eq!((tables.probe_wdl(&position), tables.probe_dtz(&position)), (None, None));
    assert_eq!(tables.failure(), Some("wdl table KRvK: broken"));
}

#[test]
fn folders_are_separated_by_semicolons_or_as_the_system_does() {
    assert_eq!(split_paths(""), Vec::<PathBuf>::new());
    assert_eq!(split_paths("/a b;/c"), [PathBuf::from("/a b"), PathBuf::from("/c")]);
    let joined = std::env::join_paths(["/a", "/c"]).unwrap();
    assert_eq!(split_paths(joined.to_str().unwrap()), [PathBuf::from("/a"), PathBuf::from("/c")]);
}
