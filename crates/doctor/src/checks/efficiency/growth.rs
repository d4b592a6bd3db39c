//! Tree size: nodes by depth, effective branching factor, explosions, best move stability.
//!
//! Nodes at a depth do not measure quality: depth means something else in every engine. Only trees that hardly grow, that
//! grow like plain alpha-beta, or that explode in some positions fail.

use std::time::Duration;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence, TrialRates};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::same_tree::Tree;
use crate::samples::{geometric_mean, median, of_all_phases};
use crate::search_output::SearchOutput;

use super::references::NODES;

pub const CHECK: Check = Check {
    id: CheckId::Growth,
    method: "Searches positions of all game phases, each after ucinewgame, to depth 12 or for two seconds; compares nodes by \
             depth, growth per ply and the depth reached with six sound engines measured in the same way.",
    seconds: (20, 60),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let positions: Vec<_> = of_all_phases().into_iter().take(22).step_by(exam.pick(3, 1)).collect();
    let mut searches = Vec::new();
    for position in positions {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        if let Ok(result) = exam.engine.search_fresh(&position, "go depth 12", cap) {
            searches.push(result);
        }
    }
    if is_deterministic(exam, &searches) {
        exam.trees = searches.iter().map(Tree::of).collect();
    }
    if searches.len() < 4 {
        return Ok(vec![Finding::skipped(FindingId::GrowthFactor, "too few searches")]);
    }
    let mut findings = vec![factor(&searches), explosions(&searches, exam.speed), best_moves(&searches)];
    findings.extend(size(&searches));
    Ok(findings)
}

/// Whether the first search is the same again; unfinished ones are not comparable.
fn is_deterministic(exam: &mut Examination, searches: &[SearchOutput]) -> bool {
    let Some(first) = searches.first().filter(|_| exam.has_time()) else { return false };
    let cap = exam.cap(Duration::from_secs(2));
    let Ok(again) = exam.engine.search_fresh(&first.position, "go depth 12", cap) else { return false };
    let (first, again) = (Tree::of(first).iterations, Tree::of(&again).iterations);
    let common = first.len().min(again.len());
    common > 0 && first[..common] == again[..common]
}

fn nodes_at(result: &SearchOutput, depth: u32) -> Option<f64> {
    result.at_depth(depth).and_then(|info| info.nodes).filter(|&nodes| nodes > 0).map(|nodes| nodes as f64)
}

fn all_nodes(searches: &[SearchOutput], depth: u32) -> Vec<f64> {
    searches.iter().filter_map(|result| nodes_at(result, depth)).collect()
}

fn mean_nodes(searches: &[SearchOutput], depth: u32) -> Option<f64> {
    let counts = all_nodes(searches, depth);
    (counts.len() * 3 >= searches.len() * 2).then(|| geometric_mean(&counts))
}

/// For the geometric mean.
fn confidence(values: &[f64], bound: f64, side: BoundSide) -> Confidence {
    let logs: Vec<f64> = values.iter().map(|value| value.max(1e-9).ln()).collect();
    Confidence::of_mean(&logs, bound.ln(), side)
}

/// Below, the tree does not grow; above, it grows like plain alpha-beta.
const MIN_FACTOR: f64 = 1.15;
const MAX_FACTOR: f64 = 4.5;

/// From depth 4, for each position.
fn factors(searches: &[SearchOutput]) -> Vec<f64> {
    let one = |result: &SearchOutput| {
        let deepest = (4..=12).rev().find(|&depth| nodes_at(result, depth).is_some())?;
        let start = (deepest - 1).min(4);
        let (small, great) = (nodes_at(result, start)?, nodes_at(result, deepest)?);
        Some((great / small).powf(1.0 / f64::from(deepest - start)))
    };
    searches.iter().filter_map(one).collect()
}

