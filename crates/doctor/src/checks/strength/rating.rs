//! How strong: a short match against Vedette at node limits whose strength is known.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chess::{Color, Position};
use record::book::Opening;
use record::pgn::GameResult;

use crate::check::{Check, Examination};
use crate::finding::{Curve, Finding, Group, Plot, PlotKind, Verdict};
use crate::patient::Trouble;
use crate::samples::openings;
use crate::sureness::Sureness;
use arena::config::{EngineConfig, Timeouts};
use arena::game::{EngineLimits, GameSettings, play};
use arena::players::{Player, PlayerFactory};
use record::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use stats::elo_to_score;

/// The check.
pub const CHECK: Check = Check {
    name: "strength",
    group: Group::Strength,
    title: "strength against Vedette at fixed nodes",
    method: "Plays games at a twentieth of a second's nodes for each move, from varied openings with both colours, against \
             Vedette at node limits that follow the result up and down; fits the strength to all games by maximum \
             likelihood, and ends when its error is below half a doubling. Where all games are lost, or all won, only a \
             bound is told. Unit: the nodes with which Vedette would score one half.",
    seconds: (0, 120),
    run,
};

/// What the engine may think for a move, as nodes at its own speed where it obeys 'go nodes'.
const THINKING: Duration = Duration::from_millis(50);

/// Elo that Vedette gains with each doubling of its nodes. Measured with the shipped network from the built-in book: +269 ± 43 from
/// 1,000 to 2,000 nodes (400 games), +217 ± 42 from 4,000 to 8,000 (200 games); together 243 ± 30.
const ELO_PER_DOUBLING: f64 = 240.0;

/// Its error of 95 %: Elo are told with it, since a rating far from 1,000 nodes rests on it. Nodes do not need it.
const ELO_PER_DOUBLING_ERROR: f64 = 30.0;

/// Doublings that the error of 95 % may have when the match ends: about forty games. Four times as many would halve it, and
/// belong to `vedette match`.
const WANTED_ERROR: f64 = 0.5;

/// Games below which nothing is said.
const LEAST_GAMES: usize = 6;

/// Games at an end of the ladder, all lost or all won, after which the match ends: the bound moves little with more.
const ENOUGH_AT_END: usize = 12;

/// Strengths in doublings of 1,000 nodes among which the true one is looked for.
const STRENGTHS: (f64, f64) = (-12.0, 20.0);

/// The node limits of the ladder.
const LADDER: std::ops::RangeInclusive<i32> = -3..=9;

/// One game: rung of the ladder and points of the engine.
type Game = (f64, f64);

fn nodes_of(rung: f64) -> f64 {
    1000.0 * rung.exp2()
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let Ladder { games, trouble, .. } = play_ladder(exam);
    if games.len() < LEAST_GAMES {
        let why = trouble.map_or(String::new(), |words| format!(": {words}"));
        let told = format!("only {} games were finished{why}", games.len());
        return Ok(vec![Finding::unmeasured("strength", "rating", told)]);
    }
    let finding = if is_one_sided(&games) { bounded(&games) } else { rated(&games) };
    Ok(vec![finding.samples(games.len()).threshold("none: strength is no fault")])
}

/// Whether all games are lost, or all won: then there is no strength that fits best.
fn is_one_sided(games: &[Game]) -> bool {
    let points: f64 = games.iter().map(|game| game.1).sum();
    points <= 0.0 || points >= games.len() as f64
}

/// The strength beyond which so many defeats, or victories, would happen by chance in one case of twenty. A draw is taken for
/// half a victory.
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

/// What is known when all games ended alike: no more than a bound.
fn bounded(games: &[Game]) -> Finding {
    let lost = games[0].1 == 0.0;
    let bound = bound(games, lost);
    let (word, all) = if lost { ("weaker", "lost") } else { ("stronger", "won") };
    let summary = format!(
        "{word} than Vedette at {:.0} nodes a move: all {} games are {all}, down to {:.0} and up to {:.0} nodes; how much \
         {word} is not known",
        nodes_of(bound),
        games.len(),
        nodes_of(games.iter().map(|game| game.0).fold(f64::INFINITY, f64::min)),
        nodes_of(games.iter().map(|game| game.0).fold(f64::NEG_INFINITY, f64::max)),
    );
    let basis = format!("p = 0.050: {} games {all} by chance on the other side of the bound", games.len());
    Finding::new("strength", "rating", Verdict::Sound, summary)
        .sure(Sureness { level: 0.95, basis })
        .measure("bound of the doublings of 1,000 nodes", bound)
}

