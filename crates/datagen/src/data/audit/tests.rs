//! The audit finds planted anomalies, and none in sound games.

use super::*;
use crate::data::source;
use crate::selfplay::{OpeningPlan, SelfPlayPlan, Shard, play};
use engine::Searcher;
use std::fs;
use std::sync::OnceLock;

/// An engine whose games do not depend on the built-in network.
fn classical() -> Searcher {
    Searcher::with_evaluation(1, engine::evaluation::Evaluation::Classical).unwrap()
}

/// Real games of a short search.
fn games() -> &'static [PackedGame] {
    static GAMES: OnceLock<Vec<PackedGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let plan = SelfPlayPlan {
            player: "test".to_owned(),
            seed: 3,
            shard: Shard::WHOLE,
            soft_nodes: 30,
            hard_nodes: 120,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 60, max_score: 500 },
            rules: SelfPlayPlan::RULES,
        };
        let mut searcher = classical();
        (0..400).map(|number| play(&plan, number, &mut searcher).game).collect()
    })
}

fn audit(games: &[PackedGame]) -> Audit {
    let mut audit = Audit::default();
    for game in games {
        audit.add(game);
    }
    audit
}

/// The games with every score changed.
fn rescored(change: impl Fn(&PackedGame, usize, i16) -> i16) -> Vec<PackedGame> {
    games()
        .iter()
        .map(|game| {
            let mut changed = game.clone();
            for (index, (_, score)) in changed.moves.iter_mut().enumerate() {
                *score = change(game, index, *score);
            }
            changed
        })
        .collect()
}

#[test]
fn true_win_curve_is_recovered() {
    let (even, scale) = (150.0, 60.0);
    let chance = |score: f64| 1.0 / (1.0 + ((even - score) / scale).exp());
    let mut random = Random::new(4);
    let sample = (0..40_000)
        .map(|_| {
            let score = 1000.0 * (random.unit() - 0.5);
            let draw = random.unit();
            let points = if draw < chance(score) {
                1.0
            } else if draw > 1.0 - chance(-score) {
                0.0
            } else {
                0.5
            };
            ScoredResult { score, points, turn: Color::White }
        })
        .collect();
    let audit = Audit { sample, ..Audit::default() };
    let fit = audit.winning_chances().unwrap();
    assert!((fit.shift() + even).abs() < 5.0 && (fit.scale() - scale).abs() < 4.0, "{fit:?}");
    assert!(audit.to_string().contains("winning      p(win) = 1 / (1 + exp((1"), "{audit}");
}

#[test]
fn games_in_order_raise_no_suspicion() {
    let audit = audit(games());
    assert_eq!(audit.findings(), [], "{audit}");
    assert_eq!(audit.games, 400);
    assert!((10..80).contains(&audit.chess960_games), "{}", audit.chess960_games);
    assert_eq!(audit.results.iter().sum::<u64>(), 400);
    assert_eq!(audit.positions, games().iter().map(|game| game.moves.len() as u64).sum::<u64>());
    assert!(audit.kept > audit.positions / 4 && audit.kept < audit.positions);
}

#[test]
fn planted_duplicates_are_found() {
    let doubled = [games(), &games()[..100]].concat();
    let findings = audit(&doubled).findings();
    let [Anomaly::DuplicateGames(share)] = findings[..] else { panic!("{findings:?}") };
    assert!((share - 0.2).abs() < 1e-9);
}

/// Half of Black's wins are recorded as draws.
#[test]
fn planted_colour_bias_is_found() {
    let mut biased = games().to_vec();
    let black_wins = biased.iter_mut().filter(|game| game.result == PackedResult::BlackWins);
    for game in black_wins.step_by(2) {
        game.result = PackedResult::Draw;
    }
    let findings = audit(&biased).findings();
    let shift =
        findings.iter().any(|finding| matches!(finding, Anomaly::ShiftedScores(shift) if *shift > 15.0));
    assert!(shift, "{findings:?}");
}

#[test]
fn colour_bias_is_found() {
    let mut biased = games().to_vec();
    biased.retain(|game| game.result != PackedResult::BlackWins);
    let findings = audit(&biased).findings();
    assert!(findings.iter().any(|finding| matches!(finding, Anomaly::UnequalResults(_))), "{findings:?}");
}

