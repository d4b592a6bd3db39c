//! A short match against Vedette at node limits of known strength.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chess::{Color, Position};
use record::book::Opening;
use record::pgn::GameResult;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::Confidence;
use crate::failures::too_few;
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::samples::openings;
use arena::config::{EngineConfig, Timeouts};
use arena::game::{EngineLimits, GameConfig, play};
use arena::players::{Player, PlayerFactory};
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use stats::elo_to_score;
use support::sync::{into_inner, lock};

pub const CHECK: Check = Check {
    id: CheckId::Strength,
    method: "Plays games with the nodes of 50 ms per move, from varied openings with both colours, against Vedette at node \
             limits that follow the result; fits the strength by maximum likelihood, and ends when the margin of error is \
             below half a doubling. If all games are lost, or all won, there is only a bound. Unit: the nodes with which \
             Vedette would score 50 %.",
    seconds: (0, 120),
    run,
};

/// Time per move, as nodes where `go nodes` is respected.
const MOVE_TIME: Duration = Duration::from_millis(50);

/// Elo that Vedette gains by doubling its nodes, with the shipped network and the built-in book: +269 ± 43 from 1,000 to 2,000
/// nodes (400 games), +217 ± 42 from 4,000 to 8,000 (200 games).
const ELO_PER_DOUBLING: f64 = 240.0;

/// Its margin of error (95 %).
const ELO_PER_DOUBLING_ERROR: f64 = 30.0;

/// The match ends at this margin of error in doublings: about forty games.
const MAX_ERROR: f64 = 0.5;

const MIN_GAMES: usize = 6;

/// The match ends after this many games at an end of the ladder, if all are lost or all won.
const MAX_AT_END: usize = 12;

/// Search range, in doublings of 1,000 nodes.
const STRENGTHS: (f64, f64) = (-12.0, 20.0);

/// Node limits, in doublings of 1,000 nodes.
const LADDER: std::ops::RangeInclusive<i32> = -3..=9;

/// One game: rung of the ladder and points of the engine.
type Game = (f64, f64);

fn nodes_of(rung: f64) -> f64 {
    1000.0 * rung.exp2()
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let Ladder { games, error, .. } = play_ladder(exam);
    if games.len() < MIN_GAMES {
        let error = error.map_or(String::new(), |error| format!(": {error}"));
        let why = too_few(games.len(), "game", "games") + &error;
        return Ok(vec![Finding::skipped(FindingId::StrengthRating, why)]);
    }
    let finding = if is_one_sided(&games) { bounded(&games) } else { rated(&games) };
    Ok(vec![finding.samples(games.len()).threshold("never")])
}

/// Whether all games are lost, or all won: then there is no best fit.
fn is_one_sided(games: &[Game]) -> bool {
    let points: f64 = games.iter().map(|game| game.1).sum();
    points <= 0.0 || points >= games.len() as f64
}

