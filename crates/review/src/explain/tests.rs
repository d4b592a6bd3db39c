use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::config::EngineConfig;
use arena::game::EngineLimits;

use super::*;
use crate::motif::Motif;
use crate::{PositionAnalysis, read};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
const FORK: &str = "r2nk3/3ppp2/8/1N6/8/8/5PPP/4K3 w - - 0 1";

fn reviewer(options: &[(&str, &str)], chess960: bool) -> Reviewer {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let engine = EngineConfig { options, ..EngineConfig::in_process() };
    let limits = EngineLimits { nodes: Some(10_000), ..EngineLimits::default() };
    Reviewer::new(&engine, limits, chess960, Arc::new(AtomicBool::new(false))).expect("it starts")
}

fn explain(fen: &str, asked: Option<&str>) -> MoveExplanation {
    let position = Position::from_fen(fen).expect("a position");
    let asked = asked.map(|text| position.parse_san(text).expect("a legal move"));
    let mut reviewer = reviewer(&[("Evaluation", "classical")], !position.has_standard_castling());
    reviewer.explain(&Game::new(position), asked).expect("a search").expect("a move")
}

/// The text of the sentence that belongs to a line.
fn reason(explanation: &MoveExplanation, evidence: LineRole) -> &str {
    let mut reasons = explanation.sentences.iter().filter(|sentence| sentence.is_reason);
    reasons.find(|sentence| sentence.evidence == evidence).map_or("", |sentence| sentence.text.as_str())
}

#[test]
fn best_moves_are_explained() {
    let mate = explain(BACK_RANK, None);
    assert_eq!(reason(&mate, LineRole::Best), "White mates by a back-rank mate (1. Ra8#).");
    assert_eq!((mate.best.mate, mate.best.gain.clone(), mate.certain), (Some(1), None, true));
    let fork = explain(FORK, None);
    assert_eq!(
        reason(&fork, LineRole::Best),
        "White wins a rook by a fork by the knight on c7 of the king on e8 and the rook on a8 (1. Nc7+ Kf8 2. Nxa8)."
    );
    assert_eq!(fork.best.motifs[0].motif, Motif::Fork);
    assert_eq!(fork.best.uci, ["b5c7", "e8f8", "c7a8"]);
}

#[test]
fn mistakes_are_explained() {
    let allowed = explain(SCHOLAR, Some("a6"));
    assert_eq!(reason(&allowed, LineRole::Reply), "After 3... a6 White mates (4. Qxf7#).");
    assert_eq!(
        reason(&allowed, LineRole::Threat),
        "If Black passed, White mates (4. Qxf7#). The move does not stop it."
    );
    assert_eq!((allowed.judgement, allowed.asked.as_deref()), (Judgement::Blunder, Some("a6")));
    let missed = explain(BACK_RANK, Some("Kf1"));
    assert_eq!(
        reason(&missed, LineRole::Best),
        "It misses 1. Ra8#: White mates by a back-rank mate (1. Ra8#)."
    );
    let missed = explain(FORK, Some("Nc3"));
    assert!(reason(&missed, LineRole::Best).starts_with("It misses 1. Nc7+: White wins a rook by a fork"));
    assert!(missed.comment().contains("It misses 1. Nc7+"), "{}", missed.comment());
}

#[test]
fn threats_are_met() {
    // In check nobody can pass.
    let explanation = explain("4k3/8/8/8/8/8/3q4/R3K2R w - - 0 1", None);
    assert_eq!((explanation.threat, explanation.best.moves[0].as_str()), (None, "Kxd2"));
    let explanation = explain(SCHOLAR, None);
    let threat = reason(&explanation, LineRole::Threat);
    assert!(threat.starts_with("If Black passed, White mates (4. Qxf7#). 3... "), "{threat}");
    assert!(threat.ends_with(" meets it."), "{threat}");
}

#[test]
fn doubt_is_stated() {
    let explanation = explain("4k3/pppp1ppp/8/8/8/8/PPPP1PPP/4K3 w - - 0 1", None);
    assert!(!explanation.certain);
    assert!(explanation.text().contains("Nothing is certain"), "{}", explanation.text());
    assert!(explanation.sentences.iter().all(|sentence| !sentence.is_reason));
}

/// Every sentence has a line, and every line can be replayed.
#[test]
fn sentences_have_lines() {
    for (fen, asked) in [
        (BACK_RANK, Some("Kf1")),
        (SCHOLAR, Some("a6")),
        (FORK, None),
        ("r1bq1rk1/ppp1npp1/1b2p2p/3pPn1Q/3P2PP/2P5/PP1B1P2/RN2KBNR b KQ - 0 11", Some("Nc6")),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", Some("O-O")),
    ] {
        let explanation = explain(fen, asked);
        assert!(!explanation.sentences.is_empty());
        for sentence in &explanation.sentences {
            let line = explanation.evidence(sentence).expect("a line");
            let mut position = Position::from_fen(&line.fen).expect("a position");
            assert!(!line.moves.is_empty() && line.moves.len() == line.uci.len(), "{}", sentence.text);
            for (san, uci) in line.moves.iter().zip(&line.uci) {
                let mv = position.parse_san(san).expect("legal");
                assert_eq!(position.parse_uci(uci), Ok(mv));
                position = position.after(mv);
            }
        }
        let json = serde_json::to_string(&explanation).expect("JSON");
        assert_eq!(serde_json::from_str::<MoveExplanation>(&json).expect("its own format"), explanation);
    }
}

#[test]
fn finished_game_has_no_explanation() {
    let position = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("a position");
    assert_eq!(reviewer(&[], false).explain(&Game::new(position), None), Ok(None));
    let stalemate = explain("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", Some("Qg6"));
    assert_eq!(stalemate.judgement, Judgement::Blunder);
    assert!(stalemate.text().starts_with("1. Qg6 ends the game in a draw"), "{}", stalemate.text());
    assert!(stalemate.text().contains("It misses"), "{}", stalemate.text());
}

#[test]
fn review_explains_mistakes_once() {
    let (games, _) = read("1. e4 e5 2. Bc4 Nc6 3. Qf3 a6 4. Qxf7# 1-0");
    let mut searched = 0;
    let mut known: Vec<PositionAnalysis> = Vec::new();
    let mut reviewer = reviewer(&[], false).with_explanations();
    let review = reviewer.review(
        &games[0],
        |_| None,
        |progress| {
            searched += usize::from(!progress.remembered);
            known.push(progress.analysis.clone());
        },
    );
    let review = review.expect("a review");
    let explained: Vec<&str> =
        review.moves.iter().filter(|mv| mv.explanation.is_some()).map(|mv| mv.san.as_str()).collect();
    assert!(explained.contains(&"a6") && !explained.contains(&"Qxf7#"), "{explained:?}");
    assert!(
        review.comment(6).is_some_and(|comment| comment.contains("After 3... a6 White mates (4. Qxf7#)."))
    );
    assert!(explained.len() < searched / 2, "mistakes only: {explained:?}");
    // What is known from a journal is not explained again.
    let again = reviewer.review(&games[0], |ply| known.get(ply).cloned(), |_| {}).expect("a review");
    assert_eq!(again, review);
}
