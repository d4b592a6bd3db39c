//! Searches of the positions of games, one after the other as in play: does the depth hold?

use std::time::Duration;

use chess::Game;

use crate::check::{Check, Examination};
use crate::finding::{Curve, Finding, Group, Plot, PlotKind, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::samples::{mean, median, openings};
use crate::sureness::{Rates, Sureness};
use uci::info::Score;

/// The check.
pub const CHECK: Check = Check {
    name: "stability",
    group: Group::Efficiency,
    title: "depth over the positions of games",
    method: "Lets the engine play with itself at 20,000 nodes a move, its table kept; takes the depth of each search.",
    seconds: (10, 40),
    run,
};

/// Nodes for a move.
const NODES: u64 = 20_000;

/// Half moves of a game.
const PLIES: usize = 40;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let games = exam.pick(2, 6);
    let mut searches = Vec::new();
    let mut curves = Vec::new();
    for start in openings(games, 61) {
        let Ok(played) = play(exam, Game::new(start)) else { break };
        let points = played.iter().enumerate();
        let points = points.map(|(ply, thinking)| (ply as f64, f64::from(thinking.depth()))).collect();
        curves.push(Curve { name: String::new(), points });
        searches.extend(played);
    }
    Ok(vec![depth(&searches, curves)])
}

/// The searches of a game of the engine with itself, without those of which the depth says nothing: one move, a
/// mate seen, or the time over.
fn play(exam: &mut Examination, mut game: Game) -> Result<Vec<Thinking>, Trouble> {
    let go = exam.go_nodes(NODES);
    let mut searches = Vec::new();
    exam.patient.new_game()?;
    for _ in 0..PLIES {
        if game.outcome().is_some() || !exam.goes_on() {
            break;
        }
        let thinking = exam.patient.search_game(&game, &go, exam.cap(Duration::from_secs(2)))?;
        let Some(mv) = thinking.best.as_deref().and_then(|word| game.position().parse_uci(word).ok()) else {
            break;
        };
        let has_choice = game.position().legal_moves().len() > 1;
        game.play(mv);
        if has_choice && !thinking.cut_short && !matches!(thinking.score(), Some(Score::Mate(_))) {
            searches.push(thinking);
        }
    }
    Ok(searches)
}

/// Fewer searches say nothing.
const LEAST_SEARCHES: usize = 12;

/// A search is shallow that reaches less than this share of the median of all.
const SHALLOW: f64 = 0.5;

fn depth(searches: &[Thinking], curves: Vec<Curve>) -> Finding {
    let depths: Vec<f64> = searches.iter().map(|thinking| f64::from(thinking.depth())).collect();
    let middle = median(&depths);
    if depths.len() < LEAST_SEARCHES || middle < 4.0 {
        return Finding::unmeasured("stability", "depth", "too few searches of more than three plies");
    }
    let shallow: Vec<&Thinking> =
        searches.iter().filter(|thinking| f64::from(thinking.depth()) < SHALLOW * middle).collect();
    let alarm = shallow.len() >= 3 && shallow.len() * 10 > searches.len();
    let steps: Vec<f64> = depths.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let [least, most] =
        [depths.iter().copied().fold(f64::INFINITY, f64::min), depths.iter().copied().fold(0.0, f64::max)];
    Finding::new(
        "stability",
        "depth",
        alarm_if(alarm),
        format!(
            "depth {middle:.0} in the middle, {least:.0} to {most:.0}, in {} searches of games; {} reach less than half of the middle; \
             from move to move the depth changes by {:.1} on average",
            depths.len(),
            shallow.len(),
            mean(&steps)
        ),
    )
    .effect("searches with less than half of the usual depth", 100.0 * shallow.len() as f64 / depths.len() as f64, "%")
    .sure(Sureness::of_failures(shallow.len(), depths.len(), Rates { sound: 0.02, faulty: 0.2 }, alarm))
    .threshold("three searches, and more than 10 %, with less than half of the depth in the middle")
    .samples(depths.len())
    .plot(Plot {
        title: "Depth over the moves of games".to_owned(),
        x: "half move".to_owned(),
        y: "depth".to_owned(),
        kind: PlotKind::Lines,
        curves,
    })
    .repro(shallow.first().map(|thinking| thinking.repro()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    #[test]
    fn searches_that_stop_far_short_of_the_others_are_an_alarm() {
        let searches = |depths: &[u32]| -> Vec<Thinking> {
            let told = |&depth| Thinking::of_line(depth, Score::Centipawns(0), 20_000, false);
            depths.iter().map(told).collect()
        };
        let verdict = |depths: &[u32]| depth(&searches(depths), Vec::new()).verdict;
        assert_eq!(verdict(&[10, 11, 9, 12, 10, 10, 8, 9, 7, 10, 11, 12, 10]), Verdict::Sound);
        assert_eq!(verdict(&[10, 11, 9, 12, 3, 10, 4, 9, 2, 10, 11, 12, 10]), Verdict::Alarm);
        assert_eq!(verdict(&[10, 2, 10, 2, 10, 2]), Verdict::Unmeasured);
    }
}