/// The strength that fits best, with its error.
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
    Finding::new(
        "strength",
        "rating",
        Verdict::Sound,
        format!(
            "as strong as Vedette at {:.0} nodes a move ({low:.0} to {high:.0}), {:+.0} ± {:.0} Elo against Vedette at 1,000 \
             nodes; {points} points in {} games",
            nodes_of(best),
            best * ELO_PER_DOUBLING,
            elo_error,
            games.len()
        ),
    )
    .effect("Elo against Vedette at 1,000 nodes", best * ELO_PER_DOUBLING, "Elo")
    .sure(Sureness { level: 0.95, basis: format!("interval of 95 %, {} games", games.len()) })
    .error(elo_error)
    .measure("doublings of 1,000 nodes", best)
    .measure("error of the doublings", 1.96 * error)
    .plot(Plot {
        title: "Score against Vedette".to_owned(),
        x: "Vedette's nodes, doublings of 1,000".to_owned(),
        y: "share of points".to_owned(),
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

/// The engine's expected points against a rung.
fn expected(strength: f64, rung: f64) -> f64 {
    elo_to_score((strength - rung) * ELO_PER_DOUBLING)
}

/// The most likely strength in doublings, and its standard error; some game must not have ended as the others.
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

/// The way up and down the ladder, shared by games that are played side by side.
struct Ladder {
    rung: i32,
    openings: std::vec::IntoIter<Position>,
    games: Vec<Game>,
    /// Why a table stopped playing before the end, in words.
    trouble: Option<String>,
}

impl Ladder {
    fn new(openings: Vec<Position>) -> Self {
        Self { rung: 2, openings: openings.into_iter(), games: Vec::new(), trouble: None }
    }

    /// The opening and the rung of the next two games.
    fn next_pair(&mut self) -> Option<(Position, i32)> {
        if self.is_known() { None } else { Some((self.openings.next()?, self.rung)) }
    }

    /// Whether further games would say little more: the error is small, or all games at an end of the ladder ended alike.
    fn is_known(&self) -> bool {
        if !is_one_sided(&self.games) {
            return 1.96 * fit(&self.games).1 < WANTED_ERROR;
        }
        let is_at_end = |game: &&Game| [*LADDER.start(), *LADDER.end()].map(f64::from).contains(&game.0);
        self.games.iter().filter(is_at_end).count() >= ENOUGH_AT_END
    }

    /// Games that were finished on a rung: up after a good pair, down after a bad one.
    fn learn(&mut self, rung: i32, points: &[f64]) {
        self.games.extend(points.iter().map(|&point| (f64::from(rung), point)));
        if let [first, second] = points {
            let pair = first + second;
            self.rung = rung + if pair > 1.0 { 1 } else { -i32::from(pair < 1.0) };
            self.rung = self.rung.clamp(*LADDER.start(), *LADDER.end());
        }
    }
}

/// Both players, and all that is the same in every game.
struct Match {
    engine: EngineConfig,
    vedette: EngineConfig,
    factory: PlayerFactory,
    rules: AdjudicationRules,
    /// A game that is under way when the time is over is given up.
    halt: Arc<AtomicBool>,
}

impl Match {
    fn new(exam: &Examination) -> Self {
        let subject = exam.patient.subject();
        let nodes = (exam.speed.unwrap_or(500_000.0) * THINKING.as_secs_f64()).clamp(500.0, 200_000.0) as u64;
        let limits = if exam.obeys_nodes {
            EngineLimits { nodes: Some(nodes), ..EngineLimits::default() }
        } else {
            EngineLimits {
                move_time: Some(THINKING),
                margin: Duration::from_secs(5),
                ..EngineLimits::default()
            }
        };
        let engine = EngineConfig {
            options: subject.options_for(exam.patient.identity()),
            limits,
            ..EngineConfig::of_command(&subject.command)
        };
        let timeouts = Timeouts { search: Duration::from_secs(20), ..Timeouts::default() };
        Self {
            engine,
            vedette: EngineConfig::in_process(),
            factory: PlayerFactory { chess960: false, timeouts, tap: None },
            rules: AdjudicationRules {
                draw: Some(DrawRule { move_number: 40, move_count: 6, score: 10 }),
                resign: Some(ResignRule { move_count: 3, score: 700, two_sided: true }),
                max_moves: Some(160),
            },
            halt: Arc::default(),
        }
    }

    /// Plays pairs until the time is over or the engine breaks down.
    fn play_pairs(&self, ladder: &Mutex<Ladder>) {
        let seat = |config| self.factory.create(config, Arc::clone(&self.halt));
        let lock = || ladder.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut engine, mut vedette) = match (seat(&self.engine), seat(&self.vedette)) {
            (Ok(engine), Ok(vedette)) => (engine, vedette),
            (Err(fault), _) | (_, Err(fault)) => {
                lock().trouble = Some(fault.to_string());
                return;
            }
        };
        loop {
            let Some((start, rung)) = lock().next_pair() else { return };
            let opening = Opening { start, moves: Vec::new() };
            let limits =
                EngineLimits { nodes: Some(nodes_of(f64::from(rung)) as u64), ..EngineLimits::default() };
            let mut points = Vec::new();
            for color in [Color::White, Color::Black] {
                let is_white = color == Color::White;
                let own = self.engine.limits;
                let setting = GameSettings {
                    opening: &opening,
                    chess960: false,
                    rules: &self.rules,
                    tablebase: None,
                    limits: if is_white { [own, limits] } else { [limits, own] },
                    check_mate_lines: false,
                };
                let players: [&mut dyn Player; 2] =
                    if is_white { [&mut *engine, &mut *vedette] } else { [&mut *vedette, &mut *engine] };
                let played = play(players, &setting);
                let over = self.halt.load(Ordering::Relaxed);
                match played.ending.result {
                    _ if over => {}
                    GameResult::WhiteWins => points.push(f64::from(u8::from(is_white))),
                    GameResult::BlackWins => points.push(f64::from(u8::from(!is_white))),
                    GameResult::Draw => points.push(0.5),
                    GameResult::Unknown => {}
                }
                if over || played.broken || played.ending.result == GameResult::Unknown {
                    let mut ladder = lock();
                    ladder.learn(rung, &points);
                    if !over {
                        ladder.trouble = Some(played.ending.text);
                    }
                    return;
                }
            }
            lock().learn(rung, &points);
        }
    }
}

fn play_ladder(exam: &Examination) -> Ladder {
    let contest = Match::new(exam);
    let ladder = Mutex::new(Ladder::new(openings(400, 97)));
    // Two games side by side, where there are processors for them.
    let tables = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(2);
    std::thread::scope(|scope| {
        let playing: Vec<_> = (0..tables).map(|_| scope.spawn(|| contest.play_pairs(&ladder))).collect();
        while exam.goes_on() && playing.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(50));
        }
        contest.halt.store(true, Ordering::Relaxed);
    });
    ladder.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::random::Random;

    #[test]
    fn the_fit_finds_the_strength_that_made_the_games() {
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
    fn a_good_pair_leads_up_a_bad_one_down_and_a_broken_one_nowhere() {
        let mut ladder = Ladder::new(Vec::new());
        for (points, rung) in
            [(&[1.0, 0.5][..], 3), (&[1.0, 0.0], 3), (&[0.5, 0.0], 2), (&[1.0], 2), (&[], 2)]
        {
            ladder.learn(ladder.rung, points);
            assert_eq!(ladder.rung, rung, "{points:?}");
        }
        assert_eq!(ladder.games.len(), 7);
        assert!(ladder.next_pair().is_none(), "no opening is left");
    }

    #[test]
    fn a_match_ends_when_the_strength_is_known_well_enough() {
        let ladder = |games| Ladder { games, ..Ladder::new(openings(2, 1)) };
        let even = |count| (0..count).map(|game| (2.0, f64::from(game % 2))).collect();
        assert!(ladder(even(30)).next_pair().is_some());
        assert!(ladder(even(60)).next_pair().is_none());
    }

    #[test]
    fn all_games_lost_or_won_give_a_bound_and_no_interval() {
        let games = |rung: f64, point: f64| vec![(rung, point); 12];
        for (rung, point, word) in [(-3.0, 0.0, "weaker"), (9.0, 1.0, "stronger")] {
            assert!(is_one_sided(&games(rung, point)));
            let finding = bounded(&games(rung, point));
            assert!(finding.summary.starts_with(word) && finding.effect.is_none(), "{finding:?}");
            let bound = finding.measures["bound of the doublings of 1,000 nodes"];
            // Twelve times in a row one in twenty: each with 0.78.
            let share = expected(bound, rung);
            assert!(
                ((if point > 0.5 { share } else { 1.0 - share }).powi(12) - 0.05).abs() < 1e-6,
                "{bound}"
            );
            let ladder = |games| Ladder { games, ..Ladder::new(openings(2, 1)) };
            assert!(ladder(games(rung, point)).next_pair().is_none());
            assert!(ladder(games(2.0, point)).next_pair().is_some(), "not at an end of the ladder yet");
        }
        assert!(!is_one_sided(&[(2.0, 0.0), (2.0, 0.5)]));
    }
}
