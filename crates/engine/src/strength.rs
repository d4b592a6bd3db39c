//! Limited strength: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A weaker player differs in two ways. It searches fewer nodes, and it evaluates less accurately: noise is
//! added to the score of each candidate move before the best is chosen. The noise is drawn from the Gumbel
//! distribution, which makes the choice a softmax over the scores. Three rules keep the play human: only the
//! few best moves are candidates; none may lose more, by the level's own search, than its tolerance, so no
//! level gives away a queen; and obvious moves are played: recaptures, mates, the mate against a bare king.
//!
//! Most people evaluate by rules of thumb, and the lower levels use the classical evaluation. A master
//! evaluates better, not more positions: the upper levels use the network inside the program, and fewer
//! nodes.
//!
//! The same game with the same seed gives the same moves.

use crate::clock::Budget;
use crate::evaluation::{Evaluation, EvaluationKind, has_bare_king};
use crate::search::RootMove;
use crate::{Limits, Score};
use chess::{Game, Move};
use std::ops::RangeInclusive;
use std::time::Duration;
use support::random::Random;

/// Range of `UCI_Elo`.
pub const ELO: RangeInclusive<usize> = 800..=2610;

/// The settings of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rung {
    /// Its measured strength (docs/notes/2026-11-level-calibration.md).
    elo: f64,
    /// Its evaluation.
    evaluation: EvaluationKind,
    /// The binary logarithm of the soft node limit.
    nodes: f64,
    /// Number of candidate moves.
    lines: f64,
    /// Scale of the noise, in centipawns.
    noise: f64,
    /// Tolerance: the maximum loss of a move by its own search, in centipawns.
    tolerance: f64,
}

/// A level with the classical evaluation.
const fn classical(elo: f64, nodes: f64, lines: f64, noise: f64, tolerance: f64) -> Rung {
    Rung { elo, evaluation: EvaluationKind::Classical, nodes, lines, noise, tolerance }
}

/// A level with the network.
const fn network(elo: f64, nodes: f64, lines: f64, noise: f64, tolerance: f64) -> Rung {
    Rung { evaluation: EvaluationKind::Network, ..classical(elo, nodes, lines, noise, tolerance) }
}

/// The levels, weakest first. Between two levels of one evaluation everything is interpolated. Where the
/// evaluation changes there are two levels of the same strength.
const LADDER: [Rung; 13] = [
    classical(730.0, 6.0, 14.0, 200.0, 295.0),
    classical(840.0, 6.0, 10.0, 120.0, 290.0),
    classical(980.0, 6.0, 8.0, 80.0, 250.0),
    classical(1120.0, 8.16, 7.0, 55.0, 200.0),
    classical(1340.0, 9.6, 6.0, 38.0, 150.0),
    classical(1700.0, 11.04, 5.0, 25.0, 110.0),
    classical(1880.0, 12.48, 4.0, 16.0, 75.0),
    classical(1970.0, 14.4, 4.0, 9.0, 45.0),
    network(1970.0, 11.42, 2.0, 1.75, 8.75),
    network(1990.0, 11.92, 2.0, 1.5, 7.5),
    network(2140.0, 12.88, 2.0, 1.0, 5.0),
    network(2490.0, 16.21, 1.0, 0.5, 2.0),
    network(2610.0, 17.085, 1.0, 0.28, 1.125),
];

/// Scale of the noise where the best move recaptures.
const RECAPTURE: f64 = 0.3;

/// Nodes against a bare king: enough for every level to mate with king and rook.
const HUNTING_NODES: u64 = 8_000;

/// The settings for one move: limits of the search, and the choice among its results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Handicap {
    evaluation: EvaluationKind,
    nodes: u64,
    pub lines: usize,
    noise: f64,
    tolerance: f64,
    /// The last move of the other side.
    answered: Option<Move>,
    seed: u64,
}

impl Handicap {
    /// The settings of this strength for the current position of a game, with this seed.
    pub fn new(elo: u32, game: &Game, seed: u64) -> Handicap {
        let (position, answered) = (game.position(), game.moves().last().copied());
        let rung = interpolated(f64::from(elo));
        let seed = mix(seed ^ mix(position.key()));
        if has_bare_king(position) {
            let nodes = (rung.nodes.exp2() as u64).max(HUNTING_NODES);
            let evaluation = rung.evaluation;
            return Handicap { evaluation, nodes, lines: 1, noise: 0.0, tolerance: 0.0, answered, seed };
        }
        // Less noise without progress.
        let patience = (1.0 - f64::from(position.halfmove_clock()) / 60.0).max(0.1);
        Handicap {
            evaluation: rung.evaluation,
            nodes: rung.nodes.exp2() as u64,
            lines: rung.lines.round() as usize,
            noise: rung.noise * patience,
            tolerance: rung.tolerance * patience,
            answered,
            seed,
        }
    }

