//! Endings with known distance to mate, searched in order with the hash kept: a hash entry that is misused shows as a mate
//! that is too short.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::{Color, Position};
use uci::Score;

use support::text::counted;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;
use crate::stream_audit::plies_to_mate;

pub const CHECK: Check = Check {
    id: CheckId::Distances,
    method: "Searches KRK and KQK positions with known distance to mate to depth 14 and then 16, without ucinewgame. A mate \
             score of a finished iteration that is shorter than the exact distance comes from a misused hash bound, or from a \
             mate score that is not adjusted by ply.",
    seconds: (10, 60),
    run,
};

/// Positions with plies to mate; the file names their source.
const ENDINGS: &str = include_str!("distances.epd");

/// The second pass finds the hash full of the first.
const DEPTHS: [u32; 2] = [14, 16];

struct MateEnding {
    position: Position,
    plies: usize,
}

/// White wins all of them.
fn endings() -> impl Iterator<Item = MateEnding> {
    ENDINGS.lines().filter_map(|line| {
        let (fen, plies) = line.trim_end_matches(';').split_once(" dm ")?;
        Some(MateEnding { position: Position::from_fen(fen).ok()?, plies: plies.parse().ok()? })
    })
}

#[derive(Default)]
struct Distances {
    searches: usize,
    count: usize,
    exact: usize,
    impossible: Vec<String>,
    /// All commands up to the first impossible distance: the hash contents matter.
    repro: Vec<String>,
}

impl Distances {
    fn add(&mut self, ending: &MateEnding, depth: u32, result: &SearchOutput) {
        self.searches += 1;
        // The last iteration counts only if it was finished.
        let finished = if result.cut_short { 0 } else { depth };
        let deepest = result.depth();
        // Reported depths only: they may be huge.
        let depths: BTreeSet<u32> = result.lines.iter().filter_map(|info| info.depth).collect();
        for at in depths.into_iter().filter(|&at| at < deepest || at == finished) {
            let Some(Score::Mate(moves)) = result.at_depth(at).and_then(|info| info.score) else {
                continue;
            };
            self.count += 1;
            let wins = ending.position.turn() == Color::White;
            let plies = plies_to_mate(moves);
            self.exact += usize::from(plies == ending.plies);
            if (moves > 0) != wins || plies < ending.plies {
                self.impossible.push(format!(
                    "mate {moves} at depth {at}, but the shortest mate is {} plies, in {}",
                    ending.plies,
                    ending.position.to_fen()
                ));
            }
        }
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    exam.engine.new_game()?;
    let mut asked = exam.engine.logged_commands();
    let mut distances = Distances::default();
    for depth in DEPTHS {
        let go = format!("go depth {depth}");
        for ending in endings() {
            if !exam.has_time() {
                break;
            }
            // Short, so that a slow engine gets through some series too.
            let cap = exam.cap(Duration::from_millis(400));
            let Ok(result) = exam.engine.search(&ending.position, &go, cap) else {
                // A new process has an empty hash.
                asked = exam.engine.opening_lines();
                continue;
            };
            asked.extend_from_slice(result.own_lines());
            distances.add(&ending, depth, &result);
            if distances.repro.is_empty() && !distances.impossible.is_empty() {
                distances.repro.clone_from(&asked);
            }
        }
    }
    Ok(vec![evaluate(distances)])
}

fn evaluate(distances: Distances) -> Finding {
    let Distances { searches, count, exact, impossible, repro } = distances;
    if count < 20 {
        let why = format!(
            "{} in {}",
            too_few(count, "mate score", "mate scores"),
            counted(searches, "search", "searches")
        );
        return Finding::skipped(FindingId::DistancesPossible, why);
    }
    let (verdict, summary) = match impossible.as_slice() {
        [] => (Verdict::Pass, format!("none of {count} mate distances in {searches} searches is too short")),
        [one] => (Verdict::Fail, format!("1 of {count} mate distances is impossible: {one}")),
        [first, ..] => {
            (Verdict::Fail, format!("{} of {count} mate distances are impossible: {first}", impossible.len()))
        }
    };
    Finding::new(FindingId::DistancesPossible, verdict, summary)
        .effect(impossible.len() as f64)
        .fixed_confidence(
            0.99,
            format!("{count} distances against exact ones; six sound engines have none that is too short"),
        )
        .threshold("any impossible distance")
        .samples(searches)
        .measure(Measure::ExactShare, exact as f64 / count as f64)
        .repro(repro)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Score as Value;
    use engine::textbook::{Method, solve};
    use uci::Info;

    #[test]
    fn distances_match_a_full_width_search() {
        let mut near = 0;
        for ending in endings().filter(|ending| ending.plies <= 4) {
            near += 1;
            let answer = solve(&ending.position, ending.plies as u32, Method::MateDistancePruning, |_| 0);
            let wins = ending.position.turn() == Color::White;
            let right = if wins { Value::mate_in(ending.plies) } else { Value::mated_in(ending.plies) };
            assert_eq!(answer.score, right, "{}", ending.position.to_fen());
        }
        assert!(near >= 20, "{near}");
        assert_eq!(endings().count(), 240);
        assert!(endings().all(|ending| (ending.plies % 2 == 1) == (ending.position.turn() == Color::White)));
    }

    fn added(fen: &str, plies: usize, lines: &[(u32, i32)], cut_short: bool) -> Distances {
        let position = Position::from_fen(fen).expect("valid");
        let line = |&(depth, mate): &(u32, i32)| Info {
            depth: Some(depth),
            score: Some(Score::Mate(mate)),
            ..Info::default()
        };
        let result = SearchOutput {
            position,
            before: Vec::new(),
            asked: Vec::new(),
            best: None,
            malformed: None,
            lines: lines.iter().map(line).collect(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short,
        };
        let mut distances = Distances::default();
        distances.add(&MateEnding { position, plies }, 14, &result);
        distances
    }

    const LOSER_MOVES: &str = "1k6/8/1K6/8/8/8/8/6R1 b - - 0 1";

    #[test]
    fn too_short_mate_is_impossible() {
        // A better move may follow at the same depth.
        let sound = added(LOSER_MOVES, 4, &[(5, -1), (5, -2), (14, -2)], false);
        assert_eq!((sound.count, sound.exact, sound.impossible.len()), (2, 2, 0));
        assert_eq!(added(LOSER_MOVES, 4, &[(5, -1), (14, -2)], false).impossible.len(), 1);
        // Stopped during depth 6.
        assert_eq!(added(LOSER_MOVES, 4, &[(5, -2), (6, -1)], true).impossible.len(), 0);
        assert_eq!(added(LOSER_MOVES, 4, &[(5, 2), (14, -2)], false).impossible.len(), 1);
        assert_eq!(added(LOSER_MOVES, 4, &[(5, -9), (14, -2)], false).impossible.len(), 0);
    }
}
