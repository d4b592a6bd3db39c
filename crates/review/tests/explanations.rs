//! Explanations of a hundred games against deeper searches: no stated line is refuted.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use chess::{Color, Game, Position};
use engine::{Limits, Searcher};
use review::explain::{LineRole, MoveExplanation, StatedLine};
use review::{Reviewer, chance, read};
use support::random::Random;
use uci::Score;

/// Nodes of a search of the review, and of one that checks it.
const NODES: u64 = 10_000;
const DEEPER: u64 = 80_000;
/// A contradiction costs this much of the winning chances, in percent.
const MARGIN: f64 = 10.0;

/// A game of a weak player: few nodes, and every tenth move is random.
fn game(random: &mut Random, searcher: &mut Searcher) -> String {
    let mut game = Game::default();
    let mut text = String::from("[Event \"Self-play\"]\n\n");
    searcher.new_game();
    while game.outcome().is_none() && game.moves().len() < 120 {
        let moves = game.position().legal_moves();
        let is_random = game.moves().len() < 6 || random.below(10) == 0;
        let found = if is_random { None } else { searcher.search_silent(&game, Limits::nodes(200)).best };
        let mv = found.unwrap_or_else(|| moves[random.below(moves.len())]);
        let _ = write!(text, "{} ", game.position().san(mv));
        game.play(mv);
    }
    text + "*\n\n"
}

/// White's score of a position that a game has reached.
fn score(searcher: &mut Searcher, game: &Game) -> Score {
    let Some(end) = game.outcome() else {
        let found = searcher.search_silent(game, Limits::nodes(DEEPER)).score.to_uci();
        return if game.position().turn() == Color::White { found } else { -found };
    };
    match end.winner() {
        Some(Color::White) => Score::Mate(1),
        Some(Color::Black) => Score::Mate(-1),
        None => Score::Centipawns(0),
    }
}

fn chance_of(side: Color, score: Score) -> f64 {
    chance(if side == Color::White { score } else { -score })
}

/// What deeper searches say against a line.
fn contradictions(searcher: &mut Searcher, line: &StatedLine) -> Vec<String> {
    let mut game = Game::new(Position::from_fen(&line.fen).expect("its own position"));
    let side = game.position().turn();
    let mut found = Vec::new();
    searcher.new_game();
    let mut before = score(searcher, &game);
    if chance_of(side, line.score) - chance_of(side, before) >= MARGIN {
        found.push(format!("score {} at the start, stated {}", before, line.score));
    }
    if line.mate.is_some() && !matches!(before, Score::Mate(moves) if (moves > 0) == (side == Color::White)) {
        found.push(format!("no mate, {before}"));
    }
    for text in &line.moves {
        let mover = game.position().turn();
        let mv = game.position().parse_san(text).expect("a legal move");
        game.play(mv);
        let after = score(searcher, &game);
        if chance_of(mover, before) - chance_of(mover, after) >= MARGIN {
            found.push(format!("{text} changes {before} to {after}"));
        }
        before = after;
    }
    found
}

/// The lines of its sentences that state a reason.
fn stated(explanation: &MoveExplanation) -> Vec<(LineRole, &StatedLine)> {
    let mut lines: Vec<(LineRole, &StatedLine)> = Vec::new();
    for sentence in explanation.sentences.iter().filter(|sentence| sentence.is_reason) {
        if let Some(line) = explanation.evidence(sentence)
            && lines.iter().all(|(evidence, _)| *evidence != sentence.evidence)
        {
            lines.push((sentence.evidence, line));
        }
    }
    lines
}

#[test]
#[ignore = "long: reviews a hundred games and searches every stated line again"]
fn proof_no_stated_line_is_refuted() {
    let games = std::env::var("EXPLAINED_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut random = Random::new(11);
    let mut searcher = Searcher::new(16).expect("memory");
    let limits = EngineLimits { nodes: Some(NODES), ..EngineLimits::default() };
    let engine = EngineConfig::in_process();
    let reviewer = Reviewer::new(&engine, limits, false, Arc::new(AtomicBool::new(false)));
    let mut reviewer = reviewer.expect("it starts").with_explanations();
    let (mut explained, mut certain, mut lines, mut refuted, mut faults) = (0, 0, 0, 0, Vec::new());
    for number in 1..=games {
        let (subjects, broken) = read(&game(&mut random, &mut searcher));
        assert!(broken.is_empty(), "{broken:?}");
        let review = reviewer.review(&subjects[0], |_| None, |_| {}).expect("a review");
        for explanation in review.moves.iter().filter_map(|mv| mv.explanation.as_ref()) {
            explained += 1;
            certain += usize::from(explanation.certain);
            for (evidence, line) in stated(explanation) {
                lines += 1;
                let against = contradictions(&mut searcher, line);
                if !against.is_empty() {
                    refuted += 1;
                    faults.push(format!(
                        "game {number}: {} {:?} | {} | {evidence:?} {} {} | {}",
                        explanation.fen,
                        explanation.asked,
                        explanation.text(),
                        line.score,
                        line.moves.join(" "),
                        against.join("; ")
                    ));
                    println!("{}", faults[faults.len() - 1]);
                }
            }
        }
        println!(
            "{number} games: {explained} explained, {certain} certain, {lines} lines, {refuted} refuted"
        );
    }
    assert!(lines > games, "too few lines: {lines}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