    /// The evaluation of this level, regardless of `EvalFile`. With another built-in network the levels have
    /// to be measured again.
    pub fn evaluation(&self) -> Evaluation {
        match self.evaluation {
            EvaluationKind::Classical => Evaluation::Classical,
            EvaluationKind::Network => Evaluation::default(),
        }
    }

    /// The limits of a search combined with those of this strength.
    pub fn limit(&self, limits: Limits) -> Limits {
        let soft = limits.soft_nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        let most = self.nodes.saturating_mul(4).max(self.lines as u64);
        let hard = limits.nodes.map_or(most, |nodes| nodes.min(most));
        Limits { soft_nodes: Some(soft), nodes: Some(hard), ..limits }
    }

    /// Moves the chosen move to the front. The moves must be sorted by score.
    pub fn choose(&self, moves: &mut [RootMove]) {
        let value = |root_move: &RootMove| {
            let score = if root_move.score == Score::NONE { root_move.previous } else { root_move.score };
            (score != Score::NONE).then_some(score)
        };
        let Some(best) = moves.first().and_then(value) else { return };
        if best.is_mate() {
            return;
        }
        let recaptures = self.answered.is_some_and(|answered| answered.to() == moves[0].mv.to());
        let care = if recaptures { RECAPTURE } else { 1.0 };
        let considered = moves.iter().take(self.lines).enumerate();
        let chosen = considered
            .filter_map(|(index, root_move)| {
                let score = value(root_move)?;
                let cost = f64::from(best - score);
                let noisy_score = care * self.noise * gumbel(self.seed, root_move.mv.bits()) - cost;
                (cost <= care * self.tolerance).then_some((index, noisy_score))
            })
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((index, _)) = chosen {
            moves[..=index].rotate_right(1);
        }
    }

    /// Thinking time of the level: little in the opening and for obvious moves, otherwise a part of the
    /// allotted time.
    pub fn pace(&self, budget: &Budget, moves: &[RootMove], ply: u32) -> Duration {
        const LONGEST: Duration = Duration::from_secs(15);
        let Some(share) = budget.soft() else { return Duration::ZERO };
        let obvious = match moves {
            [first, second, ..] => second.score == Score::NONE || first.score - second.score > 150,
            _ => true,
        };
        let opening = (f64::from(ply) / 16.0).clamp(0.1, 1.0);
        let fraction = if obvious { 0.15 } else { 0.3 + 0.7 * unit(self.seed) };
        share.mul_f64(opening * fraction).min(LONGEST)
    }
}

/// The level of this strength, interpolated between two levels.
fn interpolated(elo: f64) -> Rung {
    let above = LADDER.iter().position(|rung| rung.elo >= elo).unwrap_or(LADDER.len() - 1).max(1);
    let (low, high) = (LADDER[above - 1], LADDER[above]);
    let part = ((elo - low.elo) / (high.elo - low.elo)).clamp(0.0, 1.0);
    let between = |low: f64, high: f64| low + part * (high - low);
    Rung {
        elo,
        evaluation: high.evaluation,
        nodes: between(low.nodes, high.nodes),
        lines: between(low.lines, high.lines),
        noise: between(low.noise, high.noise),
        tolerance: between(low.tolerance, high.tolerance),
    }
}

/// The first output of `SplitMix64` for a seed.
fn mix(seed: u64) -> u64 {
    Random::new(seed).bits()
}

