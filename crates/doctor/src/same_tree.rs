//! Two builds that search the same tree: where moves and scores are the same at the same depths, a difference in nodes is exact.

use serde::{Deserialize, Serialize};

use super::report::Report;
use super::samples::geometric_mean;
use super::search_output::SearchOutput;

/// The iterations of a search that began with an empty hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    pub fen: String,
    pub iterations: Vec<Iteration>,
}

/// What an iteration found, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iteration {
    pub depth: u32,
    pub score: i32,
    pub best: String,
    /// Since the start of the search.
    pub nodes: u64,
}

impl Tree {
    pub fn of(result: &SearchOutput) -> Self {
        let iteration = |depth| {
            let info = result.at_depth(depth)?;
            let best = info.pv.first()?.clone();
            Some(Iteration { depth, score: info.score?.centipawns(), best, nodes: info.nodes? })
        };
        let iterations = (1..=result.depth().min(MAX_DEPTH)).map_while(iteration).collect();
        Self { fen: result.position.to_fen(), iterations }
    }
}

/// That two reports are of the same tree, searched with more or fewer nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SameTree {
    /// Iterations with the same move and score, up to the first difference in each position.
    pub same: usize,
    pub of: usize,
    /// Nodes after relative to before, by depth.
    pub by_depth: Vec<(u32, f64)>,
    /// The same for all depths, and for each position.
    pub nodes: f64,
    pub by_position: Vec<(String, f64)>,
}

const MIN_POSITIONS: usize = 4;

/// Below, other contents of the hash table and of the histories lead to other scores.
const MAX_DEPTH: u32 = 10;

/// Smaller trees are mostly root moves.
const MIN_DEPTH: u32 = 3;

/// The share of iterations that must be the same. Searching twice what is needed once leaves 81 %, other cutoffs at most 61 %.
const MIN_SAME: f64 = 0.75;

/// Relative nodes that are different.
const DIFFERENT: f64 = 0.002;

/// `None` where the trees differ, or were not recorded.
pub fn same_tree(before: &Report, after: &Report) -> Option<SameTree> {
    let pair = |old: &Tree| Some((old.clone(), after.trees.iter().find(|new| new.fen == old.fen)?.clone()));
    let pairs: Vec<(Tree, Tree)> = before.trees.iter().filter_map(pair).collect();
    let of = pairs.iter().map(|(old, new)| old.iterations.len().min(new.iterations.len())).sum();
    let same: usize = pairs.iter().map(|(old, new)| common(old, new).count()).sum();
    let all =
        || pairs.iter().flat_map(|(old, new)| common(old, new)).filter(|(depth, _)| *depth >= MIN_DEPTH);
    let ratios: Vec<f64> = all().map(|(_, ratio)| ratio).collect();
    let is_more = ratios.iter().all(|&ratio| ratio > 1.0 - DIFFERENT);
    let is_less = ratios.iter().all(|&ratio| ratio < 1.0 + DIFFERENT);
    if pairs.len() < MIN_POSITIONS
        || (same as f64) < MIN_SAME * of as f64
        || ratios.is_empty()
        || !(is_more || is_less)
    {
        return None;
    }
    let mut depths: Vec<u32> = all().map(|(depth, _)| depth).collect();
    depths.sort_unstable();
    depths.dedup();
    let at = |depth: u32| -> Vec<f64> { all().filter(|one| one.0 == depth).map(|one| one.1).collect() };
    let by_position = pairs.iter().filter_map(|(old, new)| {
        Some((old.fen.clone(), common(old, new).filter(|(depth, _)| *depth >= MIN_DEPTH).last()?.1))
    });
    Some(SameTree {
        same,
        of,
        by_depth: depths.into_iter().map(|depth| (depth, geometric_mean(&at(depth)))).collect(),
        nodes: geometric_mean(&ratios),
        by_position: by_position.collect(),
    })
}

