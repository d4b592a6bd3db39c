//! The depth of consecutive searches of a game.

use std::time::Duration;

use chess::Game;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, TrialRates};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::samples::{mean, median, openings};
use crate::search_output::SearchOutput;
use uci::Score;

pub const CHECK: Check = Check {
    id: CheckId::Stability,
    method: "Plays self-play games at 20,000 nodes per move with the hash kept, and compares the depth of each search.",
    seconds: (10, 40),
    run,
};

/// Per move.
const NODES: u64 = 20_000;

/// Per game.
const PLIES: usize = 40;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let games = exam.pick(2, 6);
    let mut searches = Vec::new();
    let mut curves = Vec::new();
    for start in openings(games, 61) {
        let Ok(played) = play(exam, Game::new(start)) else { break };
        let points = played.iter().enumerate();
        let points = points.map(|(ply, result)| (ply as f64, f64::from(result.depth()))).collect();
        curves.push(Curve { name: String::new(), points });
        searches.extend(played);
    }
    Ok(vec![depth(&searches, curves)])
}

/// The searches of a self-play game, without forced moves, mate scores and unfinished searches.
fn play(exam: &mut Examination, mut game: Game) -> Result<Vec<SearchOutput>, EngineError> {
    let go = exam.go_nodes(NODES);
    let mut searches = Vec::new();
    exam.engine.new_game()?;
    for _ in 0..PLIES {
        if game.outcome().is_some() || !exam.has_time() {
            break;
        }
        let result = exam.engine.search_game(&game, &go, exam.cap(Duration::from_secs(2)))?;
        let Some(mv) = result.best.as_deref().and_then(|word| game.position().parse_uci(word).ok()) else {
            break;
        };
        let has_choice = game.position().legal_moves().len() > 1;
        game.play(mv);
        if has_choice && !result.cut_short && !matches!(result.score(), Some(Score::Mate(_))) {
            searches.push(result);
        }
    }
    Ok(searches)
}

const MIN_SEARCHES: usize = 12;

/// Relative to the median depth.
const SHALLOW: f64 = 0.5;

fn depth(searches: &[SearchOutput], curves: Vec<Curve>) -> Finding {
    let depths: Vec<f64> = searches.iter().map(|result| f64::from(result.depth())).collect();
    let middle = median(&depths);
    if depths.len() < MIN_SEARCHES || middle < 4.0 {
        return Finding::skipped(FindingId::StabilityDepth, "too few searches beyond depth 3");
    }
    let shallow: Vec<&SearchOutput> =
        searches.iter().filter(|result| f64::from(result.depth()) < SHALLOW * middle).collect();
    let fails = shallow.len() >= 3 && shallow.len() * 10 > searches.len();
    let steps: Vec<f64> = depths.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let [least, most] =
        [depths.iter().copied().fold(f64::INFINITY, f64::min), depths.iter().copied().fold(0.0, f64::max)];
    Finding::new(FindingId::StabilityDepth,
        Verdict::fail_if(fails),
        format!(
            "median depth {middle:.0} ({least:.0} to {most:.0}) in {} searches, {} below half of it; the depth changes \
             by {:.1} per move on average",
            depths.len(),
            shallow.len(),
            mean(&steps)
        ))
    .effect(100.0 * shallow.len() as f64 / depths.len() as f64)
    .confidence(Confidence::of_failures(shallow.len(), depths.len(), TrialRates { sound: 0.02, faulty: 0.2 }, fails))
    .threshold(format!("3 searches, and more than 10 %, below {SHALLOW} times the median depth"))
    .samples(depths.len())
    .plot(Plot {
        title: "Depth by ply".to_owned(),
        x: "ply".to_owned(),
        y: "depth".to_owned(),
        kind: PlotKind::Lines,
        curves,
    })
    .repro(shallow.first().map(|result| result.repro()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    #[test]
    fn shallow_searches_fail() {
        let searches = |depths: &[u32]| -> Vec<SearchOutput> {
            let result = |&depth| SearchOutput::with_line(depth, Score::Centipawns(0), 20_000, false);
            depths.iter().map(result).collect()
        };
        let verdict = |depths: &[u32]| depth(&searches(depths), Vec::new()).verdict;
        assert_eq!(verdict(&[10, 11, 9, 12, 10, 10, 8, 9, 7, 10, 11, 12, 10]), Verdict::Pass);
        assert_eq!(verdict(&[10, 11, 9, 12, 3, 10, 4, 9, 2, 10, 11, 12, 10]), Verdict::Fail);
        assert_eq!(verdict(&[10, 2, 10, 2, 10, 2]), Verdict::Skipped);
    }
}