fn factor(searches: &[SearchOutput]) -> Finding {
    let factors = factors(searches);
    if factors.len() < 4 {
        return Finding::skipped(FindingId::GrowthFactor, "too few iterations with nodes");
    }
    let factor = geometric_mean(&factors);
    let (too_small, too_great) = (factor < MIN_FACTOR, factor > MAX_FACTOR);
    let sure_small = confidence(&factors, MIN_FACTOR, BoundSide::above_if(!too_small));
    let sure_great = confidence(&factors, MAX_FACTOR, BoundSide::above_if(too_great));
    let fails = too_small || too_great;
    let points =
        (1..=12).filter_map(|depth| Some((f64::from(depth), mean_nodes(searches, depth)?))).collect();
    let mut curves = vec![Curve { name: "this engine".to_owned(), points }];
    curves.extend(
        NODES.iter().map(|(name, points)| Curve { name: (*name).to_owned(), points: points.to_vec() }),
    );
    Finding::new(
        FindingId::GrowthFactor,
        Verdict::fail_if(fails),
        format!("effective branching factor {factor:.2} from depth 4"),
    )
    .effect(factor)
    .confidence(if too_small {
        sure_small
    } else if too_great {
        sure_great
    } else {
        sure_small.and(sure_great)
    })
    .threshold(format!("below {MIN_FACTOR} (no growth) or above {MAX_FACTOR} (plain alpha-beta)"))
    .samples(factors.len())
    .plot(Plot {
        title: "Nodes by depth".to_owned(),
        x: "depth".to_owned(),
        y: "nodes".to_owned(),
        kind: PlotKind::Logarithmic,
        curves,
    })
    .repro(searches[0].repro())
}

/// Nodes at the deepest of these depths that was reached, and the range of the reference engines.
struct Size {
    depth: u32,
    nodes: f64,
    fewest: f64,
    most: f64,
}

impl Size {
    fn at_deepest(searches: &[SearchOutput], depths: &[u32]) -> Option<Self> {
        let (depth, nodes) = depths.iter().find_map(|&depth| Some((depth, mean_nodes(searches, depth)?)))?;
        let at =
            |points: &[(f64, f64)]| points.iter().find(|point| point.0 as u32 == depth).map(|point| point.1);
        let sizes = NODES.iter().filter_map(|(_, points)| at(points));
        let (fewest, most) = sizes.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
        Some(Self { depth, nodes, fewest, most })
    }

    fn description(&self) -> String {
        let Self { depth, nodes, fewest, most } = self;
        format!("{nodes:.0} nodes to depth {depth}; reference engines: {fewest:.0} to {most:.0}")
    }
}

/// Smaller than this relative to the smallest reference, with a lower branching factor than this. References have 1.72 to 2.7;
/// engines with unsound reductions or pruning 1.49 to 1.54, at 0.28 to 0.37 times the size.
const SMALL_SIZE: f64 = 0.5;
const SMALL_FACTOR: f64 = 1.6;

/// Relative to the largest reference.
const LARGE_SIZE: f64 = 5.0;

fn size(searches: &[SearchOutput]) -> Vec<Finding> {
    // Engines with the largest trees do not reach depth 12 in time.
    let compared =
        Size::at_deepest(searches, &[10, 8, 6, 4]).zip(Size::at_deepest(searches, &[12, 10, 8, 6, 4]));
    let Some((size, deepest)) = compared else {
        let none = |id| Finding::skipped(id, "depth 4 not reached in most positions");
        return vec![none(FindingId::GrowthSize), none(FindingId::GrowthSmall)];
    };
    let high = size.nodes / size.most;
    let is_large = high > LARGE_SIZE;
    let large = Finding::new(
        FindingId::GrowthSize,
        Verdict::fail_if(is_large),
        format!("{} ({high:.2} times the largest)", size.description()),
    )
    .effect(high)
    .confidence(confidence(
        &all_nodes(searches, size.depth),
        LARGE_SIZE * size.most,
        BoundSide::above_if(is_large),
    ))
    .threshold(format!("more than {LARGE_SIZE} times the largest reference"))
    .samples(searches.len())
    .measure(Measure::Depth, f64::from(size.depth))
    .measure(Measure::Nodes, size.nodes)
    .repro(searches[0].repro());
    // A small tree alone is not a fault.
    let factors = factors(searches);
    let (low, factor) = (deepest.nodes / deepest.fewest, geometric_mean(&factors));
    let (is_small, is_slow) = (low < SMALL_SIZE, factor < SMALL_FACTOR);
    let counts = all_nodes(searches, deepest.depth);
    let sure_size = confidence(&counts, SMALL_SIZE * deepest.fewest, BoundSide::above_if(!is_small));
    let sure_growth = confidence(&factors, SMALL_FACTOR, BoundSide::above_if(!is_slow));
    let small = Finding::new(
        FindingId::GrowthSmall,
        Verdict::fail_if(is_small && is_slow),
        format!("{} ({low:.2} times the smallest), branching factor {factor:.2}", deepest.description()),
    )
    .effect(low)
    .confidence(match (is_small, is_slow) {
        (true, true) => sure_size.and(sure_growth),
        (true, false) => sure_growth,
        (false, true) => sure_size,
        (false, false) => sure_size.or(sure_growth),
    })
    .threshold(format!(
        "less than {SMALL_SIZE} times the smallest reference, and a branching factor below {SMALL_FACTOR}"
    ))
    .samples(searches.len())
    .measure(Measure::Depth, f64::from(deepest.depth))
    .repro(searches[0].repro());
    vec![large, small]
}