/// Depths and relative nodes up to the first different move or score.
fn common(old: &Tree, new: &Tree) -> impl Iterator<Item = (u32, f64)> {
    let is_same = |(old, new): &(&Iteration, &Iteration)| {
        (old.depth, old.score, &old.best) == (new.depth, new.score, &new.best)
    };
    let ratio =
        |(old, new): (&Iteration, &Iteration)| (old.depth, new.nodes as f64 / old.nodes.max(1) as f64);
    old.iterations.iter().zip(&new.iterations).take_while(is_same).map(ratio).collect::<Vec<_>>().into_iter()
}

impl SameTree {
    /// Whether the nodes are the same too.
    pub fn is_identical(&self) -> bool {
        (self.nodes - 1.0).abs() < DIFFERENT
    }

    /// For people.
    pub fn text(&self) -> String {
        let Self { same, of, .. } = self;
        let tree = format!("the same tree: the same move and score in {same} of {of} iterations");
        if self.is_identical() {
            return format!("{tree}, with the same nodes");
        }
        let percent = |ratio: f64| 100.0 * (ratio - 1.0).abs();
        let (more, meaning) = if self.nodes > 1.0 {
            ("more", "something is searched twice")
        } else {
            ("fewer", "something was searched twice before, or is no longer counted")
        };
        let range = match (self.by_depth.first(), self.by_depth.last()) {
            (Some(first), Some(last)) => format!(
                " ({:.1} % at depth {}, {:.1} % at depth {})",
                percent(first.1),
                first.0,
                percent(last.1),
                last.0
            ),
            _ => String::new(),
        };
        let most = self.by_position.iter().max_by(|a, b| percent(a.1).total_cmp(&percent(b.1)));
        let most = most
            .map(|(fen, ratio)| format!("; most, {:.1} %, in {fen}", percent(*ratio)))
            .unwrap_or_default();
        format!("{tree}, {:.1} % {more} nodes at every depth{range}: {meaning}{most}", percent(self.nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five positions to depth 8; `change` sees position and iteration.
    fn trees(change: impl Fn(usize, &mut Iteration)) -> Report {
        let tree = |position: usize| {
            let iteration = |depth: u32| {
                let nodes = 30 * 2u64.pow(depth) + position as u64;
                let mut iteration = Iteration { depth, score: 10, best: "e2e4".to_owned(), nodes };
                change(position, &mut iteration);
                iteration
            };
            Tree { fen: format!("position {position}"), iterations: (1..=8).map(iteration).collect() }
        };
        let mut report = crate::render::tests::report("engine", Vec::new());
        report.trees = (0..5).map(tree).collect();
        report
    }

    #[test]
    fn duplicate_searches_are_found() {
        let sound = trees(|_, _| {});
        let twice = trees(|_, one| one.nodes += one.nodes / 12);
        let found = same_tree(&sound, &twice).expect("the same tree");
        assert!((1.07..1.09).contains(&found.nodes), "{found:?}");
        let text = found.text();
        assert!(
            text.contains("% more nodes at every depth") && text.contains("searched twice; most"),
            "{text}"
        );
        let back = same_tree(&twice, &sound).expect("the same tree");
        assert!(back.text().contains("% fewer nodes at every depth"), "{}", back.text());
        assert!(same_tree(&sound, &sound).expect("the same tree").is_identical());
    }

    #[test]
    fn other_trees_are_not_the_same() {
        let sound = trees(|_, _| {});
        // Other moves from depth 4 on: 15 of 40 iterations are the same.
        let other = trees(|_, one| {
            if one.depth > 3 {
                "d2d4".clone_into(&mut one.best);
            }
        });
        assert_eq!(same_tree(&sound, &other), None);
        // More nodes in one position and fewer in another is another tree.
        let mixed = trees(|position, one| one.nodes = one.nodes * [9, 11][position % 2] / 10);
        assert_eq!(same_tree(&sound, &mixed), None);
        let mut few = trees(|_, _| {});
        few.trees.truncate(3);
        assert_eq!(same_tree(&few, &few), None);
        // A move that changes at the last depth of one position.
        let late = trees(|position, one| {
            one.nodes += one.nodes / 12;
            if position == 1 && one.depth == 8 {
                one.score = 12;
            }
        });
        assert_eq!(same_tree(&sound, &late).map(|found| (found.same, found.of)), Some((39, 40)));
    }
}
