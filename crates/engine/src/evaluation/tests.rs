//! Properties of the evaluation: colour symmetry, orientation, independence of the pawn hash table, and exact
//! records.

use chess::Position;

use super::{EvaluationRecord, Evaluator, FEATURES, LIMIT, RelativeSide, Tapered, Term, WEIGHTS, explain};

/// A small seeded generator (xorshift), so that every run tests the same positions.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

/// Positions from random games: hanging queens, promotions, bare kings.
fn random_positions(games: usize) -> Vec<Position> {
    let mut dice = Dice(0x5EED_CAFE);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..250 {
            if position.outcome().is_some() {
                break;
            }
            let moves = position.legal_moves();
            position = position.after(moves[dice.roll(moves.len())]);
            positions.push(position);
        }
    }
    positions
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn value(fen: &str) -> i32 {
    Evaluator::new().evaluate(&position(fen))
}

#[test]
fn mirrored_positions_have_equal_values() {
    let mut evaluator = Evaluator::new();
    let positions = random_positions(40);
    assert!(positions.len() >= 1_000);
    for position in positions {
        let mirrored = position.color_mirrored();
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&mirrored), "{position:?}");
    }
}

/// Mirroring exchanges the colours and the side to move; this keeps the side to move.
#[test]
fn value_is_antisymmetric_but_for_tempo() {
    let after = value("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    let before = value("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let tempo = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(tempo > 0);
    assert!((after + before - 2 * tempo).abs() <= 1);
}

#[test]
fn extra_knight_favours_its_side() {
    for (board, sign) in [
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 1),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R", -1),
    ] {
        let for_white = value(&format!("{board} w KQkq - 0 1")) * sign;
        let for_black = -value(&format!("{board} b KQkq - 0 1")) * sign;
        assert!(for_white > 200 && for_black > 200, "{board}: {for_white} {for_black}");
    }
}

#[test]
fn advanced_pawn_is_worth_more() {
    let far = value("8/4P3/8/8/k7/8/8/4K3 w - - 0 1");
    let home = value("8/8/8/8/k7/8/4P3/4K3 w - - 0 1");
    assert!(far > home, "{far} {home}");
    // The same for Black, whose seventh rank is the second.
    assert!(value("4k3/8/8/K7/8/8/4p3/8 b - - 0 1") > value("4k3/4p3/8/K7/8/8/8/8 b - - 0 1"));
}

/// The side to move's value of one table, as (middlegame, endgame).
fn table_share(fen: &str, table: Term) -> (i32, i32) {
    let record = EvaluationRecord::new(&position(fen));
    let entries = record.entries.iter().filter(|entry| entry.side == RelativeSide::Us);
    let share = entries
        .filter(|entry| table.range().contains(&entry.feature.index()))
        .fold(Tapered::ZERO, |sum, entry| sum + WEIGHTS[entry.feature.index()] * entry.count);
    (share.middlegame(), share.endgame())
}

/// The tables alone, since other terms could hide one that is upside down.
#[test]
fn piece_square_tables_are_oriented() {
    for (table, good, bad) in [
        (Term::PawnSquare, "8/4P3/8/8/k7/8/8/6K1 w - - 0 1", "8/8/8/8/k7/8/4P3/6K1 w - - 0 1"),
        (Term::KnightSquare, "6k1/8/8/8/8/2N5/8/6K1 w - - 0 1", "6k1/8/8/8/N7/8/8/6K1 w - - 0 1"),
        (Term::KingSquare, "k7/8/8/8/8/8/8/6K1 w - - 0 1", "k7/8/8/4K3/8/8/8/8 w - - 0 1"),
        (Term::KingSquare, "k7/8/8/8/8/8/8/6K1 w - - 0 1", "k7/8/6K1/8/8/8/8/8 w - - 0 1"),
    ] {
        let middlegame = |fen: &str| table_share(fen, table).0;
        assert!(middlegame(good) > middlegame(bad), "{table:?}: {good}, {bad}");
        let mirrored = |fen: &str| position(fen).color_mirrored().to_fen();
        assert_eq!(table_share(good, table), table_share(&mirrored(good), table), "{good}");
        assert_eq!(table_share(bad, table), table_share(&mirrored(bad), table), "{bad}");
    }
    let pawn = |fen| table_share(fen, Term::PawnSquare).1;
    assert!(pawn("8/4P3/8/8/k7/8/8/6K1 w - - 0 1") > pawn("8/8/8/8/k7/8/4P3/6K1 w - - 0 1"));
}