/// A number between 0 and 1, both excluded.
fn unit(bits: u64) -> f64 {
    ((mix(bits) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Gumbel noise of scale 1.
fn gumbel(seed: u64, mv: u16) -> f64 {
    -(-unit(seed ^ mix(u64::from(mv))).ln()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use chess::{Color, Outcome, Position};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn engine(elo: u32, seed: u64) -> Engine {
        limited(Engine::new(), elo, seed)
    }

    fn limited(mut engine: Engine, elo: u32, seed: u64) -> Engine {
        engine.set_hash(1).unwrap();
        engine.set_limit_strength(true).unwrap();
        engine.set_elo(elo).unwrap();
        engine.set_seed(seed);
        engine
    }

    fn play(engine: &mut Engine, game: &mut Game) {
        let stop = AtomicBool::new(false);
        let answer = engine.search(game, Limits::default(), &stop, |_| {}).unwrap();
        game.play(answer.best.expect("a legal move"));
    }

    #[test]
    fn levels_are_ascending() {
        for pair in LADDER.windows(2) {
            let [low, high] = [pair[0], pair[1]];
            if low.evaluation == high.evaluation {
                assert!(low.elo < high.elo && low.nodes <= high.nodes && low.lines >= high.lines);
                assert!(low.noise > high.noise && low.tolerance > high.tolerance);
            } else {
                assert!(
                    (low.elo - high.elo).abs() < 1.0 && low.nodes > high.nodes,
                    "where the evaluation changes, the strength does not"
                );
            }
        }
        assert!(LADDER[0].elo <= *ELO.start() as f64 && LADDER[LADDER.len() - 1].elo >= *ELO.end() as f64);
        // No level gives away a piece that it sees.
        assert!(LADDER[0].tolerance < 300.0);
    }

    #[test]
    fn weakest_level_mates_with_rook() {
        for fen in [
            "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
            "8/8/4k3/8/8/8/8/K6R b - - 0 1",
            "K7/8/2k5/8/8/8/7r/8 b - - 0 1",
        ] {
            let mut engine = engine(*ELO.start() as u32, 7);
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            while game.outcome().is_none() {
                play(&mut engine, &mut game);
            }
            assert!(matches!(game.outcome(), Some(Outcome::Checkmate { .. })), "{fen}: {:?}", game.outcome());
        }
    }

    #[test]
    fn lower_levels_are_classical() {
        let kind = |elo: u32| Handicap::new(elo, &Game::default(), 1).evaluation().kind();
        let joint =
            LADDER.iter().find(|rung| rung.evaluation == EvaluationKind::Network).expect("a master").elo
                as u32;
        for elo in [*ELO.start() as u32, joint] {
            assert_eq!(kind(elo), EvaluationKind::Classical, "{elo}");
        }
        for elo in [joint + 1, *ELO.end() as u32] {
            assert_eq!(kind(elo), EvaluationKind::default(), "{elo}");
        }
        // Interpolation is continuous between two levels of one evaluation.
        let (below, above) = (interpolated(f64::from(joint) + 1.0), interpolated(f64::from(joint) + 2.0));
        assert!(above.nodes - below.nodes < 0.1 && above.nodes > below.nodes);
    }

    #[test]
    fn seed_determines_game() {
        let moves = |seed| {
            let (mut engine, mut game) = (engine(1000, seed), Game::default());
            for _ in 0..16 {
                play(&mut engine, &mut game);
            }
            game.moves().to_vec()
        };
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn level_does_not_depend_on_eval_file() {
        let network = nnue::FloatNetwork::random(nnue::shape::Shape::new(64).unwrap(), 1).quantise();
        let evaluations =
            [Evaluation::Classical, Evaluation::Network(Arc::new(network)), Evaluation::default()];
        for elo in [1800, 2200] {
            let [classical, random, default] = evaluations.clone().map(|evaluation| {
                let (mut engine, mut game) =
                    (limited(Engine::with_evaluation(evaluation), elo, 3), Game::default());
                for _ in 0..8 {
                    play(&mut engine, &mut game);
                }
                game.moves().to_vec()
            });
            assert_eq!(classical, random, "{elo}");
            assert_eq!(classical, default, "{elo}");
        }
    }

    #[test]
    fn attacked_queen_is_saved() {
        // The queen can capture a defended pawn or retreat; the weakest level keeps it with every seed.
        let start =
            Position::from_fen("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 3").unwrap();
        for seed in 0..40 {
            let mut game = Game::new(start);
            play(&mut engine(*ELO.start() as u32, seed), &mut game);
            let queen_lost = game.position().legal_moves().into_iter().any(|mv| {
                game.position().captured(mv) == Some(chess::Role::Queen) && game.position().see(mv) > 300
            });
            assert!(!queen_lost, "seed {seed}: {:?}", game.moves());
        }
    }

    #[test]
    fn all_levels_recapture() {
        for seed in 0..30 {
            let mut game = Game::default();
            for mv in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6"] {
                let mv = game.position().parse_uci(mv).unwrap();
                game.play(mv);
            }
            play(&mut engine(*ELO.start() as u32, seed), &mut game);
            assert_eq!(game.moves().last().map(|mv| mv.to()), Some(chess::Square::C6), "seed {seed}");
        }
    }

    #[test]
    fn more_elo_wins() {
        // Six games with both colours: the stronger side must come out well ahead.
        let mut points = 0.0;
        for number in 0..6 {
            let strong = if number % 2 == 0 { Color::White } else { Color::Black };
            let mut players = [engine(1900, number), engine(900, number)];
            let mut game = Game::default();
            while game.outcome().is_none() && game.moves().len() < 160 {
                let weak = usize::from(game.position().turn() != strong);
                play(&mut players[weak], &mut game);
            }
            points += match game.outcome() {
                Some(Outcome::Checkmate { winner }) => f64::from(u8::from(winner == strong)),
                _ => 0.5,
            };
        }
        assert!(points >= 4.5, "{points} of 6");
    }

    #[test]
    fn thinking_time_needs_a_clock() {
        let handicap = Handicap::new(1200, &Game::default(), 3);
        let moves = RootMove::all(&Position::startpos(), &[]);
        let without = Budget::new(&Limits::default(), Duration::ZERO);
        assert_eq!(handicap.pace(&without, &moves, 20), Duration::ZERO);
        let clock =
            crate::Clock { remaining: Duration::from_mins(1), increment: Duration::ZERO, moves_to_go: None };
        let budget = Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, Duration::ZERO);
        let pace = handicap.pace(&budget, &moves, 20);
        assert!(pace > Duration::ZERO && pace <= budget.soft().unwrap(), "{pace:?}");
    }
}
