//! How the tree grows: nodes to each depth, the effective branching factor, explosions, and how often the best move changes.
//!
//! Nodes at a depth are no measure of quality: depth means something else in every engine. Only trees that do not grow at
//! all, that grow like those of plain alpha-beta, or that explode in some positions are findings.

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Curve, DEPTH, Finding, Group, Plot, PlotKind, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::samples::{geometric_mean, median, of_all_phases};
use crate::sureness::{Rates, Side, Sureness};

use super::references::NODES;

/// The check.
pub const CHECK: Check = Check {
    name: "growth",
    group: Group::Efficiency,
    title: "how the tree grows with depth",
    method: "Searches positions of all phases, each fresh, to depth 12 or for two seconds; takes the nodes told at each \
             depth, the growth from ply to ply, the depth reached, and compares with six sound engines measured in the \
             same way.",
    seconds: (20, 60),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let positions: Vec<_> = of_all_phases().into_iter().take(22).step_by(exam.pick(3, 1)).collect();
    let mut searches = Vec::new();
    for position in positions {
        if !exam.goes_on() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        if let Ok(thinking) = exam.patient.search_fresh(&position, "go depth 12", cap) {
            searches.push(thinking);
        }
    }
    if searches.len() < 4 {
        return Ok(vec![Finding::unmeasured("growth", "factor", "too few searches were answered")]);
    }
    let mut findings = vec![factor(&searches), explosions(&searches, exam.speed), best_moves(&searches)];
    findings.extend(size(&searches));
    Ok(findings)
}

/// Nodes told when a depth was finished.
fn nodes_at(thinking: &Thinking, depth: u32) -> Option<f64> {
    thinking.at_depth(depth).and_then(|info| info.nodes).filter(|&nodes| nodes > 0).map(|nodes| nodes as f64)
}

fn all_nodes(searches: &[Thinking], depth: u32) -> Vec<f64> {
    searches.iter().filter_map(|thinking| nodes_at(thinking, depth)).collect()
}

fn mean_nodes(searches: &[Thinking], depth: u32) -> Option<f64> {
    let counts = all_nodes(searches, depth);
    (counts.len() * 3 >= searches.len() * 2).then(|| geometric_mean(&counts))
}

/// How sure it is that the geometric mean of these lies on this side of a bound.
fn sureness(values: &[f64], bound: f64, side: Side) -> Sureness {
    let logs: Vec<f64> = values.iter().map(|value| value.max(1e-9).ln()).collect();
    Sureness::of_mean(&logs, bound.ln(), side)
}

/// Growth from ply to ply below which a tree does not grow, and above which it grows as in plain alpha-beta.
const LEAST_FACTOR: f64 = 1.15;
const MOST_FACTOR: f64 = 4.5;

/// Growth from depth 4 on, for each position.
fn factors(searches: &[Thinking]) -> Vec<f64> {
    let one = |thinking: &Thinking| {
        let deepest = (4..=12).rev().find(|&depth| nodes_at(thinking, depth).is_some())?;
        let start = (deepest - 1).min(4);
        let (small, great) = (nodes_at(thinking, start)?, nodes_at(thinking, deepest)?);
        Some((great / small).powf(1.0 / f64::from(deepest - start)))
    };
    searches.iter().filter_map(one).collect()
}

