//! How strong: a short match against Vedette at node limits whose strength is known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::Color;
use record::book::Opening;
use record::pgn::GameResult;

use crate::arena::adjudication::{DrawRule, ResignRule, Rules};
use crate::arena::config::{EngineConfig, EngineKind, Patience};
use crate::arena::game::{Setting, play};
use crate::arena::limits::Limits;
use crate::arena::seat::Seating;
use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Curve, Finding, Group, Plot, PlotKind, Verdict};
use crate::doctor::patient::Trouble;
use crate::doctor::samples::openings;
use crate::statistics::elo_to_score;
use crate::words::split_arguments;

/// The check.
pub const CHECK: Check = Check {
    name: "strength",
    group: Group::Strength,
    title: "strength against Vedette at fixed nodes",
    method: "Plays games at a tenth of a second's nodes for each move, from varied openings with both colours, against \
             Vedette at node limits that follow the result up and down; fits the strength to all games by maximum \
             likelihood. Unit: the nodes with which Vedette would score one half.",
    seconds: (0, 240),
    run,
};

/// Elo that Vedette gains with each doubling of its nodes, rounded. Measured with the classical evaluation from the built-in
/// book: +269 ± 74 from 500 to 1,000 nodes (100 games), +197 ± 76 from 2,000 to 4,000 (80 games), +168 ± 138 from 4,000 to 8,000
/// (21 games).
const ELO_PER_DOUBLING: f64 = 200.0;

/// The node limits of the ladder.
const LADDER: std::ops::RangeInclusive<i32> = -3..=9;

/// One game: rung of the ladder and points of the engine.
type Game = (f64, f64);

fn nodes_of(rung: f64) -> f64 {
    1000.0 * rung.exp2()
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let games = play_ladder(exam);
    if games.len() < 6 {
        return Ok(vec![Finding::unmeasured(
            "strength",
            "rating",
            format!("only {} games were finished", games.len()),
        )]);
    }
    let (best, error) = fit(&games);
    let (low, high) = (nodes_of(best - 1.96 * error), nodes_of(best + 1.96 * error));
    let points: f64 = games.iter().map(|game| game.1).sum();
    let mut by_rung = std::collections::BTreeMap::new();
    for &(rung, point) in &games {
        let entry: &mut (f64, f64) = by_rung.entry(rung as i64).or_default();
        *entry = (entry.0 + point, entry.1 + 1.0);
    }
    let finding = Finding::new(
        "strength",
        "rating",
        Verdict::Sound,
        format!(
            "as strong as Vedette at {:.0} nodes a move ({low:.0} to {high:.0}), {:+.0} ± {:.0} Elo against Vedette at 1,000 \
             nodes; {points} points in {} games",
            nodes_of(best),
            best * ELO_PER_DOUBLING,
            1.96 * error * ELO_PER_DOUBLING,
            games.len()
        ),
    )
    .effect("Elo against Vedette at 1,000 nodes", best * ELO_PER_DOUBLING, "Elo")
    .confidence(0.95, format!("{} games, 95 % interval", games.len()))
    .threshold("none: strength is no fault")
    .samples(games.len())
    .measure("error of 95 %", 1.96 * error * ELO_PER_DOUBLING)
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
    });
    Ok(vec![finding])
}

/// The engine's expected points against a rung.
fn expected(strength: f64, rung: f64) -> f64 {
    elo_to_score((strength - rung) * ELO_PER_DOUBLING)
}