/// The strength at which this many losses, or wins, have p = 0.05.
fn bound(games: &[Game], lost: bool) -> f64 {
    let by_chance = |strength: f64| -> f64 {
        let share = |rung| if lost { 1.0 - expected(strength, rung) } else { expected(strength, rung) };
        games.iter().map(|game| share(game.0).ln()).sum()
    };
    let (mut low, mut high) = STRENGTHS;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let is_likely = by_chance(middle) > 0.05_f64.ln();
        if is_likely == lost { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

fn bounded(games: &[Game]) -> Finding {
    let lost = games[0].1 == 0.0;
    let bound = bound(games, lost);
    let (word, all) = if lost { ("weaker", "lost") } else { ("stronger", "won") };
    let summary = format!(
        "{word} than Vedette at {:.0} nodes per move: {all} all {} games, against {:.0} to {:.0} nodes",
        nodes_of(bound),
        games.len(),
        nodes_of(games.iter().map(|game| game.0).fold(f64::INFINITY, f64::min)),
        nodes_of(games.iter().map(|game| game.0).fold(f64::NEG_INFINITY, f64::max)),
    );
    let basis = format!("p = 0.050: {all} all {} games", games.len());
    Finding::new(FindingId::StrengthRating, Verdict::Pass, summary)
        .confidence(Confidence { level: 0.95, basis })
        .measure(Measure::DoublingsBound, bound)
}

fn rated(games: &[Game]) -> Finding {
    let (best, error) = fit(games);
    let (low, high) = (nodes_of(best - 1.96 * error), nodes_of(best + 1.96 * error));
    let elo_error = (1.96 * error * ELO_PER_DOUBLING).hypot(best * ELO_PER_DOUBLING_ERROR);
    let points: f64 = games.iter().map(|game| game.1).sum();
    let mut by_rung = std::collections::BTreeMap::new();
    for &(rung, point) in games {
        let entry: &mut (f64, f64) = by_rung.entry(rung as i64).or_default();
        *entry = (entry.0 + point, entry.1 + 1.0);
    }
    Finding::new(FindingId::StrengthRating,
        Verdict::Pass,
        format!(
            "as strong as Vedette at {:.0} nodes per move ({low:.0} to {high:.0}); {:+.0} ± {:.0} Elo against Vedette at 1,000 \
             nodes; {points} points in {} games",
            nodes_of(best),
            best * ELO_PER_DOUBLING,
            elo_error,
            games.len()
        ))
    .effect(best * ELO_PER_DOUBLING)
    .confidence(Confidence { level: 0.95, basis: format!("95 % interval, {} games", games.len()) })
    .error(elo_error)
    .measure(Measure::Doublings, best)
    .measure(Measure::DoublingsError, 1.96 * error)
    .plot(Plot {
        title: "Score against Vedette".to_owned(),
        x: "Vedette's nodes, doublings of 1,000".to_owned(),
        y: "score".to_owned(),
        kind: PlotKind::Lines,
        curves: vec![
            Curve {
                name: "games".to_owned(),
                points: by_rung.iter().map(|(&rung, sum)| (rung as f64, sum.0 / sum.1)).collect(),
            },
            Curve {
                name: "fit".to_owned(),
                points: LADDER.map(|rung| (f64::from(rung), expected(best, f64::from(rung)))).collect(),
            },
        ],
    })
}

/// Expected score.
fn expected(strength: f64, rung: f64) -> f64 {
    elo_to_score((strength - rung) * ELO_PER_DOUBLING)
}

/// Maximum likelihood strength in doublings, and its standard error; not for one-sided results.
fn fit(games: &[Game]) -> (f64, f64) {
    let slope = ELO_PER_DOUBLING * std::f64::consts::LN_10 / 400.0;
    let surplus =
        |strength: f64| games.iter().map(|&(rung, point)| point - expected(strength, rung)).sum::<f64>();
    let (mut low, mut high) = STRENGTHS;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if surplus(middle) > 0.0 { low = middle } else { high = middle }
    }
    let strength = 0.5 * (low + high);
    let information: f64 = games
        .iter()
        .map(|&(rung, _)| expected(strength, rung))
        .map(|share| slope * slope * share * (1.0 - share))
        .sum();
    (strength, 1.0 / information.sqrt().max(1e-3))
}

/// Shared by concurrent games.
struct Ladder {
    rung: i32,
    openings: std::vec::IntoIter<Position>,
    games: Vec<Game>,
    /// Why a game was abandoned.
    error: Option<String>,
}

impl Ladder {
    fn new(openings: Vec<Position>) -> Self {
        Self { rung: 2, openings: openings.into_iter(), games: Vec::new(), error: None }
    }

    fn next_pair(&mut self) -> Option<(Position, i32)> {
        if self.is_done() { None } else { Some((self.openings.next()?, self.rung)) }
    }

    fn is_done(&self) -> bool {
        if !is_one_sided(&self.games) {
            return 1.96 * fit(&self.games).1 < MAX_ERROR;
        }
        let is_at_end = |game: &&Game| [*LADDER.start(), *LADDER.end()].map(f64::from).contains(&game.0);
        self.games.iter().filter(is_at_end).count() >= MAX_AT_END
    }

    /// Up after a good pair, down after a bad one.
    fn add(&mut self, rung: i32, points: &[f64]) {
        self.games.extend(points.iter().map(|&point| (f64::from(rung), point)));
        if let [first, second] = points {
            let pair = first + second;
            self.rung = rung + if pair > 1.0 { 1 } else { -i32::from(pair < 1.0) };
            self.rung = self.rung.clamp(*LADDER.start(), *LADDER.end());
        }
    }
}

struct Match {
    engine: EngineConfig,
    vedette: EngineConfig,
    factory: PlayerFactory,
    rules: AdjudicationRules,
    /// Abandons games at the end of the time budget.
    halt: Arc<AtomicBool>,
}

impl Match {
    fn new(exam: &Examination) -> Self {
        let subject = exam.engine.subject();
        let nodes =
            (exam.speed.unwrap_or(500_000.0) * MOVE_TIME.as_secs_f64()).clamp(500.0, 200_000.0) as u64;
        let limits = if exam.respects_nodes {
            EngineLimits { nodes: Some(nodes), ..EngineLimits::default() }
        } else {
            EngineLimits {
                move_time: Some(MOVE_TIME),
                margin: Duration::from_secs(5),
                ..EngineLimits::default()
            }
        };
        let engine = EngineConfig {
            options: subject.options_for(exam.engine.identity()),
            limits,
            ..EngineConfig::of_command(&subject.command)
        };
        let timeouts = Timeouts { search: Duration::from_secs(20), ..Timeouts::default() };
        Self {
            engine,
            vedette: EngineConfig::in_process(),
            factory: PlayerFactory { chess960: false, timeouts, ..PlayerFactory::default() },
            rules: AdjudicationRules {
                draw: Some(DrawRule { move_number: 40, move_count: 6, score: 10 }),
                resign: Some(ResignRule { move_count: 3, score: 700, two_sided: true }),
                max_moves: Some(160),
            },
            halt: Arc::default(),
        }
    }

    /// Plays pairs until the time is up or the engine fails.
    fn play_pairs(&self, ladder: &Mutex<Ladder>) {
        let create = |config| self.factory.create(config, Arc::clone(&self.halt));
        let (mut engine, mut vedette) = match (create(&self.engine), create(&self.vedette)) {
            (Ok(engine), Ok(vedette)) => (engine, vedette),
            (Err(fault), _) | (_, Err(fault)) => {
                lock(ladder).error = Some(fault.to_string());
                return;
            }
        };
        loop {
            let Some((start, rung)) = lock(ladder).next_pair() else { return };
            let opening = Opening { start, moves: Vec::new() };
            let limits =
                EngineLimits { nodes: Some(nodes_of(f64::from(rung)) as u64), ..EngineLimits::default() };
            let mut points = Vec::new();
            for color in [Color::White, Color::Black] {
                let is_white = color == Color::White;
                let own = self.engine.limits;
                let settings = GameConfig {
                    opening: &opening,
                    chess960: false,
                    rules: &self.rules,
                    tablebase: None,
                    limits: if is_white { [own, limits] } else { [limits, own] },
                    check_mate_lines: false,
                };
                let players: [&mut dyn Player; 2] =
                    if is_white { [&mut *engine, &mut *vedette] } else { [&mut *vedette, &mut *engine] };
                let played = play(players, &settings);
                let over = self.halt.load(Ordering::Relaxed);
                match played.ending.result {
                    _ if over => {}
                    GameResult::WhiteWins => points.push(f64::from(u8::from(is_white))),
                    GameResult::BlackWins => points.push(f64::from(u8::from(!is_white))),
                    GameResult::Draw => points.push(0.5),
                    GameResult::Unknown => {}
                }
                if over || played.broken || played.ending.result == GameResult::Unknown {
                    let mut ladder = lock(ladder);
                    ladder.add(rung, &points);
                    if !over {
                        ladder.error = Some(played.ending.text);
                    }
                    return;
                }
            }
            lock(ladder).add(rung, &points);
        }
    }
}

fn play_ladder(exam: &Examination) -> Ladder {
    let contest = Match::new(exam);
    let ladder = Mutex::new(Ladder::new(openings(400, 97)));
    // Two games at a time, where there are CPUs.
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(2);
    std::thread::scope(|scope| {
        let playing: Vec<_> = (0..workers).map(|_| scope.spawn(|| contest.play_pairs(&ladder))).collect();
        while exam.has_time() && playing.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(50));
        }
        contest.halt.store(true, Ordering::Relaxed);
    });
    into_inner(ladder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::random::Random;

    #[test]
    fn fit_recovers_the_strength() {
        let mut random = Random::new(5);
        for truth in [-2.0, 1.0, 4.5] {
            let mut rung: f64 = 2.0;
            let games: Vec<Game> = (0..400)
                .map(|_| {
                    let won = random.unit() < expected(truth, rung);
                    let game = (rung, f64::from(u8::from(won)));
                    rung = (rung + if won { 1.0 } else { -1.0 }).clamp(-3.0, 9.0);
                    game
                })
                .collect();
            let (strength, error) = fit(&games);
            assert!(
                (strength - truth).abs() < 4.0 * error && error < 0.5,
                "{strength} ± {error} for {truth}"
            );
        }
    }

    #[test]
    fn pairs_move_the_rung() {
        let mut ladder = Ladder::new(Vec::new());
        for (points, rung) in
            [(&[1.0, 0.5][..], 3), (&[1.0, 0.0], 3), (&[0.5, 0.0], 2), (&[1.0], 2), (&[], 2)]
        {
            ladder.add(ladder.rung, points);
            assert_eq!(ladder.rung, rung, "{points:?}");
        }
        assert_eq!(ladder.games.len(), 7);
        assert!(ladder.next_pair().is_none(), "no opening left");
    }

    #[test]
    fn match_ends_at_the_margin_of_error() {
        let ladder = |games| Ladder { games, ..Ladder::new(openings(2, 1)) };
        let even = |count| (0..count).map(|game| (2.0, f64::from(game % 2))).collect();
        assert!(ladder(even(30)).next_pair().is_some());
        assert!(ladder(even(60)).next_pair().is_none());
    }

    #[test]
    fn one_sided_result_has_a_bound() {
        let games = |rung: f64, point: f64| vec![(rung, point); 12];
        for (rung, point, word) in [(-3.0, 0.0, "weaker"), (9.0, 1.0, "stronger")] {
            assert!(is_one_sided(&games(rung, point)));
            let finding = bounded(&games(rung, point));
            assert!(finding.summary.starts_with(word) && finding.effect.is_none(), "{finding:?}");
            let bound = finding.measures[&Measure::DoublingsBound];
            let share = expected(bound, rung);
            assert!(
                ((if point > 0.5 { share } else { 1.0 - share }).powi(12) - 0.05).abs() < 1e-6,
                "{bound}"
            );
            let ladder = |games| Ladder { games, ..Ladder::new(openings(2, 1)) };
            assert!(ladder(games(rung, point)).next_pair().is_none());
            assert!(ladder(games(2.0, point)).next_pair().is_some(), "not at an end of the ladder");
        }
        assert!(!is_one_sided(&[(2.0, 0.0), (2.0, 0.5)]));
    }
}
