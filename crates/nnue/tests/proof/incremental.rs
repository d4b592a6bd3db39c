//! Units that follow the moves equal units computed from nothing.

use std::sync::Arc;

use chess::{Position, Role};
use nnue::shape::{Head, KING_BUCKETS, Shape};
use nnue::{FloatNetwork, Network, NetworkEvaluator, SimdPath};

use crate::Effort;
use crate::games::{Random, random_move, start};

proof!(incremental_matches_slow_evaluation, incremental_matches_at_usual_widths);

/// What a walk met on its way.
#[derive(Default, Debug)]
struct Met {
    moves: usize,
    castles: usize,
    promotions: usize,
    en_passants: usize,
    king_moves: usize,
    nulls: usize,
}

/// Plays and takes back moves as a search does, evaluates now and then, and compares with the slow way.
fn walk(network: &Arc<Network>, path: SimdPath, moves: usize, seed: u64) -> Met {
    let mut random = Random::new(seed);
    let mut evaluator = NetworkEvaluator::with_path(Arc::clone(network), path);
    let mut met = Met::default();
    for game in 0.. {
        let first = start(game, &mut random);
        evaluator.reset(&first);
        // Every position of the line, and whether its last move was pushed to the evaluator.
        let mut line: Vec<(Position, bool)> = vec![(first, false)];
        for _ in 0..200 {
            if met.moves >= moves {
                return met;
            }
            let position = line.last().unwrap().0;
            if random.below(3) == 0 {
                let value = evaluator.evaluate(&position);
                assert_eq!(value, network.evaluate_slow(&position), "{position:?} with {path}, seed {seed}");
            }
            if random.below(12) == 0 && !position.in_check() {
                line.push((position.after_null(), false));
                met.nulls += 1;
                continue;
            }
            match random_move(&position, &mut random) {
                Some(mv) if random.below(8) > 0 => {
                    met.moves += 1;
                    met.castles += usize::from(mv.is_castle());
                    met.promotions += usize::from(mv.is_promotion());
                    met.en_passants += usize::from(mv.is_en_passant());
                    met.king_moves += usize::from(position.role_at(mv.from()) == Some(Role::King));
                    evaluator.push(&position, mv);
                    line.push((position.after(mv), true));
                }
                // Back by some moves, as a search does that has seen enough.
                _ => {
                    for _ in 0..random.below(6).min(line.len() - 1) {
                        if let Some((_, true)) = line.pop() {
                            evaluator.pop();
                        }
                    }
                }
            }
        }
    }
    met
}

fn incremental_matches_slow_evaluation(effort: Effort) {
    let single = KING_BUCKETS.map(|king_buckets| (64, king_buckets, Head::Single));
    for (hidden, king_buckets, head) in single.into_iter().chain([(128, 4, Head::Layered)]) {
        let shape = Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
        let shape = shape.with_head(head).unwrap();
        let network = Arc::new(FloatNetwork::random(shape, 11).quantise());
        for (number, path) in SimdPath::available().into_iter().enumerate() {
            let met = walk(&network, path, effort.pick(15_000, 1_000_000), number as u64);
            let rare = [met.castles, met.promotions, met.en_passants, met.king_moves, met.nulls];
            assert!(rare.iter().all(|&count| count > 20), "{met:?} leaves something out");
        }
    }
}

fn incremental_matches_at_usual_widths(effort: Effort) {
    let single = [192, 256, 512, 768, 1024].map(|hidden| (hidden, Head::Single));
    let layered = [256, 768, 1024].map(|hidden| (hidden, Head::Layered));
    for (hidden, head) in single.into_iter().chain(layered) {
        let shape = Shape::new(hidden).unwrap().with_head(head).unwrap();
        let network = FloatNetwork::random(shape, hidden as u64).quantise();
        let network = Arc::new(network);
        for path in SimdPath::available() {
            walk(&network, path, effort.pick(300, 20_000), hidden as u64);
        }
    }
}

#[test]
fn line_longer_than_any_search() {
    let network = Arc::new(FloatNetwork::random(Shape::new(64).unwrap(), 3).quantise());
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
    let mut random = Random::new(5);
    let mut position = Position::startpos();
    evaluator.reset(&position);
    let mut depth = 0;
    while depth < 400 {
        // Ends with the game.
        let Some(mv) = random_move(&position, &mut random) else { break };
        evaluator.push(&position, mv);
        position = position.after(mv);
        depth += 1;
        if depth % 50 == 0 {
            assert_eq!(evaluator.evaluate(&position), network.evaluate_slow(&position));
        }
    }
    assert!(depth > 200, "the game ended after {depth} moves");
}
