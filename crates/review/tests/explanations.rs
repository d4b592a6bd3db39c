//! Explanations of a hundred games against deeper searches: no stated line is refuted.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use arena::config::EngineConfig;
use arena::game::EngineLimits;
use chess::{Color, Game, Position};
use engine::{Limits, Searcher};
use review::explain::{LineRole, MoveExplanation, StatedLine};
use review::{Reviewer, chance_of, read};
use support::random::Random;
use support::sync::lock;
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

/// What was found.
#[derive(Default)]
struct Found {
    games: u64,
    explained: usize,
    certain: usize,
    lines: u64,
    faults: Vec<String>,
}

/// Reviews a game and searches the stated lines again.
fn examine(number: u64, searcher: &mut Searcher, reviewer: &mut Reviewer) -> Found {
    let mut found = Found { games: 1, ..Found::default() };
    let (subjects, broken) = read(&game(&mut Random::new(number), searcher));
    assert!(broken.is_empty(), "{broken:?}");
    let review = reviewer.review(&subjects[0], |_| None, |_| {}).expect("a review");
    for explanation in review.moves.iter().filter_map(|mv| mv.explanation.as_ref()) {
        found.explained += 1;
        found.certain += usize::from(explanation.certain);
        for (evidence, line) in stated(explanation) {
            found.lines += 1;
            let against = contradictions(searcher, line);
            if !against.is_empty() {
                found.faults.push(format!(
                    "game {number}: {} {:?} | {} | {evidence:?} {} {} | {}",
                    explanation.fen,
                    explanation.asked,
                    explanation.text(),
                    line.score,
                    line.moves.join(" "),
                    against.join("; ")
                ));
            }
        }
    }
    found
}

fn number_from(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
#[ignore = "long: reviews a hundred games and searches every stated line again"]
fn proof_no_stated_line_is_refuted() {
    let first = number_from("EXPLAINED_FROM", 1);
    let games = number_from("EXPLAINED_GAMES", 100);
    let next = AtomicU64::new(first);
    let total = Mutex::new(Found::default());
    let work = || {
        let mut searcher = Searcher::new(16).expect("memory");
        let limits = EngineLimits { nodes: Some(NODES), ..EngineLimits::default() };
        let stop = Arc::new(AtomicBool::new(false));
        let reviewer = Reviewer::new(&EngineConfig::in_process(), limits, false, stop);
        let mut reviewer = reviewer.expect("it starts").with_explanations();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= first + games {
                break;
            }
            let found = examine(number, &mut searcher, &mut reviewer);
            found.faults.iter().for_each(|fault| println!("{fault}"));
            let mut total = lock(&total);
            total.games += found.games;
            total.explained += found.explained;
            total.certain += found.certain;
            total.lines += found.lines;
            total.faults.extend(found.faults);
            println!(
                "{} games: {} explained, {} certain, {} lines, {} refuted",
                total.games,
                total.explained,
                total.certain,
                total.lines,
                total.faults.len()
            );
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    let total = lock(&total);
    assert_eq!(total.games, games);
    assert!(total.lines > games, "too few lines: {}", total.lines);
    assert!(total.faults.is_empty(), "{}", total.faults.join("\n"));
}