/// The most likely strength in doublings, and its standard error.
fn fit(games: &[Game]) -> (f64, f64) {
    let slope = ELO_PER_DOUBLING * std::f64::consts::LN_10 / 400.0;
    // A game lost and one won at the ends keep the estimate finite when all games end alike.
    let ends = [(f64::from(*LADDER.start()) - 4.0, 1.0), (f64::from(*LADDER.end()) + 4.0, 0.0)];
    let all = || games.iter().copied().chain(ends);
    let surplus = |strength: f64| all().map(|(rung, point)| point - expected(strength, rung)).sum::<f64>();
    let (mut low, mut high) = (-12.0, 20.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if surplus(middle) > 0.0 { low = middle } else { high = middle }
    }
    let strength = 0.5 * (low + high);
    let information: f64 = all()
        .map(|(rung, _)| expected(strength, rung))
        .map(|share| slope * slope * share * (1.0 - share))
        .sum();
    (strength, 1.0 / information.sqrt().max(1e-3))
}

fn play_ladder(exam: &mut Examination) -> Vec<Game> {
    let subject = exam.patient.subject().clone();
    let mut words = split_arguments(&subject.command).into_iter();
    let nodes = (exam.speed.unwrap_or(500_000.0) * 0.1).clamp(500.0, 200_000.0) as u64;
    let own = if exam.obeys_nodes {
        Limits { nodes: Some(nodes), ..Limits::default() }
    } else {
        Limits {
            move_time: Some(Duration::from_millis(100)),
            margin: Duration::from_secs(5),
            ..Limits::default()
        }
    };
    let engine = EngineConfig {
        name: "engine".to_owned(),
        command: words.next().unwrap_or_default(),
        arguments: words.collect(),
        options: subject.options.clone(),
        limits: own,
        ..EngineConfig::default()
    };
    let vedette =
        EngineConfig { kind: EngineKind::Own, name: "Vedette".to_owned(), ..EngineConfig::default() };
    let patience = Patience { search: Duration::from_secs(20), ..Patience::default() };
    let seating = Seating { chess960: false, patience, eavesdropper: None };
    let rules = Rules {
        draw: Some(DrawRule { move_number: 40, move_count: 6, score: 10 }),
        resign: Some(ResignRule { move_count: 3, score: 700, two_sided: true }),
        max_moves: Some(160),
    };
    // A game that is under way when the time is over is given up.
    let halt = Arc::new(AtomicBool::new(false));
    let (Ok(mut first), Ok(mut second)) =
        (seating.seat(&engine, Arc::clone(&halt)), seating.seat(&vedette, Arc::clone(&halt)))
    else {
        return Vec::new();
    };
    let mut games = Vec::new();
    let mut rung: i32 = 2;
    'pairs: for start in openings(200, 97) {
        let opening = Opening { start, moves: Vec::new() };
        let mut pair = 0.0;
        for color in [Color::White, Color::Black] {
            if !exam.goes_on() || halt.load(Ordering::Relaxed) {
                break 'pairs;
            }
            let limits = Limits { nodes: Some(nodes_of(f64::from(rung)) as u64), ..Limits::default() };
            let is_white = color == Color::White;
            let setting = Setting {
                opening: &opening,
                chess960: false,
                rules: &rules,
                tablebase: None,
                limits: if is_white { [own, limits] } else { [limits, own] },
                check_mate_lines: false,
            };
            let played = if is_white {
                play([&mut *first, &mut *second], &setting)
            } else {
                play([&mut *second, &mut *first], &setting)
            };
            let points = match played.ending.result {
                GameResult::WhiteWins => f64::from(u8::from(is_white)),
                GameResult::BlackWins => f64::from(u8::from(!is_white)),
                GameResult::Draw => 0.5,
                GameResult::Unknown => break 'pairs,
            };
            games.push((f64::from(rung), points));
            pair += points;
            if played.broken {
                break 'pairs;
            }
        }
        // Up after a good pair, down after a bad one.
        rung += if pair > 1.0 { 1 } else { -i32::from(pair < 1.0) };
        rung = rung.clamp(*LADDER.start(), *LADDER.end());
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

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
    fn all_games_lost_give_a_finite_rating() {
        let (strength, error) = fit(&[(2.0, 0.0), (1.0, 0.0), (0.0, 0.0)]);
        assert!(strength.is_finite() && strength < 0.0 && error.is_finite());
    }
}