#[test]
fn developed_knight_scores_more() {
    let rest = "rnbqkb1r/pppppppp/5n2/8/";
    let developed = value(&format!("{rest}8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1"));
    let rim = value(&format!("{rest}N7/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"));
    assert!(developed > rim, "{developed} {rim}");
}

#[test]
fn castled_king_scores_more() {
    let castled = value("rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w - - 0 1");
    let walking = value("rnbq1rk1/pppp1ppp/5n2/2b1K3/2B1P3/5N2/PPPP1PPP/RNBQ1R2 w - - 0 1");
    assert!(castled > walking + 50, "{castled} {walking}");
    // In an endgame the king belongs in the centre.
    assert!(value("6k1/5ppp/8/4K3/8/8/5PPP/8 w - - 0 1") > value("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1"));
}

#[test]
fn pawn_table_changes_no_value() {
    let mut remembering = Evaluator::new();
    for position in random_positions(40) {
        let fresh = EvaluationRecord::new(&position).value(&WEIGHTS);
        assert_eq!(remembering.evaluate(&position), fresh, "{position:?}");
        // Again, now that the pawns are in the hash table.
        assert_eq!(remembering.evaluate(&position), fresh, "{position:?}");
    }
}

/// The tuner relies on records, so a record must give the exact evaluation in integers.
#[test]
fn record_rebuilds_value() {
    let mut evaluator = Evaluator::new();
    let positions = random_positions(60);
    assert!(positions.len() >= 5_000);
    for position in positions {
        assert_eq!(
            EvaluationRecord::new(&position).value(&WEIGHTS),
            evaluator.evaluate(&position),
            "{position:?}"
        );
    }
}

#[test]
fn other_weights_give_another_value() {
    let position = position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 0 1");
    let record = EvaluationRecord::new(&position);
    assert_eq!(record.value(&[Tapered::ZERO; FEATURES]), 0);
    let mut weights = WEIGHTS;
    weights[Term::Tempo.at(0).index()] += Tapered::new(10, 10);
    assert_eq!(record.value(&weights), record.value(&WEIGHTS) + 10);
}

#[test]
fn no_value_reaches_the_limit() {
    let value = value("QQQQQQQQ/Q7/RRBBNN2/8/8/8/7k/K7 b - - 0 1");
    assert!(value < -9_000 && value > -LIMIT, "{value}");
}

#[test]
fn table_shows_both_points_of_view() {
    for position in random_positions(5) {
        let table = explain(&position);
        assert_eq!(table.value(), Evaluator::new().evaluate(&position));
        assert_eq!(table.white_value(), -explain(&position.color_mirrored()).white_value());
    }
    let table = explain(&Position::startpos()).to_string();
    assert!(table.contains("Material") && table.contains("for White"), "{table}");
}

#[test]
fn drawn_material_scores_little() {
    assert!(value("8/8/4k3/8/8/3BK3/8/8 w - - 0 1").abs() < 60);
    assert!(value("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1").abs() < 90);
    assert!(value("8/8/4k3/4b3/8/2R1K3/8/8 w - - 0 1").abs() < 120);
    assert!(value("8/8/4k3/8/8/2RK4/8/8 w - - 0 1") > 350);
    assert!(value("8/8/4k3/8/8/2BNK3/8/8 w - - 0 1") > 350);
}
