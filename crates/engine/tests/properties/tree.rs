//! The shape of the tree, by search statistics.

use crate::common::{Check, MIDDLEGAMES, ensure, statistics};
use engine::{BENCH_POSITIONS, NodeCut, Statistics};

properties! {
    nodes_are_counted,
    statistics_are_healthy,
    problem_positions_are_searched,
    root_moves_get_zero_window,
    good_moves_come_early,
    trees_have_their_size,
}

pub fn nodes_are_counted() -> Check {
    for fen in MIDDLEGAMES {
        let (counts, reported) = statistics(fen, 7);
        let visited = counts.main_nodes + counts.quiescence_nodes;
        ensure(reported == visited, || format!("{reported} nodes reported, {visited} visited in {fen}"))?;
    }
    Ok(())
}

pub fn statistics_are_healthy() -> Check {
    let mut sum = Statistics::default();
    for fen in MIDDLEGAMES {
        sum += &statistics(fen, 11).0;
    }
    ensure(sum.non_pv_re_searches == 0, || {
        format!("{} re-searches at non-PV nodes", sum.non_pv_re_searches)
    })?;
    ensure(sum.late_cutoffs == 0, || format!("{} cutoffs came late", sum.late_cutoffs))?;
    ensure((0.5..20.0).contains(&sum.pv_re_search_rate()), || {
        format!("the PV re-search rate is {:.2}%", sum.pv_re_search_rate())
    })?;
    ensure((2.0..10.0).contains(&sum.fail_high_rate()), || {
        format!("the fail-high rate is {:.2}%", sum.fail_high_rate())
    })?;
    ensure(sum.first_move_cutoff_rate() > 80.0, || format!("{:.1}% first", sum.first_move_cutoff_rate()))?;
    ensure((0.5..20.0).contains(&sum.lmr_re_search_rate()), || {
        format!("the LMR re-search rate is {:.2}%", sum.lmr_re_search_rate())
    })?;
    ensure(sum.node_cuts(NodeCut::NullMove) > 0 && sum.node_cuts(NodeCut::Table) > 0, || sum.to_string())
}

/// Positions that are often quoted in discussions of PVS, with a depth.
const NOTORIOUS: [(&str, u32); 4] = [
    ("8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", 10),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 12),
    ("r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8", 10),
];

pub fn problem_positions_are_searched() -> Check {
    for (fen, depth) in NOTORIOUS {
        let (counts, reported) = statistics(fen, depth);
        let clean = counts.non_pv_re_searches == 0
            && counts.late_cutoffs == 0
            && counts.first_moves <= counts.pv_nodes
            && reported == counts.main_nodes + counts.quiescence_nodes;
        ensure(clean, || format!("{reported} nodes in {fen} to depth {depth}:\n{counts}"))?;
    }
    Ok(())
}

pub fn root_moves_get_zero_window() -> Check {
    // At most one move of a node is searched with the full window before a zero-window search.
    for fen in MIDDLEGAMES {
        let (counts, _) = statistics(fen, 8);
        let (first, nodes) = (counts.first_moves, counts.pv_nodes);
        ensure(first <= nodes, || format!("{first} first moves of {nodes} PV nodes in {fen}"))?;
    }
    Ok(())
}

/// Sums over the bench positions. Single trees vary with every change of the search, their sum hardly does,
/// so its thresholds can be far from both a sound and a broken search.
fn bench_statistics(depth: u32) -> Statistics {
    let mut sum = Statistics::default();
    for fen in BENCH_POSITIONS {
        sum += &statistics(fen, depth).0;
    }
    sum
}

/// With poor ordering, good moves come late, are reduced, and have to be re-searched.
pub fn good_moves_come_early() -> Check {
    // 4 % with sound ordering, 12 to 35 % with the worst moves first.
    let again = bench_statistics(11).lmr_re_search_rate();
    ensure(again < 7.0, || format!("{again:.1}% of the reduced searches had to be repeated"))
}

/// Too small a tree has pruned or reduced too much, too large a tree too little.
pub fn trees_have_their_size() -> Check {
    // About 540,000 nodes. 160,000 with late moves reduced by four plies more, or with reverse futility
    // everywhere; more than a million with the worst moves first.
    let counts = bench_statistics(12);
    let nodes = counts.main_nodes + counts.quiescence_nodes;
    ensure((300_000..800_000).contains(&nodes), || format!("{nodes} nodes for the bench at depth 12"))
}