/// With so few games only a large shift is significant.
#[test]
fn labels_shifted_by_a_constant_are_found() {
    let findings = audit(&rescored(|_, _, score| score.saturating_sub(400))).findings();
    let shift =
        findings.iter().any(|finding| matches!(finding, Anomaly::ShiftedScores(shift) if *shift > 200.0));
    assert!(shift, "{findings:?}");
}

#[test]
fn labels_shifted_by_a_move_are_found() {
    let earlier = rescored(|game, index, _| game.moves[index.saturating_sub(1)].1);
    let later = rescored(|game, index, _| game.moves[(index + 1).min(game.moves.len() - 1)].1);
    for shifted in [earlier, later] {
        let findings = audit(&shifted).findings();
        let displaced = findings.iter().any(|finding| matches!(finding, Anomaly::DisplacedScores(_)));
        assert!(displaced, "{findings:?}");
    }
}

#[test]
fn labels_from_the_movers_view_are_found() {
    let wrong = rescored(|game, index, score| {
        let white_moves = (game.start.turn() == Color::White) == (index % 2 == 0);
        if white_moves { score } else { -score }
    });
    let findings = audit(&wrong).findings();
    assert!(findings.contains(&Anomaly::UnrelatedScores(Color::Black)), "{findings:?}");
}

#[test]
fn broken_games_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vd");
    let mut bytes = Vec::new();
    for game in &games()[..20] {
        game.pack_into(&mut bytes);
    }
    let (first, second) = (games()[0].packed_len(), games()[1].packed_len());
    // An illegal move in the second game, and the last game cut short.
    bytes[first + 40] ^= 0x3f;
    bytes[first + 41] ^= 0x0f;
    bytes.truncate(bytes.len() - 10);
    fs::write(&path, &bytes).unwrap();
    let mut audit = Audit::default();
    let reading = source::read(std::slice::from_ref(&path), |game, _| {
        audit.add(&game);
        Ok(())
    });
    audit.add_reading(reading.unwrap());
    assert_eq!(audit.games, 18);
    assert_eq!(audit.damage[0].1.offset, first as u64);
    assert_eq!(audit.damage[0].1.bytes, second as u64);
    let findings = audit.findings();
    assert!(matches!(findings[0], Anomaly::Broken { places: 2, .. }), "{findings:?}");
}

#[test]
fn results_contradicting_the_board_are_found() {
    let start = chess::Position::from_fen("7k/6pp/8/8/8/8/8/K6R w - - 0 40").unwrap();
    // Rook to the eighth rank is not mate here, but back-rank mate is below.
    let mate = chess::Position::from_fen("7k/6pp/8/8/8/8/8/K3R3 w - - 0 40").unwrap();
    let game = |start: chess::Position, mv: &str, result| PackedGame {
        start,
        result,
        moves: vec![(start.parse_uci(mv).unwrap(), 500)],
    };
    let audit = audit(&[
        game(start, "h1g1", PackedResult::Draw),
        game(mate, "e1e8", PackedResult::WhiteWins),
        game(mate, "e1e8", PackedResult::Draw),
    ]);
    assert_eq!(audit.wrong_results, 1);
    assert!(audit.findings().contains(&Anomaly::WrongResults { games: 1, first: "game 3".to_owned() }));
    let files = vec![("one.vd".into(), 2), ("two.vd".into(), 1)];
    let mut audit = audit;
    audit.add_reading(ReadSummary { files, ..ReadSummary::default() });
    let listed = audit.findings()[0].to_string();
    assert_eq!(listed, "the final position of game 1 of two.vd contradicts its result");
}

#[test]
fn empty_data_is_reported() {
    assert_eq!(Audit::default().findings(), [Anomaly::Nothing]);
    assert!(Audit::default().to_string().contains("no games"));
}

#[test]
fn picture_is_complete() {
    let audit = audit(games());
    let picture = svg(&audit);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    // 128 king squares and every bar.
    assert!(picture.matches("<rect ").count() > 128 + 31 + LENGTH_CLASSES + 2 * SCORE_CLASSES);
    assert!(picture.contains("<polyline "));
    let page = html(&audit);
    assert!(page.contains("<polyline ") && page.contains("calibration"));
    let outside = |text: &str| text.contains("href=") || text.contains("src=") || text.contains("@import");
    assert!(!outside(&page));
}