fn factor(searches: &[Thinking]) -> Finding {
    let factors = factors(searches);
    if factors.len() < 4 {
        return Finding::unmeasured("growth", "factor", "too few iterations with nodes were told");
    }
    let factor = geometric_mean(&factors);
    let (too_small, too_great) = (factor < LEAST_FACTOR, factor > MOST_FACTOR);
    let sure_small = sureness(&factors, LEAST_FACTOR, Side::above_if(!too_small));
    let sure_great = sureness(&factors, MOST_FACTOR, Side::above_if(too_great));
    let alarm = too_small || too_great;
    let points =
        (1..=12).filter_map(|depth| Some((f64::from(depth), mean_nodes(searches, depth)?))).collect();
    let mut curves = vec![Curve { name: "this engine".to_owned(), points }];
    curves.extend(
        NODES.iter().map(|(name, points)| Curve { name: (*name).to_owned(), points: points.to_vec() }),
    );
    Finding::new(
        "growth",
        "factor",
        alarm_if(alarm),
        format!(
            "each further ply multiplies the tree by {factor:.2} (effective branching factor from depth 4 on)"
        ),
    )
    .effect("effective branching factor", factor, "")
    .sure(if too_small {
        sure_small
    } else if too_great {
        sure_great
    } else {
        sure_small.and(sure_great)
    })
    .threshold("below 1.15: the tree does not grow; above 4.5: as in plain alpha-beta")
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

/// The nodes to the deepest of these depths that was reached, and the fewest and the most that sound engines take.
struct Size {
    depth: u32,
    nodes: f64,
    fewest: f64,
    most: f64,
}

impl Size {
    fn at_deepest(searches: &[Thinking], depths: &[u32]) -> Option<Self> {
        let (depth, nodes) = depths.iter().find_map(|&depth| Some((depth, mean_nodes(searches, depth)?)))?;
        let at =
            |points: &[(f64, f64)]| points.iter().find(|point| point.0 as u32 == depth).map(|point| point.1);
        let sizes = NODES.iter().filter_map(|(_, points)| at(points));
        let (fewest, most) = sizes.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
        Some(Self { depth, nodes, fewest, most })
    }

    fn told(&self) -> String {
        let Self { depth, nodes, fewest, most } = self;
        format!(
            "{nodes:.0} nodes to depth {depth}; sound engines that come so far here take {fewest:.0} to {most:.0}"
        )
    }
}

/// A tree is hollow that is smaller than this share of the smallest of a sound engine and grows more slowly than this. Those of
/// the references grow 1.72- to 2.7-fold; with reductions or prunings that are not sound 1.49- to 1.54-fold, at 0.28 to 0.37
/// times the size.
const HOLLOW_SIZE: f64 = 0.5;
const HOLLOW_GROWTH: f64 = 1.6;

/// A tree is large that is so many times the largest of a sound engine.
const LARGE_SIZE: f64 = 5.0;

/// The size of the tree against sound engines.
fn size(searches: &[Thinking]) -> Vec<Finding> {
    // The engines with the largest trees do not reach depth 12 in the time of this check.
    let compared =
        Size::at_deepest(searches, &[10, 8, 6, 4]).zip(Size::at_deepest(searches, &[12, 10, 8, 6, 4]));
    let Some((size, deepest)) = compared else {
        let none = |what| Finding::unmeasured("growth", what, "depth 4 was not reached in most positions");
        return vec![none("size"), none("hollow")];
    };
    let high = size.nodes / size.most;
    let is_large = high > LARGE_SIZE;
    let large = Finding::new(
        "growth",
        "size",
        alarm_if(is_large),
        format!("{} ({high:.2} times the most)", size.told()),
    )
    .effect("nodes against the largest tree of a sound engine", high, "times")
    .sure(sureness(&all_nodes(searches, size.depth), LARGE_SIZE * size.most, Side::above_if(is_large)))
    .threshold("more than 5 times the largest")
    .samples(searches.len())
    .measure(DEPTH, f64::from(size.depth))
    .measure("nodes", size.nodes)
    .repro(searches[0].repro());
    // A small tree alone is no fault. One that is less than half of the smallest known, and grows less than any known one, is hollow.
    let factors = factors(searches);
    let (low, factor) = (deepest.nodes / deepest.fewest, geometric_mean(&factors));
    let (is_small, is_slow) = (low < HOLLOW_SIZE, factor < HOLLOW_GROWTH);
    let counts = all_nodes(searches, deepest.depth);
    let sure_size = sureness(&counts, HOLLOW_SIZE * deepest.fewest, Side::above_if(!is_small));
    let sure_growth = sureness(&factors, HOLLOW_GROWTH, Side::above_if(!is_slow));
    let hollow = Finding::new(
        "growth",
        "hollow",
        alarm_if(is_small && is_slow),
        format!("{} ({low:.2} times the fewest), growing {factor:.2}-fold with each ply", deepest.told()),
    )
    .effect("nodes against the smallest tree of a sound engine", low, "times")
    .sure(match (is_small, is_slow) {
        (true, true) => sure_size.and(sure_growth),
        (true, false) => sure_growth,
        (false, true) => sure_size,
        (false, false) => sure_size.or(sure_growth),
    })
    .threshold(format!(
        "less than {HOLLOW_SIZE} times the smallest, and growing less than {HOLLOW_GROWTH}-fold: depth without substance"
    ))
    .samples(searches.len())
    .measure(DEPTH, f64::from(deepest.depth))
    .repro(searches[0].repro());
    vec![large, hollow]
}

/// A tree so many times greater than the engine's own median has exploded.
const EXPLOSION: f64 = 60.0;

/// Positions whose tree is far greater than the engine's own median: where a search loses its depth.
fn explosions(searches: &[Thinking], speed: Option<f64>) -> Finding {
    let depth = [8, 6, 4].into_iter().find(|&depth| mean_nodes(searches, depth).is_some());
    let Some(depth) = depth else {
        return endless(searches, speed);
    };
    let counts: Vec<(f64, &Thinking)> =
        searches.iter().filter_map(|thinking| Some((nodes_at(thinking, depth)?, thinking))).collect();
    let middle = median(&counts.iter().map(|count| count.0).collect::<Vec<_>>());
    let stuck = searches.len() - counts.len();
    // A slow engine does not reach the depth everywhere in the time given. Only one that has searched so much more than it
    // needs elsewhere, and is still not there, has lost its way.
    let unfinished = searches.iter().filter(|thinking| nodes_at(thinking, depth).is_none());
    let lost = unfinished.map(|thinking| (thinking.nodes() as f64, thinking));
    let trees: Vec<(f64, &Thinking)> = counts.iter().copied().chain(lost).collect();
    let exploded: Vec<&(f64, &Thinking)> = trees.iter().filter(|tree| tree.0 > EXPLOSION * middle).collect();
    let worst = trees.iter().map(|tree| tree.0 / middle.max(1.0)).fold(0.0, f64::max);
    let deepest: Vec<f64> = searches.iter().map(|thinking| f64::from(thinking.depth())).collect();
    let alarm = exploded.len() >= 3 && exploded.len() * 10 > searches.len();
    Finding::new(
        "growth",
        "explosions",
        alarm_if(alarm),
        format!(
            "the largest tree at depth {depth} is {worst:.0} times the median; {stuck} of {} positions did not reach it; \
             depths from {:.0} to {:.0}",
            searches.len(),
            deepest.iter().copied().fold(f64::INFINITY, f64::min),
            deepest.iter().copied().fold(0.0, f64::max)
        ),
    )
    .effect("largest tree against the median", worst, "times")
    .sure_by_hand(0.9, format!("{} positions", searches.len()))
    .threshold("three positions, and more than 10 %, with 60 times the median, whether or not they reached the depth")
    .samples(searches.len())
    .repro(exploded.first().map(|one| one.1.repro()).unwrap_or_default())
}

/// Two plies that take more nodes than this are lost in quiescence: they are a thousand positions before it.
const LOST: f64 = 30_000.0;

/// Whether an engine that does not reach depth 4 is slow, or does not come out of its leaves. One that tells no nodes before its
/// first iteration is finished is counted by its speed elsewhere.
fn endless(searches: &[Thinking], speed: Option<f64>) -> Finding {
    let spent = |thinking: &Thinking| {
        let computed = speed.map_or(0.0, |speed| speed * thinking.effort().as_secs_f64());
        computed.max(thinking.nodes() as f64)
    };
    let two_plies = |thinking: &Thinking| {
        let finished = (2..=12).find_map(|depth| nodes_at(thinking, depth));
        finished.unwrap_or_else(|| spent(thinking))
    };
    // An engine that never tells a depth is not lost, but silent.
    let tells_depths = searches.iter().any(|thinking| thinking.depth() > 0);
    let is_lost = |thinking: &&Thinking| tells_depths && two_plies(thinking) > LOST;
    let lost: Vec<&Thinking> = searches.iter().filter(is_lost).collect();
    if lost.len() < 3 {
        return Finding::unmeasured("growth", "explosions", "depth 4 was not reached in most positions");
    }
    let most = lost.iter().map(|thinking| two_plies(thinking)).fold(0.0, f64::max);
    Finding::new(
        "growth",
        "explosions",
        Verdict::Alarm,
        format!(
            "in {} of {} positions two plies take more than {LOST:.0} nodes, up to {most:.0}: the leaves have no end",
            lost.len(),
            searches.len()
        ),
    )
    .effect("positions that are lost at the leaves", 100.0 * lost.len() as f64 / searches.len() as f64, "%")
    .sure_by_hand(0.97, format!("{} positions", searches.len()))
    .threshold("three positions in which 30,000 nodes do not suffice for two plies")
    .samples(searches.len())
    .repro(lost[0].repro())
}

/// The first iteration whose best move is compared with the one before: until then everything is new.
const FIRST_COMPARED: u32 = 4;

/// The share of iterations that change their best move in a sound engine: 12 to 32 % with the references; in one that searches
/// its moves in the worst order 44 %.
const CHANGES: Rates = Rates { sound: 0.33, faulty: 0.44 };

/// For each iteration whether its best move is another than that of the iteration before.
fn changes(thinking: &Thinking) -> impl Iterator<Item = bool> {
    let best = |depth| thinking.at_depth(depth).and_then(|info| info.pv.first().cloned());
    (FIRST_COMPARED..=12).filter_map(move |depth| Some(best(depth)? != best(depth - 1)?))
}

/// What can be seen of the order of moves from outside: with a bad one the best move is found late, and another one in the next
/// iteration.
fn best_moves(searches: &[Thinking]) -> Finding {
    let compared: Vec<bool> = searches.iter().flat_map(changes).collect();
    if compared.len() < 30 {
        return Finding::unmeasured("growth", "best-move", "too few iterations with a line were told");
    }
    let changed = compared.iter().filter(|&&changed| changed).count();
    let share = changed as f64 / compared.len() as f64;
    let sureness = |alarm| Sureness::of_failures(changed, compared.len(), CHANGES, alarm);
    let alarm = sureness(true).level > 0.99;
    Finding::new(
        "growth",
        "best-move",
        alarm_if(alarm),
        format!(
            "the best move changes in {:.0} % of the iterations from depth {FIRST_COMPARED} on ({changed} of {})",
            100.0 * share,
            compared.len()
        ),
    )
    .effect("iterations with another best move", 100.0 * share, "%")
    .sure(sureness(alarm))
    .threshold("more than an engine in which 33 % change, as in the most changeable reference, has by chance with probability 0.01")
    .samples(compared.len())
    .repro(searches[0].repro())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::info::{Info, Score};

    fn told(depth: u32, nodes: u64) -> Thinking {
        Thinking::of_line(depth, Score::Centipawns(0), nodes, true)
    }

    #[test]
    fn leaves_without_an_end_are_told_from_a_slow_engine() {
        let verdict = |thinking: &Thinking, speed| explosions(&vec![thinking.clone(); 8], speed).verdict;
        assert_eq!(verdict(&told(1, 2_600_000), None), Verdict::Alarm);
        assert_eq!(verdict(&told(1, 9000), Some(10_000.0)), Verdict::Unmeasured, "slow");
        assert_eq!(verdict(&told(2, 320_000), None), Verdict::Alarm);
        assert_eq!(verdict(&told(2, 12_000), None), Verdict::Unmeasured, "every move to the end");
        // One that tells nothing before its first iteration is finished is counted by its speed.
        let silent = Thinking { lines: Vec::new(), ..told(1, 0) };
        let mostly = [vec![silent.clone(); 7], vec![told(1, 500)]].concat();
        assert_eq!(explosions(&mostly, Some(1_500_000.0)).verdict, Verdict::Alarm);
        assert_eq!(explosions(&mostly, None).verdict, Verdict::Unmeasured);
        assert_eq!(verdict(&silent, Some(1_500_000.0)), Verdict::Unmeasured, "it never tells a depth");
    }

    /// A search whose best move changes in every `every`-th iteration.
    fn changing(every: u32) -> Thinking {
        let moves = ["e2e4", "d2d4"];
        let line = |depth: u32| Info {
            depth: Some(depth),
            score: Some(Score::Centipawns(0)),
            pv: vec![moves[(depth / every) as usize % 2].to_owned()],
            ..Info::default()
        };
        Thinking { lines: (1..=12).map(line).collect(), ..told(12, 1000) }
    }

    #[test]
    fn best_moves_that_change_all_the_time_are_an_alarm() {
        let verdict = |every| best_moves(&vec![changing(every); 12]).verdict;
        assert_eq!(verdict(1), Verdict::Alarm);
        assert_eq!(verdict(4), Verdict::Sound);
        assert_eq!(best_moves(&[changing(1)]).verdict, Verdict::Unmeasured);
    }
}