/// Relative to the engine's median.
const EXPLOSION: f64 = 60.0;

fn explosions(searches: &[SearchOutput], speed: Option<f64>) -> Finding {
    let depth = [8, 6, 4].into_iter().find(|&depth| mean_nodes(searches, depth).is_some());
    let Some(depth) = depth else {
        return endless(searches, speed);
    };
    let counts: Vec<(f64, &SearchOutput)> =
        searches.iter().filter_map(|result| Some((nodes_at(result, depth)?, result))).collect();
    let middle = median(&counts.iter().map(|count| count.0).collect::<Vec<_>>());
    // A slow engine may not reach the depth. Only one that has already searched far more nodes than elsewhere counts.
    let unfinished = searches.iter().filter(|result| nodes_at(result, depth).is_none());
    let lost = unfinished.map(|result| (result.nodes() as f64, result));
    let trees: Vec<(f64, &SearchOutput)> = counts.iter().copied().chain(lost).collect();
    let exploded: Vec<&(f64, &SearchOutput)> =
        trees.iter().filter(|tree| tree.0 > EXPLOSION * middle).collect();
    let worst = trees.iter().map(|tree| tree.0 / middle.max(1.0)).fold(0.0, f64::max);
    let deepest: Vec<f64> = searches.iter().map(|result| f64::from(result.depth())).collect();
    let fails = exploded.len() >= 3 && exploded.len() * 10 > searches.len();
    Finding::new(FindingId::GrowthExplosions,
        Verdict::fail_if(fails),
        format!(
            "the largest tree at depth {depth} is {worst:.1} times the median; {} of {} positions reached it, final \
             depth {:.0} to {:.0}",
            counts.len(),
            searches.len(),
            deepest.iter().copied().fold(f64::INFINITY, f64::min),
            deepest.iter().copied().fold(0.0, f64::max)
        ))
    .effect(worst)
    .fixed_confidence(0.9, format!("{} positions", searches.len()))
    .threshold(format!("3 positions, and more than 10 %, with more than {EXPLOSION} times the median"))
    .samples(searches.len())
    .repro(exploded.first().map(|one| one.1.repro()).unwrap_or_default())
}

/// Two plies are about a thousand positions before quiescence search.
const MAX_TWO_PLIES: f64 = 30_000.0;

/// Slow, or a quiescence search without end? Nodes that are not reported before the first iteration ends are estimated from
/// the speed.
fn endless(searches: &[SearchOutput], speed: Option<f64>) -> Finding {
    let spent = |result: &SearchOutput| {
        let computed = speed.map_or(0.0, |speed| speed * result.cpu_or_wall().as_secs_f64());
        computed.max(result.nodes() as f64)
    };
    let two_plies = |result: &SearchOutput| {
        let finished = (2..=12).find_map(|depth| nodes_at(result, depth));
        finished.unwrap_or_else(|| spent(result))
    };
    let reports_depth = searches.iter().any(|result| result.depth() > 0);
    let is_lost = |result: &&SearchOutput| reports_depth && two_plies(result) > MAX_TWO_PLIES;
    let lost: Vec<&SearchOutput> = searches.iter().filter(is_lost).collect();
    if lost.len() < 3 {
        return Finding::skipped(FindingId::GrowthExplosions, "depth 4 not reached in most positions");
    }
    let most = lost.iter().map(|result| two_plies(result)).fold(0.0, f64::max);
    Finding::new(
        FindingId::GrowthExplosions,
        Verdict::Fail,
        format!(
            "two plies take more than {MAX_TWO_PLIES:.0} nodes in {} of {} positions, up to {most:.0}",
            lost.len(),
            searches.len()
        ),
    )
    .effect_as("positions with an explosion", 100.0 * lost.len() as f64 / searches.len() as f64, "%")
    .fixed_confidence(0.97, format!("{} positions", searches.len()))
    .threshold(format!("3 positions with more than {MAX_TWO_PLIES:.0} nodes for two plies"))
    .samples(searches.len())
    .repro(lost[0].repro())
}

/// The first iteration that is compared with the one before.
const FIRST_COMPARED: u32 = 4;

/// Iterations with a new best move: 12 to 32 % in the references, 44 % with the worst move ordering.
const CHANGES: TrialRates = TrialRates { sound: 0.33, faulty: 0.44 };

fn changes(result: &SearchOutput) -> impl Iterator<Item = bool> {
    let best = |depth| result.at_depth(depth).and_then(|info| info.pv.first().cloned());
    (FIRST_COMPARED..=12).filter_map(move |depth| Some(best(depth)? != best(depth - 1)?))
}

/// Poor move ordering makes the best move change more often.
fn best_moves(searches: &[SearchOutput]) -> Finding {
    let compared: Vec<bool> = searches.iter().flat_map(changes).collect();
    if compared.len() < 30 {
        return Finding::skipped(FindingId::GrowthBestMove, "too few iterations with a PV");
    }
    let changed = compared.iter().filter(|&&changed| changed).count();
    let share = changed as f64 / compared.len() as f64;
    let confidence = |fails| Confidence::of_failures(changed, compared.len(), CHANGES, fails);
    let fails = confidence(true).level > 0.99;
    Finding::new(FindingId::GrowthBestMove,
        Verdict::fail_if(fails),
        format!(
            "the best move changes in {:.0} % of the iterations from depth {FIRST_COMPARED} ({changed} of {})",
            100.0 * share,
            compared.len()
        ))
    .effect(100.0 * share)
    .confidence(confidence(fails))
    .threshold(format!("p < 0.01 against a rate of {:.0} %, the highest of the references", 100.0 * CHANGES.sound))
    .samples(compared.len())
    .repro(searches[0].repro())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{Info, Score};

    fn searched(depth: u32, nodes: u64) -> SearchOutput {
        SearchOutput::with_line(depth, Score::Centipawns(0), nodes, true)
    }

    #[test]
    fn endless_quiescence_is_not_a_slow_engine() {
        let verdict = |result: &SearchOutput, speed| explosions(&vec![result.clone(); 8], speed).verdict;
        assert_eq!(verdict(&searched(1, 2_600_000), None), Verdict::Fail);
        assert_eq!(verdict(&searched(1, 9000), Some(10_000.0)), Verdict::Skipped, "slow");
        assert_eq!(verdict(&searched(2, 320_000), None), Verdict::Fail);
        assert_eq!(verdict(&searched(2, 12_000), None), Verdict::Skipped, "within the limit");
        // Nodes are estimated from the speed before the first iteration ends.
        let silent = SearchOutput { lines: Vec::new(), ..searched(1, 0) };
        let mostly = [vec![silent.clone(); 7], vec![searched(1, 500)]].concat();
        assert_eq!(explosions(&mostly, Some(1_500_000.0)).verdict, Verdict::Fail);
        assert_eq!(explosions(&mostly, None).verdict, Verdict::Skipped);
        assert_eq!(verdict(&silent, Some(1_500_000.0)), Verdict::Skipped, "no depth");
    }

    /// The best move changes in every `every`-th iteration.
    fn changing(every: u32) -> SearchOutput {
        let moves = ["e2e4", "d2d4"];
        let line = |depth: u32| Info {
            depth: Some(depth),
            score: Some(Score::Centipawns(0)),
            pv: vec![moves[(depth / every) as usize % 2].to_owned()],
            ..Info::default()
        };
        SearchOutput { lines: (1..=12).map(line).collect(), ..searched(12, 1000) }
    }

    #[test]
    fn unstable_best_move_fails() {
        let verdict = |every| best_moves(&vec![changing(every); 12]).verdict;
        assert_eq!(verdict(1), Verdict::Fail);
        assert_eq!(verdict(4), Verdict::Pass);
        assert_eq!(best_moves(&[changing(1)]).verdict, Verdict::Skipped);
    }
}
